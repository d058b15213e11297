/* The reader's answers in code. They are kept in this browser, with what their
   notebook needs of the exercise. `store` is that of page.js. */
/* global store */
(function (Python) {
  "use strict";

  const KEY = "code";

  /** All answers by name, and each as {text, number, title, call, before}. */
  const all = () => store.get(KEY);

  const textOf = (name) => all()[name]?.text;

  function keep(about, text) {
    const { name, number, title, call, before, start } = about;
    const kept = all();
    if (text === start) delete kept[name];
    else kept[name] = { text, number, title, call, before };
    store.set(KEY, kept);
  }

  const parts = (number) => String(number).split(".").map(Number);

  /** Answers in the order of the book. */
  function inOrder() {
    return Object.entries(all()).sort(([, one], [, other]) => {
      const [a, b] = [parts(one.number), parts(other.number)];
      return a[0] - b[0] || a[1] - b[1];
    });
  }

  /** The texts of other answers that a text speaks of, and of those that these
   *  speak of: your softmax serves your attention. */
  function usedBy(text, own) {
    const kept = inOrder();
    const chosen = new Set();
    const look = (words) => {
      for (const [name, { text: other }] of kept) {
        if (name === own || chosen.has(name)) continue;
        if (!new RegExp(`\\b${name}\\b`).test(words)) continue;
        chosen.add(name);
        look(other);
      }
    };
    look(text);
    return kept.filter(([name]) => chosen.has(name)).map(([, one]) => one.text);
  }

  Object.assign(Python, { answers: { all, textOf, keep, inOrder, usedBy } });
})((window.Python = window.Python || {}));
