/* Every attention map: all heads small, one of them large. */
(function (Live) {
  "use strict";

  const { el, choice, check, percent } = Live;

  class Maps {
    constructor(app) {
      this.app = app;
      this.row = 0;
      const { n_layers, n_heads } = app.translator.model.config;
      const heads = ["mean", ...Array(n_heads).keys()];
      this.heads = [...Array(n_layers).keys()].flatMap((layer) =>
        heads.map((head) => [layer, head]));
      this.kind = choice("Which attention?",
        Live.KINDS.map(([name, label]) => [name, label]),
        (kind) => this.show({ kind }));
      this.small = el("div", { class: "live-heads", role: "group",
        "aria-label": "Layers and heads", style: `--heads: ${n_heads}` });
      this.on = check("This head is switched on", (on) => this.turn(on));
      this.large = el("div", { class: "live-map" });
      this.said = el("p", { class: "live-looks", "aria-live": "polite" });
      this.element = el("details", { class: "live-fold",
        ontoggle: () => this.render() },
      el("summary", {}, "Every attention map, head by head"),
      this.kind.element, this.small, this.on.element, this.large, this.said);
      Live.onArrows(this.large, () => this.row, () => this.rows.length,
        (row) => this.point(row, true));
    }

    get rows() {
      const { words, pieces } = this.app;
      return this.app.look.kind === "encoder" ? words
        : pieces.map((piece) => piece.text);
    }

    /** What the weights belong to; the decoder reads what was written. */
    get columns() {
      const { words, pieces, look } = this.app;
      if (look.kind !== "decoder") return words;
      return ["start", ...pieces.slice(0, -1).map((piece) => piece.text)];
    }

    show(look) {
      this.app.look = { ...this.app.look, ...look };
      this.app.views.forEach((view) => view.select?.());
      this.render();
    }

    turn(on) {
      const { look, state } = this.app;
      const name = `${Live.mapName(look.kind, look.layer)}.${look.head}`;
      const rest = state.headsOff.filter((other) => other !== name);
      this.app.change({ headsOff: on ? rest : [...rest, name], prefix: [] });
    }

    render() {
      const { app } = this;
      if (!this.element.open || !app.written) return;
      const { look } = app;
      this.kind.set(look.kind);
      if (look.kind !== "encoder") this.row = app.selected;
      this.row = Math.max(0, Math.min(this.row, this.rows.length - 1));
      this.small.replaceChildren(...this.heads.map(([layer, head]) =>
        this.thumbnail(layer, head)));
      const one = look.head !== "mean";
      this.on.element.hidden = !one;
      this.on.set(!this.isOff(look.layer, look.head));
      this.drawLarge();
      this.point(this.row);
    }

    isOff(layer, head) {
      const name = Live.mapName(this.app.look.kind, layer);
      return this.app.state.headsOff.includes(`${name}.${head}`);
    }

    thumbnail(layer, head) {
      const { look, written } = this.app;
      const map = Live.mapOf(written.maps, { ...look, layer, head });
      const label = head === "mean" ? `layer ${layer + 1}, mean`
        : `head ${layer + 1}.${head + 1}`;
      const off = this.isOff(layer, head);
      const chosen = look.head === head && look.layer === layer;
      const picture = el("span",
        { class: "live-thumb", "aria-hidden": "true" });
      picture.innerHTML = Live.drawing(map);
      return el("button", {
        type: "button", "aria-pressed": String(chosen),
        class: `live-head${off ? " live-off" : ""}`,
        onclick: () => this.show({ layer, head }),
      }, picture, off ? `${label} off` : label);
    }

    drawLarge() {
      const { look, written } = this.app;
      this.map = Live.mapOf(written.maps, look);
      const { rows, columns } = this;
      this.large.style.setProperty("--columns", columns.length);
      this.large.lang = look.kind === "encoder" ? "en" : "ko";
      const head = [el("span"), ...columns.map((label) =>
        el("span", { class: "live-column", "aria-hidden": "true",
          lang: look.kind === "decoder" ? "ko" : "en" }, label))];
      const body = rows.flatMap((label, i) => [
        this.rowName(label, i),
        ...this.map[i].map((weight, j) => el("i", {
          style: `--w: ${weight}`, "aria-hidden": "true",
          title: `${label} → ${columns[j]}: ${percent(weight)}`,
          onmousemove: Live.onMove(() => this.point(i)),
          onclick: () => this.point(i),
        })),
        ...columns.slice(this.map[i].length).map(() =>
          el("i", { class: "live-masked", "aria-hidden": "true" })),
      ]);
      this.large.replaceChildren(...head, ...body);
      this.names = [...this.large.querySelectorAll(".live-row")];
    }

    rowName(label, i) {
      return el("button", {
        type: "button", class: "live-row", onclick: () => this.point(i),
      }, label);
    }

    /** Point at a row: say it, and show it on the stage. */
    point(row, focus = false) {
      this.row = row;
      const { app, rows, columns } = this;
      this.names.forEach((name, i) => {
        name.tabIndex = i === row ? 0 : -1;
        name.setAttribute("aria-pressed", String(i === row));
      });
      if (focus) this.names[row].focus();
      if (rows.length) {
        const where = Live.inWords(this.map[row], columns, 4);
        this.said.textContent = `“${rows[row]}” looks at ${where}.`;
      }
      if (app.look.kind !== "encoder") app.point(row);
    }

    select() {
      if (!this.element.open || !this.names) return;
      const { look, selected } = this.app;
      if (look.kind !== "encoder" && selected !== this.row) {
        this.point(selected);
      }
    }
  }

  Live.Maps = Maps;
})((window.Live = window.Live || {}));
