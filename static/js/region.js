/* The table region: links and forms swap it, focus and open details are kept, news is announced and marked. */
(() => {
  "use strict";
  const region = () => document.getElementById("table");
  const live = document.getElementById("live");
  const SENTENCES = 2; // of a turn that are spoken
  const QUIET_MS = 1500; // after which a turn of others is taken to be over
  let before = null;

  const remember = () => {
    const table = region();
    const focused = document.activeElement;
    return {
      version: Number(table.dataset.version),
      wasMine: "mine" in table.dataset,
      inside: table.contains(focused),
      focusId: table.contains(focused) ? focused.id : "",
      open: [...table.querySelectorAll("details[open][id]")].map((item) => item.id),
      rule: document.getElementById("rule-drawer"),
      scroll: document.getElementById("log")?.scrollTop ?? 0,
      along: document.getElementById("answers")?.scrollLeft ?? 0,
    };
  };

  const restore = (before) => {
    const table = region();
    if (!before || !table) return;
    for (const id of before.open) { const it = document.getElementById(id); if (it && !it.open) it.open = true; }
    const drawer = document.getElementById("rule-drawer");
    if (drawer?.hidden && before.rule && !before.rule.hidden) drawer.replaceWith(before.rule);
    const log = document.getElementById("log");
    if (log) log.scrollTop = before.scroll;
    const answers = document.getElementById("answers");
    if (answers) answers.scrollLeft = before.along;
    const notice = document.getElementById("notice");
    if (notice) notice.focus();
    else if (before.inside && !table.contains(document.activeElement)) { // a key pressed meanwhile has already moved it
      const found = before.focusId && document.getElementById(before.focusId);
      const same = found && found.checkVisibility() ? found : null; // a folded element cannot take the focus
      (same || document.getElementById("action-title"))?.focus({ preventScroll: Boolean(same) });
    }
    document.title = `${table.dataset.title} · Ziggurat`;
    announce(table, before);
  };

  /* One summary for each turn of another player: when it is over, or with the news that the reader must move. */
  let turns = []; // { seat, texts }
  let waiting = 0;
  const speak = (more) => {
    const said = [...turns.flatMap((turn) => turn.texts.slice(0, SENTENCES)), ...(more ? [more] : [])];
    turns = [];
    if (said.length) live.textContent = said.join(" ");
  };

  const announce = (table, before) => {
    const news = [...table.querySelectorAll("#log [data-v]")].filter((line) => Number(line.dataset.v) > before.version);
    for (const line of news.reverse()) {
      line.classList.add("is-new");
      if ("mine" in line.dataset) continue;
      const seat = line.querySelector(".seat-mark").dataset.seat;
      if (!turns.length || turns.at(-1).seat !== seat) turns.push({ seat, texts: [] });
      turns.at(-1).texts.push(line.querySelector(".log__text").textContent);
    }
    clearTimeout(waiting);
    if (!("mine" in table.dataset)) waiting = setTimeout(speak, QUIET_MS);
    else if (!before.wasMine || turns.length) speak(live.dataset.mine);
    tellTimes(table);
  };

  const tellTimes = (root) => {
    const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto", style: "short" });
    for (const time of root.querySelectorAll("time[data-relative]")) {
      const seconds = (new Date(time.dateTime) - Date.now()) / 1000;
      const [size, unit] = [[86400, "day"], [3600, "hour"], [60, "minute"]].find(([size]) => -seconds >= size) || [1, "second"];
      time.title ||= time.textContent;
      const text = words.format(unit === "second" ? 0 : Math.round(seconds / size), unit);
      if (time.textContent !== text) time.textContent = text; // the same words once more would be styled and laid out anew
    }
  };

  /* What is outside the region follows it: the frame of a running game, and the menu, which outlives its start and its end. */
  const follow = () => {
    document.body.classList.toggle("is-framed", region().classList.contains("table-frame"));
    for (const link of document.querySelectorAll(".table-menu [data-shows]")) link.hidden = !document.querySelector(link.hash);
  };

  /* Before the first paint of the new region, so that no absolute time flashes. */
  document.addEventListener("htmx:afterSwap", () => { if (region()) { follow(); tellTimes(region()); } });

  /* What a choice changes may be known already (act.js): then nothing else is replaced. */
  const draw = (changes) => {
    const before = remember();
    for (const [piece, html] of changes) piece.outerHTML = html;
    document.getElementById("notice")?.remove();
    document.dispatchEvent(new CustomEvent("table:drawn"));
    restore(before);
  };
  const isKnown = (query) => {
    const given = new URLSearchParams(query);
    const prefix = [given.get("a"), given.get("w")].filter(Boolean).join(" ");
    const is = !document.dispatchEvent(new CustomEvent("table:choose", { cancelable: true, detail: { prefix, draw } }));
    if (is) htmx.trigger(document.body, "htmx:abort"); // an earlier choice that is still on its way
    return is;
  };

  let asked = 0;
  const load = (address) => htmx.ajax("GET", address, { source: document.body, target: "#table", swap: "outerHTML show:none" });
  const show = (query) => {
    const address = location.pathname + query;
    const mine = ++asked;
    if (isKnown(query)) { history.pushState({ htmx: true }, "", address); return; }
    load(address).then(() => {
      if (mine === asked) history.pushState({ htmx: true }, "", address); // not for a choice that a later one has replaced
    }, () => {}); // without a connection the bar says so
  };

  /* A piece that is lifted or put back (drag.js) changes the question, but is no step of its own. */
  document.addEventListener("table:show", (event) => {
    asked += 1;
    if (!isKnown(event.detail.query)) load(location.pathname + event.detail.query).catch(event.detail.failed);
  });

  /* Back and forward go from choice to choice; htmx would reload the whole page and its scripts. */
  addEventListener("popstate", (event) => {
    event.stopImmediatePropagation();
    asked += 1;
    if (!isKnown(location.search)) load(location.pathname + location.search).catch(() => {});
  }, true);

  /* A link of the region with a choice (?a=...) or a step back swaps the region; in an SVG as well. */
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest?.("#table a[href^='?']");
    if (!link) return;
    event.preventDefault();
    show(link.getAttribute("href") === "?" ? "" : link.getAttribute("href"));
  });

  /* So does a word typed instead of clicking a place. */
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "entry") return;
    event.preventDefault();
    show(`?${new URLSearchParams(new FormData(event.target))}`);
  });

  /* A request that waited for another one applies to the region as it is by then. */
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.target.id === "table") event.detail.target = region();
  });

  document.addEventListener("htmx:beforeRequest", (event) => {
    const form = event.detail.elt;
    const button = event.detail.requestConfig.triggeringEvent?.submitter;
    if (!button || form.id !== "table") return;
    const words = button.innerHTML;
    const timer = setTimeout(() => { button.textContent = form.dataset.sending; }, 300);
    const done = () => {
      clearTimeout(timer);
      if (button.isConnected) button.innerHTML = words;
      form.removeEventListener("htmx:afterRequest", done);
    };
    form.addEventListener("htmx:afterRequest", done);
  });

  /* The request lists the parts that the page has; the server sends marks in their place, which patch.js leaves where they are. */
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.target?.id !== "table") return;
    [event.detail.parts, event.detail.headers["X-Have"]] = steps.list(document.getElementById("reel")?.parts?.() ?? [...region().querySelectorAll("[data-h]")]);
    if (document.hidden) event.detail.headers["X-Away"] = "1";
  });

  const isComplete = (html, parts) => {
    let complete = true;
    steps.fill(html, (id) => {
      if (!parts?.has(id)) complete = false;
      parts?.get(id)?.classList.remove("is-new");
      return null;
    });
    return complete;
  };

  /* Any region in an answer is shown, refusals too, unless the answer is older than the page. */
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id === "site-news") [event.detail.shouldSwap, event.detail.isError] = [true, false]; // maintenance: nothing was changed
    const version = event.detail.xhr.getResponseHeader("X-Table-Version");
    if (event.detail.target.id !== "table") return;
    if (version !== null) event.detail.shouldSwap = event.detail.xhr.status !== 204 && Number(version) >= Number(region().dataset.version);
    if (!event.detail.shouldSwap) return;
    const site = event.detail.xhr.getResponseHeader("X-Site");
    if (site && site !== region().dataset.site) { // a newer server, which this page may not understand
      try { sessionStorage.setItem("updated", "1"); } catch { /* reloaded without a word */ }
      location.reload();
      event.detail.shouldSwap = false;
      return;
    }
    if (!isComplete(event.detail.serverResponse, event.detail.requestConfig.parts)) { location.reload(); event.detail.shouldSwap = false; return; }
    event.detail.target = region(); // another answer may have replaced the one that the request meant
    before = remember();
  });
  document.addEventListener("htmx:afterSettle", () => { restore(before); before = null; });

  try {
    if (sessionStorage.getItem("updated")) {
      document.getElementById("updated").hidden = false;
      sessionStorage.removeItem("updated");
    }
  } catch { /* the browser keeps nothing */ }

  /* The menu shows what has no room of its own: the log and what is below it, on a phone in a sheet. */
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-shows]");
    const goal = link && document.querySelector(link.hash);
    if (!goal) return;
    event.preventDefault();
    document.getElementById("site-menu").open = false;
    if (goal.matches("details")) goal.open = true;
    if (!goal.checkVisibility()) document.getElementById("sheet").open = true;
    (goal.querySelector("summary") ?? goal).focus();
  });
  document.addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && document.querySelector("#site-menu[open], #sheet[open], #players-all[open]");
    if (!open) return;
    event.stopImmediatePropagation();
    open.open = false;
    open.querySelector("summary").focus();
  });

  /* What is unfolded comes into view: its line may be the last one that the panel shows. */
  document.addEventListener("click", (event) => {
    const fold = event.target.closest?.(".why-nots > summary")?.parentElement;
    if (fold && !fold.open) requestAnimationFrame(() => { fold.closest(".action-panel").scrollTop = fold.offsetTop; });
  });

  follow();
  tellTimes(document);
  setInterval(() => tellTimes(document), 30000);
})();
