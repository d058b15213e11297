/* One training: a model, its lines, and what it writes. */
Train.part((Train) => {
  "use strict";

  const { Adam, LENGTH, LETTERS, Model, rateAt, sample, softmax } = Train;
  const FRESH = 1e6; // the start of the lines that no training draws

  class Run {
    /** setting: task, batch, rate, warmUp, smoothing, updates, and what
     *  Model wants; seed: the start. */
    constructor(setting, seed) {
      this.setting = setting;
      this.random = Train.randomNumbers(seed);
      const config = { ...setting, letters: LETTERS + 1, longest: 2 * LENGTH };
      this.model = new Model(config, this.random);
      this.adam = new Adam(this.model.parameters);
    }

    /** Draw lines and learn from them. */
    update() {
      const { task, batch } = this.setting;
      return this.learn(Train.batch(task, batch, this.random));
    }

    /** Learn from lines; return losses, and the share of letters whose
     *  highest score was right with all letters before them given. */
    learn({ ids, targets, B }) {
      const { smoothing, rate, warmUp } = this.setting, tape = [];
      this.adam.clear();
      const { scores } = this.model.forward(tape, ids, B);
      const told = Train.crossEntropy(tape, scores, targets, smoothing);
      while (tape.length) tape.pop()();
      this.adam.step(rateAt(this.adam.updates + 1, rate, warmUp));
      return { ...told, practice: shareRight(scores, targets) };
    }

    /** Write the answers to lines, letter by letter, from nothing but what
     *  is asked and what it has written itself. */
    write(asked) {
      const lines = asked.map((xs) => [...xs, LETTERS]);
      for (let n = 0; n < LENGTH; n++) {
        const { scores } =
          this.model.forward(null, lines.flat(), lines.length);
        const T = lines[0].length;
        lines.forEach((one, b) => one.push(best(scores, b * T + T - 1)));
      }
      return lines.map((one) => one.slice(-LENGTH));
    }

    /** Return what it writes for one line, and where each head looks: for
     *  each layer (H, T, T), with T the asked letters, the arrow and all
     *  written letters but the last. */
    look(asked) {
      const [written] = this.write([asked]);
      const ids = [...asked, LETTERS, ...written.slice(0, -1)];
      const { scores, maps } = this.model.forward(null, ids, 1);
      const shares = softmax(scores), V = scores.columns;
      const sure = written.map((letter, i) =>
        shares[(asked.length + i) * V + letter]);
      return { asked, written, sure, maps, T: ids.length };
    }

    /** Return the shares of letters and of whole answers that are right on
     *  fresh lines; of dice no letter can be known, so they stay at 1 in 10. */
    judge(count, seed = FRESH) {
      const random = Train.randomNumbers(seed), { task } = this.setting;
      const lines = Array.from({ length: count }, () => sample(task, random));
      const written = this.write(lines.map(({ asked }) => asked));
      const right = lines.map(({ wanted }, i) =>
        wanted.filter((letter, n) => letter === written[i][n]).length);
      const share = (all, of) => all.reduce((a, b) => a + b, 0) / of;
      return {
        letters: share(right, count * LENGTH),
        answers: share(right.map((n) => Number(n === LENGTH)), count),
      };
    }
  }

  /** Return the place of the highest score in a row. */
  function best({ values, columns }, row) {
    let found = 0;
    for (let j = 1; j < columns; j++) {
      const o = row * columns;
      if (values[o + j] > values[o + found]) found = j;
    }
    return found;
  }

  function shareRight(scores, targets) {
    let right = 0, counted = 0;
    targets.forEach((target, i) => {
      if (target < 0) return;
      counted++;
      right += best(scores, i) === target;
    });
    return right / counted;
  }

  Train.Run = Run;
});
