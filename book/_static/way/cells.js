/* Rows of numbers as colored cells: the farther from zero, the stronger the
   color. book/_ext/live/way_still.py draws the same for paper. */
(function (Live) {
  "use strict";

  const { el } = Live;
  const LEVELS = 10; // of a color, each way from zero

  /** −1.23, with a real minus. */
  function num(x, digits = 2) {
    const text = x.toFixed(digits);
    return (Number(text) === 0 ? text.replace("-", "") : text)
      .replace("-", "−");
  }

  const largest = (values) =>
    values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

  /** Draw one row of cells; limit is the number of the strongest color. */
  function cells(values, limit) {
    const paths = new Map(); // level -> where its cells stand
    values.forEach((value, i) => {
      const level = Math.round(LEVELS * value / (limit || 1));
      if (level) paths.set(level, `${paths.get(level) ?? ""}M${i} 0v1`);
    });
    const drawn = [...paths].map(([level, d]) =>
      `<path class="way-${level < 0 ? "less" : "more"}" d="${d}" `
      + `stroke-opacity="${Math.min(1, Math.abs(level) / LEVELS)}"/>`);
    const holder = document.createElement("template");
    holder.innerHTML = `<svg class="way-cells" aria-hidden="true" `
      + `viewBox="-.5 0 ${values.length} 1" preserveAspectRatio="none">`
      + `${drawn.join("")}<path class="way-at"/></svg>`;
    return holder.content.firstChild;
  }

  /** Cut a row into lines of n numbers. */
  function fold(label, values, n) {
    return Array.from({ length: values.length / n }, (_, line) => ({
      label: line ? "" : label, name: label, from: line * n,
      all: values.length, values: values.subarray(line * n, (line + 1) * n),
    }));
  }

  /** Rows one below the other, in one scale. Who points at a cell, or moves
   *  there by arrow keys, reads its number.
   *  rows: {label, values, strong?, lang?}; name: what they are. */
  class Strip {
    constructor(rows, name, limit = largest(rows.map(({ values }) =>
      largest(values)))) {
      this.rows = rows;
      this.at = [0, 0];
      this.drawn = rows.map(({ values }) => cells(values, limit));
      this.said = el("output", { class: "way-said" });
      this.grid = el("div", {
        class: "way-rows", role: "slider", tabindex: 0, "aria-label": name,
        "aria-valuemin": 1, onkeydown: (event) => this.move(event),
        onfocus: () => this.show(...this.at), onblur: () => this.rest(),
        onpointermove: (event) => this.point(event),
        onpointerdown: (event) => this.point(event),
        onpointerleave: () => this.rest(),
      }, ...rows.flatMap(({ label, strong, lang }, r) => [
        el("span", { class: `way-label${strong ? " way-strong" : ""}`,
                     lang }, label),
        this.drawn[r],
      ]));
      this.element = el("figure", { class: "way-strip" }, this.said,
        this.grid);
      this.range = `${name}, from ${num(this.end(Math.min))} to ${
        num(this.end(Math.max))}`;
      this.value(0, 0);
      this.rest();
    }

    /** The smallest or the largest of all numbers. */
    end(choose) {
      return this.rows.reduce((end, { values }) =>
        values.reduce((a, b) => choose(a, b), end), this.rows[0].values[0]);
    }

    rest() {
      this.mark();
      this.said.value = this.range;
    }

    /** Frame the cell that is read, or none. */
    mark(r, i) {
      this.drawn.forEach((svg, row) =>
        svg.lastChild.setAttribute("d", row === r ? `M${i} 0v1` : ""));
    }

    /** Tell assistive programs where the arrow keys are; return the words. */
    value(r, i) {
      const { label, name = label, from = 0, values, all = values.length } =
        this.rows[r];
      const said = `${name}: number ${from + i + 1} of ${all} is ${
        num(values[i], 3)}`;
      this.grid.setAttribute("aria-valuemax", all);
      this.grid.setAttribute("aria-valuenow", from + i + 1);
      this.grid.setAttribute("aria-valuetext", said);
      return said;
    }

    show(r, i) {
      this.at = [r, i];
      this.mark(r, i);
      this.said.value = this.value(r, i);
    }

    point(event) {
      const r = this.drawn.findIndex((svg) => {
        const box = svg.getBoundingClientRect();
        return event.clientY >= box.top && event.clientY < box.bottom;
      });
      if (r < 0) return;
      const box = this.drawn[r].getBoundingClientRect();
      const n = this.rows[r].values.length;
      const i = Math.floor(n * (event.clientX - box.left) / box.width);
      if (i >= 0 && i < n) this.show(r, i);
    }

    move(event) {
      const [dr, di] = { ArrowLeft: [0, -1], ArrowRight: [0, 1],
        ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key] ?? [];
      if (dr === undefined) return;
      const [r, i] = this.at;
      const row = r + dr;
      if (row < 0 || row >= this.rows.length) return; // the page may scroll
      event.preventDefault();
      const last = this.rows[row].values.length - 1;
      this.show(row, Math.max(0, Math.min(last, i + di)));
    }
  }

  const strip = (...all) => new Strip(...all).element;

  Object.assign(Live, { num, largest, cells, fold, strip });
})((window.Live = window.Live || {}));
