/* Between two pictures of an interactive figure the parts glide to their new
   places, and a figure that tells a story has a button that plays it.

   The pictures are SVGs that are all on the page; the script of the figure
   shows one of them. Here the numbers in the new one's attributes start at
   those of the old one, where both have the same elements in the same order,
   and reach their own in a fifth of a second; another picture fades in. Nothing
   moves where a reader has asked for less motion, nor while a knob is held. */
"use strict";

(() => {
  const TIME = 200; // milliseconds
  const PAUSE = 1100; // between two pictures of a story
  // Sliders whose places follow one another in time.
  const STORIES = ["step", "stage", "block", "updates", "merges",
    "word to write"];
  const NUMBER = /-?\d*\.?\d+(?:e-?\d+)?/g;
  const STILL = ["class", "role", "viewBox", "data-place", "data-slider",
    "data-drag"];
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // For whatever else moves on a page.
  window.BookMotion = { wanted: () => !calm.matches && !document.hidden };

  const shownIn = (explorer) => explorer.querySelector(".explorer-shown");

  /* ----------------------------------------------------------- gliding */

  /* Each attribute of a picture that holds numbers: [element, name, value]. */
  function places(frame) {
    const found = [];
    for (const part of frame.querySelectorAll(":not(title, desc)"))
      for (const { name, value } of part.attributes)
        if (!STILL.includes(name) && /\d/.test(value))
          found.push([part, name, value]);
    return found;
  }

  const kinds = (frame) => [...frame.querySelectorAll("*")]
    .map((part) => part.tagName).join();
  const bones = (value) => value.replace(NUMBER, "#");

  /* A function of t from 0 to 1 for a text with numbers; null if the texts
     differ in more than their numbers. */
  function between(one, other) {
    if (one === other || bones(one) !== bones(other)) return null;
    const [from, to] = [one, other].map((t) => t.match(NUMBER).map(Number));
    return (t) => {
      let k = 0;
      return other.replace(NUMBER, () =>
        +(from[k] + t * (to[k] - from[k++])).toFixed(3));
    };
  }

  /* What has to move from the values seen to those of a picture. */
  function moves(seen, frame) {
    const ends = places(frame);
    if (seen.length !== ends.length) return [];
    return ends.flatMap(([part, name, value], k) => {
      const [, before, start] = seen[k];
      const mixed = before === name ? between(start, value) : null;
      return mixed ? [{ part, name, value, mixed }] : [];
    });
  }

  function makeGlide(explorer) {
    let last = shownIn(explorer);
    let running = null; // { moving, request }
    let changed = 0; // when the picture was, in milliseconds

    const settle = () => {
      if (!running) return;
      cancelAnimationFrame(running.request);
      for (const { part, name, value } of running.moving)
        part.setAttribute(name, value);
      running = null;
    };

    explorer.addEventListener("input", () => {
      const next = shownIn(explorer);
      if (next === last) return;
      const seen = places(last); // where the parts are now, on their way or not
      const alike = kinds(last) === kinds(next);
      const begun = performance.now();
      const fast = begun - changed < TIME; // a slider that is drawn along
      settle();
      [last, changed] = [next, begun];
      if (!BookMotion.wanted()
        || explorer.classList.contains("explorer-held")) return;
      if (!alike && !fast)
        next.animate({ opacity: [0.3, 1] }, { duration: TIME });
      const moving = alike ? moves(seen, next) : [];
      if (!moving.length) return;
      running = { moving };
      const step = (now) => {
        const t = Math.min(Math.max((now - begun) / TIME, 0), 1);
        if (t === 1) { settle(); return; }
        const eased = 1 - (1 - t) ** 3;
        for (const { part, name, mixed } of moving)
          part.setAttribute(name, mixed(eased));
        running.request = requestAnimationFrame(step);
      };
      step(begun);
    });
  }

  /* ----------------------------------------------------------- playing */

  function makePlay(explorer) {
    const slider = [...explorer.querySelectorAll("input[type=range]")]
      .find((one) => STORIES.includes(one.getAttribute("aria-label")));
    if (!slider || +slider.max < 2) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "explorer-play";
    let timer = null;
    let moved = false; // by the story itself

    const say = () => {
      button.textContent = timer ? "Pause" : "Play";
      button.setAttribute("aria-label",
        `${button.textContent}: ${slider.getAttribute("aria-label")}`);
    };
    const stop = () => { clearInterval(timer); timer = null; say(); };
    const go = (place) => {
      moved = true;
      slider.value = place;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      moved = false;
    };
    const next = () => {
      if (+slider.value === +slider.max || !slider.isConnected) stop();
      else go(+slider.value + 1);
      if (+slider.value === +slider.max) stop();
    };
    button.addEventListener("click", (event) => {
      event.stopPropagation(); // the figure's own buttons move a slider
      if (timer) { stop(); return; }
      if (+slider.value === +slider.max) go(0); else next();
      if (+slider.value < +slider.max) timer = setInterval(next, PAUSE);
      say();
    });
    explorer.addEventListener("input", () => { if (timer && !moved) stop(); });
    say();
    explorer.querySelector(".explorer-title").append(button);
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const explorer of document.querySelectorAll(".explorer")) {
      if (!explorer.querySelector("input[type=range]")) continue;
      makeGlide(explorer);
      makePlay(explorer);
    }
  });
})();
