/* How probable it is that a translation is right: the logistic regression of
   transformer_lib/confidence, over the same four features, and in three steps
   what to make of it. */
(function (Live) {
  "use strict";

  class Confidence {
    /** arrays: as stored with the model; constants: of the Python module. */
    constructor(arrays, constants) {
      Object.assign(this, arrays);
      this.constants = constants;
      this.threshold = arrays.threshold[0];
      this.seen = new Set(arrays.runs);
      this.dictionary = new Map();
      arrays.log_p.forEach((logP, i) => {
        const [word, token] = arrays.entries.slice(2 * i, 2 * i + 2);
        this.dictionary.set(`${word} ${token}`, logP);
      });
    }

    /** Return {p, step, strange, uncovered} for what `Live.write` wrote. */
    of(source, { tokens, logP, finished }) {
      // A translation that was cut counts as if it ended one token earlier.
      const kept = finished ? tokens : tokens.slice(0, -1);
      const scores = [...kept, Live.EOS].map((id, n) => logP[n][id]);
      const covered = this.coverage(source, kept);
      const strange = this.strange(source);
      const features = [
        Math.min(...scores),
        scores.reduce((a, b) => a + b, 0) / scores.length,
        Math.min(...covered),
        Math.min(strange, this.constants.most_strange),
      ];
      let z = this.weights[features.length];
      features.forEach((value, i) => { z += this.weights[i] * value; });
      const p = 1 / (1 + Math.exp(-z));
      return { p, step: this.step(p), strange,
               doubtful: scores.indexOf(features[0]),
               uncovered: covered.indexOf(features[2]) };
    }

    /** Is a translation to be trusted: "yes", "maybe" or "no"? */
    step(p) {
      if (p < this.threshold) return "no";
      return p < this.constants.sure ? "maybe" : "yes";
    }

    /** Say for each source word how well some target token covers it. */
    coverage(source, tokens) {
      const least = Math.log(this.constants.least);
      const among = [0, ...tokens]; // 0 stands for no token at all
      return source.map((word) => Math.max(...among.map((token) =>
        this.dictionary.get(`${word} ${token}`) ?? least)) - this.usual[word]);
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
