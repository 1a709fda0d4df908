/* The chat of a table: a panel beside the board, whose links lead to the same page without script, and that page itself. What is said comes by
   itself: the table's stream says that there is something (`table:talk`), and what is open asks now and then, for nothing tells of what spectators
   say. How many people watch is told by the stream, too (`table:watching`). */
(() => {
  "use strict";
  const ASK_MS = 15000;
  const SAVED_MS = 2500;
  const SCRIPT = { "HX-Request": "true" };
  const aside = document.getElementById("talk");
  const body = aside ? document.getElementById("talk-body") : document;
  let opener = null;
  let unread = 0;

  const panel = () => body.querySelector("[data-talk-panel]");
  const logs = () => [...body.querySelectorAll("[data-room]")];
  const isOpen = () => !aside || !aside.hidden;
  const toEnd = (log) => { log.scrollTop = log.scrollHeight; };
  const tellFault = (text) => {
    const place = panel()?.querySelector("[data-talk-fault]");
    if (!place) return;
    place.hidden = !text;
    place.firstElementChild.textContent = text;
  };

  /* ---- what others say ---- */

  const busy = new Set();
  const again = new Set();
  const fetchLines = async (log) => {
    const room = log.dataset.room;
    if (busy.has(room)) { again.add(room); return; }
    busy.add(room);
    try {
      const query = new URLSearchParams({ room, since: log.dataset.since });
      const answer = await fetch(`${panel().dataset.lines}?${query}`, { headers: SCRIPT });
      if (answer.status !== 200) return;
      const list = log.querySelector("ol");
      const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
      list.insertAdjacentHTML("beforeend", await answer.text());
      log.dataset.since = list.lastElementChild.dataset.line;
      if (isAtEnd) toEnd(log);
    } catch { /* without a connection it stays as it is */ } finally {
      busy.delete(room);
      if (again.delete(room)) fetchLines(log);
    }
  };
  const look = () => { if (!document.hidden && isOpen()) logs().forEach(fetchLines); };

  /* ---- the panel at the table ---- */

  const count = (number) => {
    unread = number;
    document.getElementById("site-menu")?.toggleAttribute("data-said", number > 0);
    for (const place of document.querySelectorAll("[data-talk-count]")) {
      place.hidden = !number;
      place.textContent = number || ""; // as in a new page
    }
  };
  const tellWatching = () => {
    const { watching } = document.body.dataset;
    if (watching === undefined) return;
    const number = Number(watching);
    for (const link of document.querySelectorAll("[data-talk-open=watching]")) {
      link.hidden = !number;
      link.lastElementChild.textContent = number || ""; // as in a new page
    }
    const shown = document.getElementById("talk-watching");
    if (!shown) return;
    shown.hidden = !number;
    shown.querySelector("[data-crowd]").textContent = number;
  };
  /* The pages of a crowd ask one after another, and only where the list is open. */
  const LIST_MS = 3000;
  let asking = 0;
  const lookWatching = (within) => {
    if (asking || document.hidden || !document.getElementById("talk-watching")?.open) return;
    asking = setTimeout(async () => {
      asking = 0;
      const shown = document.getElementById("talk-watching");
      const answer = shown && await fetch(shown.dataset.address, { headers: SCRIPT }).catch(() => null);
      if (!answer?.ok) return;
      const given = document.createElement("template");
      given.innerHTML = await answer.text();
      shown.querySelector("ul").replaceWith(given.content.querySelector("ul"));
    }, Math.random() * within);
  };
  const askUnread = async () => {
    if (!("mine" in aside.dataset) || isOpen()) return;
    try {
      const answer = await fetch(aside.dataset.unread, { headers: SCRIPT });
      if (answer.status === 200 && !isOpen()) count(Number(await answer.text()));
    } catch { /* the number stays */ }
  };

  const load = async () => {
    const answer = await fetch(aside.dataset.talk, { headers: SCRIPT });
    if (!answer.ok) throw new Error(String(answer.status));
    body.innerHTML = await answer.text();
    logs().forEach(toEnd);
  };
  const open = async (link) => {
    try { await load(); } catch { location.href = link.href; return; }
    opener = link;
    document.getElementById("site-menu").open = false;
    const sheet = document.getElementById("sheet");
    if (sheet) sheet.open = false;
    aside.hidden = false;
    count(0);
    logs().forEach(toEnd);
    if (link.dataset.talkOpen === "watching") {
      const list = document.getElementById("talk-watching");
      list.open = true;
      list.firstElementChild.focus();
    } else document.getElementById("talk-title").focus();
  };
  const close = () => {
    aside.hidden = true;
    const shown = opener?.isConnected && opener.checkVisibility() ? opener : document.querySelector("#site-menu > summary");
    shown.focus();
  };

  if (aside) {
    document.addEventListener("click", (event) => {
      if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = event.target.closest?.("a[data-talk-open]");
      if (link) { event.preventDefault(); if (isOpen()) close(); else open(link); }
      if (event.target.closest?.("#close-talk")) close();
    });
    aside.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      close();
    });
    document.addEventListener("htmx:afterSettle", () => { count(unread); tellWatching(); }); // the region's links are new
    document.addEventListener("table:watching", () => { tellWatching(); lookWatching(LIST_MS); });
    body.addEventListener("toggle", (event) => { if (event.target.id === "talk-watching") lookWatching(0); }, true);
    tellWatching();
    document.addEventListener("table:talk", () => { if (isOpen()) look(); else askUnread(); });
    askUnread();
  } else {
    logs().forEach(toEnd);
  }

  /* ---- what the reader says, and notes ---- */

  const send = (form, submitter) => {
    const held = new FormData(form);
    if (submitter?.name) held.set(submitter.name, submitter.value);
    return fetch(form.action, { method: "POST", headers: SCRIPT, body: new URLSearchParams(held) });
  };
  body.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    const says = "talkForm" in form.dataset;
    const notes = "talkNote" in form.dataset;
    const mutes = "talkMute" in form.dataset && aside;
    if (!says && !notes && !mutes) return;
    event.preventDefault();
    if (form.dataset.sending) return;
    form.dataset.sending = "yes";
    tellFault("");
    try {
      const answer = await send(form, submitter);
      const isPlain = (answer.headers.get("Content-Type") ?? "").startsWith("text/plain");
      if (!answer.ok) { tellFault(isPlain ? await answer.text() : panel().dataset.lost); return; }
      if (mutes) { await load(); return; }
      if (notes) {
        const said = submitter.textContent;
        submitter.textContent = submitter.dataset.saved;
        setTimeout(() => { submitter.textContent = said; }, SAVED_MS);
        return;
      }
      if (!submitter?.name) form.querySelector("[name=text]").value = "";
      const log = form.closest(".talk__room").querySelector("[data-room]");
      toEnd(log);
      await fetchLines(log);
    } catch {
      tellFault(panel().dataset.lost);
    } finally {
      delete form.dataset.sending;
    }
  });

  document.addEventListener("visibilitychange", look);
  addEventListener("focus", look);
  setInterval(look, ASK_MS);
})();
