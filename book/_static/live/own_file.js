/* my_translator.json, as `workbook.export` writes it: read as data, and every
   size, token and weight looked at before any is used. A file that is not as
   it should be is answered by a sentence, in an `Unfit`. */
(function (Live) {
  "use strict";

  const VERSION = 1;
  const MOST_BYTES = 5e6; // of a file that is read at all
  const MOST_LETTERS = 80; // of a token
  const MOST_NAMES = 40; // parts that are named
  const SPECIAL = ["<pad>", "<bos>", "<eos>", "<unk>"];
  const LIMITS = { // the least and the most
    vocab_size: [5, 20000], d_model: [2, 512], n_heads: [1, 64],
    d_ff: [1, 4096], n_layers: [1, 12], max_length: [2, 128],
  };
  const NO_TOKEN = /[\p{White_Space}\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

  class Unfit extends Error {}

  function want(right, sentence) {
    if (!right) throw new Unfit(sentence);
  }

  const isObject = (value) => value !== null && typeof value === "object"
    && !Array.isArray(value);
  const isText = (value, most) => typeof value === "string"
    && value.length <= most;

  /** Say what is the matter with a file's size, "" for nothing. */
  function tooLarge(bytes) {
    if (bytes <= MOST_BYTES) return "";
    return `This file has ${(bytes / 1e6).toFixed(1)} MB. One that `
      + "workbook.export() wrote has about 1 MB, and 5 MB are read at most.";
  }

  /** Return config, tokens, weights, trained, parts; or throw an Unfit. */
  function readOwn(text) {
    let data;
    try {
      data = JSON.parse(text);
    } catch {
      throw new Unfit("This is not JSON, so it is not a my_translator.json, or "
        + "not all of it.");
    }
    want(isObject(data) && isObject(data.sizes) && isObject(data.weights)
      && Array.isArray(data.tokens),
    "This is another kind of file: it lacks sizes, tokens or weights.");
    want(data.version === VERSION,
      `This file is not of version ${VERSION}, which this page reads. Run `
      + "workbook.export() again, with the book that the page belongs to.");
    const config = sizesOf(data.sizes);
    const tokens = tokensOf(data.tokens, config.vocab_size);
    const weights = weightsOf(data.weights, shapesOf(config));
    return { config, tokens, weights, ...ownersOf(data) };
  }

  function sizesOf(sizes) {
    const config = { norm_first: sizes.norm_first };
    for (const [name, [least, most]] of Object.entries(LIMITS)) {
      const size = config[name] = sizes[name];
      want(Number.isInteger(size) && size >= least && size <= most,
        `Its ${name} has to be a whole number from ${least} to ${most}.`);
    }
    want(typeof sizes.norm_first === "boolean",
      "Its norm_first has to be true or false.");
    want(config.d_model % 2 === 0 && config.d_model % config.n_heads === 0,
      `Its d_model of ${config.d_model} cannot be cut into `
      + `${config.n_heads} heads, or into sines and cosines.`);
    return config;
  }

  function tokensOf(tokens, n) {
    want(tokens.length === n,
      `It has ${tokens.length} tokens, and its vocab_size says ${n}.`);
    tokens.forEach((token, id) => want(
      isText(token, MOST_LETTERS) && token && !NO_TOKEN.test(token),
      `Its token ${id} is not a word of 1 to ${MOST_LETTERS} letters.`));
    want(SPECIAL.every((token, id) => tokens[id] === token),
      `Its first tokens are not ${SPECIAL.join(" ")}.`);
    want(new Set(tokens).size === n, "It has the same token twice.");
    return tokens;
  }

  /** Return name -> how many numbers, for the weights of such a model. */
  function shapesOf({ vocab_size, d_model, d_ff, n_layers, norm_first }) {
    const sizes = new Map([["source_embedding.weight", vocab_size * d_model]]);
    const linear = (name, rows, columns) => {
      sizes.set(`${name}.weight`, rows * columns);
      sizes.set(`${name}.bias`, rows);
    };
    const norm = (name) => linear(name, d_model, 1);
    const layer = (name, attentions) => {
      for (const attention of attentions) {
        for (const one of ["q_proj", "k_proj", "v_proj", "out_proj"]) {
          linear(`${name}.${attention}.${one}`, d_model, d_model);
        }
      }
      linear(`${name}.feed_forward.linear1`, d_ff, d_model);
      linear(`${name}.feed_forward.linear2`, d_model, d_ff);
      [...attentions, "feed_forward"].forEach((_, i) =>
        norm(`${name}.norm${i + 1}`));
    };
    for (let n = 0; n < n_layers; n++) {
      layer(`encoder.layers.${n}`, ["self_attention"]);
      layer(`decoder.layers.${n}`, ["self_attention", "cross_attention"]);
    }
    if (norm_first) ["encoder", "decoder"].forEach((n) => norm(`${n}.norm`));
    return sizes;
  }

  function weightsOf(given, sizes) {
    const weights = {};
    const wrong = Object.keys(given).filter((name) => !sizes.has(name));
    want(!wrong.length, "It has weights that such a model does not have: "
      + `${wrong.length} of them.`);
    for (const [name, size] of sizes) {
      want(Object.hasOwn(given, name), `It lacks the weights ${name}.`);
      weights[name] = numbersOf(name, given[name], size);
    }
    return weights;
  }

  /** Read base64 of float16; nothing is made of a text of another length. */
  function numbersOf(name, text, size) {
    const wrong = `Its weights ${name} are not ${size} numbers.`;
    want(typeof text === "string"
      && text.length === 4 * Math.ceil(2 * size / 3), wrong);
    let letters;
    try {
      letters = atob(text);
    } catch {
      throw new Unfit(wrong);
    }
    want(letters.length === 2 * size, wrong);
    const numbers = Float32Array.from({ length: size }, (_, i) => Live.half(
      letters.charCodeAt(2 * i) | letters.charCodeAt(2 * i + 1) << 8));
    want(numbers.every(Number.isFinite),
      `One of its weights ${name} is not a number.`);
    return numbers;
  }

  function ownersOf({ trained, parts }) {
    const areNames = (list) => Array.isArray(list)
      && list.length <= MOST_NAMES
      && list.every((name) => isText(name, MOST_LETTERS));
    want(isText(trained, 2 * MOST_LETTERS) && isObject(parts)
      && areNames(parts.yours) && areNames(parts["the book's"]),
    "It does not say whose its parts and weights are.");
    return { trained, parts };
  }

  Object.assign(Live, { Unfit, tooLarge, readOwn, shapesOf });
})((window.Live = window.Live || {}));
