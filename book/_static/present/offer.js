/* Slides of this page, on the key p or the button: what is shown is loaded when
   it is asked for first. Classic scripts, as everywhere in the book: a page
   that was opened from a folder loads no modules. */
"use strict";

window.Present = {};

(() => {
  const PARTS = ["places", "look", "hands", "walk", "fit", "slides", "clock", "notes",
    "stage", "keys"];
  const home = new URL(".", document.currentScript.src);
  const SLIDE = /^#slide-(\d+)$/;

  const fetched = (name, attributes) => new Promise((done, failed) => {
    const made = Object.assign(document.createElement(name), attributes);
    made.onload = done;
    made.onerror = failed;
    document.head.append(made);
  });

  let loading = null;
  const load = () => (loading ??= Promise.all([
    fetched("link", { rel: "stylesheet", href: new URL("present.css", home) }),
    fetched("link", { rel: "stylesheet", href: new URL("bodies.css", home) }),
    ...PARTS.map((part) => fetched("script",
      { src: new URL(`${part}.js`, home), async: false })),
  ]));

  /* place: the number of a slide from 0, or null for where the reader is. */
  async function open(place) {
    await load();
    await window.MathJax?.startup?.promise;
    await document.fonts.ready;
    window.Present.enter(place);
  }

  const asked = () => {
    const found = SLIDE.exec(location.hash);
    if (found) open(found[1] - 1);
  };

  /* Fields of all kinds take letters themselves. */
  window.Present.typing = (target) => Boolean(target.closest?.(
    "textarea, select, [contenteditable], " +
    "input:not([type=range], [type=checkbox], [type=radio])"));

  document.addEventListener("keydown", (event) => {
    if (event.key !== "p" || event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (window.Present.on || window.Present.typing(event.target) ||
      document.querySelector("dialog[open]")) return;
    event.preventDefault();
    open(null);
  });

  function button() {
    const bar = document.querySelector(".article-header-buttons");
    if (!bar) return;
    const made = document.createElement("button");
    made.type = "button";
    made.className = "btn btn-sm present-button";
    made.title = "Show this page as slides (p)";
    made.textContent = "Present";
    made.addEventListener("click", () => open(null));
    bar.prepend(made);
  }

  button();
  addEventListener("hashchange", asked);
  addEventListener("load", asked);
})();
