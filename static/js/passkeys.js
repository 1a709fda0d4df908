/* Asks the browser for a passkey: one to keep (`data-passkey="create"`), one to sign in with ("get"), or one at the sign-in page ("sign-in", whose
   challenge is fetched first). The answer goes with the form. Without script, or where there are no passkeys, the buttons are not there. */
(() => {
  "use strict";
  const said = document.getElementById("passkey-said");
  const forms = document.querySelectorAll("form[data-passkey]");
  if (!forms.length || !said) return;
  document.getElementById("passkey-script")?.remove();
  const say = (text) => { said.textContent = text; said.hidden = false; };
  if (!window.PublicKeyCredential) { if (forms[0].dataset.passkey !== "sign-in") say(said.dataset.notHere); return; }

  const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const textOf = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const keysOf = (list) => (list ?? []).map((one) => ({ ...one, id: bytesOf(one.id) }));

  const made = async (form, options) => {
    const alone = form.elements.passwordless.checked;
    const wanted = { ...options.authenticatorSelection, residentKey: alone ? "required" : "discouraged", requireResidentKey: alone };
    if (alone) wanted.userVerification = "required";
    return navigator.credentials.create({ publicKey: {
      ...options, challenge: bytesOf(options.challenge), user: { ...options.user, id: bytesOf(options.user.id) },
      excludeCredentials: keysOf(options.excludeCredentials), authenticatorSelection: wanted,
    } });
  };
  const got = async (options) => navigator.credentials.get({ publicKey: {
    ...options, challenge: bytesOf(options.challenge), allowCredentials: keysOf(options.allowCredentials),
  } });

  const written = (key) => {
    const response = { clientDataJSON: textOf(key.response.clientDataJSON) };
    for (const name of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (key.response[name]) response[name] = textOf(key.response[name]);
    }
    if (key.response.getTransports) response.transports = key.response.getTransports();
    return JSON.stringify({
      id: key.id, rawId: textOf(key.rawId), type: key.type, response, clientExtensionResults: key.getClientExtensionResults(),
    });
  };

  const options = async (form) => {
    if (form.dataset.passkey !== "sign-in") return JSON.parse(document.getElementById(form.dataset.options).textContent);
    const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(`${answer.status}`);
    return (await answer.json()).request_options;
  };

  forms.forEach((form) => {
    const button = form.querySelector("button");
    button.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      button.disabled = true;
      said.hidden = true;
      try {
        const { publicKey } = await options(form);
        const key = await (form.dataset.passkey === "create" ? made(form, publicKey) : got(publicKey));
        form.elements.credential.value = written(key);
        form.submit();
      } catch {
        say(said.dataset.failed);
        button.disabled = false;
      }
    });
  });
})();
