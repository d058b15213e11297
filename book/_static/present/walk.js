/* What a page says, as a list of what can be a slide, in the order of reading.

   An item: kind; nodes of the page; title and part, the headings above it;
   before and after, paragraphs for the notes; code, cells that are not folded;
   steps, folds that open on a press; join, whether it may share a slide;
   second, whether it comes after the lesson (home, quiz, words). */
"use strict";

Present.walk = (() => {
  const { words } = Present;
  const ROWS = 9; // of a table: a longer one waits behind the key c
  // What only a notebook needs: the reader's own answers, the book's version.
  const PLUMBING = /\bworkbook\.|The book.s version/;
  const LINES = 16; // of a printed output: nobody reads more from the last row
  const SAID = 420; // letters of a paragraph that is shown whole
  const WORK = ".cell, .exercise-work";
  const TABLE = ".covered-table, .pst-scrollable-table-container, table";

  const code = (cell) => cell.querySelector(
    ":scope > .cell_input, :scope > .above-output-prompt");
  const lines = (node) => node.textContent.trim().split("\n").length;

  /** What a question can be answered with: chips of its field, or letters. */
  function answersOf(node) {
    const form = node.nextElementSibling;
    if (node.matches(".quiz"))
      return [...node.querySelectorAll("summary")].map((one) =>
        words(one).slice(0, 1));
    return form?.matches('form.guess:is([data-kind="choice"], ' +
      '[data-kind="pick"])')
      ? [...form.querySelectorAll("input")].map(({ value }) => value) : [];
  }

  class Reader {
    items = [];
    part = null;
    title = null;
    second = false;
    notes = [];
    code = [];
    answers = new Map(); // the cell of an answer, and the question's item

    add(kind, nodes, more = {}) {
      const last = this.items[this.items.length - 1];
      if (last && last.title === this.title && this.notes.length)
        last.after.push(this.notes.shift()); // what is shown is spoken of
      const item = { kind, nodes, title: this.title, part: this.part,
        place: nodes[0], before: this.notes, after: [], code: this.code,
        steps: [], join: false, second: this.second, ...more };
      this.notes = [];
      this.code = [];
      this.items.push(item);
      return item;
    }

    /* ------------------------------------------------------- what it says */

    cover(node) {
      this.add("title", [node]);
    }

    ask(node) {
      const before = this.notes[this.notes.length - 1];
      const lead = before === node.previousElementSibling &&
        words(before).length < SAID ? before : null;
      const { cover } = node.dataset;
      const hands = Present.hands(answersOf(node));
      const nodes = [node, hands].filter(Boolean);
      const item = this.add("ask", nodes, { cover, lead });
      const answer = document.getElementById(node.dataset.result);
      if (answer) this.answers.set(answer, item);
      else item.open = true; // what follows may stand below it
    }

    answer(cell) {
      const item = this.answers.get(cell);
      const output = cell.querySelector(".cell_output");
      const fold = output.closest("details");
      item.kind = "answered";
      item.nodes.push(cell);
      item.steps.push(fold);
      item.lines = lines(output);
      item.after.push(...this.notes);
      item.code.push(...this.code, ...[code(cell)].filter(Boolean));
      this.notes = [];
      this.code = [];
    }

    statement(node) {
      const proof = node.querySelector("details.fold");
      this.add("statement", [node], { join: true, proof,
        steps: proof ? [proof] : [] });
    }

    formula(node) {
      this.add("formula", [node], { join: true });
    }

    table(node) {
      this.add("table", [node], { join: true });
    }

    list(node) {
      this.add("list", [node], { join: true });
    }

    figure(node) {
      this.add(node.querySelector(".explorer") ? "explorer" : "figure",
        [node]);
    }

    live(node) {
      this.add("live", [node]);
    }

    cell(node) {
      if (node.matches(".tag_setup")) return;
      if (this.answers.has(node)) return void this.answer(node);
      if (PLUMBING.test(words(node))) return;
      const shown = code(node);
      const output = node.querySelector(".cell_output");
      const figure = node.querySelector("figure.book-figure");
      if (shown) this.code.push(shown);
      if (figure) this.figure(figure);
      else if (output?.querySelectorAll("tbody tr").length > ROWS)
        this.code.push(output);
      else if (output && !shown && !output.querySelector("table"))
        this.note(output); // numbers without the line that made them
      else if (output && lines(output) <= LINES) {
        const fold = output.closest("details.cell-fold");
        const short = shown && lines(shown) <= 9;
        this.add(output.querySelector("table") ? "table" : "output", [node],
          { join: true, opened: fold, short });
      } else if (output) this.note(output);
    }

    note(node) {
      if (words(node)) this.notes.push(node);
    }

    /* --------------------------------------------- sections of their own */

    goals(section) {
      this.title = section.querySelector("h2");
      this.add("list", [...section.querySelectorAll(".goals-frame > ul")]);
      this.notes.push(...section.querySelectorAll("p.chapter-fact"));
      this.close(section, 0);
    }

    exercise(section) {
      const [heading, card] = section.children;
      const { part, title, second } = this;
      this.part = [...heading.querySelectorAll(".exercise-head > *")]
        .filter((one) => !one.matches(".exercise-done")).map(words)
        .join(" · ");
      this.title = heading.querySelector(".exercise-name");
      this.second = card.dataset.where !== "class";
      const own = [...card.children];
      const end = own.findIndex((node) => node.matches(WORK));
      const task = own.slice(0, end < 0 ? own.length : end);
      const extra = [...own.slice(task.length), ...section.children]
        .filter((node) => node.matches("p, ul, ol") && !task.includes(node));
      this.add("exercise", task, { after: extra, place: heading,
        minutes: this.second ? 0 : +card.dataset.minutes });
      Object.assign(this, { part, title, second });
    }

    quiz(section) {
      for (const node of section.querySelectorAll(".quiz"))
        this.add("quiz", [node],
          { steps: [node.querySelector("details.right")] });
    }

    choices(node, section) {
      if (section.matches(".check-yourself")) return; // they come at its end
      const hands = Present.hands(answersOf(node));
      this.add("quiz", [node, hands].filter(Boolean),
        { steps: [node.querySelector("details.right")] });
    }

    heading(node, section) {
      const above = section.parentElement.closest("section");
      this.part = above?.querySelector(":scope > h2") ?? null;
      this.title = node;
    }

    /** A section has been read: what is left to say, and its own slide. */
    close(section, from) {
      if (this.items.length > from) {
        const last = this.items[this.items.length - 1];
        last.after.push(...this.notes);
        last.code.push(...this.code);
      } else if (this.notes.length && !section.querySelector("section")) {
        const first = this.notes[0];
        const whole = words(first).length < SAID;
        if (whole) this.notes.shift();
        const item = this.add("statement",
          [whole ? first : Present.sentence(first)], { place: first });
        item.made = !whole;
      } else return;
      this.notes = [];
      this.code = [];
    }

    section(section) {
      if (section.matches(".live")) return void this.live(section);
      if (section.matches(".goals")) return void this.goals(section);
      if (section.querySelector(":scope > .exercise-title"))
        return void this.exercise(section);
      const from = this.items.length;
      const { second } = this;
      if (section.matches(".check-yourself, .words, .further"))
        this.second = true;
      for (const node of section.children) this.read(node, section);
      if (section.matches(".check-yourself")) this.quiz(section);
      this.close(section, from);
      this.second = second;
    }

    read(node, section) {
      const rule = RULES.find(([selector]) => node.matches(selector));
      if (rule) this[rule[1]](node, section);
    }
  }

  const RULES = [
    [".quiz", "choices"],
    [".quiz-score, label, .chapter-count, .toctree-wrapper", "skip"],
    ["section", "section"],
    ["h1, h2, h3, h4", "heading"],
    ["nav.you-are-here", "cover"],
    ["p.predict", "ask"],
    [".statement, .key-sentence, blockquote", "statement"],
    ["div.math", "formula"],
    [TABLE, "table"],
    ["figure", "figure"],
    [".cell", "cell"],
    ["ul, ol, dl", "list"],
    ["p, details.fold", "note"],
  ];
  Reader.prototype.skip = () => {};

  /** The items of an article: the lesson, then what comes after it. */
  return (article) => {
    const reader = new Reader();
    reader.section(article.querySelector("section"));
    const { items } = reader;
    return [...items.filter((one) => !one.second),
      ...items.filter((one) => one.second)];
  };
})();
