/* Visitors keep the looks of boards in the browser; before the first paint, so that nothing changes on the way. */
try {
  const kept = JSON.parse(localStorage.getItem("preferences") ?? "{}");
  for (const [name, chosen] of [["colours", "safe"], ["pieces", "bold"], ["board_size", "large"]]) {
    if (kept[name] === chosen) document.documentElement.setAttribute(`data-${name}`, chosen);
  }
} catch { /* the browser keeps nothing */ }
