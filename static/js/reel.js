/* The reel: shows the moves of others step by step. Each step is a whole picture from the server; what moves is only the way there. */
(() => {
  "use strict";
  const MOST_FLIGHTS = 12;
  const MOST_STEPS = 120; // that are kept
  const LONGEST_TURN_MS = 15000;
  const MS = { still: 500, fly: 650, gain: 700, dice: 900 };
  const $ = (id) => document.getElementById(id);
  const bar = $("reel");
  if (!bar) return;
  const quiet = matchMedia("(prefers-reduced-motion: reduce)");
  const speed = $("reel-speed");
  let chosen = null;
  try { chosen = localStorage.getItem("reel-speed"); } catch { /* the browser keeps nothing */ }
  speed.value = $("open-preferences")?.dataset.pace || chosen || "1";

  let reel = null; // { version, frames, steps, turns }
  let isPast = false; // the reader has moved since
  let at = -1; // the step that is shown; -1 is the picture before the first
  let last = 0; // the last step of what is played
  let isShown = false; // whether a picture of the reel covers the board
  let isPlaying = false;
  let run = 0; // what was begun before a skip or a pause ends by itself
  let kept = null; // the true board and players, put aside while pictures of the reel stand there

  const board = () => $("board");
  const players = () => document.querySelector("#players .players");
  const parse = (html) => { const holder = document.createElement("template"); holder.innerHTML = html; return holder.content; };
  const fill = (html, find) => html.replace(/<i data-keep="([\w -]+)"><\/i>/g, (_mark, ids) => ids.split(" ").map((id) => find(id)?.outerHTML ?? "").join(""));

  /* Marks stand for what the step before has as well; in the first picture for what the page has. */
  const read = (told, find) => {
    const frames = [];
    let before = find;
    for (const still of [told.base, ...told.steps]) {
      const frame = { ...frames.at(-1) };
      if ("board" in still) {
        frame.board = fill(still.board, before);
        frame.players = fill(still.players, before);
        const page = parse(frame.board + frame.players);
        before = (id) => page.getElementById(id);
      }
      frames.push(frame);
    }
    return { version: told.version, frames, steps: told.steps, turns: told.turns };
  };

  /* Showing a picture */
  const keepOpen = (root, change) => {
    const open = [...root.querySelectorAll("details[open][id]")].map((it) => it.id);
    const moved = root.querySelector("[data-grid]")?.style.transform ?? "";
    change();
    for (const id of open) root.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
    const grid = root.querySelector("[data-grid]");
    if (grid && moved) grid.style.transform = moved;
  };

  const cover = () => {
    if (kept || !board()) return;
    kept = { board: [...board().childNodes], players: [...players().childNodes] };
    board().classList.add("is-reeling");
    isShown = true;
  };

  const uncover = () => {
    if (!kept) return;
    if (board()) {
      keepOpen(board(), () => board().replaceChildren(...kept.board));
      players().replaceChildren(...kept.players);
      board().classList.remove("is-reeling");
    }
    kept = null;
    isShown = false;
  };

  const still = (step) => {
    const frame = reel.frames[step + 1];
    cover();
    if (!board()) return;
    keepOpen(board(), () => { board().innerHTML = frame.board; });
    players().innerHTML = frame.players;
  };

  /* For sounds, and for pages that tell the steps in their own way: a step is told once while it is shown. */
  const say = (name, detail) => document.dispatchEvent(new CustomEvent(`reel:${name}`, { detail }));
  let said = -1;
  const tell = (step) => {
    const told = reel.steps[step];
    const isOn = isShown && Boolean(told);
    if (isOn && step !== said) say("step", { at: step, sound: told.sound, dice: told.dice, gains: told.gains });
    if (!isOn && said >= 0) say("over");
    said = isOn ? step : -1;
    bar.classList.toggle("is-running", isOn);
    $("reel-now").hidden = !isOn;
    $("reel-turns").hidden = isOn;
    for (const id of ["reel-back", "reel-on", "reel-skip"]) $(id).hidden = !isOn;
    const play = $("reel-play");
    play.setAttribute("aria-label", isPlaying ? play.dataset.on : isOn ? play.dataset.off : play.dataset.again);
    play.classList.toggle("is-playing", isPlaying);
    if (!isOn) return;
    $("reel-text").textContent = [told.text, told.by].filter(Boolean).join(" ");
    $("reel-count").textContent = bar.dataset.step.replace("{n}", step + 1).replace("{all}", reel.steps.length);
    $("reel-rule").hidden = !told.rule;
    if (told.rule) { $("reel-rule").href = told.rule.url; $("reel-rule").textContent = told.rule.label; }
  };

  const die = (face) => {
    const one = document.createElement("span");
    one.className = "die";
    one.textContent = face;
    return one;
  };
  const layDice = (sides) => {
    $("reel-dice").replaceChildren(...sides.flatMap((side, number) => {
      const total = document.createElement("b");
      total.textContent = `= ${side.total}`;
      const best = Math.max(...side.faces);
      const dice = side.faces.map(die);
      dice[side.faces.indexOf(best)].classList.add("is-best");
      const mark = document.createElement("span");
      mark.textContent = ":";
      return [...(number ? [mark] : []), ...dice, ...(Number.isInteger(side.total) ? [total] : [])];
    }));
  };
  /* The tray keeps the last roll until the next one. */
  const lastDice = (step) => { for (let n = step; n >= 0; n -= 1) if (reel.steps[n].dice.length) return reel.steps[n].dice; return null; };

  /* Motion */
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

  const picture = (name, box) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 64 64");
    svg.setAttribute("aria-hidden", "true");
    svg.classList.add("flight");
    svg.append(document.createElementNS(svg.namespaceURI, "use"));
    svg.firstChild.setAttribute("href", name);
    svg.style.width = `${box.w}px`;
    svg.style.height = `${box.h}px`;
    document.body.append(svg);
    return svg;
  };
  const markOf = (seat) => {
    const box = $(`seat-${seat}`)?.querySelector(".seat-mark")?.getBoundingClientRect();
    return box && box.width ? { x: box.x, y: box.y, w: box.width, h: box.height } : null;
  };
  const settled = (animation) => animation.finished.then(() => {}, () => {});

  const fly = ({ piece, from }, seat, ms) => {
    if (!piece) {
      const ghost = picture(from.name, from);
      return settled(ghost.animate([{ opacity: 1 }, { opacity: 0.28 }, { opacity: 0.9 }, { opacity: 0 }].map((look) => ({ ...look, translate: `${from.x}px ${from.y}px` })), { duration: ms })).then(() => ghost.remove());
    }
    const start = from ?? markOf(seat) ?? { ...piece, y: piece.y - 24 };
    const flier = picture(piece.name, piece);
    piece.it.classList.add("is-flying");
    const place = (box, scale) => ({ translate: `${box.x}px ${box.y}px`, scale });
    const middle = { x: (start.x + piece.x) / 2, y: Math.min(start.y, piece.y) - 24 };
    const path = [place(start, start.w / piece.w), { ...place(middle, 1.2), offset: 0.55 }, place(piece, 1)];
    return settled(flier.animate(path, { duration: ms, easing: "cubic-bezier(.3,.1,.2,1)" })).then(() => { flier.remove(); piece.it.classList.remove("is-flying"); });
  };

  const rise = (seat, points, ms) => {
    const to = markOf(seat);
    if (!to) return Promise.resolve();
    const chip = document.createElement("div");
    chip.className = "flight flight--points";
    chip.textContent = points > 0 ? `+${points}` : `−${-points}`;
    chip.style.setProperty("--seat", `var(--seat-${seat})`);
    document.body.append(chip);
    const box = board().getBoundingClientRect();
    const middle = { x: box.x + box.width / 2, y: Math.min(innerHeight - 80, Math.max(60, box.y + box.height / 2)) };
    return settled(chip.animate([
      { translate: `${middle.x}px ${middle.y}px`, opacity: 0, scale: 0.6 },
      { translate: `${middle.x}px ${middle.y - 26}px`, opacity: 1, scale: 1.2, offset: 0.35 },
      { translate: `${to.x + to.w}px ${to.y}px`, opacity: 1, scale: 1 },
    ], { duration: ms, easing: "ease-in-out" })).then(() => chip.remove());
  };

  const roll = async (sides, ms, mine) => {
    layDice(sides);
    const dice = [...$("reel-dice").querySelectorAll(".die")];
    await Promise.all(dice.map((one, number) => settled(one.animate(
      [{ rotate: "-540deg", scale: 0.6 }, { rotate: "0deg", scale: 1 }], { duration: ms * (0.66 + 0.17 * number / dice.length), easing: "cubic-bezier(.2,.7,.3,1)" }))));
    return mine === run;
  };

  const clear = () => { for (const it of document.querySelectorAll(".flight")) it.remove(); };
  const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });

  /* One step with its motion; false when something else was begun meanwhile. */
  const go = async (step, pace) => {
    const mine = ++run;
    const told = reel.steps[step];
    const moves = pace > 0 && !quiet.matches && "board" in told;
    cover();
    const before = moves ? pieces() : [];
    at = step;
    still(step);
    tell(step);
    if (told.dice.length) { if (pace > 0 && !quiet.matches) { if (!await roll(told.dice, MS.dice * pace, mine)) return false; } else layDice(told.dice); }
    if (moves) {
      const changed = changes(before, pieces());
      if (changed.length && changed.length <= MOST_FLIGHTS) await Promise.all(changed.map((change) => fly(change, told.seat, MS.fly * pace)));
      if (mine !== run) return false;
    }
    if (pace > 0 && !quiet.matches) await Promise.all(told.gains.map(([seat, points]) => rise(seat, points, MS.gain * pace)));
    if (mine !== run) return false;
    await wait((told.hold ?? MS.still) * Math.max(pace, 0.3));
    return mine === run;
  };

  const pace = () => {
    const chosen = Number(speed.value);
    const long = (last - at) * (MS.fly + MS.still);
    return Math.max(0, long ? Math.min(chosen, LONGEST_TURN_MS / long) : chosen);
  };

  const play = async (from, to) => {
    at = from - 1;
    last = to;
    isPlaying = true;
    const each = pace() || 1;
    cover();
    still(at);
    while (isPlaying && at < last) if (!await go(at + 1, each)) return;
    if (isPlaying) end();
  };

  const pause = () => { run += 1; isPlaying = false; clear(); if (reel && isShown) { still(at); tell(at); } };
  const end = () => {
    run += 1;
    isPlaying = false;
    clear();
    uncover();
    if (!reel) return;
    const dice = lastDice(reel.steps.length - 1);
    if (dice) layDice(dice);
    tell(at);
  };
  const to = (step) => {
    run += 1;
    isPlaying = false;
    clear();
    if (step >= reel.steps.length) { end(); return; }
    at = Math.max(step, 0);
    still(at);
    const dice = lastDice(at);
    $("reel-dice").replaceChildren();
    if (dice) layDice(dice);
    tell(at);
  };

  /* The strip: one line for each player's turn. */
  const fillStrip = () => {
    $("reel-turns").replaceChildren(...reel.turns.map((turn) => {
      const line = document.createElement("li");
      const again = document.createElement("button");
      again.type = "button";
      again.className = "reel__turn";
      again.title = bar.dataset.play;
      const mark = $(`seat-${turn.seat}`)?.querySelector(".seat-mark")?.cloneNode(true);
      const text = document.createElement("span");
      text.className = "reel__said";
      text.textContent = turn.texts.slice(0, 2).join(" ");
      again.append(...(mark ? [mark] : []), text);
      if (turn.points) {
        const points = document.createElement("b");
        points.className = "reel__points";
        points.textContent = turn.points > 0 ? `+${turn.points}` : `−${-turn.points}`;
        again.append(points);
      }
      again.addEventListener("click", () => { if (speed.value === "-1") to(turn.first); else play(turn.first, turn.last); });
      line.append(again);
      return line;
    }));
    bar.classList.toggle("is-empty", !reel.steps.length);
    $("reel-turns").scrollTo($("reel-turns").scrollWidth, $("reel-turns").scrollHeight);
  };

  /* What comes is added to what happened since the reader's last move; what comes while the reel runs is shown after it. */
  const take = (told, find) => {
    const more = read(told, find);
    const isMore = reel && !isPast && told.since === reel.version && reel.steps.length < MOST_STEPS;
    const first = isMore ? reel.steps.length : 0;
    if (isMore) {
      const turns = more.turns.map((turn) => ({ ...turn, first: turn.first + first, last: turn.last + first }));
      reel = { version: told.version, frames: [...reel.frames, ...more.frames.slice(1)], steps: [...reel.steps, ...more.steps], turns: [...reel.turns, ...turns] };
    } else {
      run += 1;
      isPlaying = false;
      clear();
      uncover();
      reel = more;
    }
    isPast = false;
    fillStrip();
    if (isPlaying) { last = reel.steps.length - 1; return; }
    if (speed.value === "0" || document.hidden || quiet.matches) { at = reel.steps.length - 1; end(); return; }
    if (speed.value === "-1") { if (!isShown) to(first); else tell(at); return; }
    play(first, reel.steps.length - 1);
  };

  /* The answer replaces the region and brings its steps; nothing of it is painted before the first picture of the reel. */
  const settle = () => {
    const [wasShown, given] = [isShown, $("reel-steps")];
    kept = null;
    isShown = false;
    if (!board()) { run += 1; isPlaying = false; clear(); bar.classList.add("is-empty"); return; }
    if (wasShown) still(at);
    if (!given) return;
    const told = JSON.parse(given.textContent);
    given.remove();
    take(told, (id) => listed?.get(id));
  };

  /* The pieces that the page has: the true ones, not those of a picture of the reel that covers them. */
  bar.parts = () => {
    const all = [...$("table").querySelectorAll("[data-h]")];
    if (!kept) return all;
    const covered = (part) => board().contains(part) || players().contains(part);
    const put = [...kept.board, ...kept.players].filter((it) => it.nodeType === Node.ELEMENT_NODE);
    return [...all.filter((part) => !covered(part)), ...put.flatMap((it) => [...(it.matches("[data-h]") ? [it] : []), ...it.querySelectorAll("[data-h]")])];
  };
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

  $("reel-play").addEventListener("click", () => {
    if (isPlaying) pause();
    else if (isShown && at < reel.steps.length - 1) play(at + 1, reel.steps.length - 1);
    else if (reel) play(0, reel.steps.length - 1);
  });
  $("reel-back").addEventListener("click", () => to(at - 1));
  $("reel-on").addEventListener("click", () => to(at + 1));
  $("reel-skip").addEventListener("click", end);
  speed.addEventListener("change", () => {
    try { localStorage.setItem("reel-speed", speed.value); } catch { /* for this page only */ }
    if (speed.value === "0" && isShown) end();
    if (speed.value === "-1" && isPlaying) pause();
  });
  /* Answering, or reaching for the board, jumps to now. */
  document.addEventListener("click", (event) => {
    if (isShown && event.target.closest("#action, #board")) end();
  }, true);
  document.addEventListener("keydown", (event) => {
    if (!isShown || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    if ("banp".includes(event.key)) { end(); return; }
    const act = { " ": () => $("reel-play").click(), ArrowLeft: () => to(at - 1), ArrowRight: () => to(at + 1), Escape: end }[event.key];
    if (!act || (event.key === " " && event.target.closest("button, a, summary"))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act();
  }, true);
  document.addEventListener("visibilitychange", () => { if (document.hidden && isShown) end(); });

  /* At first: what happened since the reader's last turn; it is played when asked for. */
  const begin = async () => {
    try {
      const parts = new Map(bar.parts().map((part) => [part.id, part]));
      const have = [...parts.values()].map((part) => `${part.id}:${part.dataset.h}`).join(",");
      const answer = await fetch(bar.dataset.url, { headers: { "X-Have": have } });
      const told = answer.ok ? await answer.json() : {};
      if (!told.steps || reel) return;
      reel = read(told, (id) => parts.get(id));
      at = reel.steps.length - 1;
      fillStrip();
      const dice = lastDice(at);
      if (dice) layDice(dice);
      tell(at);
      say("ready");
    } catch { /* without a connection the bar says so */ }
  };
  begin();
})();
