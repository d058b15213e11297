/* Numbers by chance that are the same for the same start. */
Train.part((Train) => {
  "use strict";

  /** Return a function that gives numbers from 0 to below 1 (mulberry32). */
  function randomNumbers(seed) {
    let state = seed | 0;
    return () => {
      state = state + 0x6D2B79F5 | 0;
      let t = Math.imul(state ^ state >>> 15, 1 | state);
      t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
      return ((t ^ t >>> 14) >>> 0) / 4294967296;
    };
  }

  /** Return one number of the normal distribution (Box and Muller). */
  function normal(random) {
    const length = Math.sqrt(-2 * Math.log(1 - random()));
    return length * Math.cos(2 * Math.PI * random());
  }

  Object.assign(Train, { randomNumbers, normal });
});
