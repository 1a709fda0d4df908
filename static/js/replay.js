/* A replay: any step of a game by slider and keys. Steps come in chunks; each is a whole picture from the server. */
(() => {
  "use strict";
  const CHUNK = 24; // the server sends as many steps at once
  const REST_MS = 90; // how long the slider rests before steps are fetched
  const $ = (id) => document.getElementById(id);
  const MARK = /<i data-keep="([\w -]+)"><\/i>/g;
  let root = null;
  let at = 0;
  let wanted = 0;
  let isPlaying = false;
  let resting = 0;
  let renaming = 0;
  let chunks = new Map(); // number of the first step -> promise of its steps, step -> { board, players, told }

  const slider = () => $("replay-slider");
  const count = () => Number(slider().max);
  const firstOf = (step) => step - ((Math.max(step, 1) - 1) % CHUNK) - (step ? 0 : -1);
  const seat = () => (root.dataset.seat ? `&seat=${root.dataset.seat}` : "");
  const addressOf = (step) => `${root.dataset.address}?step=${step}${seat()}`;

  /* Marks stand for pieces that the step before has as well; in the first picture for those that the page has. */
  const read = (answer, have) => {
    let find = (id) => have.get(id)?.outerHTML ?? "";
    const filled = (html) => html.replace(MARK, (_mark, ids) => ids.split(" ").map(find).join(""));
    let picture = {};
    const see = (given) => {
      picture = { board: filled(given.board), players: filled(given.players) };
      const holder = document.createElement("template");
      holder.innerHTML = picture.board + picture.players;
      find = (id) => holder.content.getElementById(id)?.outerHTML ?? "";
    };
    see(answer.base);
    const found = new Map([[answer.first - 1, { ...picture, told: null }]]);
    answer.steps.forEach((told, number) => {
      if ("board" in told) see(told);
      found.set(answer.first + number, { ...picture, told });
    });
    return found;
  };

  const fetched = (step) => {
    const first = firstOf(step);
    if (!chunks.has(first)) {
      const have = new Map([...root.querySelectorAll("[data-h]")].map((part) => [part.id, part]));
      const names = [...have.values()].map((part) => `${part.id}:${part.dataset.h}`).join(",");
      const answer = fetch(`${root.dataset.replay}?step=${first}${seat()}`, { headers: { "X-Have": names } }).then((given) => {
        if (!given.ok) throw new Error(String(given.status));
        return given.json();
      }).then((told) => read(told, have));
      answer.catch(() => chunks.delete(first));
      chunks.set(first, answer);
    }
    return chunks.get(first);
  };

  const seatMark = (number) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "seat-mark");
    svg.setAttribute("viewBox", "0 0 64 64");
    svg.setAttribute("aria-hidden", "true");
    svg.dataset.seat = number;
    svg.append(document.createElementNS(svg.namespaceURI, "use"));
    svg.firstChild.setAttribute("href", `#zg-seat-${number}`);
    return svg;
  };
  const span = (name, ...inside) => {
    const it = document.createElement("span");
    it.className = name;
    it.append(...inside);
    return it;
  };
  const diceOf = (sides) => sides.flatMap((side, number) => [
    ...(number ? [span("", ":")] : []), ...side.faces.map((face) => span("die", face)), ...(side.total === null ? [] : [span("strong", `= ${side.total}`)])]);

  const nameOf = (step) => root.dataset.name.replace("{n}", step).replace("{all}", count());
  const tell = (step, told) => {
    const text = told ? [told.text, told.by].filter(Boolean).join(" ") : root.dataset.first;
    $("replay-text").setAttribute("aria-live", isPlaying || document.activeElement === slider() ? "off" : "polite");
    $("replay-mark").replaceChildren(...(told?.seat ? [seatMark(told.seat)] : []));
    $("replay-name").textContent = nameOf(step);
    $("replay-said").textContent = text;
    $("replay-rule").hidden = !told?.rule;
    if (told?.rule) { $("replay-rule").href = told.rule.url; $("replay-rule").textContent = told.rule.label; }
    $("replay-dice").replaceChildren(...diceOf(told?.dice ?? []));
    $("replay-gains").replaceChildren(...(told?.gains ?? []).map(([number, points]) => span("replay__gain", seatMark(number), points > 0 ? `+${points}` : `−${-points}`)));
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

  const show = (step, { board, players, told }) => {
    at = step;
    const place = root.querySelector("[data-replay-board]");
    const open = [...place.querySelectorAll("details[open][id]")].map((it) => it.id);
    const moved = place.querySelector("[data-grid]")?.style.transform ?? "";
    place.innerHTML = board;
    for (const id of open) place.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
    if (moved && place.querySelector("[data-grid]")) place.querySelector("[data-grid]").style.transform = moved;
    root.querySelector("[data-replay-players]").innerHTML = players;
    slider().value = step;
    tell(step, told);
    [["first", 0], ["back", step - 1], ["on", step + 1], ["last", count()]].forEach(([name, to]) => point(`replay-${name}`, to));
    $("replay-link").href = addressOf(step);
    for (const link of document.querySelectorAll("[data-replay-at]")) {
      const url = new URL(link.href);
      url.searchParams.set("step", step);
      link.href = url;
    }
    if (!("own" in root.dataset)) return;
    clearTimeout(renaming);
    renaming = setTimeout(() => history.replaceState(history.state, "", addressOf(at)), 200);
  };

  const go = async (step) => {
    if (!count()) return false;
    wanted = Math.min(count(), Math.max(0, step));
    const mine = wanted;
    slider().value = mine;
    try {
      const found = (await fetched(mine)).get(mine);
      if (wanted === mine && found) show(mine, found);
      if (mine < count()) fetched(mine + 1).catch(() => {}); // the next chunk comes before it is needed
      return wanted === mine;
    } catch {
      pause();
      if (wanted === mine) $("replay-said").textContent = root.dataset.lost;
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
  let run = 0;
  const play = async () => {
    isPlaying = true;
    face();
    const mine = ++run;
    if (at >= count()) await go(0);
    while (isPlaying && mine === run && at < count()) {
      await wait(Number($("replay-speed").value));
      if (!isPlaying || mine !== run || !await go(at + 1)) break;
    }
    if (mine === run) pause();
  };
  const step = (to) => { run += 1; pause(); return go(to); };

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
      step(Number(link.dataset.replayTo));
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
