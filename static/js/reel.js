/* The reel shows the moves of others step by step. Each step is a whole picture; what moves is only the way there. */
(() => {
  "use strict";
  const MOST_STEPS = 120; // kept
  const LONGEST_TURN_MS = 15000;
  const STILL_MS = 500; // between two steps
  const STEP_MS = steps.MS.fly + STILL_MS;
  const { change, layDice, look, make, picture, sign } = steps;
  const $ = (id) => document.getElementById(id);
  const bar = $("reel");
  if (!bar) return;
  const wide = matchMedia("(min-width: 75rem)");
  const { turns, now, text, count, rule, why, dice: tray, back, play: button, on, skip, speed, time } = Object.fromEntries([...bar.querySelectorAll("[id^='reel-']")].map((it) => [it.id.slice(5), it]));
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

  /* Pictures */
  const cover = () => {
    if (kept) return;
    kept = [board(), players()].map((root) => { const put = new DocumentFragment(); put.append(...root.childNodes); return put; });
    board().classList.add("is-reeling");
  };

  const uncover = () => {
    if (!kept) return;
    if (board()) {
      change(board(), () => board().replaceChildren(kept[0]));
      players().replaceChildren(kept[1]);
      board().classList.remove("is-reeling");
    }
    kept = null;
  };

  const still = (step) => {
    const frame = reel.frames[step + 1];
    if (!board()) return;
    change(board(), () => { cover(); board().innerHTML = frame.board; });
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
    const isBack = turns.hidden && !isOn;
    turns.hidden = isOn;
    if (isBack) turns.scrollLeft = turns.scrollWidth; // hidden, it has lost its place
    for (const it of [now, back, on, skip]) it.hidden = !isOn;
    const { on: pause, off, again, all } = button.dataset;
    const seconds = Math.ceil(length(reel.steps.length) / 1000);
    time.textContent = isOn ? "" : seconds ? all.replace(/\{n\}\s/, `${seconds}\u00a0`) : again;
    button.ariaLabel = isPlaying ? pause : isOn ? off : time.textContent;
    button.classList.toggle("is-playing", isPlaying);
    if (!isOn) return;
    text.textContent = steps.said(told);
    count.textContent = bar.dataset.step.replace("{n}", step + 1).replace("{all}", reel.steps.length);
    rule.hidden = !told.rule;
    if (told.rule) { rule.href = told.rule.url; rule.textContent = told.rule.label; }
    why.hidden = !told.why;
    if (told.why) why.href = told.why;
  };

  /* The tray keeps the last roll until the next one. */
  const layLast = (step) => layDice(tray, reel.steps.slice(0, step + 1).findLast((it) => it.dice.length)?.dice ?? []);

  /* One step with its motion; false when something else has begun. */
  const go = async (step, pace) => {
    const mine = ++run;
    const told = reel.steps[step];
    const before = "board" in told && !steps.quiet.matches ? steps.pieces(board()) : null;
    at = step;
    still(step);
    tell(step);
    if (!await steps.travel(told, { board: board(), before, tray, pace, isOn: () => mine === run })) return false;
    await new Promise((done) => { setTimeout(done, (told.hold ?? STILL_MS) * Math.max(pace, 0.3)); });
    return mine === run;
  };

  const length = (number) => Math.min(LONGEST_TURN_MS, Math.max(0, Number(speed.value)) * number * STEP_MS);
  const pace = () => length(last - at) / ((last - at) * STEP_MS) || 0;

  const play = async (from, to) => {
    at = from - 1;
    last = to;
    isPlaying = true;
    const each = pace() || 1;
    still(at);
    while (isPlaying && at < last) if (!await go(at + 1, each)) return;
    if (isPlaying) end();
  };

  const stop = () => { run += 1; isPlaying = false; steps.land(); };
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
    look(board());
    layLast(at);
    tell(at);
  };

  /* The strip: a line for each turn; what has no room is told briefly: without the next sentences, then without what is in brackets. */
  const fit = () => {
    for (const said of turns.querySelectorAll(".reel__said")) {
      const [sentence] = said.texts;
      const shorter = (told, where, end) => told.split(where).map((_part, n, all) => (n ? all.slice(0, -n).join("").trim() + end : told));
      const sentences = shorter(sentence, /(?<=[.!?])(?= )/, "");
      const plain = sentences.at(-1).replace(/ \([^)]*\)/g, "");
      const point = /[.!?]?$/.exec(plain)[0];
      for (const words of [...(wide.matches ? [said.texts.join(" ")] : []), ...sentences, ...shorter(plain, /(?=[,;:])/, point), ...shorter(plain, /(?= )/, "…")]) { // a clause is a sentence too, words are not
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
      const pictures = make("span", "reel__pictures");
      pictures.append(...turn.pictures.map((name) => picture("reel__picture", name, turn.seat)));
      again.append(picture("seat-mark", `zg-seat-${turn.seat}`, turn.seat), pictures, said, ...(turn.points ? [make("b", "reel__points", sign(turn.points))] : []));
      again.onclick = () => { if (speed.value === "-1") to(turn.first); else play(turn.first, turn.last); };
      line.append(again);
      return line;
    }));
    bar.classList.toggle("is-empty", !reel.steps.length);
    button.hidden = !reel.steps.length;
    fit();
    turns.scrollLeft = turns.scrollWidth;
  };
  new ResizeObserver(fit).observe(turns);

  /* What comes is added to what happened since the reader's last move, and shown after what runs. */
  const take = (told, find) => {
    const more = { ...told, frames: steps.read(told, find) };
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
    if (speed.value === "0" || document.hidden || steps.quiet.matches) { at = reel.steps.length - 1; end(); }
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
      const [parts, have] = steps.list(bar.parts());
      const answer = await fetch(bar.dataset.url, { headers: { "X-Have": have } });
      const told = answer.ok ? await answer.json() : {};
      if (!told.steps || reel) return;
      reel = { ...told, frames: steps.read(told, (id) => parts.get(id)) };
      at = reel.steps.length - 1;
      fillStrip();
      layLast(at);
      tell(at);
      say("ready");
    } catch { /* without a connection the bar says so */ }
  };
  begin();
})();
