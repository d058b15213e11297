/* Text to token ids and back: the same rules as the tokenizer of
   transformer_lib, which shipped.js brings along. */
(function (Live) {
  "use strict";

  const UNK = 3;
  const JOINER = "+";
  const CONTROL = /[\p{Cc}\u2028\u2029]+/gu;

  class Tokenizer {
    /** tokens: by id; replacements: [pattern, text]; cut: what becomes a
     *  token of its own. */
    constructor({ tokens, replacements, cut }) {
      this.tokens = tokens;
      this.ids = new Map(tokens.map((token, id) => [token, id]));
      this.rules = replacements.map(([pattern, text]) =>
        [new RegExp(pattern, "gu"), text]);
      this.cut = new RegExp(`(${cut})`, "u");
    }

    /** Return one with the same rules and other tokens. */
    of(tokens) {
      return Object.assign(Object.create(Tokenizer.prototype), this, {
        tokens, ids: new Map(tokens.map((token, id) => [token, id])),
      });
    }

    /** Cut a text into tokens, unknown ones included. */
    split(text) {
      let plain = text.normalize("NFC").toLowerCase();
      for (const [pattern, to] of this.rules) {
        plain = plain.replace(pattern, to);
      }
      return plain.split(/\p{White_Space}+/u)
        .flatMap((word) => word.split(this.cut))
        .filter(Boolean);
    }

    /** Return the id of each token; an unknown one is <unk>. */
    encode(words) {
      return words.map((word) => this.ids.get(word) ?? UNK);
    }

    knows(word) {
      return this.ids.has(word);
    }

    /** Print tokens in one line: 고양이 +는 강 +을 -> 고양이는 강을. */
    decode(ids) {
      return ids.map((id) => this.tokens[id]).join(" ")
        .replaceAll(` ${JOINER}`, "").replace(/^\+/, "")
        .replace(CONTROL, " ").replace(/^ +| +$/g, "");
    }

    /** Return the token and whether it is written on to the one before. */
    piece(id) {
      const token = this.tokens[id];
      const glued = token.length > 1 && token.startsWith(JOINER);
      const text = glued ? token.slice(1) : token;
      return { text: text.replace(CONTROL, " "), glued };
    }
  }

  Object.assign(Live, { Tokenizer, UNK });
})((window.Live = window.Live || {}));
