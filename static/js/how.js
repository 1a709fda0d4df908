/* How a game plays: starts the reel of its turn, and marks the sentence of the step that is shown. */
(() => {
  "use strict";
  const page = document.getElementById("table");

  document.addEventListener("reel:ready", () => {
    if (!steps.quiet.matches && "plays" in page.dataset && !document.hidden) document.getElementById("reel-play").click();
  });

  document.addEventListener("reel:step", (event) => {
    if (event.detail.at === 0) document.getElementById("reel-dice").replaceChildren(); // those of the last step lay there
    page.querySelector(".how__steps [aria-current]")?.removeAttribute("aria-current");
    const line = document.getElementById(`step-${event.detail.at + 1}`);
    line?.setAttribute("aria-current", "step");
    document.getElementById("told").textContent = line?.querySelector(".how__step").textContent ?? "";
  });
})();
