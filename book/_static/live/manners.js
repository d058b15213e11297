/* What people type that is no sentence of its language: which kind it is,
   what is said about it, and which sentences are offered instead. */
(function (Live) {
  "use strict";

  const TRIED = 5; // known sentences, until it is sure of one
  const MOST = 3; // sentences of the reader's own that are offered
  const INVISIBLE = /[\p{Cf}\p{Cc}\p{White_Space}]/gu;
  const UNREADABLE = new Set(["empty", "korean", "foreign"]);
  const GREETING = new RegExp("^(hello|hi|hey|good (morning|evening|night)"
    + "|good ?bye|bye|thanks|thank you)\\b[^?]{0,12}$", "i");

  /** Return the kind of a text; "" for what looks like one sentence. */
  function kindOf(text) {
    if (!text.replace(INVISIBLE, "")) return "empty";
    if (/\p{Script=Hangul}/u.test(text)) return "korean";
    const letters = text.match(/\p{L}/gu) ?? [];
    const latin = text.match(/\p{Script=Latin}/gu) ?? [];
    if (letters.length > 2 * latin.length) return "foreign";
    if (GREETING.test(text.trim())) return "greeting";
    return Live.sentencesOf(text).length > 1 ? "several" : "";
  }

  const wordsOf = (text) => text.split(/\s+/).filter(Boolean).length;

  /** Say what is the matter with what was typed, "" for nothing. */
  function saidOf({ asked, cut, typed }, most) {
    const [n, words] = [Live.sentencesOf(typed).length, wordsOf(typed)];
    const kept = typed.length > Live.MOST_LETTERS
      ? ` The field keeps ${Live.MOST_LETTERS} letters.` : "";
    if (cut) {
      return `Too long: ${words} words. It reads one sentence of at most `
        + `${most} words and marks, or ${Live.MOST_LETTERS} letters; the `
        + "rest is left out.";
    }
    if (asked === "several") {
      const all = n === 2 ? "two sentences" : `${n} sentences`;
      return `These are ${words > most ? `${words} words in ` : ""}${all}. `
        + `It translates one at a time: here is the first.${kept}`;
    }
    return {
      empty: "There is nothing to translate yet.",
      korean: "This is Korean. It translates in one direction only, from "
        + "English into Korean.",
      foreign: "It reads English only, and writes Korean.",
      greeting: "It has learned sentences, but no greetings.",
    }[asked] ?? "";
  }

  /** Is the first sentence longer than what is kept of it? */
  function isLong(text) {
    const [first = ""] = Live.sentencesOf(text);
    return first.length > Live.MOST_LETTERS;
  }

  /** Return what to offer: {lead, texts}. sure: does the translator, given
   *  a sentence, trust itself? example: where nothing is alike. */
  async function offersOf({ asked, cut, typed, words }, app, sure) {
    if (asked === "several" && !cut) {
      const [first, ...more] = new Set(Live.sentencesOf(typed));
      const next = more.filter((one) => one.length <= Live.MOST_LETTERS);
      const texts = next.length ? next.slice(0, MOST) : [first];
      return { lead: "Go on with: ", texts };
    }
    const { texts, tokenizer } = app.translator;
    const like = (asked === "korean" ? texts.backwards(typed) : words)
      .filter((word) => /\p{L}/u.test(word));
    const near = texts.nearest(like, tokenizer).slice(0, TRIED);
    const alike = tokenizer.split(near[0] ?? "")
      .some((word) => like.includes(word));
    if (!alike) near.unshift(app.example);
    let [best] = near;
    for (const text of near) {
      if (!await sure(text)) continue;
      best = text;
      break;
    }
    const lead = app.translator.confidence ? "A sentence that it knows: "
      : "Another sentence: "; // one that is not sure knows nothing for sure
    return { lead, texts: [best] };
  }

  /** Where an answer is not to be trusted, find what to offer. */
  async function offersFor(app, now, call) {
    const { translator } = app;
    const { source, written } = now;
    const bad = !written || source.includes(Live.UNK)
      || translator.step(source, written) === "no";
    if (!bad && !app.noteOf(now)) return null;
    return offersOf(now, app, async (text) => {
      const { judged } = app; // sentence -> is the translator sure of it?
      if (judged.has(text)) return judged.get(text);
      const { tokenizer } = translator;
      const ids = tokenizer.encode(tokenizer.split(text));
      const found = await app.run(ids, {}, call);
      if (!found) return true; // nobody waits for it any more
      judged.set(text, translator.step(ids, found) === "yes");
      return judged.get(text);
    });
  }

  /** Return the words of an offer, with a button for each sentence. */
  function offered(app, { lead, texts }) {
    const take = (text) => (event) => {
      if (!event.detail) app.entry.input.focus(); // pressed by a key
      app.open(text, { play: true });
    };
    return [lead, ...texts.flatMap((text) =>
      [" ", Live.button(text, take(text))])];
  }

  Object.assign(Live, {
    UNREADABLE, kindOf, isLong, saidOf, offersOf, offersFor, offered,
  });
})((window.Live = window.Live || {}));
