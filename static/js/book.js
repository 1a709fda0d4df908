// Rule books: conveniences for reading. Every page works without script.
// The language switch of a rule page keeps the paragraph of the address.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-keep-anchor]");
  if (link && location.hash) link.hash = location.hash;
});

// After a step of an example the focus stays on the same button; at the first and last step it moves to the title.
document.addEventListener("htmx:afterSettle", (event) => {
  const figure = document.getElementById(event.detail.target.id);
  if (figure && !figure.contains(document.activeElement)) {
    document.getElementById(`${figure.id}-title`)?.focus({ preventScroll: true });
  }
});
