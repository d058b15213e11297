/* Put the trainer into its place. Nothing is fetched; it trains at a press. */
(function (Train) {
  "use strict";

  function mount(root) {
    if (typeof Worker !== "function") return; // the stored runs stay
    const stored = JSON.parse(root.dataset.stored);
    const href = (page) => new URL(`${root.dataset.lessons}${page}.html`,
      location.href).href;
    root.face = new Train.Face(root, stored, href);
  }

  function start() {
    document.querySelectorAll(".train").forEach(mount);
  }

  if (document.readyState === "loading") {
    addEventListener("DOMContentLoaded", start);
  } else {
    start();
  }
})(globalThis.Train);
