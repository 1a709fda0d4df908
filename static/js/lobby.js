/* The lobby: keeps the list of open tables fresh while somebody looks at it. A list that is in use, by keyboard or under the mouse, is left alone. */
(() => {
  "use strict";
  const EVERY_MS = 8000;
  const place = document.querySelector("[data-list]");
  const TOKEN = / value="[^"]*"/g; // each answer has its own token in the forms
  const bare = (html) => html.replace(TOKEN, "");
  let shown = "";

  const look = async () => {
    if (document.hidden || place.matches(":hover, :focus-within")) return;
    const answer = await fetch(place.dataset.list);
    if (!answer.ok) return; // the next look may do better
    const found = await answer.text();
    if (shown && bare(found) !== shown && !place.matches(":hover, :focus-within")) place.innerHTML = found;
    shown = bare(found);
  };

  const again = () => look().catch(() => {}); // without a connection the list stays
  if (!place) return;
  setInterval(again, EVERY_MS);
  document.addEventListener("visibilitychange", again);
  again();
})();
