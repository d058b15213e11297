/* Small helpers for building the page. */
(function (Python) {
  "use strict";

  /** Make an element. onclick: f listens; true and false set and omit. */
  Python.el = function el(tag, attributes = {}, ...children) {
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
  };

  Python.button = (label, onclick, more = {}) =>
    Python.el("button", { type: "button", class: "exercise-quiet", onclick, ...more }, label);

  /** The data of a script of the page. */
  Python.data = (root, name) => {
    const script = root.querySelector(`script.${name}`);
    return script && JSON.parse(script.textContent);
  };
})((window.Python = window.Python || {}));
