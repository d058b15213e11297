/* The board of sentences on which the translator fails. It lives in this page
   only: nothing is stored, nothing is sent. */
(function (Live) {
  "use strict";

  const { el, button, percent } = Live;

  class Board {
    constructor(app) {
      this.app = app;
      this.kept = [];
      this.count = el("p", { "aria-live": "polite" });
      this.list = el("ul", { class: "live-board" });
      this.link = el("p", { class: "live-links" },
        button("Link to this", () => this.copy()),
        this.note = el("span", { role: "status" }));
      this.element = el("div", {},
        el("details", { class: "live-fold" },
          el("summary", {}, "Break it: collect sentences on which it fails"),
          el("p", {}, "Find a sentence that it translates wrongly, and keep "
            + "it. What do your sentences have in common?"),
          button("Keep this sentence", () => this.keep()),
          this.count, this.list),
        this.link);
    }

    keep() {
      const { state, translation, words, known, translator } = this.app;
      const text = state.text.trim();
      if (!text || this.kept.some((one) => one.text === text)) return;
      const confidence = this.app.verdict.confidence();
      this.kept.push({
        text, translation, state, p: confidence?.p,
        kind: translator.texts.construction(text, words).replaceAll("-", " "),
        strange: Boolean(confidence?.strange) || known.includes(false),
      });
      this.show();
    }

    show() {
      const kinds = new Map();
      for (const { kind } of this.kept) {
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
      this.count.textContent = this.kept.length
        ? `${this.kept.length} kept: ${[...kinds].sort((a, b) => b[1] - a[1])
          .map(([kind, n]) => `${kind} ${n}`).join(", ")}.`
        : "";
      this.list.replaceChildren(...this.kept.map((one) => this.item(one)));
    }

    item(one) {
      const sure = one.p === undefined ? "" : `, ${percent(one.p)} sure`;
      return el("li", {},
        button(one.text, () => this.app.change(one.state), "live-kept"),
        el("span", { lang: "ko" }, one.translation),
        el("span", { class: "live-gloss" },
          `${one.strange ? "unlike all it learned from, nearest to: " : ""}${
            one.kind}${sure}`),
        el("button", {
          type: "button", class: "live-button live-remove", "aria-label":
            `Remove “${one.text}”`,
          onclick: () => {
            this.kept = this.kept.filter((other) => other !== one);
            this.show();
          },
        }, "×"));
    }

    /** Put the state into the address, and into the clipboard if allowed. */
    async copy() {
      history.replaceState(null, "", Live.toLink(this.app.state));
      this.note.textContent = " It stands in the address bar.";
      try {
        await navigator.clipboard.writeText(location.href);
        this.note.textContent = " Copied.";
      } catch {
        // Pages opened from a folder may not write to the clipboard.
      }
    }

    render() {
      this.note.textContent = "";
    }
  }

  Live.Board = Board;
})((window.Live = window.Live || {}));
