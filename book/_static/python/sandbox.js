/* The room that Python runs in: a frame without an origin, whose policy allows
   nothing but its own script, a worker from a blob, and WebAssembly. Whatever
   a reader types can ask no address and see nothing of this page or of what
   the browser keeps for it. The frame's own thread stays free, so that it can
   end a worker that never ends by itself. */
(function (Python) {
  "use strict";

  const SECONDS = 10; // of silence while the reader's code runs
  const JUDGING = 60; // while the check compares
  const STARTING = 180; // a phone, and a busy machine
  const POLICY = "default-src 'none'; script-src 'unsafe-inline' " +
    "'wasm-unsafe-eval' blob:; worker-src blob:";

  /* Runs in the frame, which sees nothing of this page. */
  function inFrame() {
    let worker = null;
    let told = {};
    const tell = (message) => parent.postMessage(message, "*");
    onmessage = ({ source: from, data }) => {
      if (from !== parent) return;
      if (data.source) told = data;
      if (data.stop || data.source) {
        worker?.terminate();
        worker = null;
      }
      if (data.start) {
        worker = new Worker(URL.createObjectURL(
          new Blob([told.source], { type: "text/javascript" })));
        worker.onmessage = (event) => tell(event.data);
        worker.onerror = (event) => tell({ broken: event.message || "worker" });
        worker.postMessage({ files: told.files, serves: told.serves });
      } else if (data.job) {
        worker.postMessage(data);
      }
    };
    tell({ frame: true });
  }

  const frameText = () =>
    "<!doctype html><title>Python</title><meta http-equiv=" +
    `"Content-Security-Policy" content="${POLICY}"><script>(${inFrame})()` +
    "</" + "script>";

  class Sandbox {
    #frame = null;
    #started = null;
    #ready = false;
    #heard = null; // what the next message is for
    #serves;
    #seconds;

    /** `serves` is the function of Python that answers; `seconds` how long
     *  the reader's code may run without a word. */
    constructor(serves = "page_answer.judge", seconds = SECONDS) {
      this.#serves = serves;
      this.#seconds = seconds;
    }

    /** Wait for messages until one is an end; silence for too long, too, is. */
    #listen(isEnd, seconds) {
      return new Promise((resolve) => {
        let timer = null;
        const end = (message) => {
          clearTimeout(timer);
          this.#heard = null;
          resolve(message);
        };
        const wait = (time) => {
          clearTimeout(timer);
          timer = setTimeout(() => end({ silent: true }), 1000 * time);
        };
        this.#heard = (message) => {
          if (message.state) {
            wait(message.state === "answer" ? this.#seconds : JUDGING);
          } else if (message.stopped || isEnd(message)) end(message);
        };
        wait(seconds);
      });
    }

    #post(message) {
      this.#frame.contentWindow.postMessage(message, "*");
    }

    async #open(files) {
      const frame = Python.el("iframe", {
        sandbox: "allow-scripts", hidden: true, title: "Python",
        "aria-hidden": "true", referrerpolicy: "no-referrer",
      });
      addEventListener("message", (event) => {
        const { data } = event;
        if (event.source === frame.contentWindow && data &&
            typeof data === "object") this.#heard?.(data);
      });
      frame.srcdoc = frameText();
      this.#frame = frame;
      const opened = this.#listen((message) => message.frame, STARTING);
      document.body.append(frame);
      await opened;
      this.#post({ source: Python.workerSource, files,
        serves: this.#serves });
    }

    /** Start Python, unless it runs. `getFiles` is called the first time. */
    start(getFiles) {
      this.#started ??= this.#begin(getFiles).catch((error) => {
        this.#started = null;
        throw error;
      });
      return this.#started;
    }

    /** Whether a job would be done at once. */
    get isReady() {
      return this.#ready;
    }

    async #begin(getFiles) {
      if (!this.#frame) await this.#open(await getFiles());
      this.#post({ start: true });
      const said = await this.#listen(
        (message) => message.ready || "broken" in message, STARTING);
      this.#ready = Boolean(said.ready);
      if (this.#ready) return;
      this.stop();
      const why = said.silent ? "it took too long"
        : said.stopped ? "it was stopped" : said.broken;
      throw new Python.Refusal(Python.SAID.start(String(why).slice(0, 200)));
    }

    /** End the worker; `start` makes a new one from the same files. */
    stop() {
      this.#started = null;
      this.#ready = false;
      if (this.#frame) this.#post({ stop: true });
      this.#heard?.({ stopped: true });
    }

    /** Hand over a job: {said}, {silent} after an endless loop, {broken}, or
     *  {stopped} if `stop` was called meanwhile. */
    async ask(job) {
      const id = crypto.randomUUID();
      const answer = this.#listen(
        (message) => message.id === id || "broken" in message, this.#seconds);
      this.#post({ id, job: JSON.stringify(job) });
      const message = await answer;
      if (typeof message.said !== "string") this.stop();
      return message;
    }
  }

  Object.assign(Python, { Sandbox, SECONDS });
})((window.Python = window.Python || {}));
