/* Steps of a game as pictures, and the motion from one to the next: for the reel of a table (reel.js), a replay (replay.js), and answers
   that leave out what the page has (region.js). A picture is whole; what moves is only the way there. */
window.steps = (() => {
  "use strict";
  const MOST_FLIGHTS = 12;
  const MS = { fly: 650, gain: 700, dice: 900, look: 220 };
  const quiet = matchMedia("(prefers-reduced-motion: reduce)");
  const make = (name, kind, text = "") => {
    const it = document.createElement(name);
    it.className = kind;
    it.textContent = text;
    return it;
  };
  const picture = (kind, name, seat) => {
    const it = make("span", "");
    it.innerHTML = `<svg class="${kind}" data-seat="${seat}" viewBox="0 0 64 64" aria-hidden="true"><use href="#${name}"/></svg>`;
    return it.firstChild;
  };
  const sign = (points) => (points > 0 ? `+${points}` : `−${-points}`);
  const said = (told) => [told.text, told.by].filter(Boolean).join(" ");

  /* Marks stand for pieces that the page has, in steps for those that the step before has. */
  const list = (parts) => [new Map(parts.map((part) => [part.id, part])), parts.map((part) => `${part.id}:${part.dataset.h}`).join(",")];
  const fill = (html, find) => html.replace(/<i data-keep="([\w -]+)"><\/i>/g, (_mark, ids) => ids.split(" ").map((id) => find(id)?.outerHTML ?? "").join(""));
  const read = ({ base, steps }, find) => {
    const frames = [];
    for (const still of [base, ...steps]) {
      const frame = { ...frames.at(-1) };
      if ("board" in still) {
        const page = document.createElement("template");
        [frame.board, frame.players] = [still.board, still.players].map((html) => fill(html, find));
        page.innerHTML = frame.board + frame.players;
        find = (id) => page.content.getElementById(id);
      }
      frames.push(frame);
    }
    return frames;
  };

  /* Change what is in a place; what the person has opened there stays so. */
  const change = (root, how) => {
    const open = [...root.querySelectorAll("details[open][id]")].map((it) => it.id);
    how();
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  };
  const put = (root, html) => change(root, () => { root.innerHTML = html; });

  const layDice = (tray, sides) => tray.replaceChildren(...sides.flatMap((side, number) => {
    const dice = side.faces.map((face) => make("span", "die", face));
    dice[side.faces.indexOf(Math.max(...side.faces))].classList.add("is-best");
    return [...(number ? [":"] : []), ...dice, ...(Number.isInteger(side.total) ? [make("b", "", `= ${side.total}`)] : [])];
  }));

  /* Motion */
  const settled = (animation) => animation.finished.catch(() => {});
  const pieces = (board) => [...board.querySelectorAll("use:not([href^='#zg-mark'], defs *, .seat-mark *, #ground *, #marks *, #hits *, .map-mini *)")].map((it) => {
    const { x, y, width, height } = it.getBoundingClientRect();
    return { it, name: it.getAttribute("href"), x: Math.round(x), y: Math.round(y), w: width, h: height };
  }).filter((piece) => piece.w > 0 && piece.it.checkVisibility({ visibilityProperty: true })); // a kingdom's chips wait unseen for the pointer

  const changes = (before, after) => {
    const same = new Map();
    const key = (piece) => `${piece.name} ${piece.x} ${piece.y}`;
    for (const piece of before) same.set(key(piece), [...(same.get(key(piece)) ?? []), piece]);
    const come = after.filter((piece) => !same.get(key(piece))?.pop());
    const gone = [...same.values()].flat();
    return come.map((piece) => {
      const from = gone.findIndex((other) => other.name === piece.name);
      return { piece, from: from < 0 ? null : gone.splice(from, 1)[0] };
    }).concat(gone.map((piece) => ({ piece: null, from: piece })));
  };

  const placesOf = (board) => [...board.querySelectorAll("#marks > *")].map((it) => it.getBoundingClientRect()).filter((box) => box.width + box.height);
  /* A step out of sight: the window of the board (window.js) goes there, and tells how far that was. */
  const look = async (board, changed = []) => {
    const detail = { boxes: placesOf(board), ms: quiet.matches ? 0 : MS.look, moved: null };
    if (detail.boxes.length) document.dispatchEvent(new CustomEvent("steps:look", { detail }));
    if (!detail.moved) return;
    for (const it of changed.flatMap(({ piece, from }) => [piece, from]).filter(Boolean)) { it.x += detail.moved.x; it.y += detail.moved.y; }
    await detail.moved.over;
  };

  const markOf = (seat) => {
    const box = document.querySelector(`#seat-${seat} .seat-mark`)?.getBoundingClientRect();
    return box?.width ? { x: box.x, y: box.y, w: box.width } : null;
  };
  const spot = (x, y, more) => ({ translate: `${x}px ${y}px`, ...more });
  const glide = (it, looks, duration, easing) => {
    document.body.append(it);
    return settled(it.animate(looks, { duration, easing })).then(() => it.remove());
  };

  const fly = ({ piece, from }, seat, ms) => {
    const { name, w, h } = piece ?? from;
    const flier = make("div", "flight");
    flier.innerHTML = `<svg viewBox="0 0 64 64" aria-hidden="true"><use href="${name}"/></svg>`;
    Object.assign(flier.style, { width: `${w}px`, height: `${h}px` });
    const { color, fill, stroke } = piece ? getComputedStyle(piece.it) : {}; // of its seat, say
    if (piece) Object.assign(flier.style, { color, fill, stroke });
    if (!piece) return glide(flier, [1, 0.28, 0.9, 0].map((opacity) => spot(from.x, from.y, { opacity })), ms);
    const start = from ?? markOf(seat) ?? { x: piece.x, y: piece.y - 24, w };
    const path = [
      spot(start.x, start.y, { scale: start.w / w }),
      spot((start.x + piece.x) / 2, Math.min(start.y, piece.y) - 24, { scale: 1.2, offset: 0.55 }),
      spot(piece.x, piece.y, { scale: 1 }),
    ];
    return glide(flier, path, ms, "cubic-bezier(.3,.1,.2,1)").then(() => piece.it.removeAttribute("data-flying"));
  };

  const rise = (board, seat, points, ms) => {
    const to = markOf(seat);
    if (!to) return null;
    const box = placesOf(board).at(-1) ?? board.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const path = [spot(x, y, { opacity: 0, scale: 0.6 }), spot(x, y - 26, { opacity: 1, scale: 1.2, offset: 0.35 }), spot(to.x + to.w, to.y, { opacity: 1, scale: 1 })];
    return glide(make("div", "flight flight--points", sign(points)), path, ms, "ease-in-out");
  };

  const roll = (tray, ms) => Promise.all([...tray.querySelectorAll(".die")].map((one, number, dice) => settled(one.animate(
    [{ rotate: "-540deg", scale: 0.6 }, { rotate: "0deg", scale: 1 }], { duration: ms * (0.66 + 0.17 * number / dice.length), easing: "cubic-bezier(.2,.7,.3,1)" }))));

  /* From the picture before, where the pieces were `before`, to the one that stands there now: dice, pieces, points. `isOn` tells whether it
     still stands there. Without motion only the dice are laid and the window goes where the step is. */
  const travel = async (told, { board, before, tray, pace, isOn }) => {
    if (told.dice.length) layDice(tray, told.dice);
    const moves = !quiet.matches && pace > 0;
    const changed = before && moves ? changes(before, pieces(board)) : [];
    const flights = changed.length <= MOST_FLIGHTS ? changed : [];
    for (const { piece } of flights) piece?.it.setAttribute("data-flying", "");
    await look(board, flights);
    if (!moves) return isOn();
    if (isOn() && told.dice.length) await roll(tray, MS.dice * pace);
    if (isOn()) await Promise.all(flights.map((change) => fly(change, told.seat, MS.fly * pace)));
    if (isOn()) await Promise.all(told.gains.map(([seat, points]) => rise(board, seat, points, MS.gain * pace)));
    return isOn();
  };
  const land = () => { for (const it of document.querySelectorAll(".flight")) it.remove(); };

  return { MS, change, fill, land, layDice, list, look, make, picture, pieces, put, quiet, read, said, sign, travel };
})();
