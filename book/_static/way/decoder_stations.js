/* The stations of the decoder. One piece of the answer is followed: the one
   that is about to be written. */
(function (Live) {
  "use strict";

  const { el, percent, best } = Live;
  const MOST = 8; // pieces whose probability is shown

  const note = (...words) => el("p", { class: "way-note" }, ...words);

  /** Average a step's shares over the heads of an attention. */
  const shared = (way, kind, layer) => Live.mapOf(way.maps,
    { kind, layer, head: "mean" })[way.step];

  /** What is known of a piece, as a row of `Live.bars`. */
  const told = (way, { text, latin, gloss, lang }) => ({
    label: text, lang,
    under: [latin, gloss === text ? "" : way.meaning(gloss)]
      .filter(Boolean).join(", "),
  });

  /** The answer so far, and a gap. */
  const soFar = (way) => el("p", { class: "way-so-far" }, "Written so far: ",
    way.step ? el("b", { lang: "ko" }, way.written(way.step))
      : el("b", {}, "nothing"), " ", el("span", { class: "way-gap" }, "?"));

  function masked(way) {
    const start = { text: "start", latin: "", gloss: "", lang: "en" };
    const asked = [start, ...way.pieces].slice(0, way.step + 1);
    const shares = shared(way, "decoder", 0);
    const rest = way.pieces.length - way.step;
    return [
      soFar(way),
      Live.bars(asked.map((piece, i) =>
        ({ ...told(way, piece), share: shares[i], strong: i === way.step }))),
      note(way.step
        ? `Where ${asked[way.step].text} looks, mean of the ${way.nHeads} `
          + `heads of layer 1. The ${rest} ${rest === 1 ? "piece" : "pieces"} `
          + "that will come are not there to be looked at."
        : "Only the start mark is there, and it looks at itself. Choose a "
          + "later piece above, beside the drawing."),
    ];
  }

  function cross(way) {
    const maps = way.maps[Live.mapName("cross", way.deep)];
    const shares = shared(way, "cross", way.deep);
    const [most] = best(shares, 1);
    const own = maps.map((map, h) =>
      `head ${h + 1} ${percent(map[way.step][most])}`);
    return [
      soFar(way),
      way.layerChoice(),
      Live.bars(way.words.map((word, j) =>
        ({ label: word, share: shares[j], strong: j === most }))),
      note(`Mean of the ${way.nHeads} heads of layer ${way.deep + 1}. At `
        + `“${way.words[most]}” look: ${own.join(", ")}.`),
    ];
  }

  function next(way) {
    const logP = way.logP[way.step];
    const found = best(logP, MOST);
    const p = found.map((id) => Math.exp(logP[id]));
    const rest = Math.max(0, 1 - p.reduce((a, b) => a + b, 0));
    return [
      soFar(way),
      Live.bars(found.map((id, n) => ({
        ...told(way, way.piece(id, way.step)), share: p[n],
        strong: id === way.next[way.step],
      }))),
      note(`The other ${(logP.length - MOST).toLocaleString("en")} share ${
        percent(rest)}.`),
    ];
  }

  function again(way) {
    const rounds = way.pieces.map((piece, n) => ({
      ...told(way, piece), share: Math.exp(way.logP[n][way.next[n]]),
      strong: n === way.step,
    }));
    const { written, finished } = way.said;
    const verdict = way.verdict();
    return [
      Live.bars(rounds),
      el("p", { class: "way-answer" },
        el("b", { lang: "ko" }, written)),
      ...verdict ? [verdict] : [],
      note(finished ? `${rounds.length} rounds, the last for the end mark. `
        + "At each the decoder looks at the sentence anew: choose one above, "
        + "and see its question two stations back."
        : "It was cut: the model may write no more than this."),
    ];
  }

  Object.assign(Live.stations, {
    masked: { draw: masked, uses: ["step"],
              lit: [["written", 0], ["masked", 0], ["mask", 0]],
              near: [["written", 0], ["masked", 0]] },
    cross: { draw: cross, uses: ["step", "deep"],
             lit: [["cross", 0], ["memory", 0], ["memory", 1]],
             near: [["cross", 0]] },
    next: { draw: next, uses: ["step"], lit: [["next", 0], ["norm", 7]] },
    again: { draw: again, uses: ["step"],
             lit: [["again", 0], ["written", 0], ["next", 0]],
             near: [["written", 0], ["embedding", 1]] },
  });
})((window.Live = window.Live || {}));
