// Status page: asks for the parts of the site every half minute while somebody looks. Works without script, by its button.
const EVERY_MS = 30_000;
const WITHIN_MS = 10_000;
const page = document.getElementById("status");
const lost = document.getElementById("status-lost");
const headline = document.getElementById("status-headline");

async function ask() {
  const answer = await fetch(page.dataset.part, { cache: "no-store", signal: AbortSignal.timeout(WITHIN_MS) });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("status-now");
}

async function refresh() {
  if (document.hidden) return;
  try {
    const now = await ask();
    document.getElementById("status-now").replaceWith(now);
    // The headline is a live region: it speaks only when it changes.
    if (headline.textContent !== now.dataset.headline) headline.textContent = now.dataset.headline;
    lost.hidden = true;
  } catch {
    lost.hidden = false;
  }
}

setInterval(refresh, EVERY_MS);
document.addEventListener("visibilitychange", refresh);
