/* Words about words: glosses, romanization, constructions. */
(function (Live) {
  "use strict";

  /** A gloss without its labels: read of read.HON.PST. */
  const base = (gloss) => gloss.split(".")[0];

  class Texts {
    constructor({ samples, sentences, short, glosses, romanization, kinds,
                  senses = {}, forms = {}, labels = {}, n_words = 0 }) {
      Object.assign(this, { samples, sentences, short, kinds, forms, labels });
      // By token; a reader's model may have one that is named constructor.
      this.romanization = new Map(Object.entries(romanization));
      this.senses = new Map(Object.entries(senses));
      this.glosses = new Map(Object.entries(glosses));
      this.size = n_words; // words of the lexicon, without their forms
    }

    /** Return the same for a translator that knows fewer words. */
    within(tokenizer) {
      const known = (text) => tokenizer.split(text)
        .every((word) => tokenizer.knows(word));
      return Object.assign(Object.create(Texts.prototype), this, {
        samples: this.samples.filter(([, text]) => known(text)),
        sentences: this.sentences.filter(known),
        short: this.short.filter(known),
        size: 0, // nobody counted its words without their forms
      });
    }

    /** Gloss each token of a Korean sentence; "" where nothing is known. The
     *  longest context that the table has decides, and then the English. */
    gloss(tokens, words = []) {
      const edged = ["^", ...tokens, "$"];
      return tokens.map((token, i) => {
        const [before, after] = [edged[i], edged[i + 2]];
        const near = [`|${token}|${after}`, `${before}|${token}|`];
        if (token.startsWith("+")) near.reverse();
        const keys = [`${before}|${token}|${after}`, ...near.reverse(),
                      `|${token}|`];
        const key = keys.find((one) => this.glosses.has(one));
        const gloss = key ? this.glosses.get(key) : "";
        return this.sense(token, gloss, words);
      });
    }

    /** Return the English words in which a gloss can stand in a sentence. */
    formsOf(gloss) {
      return this.forms[base(gloss)] ?? [base(gloss).toLowerCase()];
    }

    /** Of what a word can mean, choose what the English sentence says. */
    sense(token, usual, words) {
      const said = (gloss) =>
        this.formsOf(gloss).some((form) => words.includes(form));
      if (!words.length || said(usual)) return usual;
      const others = (this.senses.get(token) ?? []).filter(said);
      const label = usual.slice(base(usual).length);
      return others.find((one) => one === base(one) + label)
        ?? others[0] ?? usual;
    }

    /** Return [label, meaning] for the labels in some glosses. */
    labelsIn(glosses) {
      const all = new Set(glosses.flatMap((gloss) => gloss.split(".")));
      return Object.entries(this.labels).filter(([name]) => all.has(name));
    }

    /** Write out the labels of a gloss: read.HON.PST: read, honored, past. */
    writtenOut(gloss) {
      return gloss.split(".").map((part) => this.labels[part] ?? part)
        .join(", ");
    }

    romanize(token) {
      return this.romanization.get(token) ?? "";
    }

    /** Return short sentences of the grammar, those first that are most like
     *  some words. What they share counts by how rare it is. */
    nearest(words, tokenizer) {
      const split = this.short.map((text) => new Set(tokenizer.split(text)));
      const worth = new Map();
      for (const word of split.flatMap((one) => [...one])) {
        worth.set(word, (worth.get(word) ?? 0) + 1);
      }
      worth.forEach((n, word) => worth.set(word, Math.log(split.length / n)));
      const sum = (some) =>
        [...some].reduce((total, word) => total + (worth.get(word) ?? 0), 0);
      const like = split.map((one) =>
        sum(words.filter((word) => one.has(word))) / Math.sqrt(sum(one)));
      return this.short.map((text, i) => [text, like[i]])
        .sort((a, b) => b[1] - a[1]).map(([text]) => text);
    }

    /** Return English words for the Korean ones of a text, as far as they
     *  begin with a token that has a gloss. */
    backwards(text) {
      const known = (word) => {
        for (let end = word.length; end > 0; end--) {
          const gloss = this.glosses.get(`|${word.slice(0, end)}|`);
          if (gloss) return this.forms[gloss.split(".")[0]] ?? [];
        }
        return [];
      };
      return (text.normalize("NFC").match(/\p{Script=Hangul}+/gu) ?? [])
        .flatMap(known);
    }

    /** Return the construction of a sentence: a sample's own, or else the
     *  one that its words speak for. */
    construction(text, words) {
      const sample = this.samples.find(([, one]) => one === text);
      if (sample) return sample[0];
      const { names, weights } = this.kinds;
      const scores = names.map(() => 0);
      for (const word of new Set(words)) {
        for (const [place, weight] of Object.entries(weights[word] ?? {})) {
          scores[place] += weight;
        }
      }
      return names[scores.indexOf(Math.max(...scores))];
    }
  }

  /** Return a generator of numbers from 0 to 1 (mulberry32). */
  function random(seed) {
    let state = seed | 0;
    return () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
  }

  Object.assign(Live, { Texts, random });
})((window.Live = window.Live || {}));
