/* Scaled dot-product attention, for one query: equation 1 of the paper.

   The same formula as transformer_lib/attention.py, where all queries are
   computed at once. A vector is a Float32Array, a list of them an Array. */
(function (Live) {
  "use strict";

  function dot(x, y) {
    let sum = 0;
    for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
    return sum;
  }

  /** Turn scores into weights that sum to 1; -Infinity gets no weight. */
  function softmax(scores) {
    const highest = Math.max(...scores);
    if (highest === -Infinity) return scores.map(() => 0);
    const powers = scores.map((score) => Math.exp(score - highest));
    const sum = powers.reduce((a, b) => a + b, 0);
    return powers.map((power) => power / sum);
  }

  /** Say how much a query attends to each key.
   *  mask[j] is true where key j may be looked at. */
  function attentionWeights(query, keys, mask, scaled = true) {
    const scale = scaled ? Math.sqrt(query.length) : 1;
    const scores = keys.map((key, j) =>
      mask[j] ? dot(query, key) / scale : -Infinity);
    return softmax(scores);
  }

  /** Return the average of the values, each by its weight. */
  function weightedAverage(weights, values) {
    const context = new Float32Array(values[0].length);
    values.forEach((value, j) => {
      for (let i = 0; i < context.length; i++) {
        context[i] += weights[j] * value[i];
      }
    });
    return context;
  }

  Object.assign(Live, { dot, softmax, attentionWeights, weightedAverage });
})((window.Live = window.Live || {}));
