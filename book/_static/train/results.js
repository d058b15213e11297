/* "Your runs": settings, guesses and results, kept in this browser. */
(function (Train) {
  "use strict";

  const { el, button } = Live;
  const KEY = "train-runs", MOST = 12;
  const percent = (share) => `${Math.round(100 * share)} %`;

  class Results {
    constructor() {
      this.runs = read();
      this.body = el("tbody");
      this.element = el("div", { class: "train-results" },
        el("p", { class: "train-head" }, "Your runs"),
        el("div", { class: "train-scroll", tabindex: "0", role: "group",
          "aria-label": "Your runs" },
        el("table", {}, el("thead", {}, el("tr", {},
          ...["experiment", "start", "writing", "as in training", "loss",
            "your guess", "seconds"].map((one) =>
            el("th", { scope: "col" }, one)))), this.body)),
        button("Forget them", () => this.forget()));
      this.draw();
    }

    add(run) {
      this.runs = [run, ...this.runs].slice(0, MOST);
      try {
        localStorage.setItem(KEY, JSON.stringify(this.runs));
      } catch {
        // It keeps nothing: they stay until the page is left.
      }
      this.draw();
    }

    forget() {
      this.runs = [];
      try {
        localStorage.removeItem(KEY);
      } catch {
        // Nothing was kept.
      }
      this.draw();
    }

    draw() {
      this.element.hidden = !this.runs.length;
      this.body.replaceChildren(...this.runs.map((run) => el("tr", {},
        ...[run.what, run.seed, percent(run.letters), percent(run.practice),
          run.plain.toFixed(2), run.guess, run.seconds.toFixed(1)]
          .map((one) => el("td", {}, String(one))))));
    }
  }

  function read() {
    try {
      const found = JSON.parse(localStorage.getItem(KEY));
      return Array.isArray(found) ? found.filter(isRun).slice(0, MOST) : [];
    } catch {
      return [];
    }
  }

  const isRun = (run) => ["what", "guess"].every((name) =>
    typeof run?.[name] === "string") &&
    ["seed", "letters", "practice", "plain", "seconds"].every((name) =>
      Number.isFinite(run[name]));

  Train.Results = Results;
})(globalThis.Train);
