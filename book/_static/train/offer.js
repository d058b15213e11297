/* What a slow device is offered: a run that was made elsewhere. */
(function (Train) {
  "use strict";

  const { el, button } = Live;
  const PATIENCE = 60; // seconds to the fall of the loss, and no longer
  const FEW = 3; // updates, after which the time of one is known

  class Offer {
    /** stored: of each experiment the losses with its part and without;
     *  ontaken gets them, stretched to every update. */
    constructor(stored, ontaken) {
      this.stored = stored;
      this.ontaken = ontaken;
      this.element = el("div", { class: "train-offer" });
    }

    reset() {
      this.element.replaceChildren();
    }

    /** spent: milliseconds of the first `done` of all updates. */
    weigh(name, { done, spent }, updates) {
      const runs = this.stored[name];
      if (!runs || done < FEW || this.element.childElementCount) return;
      const seconds = spent / done * (runs.cliff ?? updates) / 1000;
      if (seconds <= PATIENCE) return;
      const each = (losses) => losses.flatMap((loss) =>
        Array(runs.every).fill(loss));
      this.element.append(el("p", {},
        "This device needs more than a minute until the loss falls. ",
        button("Show a stored run", () =>
          this.ontaken(each(runs.on), each(runs.off)))));
    }
  }

  Train.Offer = Offer;
})(globalThis.Train);
