/* The cover: "Continue with 7", what was done in each chapter, and a file that
   takes it to another browser. Nothing is sent anywhere. */
"use strict";

(function () {
  const KEYS = ["read", "quiz", "guess", "done", "paper", "code", "comma",
    "last"];
  const FILE = "transformer-step-by-step-progress.json";
  const counts = window.bookCounts ?? {};
  const lessons = Object.keys(counts).filter((p) => p.startsWith("chapters/"));
  const stem = (page) => page.split("/").pop();
  const numberOf = (page) => Number(stem(page).slice(0, 2));
  const laboratory = (lesson) => `book/laboratory/${stem(lesson)}`;

  /** How much of a lesson and its laboratory is done, and of how much. */
  function state(lesson, all = window.bookProgress.all()) {
    const found = { done: 0, of: 0, read: all[lesson]?.read ?? false };
    for (const page of [lesson, laboratory(lesson)]) {
      const { paper = 0, code = 0, quiz = 0, guess = 0 } = counts[page] ?? {};
      const own = all[page] ?? { done: {}, quiz: 0, guess: 0 };
      const kinds = Object.values(own.done);
      const judged = kinds.filter((kind) => kind === "paper" || kind === "code");
      found.of += paper + code + quiz + guess;
      found.done += judged.length + own.quiz + own.guess;
    }
    return found;
  }

  /** The lesson to go on with, or null for someone who is new. */
  function next() {
    const all = window.bookProgress.all();
    const last = store.get("last").page ?? "";
    let lesson = lessons.find((page) => stem(page) === stem(last));
    lesson ??= lessons.filter((page) => all[page] || all[laboratory(page)]).pop();
    if (lesson === undefined) return null;
    const isOver = (page) => all[page]?.read;
    if (!isOver(lesson)) return lesson;
    const after = lessons.slice(lessons.indexOf(lesson) + 1);
    return after.find((page) => !isOver(page)) ?? null;
  }

  const start = document.querySelector(".ways a");
  const begin = start && { words: start.textContent, href: start.href };
  function showNext() {
    const lesson = next();
    if (!start) return;
    start.textContent = lesson ? `Continue with ${numberOf(lesson)}`
      : begin.words;
    const { page, place = "" } = store.get("last");
    start.href = lesson ? `../${lesson}.html${page === lesson ? place : ""}`
      : begin.href;
  }

  /** One line for each chapter in which something was done. */
  function list() {
    const all = window.bookProgress.all();
    const rows = lessons.map((page) => [page, state(page, all)])
      .filter(([, { done, read }]) => done || read);
    if (!rows.length) {
      const none = document.createElement("p");
      none.textContent = "Nothing yet. Answers to the questions and exercises " +
        "of the chapters are counted here.";
      return none;
    }
    const found = document.createElement("ul");
    for (const [page, { done, of, read }] of rows) {
      const line = document.createElement("li");
      const link = document.createElement("a");
      link.href = `../${page}.html`;
      link.textContent = `Chapter ${numberOf(page)}`;
      line.append(link, `: ${done} of ${of} exercises and questions` +
        (read ? ", read." : "."));
      found.append(line);
    }
    return found;
  }

  function save() {
    const book = Object.fromEntries(KEYS.map((key) => [key, store.get(key)]));
    const text = JSON.stringify({ "the-transformer-step-by-step": 1, book });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(
      new Blob([text], { type: "application/json" }));
    link.download = FILE;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  const isMap = (x) => x !== null && typeof x === "object" && !Array.isArray(x);

  /** What is there and what comes; of two answers the one that comes. */
  function joined(here_, there) {
    const found = { ...here_ };
    for (const [key, value] of Object.entries(there))
      found[key] = isMap(value) && isMap(found[key])
        ? joined(found[key], value) : value;
    return found;
  }

  async function load(file, said) {
    try {
      const { "the-transformer-step-by-step": version, book } =
        JSON.parse(await file.text());
      if (version !== 1 || !isMap(book)) throw new SyntaxError();
      for (const key of KEYS)
        if (isMap(book[key])) store.set(key, joined(store.get(key), book[key]));
      document.dispatchEvent(new CustomEvent("book:progress"));
      said.textContent = `Loaded ${file.name}.`;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      said.textContent = `${file.name} was not saved here: it is not a ` +
        "progress file of this book.";
    }
  }

  function panel() {
    const fold = document.createElement("details");
    fold.className = "fold book-progress";
    fold.innerHTML = `<summary>What you have done</summary>
      <div class="fold-body"><div class="book-done"></div>
      <p>It is kept in this browser and nowhere else. Take it along as a file:</p>
      <p class="exercise-actions">
      <button type="button" class="exercise-quiet">Save as a file</button>
      <label class="exercise-quiet">Load a file
      <input type="file" accept=".json,application/json"></label></p>
      <p role="status"></p></div>`;
    fold.querySelector("button").addEventListener("click", save);
    const input = fold.querySelector("input");
    input.addEventListener("change", () => {
      if (input.files[0]) load(input.files[0], fold.querySelector("[role]"));
      input.value = "";
    });
    return fold;
  }

  const fold = panel();
  (document.querySelector(".three-cards") ?? start)?.after(fold);
  const show = () => {
    showNext();
    fold.querySelector(".book-done").replaceChildren(list());
  };
  show();
  document.addEventListener("book:progress", show);
})();
