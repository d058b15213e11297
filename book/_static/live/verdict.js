/* What is said about the translation: how sure, what is changed, where the
   selected piece looks. */
(function (Live) {
  "use strict";

  const { el, button, percent } = Live;
  const WORDS = { yes: "Sure", maybe: "Perhaps", no: "Doubtful" };
  const AND = new Intl.ListFormat("en-GB");

  class Verdict {
    constructor(app) {
      this.app = app;
      this.looks = el("p", { class: "live-looks", id: Live.newId() });
      this.labels = el("p", { class: "live-labels" });
      this.sure = el("p", { class: "live-sure" });
      this.offer = el("p", { class: "live-offer", hidden: true });
      this.changed = el("p", { class: "live-changed", hidden: true });
      this.more = el("p", { class: "live-links" });
      this.element = el("div", { class: "live-verdict" },
        this.sure, this.offer, this.looks, this.labels, this.changed,
        this.more);
      this.links = [[app.more, "Look inside it"],
                    [app.pageOfWay, "See how it did that"]]
        .filter(([href]) => href).map(([href, label]) => [
          document.querySelector(`.tiles a[href="${href}"]`)
            ?? el("a", { href }, label), href]);
      this.more.append(...this.links.filter(([link]) => !link.isConnected)
        .flatMap(([link]) => [link, " "]));
      this.more.append(el("span", { class: "live-gloss" },
        `${app.translator.model.size.toLocaleString("en")} parameters, `
        + `${app.translator.trained ? `${app.translator.trained}, ` : ""}`
        + "computed in your browser; nothing is sent."));
      if (app.whole && app.translator.measured) this.explain();
    }

    /** Say what the three values mean, by what was measured. */
    explain() {
      const { sure, perhaps, doubtful } = this.app.translator.measured;
      const told = ([wrong, all]) => `${wrong} of ${all}`;
      this.element.append(el("details", { class: "live-fold" },
        el("summary", {}, "How far to trust it"),
        el("p", {}, "Measured on sentences that people typed and by which "
          + `nothing was chosen: where it says “Sure”, ${told(sure)} `
          + `are wrong; “Perhaps”, ${told(perhaps)}; “Doubtful”, `
          + `${told(doubtful)}. It is never sure where a word is `
          + "unknown or may have got lost.")));
    }

    render() {
      const { app } = this;
      const found = this.confidence();
      const [step, why] = app.silent ? ["no", this.silence(found)]
        : found ? this.trust(found) : ["no", this.unmeasured()];
      this.sure.hidden = !why;
      this.sure.className = `live-sure live-${step}`;
      this.sure.replaceChildren(el("b", {}, WORDS[step]), `: ${why}`);
      this.offer.hidden = !app.offers || Boolean(app.noteOf(app));
      this.offer.replaceChildren(
        ...this.offer.hidden ? [] : Live.offered(app, app.offers));
      this.showLabels();
      this.showChanges();
      for (const [link, href] of this.links) {
        link.href = href + Live.toLink(app.state);
      }
      this.select();
    }

    confidence() {
      const { written, source, translator } = this.app;
      return written && translator.confidence
        ? translator.confidence.of(source, written) : null;
    }

    /** What speaks against a translation, "" for nothing. */
    doubt(found) {
      const { words, known } = this.app;
      const unknown = words.filter((_, i) => !known[i]);
      if (unknown.length) {
        const quoted = [...new Set(unknown)].map((word) => `“${word}”`);
        return `it does not know ${quoted.join(", ")}`;
      }
      const lost = new Set(found?.lost.map((place) => words[place]));
      if (lost.size && !this.app.silent) {
        const quoted = [...lost].map((word) => `“${word}”`);
        return `${AND.format(quoted)} may have got lost`;
      }
      return found?.strange
        ? "it has never met a sentence built like this" : "";
    }

    /** Say how sure the translator is, and why not: [step, words]. */
    trust(found) {
      const { p, step } = found;
      const doubt = this.doubt(found);
      if (this.app.known.includes(false)) return ["no", `${doubt}.`];
      const right = `right with probability ${percent(p)}`;
      if (step === "yes" || !doubt) return [step, right];
      return [step, `${right}, since ${doubt}.`];
    }

    /** Where there is no probability: say what speaks against it, if it is
     *  a thing that one can see. */
    unmeasured() {
      const doubt = this.doubt(null);
      return doubt && `${doubt}.`;
    }

    /** Did the reader take something away, or choose a token? */
    get altered() {
      const { state, words } = this.app;
      return Live.changesOf(state, words).length > 0 || state.prefix.length > 0;
    }

    /** Say that nothing was written, and why. */
    silence(found) {
      const doubt = this.altered ? "" : this.doubt(found);
      return `it wrote nothing${doubt && `, since ${doubt}`}.`;
    }

    /** Explain the abbreviations that stand below the pieces. */
    showLabels() {
      const glosses = this.app.pieces.map(({ gloss }) => gloss);
      const found = this.app.translator.texts.labelsIn(glosses);
      this.labels.hidden = !found.length;
      this.labels.replaceChildren(...found.map(([name, meaning]) =>
        el("span", {}, el("b", {}, name), ` ${meaning}`)));
    }

    showChanges() {
      const { app } = this;
      const changes = Live.changesOf(app.state, app.words);
      if (app.state.prefix.length) changes.push("a token chosen by you");
      this.changed.hidden = !changes.length;
      if (!changes.length) return;
      const { tokenizer } = app.translator;
      const before = app.unchanged
        ? tokenizer.decode(app.unchanged.tokens) : "";
      const same = before === app.translation;
      this.changed.replaceChildren(
        `Changed: ${changes.join(", ")}. `,
        same ? "The translation stays the same. " : "Without that: ",
        el("span", { lang: "ko" }, same ? "" : `${before} `),
        button("Undo all", () => app.change({
          ...Live.START, text: app.state.text,
        })));
    }

    /** Say where the selected piece looked. */
    select() {
      const { pieces, selected, row, words } = this.app;
      const { texts } = this.app.translator;
      const piece = pieces[selected];
      this.looks.replaceChildren();
      if (!piece) return;
      this.looks.append(
        el("b", { lang: "ko" }, piece.text),
        piece.gloss ? ` (${texts.writtenOut(piece.gloss)})` : "",
        ` was written looking at ${
          Live.inWords(row, words) || "many words, a little at each"}. `,
        el("span", { class: "live-gloss" }, "Point at any piece, or tap it."));
    }

    /** The whole state as a text, for those who do not see it. */
    inWords() {
      const { app } = this;
      const { note } = app.entry;
      return [
        note.hidden ? "" : note.textContent,
        app.written && !app.silent ? `Translation: ${app.translation}` : "",
        this.sure.hidden ? "" : this.sure.textContent, this.offer.textContent,
        this.changed.hidden ? "" : this.changed.firstChild.textContent,
      ].filter(Boolean).join(" ");
    }
  }

  Live.Verdict = Verdict;
})((window.Live = window.Live || {}));
