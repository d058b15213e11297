/* What is said about the translation: how sure, what is changed, where the
   selected piece looks. */
(function (Live) {
  "use strict";

  const { el, button, percent } = Live;

  class Verdict {
    constructor(app) {
      this.app = app;
      this.looks = el("p", { class: "live-looks", id: Live.newId() });
      this.sure = el("p", { class: "live-sure" });
      this.changed = el("p", { class: "live-changed", hidden: true });
      this.more = el("p", { class: "live-links" });
      this.element = el("div", { class: "live-verdict" },
        this.looks, this.sure, this.changed, this.more);
      if (app.more) {
        this.link = el("a", { href: app.more }, "Look inside it");
        this.more.append(this.link, " ");
      }
      this.more.append(el("span", { class: "live-gloss" },
        `${app.translator.model.size.toLocaleString("en")} numbers, computed `
        + "in your browser; nothing is sent."));
    }

    render() {
      const { app } = this;
      const found = this.confidence();
      this.sure.hidden = !found;
      this.sure.className = `live-sure live-${found?.sure ? "yes" : "no"}`;
      this.sure.textContent = found ? this.reason(found) : "";
      this.showChanges();
      if (this.link) this.link.href = app.more + Live.toLink(app.state);
      this.select();
    }

    confidence() {
      const { written, source, translator } = this.app;
      return written && translator.confidence
        ? translator.confidence.of(source, written) : null;
    }

    /** Say how sure the translator is, and why not. */
    reason({ p, sure, strange, uncovered }) {
      const { words, known } = this.app;
      const unknown = words.filter((_, i) => !known[i]);
      const missing = unknown.length
        ? `it does not know ${unknown.map((w) => `“${w}”`).join(", ")}` : "";
      const doubt = missing
        || (strange && "it has never met a sentence built like this")
        || `“${words[uncovered]}” may have got lost`;
      return sure ? `Sure of it: ${percent(p)}${missing && `, but ${missing}`}`
        : `Do not trust this (${percent(p)} sure): ${doubt}.`;
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
      const piece = pieces[selected];
      this.looks.replaceChildren();
      if (!piece) return;
      this.looks.append(
        el("b", { lang: "ko" }, piece.text),
        piece.gloss ? ` (${piece.gloss})` : "",
        ` was written looking at ${Live.inWords(row, words)}. `,
        el("span", { class: "live-gloss" }, "Point at any piece."));
    }

    /** The whole state as a text, for those who do not see it. */
    inWords() {
      const { app } = this;
      if (!app.written) return "";
      return [
        `Translation: ${app.translation}`,
        this.sure.textContent, this.changed.hidden ? ""
          : this.changed.firstChild.textContent,
      ].filter(Boolean).join(" ");
    }
  }

  Live.Verdict = Verdict;
})((window.Live = window.Live || {}));
