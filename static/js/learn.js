/* The overview: "Next" and "Back" choose a screen without a request. Without script they are links, and the dots work as they are. */
(() => {
  "use strict";
  const dots = [...document.querySelectorAll(".learn__dot > input")];
  const note = (number) => history.replaceState(null, "", `?screen=${number}`);

  document.addEventListener("click", (event) => {
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest?.("[data-screen]");
    if (!link) return;
    event.preventDefault();
    const dot = document.getElementById(`screen-${link.dataset.screen}`);
    dot.checked = true;
    note(dot.value);
    document.querySelector(`#told-${dot.value} .button--primary`).focus({ preventScroll: true });
  });
  document.addEventListener("change", (event) => { if (dots.includes(event.target)) note(event.target.value); });
  document.addEventListener("keydown", (event) => {
    if (event.target.closest?.("input, select, textarea, .players, .map-window") || event.metaKey || event.ctrlKey || event.altKey) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && dots[dots.findIndex((dot) => dot.checked) + step];
    if (!next) return;
    next.checked = true;
    note(next.value);
  });
})();
