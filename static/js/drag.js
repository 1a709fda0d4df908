/* Pieces that are dragged to their places. A game's style says which ones (--lift); lifting a piece is the choice of it, and letting it go on
   a place that is lit is a press on that place, so a drag asks and plays what two taps would. Let go anywhere else, it goes back. */
(() => {
  "use strict";
  const FAR_PX = 6; // less is a click
  const RAISE_PX = 40; // a finger hides what is under it, so the piece is above it
  const BACK_MS = 160;
  const find = (selector) => document.querySelector(selector);
  const version = () => find("#table")?.dataset.version;
  const chosen = () => find("#action")?.dataset.chosen ?? null;
  const actionOf = (link) => new URLSearchParams(link.getAttribute("href")).get("a") ?? "";
  let held = null; // { id, prefix, link, x, y, raise, ghost, before, version, aim, isDropped }
  let isDrag = false; // the last press was one, so it is no click

  const isPiece = (link) => getComputedStyle(link).getPropertyValue("--lift").trim() === "1" && !(chosen() && actionOf(link).startsWith(`${chosen()} `));
  const placeAt = (x, y) => {
    const place = document.elementFromPoint(x, y)?.closest("#table a[data-target]");
    return place && actionOf(place).startsWith(`${held.prefix} `) ? place : null;
  };
  const refusedAt = (x, y) => { // a place that is not lit leads to the reason
    const place = document.elementFromPoint(x, y - held.raise)?.closest("#board a[href]:not([data-target])");
    return place && actionOf(place).startsWith(`${held.prefix} `) ? place.getAttribute("href") : null;
  };
  const show = (query) => document.dispatchEvent(new CustomEvent("table:show", { detail: { query, failed: () => putBack() } }));
  const look = (node) => (node ?? document).dispatchEvent(new CustomEvent("table:look", { bubbles: true }));

  const lift = () => {
    const picture = held.link.querySelector("svg") ?? find(`#${CSS.escape(held.link.id)} ~ svg`);
    const from = held.link.getBoundingClientRect();
    const cell = find("[data-grid] [role='gridcell']")?.getBoundingClientRect().width ?? 0;
    const size = Math.max(1.15 * cell, 28);
    const ghost = document.createElement("div");
    ghost.className = "lifted";
    ghost.style.width = ghost.style.height = `${size}px`;
    if (picture) {
      const copy = ghost.appendChild(picture.cloneNode(true));
      for (const name of ["class", "role", "aria-label"]) copy.removeAttribute(name);
    }
    document.body.append(ghost);
    ghost.setPointerCapture(held.id); // the link may be replaced while it is dragged
    Object.assign(held, { ghost, size, version: version(), before: location.search, home: [from.x + from.width / 2, from.y + from.height / 2] });
    document.documentElement.classList.add("is-lifting");
    isDrag = true;
    if (chosen() !== held.prefix) show(`?${new URLSearchParams({ a: held.prefix })}`);
  };

  const aimAt = (place) => {
    if (place === held.aim && (!place || place.isConnected)) return;
    find(".is-aim")?.classList.remove("is-aim");
    held.aim = place;
    place?.classList.add("is-aim");
    look(place);
  };
  const draw = () => {
    const [x, y] = [held.x, held.y - held.raise];
    held.ghost.style.transform = `translate(${x - held.size / 2}px, ${y - held.size / 2}px)`;
    if (chosen() === held.prefix) aimAt(placeAt(x, y));
  };

  /* Everything as it was before, but for the question, which the caller shows. */
  const release = () => {
    const was = held;
    held = null;
    document.documentElement.classList.remove("is-lifting");
    find(".is-aim")?.classList.remove("is-aim");
    look(null);
    return was;
  };
  const putBack = (refused = null) => {
    if (!held) return;
    const { ghost, home, size, prefix, before } = release();
    if (!ghost) return;
    const to = `translate(${home[0] - size / 2}px, ${home[1] - size / 2}px)`;
    const ms = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : BACK_MS;
    ghost.animate([{}, { transform: to, opacity: 0.4 }], { duration: ms, easing: "ease-in" }).finished.then(() => ghost.remove());
    if (refused) show(refused);
    else if (chosen() === prefix && (new URLSearchParams(before).get("a") ?? "") !== prefix) show(before);
  };
  const play = () => {
    const { ghost, aim } = release();
    ghost.remove();
    aim.focus({ preventScroll: true });
    aim.click(); // what a tap on a place does, is known there: play, or ask
  };

  document.addEventListener("pointerdown", (event) => {
    if (event.isPrimary) isDrag = false;
    if (held) { putBack(); return; } // a second finger
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest?.("#table a[href^='?a=']");
    if (!link || !isPiece(link)) return;
    held = { id: event.pointerId, prefix: actionOf(link), link, fromX: event.clientX, fromY: event.clientY, raise: event.pointerType === "touch" ? RAISE_PX : 0 };
  }, true);
  document.addEventListener("pointermove", (event) => {
    if (held?.id !== event.pointerId || held.isDropped) return;
    [held.x, held.y] = [event.clientX, event.clientY];
    if (!held.ghost) {
      if (Math.hypot(held.x - held.fromX, held.y - held.fromY) < FAR_PX) return;
      lift();
    }
    draw();
  });
  document.addEventListener("pointerup", (event) => {
    if (held?.id !== event.pointerId || held.isDropped) return;
    if (!held.ghost) { held = null; return; }
    [held.x, held.y] = [event.clientX, event.clientY];
    if (chosen() !== held.prefix) { held.isDropped = true; return; } // the choice is on its way: then it is played
    draw();
    if (held.aim) play(); else putBack(refusedAt(held.x, held.y));
  });
  document.addEventListener("pointercancel", (event) => { if (held?.id === event.pointerId) putBack(); });
  addEventListener("blur", () => putBack());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !held?.ghost) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    putBack();
  }, true);

  /* The table was drawn anew: with the choice, with the same question as before, or with another position. */
  const follow = () => {
    if (!held?.ghost) return;
    if (version() !== held.version || chosen() === null) { putBack(); return; }
    if (chosen() !== held.prefix) {
      if (held.isDropped) putBack(); else show(`?${new URLSearchParams({ a: held.prefix })}`);
      return;
    }
    draw();
    if (!held.isDropped) return;
    if (held.aim) play(); else putBack(refusedAt(held.x, held.y));
  };
  document.addEventListener("table:drawn", follow);
  document.addEventListener("htmx:afterSettle", follow);

  /* A drag is no click, and the browser's own way to drag a link is none of ours. */
  document.addEventListener("click", (event) => {
    if (!isDrag || !event.isTrusted || !event.detail) return;
    isDrag = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  document.addEventListener("dragstart", (event) => { if (held) event.preventDefault(); });
  document.addEventListener("contextmenu", (event) => { if (held?.ghost) event.preventDefault(); });
})();
