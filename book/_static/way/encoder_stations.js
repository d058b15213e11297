/* The stations of the encoder. A station says which parts of the drawing are
   lit (name and, where there are several, which), what its numbers depend on,
   and how it is drawn. `near` is what a small screen shows of the drawing. */
(function (Live) {
  "use strict";

  const { el, num, percent, strip } = Live;
  const FIRST = "encoder.layers.0";
  const NEAREST = 4; // rows of the table that are most like one
  const MIXED = 4; // values that are shown of a mixture
  const WIDEST = 24; // pieces up to which a matrix of all can be read

  const note = (...words) => el("p", { class: "way-note" }, ...words);
  const quoted = (word) => `“${word}”`;
  const length = (x) => Math.sqrt(Live.dot(x, x));
  const cosine = (x, y) => Live.dot(x, y) / length(x) / length(y);
  const mean = (x) => x.reduce((a, b) => a + b, 0) / x.length;
  const spread = (x) =>
    Math.sqrt(mean(x.map((value) => (value - mean(x)) ** 2)));

  /** A few numbers with their names. */
  const figures = (pairs) => el("dl", { class: "way-figures" },
    ...pairs.map(([name, value]) =>
      el("div", {}, el("dt", {}, name), el("dd", {}, value))));

  /** One row for each English piece. */
  const rowsOf = (way, name) => way.trace[name].map((values, i) => ({
    label: way.words[i], values, strong: i === way.follow,
  }));

  /** The first and the last place of a piece that stands twice, the followed
   *  one if it does: [] or two. */
  function twins({ words, word }) {
    const twice = (one) => words.indexOf(one) < words.lastIndexOf(one);
    const found = twice(word) ? word : words.find(twice);
    return found === undefined ? []
      : [words.indexOf(found), words.lastIndexOf(found)];
  }

  function pieces(way) {
    const unknown = way.words.filter((_, i) => way.ids[i] === Live.UNK);
    return [
      el("ol", { class: "way-pieces" }, ...way.words.map((word, i) =>
        el("li", { class: i === way.follow ? "way-strong" : "" },
          el("span", {}, word), el("b", {}, way.ids[i])))),
      note(unknown.length
        ? `The list has no ${unknown.map(quoted).join(", ")}: such a piece `
          + `gets the id ${Live.UNK}, the one for all that is unknown.`
        : `${way.words.length} pieces. Follow one of them: choose it beside `
          + `the drawing. Now it is ${quoted(way.word)}.`),
    ];
  }

  /** Return the English words whose rows point most nearly where one does. */
  function nearest(way) {
    const { source, tokens } = way;
    const size = way.size;
    const row = (id) => source.subarray(id * size, (id + 1) * size);
    const own = way.ids[way.follow];
    const likeness = tokens.map((token, id) =>
      id !== own && /^[a-z]+$/.test(token) ? cosine(row(own), row(id)) : -1);
    return Live.best(likeness, NEAREST)
      .map((id) => `${tokens[id]} (${num(likeness[id])})`).join(", ");
  }

  function embedding(way) {
    return [
      strip(rowsOf(way, "encoder:embedding"), "The numbers of all pieces"),
      note(`Of all English words in the table, these have the rows most like `
        + `that of ${quoted(way.word)}: ${nearest(way)}. In brackets the `
        + "cosine; 1 would be the same direction."),
    ];
  }

  function place(way) {
    const found = twins(way);
    const some = found.length ? found : [way.follow];
    const rows = (name, label) => some.map((i) => ({
      label: label(i), values: way.trace[`encoder:${name}`][i],
    }));
    const [before, after] = ["embedding", "in"].map((name) =>
      some.map((i) => way.trace[`encoder:${name}`][i]));
    const limit = Live.largest([...before, ...after].map(Live.largest));
    const word = (i) => `${i + 1} ${way.words[i]}`;
    return [
      strip(rows("embedding", word), "Before", limit),
      strip(rows("position", (i) => `position ${i + 1}`),
        "The pattern of the position, in a scale of its own"),
      strip(rows("in", word), "Their sum", limit),
      note(found.length
        ? `${quoted(way.words[some[0]])} is at the positions ${some[0] + 1} `
          + `and ${some[1] + 1}: the cosine of its two rows is ${
            num(cosine(...before))} before and ${num(cosine(...after))} after.`
        : `The row of ${quoted(way.word)} is ${num(length(before[0]), 1)} `
          + `long, the pattern ${num(length(way.trace["encoder:position"][
            way.follow]), 1)}. Give the sentence a word twice, and you see `
          + "its two rows side by side."),
    ];
  }

  function head(way) {
    const name = `${FIRST}.self_attention`;
    const shares = way.maps[name][way.head];
    const part = (kind, i) => way.part(`${name}.${kind}_proj`, i, way.head);
    const keys = way.words.map((word, j) =>
      ({ word, key: part("k", j), share: shares[way.follow][j] }));
    const at = way.key ?? Live.best(shares[way.follow], 1)[0];
    return [
      way.headChoice(),
      el("div", { class: "way-pair" },
        Live.scores({ word: way.word, query: part("q", way.follow) }, keys,
          at, (key) => way.change({ key })),
        ...way.words.length > WIDEST ? [] : [el("figure", {},
          Live.matrix(shares, way.words, way.follow,
            `The attention weights of head ${way.head + 1}: each row `
              + "sums to 100 %."),
          el("figcaption", {}, `All ${way.words.length} queries of head ${
            way.head + 1}, one a row, in percent.`))]),
    ];
  }

  /** Say where a row of shares is largest. */
  function chiefly(row, words) {
    const [most] = Live.best(row, 1);
    return `${quoted(words[most])} ${percent(row[most])}`;
  }

  /** The heads of a layer, and where each looks most. */
  function looksOf(way, layer) {
    const maps = way.maps[`encoder.layers.${layer}.self_attention`];
    return el("p", { class: "way-note" }, `${quoted(way.word)} looks most at: `,
      ...maps.flatMap((map, h) => [h ? ", " : "",
        `head ${h + 1} at ${chiefly(map[way.follow], way.words)}`]), ".");
  }

  function heads(way) {
    const name = `${FIRST}.self_attention`;
    const shares = way.maps[name][way.head][way.follow];
    const joined = way.trace[`${name}.out_proj:in`][way.follow];
    const most = Live.best(shares, Math.min(MIXED, shares.length));
    const rows = most.map((j) => ({
      label: `${percent(shares[j])} ${way.words[j]}`,
      values: way.part(`${name}.v_proj`, j, way.head),
    }));
    const mixed = way.part(`${name}.out_proj:in`, way.follow, way.head);
    rows.push({ label: "mixed", strong: true, values: mixed });
    const rest = shares.length - most.length;
    return [
      way.headChoice(),
      strip(rows, `Head ${way.head + 1}: values, and what it mixes of them`),
      ...rest > 0 ? [note(`The ${most.length} largest weights; the other `
        + `${rest} are mixed in as well.`)] : [],
      strip([{ label: "all heads", values: joined },
        { label: "answer", strong: true,
          values: way.trace[`${name}.out_proj`][way.follow] }],
      "All heads side by side, and their answer"),
      looksOf(way, 0),
    ];
  }

  function add(way) {
    const of = (name) => way.trace[`${FIRST}.${name}`][way.follow];
    const [x, y, z] = ["norm1:in", "self_attention.out_proj", "norm2:in"]
      .map(of);
    return [
      strip([{ label: way.word, values: x }, { label: "+ answer", values: y },
        { label: "= sum", values: z, strong: true }], "The sum"),
      figures([["length before", num(length(x), 1)],
        ["of the answer", num(length(y), 1)],
        ["of the sum", num(length(z), 1)],
        ["cosine, before and sum", num(cosine(x, z))]]),
      strip([{ label: "normalized", values: of("norm2"), strong: true }],
        "The sum as the next block sees it"),
      figures([["mean of the sum", num(mean(z))],
        ["its spread", num(spread(z))]]),
      note("This model normalizes before each block, as the drawing here "
        + "shows; the paper normalizes after each sum. ",
      el("a", { href: way.linkTo("06") }, "Chapter 6"), " compares the two."),
    ];
  }

  function forward(way) {
    const network = `${FIRST}.feed_forward`;
    const of = (name) => way.trace[name][way.follow];
    const inner = of(`${network}.linear2:in`);
    const left = inner.filter((x) => x > 0).length;
    return [
      strip([{ label: "in", values: of(`${FIRST}.norm2`) }], "What goes in"),
      strip(Live.fold("inside", inner, way.size), "The numbers inside"),
      strip([{ label: "out", values: of(`${network}.linear2`), strong: true }],
        "What comes out, to be added"),
      note(`For ${quoted(way.word)}, ${left} of the ${inner.length} numbers `
        + `inside are above zero; the other ${inner.length - left} are cut `
        + "off."),
    ];
  }

  function layers(way) {
    const found = twins(way);
    const of = (name) => found.map((i) => way.trace[name][i]);
    return [
      looksOf(way, way.nLayers - 1),
      strip(rowsOf(way, "encoder.norm"), "The memory"),
      note(found.length
        ? `The two rows of ${quoted(way.words[found[0]])} were the same at `
          + `station 2. Here their cosine is ${
            num(cosine(...of("encoder.norm")))}.`
        : `${way.words.length} rows of ${way.size} numbers: as many as went `
          + "in at station 2."),
    ];
  }

  Live.stations = {
    pieces: { draw: pieces, uses: ["follow"], lit: [["text", 0]] },
    embedding: { draw: embedding, uses: ["follow"], lit: [["embedding", 0]] },
    place: { draw: place, uses: ["follow"],
             lit: [["positions", 0], ["positions", 1], ["positions", 4]] },
    head: { draw: head, uses: ["follow", "head", "key"], near: [["heads", 0]],
            lit: [["self", 0], ["qkv", 0], ["scores", 0], ["root", 0],
                  ["weights", 0]] },
    heads: { draw: heads, uses: ["follow", "head"], near: [["heads", 0]],
             lit: [["self", 0], ["heads", 0], ["qkv", 0], ["weights", 0]] },
    add: { draw: add, uses: ["follow"],
           lit: [["residual", 0], ["residual", 1], ["norm", 1]] },
    forward: { draw: forward, uses: ["follow"], lit: [["forward", 0]] },
    layers: { draw: layers, uses: ["follow"],
              lit: [["encoder", 0], ["memory", 0], ["memory", 1],
                    ["norm", 3]] },
  };
})((window.Live = window.Live || {}));
