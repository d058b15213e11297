/* A small picture of an attention map. */
(function (Live) {
  "use strict";

  const LEAST = 0.02; // fainter cells are left white

  /** Draw a map as small squares, the darker the larger the weight. */
  function drawing(map) {
    const width = Math.max(...map.map((row) => row.length));
    const cells = map.flatMap((row, i) => row.map((weight, j) =>
      weight < LEAST ? ""
        : `<rect x="${j}" y="${i}" width="1" height="1" opacity="${
          weight.toFixed(2)}"/>`));
    return `<svg viewBox="0 0 ${width} ${map.length}" `
      + `preserveAspectRatio="none">${cells.join("")}</svg>`;
  }

  Live.drawing = drawing;
})((window.Live = window.Live || {}));
