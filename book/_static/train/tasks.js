/* What there is to learn: a line of letters, and what is written after it. */
Train.part((Train) => {
  "use strict";

  const LENGTH = 6; // letters of a line
  const line = (random, n, length = LENGTH) =>
    Array.from({ length }, () => Math.floor(random() * n));

  // letters: how many there are; writes: how many are written; ask: draws
  // the line that is given; answer: what is to be written after it. The
  // arrow between the two is the letter after the last. Two letters that
  // are written as one sign are the signs after the arrow.
  const TASKS = {
    backwards: {
      letters: 10,
      writes: LENGTH,
      ask: (random) => line(random, 10),
      answer: (xs) => xs.slice().reverse(),
    },
    sort: {
      letters: 10,
      writes: LENGTH,
      ask: (random) => line(random, 10),
      answer: (xs) => xs.slice().sort((a, b) => a - b),
    },
    dice: {
      letters: 10,
      writes: LENGTH,
      ask: () => [],
      answer: (xs, random) => line(random, 10),
    },
    pair: {
      letters: 6,
      signs: 36,
      writes: 1,
      ask: (random) => line(random, 6),
      answer: (xs) => [7 + 6 * xs[0] + xs[LENGTH - 1]],
    },
  };

  const vocabulary = ({ letters, signs = 0 }) => letters + 1 + signs;

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
      ids.push(...asked, TASKS[name].letters, ...wanted.slice(0, -1));
      targets.push(...asked.map(() => -1), ...wanted);
    }
    return { ids, targets, B };
  }

  Object.assign(Train, { TASKS, LENGTH, vocabulary, sample, batch });
});
