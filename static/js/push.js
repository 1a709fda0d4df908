/* Turns web push on for this browser, on the page of the notice settings. Without script, or where the browser can't, the button is not there. */
(() => {
  "use strict";
  const place = document.getElementById("push-here");
  if (!place || !("serviceWorker" in navigator) || !("PushManager" in window)) return;
  const { key, device, worker, denied, failed } = place.dataset;
  const said = document.getElementById("push-said");
  const button = place.querySelector("button");

  const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const textOf = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

  const subscribe = async () => {
    const registration = await navigator.serviceWorker.register(worker, { scope: "/notices/" });
    await new Promise((done) => { // a subscription needs an active worker, and `ready` waits for one of this page's scope
      const young = registration.installing ?? registration.waiting;
      if (!young || registration.active) return done();
      young.addEventListener("statechange", () => { if (young.state === "activated") done(); });
    });
    const options = { userVisibleOnly: true, applicationServerKey: bytesOf(key) };
    try {
      return await registration.pushManager.subscribe(options);
    } catch (error) {
      const old = await registration.pushManager.getSubscription(); // of another key of the site
      if (!old) throw error;
      await old.unsubscribe();
      return registration.pushManager.subscribe(options);
    }
  };

  const turnOn = async () => {
    if ((await Notification.requestPermission()) !== "granted") { said.textContent = denied; return; }
    const subscription = await subscribe();
    const body = new URLSearchParams({ endpoint: subscription.endpoint, key: textOf(subscription.getKey("p256dh")), auth: textOf(subscription.getKey("auth")) });
    const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
    const answer = await fetch(device, { method: "POST", body, headers: { "X-CSRFToken": token } });
    if (answer.status === 204) return location.reload();
    said.textContent = answer.status === 422 ? await answer.text() : failed;
  };

  place.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    await turnOn().catch(() => { said.textContent = failed; });
    button.disabled = false;
  });
})();
