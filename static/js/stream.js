/* Live tables: the stream says "version N"; the page fetches its own region when it shows an older one. */
(() => {
  "use strict";
  const POLL_MS = 20000;
  const region = () => document.getElementById("table");
  const bar = document.getElementById("connection");
  const shown = () => Number(region().dataset.version);
  let source = null;
  let busy = false;
  let wanted = 0;
  let again = false;
  let address = "";

  const lost = (is) => { bar.hidden = !is; };

  /* The answer to a move that is on its way will bring its version. */
  const isSending = () => region().classList.contains("htmx-request");
  document.addEventListener("htmx:afterRequest", (event) => { if (event.detail.elt.id === "table" && wanted > shown()) catchUp(); });

  /* Operators have something to say, and clocks may have been stopped: pages ask one after another. */
  const NEWS_MS = 4000;
  const learn = () => setTimeout(async () => {
    const answer = await fetch("/news/").catch(() => null);
    if (!answer?.ok) return;
    document.getElementById("site-news").innerHTML = await answer.text();
    for (const next of document.querySelectorAll("#site-news [name=next]")) next.value = location.pathname + location.search;
    catchUp(true);
  }, Math.random() * NEWS_MS);

  const catchUp = async (isAnyway = false) => {
    if (isSending()) return;
    if (busy) { again = true; return; }
    busy = true;
    try {
      const chosen = new URLSearchParams(location.search).get("a");
      const query = new URLSearchParams(isAnyway ? {} : { v: String(shown()) });
      if (chosen) query.set("a", chosen);
      await htmx.ajax("GET", `${region().dataset.region}?${query}`, { source: document.body, target: "#table", swap: "outerHTML show:none" });
    } catch {
      lost(true);
    } finally {
      busy = false;
      if (again) { again = false; if (wanted > shown()) catchUp(); }
    }
    if (!region().dataset.stream) close();
  };

  const close = () => { source?.close(); source = null; };

  const tellWatching = (number) => {
    document.body.dataset.watching = number;
    document.dispatchEvent(new CustomEvent("table:watching"));
  };

  /* The address expires: the next one comes from the page's own address, unless the reader has lost access. */
  const renew = async () => {
    close();
    try {
      const query = new URLSearchParams({ v: String(shown()), stream: "1" });
      const answer = await fetch(`${region().dataset.region}?${query}`, { method: "HEAD" });
      const given = answer.headers.get("X-Stream");
      if (!answer.ok || !given) return location.reload();
      address = given;
      region().dataset.stream = "same";
      open();
    } catch {
      lost(true);
    }
  };

  const open = () => {
    const given = region()?.dataset.stream;
    if (!given || source) return;
    if (given !== "same") address = given;
    source = new EventSource(address);
    source.addEventListener("open", () => { lost(false); tellWatching(0); }); // the stream says so if somebody watches
    source.addEventListener("version", (event) => {
      const version = Number(event.data);
      wanted = Math.max(wanted, version);
      if (version === 0 || version > shown()) catchUp();
    });
    source.addEventListener("talk", () => document.dispatchEvent(new CustomEvent("table:talk")));
    source.addEventListener("watching", (event) => tellWatching(event.data));
    source.addEventListener("news", learn);
    source.addEventListener("reload", renew);
    source.addEventListener("error", () => {
      if (source?.readyState === EventSource.CLOSED) source = null;
      lost(!source || source.readyState !== EventSource.OPEN);
    });
  };

  /* Whoever sits down or gets up has an address of another kind: spectators are counted by it. */
  const sits = () => "seated" in region().dataset;
  let sat = sits();
  document.addEventListener("htmx:afterSettle", () => {
    if (!region() || sits() === sat) return;
    sat = sits();
    if (region().dataset.stream) renew();
  });

  document.addEventListener("htmx:sendError", () => lost(true));
  document.addEventListener("htmx:afterOnLoad", () => { if (!source || source.readyState === EventSource.OPEN) lost(false); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden && region()?.dataset.stream) { open(); catchUp(); } });
  addEventListener("online", () => { if (region()?.dataset.stream) { open(); catchUp(); } });
  addEventListener("offline", () => { if (region()?.dataset.stream) lost(true); });
  addEventListener("online", () => { if (region()?.dataset.stream) { close(); open(); catchUp(); } });
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => { if (event.persisted) { open(); catchUp(); } });
  setInterval(() => {
    if (document.hidden || !region()?.dataset.stream) return;
    if (!source) open();
    if (source?.readyState !== EventSource.OPEN) catchUp();
  }, POLL_MS);
  open();
})();
