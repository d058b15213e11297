/* The buttons of a run, how far it is, and what is said of it. */
(function (Train) {
  "use strict";

  const { el, button } = Live;

  class Controls {
    /** app: the face, whose methods the buttons call. */
    constructor(app) {
      this.take = button("", () => app.takeAway());
      this.train = button("Train", () => app.toggle(), "train-go");
      this.one = button("One step", () => app.step());
      this.fresh = button("New start", () => app.newStart());
      this.three = button("Three starts", () => app.threeStarts());
      this.progress = el("progress", { max: 1, value: 0,
        "aria-label": "Updates" });
      this.status = el("p", { class: "train-status", "aria-live": "polite" });
      this.element = el("div", {},
        el("div", { class: "train-controls" }, this.train, this.take,
          this.one, this.fresh, this.three, this.progress), this.status);
    }

    /** Leave out what a small figure can do without. */
    shorten() {
      this.one.remove();
      this.three.remove();
    }

    set({ running, waits, over, begun, take }) {
      this.train.textContent = running ? "Stop" : waits ? "Guess first"
        : begun && !over ? "Go on" : "Train";
      this.one.disabled = waits || running || over;
      this.three.disabled = running;
      this.take.textContent = take;
    }

    /** Say the state; counting is for the eye alone. */
    say(text, counting = false) {
      this.status.setAttribute("aria-live", counting ? "off" : "polite");
      this.status.textContent = text;
    }
  }

  Train.Controls = Controls;
})(globalThis.Train);
