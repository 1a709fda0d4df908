/* Visitors keep their colours in the browser; before the first paint, so that nothing changes its colour on the way. */
try {
  const { colours } = JSON.parse(localStorage.getItem("preferences") ?? "{}");
  if (colours === "safe") document.documentElement.dataset.colours = colours;
} catch { /* the browser keeps nothing */ }
