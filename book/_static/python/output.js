/* What a cell has shown, as nodes. It comes from where the reader's code has
   run: texts stay texts, and a table is made anew from its rows. */
(function (Python) {
  "use strict";

  const { el } = Python;

  const line = (cells, numbers, tags) => el("tr", {}, ...cells.map((cell, n) =>
    el(n ? tags[1] : tags[0], {
      scope: tags[n ? 1 : 0] === "th" && (tags[1] === "th" ? "col" : "row"),
      class: numbers[n] ? "is-number" : "is-word",
    }, String(cell))));

  function table({ head, rows, numbers }) {
    return el("div", { class: "cell-table" },
      el("table", { class: "results" },
        el("thead", {}, line(head, numbers, ["th", "th"])),
        el("tbody", {}, ...rows.map((row) =>
          line(row, numbers, ["th", "td"])))));
  }

  const part = (shown) => (Array.isArray(shown.rows) ? table(shown)
    : el("pre", {}, String(shown.text)));

  /** Nodes of all that Python has told of a cell. */
  function output(told) {
    const parts = (told.parts ?? []).map(part);
    if (told.error !== undefined) parts.push(...Python.errorNodes(told));
    return parts;
  }

  Object.assign(Python, { output });
})((window.Python = window.Python || {}));
