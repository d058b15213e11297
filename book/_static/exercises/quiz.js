/* Questions with lettered answers: the first choice is kept, in "Check yourself"
   and wherever a lesson asks for a guess. */
"use strict";

(function () {
  const numberOf = (answer) => answer.dataset.choice.slice(0, -1); // "1" of "1A"
  const answersIn = (place) => [...place.querySelectorAll("[data-choice]")];
  const kept = () => store.get("quiz")[here] ?? {};

  function keep(choices) {
    store.set("quiz", { ...store.get("quiz"), [here]: choices });
    document.dispatchEvent(new CustomEvent("book:progress"));
  }

  function choose(answer) {
    const question = numberOf(answer);
    if (!answer.open || question in kept()) return;
    if (!window.bookFolds.byReader) return;
    keep({ ...kept(), [question]: answer.dataset.choice });
  }

  function markChosen(answers) {
    const choices = kept();
    for (const answer of answers)
      answer.classList.toggle("chosen",
        choices[numberOf(answer)] === answer.dataset.choice);
  }

  /** "2 right at the first choice, 3 of 3 answered.", and a way back. */
  class Score {
    constructor(section) {
      this.answers = answersIn(section);
      this.questions = new Set(this.answers.map(numberOf));
      this.line = document.createElement("p");
      this.line.className = "quiz-score";
      this.line.setAttribute("role", "status");
      section.append(this.line);
    }

    show() {
      const choices = kept();
      const answered = [...this.questions].filter((one) => one in choices).length;
      const right = this.answers.filter(({ classList }) =>
        classList.contains("chosen") && classList.contains("right")).length;
      this.line.textContent = answered
        ? `${right} right at the first choice, ${answered} of ` +
          `${this.questions.size} answered. Kept in this browser only.`
        : "";
      if (!answered) return;
      const again = document.createElement("button");
      again.type = "button";
      again.textContent = "Start again";
      again.addEventListener("click", () => this.clear());
      this.line.append(again);
    }

    clear() {
      const rest = Object.entries(kept())
        .filter(([question]) => !this.questions.has(question));
      for (const answer of this.answers) answer.open = false;
      keep(Object.fromEntries(rest));
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const answers = answersIn(document);
    if (!answers.length) return;
    for (const answer of answers)
      answer.addEventListener("toggle", () => choose(answer));
    const section = document.querySelector("section.check-yourself");
    const score = section && new Score(section);
    const show = () => {
      markChosen(answers);
      score?.show();
    };
    show();
    document.addEventListener("book:progress", show);
  });
})();
