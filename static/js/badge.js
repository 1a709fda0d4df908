/* A mark in the title and a dot on the icon of the page while somebody waits for the reader: at a table for the reader's move, on lists for
   their tables. Tells others that it became the reader's move (`table:mine`) and that the game is over (`table:over`). */
(() => {
  "use strict";
  const MARK = "● ";
  const DOT = '<circle cx="49" cy="15" r="15" fill="#fff"/><circle cx="49" cy="15" r="11" fill="#d8342a"/>';
  const icon = document.querySelector("link[rel=icon]");
  const plain = icon.href;
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
    const now = { isMine: Boolean(table && "mine" in table.dataset), isOver: Boolean(table?.classList.contains("table-over")) };
    const isDue = now.isMine || "due" in document.getElementById("content").dataset;
    if (table) document.title = (isDue ? MARK : "") + document.title.replace(MARK, "");
    show(isDue).catch(() => { dotted = null; }); // the title says it as well
    if (before && now.isMine && !before.isMine) document.dispatchEvent(new CustomEvent("table:mine"));
    if (before && now.isOver && !before.isOver) document.dispatchEvent(new CustomEvent("table:over"));
    before = now;
  };
  document.addEventListener("htmx:afterSettle", look);
  look();
})();
