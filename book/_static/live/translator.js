/* A translator: sentences in, sentences out, with all that happens between.

   shipped.js, which is made when the book is built, calls Live.receive with
   the weights, the vocabulary and the texts. */
(function (Live) {
  "use strict";

  class Translator {
    constructor(data) {
      const { weights, confidence } = Live.readWeights(data);
      this.model = new Live.Transformer(data.config, weights);
      this.tokenizer = new Live.Tokenizer(data.tokenizer);
      this.texts = new Live.Texts(data);
      this.measured = data.measured; // {sure: [wrong, all], ...}
      this.confidence = data.constants
        ? new Live.Confidence(confidence, data.constants) : null;
    }

    /** Translate; yields what is written so far, returns the whole.
     *  how: {search, beam, temperature, seed, prefix, changes, traced}. */
    * write(source, how = {}) {
      const { search, prefix = [], changes, traced } = how;
      let choose = Live.greedy;
      if (search === "sample") choose = Live.sampler(how.temperature, how.seed);
      if (search !== "beam") {
        return yield* Live.write(this.model, source,
          { choose, prefix, changes, traced });
      }
      const beams = yield* Live.beamSearch(this.model, source,
        { size: how.beam, prefix, changes });
      // The best one is written again, for its attention and its scores.
      const written = yield* Live.write(this.model, source,
        { prefix: beams[0].tokens, changes, traced });
      return { ...written, beams };
    }

    /** Say how far to trust what it wrote: "yes", "maybe" or "no". */
    step(source, written) {
      if (!written.tokens.length) return "no";
      return this.confidence?.of(source, written).step ?? "yes";
    }

    /** The pieces of what it wrote, with sound and meaning; a mark has none.
     *  words: the English ones, which say what a piece means here. */
    pieces({ tokens }, words) {
      const { tokenizer, texts } = this;
      const names = tokens.map((id) => tokenizer.tokens[id]);
      const glosses = texts.gloss(names, words);
      return tokens.map((id, k) => {
        const piece = tokenizer.piece(id);
        return { ...piece, token: names[k], latin: texts.romanize(names[k]),
                 gloss: glosses[k] === piece.text ? "" : glosses[k] };
      });
    }

    translate(text, how) {
      const source = this.tokenizer.encode(this.tokenizer.split(text));
      const written = Live.finish(this.write(source, how));
      return this.tokenizer.decode(written.tokens);
    }
  }

  let arrived;
  const ready = new Promise((resolve) => { arrived = resolve; });
  const receive = (data) => arrived(new Translator(data));

  Object.assign(Live, { Translator, receive, ready });
})((window.Live = window.Live || {}));
