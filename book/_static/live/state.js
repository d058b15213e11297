/* What the reader has chosen, and the link that holds it. */
(function (Live) {
  "use strict";

  const START = {
    text: "",
    bare: false, // no end mark, also where none is typed
    hidden: [], // places of English tokens
    headsOff: [],
    positions: true,
    causal: true,
    scaled: true,
    search: "greedy",
    beam: 4,
    temperature: 1,
    seed: 1,
    prefix: [], // Korean tokens that the reader chose
  };
  const MOST_LETTERS = 400; // of a sentence; what is longer is cut
  const PARTS = ["positions", "causal", "scaled"];
  const MARK = /\s*[.?!]\s*$/;

  /** Return the sentences of a text. "Mr. Kim" is no end. */
  function sentencesOf(text) {
    return text.split(/(?<=(?<!\b(?:mr|mrs|ms|dr|st))[.?!]["”’)]*)\s+/iu)
      .map((one) => one.trim()).filter((one) => /[\p{L}\p{N}]/u.test(one));
  }

  /** Return what the model reads: one sentence that ends with a mark. */
  function readText({ text: all, bare }) {
    const text = sentencesOf(all)[0] ?? all;
    if (bare) return text.replace(MARK, "");
    return MARK.test(text) || !text.trim() ? text : `${text.trimEnd()}.`;
  }

  /** Return the sentence with another end mark, "" for none. */
  const withMark = (text, mark) => text.replace(MARK, "").trimEnd() + mark;

  const markOf = (text) => (text.match(MARK) ?? [""])[0].trim();

  /** Say in words what is changed about the model. */
  function changesOf(state, words) {
    const said = {
      positions: "no positions", causal: "no causal mask",
      scaled: "scores not scaled",
    };
    return [
      ...state.hidden.map((i) => `“${words[i]}” hidden`),
      ...state.headsOff.map((name) => `${headName(name)} off`),
      ...PARTS.filter((part) => !state[part]).map((part) => said[part]),
    ];
  }

  /** decoder.layers.0.cross_attention.2 -> cross 1.3 */
  function headName(name) {
    const [stack, , layer, kind, head] = name.split(".");
    const short = kind === "cross_attention" ? "cross" : stack;
    return `${short} ${Number(layer) + 1}.${Number(head) + 1}`;
  }

  /** Write a state as the part of an address after #. */
  function toLink(state) {
    const fields = new URLSearchParams({ s: state.text });
    const put = (name, value) => { if (value) fields.set(name, value); };
    put("bare", state.bare ? 1 : "");
    put("hide", state.hidden.join(" "));
    put("off", state.headsOff.join(" "));
    put("without", PARTS.filter((part) => !state[part]).join(" "));
    put("say", state.prefix.join(" "));
    if (state.search === "beam") put("beam", state.beam);
    if (state.search === "sample") {
      put("temperature", state.temperature);
      put("seed", state.seed);
    }
    return `#${fields}`;
  }

  /** Read such a link; null if it is none. Nothing in it is trusted. */
  function fromLink(hash) {
    if (!hash.startsWith("#s=")) return null;
    const fields = new URLSearchParams(hash.slice(1));
    const list = (name) => (fields.get(name) ?? "").split(" ").filter(Boolean);
    const number = (name, low, high) => {
      const value = Number(fields.get(name));
      return value >= low && value <= high ? value : null;
    };
    const beam = number("beam", 2, 8);
    const temperature = number("temperature", 0.1, 2);
    const parts = PARTS.map((part) => [part, !list("without").includes(part)]);
    return {
      ...START,
      ...Object.fromEntries(parts),
      text: fields.get("s"),
      bare: fields.has("bare"),
      hidden: list("hide").map(Number).filter(Number.isInteger),
      headsOff: list("off"),
      prefix: list("say"),
      search: beam ? "beam" : temperature ? "sample" : "greedy",
      beam: Math.round(beam ?? START.beam),
      temperature: temperature ?? START.temperature,
      seed: number("seed", 1, 1e6) ?? START.seed,
    };
  }

  Object.assign(Live, {
    START, MOST_LETTERS, PARTS, sentencesOf, readText, withMark, markOf,
    changesOf, headName, toLink, fromLink,
  });
})((window.Live = window.Live || {}));
