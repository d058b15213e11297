/* One sentence's whole way: what the reader chose, the numbers of the
   translator's sentence, and the stations that show them. It is a view of the
   live translator (live/face.js), whose model hands out its intermediates. */
(function (Live) {
  "use strict";

  const { el } = Live;
  const STEP = 2; // pieces that are written, at least, when the decoder is met
  // What a noun is followed by.
  const PARTICLES = /^(TOP|NOM|ACC|DAT|GEN|LOC|ABL|INS|COM|PL)$/;
  const NEAR = "600px"; // a station as close to the window as this is drawn
  const END = { text: "end", latin: "", gloss: "", lang: "en" };
  const CHOICES = ["follow", "head", "key", "step", "deep"];

  class Way {
    constructor(face) {
      this.face = face;
      const { model, tokenizer, texts } = face.translator;
      Object.assign(this, { tokenizer, texts, source: model.source,
        tokens: tokenizer.tokens, size: model.config.d_model,
        nHeads: model.config.n_heads, nLayers: model.config.n_layers });
      this.places = [...document.querySelectorAll(".way-station")];
      this.stale = new Set();
      this.near = new Set();
      this.asked = fieldsOf(location.hash);
      this.travel = new Live.Travel(document.querySelector(".way-band"),
        this.places.map((place) => place.closest("section")), this);
      const seen = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) {
          this.near[isIntersecting ? "add" : "delete"](target);
        }
        this.draw();
      }, { rootMargin: NEAR });
      this.places.forEach((place) => seen.observe(place));
      addEventListener("beforeprint", () => this.draw(this.places));
      addEventListener("hashchange", () => {
        this.asked = fieldsOf(location.hash);
      });
      face.join(this);
    }

    // What the stations ask for ------------------------------------------

    get words() { return this.face.words; }
    get ids() { return this.face.source; }
    get word() { return this.words[this.follow]; }
    get maps() { return this.face.written.maps; }
    get trace() { return this.face.written.trace; }
    get logP() { return this.face.written.logP; }

    /** The ids that were written, the end mark included. */
    get next() {
      const { tokens, finished } = this.face.written;
      return finished ? [...tokens, Live.EOS] : tokens;
    }

    /** The same with sound and meaning. */
    get pieces() {
      const pieces = this.face.pieces.map((piece) =>
        ({ ...piece, lang: "ko" }));
      return this.face.written.finished ? [...pieces, END] : pieces;
    }

    get said() {
      return { written: this.face.translation,
               finished: this.face.written.finished };
    }

    /** Return what a token would be as the piece after n others. */
    piece(id, n) {
      if (id === Live.EOS) return END;
      const names = [...this.next.slice(0, n), id].map((one) =>
        this.tokens[one]);
      return { text: this.tokenizer.piece(id).text, lang: "ko",
               latin: this.texts.romanize(this.tokens[id]),
               gloss: this.texts.gloss(names, this.words).pop() };
    }

    /** Say a gloss in words: ACC is object, last.year is last year. */
    meaning(gloss) {
      return /[A-Z]{2}/.test(gloss) ? this.texts.writtenOut(gloss)
        : gloss.replaceAll(".", " ");
    }

    /** The text of the first n pieces. */
    written(n) {
      return this.tokenizer.decode(this.next.slice(0, n));
    }

    /** One head's part of a row. */
    part(name, i, head) {
      return Live.split(this.trace[name][i], this.nHeads)[head];
    }

    /** What the translator thinks of its answer; null for nothing. */
    verdict() {
      const { sure } = this.face.verdict;
      return sure.hidden ? null : sure.cloneNode(true);
    }

    linkTo(chapter) {
      return this.travel.drawing.querySelector(`a[href*="/${chapter}_"]`)
        .getAttribute("href");
    }

    headChoice() {
      return this.choice("Head", "head", this.nHeads);
    }

    layerChoice() {
      return this.choice("Layer", "deep", this.nLayers);
    }

    choice(legend, name, n) {
      const options = Array.from({ length: n }, (_, i) => [i, i + 1]);
      const { element, set } = Live.choice(legend, options, (value) =>
        this.change({ [name]: value }));
      set(this[name]);
      return element;
    }

    // What changes --------------------------------------------------------

    /** Take the translator's sentence; a new one begins with a piece and a
     *  head of its own. */
    render() {
      const { text } = this.face.state;
      const first = this.text === undefined;
      if (text !== this.text || this.asked) this.begin();
      this.text = text;
      this.stale = new Set(this.places);
      this.showChips();
      this.draw();
      if (this.asked) this.travel.go(this.station(this.asked.get("at")));
      else if (!first) this.link();
      this.asked = null;
    }

    begin() {
      const { words } = this;
      const longest = words.reduce((best, word, i) =>
        (word.length > words[best].length ? i : best), 0);
      this.follow = longest;
      this.key = null; // the one with the largest share
      this.deep = this.nLayers - 1;
      if (!this.face.written) return;
      this.step = this.noun();
      const forms = this.texts.formsOf(this.pieces[this.step].gloss);
      const same = words.findIndex((word) => forms.includes(word));
      this.follow = same < 0 ? longest : same;
      this.take("follow", words.length);
      this.head = this.surest();
      this.take("head", this.nHeads);
      this.take("key", words.length);
      this.take("step", this.next.length);
      this.take("deep", this.nLayers);
    }

    /** The place of the noun to begin with, of any piece if there is none. */
    noun() {
      const { pieces } = this;
      const found = pieces.findIndex(({ glued }, k) => k >= STEP && !glued
        && PARTICLES.test(pieces[k + 1]?.gloss));
      return found < 0 ? Math.min(STEP, pieces.length - 1) : found;
    }

    /** Take what the address asks for, if there is such a one. */
    take(name, n) {
      const value = Number(this.asked?.get(name) ?? -1);
      if (Number.isInteger(value) && value >= 0 && value < n) {
        this[name] = value;
      }
    }

    /** The head of the first layer that looks most at a single other word. */
    surest() {
      const most = this.maps["encoder.layers.0.self_attention"].map((map) =>
        Math.max(...map[this.follow].filter((_, j) =>
          j !== this.follow && /[\p{L}\p{N}]/u.test(this.words[j])), 0));
      return Live.best(most, 1)[0];
    }

    /** Change some of what the reader chose; draw the stations it touches. */
    change(choices) {
      const again = "follow" in choices || "head" in choices;
      Object.assign(this, again ? { key: null } : {}, choices);
      const names = Object.keys(choices);
      for (const place of this.places) {
        const { uses } = Live.stations[place.dataset.station];
        if (uses.some((name) => names.includes(name))) this.stale.add(place);
      }
      this.showChips();
      this.draw();
      this.link();
      if (Live.stations[this.name]?.uses.some((one) => names.includes(one))) {
        Live.moments.play(this, this.places[this.travel.now]);
      }
    }

    /** Draw what is out of date, near the window or as told. */
    draw(places = [...this.near]) {
      if (this.text === undefined) return;
      for (const place of places) {
        if (!this.stale.delete(place)) continue;
        const focus = focused(place);
        const { draw } = Live.stations[place.dataset.station];
        place.replaceChildren(...this.face.written ? draw(this)
          : [el("p", { class: "way-note" }, "There is no sentence yet.")]);
        focusable(place)[focus]?.focus({ preventScroll: true });
      }
    }

    /** The pieces that can be followed: English ones, or in the decoder the
     *  Korean ones. */
    showChips() {
      const { chips } = this.travel;
      const focus = focused(chips);
      if (!this.face.written) {
        chips.replaceChildren();
        return;
      }
      const korean = Live.stations[this.name]?.uses.includes("step");
      const [choice, labels] = korean
        ? ["step", this.pieces.map(({ text, lang }) => [text, lang])]
        : ["follow", this.words.map((word) => [word, "en"])];
      const buttons = labels.map(([label, lang], i) => el("button", {
        type: "button", class: "way-chip", role: "radio", lang,
        "aria-checked": String(i === this[choice]),
        tabindex: i === this[choice] ? 0 : -1,
        onclick: () => this.change({ [choice]: i }),
      }, label));
      const group = el("div", { role: "radiogroup", "aria-label": korean
        ? "The Korean piece that is being written" : "The piece to follow" },
      ...buttons);
      Live.onArrows(group, () => this[choice], () => buttons.length,
        (i) => this.change({ [choice]: i }));
      chips.replaceChildren(group);
      if (focus >= 0) buttons[this[choice]].focus({ preventScroll: true });
      const { offsetLeft, offsetWidth } = buttons[this[choice]];
      group.scrollLeft = offsetLeft - (group.clientWidth - offsetWidth) / 2;
    }

    /** The name of the station where the reader is. */
    get name() {
      return this.places[this.travel?.now]?.dataset.station;
    }

    station(name) {
      return this.places.findIndex((place) => place.dataset.station === name);
    }

    arrived() {
      if (this.text === undefined) return;
      this.showChips();
      this.link();
      Live.moments.play(this, this.places[this.travel.now]);
    }

    /** Let the address say the sentence and what is chosen. */
    link() {
      const fields = new URLSearchParams();
      if (this.name) fields.set("at", this.name);
      for (const name of CHOICES) {
        if (this[name] != null) fields.set(name, this[name]);
      }
      history.replaceState(null, "",
        `${Live.toLink(this.face.state)}&${fields}`);
    }
  }

  /** Read what of an address is about this page; null for nothing. */
  const fieldsOf = (hash) =>
    (hash.startsWith("#s=") ? new URLSearchParams(hash.slice(1)) : null);

  const focusable = (place) =>
    [...place.querySelectorAll("button, input, a, [tabindex]")];

  /** The place of what has the focus among all that can have it. */
  const focused = (place) =>
    focusable(place).indexOf(document.activeElement);

  Live.Way = Way;
})((window.Live = window.Live || {}));
