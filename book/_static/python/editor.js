/* A text area for Python: Tab indents, Enter keeps the indentation, and Escape
   gives Tab back to the page. All changes are typed, so that undo undoes them.
*/
(function (Python) {
  "use strict";

  const { el } = Python;
  const STEP = 4;
  const MOST_LINES = 28;
  const SIGNS = ["(", ")", "[", "]", ":", "=", ".", ",", "_", "@", "->"];
  let count = 0;

  /** Put a text in place of the selection, as if it were typed. */
  function type(area, text) {
    const done = text ? document.execCommand("insertText", false, text)
      : document.execCommand("delete");
    if (!done) area.setRangeText(text, area.selectionStart, area.selectionEnd,
      "end");
  }

  function replaceAll(area, text) {
    area.focus();
    area.select();
    type(area, text);
  }

  const lineStart = (area, place) =>
    area.value.lastIndexOf("\n", place - 1) + 1;

  /** Move the selected lines to the right, or to the left. */
  function shiftLines(area, back) {
    const { selectionStart: start, selectionEnd: end } = area;
    const first = lineStart(area, start);
    const lines = area.value.slice(first, end).split("\n");
    const moved = lines.map((line) => back
      ? line.replace(new RegExp(`^ {1,${STEP}}`), "")
      : line && " ".repeat(STEP) + line);
    area.setSelectionRange(first, end);
    type(area, moved.join("\n"));
    const grown = moved[0].length - lines[0].length;
    area.setSelectionRange(Math.max(first, start + grown), area.selectionEnd);
  }

  function indent(area, back) {
    const { selectionStart: start, selectionEnd: end, value } = area;
    if (back || value.slice(start, end).includes("\n")) {
      const isEmpty = start === end;
      shiftLines(area, back);
      if (isEmpty) area.setSelectionRange(area.selectionStart,
        area.selectionStart);
      return;
    }
    const column = start - lineStart(area, start);
    type(area, " ".repeat(STEP - column % STEP));
  }

  /** A new line as deep as the last one, deeper after a colon. */
  function breakLine(area) {
    const line = area.value.slice(
      lineStart(area, area.selectionStart), area.selectionStart);
    const depth = line.match(/^ */)[0].length;
    const code = line.replace(/#.*/, "").trimEnd();
    type(area, "\n" + " ".repeat(depth + (code.endsWith(":") ? STEP : 0)));
  }

  /** Take a whole step of indentation away; false where there is none. */
  function unindent(area) {
    const { selectionStart: place, selectionEnd: end } = area;
    const before = area.value.slice(lineStart(area, place), place);
    if (place !== end || !/^ +$/.test(before)) return false;
    area.setSelectionRange(place - ((before.length - 1) % STEP + 1), place);
    type(area, "");
    return true;
  }

  function listen(area, oncheck) {
    let leaving = false;
    area.addEventListener("blur", () => { leaving = false; });
    area.addEventListener("keydown", (event) => {
      const { key } = event;
      if (event.isComposing || event.altKey) return;
      if (key === "Escape") {
        leaving = true;
        return;
      }
      const wasLeaving = leaving;
      if (key !== "Shift") leaving = false;
      let handled = true;
      if (key === "Enter" && (event.ctrlKey || event.metaKey)) oncheck();
      else if (event.ctrlKey || event.metaKey) handled = false;
      else if (key === "Tab" && !wasLeaving) indent(area, event.shiftKey);
      else if (key === "Enter" && !event.shiftKey) breakLine(area);
      else if (key === "Backspace") handled = unindent(area);
      else handled = false;
      if (handled) event.preventDefault();
    });
  }

  /** What the keys of a phone hide, in a row that leaves them on the screen. */
  function signs(area) {
    const key = (words, act, label) => {
      const hold = (event) => event.preventDefault(); // the focus stays
      return el("button", { type: "button", "aria-label": label,
        onpointerdown: hold, onclick: act }, words);
    };
    return el("div", { class: "python-signs", role: "group",
      "aria-label": "Signs to type" },
    ...SIGNS.map((sign) => key(sign, () => { area.focus(); type(area, sign); },
      sign)),
    key("\u21e5", () => { area.focus(); indent(area, false); }, "Indent"),
    key("\u21e4", () => { area.focus(); indent(area, true); }, "Indent less"));
  }

  /** An editor: {element, area}. `onchange` gets the text; `does` is what Ctrl
   *  and Enter do, in a word. */
  function editor(label, text, onchange, oncheck, does = "check") {
    const id = `python-${++count}`;
    const area = el("textarea", {
      id, class: "python-code", spellcheck: "false", autocomplete: "off",
      autocapitalize: "off", autocorrect: "off", wrap: "off",
      "aria-describedby": `${id}-keys`,
    });
    area.value = text;
    const fit = () => {
      const lines = area.value.split("\n").length;
      area.rows = Math.min(MOST_LINES, Math.max(5, lines + 1));
      // On a phone long lines go on in the next one.
      const { lineHeight } = getComputedStyle(area);
      const hidden = area.scrollHeight - area.clientHeight;
      if (hidden > 0 && area.rows < MOST_LINES)
        area.rows = Math.min(MOST_LINES,
          area.rows + Math.ceil(hidden / parseFloat(lineHeight)));
    };
    area.addEventListener("input", () => { fit(); onchange(area.value); });
    fit();
    requestAnimationFrame(fit); // by then it stands in the page
    listen(area, oncheck);
    const element = el("div", { class: "python-editor" },
      el("label", { for: id }, label),
      area,
      signs(area),
      el("p", { id: `${id}-keys`, class: "python-keys" },
        "Tab indents; Escape, then Tab, leaves the field. " +
        `Ctrl and Enter ${does}.`));
    return { element, area };
  }

  Object.assign(Python, { editor, replaceAll });
})((window.Python = window.Python || {}));
