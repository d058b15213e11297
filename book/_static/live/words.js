/* The words that the translator knows; each leads to a sentence. */
(function (Live) {
  "use strict";

  const { el, button } = Live;

  class Words {
    constructor(app) {
      this.app = app;
      const { size } = app.translator.texts;
      this.lead = el("p");
      this.list = el("div", {
        class: "live-words", role: "group", "aria-label": "Its words",
      });
      this.element = el("details", { class: "live-fold live-lexicon",
        ontoggle: () => this.fill() },
      el("summary", {}, "English to Korean",
        size ? `, some ${size} words` : "", ": see them"),
      this.lead, this.list);
      Live.onArrows(this.list, () => this.place,
        () => this.buttons.length, (k) => this.go(k));
    }

    /** List the words; once, when the reader asks. */
    fill() {
      if (!this.element.open || this.buttons) return;
      const { tokenizer } = this.app.translator;
      const words = tokenizer.tokens.filter((token) =>
        /^[\p{Script=Latin}\d][^\p{Script=Hangul}]*$/u.test(token));
      const found = this.sentences();
      this.buttons = [];
      for (const word of words.sort((a, b) => a.localeCompare(b, "en"))) {
        const text = found.get(word);
        const one = text ? button(word, () => this.take(text))
          : el("span", {}, word);
        if (text) this.buttons.push(one);
        this.list.append(one, " ");
      }
      this.buttons.forEach((one) => { one.tabIndex = -1; });
      this.lead.append(`All of them, each in its forms: ${words.length}. `
        + "Choose one, and a sentence with it is translated.");
      this.place = 0;
      if (this.buttons.length) this.buttons[0].tabIndex = 0;
    }

    /** For each word the first sentence that has it. */
    sentences() {
      const { texts, tokenizer } = this.app.translator;
      const found = new Map();
      for (const text of [...texts.short, ...texts.sentences]) {
        for (const word of tokenizer.split(text)) {
          if (!found.has(word)) found.set(word, text);
        }
      }
      return found;
    }

    take(text) {
      this.app.open(text, { play: true });
    }

    /** Move the place that Tab reaches. */
    go(k) {
      this.buttons[this.place].tabIndex = -1;
      this.place = k;
      this.buttons[k].tabIndex = 0;
      this.buttons[k].focus();
    }
  }

  Live.Words = Words;
})((window.Live = window.Live || {}));
