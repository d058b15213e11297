/* What it writes for a line: letter by letter, the right ones marked. */
(function (Train) {
  "use strict";

  const { el } = Live;

  class Writes {
    /** onask gets a line of the reader's. */
    constructor(onask) {
      this.line = el("p", { class: "train-line" });
      this.bars = el("div", { class: "train-bars" });
      this.said = el("p", { class: "train-problem", "aria-live": "polite" });
      this.input = el("input", { class: "live-input train-input", type: "text",
        autocomplete: "off", autocapitalize: "off", spellcheck: "false",
        maxlength: 40, size: 10 });
      const form = el("form", { class: "train-own", onsubmit: (event) => {
        event.preventDefault();
        this.read(onask);
      } }, el("label", {}, "Six letters, a to j ", this.input),
      el("button", { type: "submit", class: "live-button" }, "Ask it"));
      this.form = form;
      this.element = el("div", { class: "train-writes" },
        el("p", { class: "train-head" }, "It writes"),
        this.line, this.bars, form, this.said);
    }

    read(onask) {
      const { asked, problem } = Train.readLine(this.input.value);
      this.said.textContent = problem ?? "";
      if (asked) onask(asked);
    }

    /** Forget what the reader has typed. */
    clear() {
      this.input.value = this.said.textContent = "";
    }

    /** Show a line; wanted: null where no letter can be known. practice is
     *  null as long as there was none. */
    draw({ asked, written }, wanted, { letters, practice }) {
      this.form.hidden = !asked.length;
      const cell = (id, right) => el("span",
        { class: `train-letter${right ? " train-right" : ""}` },
        Train.shown(id));
      const given = (id, place) => el("span",
        { class: "train-letter train-given", style: `--place: ${place}` },
        Train.shown(id));
      const right = written.map((id, n) => wanted?.[n] === id);
      this.line.replaceChildren(
        ...asked.map(given),
        el("span", { class: "train-arrow" }, "→"),
        ...written.map((id, n) => cell(id, right[n])),
        el("span", { class: "train-count" }, wanted
          ? `${right.filter(Boolean).length} of ${right.length} right` : ""));
      this.bars.replaceChildren(
        bar("Writing by itself", letters),
        bar("As in training", practice));
    }
  }

  /** A share of letters that are right. */
  function bar(name, share) {
    const text = share === null ? "–" : `${Math.round(100 * share)} %`;
    return el("div", { class: "train-bar" }, el("span", {}, name),
      el("i", { style: `--p: ${share ?? 0}`, "aria-hidden": "true" }),
      el("b", {}, text));
  }

  Train.Writes = Writes;
})(globalThis.Train);
