/* Boards of squares ([data-grid]): one tab stop, and arrows over the squares. Where they are small, window.js enlarges them. */
(() => {
  "use strict";
  let lastId = "";

  const grid = () => document.querySelector("[data-grid]");
  const rows = () => [...grid().querySelectorAll("[role='row']")].map((row) => [...row.children]);
  const handle = (cell) => cell.querySelector("a") || cell;
  const cellOf = (node) => node?.closest?.("[data-grid] [role='gridcell']");

  /* One square is reachable by Tab: the last focused, else the chosen, the first possible, or the first square. */
  const prepare = () => {
    const board = grid();
    if (!board) return;
    for (const cell of board.querySelectorAll("[role='gridcell']")) handle(cell).tabIndex = -1;
    const last = lastId && board.querySelector(`#${CSS.escape(lastId)}`);
    const stop = last || board.querySelector(".is-chosen") || board.querySelector("[data-target]") || handle(rows()[0][0]);
    stop.tabIndex = 0;
  };

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
    if (next) handle(next).focus({ preventScroll: document.querySelector(".map-tools__button")?.offsetWidth > 0 }); // window.js shows it
  });

  document.addEventListener("htmx:afterSwap", prepare); // before the focus is restored
  document.addEventListener("table:drawn", prepare);
  prepare();
})();
