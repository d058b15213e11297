/* The fields of an exercise on paper: one for each number, a table where a row
   or a table of numbers is asked for. Labels come from the catalogue. */
(function (Exercises) {
  "use strict";

  const { flat, read, readShape, shaped } = Exercises;

  const make = (tag, className, ...children) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    node.append(...children);
    return node;
  };

  /** A text with `code`, *stress* and the T of a transpose, K^T. */
  function inline(text) {
    return text.split(/(`[^`]+`|(?<!\w)\*(?=\S)[^*\n]+(?<=\S)\*(?!\w)|\^T\b)/)
      .filter(Boolean).map((piece) => {
        if (/^`.+`$/.test(piece)) return make("code", "", piece.slice(1, -1));
        if (piece === "^T") return make("sup", "", "T");
        if (/^\*.+\*$/.test(piece)) return make("em", "", piece.slice(1, -1));
        return piece;
      });
  }

  /** "the new loss" as the label "New loss". */
  const titled = (label) => {
    const short = label.replace(/^the /, "");
    return short[0].toUpperCase() + short.slice(1);
  };

  /** Whole numbers only, and many: a phone may show its digits. */
  const digits = (exercise) => !exercise.shapes &&
    flat(exercise.right).length > 9 &&
    flat(exercise.right).every((x) => Number.isInteger(x) && x >= 0);

  class Fields {
    constructor(exercise, key) {
      this.exercise = exercise;
      this.key = key;
      this.inputs = [];
      this.labels = [];
      this.box = make("div", "exercise-fields");
      const sizes = exercise.parts.map(({ shape }) => shape.length);
      const { parts } = exercise;
      const same = new Set(parts.map(({ shape, places }) =>
        String([shape, places]))).size === 1;
      if (sizes[0] === 1 && same && parts.length > 1) this.table(parts);
      else for (const part of parts) {
        if (part.shape.length === 0) this.single(part);
        else this.table([part], part.shape.length === 2 || part.places.length
          ? titled(part.label) : "");
      }
    }

    input(label) {
      const input = make("input", "exercise-input");
      input.id = `${this.key}-${this.inputs.length + 1}`;
      Object.assign(input, { type: "text", autocomplete: "off",
        spellcheck: false, inputMode: digits(this.exercise) ? "numeric" : "text",
        enterKeyHint: "go" });
      input.setAttribute("autocapitalize", "off");
      this.inputs.push(input);
      this.labels.push(label);
      return input;
    }

    single(part) {
      const input = this.input(titled(part.label));
      const label = make("label", "", ...inline(titled(part.label)));
      label.htmlFor = input.id;
      const told = make("output", "exercise-told");
      told.htmlFor = input.id;
      input.addEventListener("input", () => this.tell(input, told));
      this.box.append(make("div", "exercise-field", label, input, told));
    }

    /** How a fraction, a root or a power is read. */
    tell(input, told) {
      const typed = input.value.trim();
      const { value } = this.exercise.shapes ? {} : this.read(typed);
      const plain = /^[-\u2212]?\d*\.?\d*$/.test(typed);
      told.textContent = value === undefined || plain ? ""
        : `= ${Exercises.number(value)}`;
    }

    /** Rows of equal length; each part is a row, or one part is a table. */
    table(parts, caption = "") {
      const [first] = parts;
      const isTable = first.shape.length === 2;
      const [rows, columns] = isTable ? first.shape
        : [parts.length, first.shape[0]];
      const body = make("tbody");
      if (first.places.length) {
        const heads = first.places.map((place) => {
          const head = make("th", "", place);
          head.scope = "col";
          const room = 40 / columns; // letters on a phone
          head.classList.toggle("exercise-long",
            first.places.some((one) => one.length > room));
          return head;
        });
        const corner = parts.length > 1 ? [make("td", "exercise-corner")] : [];
        body.append(make("tr", "exercise-heads", ...corner, ...heads));
      }
      for (let r = 0; r < rows; r++) {
        const part = isTable ? first : parts[r];
        const line = make("tr");
        if (parts.length > 1) {
          const head = make("th", "", ...inline(titled(part.label)));
          head.scope = "row";
          line.append(head);
        }
        for (let c = 0; c < columns; c++) {
          const place = isTable ? `row ${r + 1}, column ${c + 1}`
            : part.places[c] ?? `number ${c + 1}`;
          const input = this.input(`${titled(part.label)}, ${place}`);
          input.setAttribute("aria-label",
            `${titled(part.label)}, ${place}`.replace(/`/g, ""));
          line.append(make("td", "", input));
        }
        body.append(line);
      }
      const table = make("table", "exercise-table", body);
      if (parts.length > 1 && columns < 4) table.classList.add("exercise-beside");
      table.style.setProperty("--columns", columns);
      if (caption) table.prepend(make("caption", "", ...inline(caption)));
      this.box.append(table);
    }

    get texts() { return this.inputs.map((input) => input.value); }

    set texts(list) {
      this.inputs.forEach((input, i) => {
        input.value = list[i] ?? "";
        input.dispatchEvent(new Event("input"));
      });
    }

    read(text) {
      return this.exercise.shapes ? readShape(text)
        : read(text, { comma: store.get("comma").decimal });
    }

    /** What stands in the fields: {numbers}, or what keeps it from being
     *  judged, {empty}, {missing}, {wrong, input} or {ask, choices, input}. */
    get answer() {
      const found = this.texts.map((text) => this.read(text));
      const of = (key) => found.findIndex((one) => key in one);
      const blank = found.filter((one) => one.empty).length;
      if (blank === found.length) return { empty: true };
      const place = of("wrong") >= 0 ? of("wrong") : of("ask");
      if (place >= 0) {
        return { ...found[place], input: this.inputs[place],
          label: found.length > 1 ? this.labels[place] : "" };
      }
      if (blank) return { missing: true, input: this.inputs[of("empty")],
        label: this.labels[of("empty")] };
      const values = found.map((one) => one.value);
      const { shapes, right } = this.exercise;
      if (shapes) return { numbers: values };
      const shape = [];
      for (let one = right; Array.isArray(one); [one] = one)
        shape.push(one.length);
      return { numbers: shaped(values, shape) };
    }
  }

  Object.assign(Exercises, { Fields, inline, make });
})(window.Exercises = window.Exercises || {});
