/* What there is to learn: a line of letters, and what is written after it. */
Train.part((Train) => {
  "use strict";

  const LENGTH = 6; // letters of a line
  const LETTERS = 10; // that there are; the arrow is the one after them
  const line = (random) =>
    Array.from({ length: LENGTH }, () => Math.floor(random() * LETTERS));

  // ask: draws the line that is given; answer: what is to be written after
  // it, and after the arrow.
  const TASKS = {
    backwards: {
      ask: line,
      answer: (xs) => xs.slice().reverse(),
    },
    sort: {
      ask: line,
      answer: (xs) => xs.slice().sort((a, b) => a - b),
    },
    dice: {
      ask: () => [],
      answer: (xs, random) => line(random),
    },
  };

  /** Draw a line: what is asked, and what is to be written. */
  function sample(name, random) {
    const { ask, answer } = TASKS[name];
    const asked = ask(random);
    return { asked, wanted: answer(asked, random) };
  }

  /** Return B lines as ids, and as targets: -1 where nothing is asked. */
  function batch(name, B, random) {
    const ids = [], targets = [];
    for (let b = 0; b < B; b++) {
      const { asked, wanted } = sample(name, random);
      ids.push(...asked, LETTERS, ...wanted.slice(0, -1));
      targets.push(...asked.map(() => -1), ...wanted);
    }
    return { ids, targets, B };
  }

  Object.assign(Train, { TASKS, LENGTH, LETTERS, sample, batch });
});
