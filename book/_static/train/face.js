/* The page: every switch, where it looks, a look back, and your runs. */
(function (Train) {
  "use strict";

  const { el, choice, slider } = Live;

  class Face extends Train.Runner {
    constructor(root, stored, href) {
      super(root, stored, href);
      addEventListener("hashchange", () => this.open(location.hash));
      if (!this.open(location.hash)) this.choose("positions");
    }

    build() {
      this.names = choice("Choose an experiment", Object.entries(Train.TEXTS)
        .map(([name, text]) => [name, text.name]), (name) => this.choose(name));
      this.lead = el("p", { class: "train-lead" });
      this.switches = new Train.Switches((part, value) =>
        this.change({ ...this.changes, [part]: value }));
      this.looks = new Train.Looks();
      this.replay = slider("Look back: after update",
        { min: 0, max: 0, step: 1 }, (n) => this.show(n));
      this.results = new Train.Results();
      return el("div", {}, this.names.element, this.lead,
        this.guess.element, this.controls.element, this.offer.element,
        el("div", { class: "train-view" }, this.writes.element,
          this.chart.element, this.looks.element),
        this.replay.element, this.switches.element, this.results.element);
    }

    /** Take the state of an address; false if it has none. */
    open(hash) {
      const state = Train.fromAddress(hash);
      if (!state) return false;
      if (hash !== this.written) {
        this.choose(state.name, state.changes, state.seed);
      }
      return true;
    }

    /** Show what is chosen, and let the address say it. */
    announce() {
      const { name, setting } = this;
      this.written = Train.toAddress(this);
      history.replaceState(null, "", this.written);
      this.names.set(name);
      this.lead.replaceChildren(`${Train.TASK_TEXTS[setting.task]} `,
        Train.TEXTS[name].lead);
      this.switches.set(setting, name);
    }

    showLast(told) {
      const last = this.frames.length - 1;
      this.replay.element.querySelector("input").max = last;
      this.replay.set(last);
      this.replay.element.classList.toggle("train-idle", last < 1);
      super.showLast(told);
    }

    picture({ look, done }) {
      this.looks.draw(look, this.setting.heads);
      this.replay.element.querySelector("output").value = done;
    }

    keep(run) {
      this.results.add(run);
    }
  }

  Train.Face = Face;
})(globalThis.Train);
