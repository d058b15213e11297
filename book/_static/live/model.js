/* The whole Transformer: the same way as transformer_lib/model.py takes, one
   sentence at a time.

   `changes` says what an experiment alters:
     hidden     positions of the source that nobody may look at
     headsOff   names such as "decoder.layers.0.cross_attention.2"
     positions, causal, scaled   false takes the thing away

   Who asks for it gets every intermediate: `state.trace` then has, by name,
   one row for each token. What a module of the library gives has the module's
   name, "encoder.layers.0.norm1", and what it gets "encoder.layers.0.norm1:in";
   "encoder:in" is the sum of "encoder:embedding" and "encoder:position",
   "logits" the last. */
(function (Live) {
  "use strict";

  const { add, linear, layerNorm, relu, split, join } = Live;
  const NO_CHANGES = {
    hidden: [], headsOff: [], positions: true, causal: true, scaled: true,
  };

  /** Note rows of an intermediate, if somebody has asked for them. */
  function note(state, name, ...rows) {
    if (state.trace) (state.trace[name] ??= []).push(...rows);
  }

  /** Note what a module got and gave; return what it gave. */
  function passed(state, name, x, y) {
    note(state, `${name}:in`, x);
    note(state, name, y);
    return y;
  }

  /** Return the part of a trace whose names pass a test, with its own lists. */
  const copied = (trace, test) => Object.fromEntries(
    Object.entries(Live.pick(trace, test)).map(([name, rows]) =>
      [name, [...rows]]));

  class Transformer {
    /** config: as in model.json; weights: name -> Float32Array. */
    constructor(config, weights) {
      this.config = config;
      this.weights = weights;
      const tied = weights["source_embedding.weight"];
      this.source = tied;
      this.target = weights["target_embedding.weight"] || tied;
      this.output = weights["output_embedding.weight"] || tied;
    }

    /** How many numbers it has learned. */
    get size() {
      return Object.values(this.weights)
        .reduce((sum, values) => sum + values.length, 0);
    }

    /** Encode the source; return the state before the first token.
     *  state.maps: name of an attention -> head -> query -> weights;
     *  state.trace: null unless `traced`. */
    start(source, changes, traced = false) {
      const chosen = { ...NO_CHANGES, ...changes };
      const mask = source.map((_, i) => !chosen.hidden.includes(i));
      const state = { tokens: [], past: [], memory: [], maps: {}, mask,
                      changes: chosen, trace: traced ? {} : null };
      let xs = source.map((id, i) => this._embed("encoder", id, i, state));
      for (let n = 0; n < this.config.n_layers; n++) {
        xs = this._encoderLayer(`encoder.layers.${n}`, xs, state);
      }
      xs = this._lastNorm("encoder", xs, state);
      for (let n = 0; n < this.config.n_layers; n++) {
        const name = `decoder.layers.${n}.cross_attention`;
        state.memory.push(xs.map((x) => this._keyValue(name, x, state)));
        state.past.push([]);
      }
      return state;
    }

    /** Feed target tokens; return the scores of what follows each one, and
     *  the state with them. The old state is not changed. */
    decode(tokens, old) {
      const state = {
        ...old, past: [], maps: { ...old.maps },
        tokens: [...old.tokens, ...tokens],
        trace: old.trace && copied(old.trace, () => true),
      };
      let xs = tokens.map((id, i) =>
        this._embed("decoder", id, old.tokens.length + i, state));
      for (let n = 0; n < this.config.n_layers; n++) {
        xs = this._decoderLayer(n, xs, old, state);
      }
      xs = this._lastNorm("decoder", xs, state);
      const logits = xs.map((x) => linear(x, this.output));
      note(state, "logits", ...logits);
      return [logits, state];
    }

    /** Feed one more token; return the scores of what follows it. Without
     *  the causal mask the earlier tokens see the new one, so that they
     *  are all computed again. */
    next(token, state) {
      let tokens = [token];
      if (!state.changes.causal) {
        tokens = [...state.tokens, token];
        const nothing = state.past.map(() => []);
        state = { ...state, tokens: [], past: nothing, maps:
          Live.pick(state.maps, (name) => name.startsWith("encoder")),
        trace: state.trace && copied(state.trace, (name) =>
          /^encoder|cross_attention\.[kv]_proj/.test(name)) };
      }
      const [logits, after] = this.decode(tokens, state);
      return [logits[logits.length - 1], after];
    }

    _encoderLayer(name, xs, state) {
      const attention = `${name}.self_attention`;
      xs = this._sublayer(`${name}.norm1`, xs, state, (hs) => {
        const kv = hs.map((h) => this._keyValue(attention, h, state));
        return this._attend(attention, hs, kv, () => state.mask, state);
      });
      return this._feedForward(name, `${name}.norm2`, xs, state);
    }

    _decoderLayer(n, xs, old, state) {
      const name = `decoder.layers.${n}`;
      const own = `${name}.self_attention`;
      const cross = `${name}.cross_attention`;
      xs = this._sublayer(`${name}.norm1`, xs, state, (hs) => {
        const kv = hs.map((h) => this._keyValue(own, h, state));
        state.past.push([...old.past[n], ...kv]);
        const seen = (i) => state.past[n].map((_, j) =>
          !state.changes.causal || j <= old.tokens.length + i);
        return this._attend(own, hs, state.past[n], seen, state);
      });
      xs = this._sublayer(`${name}.norm2`, xs, state, (hs) =>
        this._attend(cross, hs, state.memory[n], () => state.mask, state));
      return this._feedForward(name, `${name}.norm3`, xs, state);
    }

    /** A residual connection around f, with its norm before or after. */
    _sublayer(norm, xs, state, f) {
      if (this.config.norm_first) {
        const ys = f(xs.map((x) => this._norm(norm, x, state)));
        return xs.map((x, i) => add(x, ys[i]));
      }
      const ys = f(xs);
      return xs.map((x, i) => this._norm(norm, add(x, ys[i]), state));
    }

    /** Let each x attend to kv, head by head; note the weights. */
    _attend(name, xs, kv, maskOf, state) {
      const { headsOff, scaled } = state.changes;
      const heads = this.config.n_heads;
      const rows = Array.from({ length: heads }, () => []);
      const ys = xs.map((x, i) => {
        const queries = split(this._linear(`${name}.q_proj`, x, state), heads);
        const mask = maskOf(i);
        const contexts = queries.map((query, head) => {
          const keys = kv.map((one) => one.keys[head]);
          const values = kv.map((one) => one.values[head]);
          const off = headsOff.includes(`${name}.${head}`);
          const weights = Live.attentionWeights(query, keys, mask, scaled);
          rows[head].push(weights);
          return off ? new Float32Array(values[0].length)
            : Live.weightedAverage(weights, values);
        });
        return this._linear(`${name}.out_proj`, join(contexts), state);
      });
      const before = state.maps[name];
      state.maps[name] = rows.map((row, head) =>
        before ? [...before[head], ...row] : row);
      return ys;
    }

    _keyValue(name, x, state) {
      const heads = this.config.n_heads;
      return {
        keys: split(this._linear(`${name}.k_proj`, x, state), heads),
        values: split(this._linear(`${name}.v_proj`, x, state), heads),
      };
    }

    _feedForward(layer, norm, xs, state) {
      const name = `${layer}.feed_forward`;
      return this._sublayer(norm, xs, state, (hs) => hs.map((h) => {
        const inner = this._linear(`${name}.linear1`, h, state);
        return this._linear(`${name}.linear2`, relu(inner), state);
      }));
    }

    _embed(stack, id, position, state) {
      const size = this.config.d_model;
      const table = stack === "encoder" ? this.source : this.target;
      const row = table.subarray(id * size, (id + 1) * size);
      const x = row.map((value) => value * Math.sqrt(size));
      const place = this._position(position);
      const sum = state.changes.positions ? add(x, place) : x;
      note(state, `${stack}:embedding`, x);
      note(state, `${stack}:position`, place);
      note(state, `${stack}:in`, sum);
      return sum;
    }

    _position(position) {
      const size = this.config.d_model;
      const learned = this.weights["positions.pe"];
      return learned ? learned.subarray(position * size, (position + 1) * size)
        : Live.sinusoid(position, size);
    }

    _lastNorm(stack, xs, state) {
      if (!this.config.norm_first) return xs;
      return xs.map((x) => this._norm(`${stack}.norm`, x, state));
    }

    _linear(name, x, state) {
      const { [`${name}.weight`]: weight, [`${name}.bias`]: bias } =
        this.weights;
      return passed(state, name, x, linear(x, weight, bias));
    }

    _norm(name, x, state) {
      return passed(state, name, x, layerNorm(x,
        this.weights[`${name}.weight`], this.weights[`${name}.bias`]));
    }
  }

  /** Return the part of an object whose keys pass a test. */
  Live.pick = (object, test) => Object.fromEntries(
    Object.entries(object).filter(([key]) => test(key)));

  Object.assign(Live, { Transformer, NO_CHANGES });
})((window.Live = window.Live || {}));
