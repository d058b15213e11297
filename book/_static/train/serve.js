/* The worker's side. It trains in a loop that hears messages between two
   updates, and tells of a frame after an update or a quarter of a second,
   whichever is longer. */
Train.part((Train) => {
  "use strict";

  const BETWEEN = 250; // milliseconds between two frames
  const FEW = 16, MANY = 200; // fresh lines: for a frame, and at the end

  class Server {
    constructor(tell) {
      this.tell = tell;
      this.left = 0; // updates to go
      this.channel = new MessageChannel(); // no timer, so no throttling
      this.channel.port1.onmessage = () => this.next();
    }

    hear({ begin, go, stop, ask }) {
      if (begin) this.begin(begin);
      if (ask) this.asked = ask;
      if (stop) this.left = 0;
      if (go) {
        this.left = Math.min(go, this.run.setting.updates - this.done);
        this.clock = performance.now();
        if (this.left > 0) this.channel.port2.postMessage(0);
        return;
      }
      if (this.run) this.frame();
    }

    begin({ id, setting, seed, asked }) {
      this.id = id;
      this.run = new Train.Run(setting, seed);
      this.asked = asked;
      Object.assign(this, { done: 0, spent: 0, losses: [], practice: null });
    }

    next() {
      if (this.left <= 0) return;
      const begun = performance.now();
      const { plain, practice } = this.run.update();
      const now = performance.now();
      this.spent += now - begun;
      this.losses.push(plain);
      this.practice = practice;
      this.done++;
      this.left--;
      const ended = this.done === this.run.setting.updates;
      if (ended || this.left <= 0 || now - this.clock >= BETWEEN) {
        this.frame(ended);
        this.clock = performance.now();
      }
      if (this.left > 0) this.channel.port2.postMessage(0);
    }

    frame(ended = false) {
      const { done, spent, practice, losses } = this;
      this.losses = [];
      this.tell({
        id: this.id, done, spent, losses, practice, ended,
        ...this.run.judge(ended ? MANY : FEW),
        look: this.run.look(this.asked), size: this.run.model.size,
      });
    }
  }

  Train.serve = (scope) => {
    const server = new Server((told) => scope.postMessage(told));
    scope.onmessage = ({ data }) => server.hear(data);
  };
});
