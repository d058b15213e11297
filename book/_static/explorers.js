/* What a page adds to its interactive figures, which work without it: two to
   four choices become buttons, names a list, words and parts of the drawing
   can be picked, knobs dragged, and nothing below moves while a figure is moved.
   In a notebook the sliders do all this. */
"use strict";

(() => {
  const MOST = 4; // choices that are buttons
  const HALF = 32; // letters that have room in half a figure

  const move = (slider, place) => {
    if (+slider.value === place) return;
    slider.value = place;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const labelsOf = (slider) => slider.dataset.labels.split("|");

  /* -------------------------------------------------- choices as buttons */

  function segment(slider) {
    const labels = labelsOf(slider);
    const letters = labels.join("").length + 4 * labels.length;
    if (labels.length > MOST || letters > 64) return;
    const group = document.createElement("div");
    group.className = "explorer-choice";
    group.setAttribute("role", "radiogroup");
    group.setAttribute("aria-label", slider.getAttribute("aria-label"));
    const buttons = labels.map((words, place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.words = words; // explorers.css keeps room for them in bold
      button.append(document.createElement("span"));
      button.firstChild.textContent = words;
      button.setAttribute("role", "radio");
      button.addEventListener("click", () => move(slider, place));
      group.append(button);
      return button;
    });
    const show = () => buttons.forEach((button, place) => {
      const chosen = place === +slider.value;
      button.setAttribute("aria-checked", chosen);
      button.tabIndex = chosen ? 0 : -1;
      button.removeAttribute("aria-disabled"); // the slider's script set it
    });
    group.addEventListener("click", (event) => event.stopPropagation());
    group.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1,
        Home: -MOST, End: MOST }[event.key];
      if (!step) return;
      event.preventDefault();
      const last = labels.length - 1;
      move(slider, Math.min(Math.max(+slider.value + step, 0), last));
      buttons[+slider.value].focus();
    });
    slider.closest(".explorer").addEventListener("input", show);
    const control = slider.closest(".explorer-control");
    control.classList.add("explorer-chosen");
    control.classList.toggle("explorer-long", letters > HALF);
    control.append(group);
    show();
  }

  /* ------------------------------------------------------- names as a list */

  /* A slider through names that have no order, data-list, has a list of them
     beside it, in place of the one name that it stands at. */
  function listNames(slider) {
    if (!("list" in slider.dataset)) return;
    const labels = labelsOf(slider);
    const list = document.createElement("select");
    list.className = "explorer-list";
    list.setAttribute("aria-label", slider.getAttribute("aria-label"));
    list.append(...labels.map((words, place) => new Option(words, place)));
    const show = () => { list.value = slider.value; };
    list.addEventListener("input", (event) => event.stopPropagation());
    list.addEventListener("change", () => move(slider, +list.value));
    slider.closest(".explorer").addEventListener("input", show);
    const control = slider.closest(".explorer-control");
    control.classList.add("explorer-listed");
    control.querySelector(".explorer-name").append(" ", list);
    show();
  }

  /* ----------------------------------------------- words that are picked */

  /* A text that is the name of a place of a slider; where a name stands
     several times, the first text is the first of them, and so on. */
  function picks(frame, slider) {
    const labels = labelsOf(slider);
    const named = new Map();
    labels.forEach((words, place) => {
      if (!/\p{L}/u.test(words)) return;
      named.set(words, [...(named.get(words) || []), place]);
    });
    const texts = [...frame.querySelectorAll("text")];
    const found = [];
    for (const [words, places] of named) {
      const same = texts.filter((text) => text.textContent === words);
      if (places.length === 1)
        same.forEach((text) => found.push([text, places[0]]));
      else if (same.length === places.length)
        same.forEach((text, i) => found.push([text, places[i]]));
    }
    return new Set(found.map(([, place]) => place)).size > 1 ? found : [];
  }

  /* A part of the drawing that says itself which place it stands for:
     data-place, of the first slider or of the one that data-slider counts. */
  function parts(frame, sliders) {
    return [...frame.querySelectorAll("[data-place]")].map((part) =>
      [part, sliders[+(part.dataset.slider || 0)], +part.dataset.place]);
  }

  function makePickable(explorer, sliders) {
    for (const frame of explorer.querySelectorAll(".explorer-frame")) {
      const found = sliders.flatMap((slider) => picks(frame, slider)
        .map(([text, place]) => [text, slider, place]));
      for (const [part, slider, place] of [...found, ...parts(frame, sliders)]) {
        part.classList.add("explorer-pick");
        part.addEventListener("click", () => move(slider, place));
      }
    }
  }

  /* --------------------------------------------------------------- dragging */

  /* Where the knob of a slider stands at each of its places, while the other
     sliders stay: one frame a place. */
  function knobs(explorer, sliders, which) {
    const frames = explorer.querySelectorAll(".explorer-frame");
    const stride = +sliders[which].dataset.stride;
    const now = sliders.reduce((n, s) => n + s.value * s.dataset.stride, 0);
    const first = now - sliders[which].value * stride;
    return labelsOf(sliders[which]).map((_, place) => {
      const { cx, cy } = frames[first + place * stride]
        .querySelector(`[data-drag="${which}"] circle`);
      return [cx.baseVal.value, cy.baseVal.value];
    });
  }

  /* While a knob is held, its slider takes the place whose knob is nearest. */
  function makeDraggable(explorer, sliders) {
    let held = null;
    explorer.addEventListener("pointerdown", (event) => {
      const knob = event.target.closest("[data-drag]");
      if (!knob) return;
      event.preventDefault();
      held = +knob.dataset.drag;
      explorer.classList.add("explorer-held"); // its parts do not glide
      explorer.setPointerCapture(event.pointerId);
    });
    explorer.addEventListener("pointermove", (event) => {
      if (held === null) return;
      const screen = explorer.querySelector(".explorer-shown").getScreenCTM();
      const { x, y } = new DOMPoint(event.clientX, event.clientY)
        .matrixTransform(screen.inverse());
      const far = knobs(explorer, sliders, held)
        .map(([cx, cy]) => Math.hypot(cx - x, cy - y));
      move(sliders[held], far.indexOf(Math.min(...far)));
    });
    for (const end of ["pointerup", "pointercancel"])
      explorer.addEventListener(end, () => {
        held = null;
        explorer.classList.remove("explorer-held");
      });
  }

  /* --------------------------------------------------------- fixed height */

  /* Give an element the height that the longest of its texts needs in the
     letters and at the width that it has now. */
  function hold(element, target, texts) {
    const kept = target.textContent;
    let most = 0;
    element.style.minHeight = "";
    for (const words of new Set(texts)) {
      target.textContent = words;
      most = Math.max(most, element.offsetHeight);
    }
    target.textContent = kept;
    element.style.minHeight = `${most}px`;
  }

  function holdStill(explorer, sliders) {
    const readout = explorer.querySelector(".explorer-readout");
    readout.removeAttribute("aria-live");
    hold(readout, readout, [...explorer.querySelectorAll(
      ".explorer-frame > desc")].map((desc) => desc.textContent));
    readout.setAttribute("aria-live", "polite");
    for (const slider of sliders) {
      const name = slider.parentNode.querySelector(".explorer-name");
      hold(name, name.querySelector("output"), labelsOf(slider));
    }
  }

  /* A line of letters that nobody sees: its size changes with the font. */
  function letters(explorer) {
    const probe = document.createElement("span");
    probe.className = "explorer-letters";
    probe.setAttribute("aria-hidden", "true");
    const bold = document.createElement("b");
    bold.textContent = "abcdefg 0123456789";
    probe.append(bold.textContent, bold);
    explorer.append(probe);
    return probe;
  }

  /* ------------------------------------------------------------ beginning */

  function begin(explorer) {
    const sliders = [...explorer.querySelectorAll("input[type=range]")];
    sliders.forEach(segment);
    sliders.forEach(listNames);
    makePickable(explorer, sliders);
    makeDraggable(explorer, sliders);
    const probe = letters(explorer);
    let measured = "";
    const observer = new ResizeObserver(() => {
      const sizes = [explorer.clientWidth, probe.offsetWidth,
        probe.offsetHeight].join();
      if (sizes === measured) return;
      measured = sizes;
      holdStill(explorer, sliders);
      explorer.dataset.ready = "";
    });
    observer.observe(explorer);
    observer.observe(probe);
  }

  document.addEventListener("DOMContentLoaded", () => {
    const near = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        near.unobserve(entry.target);
        begin(entry.target);
      }
    }, { rootMargin: "1200px" });
    document.querySelectorAll(".explorer").forEach((one) => near.observe(one));
  });
})();
