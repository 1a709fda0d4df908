/* A replay: any step of a game by slider and keys. Steps come in chunks; each is a whole picture from the server, and one step on is shown
   with the motion of the reel (steps.js). */
(() => {
  "use strict";
  const CHUNK = 24; // the server sends as many steps at once
  const REST_MS = 90; // how long the slider rests before steps are fetched
  const TOLD_MS = 1000; // a step is told at least so long
  const STILL_MS = 300; // between two steps
  const $ = (id) => document.getElementById(id);
  let root = null;
  let at = 0;
  let wanted = 0;
  let isPlaying = false;
  let run = 0; // ends what an earlier one began
  let plays = 0;
  let resting = 0;
  let renaming = 0;
  let chunks = new Map(); // number of the first step -> promise of its steps, step -> { board, players, told }

  const slider = () => $("replay-slider");
  const count = () => Number(slider().max);
  const firstOf = (step) => step - ((Math.max(step, 1) - 1) % CHUNK) - (step ? 0 : -1);
  const placed = (address, step) => {
    const url = new URL(address, location.href);
    url.searchParams.set("step", step);
    if (root.dataset.seat) url.searchParams.set("seat", root.dataset.seat);
    return `${url.pathname}${url.search}`;
  };
  const addressOf = (step) => placed(root.dataset.address, step);

  const board = () => root.querySelector("[data-replay-board]");
  const pace = () => Number($("replay-speed").value);

  const fetched = (step) => {
    const first = firstOf(step);
    if (!chunks.has(first)) {
      const [parts, have] = steps.list([...root.querySelectorAll("[data-h]")]);
      const answer = fetch(placed(root.dataset.replay, first), { headers: { "X-Have": have } }).then((given) => {
        if (!given.ok) throw new Error(String(given.status));
        return given.json();
      }).then((told) => new Map(steps.read(told, (id) => parts.get(id)).map((frame, number) => [first - 1 + number, { ...frame, told: told.steps[number - 1] }])));
      answer.catch(() => chunks.delete(first));
      chunks.set(first, answer);
    }
    return chunks.get(first);
  };

  const seatMark = (number) => steps.picture("seat-mark", `zg-seat-${number}`, number);
  const span = (name, ...inside) => {
    const it = document.createElement("span");
    it.className = name;
    it.append(...inside);
    return it;
  };

  const nameOf = (step) => root.dataset.name.replace("{n}", step).replace("{all}", count());
  const tell = (step, told) => {
    const text = told ? steps.said(told) : root.dataset.first;
    $("replay-text").setAttribute("aria-live", isPlaying || document.activeElement === slider() ? "off" : "polite");
    $("replay-mark").replaceChildren(...(told?.seat ? [seatMark(told.seat)] : []));
    $("replay-name").textContent = nameOf(step);
    $("replay-said").textContent = text;
    $("replay-rule").hidden = !told?.rule;
    if (told?.rule) { $("replay-rule").href = told.rule.url; $("replay-rule").textContent = told.rule.label; }
    $("replay-why").hidden = !told?.why;
    if (told?.why) $("replay-why").href = told.why;
    else $("replay-why").removeAttribute("href");
    $("replay-reasons").replaceChildren();
    steps.layDice($("replay-dice"), told?.dice ?? []);
    $("replay-gains").replaceChildren(...(told?.gains ?? []).map(([number, points]) => span("replay__gain", seatMark(number), steps.sign(points))));
    slider().setAttribute("aria-valuetext", `${nameOf(step)}: ${text}`);
  };

  const point = (id, step) => {
    const link = $(id);
    if (step < 0 || step > count() || step === at) {
      link.removeAttribute("href");
      link.setAttribute("role", "link");
      link.setAttribute("aria-disabled", "true");
    } else {
      link.href = addressOf(step);
      link.removeAttribute("role");
      link.removeAttribute("aria-disabled");
    }
  };

  const show = (step, { board: markup, players, told }) => {
    at = step;
    steps.put(board(), markup);
    steps.put(root.querySelector("[data-replay-players]"), players);
    slider().value = step;
    tell(step, told);
    [["first", 0], ["back", step - 1], ["on", step + 1], ["last", count()]].forEach(([name, to]) => point(`replay-${name}`, to));
    if ($("replay-link")) $("replay-link").href = addressOf(step);
    for (const link of document.querySelectorAll("[data-replay-at]")) {
      const url = new URL(link.href);
      url.searchParams.set("step", step);
      link.href = url;
    }
    if (!("own" in root.dataset)) return;
    clearTimeout(renaming);
    renaming = setTimeout(() => history.replaceState(history.state, "", addressOf(at)), 200);
  };

  /* Show a step; with a pace, the next one with its motion. False when something else has begun. */
  const go = async (step, pace = 0) => {
    if (!count()) return false;
    const mine = ++run;
    const to = wanted = Math.min(count(), Math.max(0, step));
    steps.land();
    slider().value = to;
    try {
      const found = (await fetched(to)).get(to);
      if (mine !== run) return false;
      const moves = pace && to === at + 1 && !steps.quiet.matches;
      const before = moves && "board" in found.told ? steps.pieces(board()) : null;
      show(to, found);
      if (to < count()) fetched(to + 1).catch(() => {}); // the next chunk comes before it is needed
      if (moves) return await steps.travel(found.told, { board: board(), before, tray: $("replay-dice"), pace, isOn: () => mine === run });
      steps.look(board());
      return true;
    } catch {
      if (mine !== run) return false;
      pause();
      $("replay-said").textContent = root.dataset.lost;
      return false;
    }
  };

  const face = () => {
    const play = $("replay-play");
    play.setAttribute("aria-label", isPlaying ? play.dataset.on : play.dataset.off);
    play.classList.toggle("is-playing", isPlaying);
  };
  const pause = () => { isPlaying = false; face(); };
  const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });
  const play = async () => {
    isPlaying = true;
    face();
    const mine = ++plays;
    const isOn = () => isPlaying && mine === plays;
    if (at >= count() && !await go(0)) return;
    while (isOn() && at < count()) {
      const each = pace();
      const [went] = await Promise.all([go(at + 1, each), wait(TOLD_MS * each)]);
      if (!went) return;
      await wait(STILL_MS * each);
    }
    if (mine === plays) pause();
  };
  const step = (to) => { pause(); return go(to, pace()); };

  /* The turn before or after a step, as the ticks mark them. */
  const turn = (way) => {
    const ticks = [...root.querySelectorAll(".replay__turn")].map((tick) => Number(tick.dataset.step));
    return way > 0 ? ticks.find((tick) => tick > wanted) ?? count() : ticks.findLast((tick) => tick < wanted) ?? 0;
  };

  const copy = async (event) => {
    event.preventDefault();
    const link = event.currentTarget;
    try { await navigator.clipboard.writeText(link.href); } catch { location.assign(link.href); return; }
    const [text, label] = [link.textContent, link.ariaLabel];
    link.textContent = link.ariaLabel = link.dataset.copied;
    setTimeout(() => { link.textContent = text; link.ariaLabel = label; }, 2000);
  };

  const begin = () => {
    const found = document.querySelector("[data-replay]");
    if (!found || found === root) return;
    root = found;
    chunks = new Map();
    isPlaying = false;
    at = wanted = Number(slider().value);
    for (const id of ["replay-play", "replay-speed"]) $(id).hidden = false;
    for (const [id, to] of Object.entries({ first: () => 0, back: () => wanted - 1, on: () => wanted + 1, last: count })) {
      $(`replay-${id}`).addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        step(to());
      });
    }
    slider().addEventListener("input", () => {
      run += 1;
      pause();
      steps.land();
      const to = wanted = Number(slider().value);
      clearTimeout(resting);
      if (chunks.has(firstOf(to))) { go(to); return; }
      $("replay-name").textContent = nameOf(to);
      slider().setAttribute("aria-valuetext", nameOf(to));
      resting = setTimeout(() => go(to), REST_MS);
    });
    $("replay-play").addEventListener("click", () => { if (isPlaying) step(at); else play(); });
    for (const id of ["replay-link", "result-share"]) $(id)?.addEventListener("click", copy);
    root.addEventListener("click", (event) => {
      const link = event.target.closest("[data-replay-to]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const all = link.dataset.replayTo.split(" ").map(Number);
      step(all.find((one) => one > wanted) ?? all[0]); // pressed again: the next of them
      $("replay-slider").focus();
    });
  };

  document.addEventListener("keydown", (event) => {
    if (!root?.isConnected || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const on = event.target;
    if (on.closest("select, textarea, input:not([type='range']), dialog")) return;
    if (!("own" in root.dataset) && !on.closest(".replay__control")) return; // elsewhere on a result these keys scroll
    const acts = {
      ArrowLeft: () => step(wanted - 1), ArrowRight: () => step(wanted + 1), Home: () => step(0), End: () => step(count()),
      PageUp: () => step(turn(-1)), PageDown: () => step(turn(1)), " ": () => $("replay-play").click(),
    };
    if (!(event.key in acts) || (event.key === " " && on.closest("button, a, summary"))) return;
    event.preventDefault();
    acts[event.key]();
  });
  document.addEventListener("visibilitychange", () => { if (document.hidden && isPlaying) pause(); });
  document.addEventListener("htmx:afterSwap", begin);
  begin();
})();
