/* A show of hands: what a room may answer, each with a count that a press of its
   digit raises. It stays beside the answer. */
"use strict";

(() => {
  const { el } = Present;
  const MOST = 9; // digits on a keyboard

  /** Buttons for the answers of a question, or null where it has none. */
  Present.hands = (answers) => {
    if (answers.length < 2 || answers.length > MOST) return null;
    const box = el("div", "present-hands");
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Show of hands");
    box.append(...answers.map((answer, i) => {
      const made = el("button");
      const count = el("output", "", "0");
      made.type = "button";
      made.append(el("kbd", "", `${i + 1}`), ` ${answer} `, count);
      made.addEventListener("click", () =>
        (count.textContent = Number(count.textContent) + 1));
      return made;
    }));
    return box;
  };

  /** Raise the count of a digit on the slide that is shown; 0 clears all. */
  Present.raise = (digit) => {
    const box = Present.all[Present.now].section
      .querySelector(".present-hands");
    if (!box) return;
    if (digit === "0")
      box.querySelectorAll("output").forEach((one) => (one.textContent = "0"));
    else box.children[digit - 1]?.click();
  };
})();
