/* Reading the recorded weights: which map, which row, in words. */
(function (Live) {
  "use strict";

  const KINDS = [
    ["cross", "Korean looks at English", "decoder", "cross_attention"],
    ["encoder", "English looks at English", "encoder", "self_attention"],
    ["decoder", "Korean looks at Korean", "decoder", "self_attention"],
  ];

  const NEARLY = 0.05; // of 1: so much less than the largest is as good
  // Words that stand for others, and so tell little.
  const SMALL = new Set(("i you he she it we they this that who what how "
    + "there").split(" "));

  /** Return the full name of an attention, as in the model's maps. */
  function mapName(kind, layer) {
    const [, , stack, attention] = KINDS.find(([name]) => name === kind);
    return `${stack}.layers.${layer}.${attention}`;
  }

  /** Return the rows of one head, or the mean of all heads. */
  function mapOf(maps, { kind, layer, head }) {
    const heads = maps[mapName(kind, layer)];
    if (head !== "mean") return heads[head];
    return heads[0].map((row, i) => row.map((_, j) =>
      heads.reduce((sum, one) => sum + one[i][j], 0) / heads.length));
  }

  /** Return the look at English: the one chosen, or the mean of its layer. */
  const crossOf = (look) => (look.kind === "cross" ? look
    : { kind: "cross", layer: look.layer, head: "mean" });

  /** Say where a row looks most: “river” 62 %, “it” 20 %. */
  function inWords(row, labels, n = 3) {
    return Live.best(row, n)
      .filter((j) => row[j] >= 0.05)
      .map((j) => `“${labels[j]}” ${Live.percent(row[j])}`)
      .join(", ");
  }

  /** Return the piece that shows best what it was made of: the first whose
   *  share at a word that it means is nearly the largest; 0 for none.
   *  rows: where each piece looked, a share for each English word. */
  function tellingPiece(pieces, rows, words, texts) {
    const shares = pieces.map(({ glued, gloss }, k) => {
      const forms = glued ? [] : texts.formsOf(gloss);
      return Math.max(0, ...words.map((word, j) =>
        (forms.includes(word) && !SMALL.has(word) ? rows[k]?.[j] ?? 0 : 0)));
    });
    const least = Math.max(Number.MIN_VALUE, Math.max(...shares) - NEARLY);
    return Math.max(0, shares.findIndex((share) => share >= least));
  }

  Object.assign(Live,
    { KINDS, mapName, mapOf, crossOf, inWords, tellingPiece });
})((window.Live = window.Live || {}));
