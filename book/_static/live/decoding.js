/* From scores to sentences. Both searches are generators: whoever runs them
   may pause after any token, so that the page never stands still. */
(function (Live) {
  "use strict";

  const BOS = 1;
  const EOS = 2;
  const ALPHA = 0.6;

  /** Return the logarithms of softmax(logits). */
  function logSoftmax(logits) {
    let highest = -Infinity;
    for (const value of logits) highest = Math.max(highest, value);
    let sum = 0;
    for (const value of logits) sum += Math.exp(value - highest);
    const shift = highest + Math.log(sum);
    return Float64Array.from(logits, (value) => value - shift);
  }

  /** Return the ids of the n largest values, the largest first. */
  function best(values, n) {
    const found = [];
    values.forEach((value, id) => {
      if (found.length === n && value <= values[found[n - 1]]) return;
      const place = found.findIndex((other) => values[other] < value);
      found.splice(place < 0 ? found.length : place, 0, id);
      if (found.length > n) found.pop();
    });
    return found;
  }

  /** A chooser that always takes the most probable token. */
  const greedy = (logP) => best(logP, 1)[0];

  /** Return a chooser that draws a token from softmax(logits / temperature);
   *  the same seed draws the same sentence. */
  function sampler(temperature, seed) {
    const random = Live.random(seed);
    return (logP) => {
      const p = Live.softmax(Array.from(logP, (x) => x / temperature));
      let rest = random();
      let token = 0;
      while (rest >= p[token] && token < p.length - 1) rest -= p[token++];
      return token;
    };
  }

  /** Write a translation token by token, those of `prefix` first.
   *  Yields after each token; `logP` holds the scores behind each choice,
   *  `trace` the intermediates behind it all, if the call is `traced`. */
  function* write(model, source, how = {}) {
    const { choose = greedy, prefix = [], changes, traced } = how;
    let state = model.start(source, changes, traced);
    let token = BOS;
    const written = { tokens: [], logP: [], finished: false, maps: {},
                      trace: null };
    for (let n = 0; n < model.config.max_length; n++) {
      let logits;
      [logits, state] = model.next(token, state);
      const logP = logSoftmax(logits);
      token = n < prefix.length ? prefix[n] : choose(logP);
      written.logP.push(logP);
      written.maps = state.maps;
      written.trace = state.trace;
      written.finished = token === EOS;
      if (!written.finished) written.tokens.push(token);
      yield written;
      if (written.finished) break;
    }
    return written;
  }

  /** What a log-probability is divided by (Wu et al. 2016, equation 14). */
  const lengthPenalty = (length) => ((5 + length) / 6) ** ALPHA;

  /** Keep the `size` best beginnings at each step; return their tokens, the
   *  best first. A finished one keeps its place and its score. */
  function* beamSearch(model, source, { size, prefix = [], changes }) {
    let state = model.start(source, changes);
    let token = BOS;
    let logP = 0;
    for (const id of prefix) {
      let logits;
      [logits, state] = model.next(token, state);
      logP += logSoftmax(logits)[id];
      token = id;
    }
    const ended = token === EOS;
    let beams = [{ tokens: prefix, token, logP, state, ended }];
    for (let n = prefix.length; n < model.config.max_length; n++) {
      const ways = [];
      for (const beam of beams) {
        ways.push(...(beam.ended ? [beam] : grow(model, beam, size)));
        yield beams;
      }
      ways.sort((a, b) => rank(b) - rank(a));
      beams = ways.slice(0, size);
      if (beams.every((beam) => beam.ended)) break;
    }
    return beams;
  }

  const rank = (beam) => beam.logP / lengthPenalty(beam.tokens.length);

  /** Let one beginning go on in its best ways. */
  function grow(model, beam, size) {
    const [logits, state] = model.next(beam.token, beam.state);
    const logP = logSoftmax(logits);
    return best(logP, size).map((token) => ({
      tokens: [...beam.tokens, token],
      token,
      logP: beam.logP + logP[token],
      state,
      ended: token === EOS,
    }));
  }

  /** Run a generator to its end. */
  function finish(generator) {
    let step = generator.next();
    while (!step.done) step = generator.next();
    return step.value;
  }

  Object.assign(Live, {
    BOS, EOS, best, logSoftmax, greedy, sampler, write, beamSearch, finish,
  });
})((window.Live = window.Live || {}));
