/* Small things that all parts of the slides use. */
"use strict";

Present.el = (name, className = "", text = "") => {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
};

Present.words = (node) => node.textContent.replace(/\s+/g, " ").trim();

/** A copy to look at, without what makes the original unique or a control. */
Present.copy = (node) => {
  const made = node.cloneNode(true);
  for (const one of [made, ...made.querySelectorAll("[id]")])
    one.removeAttribute("id");
  made.querySelectorAll(
    ".headerlink, mjx-assistive-mml, button.copybtn, .exercise-done")
    .forEach((one) => one.remove());
  return made;
};

/** The first sentence of a paragraph, as a paragraph. */
Present.sentence = (paragraph) => {
  const made = Present.copy(paragraph);
  const walker = document.createTreeWalker(made, NodeFilter.SHOW_TEXT);
  let seen = 0;
  for (let text; (text = walker.nextNode());) {
    if (text.parentElement.closest("mjx-container, .math")) continue;
    const end = text.data.search(/[.!?][”)]?(\s|$)/);
    if (end >= 0 && seen + end > 40) {
      const rest = document.createRange();
      rest.setStart(text, end + 1);
      rest.setEndAfter(made.lastChild);
      rest.deleteContents();
      break;
    }
    seen += text.data.length;
  }
  return made;
};
