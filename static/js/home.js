/* The front page: puts the drawn board of each game in the place of its plate when it comes into view. Browsers keep the boards. */
(() => {
  "use strict";
  const AHEAD = "400px";

  const show = async (place) => {
    const answer = await fetch(place.dataset.board);
    if (!answer.ok) return; // the plate stays
    const board = document.createElement("div");
    board.className = "offer__board";
    board.innerHTML = await answer.text();
    for (const symbol of board.querySelectorAll("symbol")) if (document.getElementById(symbol.id)) symbol.remove(); // another board has brought it
    place.replaceChildren(board);
  };

  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      show(target).catch(() => {}); // without a connection the plate stays
    }
  }, { rootMargin: AHEAD });
  for (const place of document.querySelectorAll("[data-board]")) seen.observe(place);
})();
