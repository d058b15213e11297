/* The cells of a page that run in it: buttons below the code, and the reader's
   output where the stored one was. One Python serves them all, and it judges no
   exercise: what a cell does to NumPy or to a check changes no verdict. */
(function (Python) {
  "use strict";

  const { el } = Python;
  const SECONDS = 30;
  const STILL = `Your code was still running after ${SECONDS} seconds and has ` +
    "been ended; a loop that never ends does that.";
  const BROKEN = "Python itself stopped in the middle of this, as it does when " +
    "functions call each other too deeply.";
  const GONE = "With it went all that Python knew: the next Run starts Python " +
    "again and runs what the cell needs first.";
  const ABOVE = "A cell above that this one needs has stopped with an error, " +
    "so this one has not run.";

  const sandbox = new Python.Sandbox("page_cell.run", SECONDS);
  const cells = new Map();
  let manifest = null;
  let turn = Promise.resolve();
  let lost = false; // Python has been ended and not yet been started again

  const asked = () => `Run loads Python and NumPy into this page: ` +
    `${Python.megabytes(manifest)} MB${Python.host(manifest)}, which your ` +
    "browser keeps. Then Python starts, in about six seconds on a laptop, and " +
    "again on each page. What you type stays in your browser.";

  const many = (count, one) => (count === 1 ? `1 ${one}` : `${count} ${one}s`);

  class Cell {
    constructor(place, about) {
      this.about = about;
      this.place = place;
      this.root = place.closest(".cell");
      this.code = this.root.querySelector(".cell_input");
      this.output = this.root.querySelector(".cell_output");
      this.editor = null;
      this.isBusy = false;
      this.runButton = this.button("Run", () => this.press());
      this.editButton = this.button("Edit", () => this.edit());
      this.resetButton = this.button("Reset", () => this.reset(),
        { hidden: true });
      this.state = el("span", { class: "cell-state", role: "status" });
      this.question = el("div", { class: "cell-question", hidden: true });
      this.result = el("div", { class: "cell-result", hidden: true });
      place.append(el("div", { class: "cell-buttons" }, this.runButton,
        this.editButton, this.resetButton, this.state), this.question);
      if (this.output) this.output.after(this.result);
      else this.root.append(this.result);
    }

    button(label, onclick, more = {}) {
      return el("button", { type: "button", class: "cell-button", onclick,
        ...more }, label);
    }

    get text() {
      return this.about.changed ?? this.about.text;
    }

    press() {
      if (this.isBusy) sandbox.stop();
      else if (Python.consent.given()) this.run();
      else this.ask();
    }

    /** Say what is loaded, before the first click that loads it. */
    ask() {
      const close = () => {
        this.question.hidden = true;
        this.runButton.focus();
      };
      this.question.replaceChildren(
        el("p", {}, asked()),
        this.button("Load and run", () => {
          Python.consent.give();
          close();
          this.run();
        }, { class: "cell-button is-first" }),
        this.button("Not now", close));
      this.question.hidden = false;
      this.question.querySelector("button").focus();
    }

    /** Put an editor in the place of the code. */
    edit() {
      if (this.editor) return void this.editor.area.focus();
      this.editor = Python.editor("This cell, to change as you like", this.text,
        (text) => this.change(text), () => this.press(), "run");
      this.editor.element.classList.add("cell-editor");
      this.editor.area.addEventListener("focus", () => this.warm());
      this.code.after(this.editor.element);
      this.root.classList.add("is-edited");
      this.editButton.hidden = true;
      this.resetButton.hidden = false;
      this.editor.area.focus();
    }

    change(text) {
      const { about } = this;
      about.works = false;
      if (text.trim() === about.text.trim()) delete about.changed;
      else about.changed = text;
    }

    /** The book's code and its output, as they were. */
    reset() {
      delete this.about.changed;
      delete this.about.works;
      this.editor?.element.remove();
      this.editor = null;
      this.root.classList.remove("is-edited", "is-yours");
      this.result.hidden = true;
      this.result.replaceChildren();
      this.say("The book's code and its result.");
      this.editButton.hidden = false;
      this.resetButton.hidden = true;
      this.editButton.focus();
    }

    say(words) {
      this.state.textContent = words;
    }

    /** Start Python while the reader types; what fails is said at Run. */
    warm() {
      if (!Python.consent.given()) return;
      sandbox.start(() => Python.load(manifest, () => {})).catch(() => {});
    }

    /** Run the cell when its turn comes. */
    run() {
      // A phone takes its keys away, and the result has the screen.
      if (matchMedia("(pointer: coarse)").matches) this.editor?.area.blur();
      this.isBusy = true;
      this.runButton.textContent = "Stop";
      turn = turn.then(() => this.execute()).catch((error) => {
        this.show("Not run.", [el("p", {}, error instanceof Python.Refusal
          ? error.message : String(error))]);
      }).finally(() => {
        this.isBusy = false;
        this.runButton.textContent = "Run";
        this.say("");
      });
      return turn;
    }

    load() {
      const all = Python.megabytes(manifest);
      this.say(`Loading, 0 of ${all} MB`);
      return Python.load(manifest, (share) => this.isBusy && this.say(share < 1
        ? `Loading, ${Math.round(share * all)} of ${all} MB`
        : "Starting Python"));
    }

    async execute() {
      const before = Python.plan(this.about.name, cells);
      const again = lost ? " again" : "";
      this.say(sandbox.isReady ? "Running" : `Starting Python${again}`);
      await sandbox.start(() => this.load());
      lost = false;
      this.say(before.length
        ? `Running, after ${many(before.length, "cell")} above` : "Running");
      const message = await sandbox.ask({ before, text: this.text });
      if (typeof message.said === "string") {
        this.tell(JSON.parse(message.said), before, again);
      } else {
        lost = true;
        const why = message.stopped ? "You have stopped it."
          : message.silent ? STILL : BROKEN;
        this.show("Ended.", [el("p", {}, `${why} ${GONE}`)], true);
      }
    }

    /** Show what Python has said of the cell. */
    tell(told, before, again) {
      const { about } = this;
      if (told.above !== undefined) {
        const { name } = before[told.above];
        return this.show("Not run.", [el("p", {}, `${ABOVE} `,
          ...this.wayTo(name)), ...Python.output(told)], true);
      }
      about.works = about.changed !== undefined && told.error === undefined;
      const nodes = Python.output(told);
      if (!nodes.length) nodes.push(el("p", {}, "It has run and shows nothing."));
      this.show(this.heading(before, again), nodes, told.error !== undefined);
    }

    wayTo(name) {
      const other = cells.get(name).view;
      return other ? [this.button("Show it", () => {
        other.root.scrollIntoView({ block: "center" });
        other.runButton.focus();
      })] : [];
    }

    heading(before, again) {
      const own = this.about.changed === undefined ? "The book's code"
        : "Your code";
      const first = before.length
        ? `, after ${many(before.length, "cell")} above` : "";
      const changed = before.filter((one) => one.changed).length;
      return `${own}, run here${first}` +
        (changed ? `, ${changed} with your changes` : "") +
        (again ? ". Python was started again for it." : ".");
    }

    /** Show nodes in the place of the stored output. */
    show(heading, nodes, isWrong = false) {
      this.result.replaceChildren(el("p", { class: "cell-yours" }, heading),
        ...nodes);
      this.result.classList.toggle("is-wrong", isWrong);
      this.result.hidden = false;
      this.root.classList.add("is-yours");
      this.resetButton.hidden = false;
      const fold = this.result.closest("details");
      if (fold) fold.open = true;
      if (this.isWatched) this.result.scrollIntoView({ block: "nearest" });
    }

    /** Whether the reader has not gone on to something else meanwhile. */
    get isWatched() {
      const { activeElement } = document;
      return activeElement === document.body ||
        this.root.contains(activeElement);
    }
  }

  function mount() {
    manifest = Python.data(document, "python-files");
    const known = Python.data(document, "page-cells");
    for (const [name, about] of Object.entries(known)) {
      cells.set(name, { name, ...about });
    }
    const places = [...document.querySelectorAll(".cell-run")];
    const refusal = Python.refusal();
    if (refusal) {
      places[0].replaceWith(el("p", { class: "cell-lacks" },
        `The cells of this page cannot run here. ${refusal}`));
      places.slice(1).forEach((place) => place.remove());
      return;
    }
    for (const place of places) {
      const about = cells.get(place.dataset.cell);
      about.view = new Cell(place, about);
      place.cell = about.view;
    }
  }

  mount(); // the scripts are deferred: the page has been read
})((window.Python = window.Python || {}));
