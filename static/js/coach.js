/* The coach of a lesson: while "Show me" is open, marks the button, place or piece that it means, and brings it into view. */
(() => {
  "use strict";
  const mark = () => {
    const way = document.getElementById("way");
    const meant = way?.open ? way.dataset.ids.split(" ").map((id) => document.getElementById(id)).filter(Boolean) : [];
    for (const it of document.querySelectorAll(".is-meant")) if (!meant.includes(it)) it.classList.remove("is-meant");
    for (const it of meant) it.classList.add("is-meant");
    return meant;
  };
  document.addEventListener("toggle", (event) => {
    if (event.target.id !== "way") return;
    for (const it of mark()) {
      const map = it.closest("[data-map-window]");
      (map ?? it).scrollIntoView({ block: "nearest", inline: "nearest" });
      if (map) document.dispatchEvent(new CustomEvent("steps:look", { detail: { boxes: [it.getBoundingClientRect()], ms: 0 } }));
    }
  }, true);
  for (const name of ["htmx:afterSwap", "table:drawn"]) document.addEventListener(name, mark);
})();
