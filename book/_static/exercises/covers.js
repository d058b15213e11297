/* Tables of which a part is covered. A cell that holds numbers takes them and
   opens when they are right; any cell opens at a tap, and a button opens all.
   What was opened stays open in this browser. */
(function (Exercises) {
  "use strict";

  const { inline, judge, make, read } = Exercises;

  const kept = () => store.get("cover")[here] ?? {};
  function keep(key, cells) {
    store.set("cover", { ...store.get("cover"),
      [here]: { ...kept(), [key]: cells } });
  }

  /** The texts of a list of numbers: "(2, 0)", "2/3, 1/3", "0,5; 0,5". */
  function pieces(typed, many) {
    if (!many) return [typed];
    const inner = typed.trim().replace(/^[([](.*)[)\]]$/, "$1");
    return inner.split(inner.includes(";") ? /;/ : /,|\s+(?=[-\u2212\d.])/)
      .map((one) => one.trim()).filter(Boolean);
  }

  /** The keys of a phone: its number pad may have no minus and no comma. */
  function keypad(cover) {
    const all = [...cover.closest("table").querySelectorAll(".cover")];
    return all.some((one) => /[-,]/.test(one.dataset.numbers ?? ""))
      ? "text" : "decimal";
  }

  class Cell {
    constructor(cover, name, table) {
      this.cover = cover;
      this.name = name;
      this.table = table;
      const { numbers } = cover.dataset;
      this.right = numbers ? JSON.parse(numbers) : null;
      this.field = this.right ? this.input() : this.lid();
      cover.append(this.field);
    }

    input() {
      const input = make("input", "cover-field exercise-input");
      Object.assign(input, { type: "text", autocomplete: "off",
        spellcheck: false, enterKeyHint: "next",
        inputMode: keypad(this.cover) });
      input.setAttribute("autocapitalize", "off");
      input.setAttribute("aria-label", this.name);
      input.addEventListener("focus", () => (this.table.last = this));
      input.addEventListener("change", () => this.check());
      input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        if (this.check()) this.table.next(this)?.field.focus();
      });
      return input;
    }

    lid() {
      const lid = make("button", "cover-field", "?");
      lid.type = "button";
      lid.setAttribute("aria-label", `Open ${this.name}`);
      lid.addEventListener("click", () => this.open());
      return lid;
    }

    get isOpen() { return this.cover.matches(".open"); }

    open(text = "") {
      this.cover.classList.add("open");
      this.cover.classList.toggle("right", Boolean(text));
      this.text = text;
      if (this.cover.dataset.text)
        this.cover.firstElementChild.textContent = this.cover.dataset.text;
      this.field.remove();
      this.table.changed();
    }

    /** Is what was typed right? Says so, and opens the cell if it is. */
    check() {
      const typed = this.field.value;
      if (this.isOpen || !typed.trim()) return this.isOpen;
      const said = this.judged(typed);
      this.field.toggleAttribute("aria-invalid", Boolean(said));
      this.table.say(said ? `${this.name}: ${said}` : `${this.name} is right.`);
      if (!said) this.open(typed);
      return !said;
    }

    /** What is wrong with it, or "". */
    judged(typed) {
      const many = this.right.length > 1;
      const found = pieces(typed, many)
        .map((one) => read(one, { comma: store.get("comma").decimal || !many }));
      const bad = found.find((one) => one.value === undefined);
      if (bad) return bad.wrong ?? bad.ask ?? "A number is missing.";
      if (found.length !== this.right.length)
        return `This cell holds ${this.right.length} numbers, not ` +
          `${found.length}. Put commas between them.`;
      const values = found.map(({ value }) => value);
      const { status } = judge({ right: this.right, parts: [{
        label: this.name, shape: [this.right.length], way: "" }],
        near: Number(this.cover.dataset.near), mistakes: [], looks: [],
        rounded: "" }, values);
      return status === "right" ? ""
        : `${typed.trim()} isn't it yet. Try again, or open the cell.`;
    }
  }

  class Covered {
    constructor(frame) {
      this.frame = frame;
      const heads = [...frame.querySelectorAll("thead th")];
      this.cells = [...frame.querySelectorAll(".cover")].map((cover) => {
        const box = cover.closest("td");
        const row = box.parentElement;
        const head = heads[box.cellIndex]?.textContent.trim();
        const first = row.cells[0].textContent.trim();
        return new Cell(cover, [head || `column ${box.cellIndex + 1}`,
          first || `row ${row.rowIndex}`].map(spoken).join(", "), this);
      });
      this.status = make("p", "cover-said");
      this.status.setAttribute("role", "status");
      const one = this.button("Open this cell", () => this.openOne());
      const all = this.button("Open all", () => this.openAll());
      this.bar = make("div", "cover-bar", one, all, this.status);
      frame.append(this.bar);
      for (const [i, text] of Object.entries(kept()[frame.dataset.key] ?? {}))
        this.cells[i]?.open(text);
      this.isReady = true;
      this.changed();
    }

    button(words, act) {
      const node = make("button", "exercise-quiet", words);
      node.type = "button";
      node.addEventListener("click", act);
      return node;
    }

    get closed() { return this.cells.filter((cell) => !cell.isOpen); }

    next(cell) {
      const i = this.cells.indexOf(cell);
      return this.cells.slice(i).find((one) => !one.isOpen) ?? this.closed[0];
    }

    openOne() {
      const cell = this.last && !this.last.isOpen ? this.last : this.closed[0];
      cell?.open();
      this.say("");
    }

    openAll() {
      for (const cell of this.closed) cell.open();
      this.say("");
    }

    say(words) { this.status.replaceChildren(...inline(words)); }

    changed() {
      if (!this.isReady) return;
      this.bar.classList.toggle("done", !this.closed.length);
      keep(this.frame.dataset.key, Object.fromEntries(this.cells.flatMap(
        (cell, i) => (cell.isOpen ? [[i, cell.text]] : []))));
    }
  }

  /** Words of a cell without the marks of a formula that is not drawn yet. */
  const spoken = (words) => words.replace(/\\[()]|[\\{}$]/g, "");

  document.addEventListener("DOMContentLoaded", () => {
    for (const frame of document.querySelectorAll(".covered-table"))
      new Covered(frame);
  });
})(window.Exercises = window.Exercises || {});
