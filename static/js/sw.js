/* The service worker. It keeps rule pages on the device, with the files that they need, and shows them while the site can't be reached.

   What is kept is a visitor's page: it is asked for again, without cookies. The page that the reader got has their name and menu in it, and
   whoever has the device after them must not find those.

   It is registered for the rule pages alone (`offline.js`), so that no request of a table or an account passes through it. While the site
   answers, its page is shown, so nobody stays on an old release; files have a digest of their content in their names, so a kept page always
   finds its own. A new worker therefore has nothing to wait for and takes over at once. */
"use strict";

/* A new number when what is kept changes its form: others are deleted. */
const [PAGES, FILES, BOOKS] = ["pages-1", "files-1", "books-1"];
const PAGE = /^\/[a-z]{2}\/rules\/(?!search\/)(?:[a-z0-9_-]+\/){0,2}$/;
const OF_BOOK = /^(\/[a-z]{2}\/rules\/(?!(?:search|glossary|offline)\/)([a-z0-9_]+)\/)(?:(p|glossary)\/([a-z0-9_-]+)\/)?/;
const STATIC = "/static/";
const HAS_DIGEST = /\.[0-9a-f]{12}\.\w+$/;
const PATIENCE_MS = 4_000; // for the site, if there is a kept page
const AWAY = [502, 503, 504]; // a server answers, but not the site's pages
const MOST_VISITED = 80; // pages, besides books kept whole

const store = (name) => caches.open(name);
const pathOf = (request) => new URL(request.url).pathname;
const offlinePage = (path) => `${path.slice(0, 4)}rules/offline/`;
const isOfflinePage = (path) => path === offlinePage(path);

/* ---- keeping ---- */

