/* The search in the header: results while the reader types, a key for it ("/") unless they have turned keys off, and none of that without
   script: then it is a form. */
(() => {
  "use strict";
  const input = document.getElementById("site-search");
  if (!input) return;
  const hasKey = document.currentScript.dataset.keys !== "off";
  const form = input.form;
  const WAIT = 160;
  const LEAST = 2;
  let timer = 0;
  let asked = null; // the request under way
  let shown = ""; // the question whose answers are shown
  let at = -1;

  const list = document.createElement("div");
  list.className = "suggest";
  list.id = "site-found";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", form.getAttribute("aria-label"));
  form.append(list);
  for (const [name, value] of Object.entries({
    role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false", maxlength: "200", autocomplete: "off",
  })) {
    input.setAttribute(name, value);
  }

  const options = () => [...list.querySelectorAll("[role=option]")];

  const choose = (index) => {
    const all = options();
    at = all.length ? (index + all.length) % all.length : -1;
    all.forEach((option, place) => option.setAttribute("aria-selected", String(place === at)));
    if (at < 0) input.removeAttribute("aria-activedescendant");
    else {
      input.setAttribute("aria-activedescendant", all[at].id);
      all[at].scrollIntoView({ block: "nearest" });
    }
  };

  const open = (isOpen) => {
    list.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) return;
    at = -1;
    input.removeAttribute("aria-activedescendant");
  };

  const stop = () => {
    clearTimeout(timer);
    asked?.abort();
    asked = null;
  };

  const ask = async (q) => {
    stop();
    asked = new AbortController();
    try {
      const answer = await fetch(`${form.action}?${new URLSearchParams({ q, fragment: "1" })}`, { signal: asked.signal });
      if (!answer.ok) { open(false); return; }
      const html = await answer.text();
      if (input.value.trim() !== q) return;
      list.innerHTML = html;
      shown = q;
      at = -1;
      input.removeAttribute("aria-activedescendant");
      open(form.contains(document.activeElement));
    } catch (error) {
      if (error.name !== "AbortError") open(false); // Enter still leads to the search page
    }
  };

  input.addEventListener("input", () => {
    stop();
    const q = input.value.trim();
    if (q.length < LEAST) {
      shown = "";
      open(false);
    } else timer = setTimeout(ask, WAIT, q);
  });

  input.addEventListener("focus", () => { if (shown && shown === input.value.trim()) open(true); });

  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (list.hidden) {
        if (!shown || shown !== input.value.trim()) return;
        open(true);
      }
      event.preventDefault();
      const by = event.key === "ArrowDown" ? 1 : -1;
      choose(at < 0 && by < 0 ? -1 : at + by);
    } else if (event.key === "Enter" && !list.hidden && at >= 0) {
      event.preventDefault();
      location.assign(options()[at].href);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (list.hidden) input.blur();
      else {
        event.preventDefault(); // the first closes the list and keeps the words
        open(false);
      }
    }
  });

  form.addEventListener("focusout", (event) => { if (!form.contains(event.relatedTarget)) open(false); });
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus until the click

  if (!hasKey) return;
  input.setAttribute("aria-keyshortcuts", "/");
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable]") || document.querySelector("dialog[open]")) return;
    const isSeen = input.checkVisibility(); // a narrow window has no room for the field
    if (!isSeen && document.body.classList.contains("is-table")) return; // nobody leaves a table by a key
    event.preventDefault();
    if (isSeen) {
      input.focus();
      input.select();
    } else location.assign(form.action);
  });
})();
