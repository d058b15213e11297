/* Where it looks while it writes: one map large, the heads as thumbs. */
(function (Train) {
  "use strict";

  const { el, percent } = Live;

  class Looks {
    constructor() {
      this.layer = this.layers = 0;
      this.head = 0;
      this.heads = el("div", { class: "live-heads train-heads",
        role: "group", "aria-label": "Layers and heads" });
      this.map = el("div", { class: "live-map train-map",
        "aria-hidden": "true" });
      this.said = el("p", { class: "live-looks" });
      this.element = el("div", { class: "train-looks" },
        el("p", { class: "train-head" }, "Where it looks"),
        this.map, this.said, this.heads);
    }

    /** Rows of the letters that are written, columns of all it was given. */
    rows(look, layer, head) {
      const { T, asked, maps } = look, first = asked.length;
      return Array.from({ length: T - first }, (_, i) => {
        const start = (head * T + first + i) * T;
        return [...maps[layer].slice(start, start + T)];
      });
    }

    draw(look, heads) {
      this.now = [look, heads];
      const layers = look.maps.length;
      if (layers !== this.layers) { // the last: the answer is read from it
        this.layers = layers;
        this.layer = layers - 1;
      }
      this.head = Math.min(this.head, heads - 1);
      const { asked, written } = look;
      const inputs = [...asked, Train.LETTERS, ...written.slice(0, -1)]
        .map(Train.shown);
      const rows = this.rows(look, this.layer, this.head);
      this.map.style.setProperty("--columns", look.T);
      this.map.replaceChildren(el("span"),
        ...inputs.map((one, j) => el("span", { class: "train-column",
          style: `--place: ${j}` }, one)),
        ...rows.flatMap((row, i) => [
          el("span", { class: "train-row" }, Train.shown(written[i])),
          ...row.map((weight, j) => el("i", {
            style: `--w: ${weight.toFixed(3)}; --place: ${j}` })),
        ]));
      this.thumbs(look, layers, heads);
      this.say(rows, inputs, written.map(Train.shown));
    }

    thumbs(look, layers, heads) {
      this.heads.style.setProperty("--heads", heads);
      this.heads.hidden = layers * heads === 1;
      const wanted = layers * heads;
      if (this.heads.children.length !== wanted) {
        this.heads.replaceChildren(...Array.from({ length: wanted }, (_, n) =>
          this.thumb(Math.floor(n / heads), n % heads, layers)));
      }
      [...this.heads.children].forEach((button, n) => {
        const layer = Math.floor(n / heads), head = n % heads;
        button.querySelector(".live-thumb").innerHTML =
          Live.drawing(this.rows(look, layer, head));
        const chosen = layer === this.layer && head === this.head;
        button.setAttribute("aria-pressed", String(chosen));
      });
    }

    thumb(layer, head, layers) {
      const name = layers > 1 ? `${layer + 1}.${head + 1}` : head + 1;
      return el("button", { type: "button", class: "live-head",
        onclick: () => {
          Object.assign(this, { layer, head });
          this.draw(...this.now);
        } },
      el("span", { class: "live-thumb", "aria-hidden": "true" }),
      `head ${name}`);
    }

    /** Say the sharpest look in words. */
    say(rows, inputs, written) {
      let best = [0, 0];
      rows.forEach((row, i) => row.forEach((weight, j) => {
        if (weight > rows[best[0]][best[1]]) best = [i, j];
      }));
      const [i, j] = best;
      this.said.textContent = `To write letter ${i + 1}, ${written[i]}, ` +
        `this head looks at ${inputs[j]} in place ${j + 1}: ` +
        `${percent(rows[i][j])}.`;
    }
  }

  Train.Looks = Looks;
})(globalThis.Train);
