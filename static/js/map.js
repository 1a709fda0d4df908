/* Maps of places ([data-map]): one tab stop, and arrows to the nearest place. */
(() => {
  "use strict";
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  let lastId = "";

  const map = () => document.querySelector("[data-map]");
  const places = () => [...map().querySelectorAll("[data-k]")];
  const placeOf = (node) => node?.closest?.("[data-map] [data-k]");
  const centre = (place) => {
    const box = place.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };

  /* One place is reachable by Tab: the last focused, else the chosen, the first possible, or the first place. */
  const prepare = () => {
    const board = map();
    if (!board) return;
    for (const place of places()) place.tabIndex = -1;
    const last = lastId && board.querySelector(`#${CSS.escape(lastId)}`);
    (last || board.querySelector(".is-chosen") || board.querySelector("[data-target]") || places()[0]).tabIndex = 0;
  };

  /* The nearest place in a direction. */
  const nearest = (from, dx, dy) => {
    const [x, y] = centre(from);
    let best = null;
    let least = Infinity;
    for (const place of places()) {
      const [toX, toY] = centre(place);
      const along = (toX - x) * dx + (toY - y) * dy;
      if (along <= 1) continue;
      const distance = along + 2 * Math.abs((toX - x) * dy + (toY - y) * dx);
      if (distance < least) [best, least] = [place, distance];
    }
    return best;
  };

  document.addEventListener("focusin", (event) => {
    const place = placeOf(event.target);
    if (!place) return;
    const stop = map().querySelector("[tabindex='0']");
    if (stop) stop.tabIndex = -1;
    place.tabIndex = 0;
    lastId = place.id;
  });

  document.addEventListener("keydown", (event) => {
    const place = placeOf(document.activeElement);
    if (!place || !(event.key in ARROWS) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const next = nearest(place, ...ARROWS[event.key]);
    if (!next) return;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  });

  document.addEventListener("htmx:afterSwap", prepare); // before the focus is restored
  document.addEventListener("table:drawn", prepare);
  prepare();
})();
