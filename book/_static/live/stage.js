/* The stage: English above, Korean below, and lines for the attention of the
   piece that is looked at. */
(function (Live) {
  "use strict";

  const { el } = Live;
  const SVG = "http://www.w3.org/2000/svg";
  const LEAST = 0.04; // weaker links are not drawn

  class Stage {
    /** app: the translator's face; see face.js. */
    constructor(app) {
      this.app = app;
      this.source = el("div", {
        class: "live-source", lang: "en", role: "group",
        "aria-label": "English, as the model reads it",
      });
      this.target = el("div", {
        class: "live-target", lang: "ko", role: "radiogroup",
        "aria-label": "Korean, piece by piece",
      });
      this.lines = document.createElementNS(SVG, "svg");
      this.lines.setAttribute("aria-hidden", "true");
      this.element = el("div", { class: "live-stage" },
        this.lines, this.source, this.target);
      this.pieces = [];
      Live.onArrows(this.target, () => app.selected,
        () => this.pieces.length, (k) => this.pieces[k].focus());
      new ResizeObserver(() => this.draw()).observe(this.element);
    }

    render() {
      const { words, known, pieces, state, whole } = this.app;
      this.source.replaceChildren(...words.map((word, i) =>
        this.word(word, i, known[i], state.hidden.includes(i), whole)));
      const old = this.pieces.map((piece) => piece.dataset.token);
      let same = 0;
      while (same < pieces.length && old[same] === pieces[same].token) same++;
      this.pieces = pieces.map((piece, k) => this.piece(piece, k, k >= same));
      this.target.replaceChildren(...this.inWords());
      this.target.hidden = !pieces.length;
      this.element.hidden = !words.length;
      this.select();
    }

    /** Put pieces that are written together into one word. */
    inWords() {
      const found = [];
      this.app.pieces.forEach(({ glued }, k) => {
        if (!glued || !found.length) found.push([]);
        found[found.length - 1].push(this.pieces[k]);
      });
      return found.map((pieces) =>
        el("span", { class: "live-together" }, ...pieces));
    }

    word(word, i, known, hidden, whole) {
      const note = known ? "" : " (unknown to the model)";
      const element = el(whole ? "button" : "span", {
        class: `live-word${known ? "" : " live-unknown"}`,
        type: whole && "button",
        "aria-pressed": whole && String(hidden),
        title: whole && (hidden ? "Show it to the model again"
          : "Hide it from the model"),
        onclick: () => whole && this.app.hide(i),
      }, word);
      if (note) element.append(el("span", { class: "live-unseen" }, note));
      return element;
    }

    piece(piece, k, fresh) {
      const { app } = this;
      return el("button", {
        class: `live-piece${fresh ? " live-fresh" : ""}`,
        type: "button", role: "radio", "data-token": piece.token,
        "aria-describedby": app.verdict.looks.id,
        onclick: () => app.point(k),
        onmousemove: Live.onMove(() => app.point(k)),
        onfocus: () => app.point(k),
      },
      el("span", { class: "live-hangul" }, piece.text),
      el("span", { class: "live-latin", lang: "ko-Latn" }, piece.latin),
      el("span", { class: "live-gloss", lang: "en" }, piece.gloss));
    }

    /** Show the piece that is selected, and what it looks at. */
    select() {
      const { selected, row } = this.app;
      this.pieces.forEach((piece, k) => {
        piece.setAttribute("aria-checked", String(k === selected));
        piece.tabIndex = k === selected ? 0 : -1;
      });
      [...this.source.children].forEach((word, j) => {
        word.style.setProperty("--w", row[j] ?? 0);
      });
      this.draw();
    }

    /** Draw a curve from the piece to each word, as wide as its weight. */
    draw() {
      const { selected, row } = this.app;
      const piece = this.pieces[selected];
      this.lines.replaceChildren();
      if (!piece) return;
      const frame = this.element.getBoundingClientRect();
      const box = piece.getBoundingClientRect();
      const x = box.left + box.width / 2 - frame.left;
      const y = box.top - frame.top;
      [...this.source.children].forEach((word, j) => {
        if (!(row[j] >= LEAST)) return;
        const other = word.getBoundingClientRect();
        const X = other.left + other.width / 2 - frame.left;
        const Y = other.bottom - frame.top;
        const middle = (y + Y) / 2;
        const path = document.createElementNS(SVG, "path");
        path.setAttribute("d",
          `M${X} ${Y}C${X} ${middle} ${x} ${middle} ${x} ${y}`);
        path.setAttribute("style",
          `stroke-width: ${1 + 4 * row[j]}px; opacity: ${0.2 + 0.6 * row[j]}`);
        this.lines.append(path);
      });
    }
  }

  Live.Stage = Stage;
})((window.Live = window.Live || {}));
