/* The operations of the model. Each computes its result, and puts on the tape
   how the gradient of the result becomes that of its inputs. Without a tape
   it only computes. */
Train.part((Train) => {
  "use strict";

  const { Matrix, addProduct, transposed } = Train;

  /** x W + b */
  function linear(tape, x, W, b) {
    const y = new Matrix(x.rows, W.columns), n = W.columns;
    for (let i = 0; i < x.rows; i++) y.values.set(b.values, i * n);
    addProduct(y.values, x.values, W.values, [x.rows, x.columns, n]);
    tape?.push(() => {
      const g = y.grad(), k = x.columns, down = b.grad();
      addProduct(x.grad(), g, transposed(W), [x.rows, n, k]);
      addProduct(W.grad(), x.values, g, [k, x.rows, n], 1, k);
      for (let i = 0; i < g.length; i++) down[i % n] += g[i];
    });
    return y;
  }

  function add(tape, x, y) {
    const z = new Matrix(x.rows, x.columns);
    for (let i = 0; i < z.values.length; i++) {
      z.values[i] = x.values[i] + y.values[i];
    }
    tape?.push(() => {
      const g = z.grad(), p = x.grad(), q = y.grad();
      for (let i = 0; i < g.length; i++) {
        p[i] += g[i];
        q[i] += g[i];
      }
    });
    return z;
  }

  function relu(tape, x) {
    const y = new Matrix(x.rows, x.columns);
    for (let i = 0; i < y.values.length; i++) {
      y.values[i] = Math.max(0, x.values[i]);
    }
    tape?.push(() => {
      const g = y.grad(), p = x.grad();
      for (let i = 0; i < g.length; i++) if (x.values[i] > 0) p[i] += g[i];
    });
    return y;
  }

  /** Rows of E by their ids, times the root of the width, plus places. */
  function embed(tape, E, ids, places) {
    const d = E.columns, scale = Math.sqrt(d);
    const y = new Matrix(ids.length, d);
    for (let i = 0; i < ids.length; i++) {
      for (let j = 0; j < d; j++) {
        y.values[i * d + j] = E.values[ids[i] * d + j] * scale
          + (places ? places[(i * d + j) % places.length] : 0);
      }
    }
    tape?.push(() => {
      const g = y.grad(), down = E.grad();
      for (let i = 0; i < ids.length; i++) {
        for (let j = 0; j < d; j++) {
          down[ids[i] * d + j] += g[i * d + j] * scale;
        }
      }
    });
    return y;
  }

  const EPSILON = 1e-5; // added to the variance

  function layerNorm(tape, x, weight, bias) {
    const d = x.columns, y = new Matrix(x.rows, d);
    const normal = new Train.Numbers(x.values.length);
    const scales = new Train.Numbers(x.rows);
    for (let i = 0; i < x.rows; i++) {
      const row = x.values.subarray(i * d, i * d + d), o = i * d;
      let mean = 0, variance = 0;
      for (let j = 0; j < d; j++) mean += row[j] / d;
      for (let j = 0; j < d; j++) variance += (row[j] - mean) ** 2 / d;
      scales[i] = 1 / Math.sqrt(variance + EPSILON);
      for (let j = 0; j < d; j++) {
        normal[o + j] = (row[j] - mean) * scales[i];
        y.values[o + j] = normal[o + j] * weight.values[j] + bias.values[j];
      }
    }
    tape?.push(() => normBack(x, y, weight, bias, normal, scales));
    return y;
  }

  function normBack(x, y, weight, bias, normal, scales) {
    const g = y.grad(), p = x.grad(), d = x.columns;
    const toWeight = weight.grad(), toBias = bias.grad();
    for (let i = 0; i < x.rows; i++) {
      const o = i * d;
      let mean = 0, along = 0;
      for (let j = 0; j < d; j++) {
        const t = g[o + j] * weight.values[j];
        mean += t / d;
        along += t * normal[o + j] / d;
        toWeight[j] += g[o + j] * normal[o + j];
        toBias[j] += g[o + j];
      }
      for (let j = 0; j < d; j++) {
        const t = g[o + j] * weight.values[j];
        p[o + j] += scales[i] * (t - mean - normal[o + j] * along);
      }
    }
  }

  /** Return the mean loss against smoothed targets, and the plain one. A
   *  target of -1 counts for nothing. */
  function crossEntropy(tape, logits, targets, smoothing) {
    const V = logits.columns, counted = targets.filter((t) => t >= 0).length;
    const shares = softmax(logits);
    let plain = 0, spread = 0;
    targets.forEach((target, i) => {
      if (target < 0) return;
      plain -= Math.log(shares[i * V + target]) / counted;
      for (let j = 0; j < V && smoothing; j++) {
        spread -= Math.log(shares[i * V + j]) / (counted * V);
      }
    });
    tape?.push(() => {
      const g = logits.grad();
      targets.forEach((target, i) => {
        for (let j = 0; j < V && target >= 0; j++) {
          const wanted = smoothing / V + (j === target ? 1 - smoothing : 0);
          g[i * V + j] += (shares[i * V + j] - wanted) / counted;
        }
      });
    });
    return { plain, loss: (1 - smoothing) * plain + smoothing * spread };
  }

  /** Shares of each row; never 0, so that their logarithm is a number. */
  function softmax({ rows, columns, values }) {
    const shares = new Train.Numbers(values.length);
    for (let i = 0; i < rows; i++) {
      const o = i * columns;
      let most = -Infinity, sum = 0;
      for (let j = 0; j < columns; j++) most = Math.max(most, values[o + j]);
      for (let j = 0; j < columns; j++) {
        sum += shares[o + j] = Math.exp(values[o + j] - most);
      }
      for (let j = 0; j < columns; j++) {
        shares[o + j] = Math.max(shares[o + j] / sum, 1e-30);
      }
    }
    return shares;
  }

  Object.assign(Train, {
    linear, add, relu, embed, layerNorm, crossEntropy, softmax,
  });
});
