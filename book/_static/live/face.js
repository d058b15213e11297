/* The face of the translator: it holds what the reader chose, translates
   whenever that changes, and tells the views. */
(function (Live) {
  "use strict";

  const { el } = Live;
  const SLICE = 8; // milliseconds of work between two looks at the reader
  const PACE = 170; // milliseconds a piece, when a sentence is played
  const PAUSE = 5; // paces at the end, before one piece is looked at
  const END = { text: "■", token: "end", latin: "", gloss: "end" };
  const QUIET = 700; // milliseconds until the sentence is read aloud
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  class Face {
    /** root: the element to fill; translator: see translator.js. */
    constructor(root, translator, { whole, samples, more, way: pageOfWay }) {
      Object.assign(this, { root, translator, whole, more, pageOfWay,
                            samples });
      this.state = { ...Live.START };
      this.judged = new Map(); // see manners.js
      this.typed = ""; // all that came, also what is too long to be kept
      const layers = translator.model.config.n_layers;
      this.look = { kind: "cross", layer: layers - 1, head: "mean" };
      this.clear();
      this.kept = [];
      this.stage = new Live.Stage(this);
      this.entry = new Live.Entry(this);
      this.verdict = new Live.Verdict(this);
      this.views = [this.entry, this.stage, this.verdict];
      if (whole) {
        this.views.push(...[Live.Next, Live.Maps, Live.Changes, Live.Board]
          .map((View) => new View(this)));
      }
      this.said = el("p", { class: "live-said", role: "status" });
      root.replaceChildren(...this.views.map((view) => view.element),
        this.said);
    }

    /** Let another view see each sentence, with all of its numbers. */
    join(view) {
      this.traced = true;
      this.views.push(view);
    }

    clear() {
      this.words = [];
      this.known = [];
      this.source = [];
      this.cut = false; // not all of the sentence is read
      this.asked = ""; // what kind of text it is; see manners.js
      this.offers = null; // {lead, texts}: other sentences to take
      this.pieces = [];
      this.written = null;
      this.selected = 0;
    }

    /** The weights with which each piece looked at the English. */
    get rows() {
      return this.pieces.length
        ? Live.mapOf(this.written.maps, Live.crossOf(this.look)) : [];
    }

    /** Those of the selected piece. */
    get row() {
      return this.rows[this.selected] ?? [];
    }

    /** The piece to look at when nobody has chosen one. */
    get telling() {
      return Live.tellingPiece(this.pieces, this.rows, this.words,
        this.translator.texts);
    }

    /** Take another sentence and forget what belonged to the old one. */
    open(text, { play = false } = {}) {
      return this.change({ text, hidden: [], prefix: [], bare: false }, play);
    }

    /** Change some of what the reader chose, and translate again. */
    change(choices, play = false) {
      const { text = this.state.text } = choices;
      if (text !== this.state.text) this.typed = text;
      this.state = { ...this.state, ...choices,
                     text: text.slice(0, Live.MOST_LETTERS) };
      return this.translate(play);
    }

    hide(place) {
      const { hidden } = this.state;
      const rest = hidden.filter((other) => other !== place);
      this.change({
        hidden: rest.length < hidden.length ? rest : [...hidden, place],
        prefix: [],
      });
    }

    /** Translate in slices, so that typing never waits; a newer call makes
     *  an older one stop. */
    async translate(play) {
      const call = (this.call = (this.call ?? 0) + 1);
      this.busy = true;
      const { tokenizer, model } = this.translator;
      const asked = Live.kindOf(this.typed);
      const every = Live.UNREADABLE.has(asked) ? []
        : tokenizer.split(Live.readText(this.state));
      const words = every.slice(0, model.config.max_length);
      const source = tokenizer.encode(words);
      const plain = this.plainWay(words);
      const written = source.length
        ? await this.run(source, this.way(), call) : null;
      const unchanged = written && plain
        ? await this.run(source, plain, call) : null;
      const now = { asked, typed: this.typed, words, source, written,
                    cut: words.length < every.length
                      || Live.isLong(this.typed) };
      const offers = plain ? null : await Live.offersFor(this, now, call);
      if (call !== this.call) return;
      this.busy = false;
      const same = this.state.text === this.lookedAt;
      const { selected } = this;
      this.lookedAt = this.state.text;
      this.clear();
      Object.assign(this, { ...now, unchanged, offers });
      this.known = words.map((word) => tokenizer.knows(word));
      this.pieces = written ? this.translator.pieces(written, words) : [];
      if (written?.finished && this.whole) this.pieces.push(END);
      this.selected = same
        ? Math.min(selected, Math.max(0, this.pieces.length - 1))
        : this.telling;
      this.views.forEach((view) => view.render());
      this.readAloud();
      if (play) this.play();
      else this.stop();
    }

    /** What is the matter with the text, "" for nothing? */
    noteOf(now) {
      return Live.saidOf(now, this.translator.model.config.max_length);
    }

    /** Show where nothing is like what was typed. */
    get example() {
      const samples = this.samples.length ? this.samples
        : this.translator.texts.samples.map(([, text]) => text);
      return samples.reduce((a, b) => (b.length < a.length ? b : a));
    }

    async run(source, way, call) {
      const work = this.translator.write(source, way);
      let until = performance.now() + SLICE;
      for (;;) {
        const step = work.next();
        if (step.done) return step.value;
        if (performance.now() < until) continue;
        await new Promise((resolve) => setTimeout(resolve));
        if (call !== this.call) return null;
        until = performance.now() + SLICE;
      }
    }

    /** What to ask of the translator. */
    way() {
      const { search, beam, temperature, seed, prefix, ...changes } =
        this.state;
      const ids = prefix.map((token) =>
        this.translator.tokenizer.ids.get(token));
      return { search, beam, temperature, seed, changes,
               prefix: ids.filter((id) => id !== undefined),
               traced: this.traced };
    }

    /** The same without the reader's changes; null if there are none. */
    plainWay(words) {
      const changed = Live.changesOf(this.state, words).length > 0
        || this.state.prefix.length > 0;
      return changed ? { search: "greedy" } : null;
    }

    /** Look at the piece that the reader points at. */
    point(k) {
      this.stop();
      this.select(k);
    }

    /** Look at one piece. */
    select(k) {
      if (k === this.selected) return;
      this.selected = k;
      this.views.forEach((view) => view.select?.());
    }

    /** Let the pieces come one after the other, as they were written. */
    play() {
      this.stop();
      if (calm.matches || !this.pieces.length) return;
      const { pieces } = this.stage;
      const show = (k) => {
        pieces.forEach((piece, i) =>
          piece.classList.toggle("live-later", i > k));
        this.select(Math.min(k, pieces.length - 1));
      };
      let k = 0;
      show(0);
      this.playing = setInterval(() => {
        show(++k);
        if (k < pieces.length + PAUSE) return;
        clearInterval(this.playing);
        this.select(this.telling);
      }, PACE);
    }

    /** Show all pieces at once. */
    stop() {
      clearInterval(this.playing);
      this.stage.pieces.forEach((piece) =>
        piece.classList.remove("live-later"));
    }

    /** Tell a screen reader, once the reader has stopped typing. */
    readAloud() {
      clearTimeout(this.reading);
      this.reading = setTimeout(() => {
        this.said.textContent = this.verdict.inWords();
      }, QUIET);
    }

    /** Did the translator stop before it had written anything? */
    get silent() {
      return this.written?.tokens.length === 0;
    }

    get translation() {
      return this.written
        ? this.translator.tokenizer.decode(this.written.tokens) : "";
    }
  }

  Live.Face = Face;
})((window.Live = window.Live || {}));
