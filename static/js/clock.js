/* Counts the running clocks of a table down, by the server's time, and says seldom how much is left of the reader's own. */
(() => {
  const live = document.getElementById("live");
  const TOLD_S = [60, 30, 10];
  const { responseStart = performance.now() } = performance.getEntriesByType("navigation")[0] ?? {};
  const arrived = Date.now() - (performance.now() - responseStart);
  const ahead = Number(live.dataset.served) * 1000 + 500 - arrived; // the server's clock of this device's; it is served in whole seconds
  const skew = Math.abs(ahead) > 3000 ? ahead : 0; // less than that is the way here
  const two = (number) => String(number).padStart(2, "0");
  const words = (amount, unit) => new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "short" }).format(amount);
  let told = { until: "", seconds: Infinity };

  const text = (seconds, kind) => {
    const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
    if (kind === "days") {
      if (days) return `${words(days, "day")} ${words(hours, "hour")}`;
      return hours ? `${words(hours, "hour")} ${words(minutes, "minute")}` : words(minutes, "minute");
    }
    const whole = days * 24 + hours;
    return whole ? `${whole}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  };

  const announce = (clock, seconds) => {
    if (told.until !== clock.dateTime) told = { until: clock.dateTime, seconds: Infinity };
    const next = TOLD_S.find((limit) => seconds <= limit && seconds > limit - 3);
    if (!next || next >= told.seconds) return;
    told.seconds = next;
    const left = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: "second", unitDisplay: "long" }).format(next);
    live.textContent = live.dataset.left.replace("{time}", left);
  };

  const tick = () => {
    const now = Date.now() + skew;
    for (const clock of document.querySelectorAll("#table time[data-clock]")) {
      const seconds = Math.max(0, Math.ceil((new Date(clock.dateTime) - now) / 1000));
      clock.title ||= clock.textContent.trim();
      const said = text(seconds, clock.dataset.clock);
      if (clock.textContent !== said) clock.textContent = said;
      if (clock.dataset.clock !== "live") continue;
      clock.classList.toggle("is-short", seconds <= 60);
      if (clock.closest("#turn") && document.querySelector("#table[data-mine]")) announce(clock, seconds);
    }
  };

  document.addEventListener("htmx:afterSwap", tick);
  document.addEventListener("table:drawn", tick);
  tick();
  setInterval(tick, 1000);
})();
