/* What is told of the place under the pointer ([data-k]), else of the one with the focus: everything [data-of] it, or its line `info-K`.
   A class on just these elements: rules with :has() for each number made every change of the page match its whole board again. */
(() => {
  "use strict";
  const BOARD = ".board, .te-board";
  let pointed = null;
  let told = [];
  let board = null;

  const placeOf = (node) => node?.closest?.("[data-k]");
  const here = (place) => (place?.isConnected ? place.closest(BOARD) && place : null);
  /* Where a board says so, a chosen place is told of while nothing else is. */
  const chosen = () => document.querySelector("[data-tells-chosen]")?.closest(BOARD)?.querySelector("[data-k].is-chosen");

  const tell = () => {
    const place = here(pointed) || here(placeOf(document.activeElement)) || chosen();
    const from = place?.closest(BOARD) ?? null;
    const now = place ? [...from.querySelectorAll(`[data-of="${place.dataset.k}"], [id="info-${place.dataset.k}"]`)] : [];
    for (const it of told) if (!now.includes(it)) it.classList.remove("is-told");
    for (const it of now) it.classList.add("is-told");
    if (board !== from) board?.classList.remove("is-telling");
    from?.classList.add("is-telling");
    [told, board] = [now, from];
  };

  const point = (place) => {
    if (place === pointed) return;
    pointed = place;
    tell();
  };
  document.addEventListener("pointerover", (event) => point(placeOf(event.target) ?? null));
  document.addEventListener("pointerout", (event) => { if (!event.relatedTarget && event.pointerType !== "touch") point(null); }); // a finger was there
  document.addEventListener("focusin", tell);
  document.addEventListener("focusout", (event) => { if (!event.relatedTarget) setTimeout(tell); });
  for (const name of ["htmx:afterSwap", "table:drawn", "reel:step", "reel:over"]) document.addEventListener(name, tell);
  tell();
})();
