/* A basket ([data-basket]): buttons for one more and one less, all and none, and what the goods are worth together. */
(() => {
  "use strict";
  const basket = () => document.querySelector("[data-basket]");
  const counts = () => [...basket().querySelectorAll("input[data-worth]")];
  let taken = new Map(); // what is in it, by field, while the question stays
  let version = "";

  const tell = () => {
    let total = Number(basket().dataset.base);
    for (const count of counts()) {
      const n = Math.min(Math.max(Math.trunc(Number(count.value)) || 0, 0), Number(count.max));
      if (count.value !== String(n)) count.value = n;
      taken.set(count.name, n);
      total += n * Number(count.dataset.worth);
      for (const button of count.parentElement.querySelectorAll("[data-by]")) {
        button.setAttribute("aria-disabled", String(button.dataset.by === "1" ? n >= Number(count.max) : n <= 0));
      }
    }
    basket().querySelector("[data-total]").textContent = total;
    const levels = [...basket().querySelectorAll("[data-from]")];
    const now = levels.filter((level) => Number(level.dataset.from) <= total).at(-1);
    for (const level of levels) level.hidden = level !== now;
  };

  const prepare = () => {
    const shown = document.getElementById("table")?.dataset.version ?? "";
    if (shown !== version) taken = new Map();
    version = shown;
    if (!basket()) return;
    for (const count of counts()) count.value = taken.get(count.name) ?? 0;
    tell();
  };

  const add = (count, by) => { count.value = Number(count.value) + by; tell(); };

  document.addEventListener("click", (event) => {
    const step = event.target.closest?.("[data-basket] [data-by]");
    if (step) add(step.parentElement.querySelector("input"), Number(step.dataset.by));
    const fill = event.target.closest?.("[data-basket] [data-fill]");
    if (!fill) return;
    for (const count of counts()) count.value = fill.dataset.fill === "all" ? count.max : 0;
    tell();
  });

  /* A good on the board goes into the basket too. */
  document.addEventListener("click", (event) => {
    const piece = event.target.closest?.("#table a[data-target]");
    if (!piece || !basket() || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const text = new URLSearchParams(piece.getAttribute("href")).get("a");
    const count = counts().find((it) => it.name === `lot:${text}`);
    if (!count) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    add(count, 1);
  }, true);
  document.addEventListener("change", (event) => { if (event.target.closest?.("[data-basket]")) tell(); });

  /* Enter in a field takes the basket, not the first button of the page. */
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches?.("[data-basket] input")) return;
    event.preventDefault();
    tell();
    document.getElementById("basket-confirm").click();
  });

  document.addEventListener("htmx:afterSwap", prepare);
  document.addEventListener("table:drawn", prepare);
  prepare();
})();
