/* Preferences at the table: a panel that is fetched when it is opened first. What is chosen applies at once, and is kept for the person,
   or for visitors in the browser. Whoever reads a preference finds it on the button: data-pace, and data-volume while sounds are on. */
(() => {
  "use strict";
  const opener = document.getElementById("open-preferences");
  if (!opener) return;
  const PACES = { once: "0", quick: "0.5", calm: "1", steps: "-1" };
  const LOOKS = { colours: "standard", pieces: "fine", board_size: "usual" }; // the usual ones are not on the page
  const REGION = ["confirm", "log_detail"]; // what the server draws otherwise
  const speed = document.getElementById("reel-speed");
  const nameOf = (value) => Object.keys(PACES).find((pace) => PACES[pace] === value);
  let panel = null;
  let saving = Promise.resolve();

  const stored = () => {
    try { return JSON.parse(localStorage.getItem("preferences") ?? "{}"); } catch { return {}; }
  };
  const store = (values) => {
    try {
      localStorage.setItem("preferences", JSON.stringify({ ...stored(), ...values }));
      if (values.pace in PACES) localStorage.setItem("reel-speed", PACES[values.pace]);
    } catch { /* for this page only */ }
  };

  const setSound = (isOn, volume) => {
    if (isOn) opener.dataset.volume = volume;
    else delete opener.dataset.volume;
  };

  const say = (text) => { if (panel) panel.querySelector("#preferences-said").textContent = text; };

  /* One after the other, so that the last choice is the one that stays. */
  const save = (values) => {
    saving = saving.then(async () => {
      const { saved, lost } = panel?.querySelector("form").dataset ?? {};
      const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
      try {
        const answer = await fetch(opener.dataset.panel, { method: "POST", body: new URLSearchParams(values), headers: { "X-CSRFToken": token } });
        const isRefusal = answer.status === 422;
        say(answer.ok ? saved : isRefusal ? await answer.text() : lost);
        if (answer.ok && REGION.some((name) => name in values)) await redraw();
      } catch {
        say(lost);
      }
    });
  };
  const redraw = () => {
    const chosen = new URLSearchParams(location.search).get("a");
    const address = document.getElementById("table").dataset.region + (chosen ? `?${new URLSearchParams({ a: chosen })}` : "");
    return htmx.ajax("GET", address, { source: document.body, target: "#table", swap: "outerHTML show:none" });
  };

  const isVisitor = () => !opener.dataset.pace;
  const keep = (values) => { if (isVisitor()) store(values); else save(values); };

  const apply = (form, name) => {
    const value = form.elements[name].value;
    if (name in LOOKS) {
      if (value === LOOKS[name]) document.documentElement.removeAttribute(`data-${name}`);
      else document.documentElement.setAttribute(`data-${name}`, value);
    }
    if (name === "sound" || name === "volume") {
      setSound(form.elements.sound.value === "on", form.elements.volume.value);
      document.dispatchEvent(new CustomEvent("preferences:sound"));
    }
    if (name === "pace" && speed) {
      if (!isVisitor()) opener.dataset.pace = PACES[value];
      speed.value = PACES[value];
      speed.dispatchEvent(new Event("change"));
      return; // the speed of the strip is kept below
    }
    keep({ [name]: value });
  };

  const fillFromBrowser = (form) => {
    const kept = { ...stored(), pace: nameOf(speed?.value) };
    for (const [name, value] of Object.entries(kept)) if (form.elements[name] && value !== undefined) form.elements[name].value = value;
  };

  const menu = opener.closest("details"); // it closes when the panel opens, and has the focus afterwards
  const open = async () => {
    const answer = await fetch(opener.dataset.panel);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const html = await answer.text();
    panel?.remove();
    panel = document.createElement("div");
    panel.id = "preferences";
    panel.className = "preferences";
    panel.popover = "auto";
    panel.setAttribute("role", "dialog");
    panel.setAttribute("aria-labelledby", "preferences-title");
    panel.innerHTML = html;
    document.body.append(panel);
    const form = panel.querySelector("form");
    if (isVisitor()) fillFromBrowser(form);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", (event) => apply(form, event.target.name));
    panel.addEventListener("toggle", ({ newState }) => {
      const at = document.activeElement; // still in the panel, or nowhere, unless something else has been pressed
      if (newState === "closed" && (!at || at === document.body || panel.contains(at))) (menu?.querySelector("summary") ?? opener).focus();
    });
    panel.showPopover();
    menu?.removeAttribute("open");
  };

  if (HTMLElement.prototype.hasOwnProperty("popover")) { // others follow the link to the settings
    opener.setAttribute("role", "button");
    opener.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open().catch(() => { location.href = opener.href; });
    });
    opener.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      opener.click();
    });
  }

  /* The strip of the reel has the same choice of speed. */
  speed?.addEventListener("change", () => {
    const pace = nameOf(speed.value);
    if (!isVisitor()) opener.dataset.pace = speed.value;
    const shown = panel?.querySelector(`[name=pace][value=${pace}]`);
    if (shown) shown.checked = true;
    keep({ pace });
  });

  if (isVisitor()) {
    const { sound, volume } = stored();
    setSound(sound === "on", Number(volume ?? 60));
  }
})();
