/* The offer to learn the game of a table: shown until it was followed or sent away in this browser. */
(() => {
  "use strict";
  const offer = document.getElementById("learn-offer");
  const key = `learn:${document.querySelector("main").dataset.game}`;
  try {
    if (localStorage.getItem(key)) return;
    offer.hidden = false;
  } catch { return; } // a browser that keeps nothing would show it for ever
  offer.addEventListener("click", (event) => {
    localStorage.setItem(key, "1");
    if (event.target.closest("button")) offer.hidden = true;
  });
})();
