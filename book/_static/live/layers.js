/* The parts of a layer that look at one token: linear maps, layer
   normalization, the feed-forward network, positions. */
(function (Live) {
  "use strict";

  const EPS = 1e-5;

  /** Add two vectors: the residual connection. */
  function add(x, y) {
    return x.map((value, i) => value + y[i]);
  }

  /** Compute W x + b; W lies row after row in one array. */
  function linear(x, weight, bias) {
    const n = x.length;
    const y = new Float32Array(weight.length / n);
    for (let row = 0, start = 0; row < y.length; row++, start += n) {
      let sum = bias ? bias[row] : 0;
      for (let i = 0; i < n; i++) sum += weight[start + i] * x[i];
      y[row] = sum;
    }
    return y;
  }

  /** Normalize the features of one token to mean 0 and variance 1. */
  function layerNorm(x, weight, bias) {
    let mean = 0;
    for (const value of x) mean += value / x.length;
    let variance = 0;
    for (const value of x) variance += (value - mean) ** 2 / x.length;
    const spread = Math.sqrt(variance + EPS);
    return x.map((value, i) => weight[i] * (value - mean) / spread + bias[i]);
  }

  function relu(x) {
    return x.map((value) => Math.max(0, value));
  }

  /** Return the sines and cosines of one position. */
  function sinusoid(position, size) {
    const row = new Float32Array(size);
    for (let i = 0; i < size; i += 2) {
      const angle = position / 10000 ** (i / size);
      row[i] = Math.sin(angle);
      row[i + 1] = Math.cos(angle);
    }
    return row;
  }

  /** Cut a vector into n equal parts, one a head; nothing is copied. */
  function split(x, n) {
    const size = x.length / n;
    return Array.from({ length: n }, (_, head) =>
      x.subarray(head * size, (head + 1) * size));
  }

  /** Put the parts of all heads behind each other again. */
  function join(parts) {
    const whole = new Float32Array(parts.length * parts[0].length);
    parts.forEach((part, head) => whole.set(part, head * part.length));
    return whole;
  }

  Object.assign(Live, {
    add, linear, layerNorm, relu, sinusoid, split, join,
  });
})((window.Live = window.Live || {}));
