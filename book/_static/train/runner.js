/* One training after another: what is chosen, what runs, what is guessed and
   what came. The page and the card of a lesson say where each part stands. */
(function (Train) {
  "use strict";

  const LINE = [3, 0, 2, 1, 5, 4]; // that is shown, until the reader's own
  const APART = 0.3; // letters right, of two runs that a claim sets apart

  class Runner {
    /** stored: see offer.js; href: see guess.js. */
    constructor(root, stored, href) {
      this.href = href;
      this.trainer = new Train.Trainer((told) => this.hear(told),
        (message) => this.controls.say(`It can't train here: ${message}`));
      this.queue = 0; // starts to come, this one among them
      this.guess = new Train.Guess(() => this.go());
      this.controls = new Train.Controls(this);
      this.offer = new Train.Offer(stored, (...runs) => this.lend(...runs));
      this.writes = new Train.Writes((asked) => this.ask(asked));
      this.chart = new Train.Chart();
      this.element = this.build();
      root.append(this.element);
      root.classList.add("train-live"); // paper gets the stored runs
      document.addEventListener("visibilitychange", () => this.wait());
    }

    /* What the page shows more of than a card; see face.js and card.js. */
    announce() {}
    picture() {}
    keep() {}

    get setting() {
      return Train.settingOf(this.name, this.changes);
    }

    /** Tell whether the experiment's part is away. */
    get isOff() {
      return Object.entries(Train.PRESETS[this.name].off)
        .every(([part, value]) => this.setting[part] === value);
    }

    choose(name, changes = {}, seed = 0) {
      this.frames = [];
      Object.assign(this, { name, seed, previous: null, lastRun: null });
      this.change(changes);
    }

    change(changes) {
      this.changes = changes;
      this.queue = 0;
      this.begin();
    }

    /** Take the experiment's part away, or put it back. */
    takeAway() {
      this.change(this.isOff ? {} : { ...Train.PRESETS[this.name].off });
    }

    newStart() {
      this.seed = (this.seed + 1) % (Train.MOST_START + 1);
      this.begin();
    }

    /** Three starts, one after the other; each stands in "Your runs". */
    threeStarts() {
      this.queue = 3;
      this.begin();
      this.go();
    }

    /** A new model of the setting; nothing is trained yet. */
    begin() {
      if (this.frames.length > 1) this.previous = this.losses;
      Object.assign(this, { frames: [], losses: [], over: false, lent: false });
      const { name, setting } = this, text = Train.TEXTS[name];
      this.asked = setting.task === "dice" ? [] : LINE;
      this.writes.clear();
      this.trainer.begin(setting, this.seed, this.asked);
      this.offer.reset();
      this.guess.reset();
      this.waits = this.isOff && Boolean(text.guesses && this.lastRun) &&
        !this.queue;
      if (this.waits) this.guess.ask(name);
      this.announce();
      this.setControls();
    }

    setControls() {
      const { part } = Train.TEXTS[this.name];
      const away = this.isOff !== (this.name === "smoothing");
      this.controls.set({
        running: this.trainer.running, over: this.over,
        begun: this.losses.length > 0,
        waits: this.waits && this.guess.taken === null,
        take: away ? `Put ${part} back` : `Take ${part} away`,
      });
    }

    toggle() {
      if (this.trainer.running) {
        this.queue = 0;
        this.trainer.stop();
        this.setControls();
      } else {
        this.go();
      }
    }

    go() {
      if (this.over) this.begin();
      if (this.waits && this.guess.taken === null) {
        this.guess.seek();
        return;
      }
      this.lent = false;
      this.trainer.go(this.setting.updates);
      this.setControls();
    }

    step() {
      this.single = true;
      this.lent = false;
      this.trainer.go(1);
      this.setControls();
    }

    /** A hidden page doesn't train. */
    wait() {
      if (document.hidden && this.trainer.running) {
        this.trainer.stop();
        this.paused = true;
      } else if (!document.hidden && this.paused) {
        this.paused = false;
        this.go();
        this.controls.say("It waited while the page was hidden.");
      }
    }

    ask(asked) {
      this.asked = asked;
      this.trainer.ask(asked);
    }

    /** Hear a frame of the worker. */
    hear(told) {
      this.losses.push(...told.losses);
      if (this.frames.at(-1)?.done === told.done) this.frames.pop();
      this.frames.push(told);
      if (this.single) this.trainer.running = this.single = false;
      if (!this.lent) this.showLast(told);
      if (told.ended && !this.over) this.end(told);
      else this.offer.weigh(this.name, told, this.setting.updates);
      this.setControls();
    }

    /** Show what was written in a frame. */
    show(n) {
      const frame = this.frames[n], { asked } = frame.look;
      const { answer } = Train.TASKS[this.setting.task];
      this.writes.draw(frame.look, asked.length ? answer(asked) : null, frame);
      this.picture(frame);
    }

    showLast({ done, spent, size }) {
      const last = this.frames.length - 1, { updates } = this.setting;
      this.show(last);
      this.chart.draw(this.losses, this.previous, updates);
      this.controls.progress.value = done / updates;
      this.controls.say(`Random start ${this.seed}: update ${done} of ${updates}, ` +
        `${(spent / 1000).toFixed(1)} s of computing. ` +
        `${size.toLocaleString("en")} parameters to learn.`, true);
    }

    end({ letters, practice, spent }) {
      this.over = true;
      this.trainer.running = false;
      const tail = this.losses.slice(-20), { name, seed } = this;
      const run = {
        what: [Train.TEXTS[name].name,
          ...Train.changesOf(name, this.setting)].join(", "),
        off: this.isOff, seed, letters, practice, seconds: spent / 1000,
        plain: tail.reduce((sum, one) => sum + one, 0) / tail.length,
        guess: this.guess.words,
      };
      this.keep(run);
      this.controls.say(`Done in ${run.seconds.toFixed(1)} s. Of the letters ` +
        "that it writes by itself on 200 fresh lines, " +
        `${Math.round(100 * letters)} % are right.`);
      this.compare(run);
      this.lastRun = run;
      this.queue = Math.max(0, this.queue - 1);
      if (this.queue) {
        this.newStart();
        this.go();
      }
    }

    /** Where the part was there before and is gone now, say what it means. */
    compare(run) {
      const other = this.lastRun, { judged } = Train.PRESETS[this.name];
      if (!judged || !run.off || !other || other.off) return;
      const gap = run[judged] - other[judged];
      const claimed = judged === "plain" ? gap > 0 : Math.abs(gap) >= APART;
      this.guess.tell(this.name, claimed, this.href);
    }

    /** Show stored losses, and say whose they are. */
    lend(on, off) {
      this.trainer.stop();
      this.lent = true; // what the worker still tells doesn't cover it
      this.setControls();
      this.chart.draw(off, on, this.setting.updates);
      const [thin, thick] = this.name === "smoothing"
        ? ["without", "with"] : ["with", "without"];
      this.controls.say("Stored runs, not yours: made in Chromium on the " +
        `authors' computer. Thin is ${thin} the part, thick ${thick} it.`);
    }
  }

  Train.Runner = Runner;
})(globalThis.Train);
