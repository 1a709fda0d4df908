/* Buttons that copy a link or hand it to the device's own list of ways to share; without script the link is there to be copied by hand. */
(() => {
  "use strict";
  const linkOf = (button) => document.getElementById(button.dataset.copies ?? button.dataset.shares);
  const SHOWN_MS = 2000;

  /* Regions are exchanged, so the buttons are looked for again. */
  const show = () => {
    for (const it of document.querySelectorAll("[data-copies]")) it.hidden = !navigator.clipboard;
    for (const it of document.querySelectorAll("[data-shares]")) it.hidden = !navigator.share;
  };

  const copy = async (button) => {
    const link = linkOf(button);
    try { await navigator.clipboard.writeText(link.value); } catch { link.select(); return; }
    const text = button.textContent;
    button.textContent = button.dataset.done;
    const live = document.getElementById("live");
    if (live) live.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = text; }, SHOWN_MS);
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-copies], [data-shares]");
    if (!button) return;
    if (button.dataset.copies) copy(button);
    else navigator.share({ text: button.dataset.text, url: linkOf(button).value }).catch(() => {}); // the reader closed the list
  });
  document.addEventListener("focusin", (event) => { if (event.target.readOnly && event.target.id === "table-link") event.target.select(); });
  document.addEventListener("htmx:afterSwap", show);
  show();
})();
