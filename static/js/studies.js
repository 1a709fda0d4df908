/* A study: links and forms in the region exchange it without a new page, arrow keys walk along the lines, and the study's stream says when others
   have added something. Whoever follows the owner goes where the owner goes. Without script or stream, each link is a page. */
(() => {
  "use strict";
  const POLL_MS = 15000;
  const WAIT_MS = 2500; // a bot is thinking
  const SCRIPT = { "HX-Request": "true" };
  const region = () => document.getElementById("study");
  const bar = document.getElementById("study-connection");
  const follow = document.querySelector("[data-follow]");
  const isFollowing = () => follow?.getAttribute("aria-pressed") === "true";
  let source = null;
  let busy = false;
  let loading = 0;
  let again = false;
  let run = 0; // ends what an earlier click began

  const lost = (is) => { bar.hidden = !is; };
  const pathOf = (url) => new URL(url, location.href).pathname;

  /* ---- exchanging the region ---- */

  const put = (markup) => {
    const made = new DOMParser().parseFromString(markup, "text/html").getElementById("study");
    if (!made) return false;
    const before = region();
    const focused = before.contains(document.activeElement) ? document.activeElement.id : "";
    const written = before.querySelector("#study-comment");
    const open = [...before.querySelectorAll("details[open][id]")].map((it) => it.id);
    const isSame = before.dataset.number === made.dataset.number;
    const isMoved = before.dataset.url !== made.dataset.url;
    before.replaceWith(document.adoptNode(made));
    const now = region().querySelector("#study-comment");
    if (isSame && written && now && written.value !== written.defaultValue) now.value = written.value; // what somebody is writing stays
    if (isSame) for (const id of open) { const it = document.getElementById(id); if (it) it.open = true; }
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    if (isMoved) {
      const here = region().querySelector(".study-tree [aria-current]");
      const list = document.getElementById("study-tree");
      if (here && list) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
      document.getElementById("live").textContent = region().dataset.said;
    }
    if (follow) follow.href = region().dataset.owner;
    document.dispatchEvent(new CustomEvent("table:drawn"));
    return true;
  };

  /* Show what an address answers; false if something else has begun meanwhile. */
  const exchange = async (url, options, mine) => {
    const answer = await fetch(url, { ...options, headers: SCRIPT });
    if (mine !== run) return false;
    if (answer.status === 204) return true;
    if (answer.redirected || answer.status === 404 || !put(await answer.text())) { location.assign(answer.redirected ? answer.url : region().dataset.study); return false; }
    lost(false);
    return true;
  };

  /* The same for what the reader wants. What the stream says meanwhile waits, since it would ask for the place that is being left. */
  const load = async (url, options = {}) => {
    loading += 1;
    try {
      return await exchange(url, options, ++run);
    } finally {
      loading -= 1;
      if (again && !loading) { again = false; setTimeout(catchUp); }
    }
  };

  const go = async (url, { keeps = false } = {}) => {
    try {
      if (!await load(url)) return;
      const search = new URL(url, location.href).search;
      const shown = region().dataset.url + search;
      if (keeps) history.replaceState({}, "", shown);
      else if (shown !== location.pathname + location.search) history.pushState({}, "", shown);
    } catch {
      lost(true);
    }
  };

  /* A move that has been deleted is answered by the start. */
  const readdress = () => { if (pathOf(region().dataset.url) !== location.pathname) history.replaceState({}, "", region().dataset.url); };

  const catchUp = async () => {
    if (busy || loading) { again = true; return; }
    busy = true;
    const mine = run;
    try {
      const query = new URLSearchParams(location.search);
      query.set("v", region().dataset.version);
      if (await exchange(`${location.pathname}?${query}`, {}, mine)) readdress();
      if (mine === run && isFollowing() && region().dataset.owner !== region().dataset.url) await go(region().dataset.owner, { keeps: true });
    } catch {
      lost(true);
    } finally {
      busy = false;
      if (again) { again = false; catchUp(); }
    }
  };

  /* ---- links, forms, keys ---- */

  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest?.("a");
    const given = link?.getAttribute("href") ?? link?.getAttribute("xlink:href");
    if (!given || !region().contains(link) || link.target) return;
    if (!pathOf(given).startsWith(region().dataset.study)) return;
    event.preventDefault();
    stopFollowing(given);
    go(given);
  });

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!region().contains(form) && form.id !== "entry") return;
    event.preventDefault();
    const button = event.submitter;
    const values = new FormData(form, button);
    if (form.method === "get") { go(`${location.pathname}?${new URLSearchParams(values)}`); return; }
    if ("sending" in form.dataset) return;
    form.dataset.sending = "";
    const address = button?.hasAttribute("formaction") ? button.formAction : form.getAttribute("action");
    try {
      if (!await load(address, { method: "POST", body: new URLSearchParams(values) })) return;
      const shown = region().dataset.url;
      if (shown !== location.pathname + location.search) history.pushState({}, "", shown);
      document.getElementById("study-fault")?.focus();
    } catch {
      lost(true);
    } finally {
      delete form.dataset.sending;
    }
  });

  const KEYS = { ArrowLeft: "study-back", ArrowRight: "study-on", ArrowUp: "study-up", ArrowDown: "study-down", Home: "study-start" };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.closest?.("input, textarea, select, [data-grid], [data-map], [data-map-window], dialog")) return;
    const link = document.getElementById(KEYS[event.key] ?? "");
    if (!link) return;
    event.preventDefault(); // also where there is no way: the page doesn't scroll now and then
    if (link.hasAttribute("href")) link.click();
  });

  addEventListener("popstate", async () => {
    try {
      if (await load(location.href)) readdress();
    } catch {
      lost(true);
    }
  });

  /* ---- following the owner ---- */

  const say = (is) => {
    follow.setAttribute("aria-pressed", String(is));
  };
  const stopFollowing = (url) => { if (follow && isFollowing() && pathOf(url) !== pathOf(region().dataset.owner)) say(false); };
  if (follow) {
    follow.setAttribute("role", "button");
    follow.querySelector("[data-off]").hidden = true;
    follow.querySelector("[data-on]").hidden = false;
    say(false);
    follow.addEventListener("click", (event) => {
      event.preventDefault();
      say(!isFollowing());
      if (isFollowing()) go(region().dataset.owner);
    });
    follow.addEventListener("keydown", (event) => { if (event.key === " ") { event.preventDefault(); follow.click(); } });
  }

  /* ---- what others add ---- */

  const close = () => { source?.close(); source = null; };
  const open = (address = region().dataset.stream) => {
    if (source || !address) return;
    source = new EventSource(address);
    source.addEventListener("open", () => lost(false));
    source.addEventListener("version", (event) => {
      const version = Number(event.data);
      if (version === 0 || version > Number(region().dataset.version)) catchUp();
    });
    source.addEventListener("reload", renew);
    source.addEventListener("error", () => { if (source?.readyState === EventSource.CLOSED) source = null; });
  };
  const renew = async () => {
    close();
    try {
      const query = new URLSearchParams({ v: region().dataset.version, stream: "1" });
      const answer = await fetch(`${location.pathname}?${query}`, { method: "HEAD", headers: SCRIPT });
      const given = answer.headers.get("X-Stream");
      if (!answer.ok || !given) { location.reload(); return; }
      open(given);
      catchUp();
    } catch {
      lost(true);
    }
  };

  document.addEventListener("visibilitychange", () => { if (!document.hidden) { if (source) catchUp(); else renew(); } });
  addEventListener("online", () => { if (source) catchUp(); else renew(); });
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => { if (event.persisted) renew(); });
  setInterval(() => {
    if (document.hidden) return;
    if (!source) renew();
    else if (source.readyState !== EventSource.OPEN) catchUp();
  }, POLL_MS);
  setInterval(() => { if (!document.hidden && "waits" in region().dataset) catchUp(); }, WAIT_MS); // nothing may tell of a lost task
  open();
})();
