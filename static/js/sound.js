/* Soft sounds at the table, made here: off until somebody switches them on, and silent until the page has been touched. */
(() => {
  "use strict";
  const opener = document.getElementById("open-preferences");
  const TOUCHES = ["pointerdown", "keydown"];
  const LOUDEST = 0.25;
  const TOGETHER_MS = 60; // sounds of one moment: the first is heard
  /* Each sound: notes as [frequency, start, length in seconds, share of the volume], and how they sound. */
  const SOUNDS = {
    turn: { type: "sine", notes: [[523, 0, 0.22, 0.8], [784, 0.13, 0.38, 0.8]] },
    bid: { type: "triangle", notes: [[660, 0, 0.14, 0.6]] },
    dice: { type: "square", notes: [[190, 0, 0.03, 0.3], [150, 0.07, 0.03, 0.3], [210, 0.13, 0.03, 0.3], [170, 0.22, 0.04, 0.35]] },
    war: { type: "sawtooth", notes: [[110, 0, 0.4, 0.35], [82, 0.16, 0.5, 0.35]] },
    score: { type: "sine", notes: [[784, 0, 0.12, 0.5], [988, 0.08, 0.22, 0.5]] },
    end: { type: "sine", notes: [[392, 0, 0.3, 0.7], [523, 0.18, 0.3, 0.7], [659, 0.36, 0.3, 0.7], [784, 0.54, 0.8, 0.7]] },
  };
  let audio = null;
  let isTouched = false;
  let last = -TOGETHER_MS;

  const play = (name) => {
    const volume = Number(opener?.dataset.volume ?? 0);
    if (!volume || !isTouched || !SOUNDS[name] || performance.now() - last < TOGETHER_MS) return;
    last = performance.now();
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
    const { type, notes } = SOUNDS[name];
    for (const [frequency, after, length, share] of notes) {
      const [tone, loudness, start] = [audio.createOscillator(), audio.createGain(), audio.currentTime + after];
      tone.type = type;
      tone.frequency.value = frequency;
      loudness.gain.setValueAtTime(0, start);
      loudness.gain.linearRampToValueAtTime(LOUDEST * share * volume / 100, start + 0.012);
      loudness.gain.exponentialRampToValueAtTime(0.0001, start + length);
      tone.connect(loudness).connect(audio.destination);
      tone.start(start);
      tone.stop(start + length + 0.02);
    }
  };

  const touched = () => {
    isTouched = true;
    for (const touch of TOUCHES) removeEventListener(touch, touched, true);
  };
  for (const touch of TOUCHES) addEventListener(touch, touched, true);

  document.addEventListener("reel:step", ({ detail }) => play(detail.sound || (detail.dice.length ? "dice" : detail.gains.length ? "score" : "")));
  /* "Your move" is heard once the moves before it have been shown. */
  let isOwed = false;
  document.addEventListener("table:mine", () => {
    isOwed = Boolean(document.querySelector("#reel.is-running"));
    if (!isOwed) play("turn");
  });
  document.addEventListener("reel:over", () => {
    if (isOwed) play("turn");
    isOwed = false;
  });
  document.addEventListener("table:over", () => play("end"));
  document.addEventListener("preferences:sound", () => play("turn"));
})();
