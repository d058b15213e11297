/* Experiments: a task, a model for it, and the one part that is taken away.
   Updates, sizes and rates were chosen on starts 100 to 104 and are judged on
   starts 0 to 4 (benchmarks/train_in_page.py). */
Train.part((Train) => {
  "use strict";

  const BASE = {
    task: "backwards", layers: 1, heads: 4, width: 32, inner: 64, batch: 32,
    updates: 240, rate: 0.003, warmUp: 50, smoothing: 0, positions: true,
    causal: true, scaled: true, residual: true, norm: "pre",
  };

  // off: what is taken away. judged: what has to differ, letters right when
  // it writes ("letters"), or with all letters before them given
  // ("practice"), or the plain loss ("plain").
  const PRESETS = {
    positions: {
      on: {}, off: { positions: false }, judged: "letters",
    },
    mask: {
      on: { task: "sort", layers: 2, batch: 16, updates: 300 },
      off: { causal: false }, judged: "letters",
    },
    dice: {
      on: { task: "dice" }, off: { causal: false }, judged: "practice",
    },
    depth: {
      on: { layers: 4, batch: 16, updates: 300 },
      off: { residual: false, norm: "none" }, judged: "letters",
    },
    warmup: {
      on: { norm: "post", rate: 0.03, warmUp: 100 },
      off: { warmUp: 1 }, judged: "letters",
    },
    smoothing: {
      on: {}, off: { smoothing: 0.1 }, judged: "plain",
    },
    longer: {
      on: { layers: 2, updates: 1500 }, off: { positions: false },
    },
  };

  // What a reader may choose; anything else in an address is ignored.
  const SWITCHES = {
    positions: [true, false],
    causal: [true, false],
    scaled: [true, false],
    heads: [1, 2, 4],
    residual: [true, false],
    norm: ["pre", "post", "none"],
    layers: [1, 2, 4],
    warmUp: [1, 50, 100],
    smoothing: [0, 0.1],
  };

  const settingOf = (name, changes = {}) =>
    ({ ...BASE, ...PRESETS[name].on, ...changes });

  Object.assign(Train, { PRESETS, SWITCHES, settingOf });
});
