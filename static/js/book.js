// Rule books: conveniences for reading. Every page works without script.
(() => {
  "use strict";
  const copying = document.getElementById("copy-link")?.content.firstElementChild;
  const lasting = (anchor) => new URL(copying.dataset.address.replace("anchor-0", anchor), location.href).href;
  const named = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch { // a stray percent sign
      return "";
    }
  };

  // The language switch of the page, and the one of the site, keep the paragraph of the address.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-keep-anchor]");
    if (link && location.hash) link.hash = location.hash;
  });
  document.addEventListener("submit", (event) => {
    const next = event.target.querySelector("input[name=next]");
    if (next && location.hash) next.value = next.value.split("#")[0] + location.hash;
  });

  // The paragraph of the address offers to copy its lasting address, or to hand it on.
  const button = copying?.querySelector("button");
  const said = copying?.querySelector("[role=status]");
  const offer = () => {
    const paragraph = copying && document.getElementById(named())?.closest(".paragraph");
    if (!paragraph) return copying?.remove();
    said.textContent = "";
    (paragraph.querySelector(".paragraph__body") ?? paragraph).append(" ", copying);
  };
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch { // the page was opened without https, or the browser refuses
      const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true });
      copying.after(field);
      field.select();
      const isDone = document.execCommand("copy");
      field.remove();
      return isDone;
    }
  };
  button?.addEventListener("click", async () => {
    const isDone = await copy(lasting(named()));
    said.textContent = isDone ? said.dataset.done : "";
    button.focus({ preventScroll: true });
  });

  // A paragraph may have moved to another chapter, or given way to another, since the link was made: its lasting address knows where.
  // The page that this leads to follows the same anchor no further, should it lack it too.
  const FOLLOWED = "followed";
  let followed = null;
  try {
    followed = sessionStorage.getItem(FOLLOWED);
    sessionStorage.removeItem(FOLLOWED);
  } catch { /* a browser that stores nothing follows nothing */ }
  const follow = async () => {
    const anchor = named();
    if (!copying || !/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(anchor) || document.getElementById(anchor) || anchor === followed) return;
    const answer = await fetch(lasting(anchor), { method: "HEAD" }).catch(() => null);
    if (!answer?.ok || anchor !== named()) return;
    try {
      sessionStorage.setItem(FOLLOWED, anchor);
    } catch {
      return;
    }
    location.replace(lasting(anchor)); // the address of the answer has no anchor
  };
  addEventListener("hashchange", () => { offer(); follow(); });
  offer();
  follow();

  // A step of an example changes its pictures, and the page stays where it is.
  const topOf = (id) => document.getElementById(id)?.querySelector(".example__board")?.getBoundingClientRect().top;
  let before;
  document.addEventListener("htmx:beforeSwap", (event) => { before = topOf(event.detail.target.id); });
  document.addEventListener("htmx:afterSwap", (event) => {
    const now = topOf(event.detail.target.id);
    if (before !== undefined && now !== undefined && now !== before) scrollBy({ top: now - before, behavior: "instant" });
    before = undefined;
  });

  // A table that scrolls sideways can be reached by keyboard in every browser.
  for (const rows of document.querySelectorAll(".paragraph__body")) {
    if (rows.scrollWidth <= rows.clientWidth) continue;
    rows.tabIndex = 0;
    rows.role = "group";
    rows.ariaLabel = rows.previousElementSibling?.ariaLabel;
  }

  for (const printing of document.querySelectorAll("[data-print]")) {
    printing.hidden = false;
    printing.addEventListener("click", () => print());
  }

  // After a step of an example its text is read out, and the focus stays on the same button; at the first and last step it moves to the title.
  document.addEventListener("htmx:afterSettle", (event) => {
    const figure = document.getElementById(event.detail.target.id);
    const told = document.getElementById("example-said");
    if (told && figure?.matches(".example")) told.textContent = figure.querySelector(".example__now")?.textContent ?? "";
    if (figure && !figure.contains(document.activeElement)) {
      document.getElementById(`${figure.id}-title`)?.focus({ preventScroll: true });
    }
  });
})();
