/* Reading the recorded weights: which map, which row, in words. */
(function (Live) {
  "use strict";

  const KINDS = [
    ["cross", "Korean looks at English", "decoder", "cross_attention"],
    ["encoder", "English looks at English", "encoder", "self_attention"],
    ["decoder", "Korean looks at Korean", "decoder", "self_attention"],
  ];

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

  /** Say where a row looks most: “river” 62 %, “it” 20 %. */
  function inWords(row, labels, n = 3) {
    return Live.best(row, n)
      .filter((j) => row[j] >= 0.05)
      .map((j) => `“${labels[j]}” ${Live.percent(row[j])}`)
      .join(", ");
  }

  Object.assign(Live, { KINDS, mapName, mapOf, inWords });
})((window.Live = window.Live || {}));
