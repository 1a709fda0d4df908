/* The service worker of web push: shows a notice, and opens what it is about. It keeps nothing and no request passes through it. */
"use strict";

addEventListener("install", () => skipWaiting());

addEventListener("push", (event) => {
  const { text, url, tag, lang } = event.data?.json() ?? {};
  if (!text) return;
  event.waitUntil(registration.showNotification("Ziggurat", { body: text, tag, lang, data: { url } }));
});

/* A window that shows the site already is used again. */
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { href } = new URL(event.notification.data.url, location);
  const open = async () => {
    const [known] = await clients.matchAll({ type: "window" });
    if (!known) return clients.openWindow(href);
    await known.focus();
    return known.navigate(href);
  };
  event.waitUntil(open().catch(() => clients.openWindow(href)));
});
