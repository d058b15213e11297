/* A decoder alone: embedding, places, layers, and scores of the next letter.
   Parameters have the names of the library's, and are its transposed: a
   linear layer's weight is (in, out). */
Train.part((Train) => {
  "use strict";

  const { Matrix, linear, add, relu, embed, layerNorm, attention } = Train;

  class Model {
    /** sizes: width, inner, letters, layers, heads, longest; switches:
     *  positions, causal, scaled, residual, norm: "pre", "post", "none". */
    constructor(config, random) {
      this.config = config;
      this.parameters = {};
      const { width: d, inner, letters: V, layers } = config;
      this.draw("embedding.weight", V, d, 1 / Math.sqrt(d), random);
      for (let l = 0; l < layers; l++) {
        for (const name of ["q_proj", "k_proj", "v_proj", "out_proj"]) {
          this.linear(`layers.${l}.self_attention.${name}`, d, d, random);
        }
        this.linear(`layers.${l}.feed_forward.linear1`, d, inner, random);
        this.linear(`layers.${l}.feed_forward.linear2`, inner, d, random);
        this.norm(`layers.${l}.norm1`);
        this.norm(`layers.${l}.norm2`);
      }
      this.norm("norm");
      this.draw("output.weight", d, V, 1 / Math.sqrt(d), random);
      this.parameters["output.bias"] = new Matrix(1, V);
      this.places = sines(config.longest, d);
    }

    draw(name, rows, columns, spread, random) {
      const made = new Matrix(rows, columns);
      for (let i = 0; i < made.values.length; i++) {
        made.values[i] = spread * Train.normal(random);
      }
      this.parameters[name] = made;
    }

    linear(name, from, to, random) {
      const spread = Math.sqrt(2 / (from + to));
      this.draw(`${name}.weight`, from, to, spread, random);
      this.parameters[`${name}.bias`] = new Matrix(1, to);
    }

    norm(name) {
      const ones = new Train.Numbers(this.config.width).fill(1);
      this.parameters[`${name}.weight`] = new Matrix(1, ones.length, ones);
      this.parameters[`${name}.bias`] = new Matrix(1, ones.length);
    }

    get size() {
      return Object.values(this.parameters)
        .reduce((sum, one) => sum + one.values.length, 0);
    }

    /** Return scores (B T, letters), and the weights of each layer. */
    forward(tape, ids, B) {
      const { positions, layers, norm } = this.config;
      const p = this.parameters, T = ids.length / B, maps = [];
      const places = this.places.subarray(0, T * this.config.width);
      let x = embed(tape, p["embedding.weight"], ids, positions && places);
      for (let l = 0; l < layers; l++) {
        x = this.block(tape, x, `layers.${l}.norm1`, (h) =>
          this.attend(tape, h, `layers.${l}.self_attention`, B, maps));
        x = this.block(tape, x, `layers.${l}.norm2`, (h) =>
          this.think(tape, h, `layers.${l}.feed_forward`));
      }
      if (norm === "pre") x = this.normalize(tape, x, "norm");
      return { scores: this.apply(tape, x, "output"), maps };
    }

    block(tape, x, name, f) {
      const { norm, residual } = this.config;
      const y = f(norm === "pre" ? this.normalize(tape, x, name) : x);
      const z = residual ? add(tape, x, y) : y;
      return norm === "post" ? this.normalize(tape, z, name) : z;
    }

    attend(tape, x, name, B, maps) {
      const { heads: H, causal, scaled } = this.config;
      const shape = { B, T: x.rows / B, H, causal, scaled };
      const [q, k, v] = ["q_proj", "k_proj", "v_proj"]
        .map((one) => this.apply(tape, x, `${name}.${one}`));
      const { y, weights } = attention(tape, q, k, v, shape);
      maps.push(weights);
      return this.apply(tape, y, `${name}.out_proj`);
    }

    think(tape, x, name) {
      const inner = relu(tape, this.apply(tape, x, `${name}.linear1`));
      return this.apply(tape, inner, `${name}.linear2`);
    }

    apply(tape, x, name) {
      const p = this.parameters;
      return linear(tape, x, p[`${name}.weight`], p[`${name}.bias`]);
    }

    normalize(tape, x, name) {
      const p = this.parameters;
      return layerNorm(tape, x, p[`${name}.weight`], p[`${name}.bias`]);
    }
  }

  /** The sines and cosines of the paper, one row of d numbers a place. */
  function sines(length, d) {
    const found = new Train.Numbers(length * d);
    for (let t = 0; t < length; t++) {
      for (let j = 0; j < d; j += 2) {
        const angle = t / 10000 ** (j / d);
        found[t * d + j] = Math.sin(angle);
        found[t * d + j + 1] = Math.cos(angle);
      }
    }
    return found;
  }

  Train.Model = Model;
});
