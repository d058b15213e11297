/* What a reader has done: exercises and questions, ticked where they stand and
   counted at the top of a page. Kept in this browser under "book.done"; marks of
   "I have read this chapter", of the quiz and of guesses stay where page.js,
   quiz.js and guesses.js keep them. */
"use strict";

window.bookProgress = {
  /** value: true when the exercise of a page is done; kind: paper, code,
   *  build or other. */
  mark(page, number, kind, value) {
    const all = store.get("done");
    const own = { ...all[page] };
    if (value) own[number] = kind;
    else delete own[number];
    store.set("done", { ...all, [page]: own });
    document.dispatchEvent(new CustomEvent("book:progress",
      { detail: { page, number, kind, value } }));
  },

  /** The exercises of a page that are done, and how: {"2.1": "code"}. */
  of(page) {
    return store.get("done")[page] ?? {};
  },

  /** The way on from an exercise of this page to the next that is not done: a
   *  paragraph in a list, or none. */
  next(number) {
    const works = [...document.querySelectorAll(".exercise-work")];
    const at = works.findIndex((one) => one.dataset.number === number);
    const done = this.of(here);
    const work = works.slice(at + 1).find(
      (one) => !(one.dataset.number in done));
    const id = work?.closest("section")?.id;
    if (at < 0 || !id) return [];
    const link = document.createElement("a");
    link.href = `#${id}`;
    link.textContent = `Next: exercise ${work.dataset.number}`;
    const line = document.createElement("p");
    line.className = "exercise-next";
    line.append(link);
    return [line];
  },

  /** Each page on which something was done: exercises, quiz, guesses, read. */
  all() {
    const [done, quiz, guess, read] =
      ["done", "quiz", "guess", "read"].map(store.get);
    const pages = new Set([done, quiz, guess, read].flatMap(Object.keys));
    return Object.fromEntries([...pages].map((page) => [page, {
      done: done[page] ?? {},
      quiz: Object.keys(quiz[page] ?? {}).length,
      guess: Object.keys(guess[page] ?? {}).length,
      read: page in read,
    }]));
  },
};

(function () {
  const KINDS = { paper: "on paper", code: "in code", build: "to build" };

  /** Tick the titles of the exercises that are done. */
  function tick() {
    const done = window.bookProgress.of(here);
    for (const work of document.querySelectorAll(".exercise-work")) {
      const { number } = work.dataset;
      const head = work.closest("section")?.querySelector(".exercise-head");
      const old = head?.querySelector(".exercise-done");
      if (!head || Boolean(old) === number in done) continue;
      if (old) {
        old.remove();
        continue;
      }
      const mark = document.createElement("span");
      mark.className = "exercise-done";
      mark.textContent = "\u2713 Done";
      head.append(mark);
    }
  }

  /** "Done here: 1 of 2 on paper, 3 of 7 questions, 2 of 4 predictions." */
  function words() {
    const done = window.bookProgress.of(here);
    const parts = Object.entries(KINDS).flatMap(([kind, said]) => {
      const places = [...document.querySelectorAll(
        `.exercise-work[data-kind="${kind}"]`)];
      const n = places.filter((one) => one.dataset.number in done).length;
      return places.length ? [`${n} of ${places.length} ${said}`] : [];
    });
    const questions = document.querySelectorAll(".quiz").length;
    const answered = Object.keys(store.get("quiz")[here] ?? {}).length;
    if (questions) parts.push(`${answered} of ${questions} questions`);
    const guesses = [...document.querySelectorAll("form.guess")];
    const said = store.get("guess")[here] ?? {};
    const made = guesses.filter((one) => one.dataset.key in said).length;
    if (guesses.length) parts.push(`${made} of ${guesses.length} predictions`);
    return parts.length ? `Done here: ${parts.join(", ")}.` : "";
  }

  /** A line below the goals, or below the title where a page has none. */
  function count() {
    let line = document.querySelector(".chapter-count");
    if (!line) {
      line = document.createElement("p");
      line.className = "chapter-count";
      const frame = document.querySelector(".goals-frame");
      if (frame) frame.append(line);
      else document.querySelector(".bd-article h1")?.after(line);
    }
    line.textContent = words();
  }

  /** A mark for what is not judged in the page. */
  function offerMarks() {
    for (const work of document.querySelectorAll(
      '.exercise-work:is([data-kind="build"], [data-kind="other"])')) {
      const { number, kind } = work.dataset;
      const label = document.createElement("label");
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = number in window.bookProgress.of(here);
      label.append(box, " I have done it");
      work.append(label);
      box.addEventListener("change", () =>
        window.bookProgress.mark(here, number, kind, box.checked));
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    if (!/^(chapters|book\/laboratory)\//.test(here)) return;
    if (store.get("last").page !== here) store.set("last", { page: here });
    offerMarks();
    const show = () => {
      tick();
      count();
    };
    show();
    document.addEventListener("book:progress", show);
  });
})();
