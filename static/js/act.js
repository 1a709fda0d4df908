/* Acting at the table: choices without a request, what a move would do, a moment in which it can still be stopped. */
(() => {
  "use strict";
  const GAP_PX = 8;
  const $ = (id) => document.getElementById(id);
  const region = () => $("table");
  const version = () => Number(region()?.dataset.version);
  const live = $("live");
  const tip = $("content").appendChild(Object.assign(document.createElement("p"), { className: "preview", id: "preview", role: "tooltip", hidden: true }));
  let bundle = null; // { version, pieces, nodes, told }
  let asked = -1; // the version for which it was asked
  let finger = false; // whether the last press was a touch
  let told = null; // the control whose effect is shown
  let waiting = null; // { value, shown, html, timer, isDue }

  /* What the question leads to comes once, when the page has nothing else to do. */
  const idle = window.requestIdleCallback ?? ((call) => setTimeout(call, 200));
  const load = async () => {
    const address = document.querySelector("#action.is-due[data-h]") && region().dataset.region.replace("region/", "choices/");
    if (!address || document.hidden || asked === version()) return;
    asked = version();
    bundle = null;
    try {
      const answer = await fetch(`${address}?v=${asked}`);
      const given = answer.status === 200 ? await answer.json() : null;
      if (given?.version !== version()) return;
      bundle = given;
      if (told) show(told); // what it knows more of
    } catch { asked = -1; } // without it, every choice is a request
  };
  document.addEventListener("htmx:afterSettle", () => idle(load));
  document.addEventListener("visibilitychange", () => idle(load));
  idle(load);

  /* A choice or a step back: the pieces that differ take the place of those that are shown. */
  const stampOf = (html) => /data-h="(\w+)"/.exec(html)?.[1];
  document.addEventListener("table:choose", (event) => {
    recall();
    const node = bundle?.version === version() && bundle.nodes[event.detail.prefix];
    const isFromHere = bundle?.nodes[$("action")?.dataset.chosen]; // of what is shown else, other pieces may differ
    if (!node || !isFromHere || $("board")?.classList.contains("is-reeling")) return;
    const changes = Object.entries(bundle.pieces)
      .map(([id, variants], at) => [$(id), variants[node[at]]])
      .filter(([piece, html]) => piece?.dataset.h !== stampOf(html));
    if (changes.some(([piece, html]) => !piece || !html)) return;
    hide();
    withdraw();
    event.detail.draw(changes);
    event.preventDefault();
  });

  /* A whole action that needs no confirmation is a button of the question; its place on the board is a link, which presses it. */
  const actionOf = (control) => (control.matches("button") ? control.value : new URLSearchParams(control.getAttribute("href")).get("a"));
  const buttonOf = (action) => [...document.querySelectorAll("#action button.choice[name=action]")].find((button) => button.value === action);
  const placeOf = (node) => node?.closest?.("#table a[data-target]");
  const leafOf = (node) => {
    const control = placeOf(node) ?? node?.closest?.("#action button[name=action]");
    return control && buttonOf(actionOf(control)) ? control : null;
  };
  const placed = (control) => (control.matches("a") ? control.getAttribute("aria-label").replace(/^([^,:]+),[^:]*: /, "$1: ") : ""); // what stands there can be seen
  const effectOf = (control) => bundle?.told[actionOf(control)]?.[0] || placed(control);

  /* Odds are a bar of three parts as well; the sentence has the numbers. */
  const drawn = (name, values) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
    return element;
  };
  const barOf = ([win, tie, lose]) => {
    const bar = drawn("svg", { class: "odds", viewBox: "0 0 100 5", preserveAspectRatio: "none", "aria-hidden": "true" });
    bar.append(...[["win", 0, win], ["tie", win, tie], ["lose", win + tie, lose]].map(
      ([name, x, width]) => drawn("rect", { class: `odds__${name}`, x, width, height: 5 })));
    return bar;
  };

  /* Its effect is shown in one line beside it. */
  const show = (control) => {
    const text = effectOf(control);
    if (!text) return;
    told = control;
    tip.textContent = text;
    const odds = bundle?.told[actionOf(control)]?.[2];
    if (odds) tip.append(barOf(odds));
    tip.hidden = false;
    control.setAttribute("aria-describedby", tip.id);
    const at = control.getBoundingClientRect();
    const box = tip.getBoundingClientRect();
    const choices = control.matches("button") && control.closest(".answers"); // it covers neither the question nor its other answers
    const above = at.top - box.height - GAP_PX;
    const below = (choices ? Math.max(at.bottom, ...[...choices.querySelectorAll(".choice")].map((it) => it.getBoundingClientRect().bottom)) : at.bottom) + GAP_PX;
    const isBelow = above <= GAP_PX || (control.matches("button") && below + box.height < innerHeight);
    tip.style.top = `${isBelow ? below : above}px`;
    tip.style.left = `${Math.max(GAP_PX, Math.min(innerWidth - box.width - GAP_PX, at.left + (at.width - box.width) / 2))}px`;
  };
  const hide = () => {
    if (!tip.hidden) tip.hidden = true;
    told?.removeAttribute("aria-describedby");
    told = null;
  };
  const look = (node) => {
    const control = leafOf(node);
    if (control === told) return;
    hide();
    if (control) show(control);
  };
  document.addEventListener("pointerover", (event) => { if (event.pointerType !== "touch") look(event.target); });
  document.addEventListener("focusin", (event) => { // after a tap the focus goes back to its button: nobody points there
    if (!finger || event.target.matches(":focus-visible")) look(event.target);
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("table:look", (event) => { // a piece is held over it
    hide();
    const place = placeOf(event.target);
    if (place) show(place);
  });
  addEventListener("scroll", hide, { capture: true, passive: true });

  /* A finger cannot point: its first tap shows the effect, and offers the move in the question; the second one plays it. */
  const offer = (button) => {
    withdraw();
    const panel = $("action");
    let bar = panel.querySelector(".confirm-bar");
    if (!bar) {
      bar = document.createElement("div");
      bar.className = "confirm-bar";
      bar.dataset.offer = "";
      panel.append(bar);
    }
    const offered = document.createElement("button");
    offered.className = "button button--primary";
    offered.id = "offer";
    offered.name = "action";
    offered.value = button.value;
    if ("recall" in button.dataset) offered.dataset.recall = "";
    const words = button.textContent.trim();
    const verb = bundle?.told[button.value.replace(/ \S+$/, "")]?.[1];
    offered.textContent = bundle?.told[button.value]?.[1] ?? (verb ? `${verb}: ${words}` : words);
    (bar.querySelector(".button-row") ?? bar).append(offered);
    return offered;
  };
  const withdraw = () => {
    if ($("offer")) document.querySelector("#table .is-aim")?.classList.remove("is-aim");
    $("offer")?.remove();
    document.querySelector("[data-offer]")?.remove();
  };

  document.addEventListener("pointerdown", (event) => { finger = event.pointerType === "touch"; }, true);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const place = placeOf(event.target);
    const button = place && buttonOf(actionOf(place));
    if (!button) return;
    event.preventDefault();
    if (finger && event.detail && $("offer")?.value !== button.value && waiting?.value !== button.value) {
      offer(button);
      place.classList.add("is-aim");
      hide();
      show(place);
      return;
    }
    button.click(); // htmx sends the button that was clicked
  });

  /* A move that cannot be undone, and is not worth a question, waits for a moment: the same press again stops it. */
  const recall = () => {
    if (!waiting) return;
    clearTimeout(waiting.timer);
    const { shown, html, value } = waiting;
    waiting = null;
    shown.classList.remove("is-waiting");
    shown.innerHTML = html;
    for (const place of placesOf(value)) place.classList.remove("is-raised");
    live.textContent = "";
    withdraw();
  };
  const placesOf = (action) => [...document.querySelectorAll("#table a[data-target]")].filter((place) => actionOf(place) === action);

  const wait = (button, ms) => {
    hide();
    const shown = button.checkVisibility() ? button : offer(button);
    waiting = { value: button.value, shown, html: shown.innerHTML, isDue: false, timer: setTimeout(play, ms) };
    shown.style.setProperty("--wait", `${ms}ms`);
    shown.classList.add("is-waiting");
    shown.textContent = live.dataset.undo;
    for (const place of placesOf(button.value)) place.classList.add("is-raised");
    live.textContent = live.dataset.soon;
  };
  const play = () => {
    const { value } = waiting;
    recall();
    const button = buttonOf(value);
    if (!button) return;
    waiting = { value, isDue: true };
    button.click(); // htmx sends the button that was clicked
    waiting = null;
  };

  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (event.target.id !== "table" || !button || waiting?.isDue) return;
    const again = waiting && button.name === "action" && button.value === waiting.value;
    recall();
    const ms = again || "recall" in button.dataset ? Number(live.dataset.recall) : 0;
    if (!ms) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!again) wait(buttonOf(button.value) ?? button, ms);
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !(waiting || !tip.hidden)) return;
    if (waiting) event.stopImmediatePropagation();
    recall();
    hide();
  }, true);
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "table" || event.detail.xhr.status === 204) return;
    recall(); // the table has changed meanwhile
    hide();
    withdraw();
  });

  /* Whoever leaves the page has decided. */
  addEventListener("pagehide", () => {
    if (!waiting) return;
    const form = new FormData(region(), buttonOf(waiting.value));
    recall();
    navigator.sendBeacon(region().getAttribute("action"), form);
  });
})();
