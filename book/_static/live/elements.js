/* Small helpers for building the page. */
(function (Live) {
  "use strict";

  /** Make an element. onclick: f listens; true and false set and omit. */
  function el(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) {
        element.addEventListener(name.slice(2), value);
      } else if (value !== false && value !== undefined) {
        element.setAttribute(name, value === true ? "" : value);
      }
    }
    element.append(...children);
    return element;
  }

  let count = 0;
  const newId = () => `live-${++count}`;

  const button = (label, onclick, className = "") =>
    el("button", { type: "button", class: `live-button ${className}`, onclick },
      label);

  /** A choice of one among a few, side by side. `set` shows a value. */
  function choice(legend, options, onchoose) {
    const name = newId();
    const inputs = options.map(([value]) => el("input", {
      type: "radio", name, value, onchange: () => onchoose(value),
    }));
    const labels = options.map(([, label], i) =>
      el("label", {}, inputs[i], el("span", {}, label)));
    const element = el("fieldset", { class: "live-choice" },
      el("legend", {}, legend), el("div", {}, ...labels));
    const set = (value) => inputs.forEach((input) => {
      input.checked = input.value === String(value);
    });
    return { element, set };
  }

  /** A box to tick. */
  function check(label, onchoose) { // label: a text or several nodes
    const input = el("input", {
      type: "checkbox", onchange: () => onchoose(input.checked),
    });
    const element = el("label", { class: "live-check" }, input,
      el("span", {}, ...[label].flat()));
    return { element, set: (value) => { input.checked = value; } };
  }

  /** A slider that says its value. */
  function slider(label, { min, max, step }, onchoose) {
    const said = el("output");
    const input = el("input", {
      type: "range", min, max, step,
      oninput: () => { set(input.value); onchoose(Number(input.value)); },
    });
    const set = (value) => { input.value = value; said.value = value; };
    const element = el("label", { class: "live-slider" },
      el("span", {}, `${label} `, said), input);
    return { element, set };
  }

  /** Listen to a mouse that moves; not to a page that moves under it. */
  const onMove = (point) => (event) => {
    if (event.movementX || event.movementY) point();
  };

  /** Let the arrow keys, Home and End move among buttons that Tab reaches
   *  as one. `go` gets the place of the new one. */
  function onArrows(element, place, size, go) {
    element.addEventListener("keydown", (event) => {
      const last = size() - 1;
      const to = {
        ArrowLeft: place() - 1, ArrowUp: place() - 1,
        ArrowRight: place() + 1, ArrowDown: place() + 1,
        Home: 0, End: last,
      }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      go(Math.max(0, Math.min(last, to)));
    });
  }

  function percent(share) {
    if (share < 0.0005) return "0 %";
    return `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
  }

  Object.assign(Live, {
    el, button, choice, check, slider, onMove, onArrows, percent,
    newId,
  });
})((window.Live = window.Live || {}));
