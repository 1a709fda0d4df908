/* Single-key shortcuts on a table page, while no field has the focus. */
(() => {
  "use strict";
  const help = document.getElementById("keys");
  const button = document.getElementById("open-keys");
  const targets = () => [...document.querySelectorAll("#table [data-target]")];
  const byId = (id) => document.getElementById(id);

  const focus = (element) => {
    if (!element) return;
    if (!element.matches("a, button, summary, [tabindex]")) element.tabIndex = -1;
    element.focus();
    element.scrollIntoView({ block: "nearest" });
  };

  const step = (by) => {
    const all = targets();
    if (!all.length) return;
    const from = document.activeElement;
    let at = all.indexOf(from);
    if (at < 0) { // between two targets, or before or after all of them
      const next = all.findIndex((target) => from.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING);
      at = (next < 0 ? all.length : next) - (by > 0 ? 1 : 0);
    }
    focus(all[(at + by + all.length) % all.length]);
  };

  const firstSeen = (selector) => [...document.querySelectorAll(selector)].find((it) => it.checkVisibility());

  /* The nearest target in a direction. */
  const move = (dx, dy) => {
    const from = document.activeElement.getBoundingClientRect();
    let best = null;
    let least = Infinity;
    for (const target of targets()) {
      const to = target.getBoundingClientRect();
      const [x, y] = [to.x - from.x, to.y - from.y];
      const along = x * dx + y * dy;
      if (along <= 1) continue;
      const distance = along + 2 * Math.abs(x * dy + y * dx);
      if (distance < least) [best, least] = [target, distance];
    }
    focus(best);
  };

  const KEYS = {
    b: () => focus(document.querySelector("#board [data-target]") || document.querySelector(":is([data-grid], [data-map]) [tabindex='0']") || targets()[0] || byId("board")),
    a: () => focus(firstSeen("#action :is(.choice, .places__head, .button--primary)") || byId("action-title")),
    l: () => { if (!byId("log")?.checkVisibility()) byId("sheet").open = true; focus(byId("log")); },
    r: () => { if (!byId("rule-drawer")?.hidden) focus(byId("rule-title")); },
    n: () => step(1),
    p: () => step(-1),
    "?": () => help.showModal(),
    Escape: () => byId("undo")?.click(),
    u: () => (byId("undo") ?? byId("undo-turn"))?.click(), // a choice, else the move
    U: () => byId("redo-turn")?.click(),
  };
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const at = document.activeElement;
    if (at?.matches("input, select, textarea") || at?.closest(":popover-open")) return;
    if (event.key in ARROWS && at?.matches("[data-target]")) {
      event.preventDefault();
      move(...ARROWS[event.key]);
    } else if (event.key in KEYS) {
      event.preventDefault();
      KEYS[event.key]();
    }
  });

  if (button) {
    button.hidden = false;
    button.addEventListener("click", () => help.showModal());
  }
})();
