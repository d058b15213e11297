/* The page's side of the worker that trains. */
(function (Train) {
  "use strict";

  class Trainer {
    /** onframe gets what serve.js tells; onbroken a text. */
    constructor(onframe, onbroken) {
      this.onframe = onframe;
      this.onbroken = onbroken;
      this.running = false;
      this.id = 0; // of the run; what is told of an earlier one is late
    }

    /** Make the worker: from a blob, since from file:// it loads no script. */
    start() {
      const text = `${Train.source()}\nTrain.serve(self);`;
      const address = URL.createObjectURL(
        new Blob([text], { type: "text/javascript" }));
      this.worker = new Worker(address);
      URL.revokeObjectURL(address);
      this.worker.onmessage = ({ data }) => {
        if (data.id === this.id) this.onframe(data);
      };
      this.worker.onerror = ({ message }) => this.onbroken(message);
    }

    /** Begin anew: other weights, and nothing learned. */
    begin(setting, seed, asked) {
      if (!this.worker) this.start();
      this.running = false;
      this.id++;
      this.worker.postMessage({ stop: true,
        begin: { id: this.id, setting, seed, asked } });
    }

    go(updates) {
      this.running = true;
      this.worker.postMessage({ go: updates });
    }

    stop() {
      this.running = false;
      this.worker?.postMessage({ stop: true });
    }

    ask(asked) {
      this.worker?.postMessage({ ask: asked });
    }
  }

  Train.Trainer = Trainer;
})(globalThis.Train);
