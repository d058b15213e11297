/* Adam, with the numbers of the paper, and the rate's warm-up. */
Train.part((Train) => {
  "use strict";

  const BETA1 = 0.9, BETA2 = 0.98, EPSILON = 1e-9;

  class Adam {
    constructor(parameters) {
      this.parameters = Object.values(parameters);
      this.updates = 0;
      this.moments = this.parameters.map(({ values }) =>
        [0, 1].map(() => new Train.Numbers(values.length)));
    }

    clear() {
      for (const one of this.parameters) one.gradient?.fill(0);
    }

    /** A parameter that took no part has no gradient, and stays. */
    step(rate) {
      this.updates++;
      const whole1 = 1 - BETA1 ** this.updates;
      const whole2 = 1 - BETA2 ** this.updates;
      this.parameters.forEach(({ values, gradient: g }, n) => {
        if (!g) return;
        const [m, v] = this.moments[n];
        for (let i = 0; i < values.length; i++) {
          m[i] = BETA1 * m[i] + (1 - BETA1) * g[i];
          v[i] = BETA2 * v[i] + (1 - BETA2) * g[i] * g[i];
          values[i] -= rate * (m[i] / whole1)
            / (Math.sqrt(v[i] / whole2) + EPSILON);
        }
      });
    }
  }

  /** Return the rate of an update: it climbs, and then stays. */
  const rateAt = (update, rate, warmUp) =>
    rate * Math.min(1, update / Math.max(1, warmUp));

  Object.assign(Train, { Adam, rateAt });
});