/* Keeps the files that a page names, and those that its styles name; returns their addresses. */
const keepFiles = async (html) => {
  const files = await store(FILES);
  const named = new Set(Array.from(html.matchAll(/ (?:href|src)="(\/static\/[^"#]+)/g), (found) => found[1]));
  for (const path of named) { // grows on the way
    let file = HAS_DIGEST.test(path) && (await files.match(path));
    if (!file) {
      file = await fetch(path, { credentials: "omit" });
      if (!file.ok) throw new Error(`${path}: ${file.status}`);
      await files.put(path, file.clone());
    }
    if (!path.endsWith(".css")) continue;
    for (const [, inner] of (await file.text()).matchAll(/url\("?(?!data:)([^")]+)/g)) named.add(new URL(inner, new URL(path, location)).pathname);
  }
  return [...named];
};

/* Keeps a page as it is now; returns whether it was another before. Throws if the site doesn't give it, or the device has no room. */
const keep = async (path) => {
  const pages = await store(PAGES);
  const before = await pages.match(path);
  const etag = before?.headers.get("ETag");
  const answer = await fetch(path, { credentials: "omit", cache: "no-store", headers: etag ? { "If-None-Match": etag } : {} });
  const isSame = answer.status === 304;
  if (!isSame && (answer.status !== 200 || answer.redirected)) {
    if (answer.status === 404 || answer.redirected) await pages.delete(path);
    throw new Error(`${path}: ${answer.status}`);
  }
  const page = isSame ? before : answer;
  const html = await page.text();
  const headers = new Headers(page.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  headers.set("X-Kept", new Date().toISOString());
  headers.set("X-Files", (await keepFiles(html)).join(" "));
  await pages.put(path, new Response(html, { headers }));
  return Boolean(etag) && !isSame;
};

/* Deletes the pages that were visited longest ago, up to a number that stays, and files that no page needs. */
const tidy = async (most) => {
  const [pages, files, books] = await Promise.all([store(PAGES), store(FILES), store(BOOKS)]);
  const ofBooks = new Set((await Promise.all(Array.from(await books.matchAll(), (parts) => parts.json()))).flat());
  const all = await Promise.all(Array.from(await pages.keys(), async (request) => ({ path: pathOf(request), headers: (await pages.match(request)).headers })));
  const visited = all.filter(({ path }) => !ofBooks.has(path) && !isOfflinePage(path));
  visited.sort((one, other) => other.headers.get("X-Kept").localeCompare(one.headers.get("X-Kept")));
  const dropped = visited.slice(most);
  for (const { path } of dropped) await pages.delete(path);
  const needed = new Set(all.filter((page) => !dropped.includes(page)).flatMap(({ headers }) => headers.get("X-Files").split(" ")));
  for (const request of await files.keys()) if (!needed.has(pathOf(request))) await files.delete(request);
};

/* ---- what pages ask for ---- */

const keepBook = async (book, tell) => {
  const [pages, books] = await Promise.all([store(PAGES), store(BOOKS)]);
  await keep(book);
  const contents = await (await pages.match(book)).text();
  const parts = new Set(Array.from(contents.matchAll(/ href="([^"#?]+)/g), (found) => found[1]));
  const kept = [book, ...[...parts].filter((path) => path !== book && path.startsWith(book) && PAGE.test(path) && !path.endsWith("/whole/"))];
  for (const [done, path] of kept.entries()) {
    if (done) await keep(path);
    tell({ done: done + 1, of: kept.length });
  }
  await books.put(book, new Response(JSON.stringify(kept)));
};

/* Name of a job -> what does it; what it returns goes to the page. */
const JOBS = {
  /* What is kept: addresses of pages, and of the contents of whole books. */
  async list() {
    const [pages, books] = await Promise.all([PAGES, BOOKS].map(async (name) => (await (await store(name)).keys()).map(pathOf)));
    return { pages: pages.filter((path) => !isOfflinePage(path)), books };
  },
  /* A page that is read is kept by itself. If it has changed, so may have the rest of a book that is kept whole. */
  async visit(path) {
    if (!PAGE.test(path) || !(await keep(path))) return;
    await keep(offlinePage(path));
    const book = OF_BOOK.exec(path)?.[1];
    if (book && (await (await store(BOOKS)).match(book))) await keepBook(book, () => {});
  },
  keep: keepBook,
  async remove(book) {
    const pages = await store(PAGES);
    await (await store(BOOKS)).delete(book);
    for (const request of await pages.keys()) if (pathOf(request).startsWith(book)) await pages.delete(request);
  },
  async forget() {
    const pages = await store(PAGES);
    await caches.delete(BOOKS);
    for (const request of await pages.keys()) if (!isOfflinePage(pathOf(request))) await pages.delete(request);
  },
};

const run = async (job, path, tell) => {
  try {
    const found = await JOBS[job](path, tell);
    if (job !== "list") await tidy(MOST_VISITED);
    return { is: "done", ...found };
  } catch (error) {
    const isFull = error.name === "QuotaExceededError";
    if (isFull) await tidy(MOST_VISITED / 4);
    return { is: isFull ? "full" : "failed" };
  }
};

/* One job at a time, for the worker runs once for each language and all keep in the same place. */
const inTurn = (job) => navigator.locks.request("kept", job);

addEventListener("message", (event) => {
  const { job, path } = event.data;
  const tell = (news) => event.ports[0]?.postMessage(news);
  const work = () => run(job, path, tell);
  event.waitUntil((job === "list" ? work() : inTurn(work)).then(tell));
});

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(inTurn(() => keep(offlinePage(new URL(registration.scope).pathname))));
});

addEventListener("activate", (event) => {
  const others = caches.keys().then((names) => names.filter((name) => ![PAGES, FILES, BOOKS].includes(name)));
  event.waitUntil(Promise.all([registration.navigationPreload?.enable(), others.then((names) => Promise.all(names.map((name) => caches.delete(name))))]));
});

/* ---- showing ---- */

/* What is kept at an address, if anything; a browser whose store is broken keeps nothing. */
const keptAt = (name, path) => store(name).then((kept) => kept.match(path)).catch(() => undefined);

/* A kept page says so: its notice is unwrapped, with the date, and the reader's choice of day or night stands as on all pages. */
const shown = async (kept, path, marks = "") => {
  const lang = path.slice(1, 3);
  const since = new Date(kept.headers.get("X-Kept"));
  const date = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, { dateStyle: "long" }).format(since);
  const theme = (await self.cookieStore?.get("theme"))?.value;
  const look = ["light", "dark"].includes(theme) ? ` data-theme="${theme}"` : "";
  const html = (await kept.text())
    .replace(/<template id="kept">(.*?)<\/template>/s, (_, notice) => notice.replace("{date}", date))
    .replace("<html", `<html data-kept="${navigator.onLine ? "away" : "offline"}"${marks}${look}`);
  return new Response(html, { headers: kept.headers });
};

/* What is at an address that isn't kept: the lasting address of a paragraph or a noun leads to its page, if that is kept; else a list of what is. */
const elsewhere = async (path) => {
  const pages = await store(PAGES);
  const [, book, game, kind, name] = OF_BOOK.exec(path) ?? [];
  if (kind === "glossary" && (await pages.match(`${book}glossary/`))) return Response.redirect(`${book}glossary/#${game}-${name}`);
  for (const request of kind === "p" ? await pages.keys() : []) {
    const at = pathOf(request);
    if (!at.startsWith(book) || at.endsWith("/whole/")) continue;
    if ((await (await pages.match(request)).text()).includes(` id="${name}"`)) return Response.redirect(`${at}#${name}`);
  }
  const offline = await pages.match(offlinePage(path));
  return offline ? shown(offline, path, " data-lacks") : Response.error();
};

const fromSite = async (event) => (await event.preloadResponse) ?? fetch(event.request);
const late = () => new Promise((_, reject) => { setTimeout(reject, PATIENCE_MS); });

const page = async (event) => {
  const path = pathOf(event.request);
  const asked = fromSite(event);
  const kept = await keptAt(PAGES, path);
  try {
    const answer = await (kept ? Promise.race([asked, late()]) : asked);
    if (!kept || !AWAY.includes(answer.status)) return answer;
  } catch { /* no connection, or too slow */ }
  return kept ? shown(kept, path) : elsewhere(path);
};

const file = async (request, path) => {
  const kept = await keptAt(FILES, path);
  if (kept && HAS_DIGEST.test(path)) return kept;
  return fetch(request).catch(() => kept ?? Response.error());
};

addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (address.pathname.startsWith(STATIC)) event.respondWith(file(request, address.pathname));
  else if (request.mode === "navigate") event.respondWith(page(event));
});
