/* Shares of 100 %: as bars with words, and as a matrix of all pieces. */
(function (Live) {
  "use strict";

  const { el, num, percent } = Live;
  const SIDE = 30; // of a cell of the matrix, in its own units
  const LABEL = 92; // for the names of its rows
  const HEAD = 70; // and of its columns
  const LIGHT = 0.6; // share of a cell so dark that its number is light
  const READABLE = 16; // pieces up to which the cells have numbers

  const bar = (share) => el("i", { class: "way-bar",
    style: `--p: ${share.toFixed(3)}` });

  /** A bar for each share. rows: {label, share, lang?, strong?, under?}. */
  function bars(rows) {
    return el("ol", { class: "way-bars" }, ...rows.map((row) =>
      el("li", { class: row.strong ? "way-strong" : "" },
        el("span", { class: "way-label" },
          el("span", { lang: row.lang ?? "en" }, row.label),
          ...row.under ? [el("small", {}, ` ${row.under}`)] : []),
        bar(row.share),
        el("span", { class: "way-number" }, percent(row.share)))));
  }

  /** One query and all keys: cells, score and share of each; a button each.
   *  asked: {word, query}; keys: {word, key, share}; at: the one explained. */
  function scores(asked, keys, at, pick) {
    const root = Math.sqrt(asked.query.length);
    const limit = Live.largest([asked.query, ...keys.map(({ key }) => key)]
      .map(Live.largest));
    const rows = keys.map(({ word, key, share }, j) => el("button", {
      type: "button", class: "way-score", "aria-pressed": String(j === at),
      onclick: () => pick(j),
    },
    el("span", { class: "way-label" }, el("b", { class: "way-k" }, "k"),
      `\u00a0${word}`),
    Live.cells(key, limit),
    el("span", { class: "way-number" },
      num(Live.dot(asked.query, key) / root)),
    bar(share), el("span", { class: "way-number" }, percent(share))));
    const { word, key, share } = keys[at];
    const product = Live.dot(asked.query, key);
    return el("div", { class: "way-scores" },
      el("div", { class: "way-score way-asks" },
        el("span", { class: "way-label" }, el("b", { class: "way-q" }, "q"),
          `\u00a0${asked.word}`),
        Live.cells(asked.query, limit),
        el("span", { class: "way-number" }, "score"),
        el("span", {}), el("span", { class: "way-number" }, "weight")),
      ...rows,
      el("p", { class: "way-sum" },
        el("b", { class: "way-q" }, `q “${asked.word}”`), " · ",
        el("b", { class: "way-k" }, `k “${word}”`), ` = ${num(product)}`,
        ` → ÷ ${root} → ${num(product / root)} → softmax → `,
        el("b", {}, percent(share))));
  }

  /** All shares of a head: who asks stands at the left. Look only: what it
   *  shows in numbers, `scores` says for the row. */
  function matrix(shares, words, row, label) {
    const n = words.length;
    const [wide, high] = [LABEL + n * SIDE, HEAD + n * SIDE];
    const names = (make) => words.map((_, i) => make(i)).join("");
    const safe = (text) =>
      text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt()};`);
    const square = (i, j) => {
      const [x, y] = [LABEL + j * SIDE, HEAD + i * SIDE];
      const share = shares[i][j];
      const said = n > READABLE || share < 0.095 ? ""
        : `<text x="${x + SIDE / 2}" y="${y + SIDE / 2 + 4}" `
          + `class="${share > LIGHT ? "way-over" : ""}">`
          + `${Math.round(100 * share)}</text>`;
      return `<rect x="${x}" y="${y}" width="${SIDE - 2}" `
        + `height="${SIDE - 2}" fill-opacity="${share.toFixed(3)}"/>${said}`;
    };
    const holder = el("div", { class: "way-matrix", role: "img",
      "aria-label": label, style: `--wide: ${wide / 16}rem` });
    holder.innerHTML = `<svg viewBox="0 0 ${wide} ${high}">`
      + names((j) => `<text class="way-column" transform="translate(${
        LABEL + j * SIDE + 18} ${HEAD - 8}) rotate(-55)">${safe(words[j])
      }</text>`)
      + names((i) => `<text class="way-row ${i === row ? "way-strong" : ""}" `
        + `x="${LABEL - 8}" y="${HEAD + i * SIDE + 19}">${safe(words[i])
        }</text>`)
      + names((i) => names((j) => square(i, j)))
      + `<path class="way-frame" d="M${LABEL - 2} ${HEAD + row * SIDE - 2}h${
        n * SIDE + 2}v${SIDE + 2}h${-n * SIDE - 2}z"/></svg>`;
    return holder;
  }

  Object.assign(Live, { bars, scores, matrix });
})((window.Live = window.Live || {}));
