/* What the page says of each experiment. No sentence has a number that a run
   has given: seeds are other runs in other browsers. */
(function (Train) {
  "use strict";

  const TASKS = {
    backwards: "It is given six letters and writes them backwards.",
    sort: "It is given six letters and writes them in the order of the " +
      "alphabet.",
    dice: "It is given nothing, and each letter is thrown like a die with " +
      "ten sides. Nobody can know the next one.",
  };

  // part: what is taken away; lesson: page, and its name; right: the place of
  // the right guess.
  const TEXTS = {
    positions: {
      name: "Positions",
      part: "the positions",
      lead: "Train it once with everything in place. Then take the " +
        "positions away.",
      ask: "Without positions, after as many updates, it will write …",
      guesses: ["the same, only later in the training",
        "letters of the line, most of them in the wrong place",
        "the same: it finds the places out by itself"],
      right: 1,
      why: "Without positions a letter carries no sign of where it stands. " +
        "The model can tell which letters there were, and not in which " +
        "order, so it guesses among them.",
      more: "That's with one layer and this many updates. Two layers and a " +
        "longer training find a way around it: try “Positions, longer”.",
      lesson: ["09_positions", "Chapter 9"],
    },
    mask: {
      name: "The mask",
      part: "the mask",
      lead: "Train it once. “As in training” means that the right letters " +
        "already stand there. Then take the mask away, so that each letter " +
        "may look at those after it.",
      ask: "Without the mask, how well will it learn, and how well will it " +
        "write by itself?",
      guesses: ["It learns and writes as well as before",
        "It learns at least as well, and writes clearly worse",
        "It learns and writes worse"],
      right: 1,
      why: "In training the answer stands to the right, and without the " +
        "mask it leans on that. When it writes, nothing is there yet. (The " +
        "map is drawn when the line is finished.)",
      lesson: ["08_masks", "Chapter 8"],
    },
    dice: {
      name: "Dice",
      part: "the mask",
      lead: "There is nothing to learn here but that every letter is as " +
        "likely as any other. Take the mask away and watch the loss.",
      ask: "Without the mask, the loss will …",
      guesses: ["stay at pure guessing: dice are dice",
        "fall far below pure guessing",
        "rise"],
      right: 1,
      why: "The next letter stands in its own input, one place to the " +
        "right, and it looks there. A loss below that of pure guessing, on " +
        "dice, can only come from the answer itself. Writing is still a " +
        "throw of a die.",
      lesson: ["08_masks", "Chapter 8"],
    },
    depth: {
      name: "Residuals and norms",
      part: "residuals and norms",
      lead: "Four layers. Train it once, then take away what lets a deep " +
        "model learn: the residual connections and the norms.",
      ask: "Four layers without both will …",
      guesses: ["learn it as fast", "learn it in part",
        "have hardly learned anything in the same updates"],
      right: 2,
      why: "Each layer now replaces what came in, and nothing keeps its " +
        "size. Which of the two it is that stops the learning here is not " +
        "tested. Take only one of the two away, and in so small a model it " +
        "may learn all the same.",
      lesson: ["05_residual_connections", "Chapter 5"],
    },
    warmup: {
      name: "Warm-up",
      part: "the warm-up",
      lead: "The norms stand after the sums, as in the paper, and the rate " +
        "is high. Train it once with warm-up, then without.",
      ask: "With the full rate from the first update it will …",
      guesses: ["learn faster", "learn as well, after a bad start",
        "not get off the ground"],
      right: 2,
      why: "The first steps are now as long as any, and go by a gradient " +
        "that knows nothing yet. Whether that is what stops it is not " +
        "tested here.",
      lesson: ["13_training_loop", "Chapter 13"],
    },
    smoothing: {
      name: "Smoothing",
      part: "the smoothing",
      lead: "Train it once, then with label smoothing, which asks for 9 " +
        "parts in 10 on the right letter and spreads the rest.",
      ask: "With smoothing, plain loss and answers will …",
      guesses: ["both be worse", "loss stays higher, answers stay right",
        "both be better"],
      right: 1,
      why: "It's asked never to be quite sure, and a model that does as it " +
        "is asked has a plain loss above zero. The best letter is still " +
        "the right one.",
      lesson: ["12_shift_loss_label_smoothing", "Chapter 12"],
    },
    longer: {
      name: "Positions, longer",
      part: "the positions",
      lead: "Two layers and more than six times as many updates, to see " +
        "whether the mask alone can tell the places. Take the positions " +
        "away and be patient. Nobody has measured this one from five " +
        "starts.",
      lesson: ["../book/laboratory/09_positions", "Laboratory 9"],
    },
  };

  const PARTS = {
    positions: "positions", causal: "mask", scaled: "√ of the width",
    heads: "heads", residual: "residual", norm: "norms", layers: "layers",
    warmUp: "warm-up", smoothing: "smoothing",
  };

  const VALUES = {
    norm: { pre: "before", post: "after", none: "off" },
    warmUp: { 1: "off", 50: "50 updates", 100: "100 updates" },
    smoothing: { 0: "off", 0.1: "0.1" },
  };

  /** Say a value of a part in words. */
  function valueOf(part, value) {
    if (typeof value === "boolean") return value ? "on" : "off";
    return VALUES[part]?.[value] ?? String(value);
  }

  /** Say what a setting has changed of its experiment's. */
  function changesOf(name, setting) {
    const usual = Train.settingOf(name);
    return Object.keys(Train.SWITCHES)
      .filter((part) => setting[part] !== usual[part])
      .map((part) => `${PARTS[part]} ${valueOf(part, setting[part])}`);
  }

  Object.assign(Train, { TEXTS, TASK_TEXTS: TASKS, PARTS, valueOf, changesOf });
})(globalThis.Train);
