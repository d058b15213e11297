/* An exercise on paper, done in the page: fields, a verdict, hints one by one.
   Answers stay in this browser. */
(function (Exercises) {
  "use strict";

  const { Fields, inline, judge, make } = Exercises;
  const HEADS = { right: "Right", wrong: "Not yet", none: "Not attempted yet",
    ask: "One question first" };

  /** Answers of this page by the exercise's number. */
  const kept = () => store.get("paper")[here] ?? {};
  function keep(number, texts) {
    const all = store.get("paper");
    store.set("paper", { ...all, [here]: { ...all[here], [number]: texts } });
  }

  function button(words, act, className = "exercise-quiet") {
    const node = make("button", className, words);
    node.type = "button";
    node.addEventListener("click", act);
    return node;
  }

  /** What a page knows of an exercise. In the edition for a class it is sealed
      (transformer_course/checks/engine/sealed.py). */
  async function known(place) {
    const { type, textContent } = place.querySelector("script");
    if (type === "application/json") return JSON.parse(textContent);
    const bytes = Uint8Array.from(atob(textContent), (one) =>
      one.charCodeAt(0));
    const text = new Blob([bytes]).stream()
      .pipeThrough(new DecompressionStream("deflate"));
    return new Response(text).json();
  }

  class Paper {
    constructor(place, exercise) {
      const { number } = place.dataset;
      this.number = number;
      this.exercise = exercise;
      this.fields = new Fields(this.exercise,
        `exercise-${number.replace(".", "-")}`);
      this.verdict = make("div", "verdict");
      this.verdict.setAttribute("role", "status");
      this.more = make("div", "exercise-more");
      const check = make("button", "exercise-check", "Check");
      const legend = make("legend", "",
        `Your ${this.exercise.count}`);
      this.form = make("form", "exercise-form",
        make("fieldset", "", legend, this.fields.box),
        make("div", "exercise-actions", check,
          button("Clear", () => this.clear())),
        this.verdict, this.more);
      this.form.noValidate = true;
      this.form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.check();
      });
      this.form.addEventListener("input", () =>
        keep(number, this.fields.texts));
      place.append(this.form);
      if (kept()[number]) this.fields.texts = kept()[number];
      this.putCellsAway(place);
      // The catalogue's hints come after a try; the notebook's are the same.
      const card = place.closest(".exercise-card");
      for (const hint of card?.querySelectorAll(":scope > .fold-hint") ?? [])
        hint.classList.add("later");
    }

    /** The cells of the notebook, which cannot run here, in a fold. */
    putCellsAway(place) {
      const card = place.closest(".exercise-card") ?? place.parentElement;
      const cells = [...card.querySelectorAll(".exercise-cells")];
      if (!cells.length) return;
      const fold = make("details", "cell-fold exercise-notebook",
        make("summary", "", "In a notebook"));
      cells.at(-1).after(fold);
      fold.append(...cells);
    }

    clear() {
      this.fields.texts = [];
      keep(this.number, []);
      this.say("");
      this.fields.inputs[0].focus();
    }

    check() {
      const { count } = this.exercise;
      const found = this.fields.answer;
      for (const input of this.fields.inputs)
        input.removeAttribute("aria-invalid");
      const at = found.label ? `${found.label}: ` : "";
      if (found.empty) {
        this.say("none",
          `Nothing to check yet. Put your ${count} into the fields.`);
        return this.offerHints();
      }
      if (found.numbers) return this.judged(found.numbers);
      found.input.setAttribute("aria-invalid", "true");
      found.input.focus();
      if (found.missing)
        return this.say("wrong", "Some are still missing: this exercise wants " +
          `${count}. The first empty field is *${found.label}*.`);
      if (found.wrong) return this.say("wrong", at + found.wrong);
      this.say("ask", at + found.ask);
      this.more.append(...found.choices.map((text) =>
        button(`It is ${text}`, () => this.chosen(found, text))));
    }

    /** The reader has said which number is meant. */
    chosen({ input, choices }, text) {
      if (choices.length === 1) store.set("comma", { decimal: true });
      input.value = text;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      this.check();
    }

    judged(numbers) {
      const { status, message } = judge(this.exercise, numbers);
      this.say(status, message);
      if (status === "right") {
        window.bookProgress?.mark(here, this.number, "paper", true);
        this.verdict.append(...window.bookProgress?.next(this.number) ?? []);
        return;
      }
      this.offerHints();
    }

    offerHints() {
      const [first, second] = this.exercise.hints;
      this.offer("A hint", first, () => this.offer("A second hint", second));
    }

    offer(words, hint, next) {
      const node = button(words, () => {
        node.remove();
        this.verdict.append(make("p", "verdict-hint", ...inline(hint)));
        if (next) {
          next();
          this.more.firstElementChild.focus();
        } else this.form.querySelector(".exercise-check").focus();
      });
      this.more.append(node);
    }

    say(status, message = "") {
      this.more.replaceChildren();
      this.verdict.replaceChildren();
      this.verdict.dataset.status = status;
      if (!status) return;
      this.verdict.append(make("p", "verdict-head",
        make("strong", "", HEADS[status])), make("p", "", ...inline(message)));
      // On a phone the fields may fill the screen.
      this.verdict.scrollIntoView({ block: "nearest" });
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const place of document.querySelectorAll(
      '.exercise-work[data-kind="paper"]'))
      known(place).then((exercise) => new Paper(place, exercise));
  });
})(window.Exercises = window.Exercises || {});
