/* The guess before a run in which the experiment's part is gone, and what it
   is told after. */
(function (Train) {
  "use strict";

  const { el, button } = Live;
  const LETTERS = "ABC";

  class Guess {
    /** ontaken is called when a guess is made. */
    constructor(ontaken) {
      this.ontaken = ontaken;
      this.element = el("div", { class: "train-guess" });
      this.reset();
    }

    reset() {
      this.taken = null;
      this.element.replaceChildren();
      this.element.hidden = true;
    }

    ask(name) {
      const text = Train.TEXTS[name];
      this.reset();
      this.element.hidden = false;
      this.element.append(
        el("p", {}, el("b", {}, "Guess first; then it trains. "), text.ask),
        el("div", { class: "train-choices", role: "group",
          "aria-label": "Your guess" },
        ...text.guesses.map((guess, n) => button(`${LETTERS[n]}. ${guess}`,
          () => {
            this.taken = n;
            this.element.replaceChildren(el("p", {}, el("b", {},
              "Your guess: "), `${LETTERS[n]}. ${guess}`));
            this.ontaken();
          }))));
      this.seek();
    }

    /** Bring the question into view. */
    seek() {
      this.element.scrollIntoView({ block: "nearest" });
    }

    /** Say what came, when the part was gone and the run is over. claimed:
     *  whether the two runs lie as far apart as the experiment says; href:
     *  makes the address of a lesson, null in the lesson itself. */
    tell(name, claimed, href) {
      const { guesses, right, why, more, lesson } = Train.TEXTS[name];
      const said = claimed
        ? (this.taken === right ? "You guessed it. "
          : `It was ${LETTERS[right]}. ${guesses[right]}. `) + why
        : "This time the two runs don't show it. One start can go another " +
          "way; three say more.";
      const [page, title] = lesson;
      const link = href && el("a", { href: href(page) },
        `${title} asks why the part is there.`);
      this.element.hidden = false;
      this.element.append(el("p", { class: "train-why" }, said),
        el("p", { class: "train-why" }, more ? `${more} ` : "", link ?? ""));
    }

    get words() {
      return this.taken === null ? "" : LETTERS[this.taken];
    }
  }

  Train.Guess = Guess;
})(globalThis.Train);
