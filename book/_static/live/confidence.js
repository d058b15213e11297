/* How probable it is that a translation is right: the logistic regression of
   transformer_lib/confidence, over the same five features, and with the same
   two thresholds what to make of it. */
(function (Live) {
  "use strict";

  class Confidence {
    /** arrays: as stored with the model; constants: of the Python module. */
    constructor(arrays, constants) {
      Object.assign(this, arrays);
      this.constants = constants;
      this.seen = new Set(arrays.runs);
      this.dictionary = new Map();
      arrays.evidence.forEach((nats, i) => {
        const [word, token] = arrays.entries.slice(2 * i, 2 * i + 2);
        this.dictionary.set(`${word} ${token}`, nats);
      });
    }

    /** Return {p, step, strange, lost} for what `Live.write` wrote; step is
     *  "yes" for sure, "maybe" for perhaps, "no" for doubtful; lost has
     *  the places of source words that no token accounts for. */
    of(source, { tokens, logP, finished }) {
      // A translation that was cut counts as if it ended one token earlier.
      const kept = finished ? tokens : tokens.slice(0, -1);
      const scores = [...kept, Live.EOS].map((id, n) => logP[n][id]);
      const lost = this.lost(source, kept);
      const strange = this.strange(source);
      const features = [
        Math.min(...scores),
        scores.reduce((a, b) => a + b, 0) / scores.length,
        Math.min(...this.coverage(source, kept)),
        Math.min(strange, this.constants.most_strange),
        Math.min(lost.length, this.constants.most_lost),
      ];
      let z = this.weights[features.length];
      features.forEach((value, i) => { z += this.weights[i] * value; });
      const p = 1 / (1 + Math.exp(-z));
      const unknown = source.includes(Live.UNK);
      const step = this.step(p, unknown, finished && !lost.length);
      return { p, step, strange, lost };
    }

    /** Is a translation to be trusted? whole: it ended and lost no word. */
    step(p, unknown, whole) {
      const [lower, upper] = this.thresholds;
      if (p < lower || unknown) return "no";
      return p >= upper && whole ? "yes" : "maybe";
    }

    /** Return the strongest evidence of a word among some tokens. */
    spoken(word, tokens) {
      return Math.max(0, ...tokens.map((token) =>
        this.dictionary.get(`${word} ${token}`) ?? 0));
    }

    /** Say for each source word how well some target token covers it. */
    coverage(source, tokens) {
      return source.map((word) =>
        this.spoken(word, tokens) - this.usual[word]);
    }

    /** Return the places of the words that no token accounts for. */
    lost(source, tokens) {
      return [...source.keys()].filter((place) =>
        this.spoken(source[place], tokens) < this.limit[source[place]]);
    }

    /** Count the runs of word classes that training never had. */
    strange(source) {
      const { run, base } = this.constants;
      const edged = [...Array(run - 1).fill(0),
                     ...source.map((id) => this.classes[id]), 0];
      let count = 0;
      for (let start = 0; start + run <= edged.length; start++) {
        let code = 0;
        for (let i = 0; i < run; i++) code += edged[start + i] * base ** i;
        if (!this.seen.has(code)) count++;
      }
      return count;
    }
  }

  Live.Confidence = Confidence;
})((window.Live = window.Live || {}));
