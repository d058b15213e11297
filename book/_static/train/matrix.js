/* Matrices, and the one product that all of the training's time goes into. */
Train.part((Train) => {
  "use strict";

  class Matrix {
    constructor(rows, columns, values) {
      this.rows = rows;
      this.columns = columns;
      this.values = values ?? new Train.Numbers(rows * columns);
      this.gradient = null;
    }

    /** Return the gradient, all zeros at first. */
    grad() {
      this.gradient ??= new Train.Numbers(this.values.length);
      return this.gradient;
    }
  }

  /** Add A B to C: (m, n) += (m, k)(k, n). `row` and `step` are what the
   *  place in A grows by with m and with k, so that (1, m) reads A as
   *  transposed. Four terms at a time: C is loaded and stored less often. */
  function addProduct(C, A, B, [m, k, n], row = k, step = 1) {
    const whole = k - k % 4;
    for (let i = 0; i < m; i++) {
      const c = i * n;
      let a = i * row, b = 0;
      for (let p = 0; p < whole; p += 4, a += 4 * step, b += 4 * n) {
        const w = A[a], x = A[a + step];
        const y = A[a + 2 * step], z = A[a + 3 * step];
        for (let j = 0; j < n; j++) {
          const q = b + j;
          C[c + j] += w * B[q] + x * B[q + n]
            + y * B[q + 2 * n] + z * B[q + 3 * n];
        }
      }
      for (let p = whole; p < k; p++, a += step, b += n) {
        for (let j = 0; j < n; j++) C[c + j] += A[a] * B[b + j];
      }
    }
  }

  /** Return the values of a matrix, rows and columns exchanged. */
  function transposed({ rows, columns, values }) {
    const turned = new Train.Numbers(values.length);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        turned[j * rows + i] = values[i * columns + j];
      }
    }
    return turned;
  }

  Object.assign(Train, { Matrix, addProduct, transposed });
});
