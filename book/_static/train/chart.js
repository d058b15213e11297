/* The plain loss, update by update, and that of the run before. */
(function (Train) {
  "use strict";

  const { el } = Live;
  const SVG = "http://www.w3.org/2000/svg";
  const WIDTH = 360, HEIGHT = 170, LEFT = 28, BOTTOM = 22, MOST = 3;
  const GUESSING = Math.log(10);

  function shape(tag, attributes, text = "") {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) {
      made.setAttribute(name, value);
    }
    made.textContent = text;
    return made;
  }

  const y = (loss) =>
    6 + (HEIGHT - BOTTOM - 6) * (1 - Math.min(loss, MOST) / MOST);

  class Chart {
    constructor() {
      this.svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        role: "img", class: "train-chart", "aria-label": this.said([]) });
      this.element = el("figure", { class: "train-figure" },
        el("figcaption", {}, el("b", {}, "Loss"),
          ": this run thick, the one before thin"), this.svg);
    }

    /** losses: of each update; before: those of an earlier run, or null. */
    draw(losses, before, updates) {
      const x = (n) => LEFT + (WIDTH - LEFT - 6) * n / updates;
      const line = (values, kind) => shape("polyline", { class: kind,
        points: values.map((loss, n) =>
          `${x(n + 1).toFixed(1)},${y(loss).toFixed(1)}`).join(" ") });
      const ticks = [0, 1, 2, 3].map((loss) => shape("text",
        { x: LEFT - 6, y: y(loss) + 4, "text-anchor": "end" }, loss));
      const ends = [0, updates].map((n) => shape("text", { x: x(n),
        y: HEIGHT - 5, "text-anchor": n ? "end" : "start" },
      n ? `${n} updates` : "0"));
      this.svg.replaceChildren(
        shape("line", { class: "train-guessing", x1: LEFT, x2: WIDTH - 6,
          y1: y(GUESSING), y2: y(GUESSING) }),
        shape("text", { x: WIDTH - 6, y: y(GUESSING) - 5,
          "text-anchor": "end" }, "pure guessing"),
        ...ticks, ...ends,
        line(before ?? [], "train-before"), line(losses, "train-now"));
      this.svg.setAttribute("aria-label", this.said(losses, before));
    }

    said(losses, before) {
      if (!losses.length) return "Loss: nothing trained yet.";
      const end = (all) => all.at(-1).toFixed(2);
      const other = before?.length
        ? ` The run before ended at ${end(before)}.` : "";
      return `Loss after ${losses.length} updates: ${end(losses)}.${other}`;
    }
  }

  Train.Chart = Chart;
})(globalThis.Train);
