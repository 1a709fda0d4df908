/* The reel shows the moves of others step by step. Each step is a whole picture; what moves is only the way there. */
(() => {
  "use strict";
  const MOST_FLIGHTS = 12;
  const MOST_STEPS = 120; // kept
  const LONGEST_TURN_MS = 15000;
  const MS = { still: 500, fly: 650, gain: 700, dice: 900 };
  const $ = (id) => document.getElementById(id);
  const bar = $("reel");
  if (!bar) return;
  const quiet = matchMedia("(prefers-reduced-motion: reduce)");
  const wide = matchMedia("(min-width: 75rem)");
  const { turns, now, text, count, rule, dice: tray, back, play: button, on, skip, speed, time } = Object.fromEntries([...bar.querySelectorAll("[id^='reel-']")].map((it) => [it.id.slice(5), it]));
  let chosen = null;
  try { chosen = localStorage.getItem("reel-speed"); } catch { /* the browser keeps nothing */ }
  speed.value = $("open-preferences")?.dataset.pace || chosen || "1";

  let reel = null; // { version, frames, steps, turns }
  let isPast = false; // the reader has moved since
  let at = -1; // the step shown; -1 is the picture before
  let last = 0; // the last step of what is played
  let isPlaying = false;
  let run = 0; // ends what an earlier one began
  let kept = null; // the true board and players, while pictures stand there

  const board = () => $("board");
  const players = () => document.querySelector(".players");
  const make = (name, kind, text = "") => {
    const it = document.createElement(name);
    it.className = kind;
    it.textContent = text;
    return it;
  };
  const sign = (points) => (points > 0 ? `+${points}` : `−${-points}`);
  const moves = () => !quiet.matches;

  /* Marks stand for what the step before has as well, at first for what the page has. */
  const read = (told, find) => {
    const frames = [];
    let before = find;
    for (const still of [told.base, ...told.steps]) {
      const frame = { ...frames.at(-1) };
      if ("board" in still) {
        const page = document.createElement("template");
        [frame.board, frame.players] = [still.board, still.players].map((html) => htmx.fillMarks(html, before));
        page.innerHTML = frame.board + frame.players;
        before = (id) => page.content.getElementById(id);
      }
      frames.push(frame);
    }
    return { version: told.version, frames, steps: told.steps, turns: told.turns };
  };

  /* Pictures */
  const keepOpen = (root, change) => {
    const open = [...root.querySelectorAll("details[open][id]")].map((it) => it.id);
    const grid = () => root.querySelector("[data-grid]");
    const moved = grid()?.style.transform;
    change();
    for (const id of open) $(id)?.setAttribute("open", "");
    if (moved && grid()) grid().style.transform = moved;
  };

  const cover = () => {
    if (kept) return;
    kept = [board(), players()].map((root) => { const put = new DocumentFragment(); put.append(...root.childNodes); return put; });
    board().classList.add("is-reeling");
  };

  const uncover = () => {
    if (!kept) return;
    if (board()) {
      keepOpen(board(), () => board().replaceChildren(kept[0]));
      players().replaceChildren(kept[1]);
      board().classList.remove("is-reeling");
    }
    kept = null;
  };

  const still = (step) => {
    const frame = reel.frames[step + 1];
    if (!board()) return;
    keepOpen(board(), () => { cover(); board().innerHTML = frame.board; });
    players().innerHTML = frame.players;
  };

  /* For sounds, and for pages that tell the steps in their own way: a step is told once while it is shown. */
  const say = (name, detail) => document.dispatchEvent(new CustomEvent(`reel:${name}`, { detail }));
  let said = -1;
  const tell = (step) => {
    const told = reel.steps[step];
    const isOn = Boolean(kept && told);
    if (isOn && step !== said) say("step", { at: step, sound: told.sound, dice: told.dice, gains: told.gains });
    if (!isOn && said >= 0) say("over");
    said = isOn ? step : -1;
    bar.classList.toggle("is-running", isOn);
    turns.hidden = isOn;
    for (const it of [now, back, on, skip]) it.hidden = !isOn;
    const { on: pause, off, again, all } = button.dataset;
    const seconds = Math.ceil(length(reel.steps.length) / 1000);
    time.textContent = isOn ? "" : seconds ? all.replace("{n}", seconds) : again;
    button.ariaLabel = isPlaying ? pause : isOn ? off : time.textContent;
    button.classList.toggle("is-playing", isPlaying);
    if (!isOn) return;
    text.textContent = [told.text, told.by].filter(Boolean).join(" ");
    count.textContent = bar.dataset.step.replace("{n}", step + 1).replace("{all}", reel.steps.length);
    rule.hidden = !told.rule;
    if (told.rule) { rule.href = told.rule.url; rule.textContent = told.rule.label; }
  };

  const layDice = (sides) => tray.replaceChildren(...sides.flatMap((side, number) => {
    const dice = side.faces.map((face) => make("span", "die", face));
    dice[side.faces.indexOf(Math.max(...side.faces))].classList.add("is-best");
    return [...(number ? [":"] : []), ...dice, ...(Number.isInteger(side.total) ? [make("b", "", `= ${side.total}`)] : [])];
  }));
  /* The tray keeps the last roll until the next one. */
  const layLast = (step) => layDice(reel.steps.slice(0, step + 1).findLast((it) => it.dice.length)?.dice ?? []);

  /* Motion */
  const settled = (animation) => animation.finished.catch(() => {});
  const pieces = () => [...board().querySelectorAll("use:not([href^='#zg-mark'], defs *)")].map((it) => {
    const box = it.getBoundingClientRect();
    return { it, name: it.getAttribute("href"), x: Math.round(box.x), y: Math.round(box.y), w: box.width, h: box.height };
  }).filter((piece) => piece.w > 0);

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

  const markOf = (seat) => {
    const box = $(`seat-${seat}`)?.querySelector(".seat-mark")?.getBoundingClientRect();
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
    if (!piece) return glide(flier, [1, 0.28, 0.9, 0].map((opacity) => spot(from.x, from.y, { opacity })), ms);
    const start = from ?? markOf(seat) ?? { x: piece.x, y: piece.y - 24, w };
    piece.it.classList.add("is-flying");
    const path = [
      spot(start.x, start.y, { scale: start.w / w }),
      spot((start.x + piece.x) / 2, Math.min(start.y, piece.y) - 24, { scale: 1.2, offset: 0.55 }),
      spot(piece.x, piece.y, { scale: 1 }),
    ];
    return glide(flier, path, ms, "cubic-bezier(.3,.1,.2,1)").then(() => piece.it.classList.remove("is-flying"));
  };

  const rise = (seat, points, ms) => {
    const to = markOf(seat);
    if (!to) return null;
    const box = board().getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const path = [spot(x, y, { opacity: 0, scale: 0.6 }), spot(x, y - 26, { opacity: 1, scale: 1.2, offset: 0.35 }), spot(to.x + to.w, to.y, { opacity: 1, scale: 1 })];
    return glide(make("div", "flight flight--points", sign(points)), path, ms, "ease-in-out");
  };

  const roll = (sides, ms) => {
    layDice(sides);
    const dice = [...tray.querySelectorAll(".die")];
    return Promise.all(dice.map((one, number) => settled(one.animate(
      [{ rotate: "-540deg", scale: 0.6 }, { rotate: "0deg", scale: 1 }], { duration: ms * (0.66 + 0.17 * number / dice.length), easing: "cubic-bezier(.2,.7,.3,1)" }))));
  };


  /* One step with its motion; false when something else has begun. */
  const go = async (step, pace) => {
    const mine = ++run;
    const told = reel.steps[step];
    const before = moves() && "board" in told ? pieces() : null;
    at = step;
    still(step);
    tell(step);
    if (told.dice.length && moves()) await roll(told.dice, MS.dice * pace);
    else if (told.dice.length) layDice(told.dice);
    if (mine !== run) return false;
    const changed = before ? changes(before, pieces()) : [];
    if (changed.length <= MOST_FLIGHTS) await Promise.all(changed.map((change) => fly(change, told.seat, MS.fly * pace)));
    if (mine === run && moves()) await Promise.all(told.gains.map(([seat, points]) => rise(seat, points, MS.gain * pace)));
    if (mine === run) await new Promise((done) => { setTimeout(done, (told.hold ?? MS.still) * Math.max(pace, 0.3)); });
    return mine === run;
  };

  const length = (steps) => Math.min(LONGEST_TURN_MS, Math.max(0, Number(speed.value)) * steps * (MS.fly + MS.still));
  const pace = () => length(last - at) / ((last - at) * (MS.fly + MS.still)) || 0;

  const play = async (from, to) => {
    at = from - 1;
    last = to;
    isPlaying = true;
    const each = pace() || 1;
    still(at);
    while (isPlaying && at < last) if (!await go(at + 1, each)) return;
    if (isPlaying) end();
  };

  const stop = () => { run += 1; isPlaying = false; for (const it of document.querySelectorAll(".flight")) it.remove(); };
  const pause = () => { stop(); if (reel && kept) { still(at); tell(at); } };
  const end = () => {
    stop();
    uncover();
    if (reel) { layLast(reel.steps.length - 1); tell(at); }
  };
  const to = (step) => {
    stop();
    if (step >= reel.steps.length) { end(); return; }
    at = Math.max(step, 0);
    still(at);
    layLast(at);
    tell(at);
  };

  /* The strip: a line for each turn; what has no room is told briefly. */
  const fit = () => {
    for (const said of turns.querySelectorAll(".reel__said")) {
      const [sentence] = said.texts;
      const shorter = (where) => sentence.split(where).map((_part, n, all) => all.slice(0, all.length - n).join(""));
      for (const words of [...(wide.matches ? [said.texts.join(" ")] : []), ...shorter(/(?=[,;:(])/), ...shorter(/(?= )/)]) {
        said.textContent = words;
        if (said.scrollHeight <= said.clientHeight + 1) break;
      }
    }
  };
  const fillStrip = () => {
    turns.replaceChildren(...reel.turns.map((turn, number) => {
      const line = make("li", "");
      const again = make("button", "reel__turn");
      const said = make("span", "reel__said");
      again.type = "button";
      again.id = `reel-turn-${number}`;
      again.title = bar.dataset.play;
      said.texts = turn.texts.slice(0, 2);
      const mark = $(`seat-${turn.seat}`)?.querySelector(".seat-mark")?.cloneNode(true);
      again.append(...(mark ? [mark] : []), said, ...(turn.points ? [make("b", "reel__points", sign(turn.points))] : []));
      again.onclick = () => { if (speed.value === "-1") to(turn.first); else play(turn.first, turn.last); };
      line.append(again);
      return line;
    }));
    bar.classList.toggle("is-empty", !reel.steps.length);
    fit();
    turns.scrollLeft = turns.scrollWidth;
  };
  new ResizeObserver(fit).observe(turns);

  /* What comes is added to what happened since the reader's last move, and shown after what runs. */
  const take = (told, find) => {
    const more = read(told, find);
    const first = reel && !isPast && told.since === reel.version && reel.steps.length < MOST_STEPS ? reel.steps.length : 0;
    if (first) {
      for (const turn of more.turns) { turn.first += first; turn.last += first; }
      for (const list of ["steps", "turns"]) more[list] = [...reel[list], ...more[list]];
      more.frames = [...reel.frames, ...more.frames.slice(1)];
    } else {
      stop();
      uncover();
    }
    reel = more;
    isPast = false;
    fillStrip();
    if (isPlaying) { last = reel.steps.length - 1; return; }
    if (speed.value === "0" || document.hidden || quiet.matches) { at = reel.steps.length - 1; end(); }
    else if (speed.value !== "-1") play(first, reel.steps.length - 1);
    else if (kept) tell(at);
    else to(first);
  };

  /* The answer brings its steps; nothing of it is painted before their first picture. */
  const settle = () => {
    const [wasShown, given] = [kept, $("reel-steps")];
    kept = null;
    $("table").querySelector("[data-strip]")?.replaceWith(bar);
    turns.scrollLeft = turns.scrollWidth;
    if (!board() || !bar.isConnected) { stop(); bar.classList.add("is-empty"); return; }
    if (wasShown) still(at);
    if (!given) return;
    const told = JSON.parse(given.textContent);
    given.remove();
    take(told, (id) => listed?.get(id));
  };

  /* The pieces that the page has: the true ones, not those of a picture. */
  const piecesOf = (root) => [...root.querySelectorAll("[data-h]")];
  bar.parts = () => [...piecesOf($("table")).filter((part) => !kept || !part.closest("#board, .players")), ...(kept ?? []).flatMap(piecesOf)];
  let listed = null; // pieces that the request has named
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.target?.id === "table") event.detail.headers["X-Reel"] = $("table").dataset.version;
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "table" || !event.detail.shouldSwap) return;
    listed = event.detail.requestConfig.parts;
    isPast ||= event.detail.requestConfig.verb === "post";
  });
  document.addEventListener("htmx:afterSwap", settle);

  button.onclick = () => {
    if (isPlaying) pause();
    else if (reel) play(kept && at < reel.steps.length - 1 ? at + 1 : 0, reel.steps.length - 1);
  };
  back.onclick = () => to(at - 1);
  on.onclick = () => to(at + 1);
  skip.onclick = end;
  speed.onchange = () => {
    try { localStorage.setItem("reel-speed", speed.value); } catch { /* not kept */ }
    if (speed.value === "0" && kept) end();
    if (speed.value === "-1" && isPlaying) pause();
    if (reel) tell(at);
  };
  /* Answering or reaching for the board jumps to now. */
  document.addEventListener("click", (event) => {
    if (kept && event.target.closest("#action, #board")) end();
  }, true);
  document.addEventListener("keydown", (event) => {
    if (!kept || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, [popover]")) return;
    if ("banp".includes(event.key)) { end(); return; }
    const act = { " ": () => button.click(), ArrowLeft: () => to(at - 1), ArrowRight: () => to(at + 1), Escape: end }[event.key];
    if (!act || (event.key === " " && event.target.closest("button, a, summary"))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act();
  }, true);
  document.addEventListener("visibilitychange", () => { if (document.hidden && kept) end(); });

  /* At first: what happened since the reader's last turn, played when asked for. */
  const begin = async () => {
    try {
      const [parts, have] = htmx.listParts();
      const answer = await fetch(bar.dataset.url, { headers: { "X-Have": have } });
      const told = answer.ok ? await answer.json() : {};
      if (!told.steps || reel) return;
      reel = read(told, (id) => parts.get(id));
      at = reel.steps.length - 1;
      fillStrip();
      layLast(at);
      tell(at);
      say("ready");
    } catch { /* without a connection the bar says so */ }
  };
  begin();
})();
