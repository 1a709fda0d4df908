// The language switch of a rule page keeps the paragraph that the address names.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-keep-anchor]");
  if (link && location.hash) link.hash = location.hash;
});
