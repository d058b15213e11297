/* What can be changed: the end mark, the search, and what is taken away. */
(function (Live) {
  "use strict";

  const { el, choice, check, slider, button } = Live;
  const MARKS = [".", "?"];
  const AWAY = {
    positions: "the positions: the order of the words is lost",
    causal: "the causal mask: each Korean piece sees the later ones, too",
    scaled: ["the scaling by √d", el("sub", {}, "k"),
             ": the softmax gets steep"],
  };

  class Changes {
    constructor(app) {
      this.app = app;
      const { tokenizer } = app.translator;
      const marks = MARKS.filter((mark) => tokenizer.knows(mark));
      this.mark = choice("End mark",
        [...marks.map((mark) => [mark, mark]), ["", "none"]],
        (mark) => app.change({
          text: Live.withMark(this.first(), mark), bare: !mark, prefix: [],
        }));
      this.search = choice("How to choose the next token", [
        ["greedy", "always the best"], ["beam", "beam search"],
        ["sample", "at random"],
      ], (search) => app.change({ search }));
      this.beam = slider("Beam size", { min: 2, max: 8, step: 1 },
        (beam) => app.change({ beam }));
      this.temperature = slider("Temperature",
        { min: 0.1, max: 2, step: 0.1 },
        (temperature) => app.change({ temperature }));
      this.again = button("Draw again", () =>
        app.change({ seed: app.state.seed + 1 }));
      this.others = el("ol", { class: "live-others", lang: "ko" });
      this.parts = Live.PARTS.map((part) => [part, check(AWAY[part],
        (away) => app.change({ [part]: !away, prefix: [] }))]);
      this.element = el("details", { class: "live-fold" },
        el("summary", {}, "Change something and see what breaks"),
        el("p", {}, "To hide a word from the model, press it above."),
        this.mark.element, this.search.element, this.beam.element,
        this.temperature.element, this.again, this.others,
        el("fieldset", { class: "live-away" },
          el("legend", {}, "Take away"),
          ...this.parts.map(([, box]) => box.element)));
    }

    /** The sentence that is translated, if there are several. */
    first() {
      const { text } = this.app.state;
      return Live.sentencesOf(text)[0] ?? text;
    }

    render() {
      const { state, written, translator } = this.app;
      this.mark.set(state.bare ? "" : Live.markOf(Live.readText(state)));
      this.search.set(state.search);
      this.beam.set(state.beam);
      this.temperature.set(state.temperature);
      this.parts.forEach(([part, box]) => box.set(!state[part]));
      this.beam.element.hidden = state.search !== "beam";
      this.temperature.element.hidden = state.search !== "sample";
      this.again.hidden = state.search !== "sample";
      const beams = written?.beams ?? [];
      this.others.replaceChildren(...beams.map(({ tokens, logP }) =>
        el("li", {}, translator.tokenizer.decode(
          tokens.filter((id) => id !== Live.EOS)),
        el("span", { lang: "en" }, ` log p = ${logP.toFixed(2)}`))));
    }
  }

  Live.Changes = Changes;
})((window.Live = window.Live || {}));
