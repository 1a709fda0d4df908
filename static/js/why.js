/* Why a bot moved, hints, chances: their links open the answer beside the board, in the control of a replay or else in the drawer of the rules. They are
   worked out elsewhere, so the script looks again until they are there. Without script the link leads to a page. */
(() => {
  "use strict";
  const AGAIN_MS = 600;
  const LOOKS = 40;
  let run = 0;

  const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });

  document.addEventListener("click", async (event) => {
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest?.("a.why-link");
    const box = link?.closest(".replay__control")?.querySelector(".why-box");
    if (!link || !(box || window.drawer)) return;
    event.preventDefault();
    event.stopPropagation();
    link.closest("details.site-menu")?.removeAttribute("open");
    const mine = ++run;
    const address = link.href;
    const put = box
      ? (html) => { box.innerHTML = html; mark(link, box); }
      : (html, look) => {
        if (look) window.drawer.change(html);
        else window.drawer.show(link.dataset.title, html, link);
        mean(document.querySelector("#rule-body > [data-ids]")?.dataset.ids ?? "");
      };
    for (let look = 0; look < LOOKS; look += 1) {
      let answer = null;
      try { answer = await fetch(address, { headers: { "HX-Request": "true" } }); } catch { answer = null; }
      if (mine !== run || (box && link.href !== address)) return;
      if (!answer?.ok) { location.href = address; return; }
      const html = await answer.text();
      if (mine !== run || (box && link.href !== address)) return;
      put(html, look);
      if (!/ data-wait/.test(html)) return;
      await wait(AGAIN_MS);
      if (!box && !window.drawer.isOpen()) return;
    }
  }, true);

  /* The places that the answer in the drawer is about. They stay marked, also while an answer is chosen and the drawer is closed, until the next
     move: a phone shows the board only after the drawer. */
  let meant = [];
  let version = "";
  let marked = [];
  const versionNow = () => document.getElementById("table")?.dataset.version;
  const point = () => {
    const now = version === versionNow() ? meant.map((id) => document.getElementById(id)).filter(Boolean) : [];
    for (const it of marked) if (!now.includes(it)) it.classList.remove("is-meant");
    for (const it of now) it.classList.add("is-meant");
    marked = now;
  };
  const mean = (ids) => {
    meant = ids.split(" ").filter(Boolean);
    version = versionNow();
    point();
  };
  for (const name of ["htmx:afterSwap", "table:drawn"]) document.addEventListener(name, point);

  const mark = (link, box) => {
    const picture = box.querySelector("template[data-board]");
    const board = link.closest("[data-replay]")?.querySelector("[data-replay-board]");
    if (picture && board) window.steps.put(board, picture.innerHTML);
  };
})();
