/* Attention of all heads of all lines, and its gradient. */
Train.part((Train) => {
  "use strict";

  const { Matrix } = Train;

  /** shape: lines B, places T, heads H; causal and scaled are switches.
   *  The result has the weights, too: (B, H, T, T). */
  function attention(tape, q, k, v, shape) {
    const { B, T, H } = shape, y = new Matrix(q.rows, q.columns);
    const weights = new Train.Numbers(B * H * T * T);
    eachQuery(shape, q.columns, (query, first, own, end, scale) => {
      const d = q.columns, K = d / H;
      let most = -Infinity, sum = 0;
      for (let j = 0; j < end; j++) {
        const key = first + j * d;
        let score = 0;
        for (let c = 0; c < K; c++) {
          score += q.values[query + c] * k.values[key + c];
        }
        weights[own + j] = score * scale;
        most = Math.max(most, weights[own + j]);
      }
      for (let j = 0; j < end; j++) {
        sum += weights[own + j] = Math.exp(weights[own + j] - most);
      }
      for (let j = 0; j < end; j++) {
        const share = weights[own + j] /= sum, value = first + j * d;
        for (let c = 0; c < K; c++) {
          y.values[query + c] += share * v.values[value + c];
        }
      }
    });
    tape?.push(() => attentionBack(q, k, v, y, weights, shape));
    return { y, weights };
  }

  function attentionBack(q, k, v, y, weights, shape) {
    const d = q.columns, K = d / shape.H, g = y.grad();
    const toQ = q.grad(), toK = k.grad(), toV = v.grad();
    const toShare = new Train.Numbers(shape.T);
    eachQuery(shape, d, (query, first, own, end, scale) => {
      let mean = 0;
      for (let j = 0; j < end; j++) {
        const value = first + j * d, share = weights[own + j];
        let t = 0;
        for (let c = 0; c < K; c++) {
          t += g[query + c] * v.values[value + c];
          toV[value + c] += share * g[query + c];
        }
        toShare[j] = t;
        mean += share * t;
      }
      for (let j = 0; j < end; j++) {
        const t = weights[own + j] * (toShare[j] - mean) * scale;
        const key = first + j * d;
        for (let c = 0; c < K; c++) {
          toQ[query + c] += t * k.values[key + c];
          toK[key + c] += t * q.values[query + c];
        }
      }
    });
  }

  /** Call f for each query of each head of each line, with the places of the
   *  query, of the line's first key and of the query's weights; with how many
   *  keys it sees; and with what its scores are multiplied by. */
  function eachQuery({ B, T, H, causal, scaled }, d, f) {
    const K = d / H, scale = scaled ? 1 / Math.sqrt(K) : 1;
    for (let b = 0; b < B; b++) {
      for (let h = 0; h < H; h++) {
        const first = b * T * d + h * K;
        for (let i = 0; i < T; i++) {
          const own = ((b * H + h) * T + i) * T;
          f(first + i * d, first, own, causal ? i + 1 : T, scale);
        }
      }
    }
  }

  Train.attention = attention;
});
