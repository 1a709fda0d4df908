/* The map window ([data-map-window]): which part of the board ([data-map-box]) is shown, and how large. The view is kept in a style sheet of
   its own, so that neither an answer that replaces the region nor a picture of the reel changes it.
   A board of squares ([data-grid]) is shown whole between the choices of a square, until the person chooses a size. */
(() => {
  "use strict";
  const TOUCH_PX = 40; // a target on touch screens
  const SQUARE_PX = 44; // a square of a board of squares, which have no gaps between them
  const SMALL_PX = 30; // squares smaller than this are enlarged by the first tap
  const AT_STAKE = 10; // a square beside a kingdom counts as much as so many others
  const HIT_PX = 22; // a tap this far from the middle of a target still means it
  const DRAG_PX = 6; // less is a click
  const EDGE_PX = 40; // what has the focus is this far from the edge
  const MOST = 6;
  const MOST_TO_START = { coarse: 4, fine: 2.2 };
  const STEP = 1.4;
  const MARGIN = 0.05; // around the targets, of the board
  const THIN_MARGIN = 0.01; // around a region
  const ALMOST = 1.25; // a view this large shows the whole board instead

  const find = (selector) => document.querySelector(selector);
  if (!("adoptedStyleSheets" in document)) return; // the board stays whole
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("[data-map-window] {} [data-map-box] {} [data-map-mini] {} [data-map-view] {}");
  const [pane, box, mini, frame] = [...sheet.cssRules].map((rule) => rule.style);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  const cells = () => find("[data-map-box][data-grid] [role='gridcell']");
  const isCoarse = matchMedia("(pointer: coarse)");
  const key = `map ${location.pathname}`;
  let at = { z: 1, x: 0.5, y: 0.5 }; // size, and the point of the board in the middle of the window
  let isOwn = false; // the person has chosen this view
  let isOpen = false; // the view has been opened on targets
  const keep = (isSize = true) => {
    if (cells() && !isSize) return; // squares at stake move with each question
    isOwn = true;
    try { sessionStorage.setItem(key, JSON.stringify(at)); } catch { /* for this page only */ }
  };

  /* A game's style says where its window is at work: there its buttons are shown. */
  const isAtWork = () => { const tools = find("[data-map-tools]"); return Boolean(tools && getComputedStyle(tools).display !== "none"); };

  /* Where a style puts the buttons in a column, a board of squares that is shown whole stands beside them. */
  const measure = () => {
    const all = find("[data-map-window]").getBoundingClientRect();
    const it = find("[data-map-tools] > *").getBoundingClientRect();
    const drawn = find("[data-map-box] > svg").viewBox.baseVal;
    const ratio = drawn.width / drawn.height;
    const width = all.width;
    const free = cells() && it.height > it.width ? it.left - all.left : width;
    return { width, height: all.height, ratio, free, isBelow: Boolean(cells()) || it.width > it.height, fit: Math.min(free, all.height * ratio) };
  };
  const between = (least, value, most) => Math.min(Math.max(value, least), most);

  const written = new Map(); // the same style once more would be worked out anew
  const put = (style, text) => {
    if (written.get(style) === text) return;
    written.set(style, text);
    style.cssText = text;
  };

  /* So far a map can be dragged beyond its edge, and what lies behind the buttons and the overview comes out. */
  const behindTools = () => {
    const [all, it, small] = ["[data-map-window]", "[data-map-tools] > *", "[data-map-mini]"].map((node) => find(node).getBoundingClientRect());
    return [...(it.width > it.height ? [0, it.bottom - all.top] : [all.right - it.left, 0]), small.height ? all.bottom - small.top : 0];
  };

  const draw = () => {
    if (!find("[data-map-window]")) return;
    if (!isAtWork()) {
      for (const style of [pane, box, mini, frame]) put(style, "");
      return;
    }
    const { width, height, ratio, free, isBelow, fit } = measure();
    at.z = between(1, at.z, MOST);
    const w = fit * at.z;
    const h = w / ratio;
    const seen = [Math.min(width / w, 1), Math.min(height / h, 1)];
    const isWhole = w <= width + 1 && h <= height + 1;
    const middle = (w <= free + 1 ? free : width) / 2;
    const [right, top, bottom] = at.isDragged && !isWhole ? behindTools() : [0, 0, 0];
    at.x = between(seen[0] / 2, at.x, 1 - seen[0] / 2 + right / w);
    at.y = between(seen[1] / 2 - top / h, at.y, 1 - seen[1] / 2 + bottom / h);
    const above = isBelow && h < height ? height / h - 1 : height / 2 / h - at.y; // the buttons are above what is shown whole
    put(box, `width: ${100 * w / width}%; transform: translate(${100 * (middle / w - at.x)}%, ${100 * above}%)`);
    put(pane, isWhole ? "touch-action: pan-y" : "touch-action: none; cursor: grab");
    put(mini, isWhole ? "display: none" : "");
    put(frame, `left: ${100 * (at.x - seen[0] / 2)}%; top: ${100 * (at.y - seen[1] / 2)}%; width: ${100 * seen[0]}%; height: ${100 * seen[1]}%`);
  };

  /* Resize, keeping a point of the window (its middle, if none is given) where it is. */
  const resize = (factor, point = null) => {
    const { width, height, ratio, fit } = measure();
    const there = find("[data-map-window]").getBoundingClientRect();
    const z = between(1, at.z * factor, MOST);
    const [dx, dy] = point ? [point[0] - there.x - width / 2, point[1] - there.y - height / 2] : [0, 0];
    const shift = 1 / (fit * at.z) - 1 / (fit * z);
    at = { z, x: at.x + dx * shift, y: at.y + dy * ratio * shift };
    keep();
    draw();
  };
  const move = (dx, dy) => {
    const { ratio, fit } = measure();
    at.x -= dx / (fit * at.z);
    at.y -= dy * ratio / (fit * at.z);
    at.isDragged = true;
    draw();
  };
  const whole = () => { at = { z: 1, x: 0.5, y: 0.5 }; };
  const showAll = () => {
    whole();
    keep();
    if (cells()) { isOwn = false; sessionStorage.removeItem(key); }
    draw();
  };

  /* Places, as parts of the board. */
  const isPlace = (link) => !cells() || link.getAttribute("href").endsWith(link.id.slice("cell-".length)); // and not a leader to be moved
  const targets = () => [...document.querySelectorAll("[data-map-box] [data-target]")].filter(isPlace);
  const boxOf = (place) => {
    const [all, it] = [find("[data-map-box]").getBoundingClientRect(), place.getBoundingClientRect()];
    return { left: (it.left - all.left) / all.width, right: (it.right - all.left) / all.width,
      top: (it.top - all.top) / all.height, bottom: (it.bottom - all.top) / all.height };
  };
  const around = (boxes, margin) => ({
    left: Math.min(...boxes.map((it) => it.left)) - margin, right: Math.max(...boxes.map((it) => it.right)) + margin,
    top: Math.min(...boxes.map((it) => it.top)) - margin, bottom: Math.max(...boxes.map((it) => it.bottom)) + margin,
  });
  const centreOf = (it) => [(it.left + it.right) / 2, (it.top + it.bottom) / 2];

  /* The size at which no two targets are closer to each other than a finger is wide. */
  const sizeForFingers = (boxes) => {
    const { ratio, fit } = measure();
    if (cells()) return SQUARE_PX / (fit * (boxes[0].right - boxes[0].left));
    let least = Infinity;
    const centres = boxes.map(centreOf);
    centres.forEach(([x, y], n) => { for (const [u, v] of centres.slice(n + 1)) least = Math.min(least, Math.hypot(x - u, (y - v) / ratio)); });
    return TOUCH_PX / (fit * least);
  };

  /* How much each target counts: a square beside a kingdom is more than one in the desert. */
  const atStake = (boxes) => {
    const kingdoms = cells() ? [...document.querySelectorAll("[data-map-box] [role='gridcell'][data-k]")].map(boxOf) : [];
    const isBeside = (one, other) => Math.abs(one.left - other.left) < 1.5 * (one.right - one.left) && Math.abs(one.top - other.top) < 1.5 * (one.bottom - one.top);
    return boxes.map((it) => (kingdoms.some((other) => isBeside(it, other)) ? AT_STAKE : 1));
  };

  const showBoxes = (boxes, most, margin) => {
    const { width, height, ratio, fit } = measure();
    const all = around(boxes, margin);
    const size = Math.min(width / (fit * (all.right - all.left)), height * ratio / (fit * (all.bottom - all.top)), most);
    [at.x, at.y] = centreOf(all);
    at.z = size;
    at.isDragged = false;
  };

  /* What is at stake: all targets, or as many as fit at the size that fingers need. */
  const open = () => {
    const boxes = targets().map(boxOf).filter((it) => it.right > it.left);
    if (!boxes.length) return false;
    const isForFingers = isCoarse.matches || Boolean(cells());
    showBoxes(boxes, cells() ? sizeForFingers(boxes) : isForFingers ? MOST_TO_START.coarse : MOST_TO_START.fine, MARGIN);
    if (!isForFingers && at.z < ALMOST) at.z = 1;
    if (isForFingers) at.z = Math.max(at.z, Math.min(sizeForFingers(boxes), MOST));
    const { width, height, ratio, fit } = measure();
    const centres = boxes.map(centreOf);
    const weights = atStake(boxes);
    const isIn = ([u, v], [x, y]) => Math.abs(u - x) * 2 < width / fit / at.z && Math.abs(v - y) * 2 < height * ratio / fit / at.z;
    const inView = (middle) => centres.reduce((sum, it, n) => sum + (isIn(it, middle) ? weights[n] : 0), 0);
    [at.x, at.y] = [[at.x, at.y], ...centres].reduce((best, it) => (inView(it) > inView(best) ? it : best));
    isOpen = true;
    draw();
    return true;
  };

  const isSeenAt = (it) => {
    const all = find("[data-map-window]").getBoundingClientRect();
    const [x, y] = [it.x + it.width / 2, it.y + it.height / 2];
    return x > all.left && x < all.right && y > all.top && y < all.bottom;
  };
  const isSeen = (place) => isSeenAt(place.getBoundingClientRect());

  /* A question about places that are all out of sight moves the view: its size is the person's, once chosen. Until then most must be seen. */
  const follow = () => {
    draw();
    if (!find("[data-map-window]") || !isAtWork()) return;
    if (cells() && find(".is-lifting")) return; // the board stands still under a piece that is dragged
    const all = targets();
    const seen = all.filter(isSeen).length;
    if (cells() && !isOwn && (!all.length || (isOpen && seen))) {
      if (!all.length && isOpen) { whole(); isOpen = false; draw(); }
      return;
    }
    if (!all.length || (seen && (isOwn || (isOpen && 2 * seen >= all.length)))) return;
    if (!isOwn) { open(); return; }
    [at.x, at.y] = centreOf(around(all.map(boxOf), MARGIN));
    at.isDragged = false;
    draw();
  };

  const bring = (it) => {
    const all = find("[data-map-window]").getBoundingClientRect();
    const by = (from, to, least, most) => {
      if (to - from > most - least - 2 * EDGE_PX) return (least + most - from - to) / 2;
      return Math.max(0, least + EDGE_PX - from) + Math.min(0, most - EDGE_PX - to);
    };
    move(by(it.left, it.right, all.left, all.right), by(it.top, it.bottom, all.top, all.bottom));
  };

  /* A step of the reel out of sight: the view goes there, and stays as large as it is. */
  document.addEventListener("steps:look", ({ detail }) => {
    const board = find("[data-map-box]");
    if (!board || !isAtWork() || detail.boxes.every(isSeenAt)) return;
    const [was, from] = [board.getBoundingClientRect(), box.transform];
    bring(around(detail.boxes, 0));
    const is = board.getBoundingClientRect();
    const slide = detail.ms ? board.animate([{ transform: from }, { transform: box.transform }], { duration: detail.ms, easing: "ease-in-out" }).finished : null;
    detail.moved = { x: is.x - was.x, y: is.y - was.y, over: slide?.catch(() => {}) };
  });
  document.addEventListener("reel:over", () => follow()); // the question may be somewhere else

  /* Buttons, keys, wheel */
  const ACTS = { in: () => resize(STEP), out: () => resize(1 / STEP), all: showAll };
  document.addEventListener("click", (event) => {
    const name = event.target.closest?.("[data-map-tools] [data-size]")?.dataset.size;
    if (name) ACTS[name]();
    const shown = event.target.closest?.("[data-shows] > summary");
    const group = shown && !shown.parentElement.open && document.getElementById(shown.parentElement.dataset.shows);
    if (!group || !isAtWork()) return;
    showBoxes([...group.children].map(boxOf), MOST, THIN_MARGIN);
    keep();
    draw();
  });
  const KEYS = { "+": "in", "-": "out", 0: "all" };
  document.addEventListener("keydown", (event) => {
    if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey || !document.getElementById("keys")) return;
    if (!find("[data-map-window]") || !isAtWork() || find("dialog[open]") || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    ACTS[KEYS[event.key]]();
  });
  document.addEventListener("wheel", (event) => {
    if (!(event.ctrlKey || event.metaKey) || !event.target.closest?.("[data-map-window]") || !isAtWork()) return;
    event.preventDefault();
    resize(Math.exp(-event.deltaY / 300), [event.clientX, event.clientY]);
  }, { passive: false });

  /* Fingers and the mouse: one drags, two resize. A drag is no click. */
  const touches = new Map();
  let isDrag = false;
  let kind = "mouse";
  document.addEventListener("pointerdown", (event) => {
    kind = event.pointerType;
    if (event.isPrimary) { touches.clear(); isDrag = false; }
    if (event.button || !event.target.closest?.("[data-map-window]") || event.target.closest("[data-map-tools]") || !isAtWork()) return;
    const small = event.target.closest("[data-map-mini]");
    if (small) {
      const it = small.getBoundingClientRect();
      [at.x, at.y] = [(event.clientX - it.x) / it.width, (event.clientY - it.y) / it.height];
      keep(false);
      draw();
      return;
    }
    touches.set(event.pointerId, { x: event.clientX, y: event.clientY, fromX: event.clientX, fromY: event.clientY });
  });
  document.addEventListener("pointermove", (event) => {
    const was = touches.get(event.pointerId);
    if (!was || !find("[data-map-window]")) return;
    const others = [...touches].filter(([id]) => id !== event.pointerId).map(([, it]) => it);
    const now = { ...was, x: event.clientX, y: event.clientY };
    if (!isDrag && !others.length && Math.hypot(now.x - was.fromX, now.y - was.fromY) < DRAG_PX) return;
    touches.set(event.pointerId, now);
    if (!others.length) {
      if (!isDrag && pane.cursor !== "grab") return; // nothing is out of sight
      isDrag = true;
      move(now.x - was.x, now.y - was.y);
      keep(false);
      return;
    }
    isDrag = true;
    const [other] = others;
    const span = (it) => Math.hypot(it.x - other.x, it.y - other.y);
    move((now.x - was.x) / 2, (now.y - was.y) / 2);
    if (span(was)) resize(span(now) / span(was), [(now.x + other.x) / 2, (now.y + other.y) / 2]);
  });
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, (event) => touches.delete(event.pointerId));
  document.addEventListener("dragstart", (event) => { if (event.target.closest?.("[data-map-window]")) event.preventDefault(); });

  /* A finger that misses a small target by little means it. */
  document.addEventListener("click", (event) => {
    if (!event.detail || !event.isTrusted || !event.target.closest?.("[data-map-window]")) return;
    if (isDrag) {
      isDrag = false;
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    const square = event.target.closest("[data-grid] [role='gridcell']");
    if (square && isAtWork() && square.getBoundingClientRect().width < SMALL_PX && targets().length) { // shown whole by the person
      const it = boxOf(square);
      at = { z: sizeForFingers([it]), x: centreOf(it)[0], y: centreOf(it)[1] };
      isOpen = true;
      draw();
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    if (kind === "mouse" || event.target.closest("[data-target], [data-map-tools]")) return;
    const far = (place) => {
      const it = place.getBoundingClientRect();
      return Math.hypot(it.x + it.width / 2 - event.clientX, it.y + it.height / 2 - event.clientY);
    };
    const near = targets().filter((place) => far(place) <= HIT_PX).sort((one, other) => far(one) - far(other))[0];
    if (!near) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    near.dispatchEvent(new PointerEvent("click", { bubbles: true, cancelable: true, view: window, detail: event.detail,
      clientX: event.clientX, clientY: event.clientY, pointerId: event.pointerId, pointerType: kind }));
  }, true);

  document.addEventListener("focusin", (event) => {
    if (event.target.closest?.("[data-map-box]") && event.target.matches(":focus-visible") && isAtWork()) bring(event.target.getBoundingClientRect());
  });
  document.addEventListener("htmx:afterSettle", follow);
  document.addEventListener("table:drawn", follow);
  new ResizeObserver(draw).observe(document.body);
  addEventListener("resize", draw);

  try {
    const kept = JSON.parse(sessionStorage.getItem(key));
    if (kept) { at = { z: Number(kept.z) || 1, x: Number(kept.x) || 0, y: Number(kept.y) || 0 }; isOwn = true; }
  } catch { /* as if nothing were kept */ }
  follow();
  if (!isOwn && !isOpen) addEventListener("load", follow, { once: true }); // the shapes of the map come in a file of their own
})();
