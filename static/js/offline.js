// Rule books offline: what is read is kept on the device by the service worker (sw.js), and whole books when their reader asks for it.
// Without a service worker nothing of this shows.
(() => {
  "use strict";
  const { worker, scopes } = document.currentScript.dataset;
  const workers = navigator.serviceWorker;
  if (!workers || !navigator.locks) return; // no https, or an old browser
  const isCopy = "kept" in document.documentElement.dataset;

  // Hands a job to the worker; `heard` gets its news on the way.
  const ask = async (job, path, heard = () => {}) => {
    const { active } = await workers.ready;
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      port1.onmessage = ({ data }) => (data.is ? resolve(data) : heard(data));
      active.postMessage({ job, path }, [port2]);
    });
  };

  const offerBook = async (box) => {
    const { book } = box.dataset;
    const [keep, remove, progress, said] = ["keep", "remove", "progress", "said"].map((name) => box.querySelector(`.keep__${name}`));
    const show = (isKept, news = "") => {
      keep.hidden = isKept;
      remove.hidden = !isKept;
      keep.disabled = false;
      progress.hidden = true;
      said.textContent = said.dataset[news] ?? "";
    };
    const press = async (button, job) => {
      const hadFocus = document.activeElement === button;
      const { is } = await ask(job, book, ({ done, of }) => Object.assign(progress, { max: of, value: done }));
      show(is === "done" ? job === "keep" : remove.hidden === false, is === "done" ? job : is);
      if (hadFocus) [keep, remove].find((one) => !one.hidden).focus();
    };
    keep.addEventListener("click", () => {
      navigator.storage?.persist?.(); // so that the browser doesn't delete it for want of room
      keep.disabled = true;
      progress.hidden = false;
      progress.removeAttribute("value");
      press(keep, "keep");
    });
    remove.addEventListener("click", () => press(remove, "remove"));
    const isKept = (await ask("list")).books.includes(book);
    show(isKept, isKept ? "keep" : "");
    box.hidden = isCopy && !isKept;
  };

  const listKept = async (place) => {
    const { pages, books } = await ask("list");
    for (const link of place.querySelectorAll("a[data-page]")) link.parentElement.hidden = !pages.includes(link.pathname);
    for (const book of place.querySelectorAll("[data-book]")) {
      book.hidden = !book.querySelector("li:not([hidden])");
      book.querySelector(".badge").hidden = !books.includes(book.dataset.book);
    }
    place.querySelector(".kept__nothing").hidden = Boolean(place.querySelector("[data-book]:not([hidden])"));
    place.querySelector(".kept__forget").hidden = !pages.length; // the shelf, or another language's pages, may be all that is kept
  };

  const start = async () => {
    if (!isCopy) await Promise.all(scopes.trim().split(" ").map((scope) => workers.register(worker, { scope })));
    const box = document.getElementById("keep-book");
    const kept = document.getElementById("kept-books");
    if (box) await offerBook(box);
    if (kept) {
      await listKept(kept);
      kept.querySelector(".kept__forget").addEventListener("click", async () => {
        await ask("forget");
        await listKept(kept);
        kept.querySelector(".kept__nothing").focus(); // the button is gone
      });
    }
    if (!isCopy && !navigator.connection?.saveData) await ask("visit", location.pathname);
    for (const link of document.querySelectorAll("[data-if-kept]")) link.hidden = !(await ask("list")).pages.length;
  };
  addEventListener("load", () => start().catch(() => {})); // a browser that keeps nothing
})();
