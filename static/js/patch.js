/* Puts an answer into the region of the table: what the page has stays where it is, and only what differs is exchanged. A region that is
   replaced as a whole is styled and laid out as a whole, however little of it has changed. */
(() => {
  "use strict";
  let parts = null; // pieces of the page that the request has named, by id

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "table") return;
    parts = event.detail.requestConfig.parts;
    event.detail.swapOverride = "patch show:none";
  });

  /* Marks as elements that may stand everywhere, in pictures and tables too. */
  const MARK = /<i (data-(?:keep="[\w -]+"|strip))><\/i>/g;
  const isMark = (node) => node.localName === "template";
  const namesOf = (mark) => mark.getAttribute("data-keep")?.split(" ") ?? [];
  const keptOf = (mark) => {
    if (!mark.hasAttribute("data-strip")) return namesOf(mark).map((id) => parts?.get(id)).filter(Boolean);
    const strip = document.getElementById("reel");
    return strip ? [strip] : [];
  };

  /* New elements take what they have marks for. A piece of a larger piece is copied: the reel may ask for the larger one as it was. */
  const fill = (fresh) => {
    for (const mark of fresh.querySelectorAll("template")) {
      mark.replaceWith(...keptOf(mark).map((it) => (it.parentElement?.closest("[data-h]") ? it.cloneNode(true) : it)));
    }
    return fresh;
  };

  const take = (old, fresh) => {
    for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    for (const name of old.getAttributeNames()) {
      if (!fresh.hasAttribute(name) && !(name === "open" && old.id)) old.removeAttribute(name); // what is open stays so
    }
  };

  /* An element that is no piece (a frame around pieces) is brought up to date; pieces stay or go as a whole. */
  const isFrame = (old, fresh) => old.localName === fresh.localName && old.id === fresh.id && !old.dataset.h && !fresh.dataset.h;
  const isSame = (old, fresh) => old.id === fresh.id && old.dataset.h && old.dataset.h === fresh.dataset.h;

  const patch = (old, fresh, added) => {
    take(old, fresh);
    const ids = new Map([...old.children].filter((it) => it.id).map((it) => [it.id, it]));
    const wanted = [...fresh.childNodes].flatMap((node) => (isMark(node) ? keptOf(node) : [node]));
    const names = new Set(wanted.map((node) => node.id).filter(Boolean));
    let at = old.firstChild;
    const drop = () => { const gone = at; at = at.nextSibling; gone.remove(); };
    const put = (node) => { if (node === at) at = at.nextSibling; else old.insertBefore(node, at); };
    for (const node of wanted) {
      while (at?.id && !names.has(at.id)) drop();
      if (node.nodeType === Node.TEXT_NODE) {
        if (at?.nodeType !== Node.TEXT_NODE) { put(node); continue; }
        if (at.data !== node.data) at.data = node.data;
        at = at.nextSibling;
        continue;
      }
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      while (at && at.nodeType !== Node.ELEMENT_NODE) drop();
      while (at?.id && !names.has(at.id)) drop();
      const found = node.id ? ids.get(node.id) : at && !at.id ? at : null;
      if (found === node) put(node);
      else if (found && isSame(found, node)) put(found);
      else if (found && isFrame(found, node)) { put(found); patch(found, node, added); }
      else {
        if (found && found === at) drop(); else found?.remove();
        put(fill(node));
        added.push(node);
      }
    }
    while (at) drop();
  };

  htmx.defineExtension("patch", {
    transformResponse: (text) => text.replace(MARK, "<template $1></template>"),
    handleSwap: (_style, old, fragment, settled) => {
      const fresh = fragment.querySelector("#table");
      if (old.id !== "table" || !fresh) return false;
      const added = [];
      const isReeling = Boolean(old.querySelector(".is-reeling"));
      if (isReeling || old.localName !== fresh.localName || old.classList[0] !== fresh.classList[0]) {
        old.replaceWith(fill(fresh)); // a picture of the reel stands there, or another kind of page follows
        added.push(fresh);
      } else {
        patch(old, fresh, added);
      }
      const now = document.getElementById("table");
      if (!settled.elts.includes(now)) settled.elts.push(now); // htmx tells of each of them, and of one twice if it is there twice
      return added;
    },
  });
})();
