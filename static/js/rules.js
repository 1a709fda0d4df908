/* The rule drawer: a paragraph or an entry of the glossary opens beside the board or the book; without script its link leads there. */
(() => {
  "use strict";
  let opener = null;

  document.addEventListener("click", async (event) => {
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest?.("a.rule-link, a.term, a[data-drawer]");
    const drawer = document.getElementById("rule-drawer");
    if (link && drawer) {
      event.preventDefault();
      event.stopPropagation();
      let answer = null;
      try {
        answer = await fetch(link.href, { headers: { "HX-Request": "true" } });
      } catch {
        answer = null;
      }
      if (!answer?.ok) { location.href = link.href; return; }
      if (!drawer.contains(link)) opener = link;
      link.closest("details.site-menu")?.removeAttribute("open");
      show(link.getAttribute("aria-label") ?? link.textContent.trim(), await answer.text());
      return;
    }
    if (event.target.closest?.("#close-rule")) {
      event.preventDefault();
      event.stopPropagation();
      hide();
    }
  }, true);

  document.addEventListener("keydown", (event) => {
    const drawer = document.getElementById("rule-drawer");
    if (event.key === "Escape" && drawer?.contains(document.activeElement)) {
      event.stopImmediatePropagation();
      hide();
    }
  });

  const show = (title, html) => {
    const drawer = document.getElementById("rule-drawer");
    document.getElementById("rule-title").textContent = title;
    document.getElementById("rule-body").innerHTML = html;
    drawer.hidden = false;
    drawer.classList.add("is-open");
    document.getElementById("rule-title").focus();
  };

  const hide = () => {
    const drawer = document.getElementById("rule-drawer");
    drawer.hidden = true;
    drawer.classList.remove("is-open");
    const closed = opener?.closest("details:not([open])"); // the menu that led here
    (opener?.isConnected ? closed?.querySelector("summary") ?? opener : document.getElementById("action-title"))?.focus();
    opener = null;
  };

  /* For other scripts whose links open something there (why.js). */
  window.drawer = {
    show: (title, html, link) => { if (!document.getElementById("rule-drawer")?.contains(link)) opener = link; show(title, html); },
    change: (html) => { document.getElementById("rule-body").innerHTML = html; },
    isOpen: () => document.getElementById("rule-drawer")?.hidden === false,
  };
})();
