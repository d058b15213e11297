/* The exercises in code of a page: an editor and a button in the place of the
   notebook's cells. One Python serves them all, one check after the other. */
/* global here */
(function (Python) {
  "use strict";

  const { el, button, answers } = Python;
  const NOTHING = "Nothing to check yet. Replace each ... with your own code " +
    "and check again.";
  const ENDED = `Your code was still running after ${Python.SECONDS} seconds ` +
    "and has been ended; a loop that never ends does that. Is there a “while” " +
    "whose condition stays true, or a loop over a list that grows inside it?";
  const BROKEN = "Python itself stopped in the middle of your code, as it does " +
    "when functions call each other too deeply. The next check starts it anew.";
  const NO_TORCH = "There is no torch in the page: the tensor is a NumPy array " +
    "here, and np.random.random(shape) draws its numbers.";

  const sandbox = new Python.Sandbox();
  let manifest = null;
  let turn = Promise.resolve();
  let loaded = false;

  const size = () => "The first check loads Python and NumPy (" +
    `${Python.megabytes(manifest)} MB${Python.host(manifest)}), which run ` +
    "here, in your browser. What you type stays in it.";

  class Exercise {
    constructor(root) {
      this.about = Python.data(root, "exercise-about");
      const { name, start } = this.about;
      this.editor = Python.editor("Your code", answers.textOf(name) ?? start,
        (text) => answers.keep(this.about, text), () => this.check());
      this.size = el("p", { class: "python-size", id: `size-${name}` }, size());
      this.size.hidden = loaded;
      this.bar = el("progress", { max: 1, value: 0,
        "aria-label": "Loading Python" });
      this.stage = el("span");
      this.progress = el("p", { class: "python-progress", hidden: true },
        this.bar, this.stage);
      this.place = el("div", { class: "verdict", role: "status" });
      this.more = el("div", { class: "verdict-more" });
      this.checkButton = button("Check", () => this.check(),
        { class: "exercise-check", "aria-describedby": `size-${name}` });
      root.replaceChildren(...this.parts());
      this.takeHints(root);
      this.editor.area.addEventListener("focus", () => {
        if (Python.consent.given()) this.warm();
      });
    }

    /** Start Python while the reader types; what fails is said at a check. */
    warm() {
      sandbox.start(() => Python.load(manifest, () => {})).catch(() => {});
    }

    /** The hints of the notebook's card open below, after the first try. */
    takeHints(root) {
      const card = root.closest(".exercise-card");
      this.hints = [...card?.querySelectorAll(":scope > .fold-hint") ?? []];
      for (const hint of this.hints) hint.classList.add("later");
      root.append(...this.hints);
    }

    parts() {
      const copyButton = button("Copy", async () => {
        await navigator.clipboard?.writeText(this.editor.area.value);
        copyButton.textContent = "Copied";
        setTimeout(() => { copyButton.textContent = "Copy"; }, 1500);
      });
      const { start } = this.about;
      return [
        ...(this.about.torch ? [el("p", { class: "python-note" }, NO_TORCH)]
          : []),
        this.editor.element,
        el("div", { class: "python-buttons" },
          this.checkButton,
          button("Start over", () =>
            Python.replaceAll(this.editor.area, start)),
          copyButton,
          button("Download my answers", () =>
            Python.downloadAnswers(manifest.setUp),
          { title: "All answers of this browser as one notebook" })),
        this.size, this.progress, this.place, this.more,
      ];
    }

    /** Judge the answer when its turn comes. */
    check() {
      if (this.checkButton.getAttribute("aria-disabled")) return turn;
      const text = this.editor.area.value;
      for (const hint of this.hints) hint.classList.remove("later");
      // A phone takes its keys away, and the verdict has the screen.
      if (matchMedia("(pointer: coarse)").matches) this.editor.area.blur();
      if (text.trim() === this.about.start.trim()) {
        this.more.replaceChildren();
        Python.sentence(this.place, "not attempted", "Not attempted yet",
          NOTHING);
        return turn;
      }
      this.checkButton.setAttribute("aria-disabled", "true");
      this.more.replaceChildren();
      turn = turn.then(() => this.judge(text)).catch((error) => {
        Python.sentence(this.place, "not attempted", "Not checked",
          error instanceof Python.Refusal ? error.message : String(error));
      }).finally(() => {
        this.progress.hidden = true;
        this.checkButton.removeAttribute("aria-disabled");
      });
      return turn;
    }

    say(share, words) {
      this.progress.hidden = false;
      if (share === null) this.bar.removeAttribute("value");
      else this.bar.value = share;
      this.stage.textContent = words;
    }

    async load() {
      const all = Python.megabytes(manifest);
      this.say(0, `Loading, 0 of ${all} MB`);
      const files = await Python.load(manifest, (share) => {
        if (this.progress.hidden) return; // another file has failed
        this.say(share, share < 1
          ? `Loading, ${Math.round(share * all)} of ${all} MB`
          : "Starting Python");
      });
      this.say(null, "Starting Python");
      return files;
    }

    async judge(text) {
      Python.sentence(this.place, "not attempted", "Checking", "...");
      this.say(null, loaded ? "Checking" : "Starting Python");
      Python.consent.give(); // the sentence about the files has been seen
      await sandbox.start(() => this.load());
      loaded = true;
      for (const note of document.querySelectorAll(".python-size")) {
        note.hidden = true;
      }
      this.say(null, "Checking");
      const { name, call, before, number } = this.about;
      const message = await sandbox.ask({ source: text, call,
        before: [...before, ...answers.usedBy(text, name)] });
      if (message.silent) {
        Python.sentence(this.place, "wrong", "Ended", ENDED);
      } else if (typeof message.said !== "string") {
        Python.sentence(this.place, "wrong", "Stopped", BROKEN);
      } else if (Python.showSaid(this.place, this.more, message.said,
        this.hints.length > 0)) {
        window.bookProgress?.mark(here, number, "code", true);
        this.more.prepend(...window.bookProgress?.next(number) ?? []);
      }
      this.place.scrollIntoView({ block: "nearest" });
    }
  }

  function mount() {
    manifest = Python.data(document, "python-files");
    const refusal = Python.refusal();
    const roots = document.querySelectorAll(
      '.exercise-work[data-kind="code"]');
    for (const root of roots) {
      if (refusal) {
        root.classList.add("python-refused");
        root.prepend(el("p", { class: "python-note" }, refusal));
      } else {
        root.exercise = new Exercise(root);
      }
    }
  }

  Object.assign(Python, { Exercise });
  mount(); // the scripts are deferred: the page has been read
})((window.Python = window.Python || {}));
