/* From the base64 text of shipped.js to arrays of numbers. */
(function (Live) {
  "use strict";

  const TYPES = {
    uint8: Uint8Array, int8: Int8Array, int16: Int16Array, int32: Int32Array,
    float16: Uint16Array, float32: Float32Array, float64: Float64Array,
  };

  /** Read a float16 from its 16 bits: sign, 5 of exponent, 10 of fraction. */
  function half(bits) {
    const sign = bits >> 15 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = (bits & 1023) / 1024;
    if (!exponent) return sign * 2 ** -14 * fraction;
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    return sign * 2 ** (exponent - 15) * (1 + fraction);
  }

  /** Return name -> array, for a list of {name, dtype, size, scales?}. */
  function unpack(parts, base64) {
    const text = atob(base64);
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const found = {};
    let start = 0;
    for (const { name, dtype, size } of parts) {
      const Type = TYPES[dtype];
      const end = start + size * Type.BYTES_PER_ELEMENT;
      const values = new Type(bytes.slice(start, end).buffer);
      found[name] = dtype === "float16" ? Float32Array.from(values, half)
        : values;
      start = end;
    }
    return found;
  }

  /** Multiply each row of int8 weights by its scale. */
  function scale(values, scales) {
    const columns = values.length / scales.length;
    return Float32Array.from(values, (value, i) =>
      value * scales[Math.floor(i / columns)]);
  }

  /** Return the model's weights and what belongs to the confidence. */
  function readWeights({ parts, data }) {
    const all = unpack(parts, data);
    const named = (start) => Object.fromEntries(Object.entries(all)
      .filter(([name]) => name.startsWith(start))
      .map(([name, values]) => [name.slice(start.length), values]));
    const weights = named("model.");
    for (const [name, scales] of Object.entries(named("scales."))) {
      weights[name] = scale(weights[name], scales);
    }
    return { weights, confidence: named("confidence.") };
  }

  Object.assign(Live, { half, readWeights });
})((window.Live = window.Live || {}));
