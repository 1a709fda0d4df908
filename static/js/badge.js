/* Loaded last: it marks the title that the scripts of a table have written.
   A mark in the title and a dot on the icon of the page while somebody waits for the reader: at a table for the reader's move, on lists for
   their tables, everywhere for unread notices, whose number is in the header. Tells others that it became the reader's move
   (`table:mine`) and that the game is over (`table:over`). */
(() => {
  "use strict";
  const MARK = "● ";
  const DOT = '<circle cx="49" cy="15" r="15" fill="#fff"/><circle cx="49" cy="15" r="11" fill="#d8342a"/>';
  const NUMBER = /^\(\d+\) /;
  const ASK_MS = 120_000; // while a page is open and in view
  const icon = document.querySelector("link[rel=icon]");
  const plain = icon.href;
  const bell = document.getElementById("bell");
  const isCounted = NUMBER.test(document.title); // a list has counted its tables there
  let dotted = null;
  let before = null;

  const withDot = () => {
    dotted ??= fetch(plain).then((answer) => answer.text()).then((svg) => `data:image/svg+xml,${encodeURIComponent(svg.replace("</svg>", `${DOT}</svg>`))}`);
    return dotted;
  };
  const show = async (isDue) => {
    icon.dataset.due = isDue ? "yes" : "";
    const wanted = isDue ? await withDot() : plain;
    if ((icon.dataset.due === "yes") === isDue) icon.href = wanted;
  };

  const look = () => {
    const table = document.getElementById("table");
    const unread = Number(bell?.dataset.unread);
    const now = { isMine: Boolean(table && "mine" in table.dataset), isOver: Boolean(table?.classList.contains("table-over")) };
    const isDue = now.isMine || "due" in document.getElementById("content").dataset;
    let title = document.title.replace(MARK, "");
    if (!isCounted) title = (unread ? `(${unread}) ` : "") + title.replace(NUMBER, "");
    title = (table && isDue ? MARK : "") + title;
    if (title !== document.title) document.title = title;
    show(isDue || unread > 0).catch(() => { dotted = null; }); // the title says it as well
    if (before && now.isMine && !before.isMine) document.dispatchEvent(new CustomEvent("table:mine"));
    if (before && now.isOver && !before.isOver) document.dispatchEvent(new CustomEvent("table:over"));
    before = now;
  };

  /* ---- unread notices ---- */

  const count = (number) => {
    if (bell.dataset.unread === String(number)) return;
    bell.dataset.unread = String(number);
    const said = document.getElementById("bell-said");
    said.textContent = number ? said.dataset.some.replace("{n}", number) : "";
    for (const place of document.querySelectorAll(".bell__number, .bell-menu")) {
      place.textContent = String(number);
      place.hidden = !number;
    }
    look();
  };

  /* What is about the table that the reader is looking at has been seen: the page says which that is. */
  const ask = async () => {
    if (document.hidden) return;
    const table = document.getElementById("table")?.dataset.number;
    const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
    const seen = table && token ? { method: "POST", body: new URLSearchParams({ table }), headers: { "X-CSRFToken": token } } : {};
    const answer = await fetch(bell.dataset.ask, seen);
    if (answer.status === 200) count(Number(await answer.text()));
  };
  const askQuietly = () => { ask().catch(() => {}); }; // without a connection the number stays

  /* ---- the panel ---- */

  /* The bell opens the latest notices here; if they don't come, or in another tab, it is a link to all of them. */
  let panel = null;
  const open = async () => {
    const here = new URLSearchParams({ next: location.pathname + location.search });
    const answer = await fetch(`${bell.href}panel/?${here}`);
    if (!answer.ok || answer.redirected) throw new Error("no panel");
    const found = await answer.text();
    if (!panel) {
      panel = document.createElement("section");
      panel.className = "bell-panel";
      panel.popover = "auto"; // Escape and a press elsewhere close it, and the bell has the focus again
      panel.setAttribute("aria-labelledby", "bell-panel-title");
      bell.after(panel);
      panel.addEventListener("toggle", ({ newState }) => bell.setAttribute("aria-expanded", String(newState === "open")));
    }
    panel.innerHTML = found;
    panel.showPopover();
    document.getElementById("bell-panel-title").focus();
  };
  const ring = (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || !("popover" in bell)) return;
    event.preventDefault();
    if (panel?.matches(":popover-open")) { panel.hidePopover(); return; }
    open().catch(() => { location.href = bell.href; });
  };

  document.addEventListener("htmx:afterSettle", look);
  look();
  if (!bell) return;
  bell.addEventListener("click", ring);
  bell.setAttribute("aria-expanded", "false");
  if (bell.dataset.unread === "" || (bell.dataset.unread !== "0" && document.getElementById("table"))) askQuietly();
  for (const name of ["table:mine", "table:over", "visibilitychange"]) document.addEventListener(name, askQuietly);
  addEventListener("pageshow", (event) => { if (event.persisted) askQuietly(); });
  setInterval(askQuietly, ASK_MS);
})();
