/* The five best tokens at the selected place; each can be chosen by hand. */
(function (Live) {
  "use strict";

  const { el, percent } = Live;
  const N = 5;

  class Next {
    constructor(app) {
      this.app = app;
      this.lead = el("p");
      this.bars = el("ol", { class: "live-bars" });
      this.element = el("details", { class: "live-fold",
        ontoggle: () => this.render() },
      el("summary", {}, "What else could stand here? The five best"),
      this.lead, this.bars);
    }

    render() {
      const { app } = this;
      const { written, selected, pieces } = app;
      if (!this.element.open) return;
      this.bars.replaceChildren();
      this.lead.replaceChildren();
      if (!written || !pieces.length) return;
      const before = pieces.slice(0, selected);
      const said = app.translator.tokenizer.decode(
        written.tokens.slice(0, selected));
      this.lead.append(
        before.length ? "After " : "At the beginning of the sentence",
        el("span", { lang: "ko" }, said),
        " the model finds these tokens the most probable. Choose another one,"
        + " and it goes on from there.");
      const logP = written.logP[selected];
      this.bars.append(...Live.best(logP, N).map((id) =>
        el("li", {}, this.bar(id, Math.exp(logP[id])))));
    }

    bar(id, p) {
      const { app } = this;
      const { tokenizer, texts } = app.translator;
      const token = tokenizer.tokens[id];
      const before = app.written.tokens.slice(0, app.selected)
        .map((other) => tokenizer.tokens[other]);
      const gloss = id === Live.EOS ? "end of the sentence"
        : texts.gloss([...before, token], app.words).pop();
      const taken = app.pieces[app.selected]?.token === token;
      return el("button", {
        type: "button", class: "live-bar", "aria-pressed": String(taken),
        style: `--p: ${p}`,
        onclick: () => app.change({ prefix: [...before, token] }),
      },
      el("span", { lang: "ko" }, id === Live.EOS ? "■" : token),
      el("span", { class: "live-gloss" }, gloss),
      el("span", { class: "live-share" }, percent(p)));
    }

    select() {
      this.render();
    }
  }

  Live.Next = Next;
})((window.Live = window.Live || {}));
