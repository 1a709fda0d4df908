/* Offers names for what has been typed of one ([data-names] is the address that knows them), in the list that belongs to the field. */
(() => {
  "use strict";
  const WAIT_MS = 180;
  const FEWEST_LETTERS = 2;
  let timer = 0;
  let asked = "";

  const offer = async (field) => {
    const start = field.value.trim();
    if (start.length < FEWEST_LETTERS || start.includes("@") || start === asked) return;
    asked = start;
    try {
      const answer = await fetch(`${field.dataset.names}?${new URLSearchParams({ start })}`);
      if (!answer.ok) return;
      const { names, marked } = await answer.json();
      if (start !== asked) return; // more has been typed
      const option = (name) => Object.assign(document.createElement("option"), { value: name }, marked[name] && { label: marked[name] });
      field.list?.replaceChildren(...names.map(option));
    } catch { /* without a connection the name is typed to its end */ }
  };

  document.addEventListener("input", (event) => {
    if (!event.target.dataset?.names) return;
    clearTimeout(timer);
    timer = setTimeout(() => offer(event.target), WAIT_MS);
  });
})();
