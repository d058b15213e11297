/* The field below a question: what a reader says is kept, opens the result and
   stands above it. Nothing is judged; a number stands beside the result's. */
"use strict";

(function () {
  const kept = () => store.get("guess")[here] ?? {};

  /** A number as people write it, or NaN. */
  const numberIn = (text) =>
    Number(text.trim().replace(",", ".").replace(/^[\u2212\u2013]/, "-") || NaN);

  class Guess {
    constructor(form) {
      this.form = form;
      this.inputs = [...form.querySelectorAll("input")];
      this.note = form.querySelector(".guess-note");
      this.said = document.createElement("p");
      this.said.className = "guess-said";
      this.findResult(document.getElementById(form.dataset.answer));
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.answer();
      });
      this.fold?.addEventListener("toggle", () => {
        const byReader = window.bookFolds.byReader && this.fold.open;
        if (byReader && !this.isEmpty) this.keep();
      });
      const { [form.dataset.key]: before } = kept();
      if (before === undefined) return;
      this.value = before;
      this.show();
    }

    /** Where the answer stands: in the fold that hides a result, or above. */
    findResult(place) {
      if (!place) return;
      const output = place.querySelector(".cell_output");
      this.fold = place.matches("details") ? place
        : output?.closest("details.cell-fold");
      this.spot = place.matches("details")
        ? place.querySelector(".fold-body").firstElementChild : output;
    }

    get isChosen() {
      return ["choice", "pick"].includes(this.form.dataset.kind);
    }

    get isEmpty() {
      return this.isChosen ? !this.inputs.some(({ checked }) => checked)
        : this.inputs.every(({ value }) => !value.trim());
    }

    /** What is in the fields: a list of texts. */
    get value() {
      const given = this.isChosen
        ? this.inputs.filter(({ checked }) => checked) : this.inputs;
      return given.map(({ value }) => value.trim());
    }

    set value(texts) {
      for (const [i, input] of this.inputs.entries()) {
        if (this.isChosen) input.checked = texts.includes(input.value);
        else input.value = texts[i] ?? "";
      }
    }

    answer() {
      if (this.isEmpty) {
        this.note.textContent = this.isChosen ? "Choose one first."
          : "Write something first; a rough guess will do.";
        this.inputs[0].focus();
        return;
      }
      this.keep();
      document.activeElement?.blur(); // a phone takes its keys away
      if (this.fold) this.fold.open = true;
      if (this.spot) this.said.scrollIntoView({ block: "nearest" });
    }

    keep() {
      store.set("guess", { ...store.get("guess"),
        [here]: { ...kept(), [this.form.dataset.key]: this.value } });
      this.show();
      document.dispatchEvent(new CustomEvent("book:progress"));
    }

    show() {
      const words = this.words();
      this.said.textContent = words;
      if (this.spot) {
        if (!this.said.isConnected) this.spot.before(this.said);
        this.note.textContent = "Kept in this browser.";
      } else this.note.textContent = words;
    }

    words() {
      const { kind, number } = this.form.dataset;
      const texts = this.value;
      if (kind === "each") {
        const named = this.inputs.flatMap((input, i) => (texts[i]
          ? [`${input.closest("label").textContent.trim()}: ${texts[i]}`] : []));
        return `You said ${named.join("; ")}.`;
      }
      const said = `You said ${texts.join(", ")}`;
      if (!number) return /[.?!]$/.test(said) ? said : `${said}.`;
      return numberIn(texts[0]) === Number(number)
        ? `${said}, and so it is.` : `${said}; the result is ${number}.`;
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const form of document.querySelectorAll("form.guess")) new Guess(form);
  });
})();
