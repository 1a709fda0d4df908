/* Boards of squares ([data-grid]): one tab stop, arrows over the squares, and on small screens a first tap enlarges. */
(() => {
  "use strict";
  const SMALL_PX = 30;
  const ROWS_SHOWN = 5; // of the enlarged window; it is as wide as the board, so it shows more columns
  let lastId = "";

  const grid = () => document.querySelector("[data-grid]");
  const rows = () => [...grid().querySelectorAll("[role='row']")].map((row) => [...row.children]);
  const handle = (cell) => cell.querySelector("a") || cell;
  const cellOf = (node) => node?.closest?.("[data-grid] [role='gridcell']");
  const whole = () => document.querySelector("[data-grid-out]");

  /* One square is reachable by Tab: the last focused, else the chosen, the first possible, or the first square. */
  const prepare = () => {
    const board = grid();
    if (!board) return;
    for (const cell of board.querySelectorAll("[role='gridcell']")) handle(cell).tabIndex = -1;
    const last = lastId && board.querySelector(`#${CSS.escape(lastId)}`);
    const stop = last || board.querySelector(".is-chosen") || board.querySelector("[data-target]") || handle(rows()[0][0]);
    stop.tabIndex = 0;
  };

  const enlarge = (cell, at = cell.getBoundingClientRect()) => {
    const board = grid();
    const scale = board.offsetHeight / (ROWS_SHOWN * cell.offsetHeight);
    const seen = Math.min(1, 1 / scale);
    const box = board.getBoundingClientRect();
    const start = (centre) => Math.max(0, Math.min(1 - seen, centre - seen / 2));
    const left = start((at.x + at.width / 2 - box.x) / box.width);
    const top = start((at.y + at.height / 2 - box.y) / box.height);
    board.style.transform = `scale(${scale}) translate(${-100 * left}%, ${-100 * top}%)`;
    whole().hidden = false;
  };

  const shrink = () => {
    grid().style.transform = "";
    whole().hidden = true;
  };
  const isLarge = () => Boolean(grid()?.style.transform);

  const go = (cell) => {
    if (isLarge()) enlarge(cell);
    handle(cell).focus({ preventScroll: isLarge() });
  };

  /* A step of the reel out of sight: the enlarged part goes there (steps.js). */
  document.addEventListener("steps:look", ({ detail }) => {
    if (!isLarge()) return;
    const [board, shown] = [grid(), grid().parentElement.getBoundingClientRect()];
    const isOut = (it) => it.x < shown.x - 1 || it.right > shown.right + 1 || it.y < shown.y - 1 || it.bottom > shown.bottom + 1;
    const out = detail.boxes.filter(isOut);
    if (!out.length) return;
    const [was, from] = [board.getBoundingClientRect(), board.style.transform];
    enlarge(rows()[0][0], out.at(-1));
    const is = board.getBoundingClientRect();
    const slide = detail.ms ? board.animate([{ transform: from }, { transform: board.style.transform }], { duration: detail.ms, easing: "ease-in-out" }).finished : null;
    detail.moved = { x: is.x - was.x, y: is.y - was.y, over: slide?.catch(() => {}) };
  });

  document.addEventListener("focusin", (event) => {
    const cell = cellOf(event.target);
    if (!cell) return;
    const stop = grid().querySelector("[tabindex='0']");
    if (stop) stop.tabIndex = -1;
    handle(cell).tabIndex = 0;
    lastId = handle(cell).id;
  });

  document.addEventListener("keydown", (event) => {
    if (event.metaKey || event.altKey || !grid()) return;
    if (event.key === "Escape" && isLarge()) {
      event.preventDefault();
      event.stopImmediatePropagation();
      shrink();
      return;
    }
    const cell = cellOf(document.activeElement);
    if (!cell || (event.ctrlKey && event.key !== "Home" && event.key !== "End")) return;
    const all = rows();
    let y = all.findIndex((row) => row.includes(cell));
    let x = all[y].indexOf(cell);
    const moves = {
      ArrowLeft: () => { x -= 1; },
      ArrowRight: () => { x += 1; },
      ArrowUp: () => { y -= 1; },
      ArrowDown: () => { y += 1; },
      Home: () => { x = 0; if (event.ctrlKey) y = 0; },
      End: () => { x = all[y].length - 1; if (event.ctrlKey) y = all.length - 1; },
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    moves[event.key]();
    const next = all[y]?.[x];
    if (next) go(next);
  });

  /* A finger cannot hit squares this small: the first tap enlarges them, the second one chooses. */
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-grid-out]")) { shrink(); return; }
    const cell = cellOf(event.target);
    if (!cell || !event.detail || isLarge() || cell.offsetWidth >= SMALL_PX) return;
    event.preventDefault();
    event.stopPropagation();
    enlarge(cell);
    handle(cell).focus({ preventScroll: true });
  }, true);

  document.addEventListener("htmx:afterSwap", prepare); // before the focus is restored
  document.addEventListener("table:drawn", prepare);
  prepare();
})();
