/* The card of a lesson: one experiment, its one switch and the guess. */
(function (Train) {
  "use strict";

  const { el } = Live;

  class Card extends Train.Runner {
    /** name: of the experiment. It begins when it comes into sight. */
    constructor(root, stored, name) {
      super(root, stored, null);
      Object.assign(this, { name, changes: {}, losses: [] });
      const { task } = this.setting, { lead } = Train.TEXTS[name];
      this.lead.textContent = `${Train.TASK_TEXTS[task]} ${lead}`;
      this.setControls();
      new IntersectionObserver((seen, observer) => {
        if (!seen.some((one) => one.isIntersecting)) return;
        observer.disconnect();
        this.awake();
      }).observe(root);
    }

    /** Begin, once. */
    awake() {
      if (!this.frames) this.choose(this.name);
    }

    go() {
      this.awake();
      super.go();
    }

    build() {
      this.lead = el("p", { class: "train-lead" });
      this.controls.shorten();
      this.writes.form.remove();
      return el("div", {}, this.lead, this.guess.element,
        this.controls.element, this.offer.element,
        el("div", { class: "train-view" }, this.writes.element,
          this.chart.element));
    }
  }

  Train.Card = Card;
})(globalThis.Train);
