/* Where a sentence comes from: typing, a button, chance. */
(function (Live) {
  "use strict";

  const { el, button, newId } = Live;
  const WAIT = 60; // milliseconds without a key

  class Entry {
    constructor(app) {
      this.app = app;
      const id = newId();
      this.input = el("input", {
        id, class: "live-input", type: "text", lang: "en",
        autocomplete: "off", autocapitalize: "sentences", spellcheck: "false",
        enterkeyhint: "go",
        oninput: () => this.typed(),
        onkeydown: (event) => { if (event.key === "Enter") app.play(); },
      });
      this.note = el("p", { class: "live-note", hidden: true });
      this.words = new Live.Words(app);
      this.buttons = el("div", {
        class: "live-samples", role: "group", "aria-label": "Sentences to try",
      });
      this.element = el("div", { class: "live-entry" },
        el("label", { for: id }, "Type an English sentence"),
        this.input, this.note, this.buttons, this.words.element);
      this.fill();
    }

    fill() {
      const { app } = this;
      const { texts } = app.translator;
      const open = (text) => app.open(text, { play: true });
      const samples = app.whole ? texts.samples
        : app.samples.map((text) => [text, text]);
      this.buttons.append(
        ...samples.map(([label, text]) =>
          button(label.replaceAll("-", " "), () => open(text), "live-chip")),
        button("Surprise me", () => open(this.any()), "live-chip live-any"));
    }

    /** Return a random sentence of the grammar. */
    any() {
      const { sentences } = this.app.translator.texts;
      const others = sentences.filter((text) => text !== this.input.value);
      if (!others.length) return this.app.example;
      return others[Math.floor(Math.random() * others.length)];
    }

    typed() {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => {
        this.typing = null;
        this.app.open(this.input.value);
      }, WAIT);
    }

    render() {
      const { text } = this.app.state;
      if (!this.typing && this.input.value !== text) this.input.value = text;
      const said = this.app.noteOf(this.app);
      this.note.hidden = !said;
      const offers = said && this.app.offers;
      this.note.replaceChildren(said, ...offers
        ? [" ", ...Live.offered(this.app, offers)] : []);
    }
  }

  Live.Entry = Entry;
})((window.Live = window.Live || {}));
