/* Put the trainer into its place. Nothing is fetched; it trains at a press. */
(function (Train) {
  "use strict";

  function mount(root) {
    if (typeof Worker !== "function") return; // the stored runs stay
    const { stored, experiment, lessons } = root.dataset;
    const runs = JSON.parse(stored);
    const href = (page) =>
      new URL(`${lessons}${page}.html`, location.href).href;
    root.face = experiment ? new Train.Card(root, runs, experiment)
      : new Train.Face(root, runs, href);
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
