/* The editor of positions: the chosen piece is put where the board is pressed, or taken from there while the shift key is held. */
(() => {
  "use strict";
  document.addEventListener("click", (event) => {
    const spot = event.target.closest?.("#outcome .board [data-target]");
    const option = spot && document.querySelector(`#place [data-spot="${CSS.escape(spot.id)}"]`);
    if (!option) return;
    event.preventDefault();
    option.selected = true;
    document.getElementById(event.shiftKey ? "remove" : "put").click();
  });
})();
