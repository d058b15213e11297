/* Keys, a clicker and a finger. */
"use strict";

(() => {
  const WAY = 60; // pixels that make a swipe

  const DOES = {
    ArrowRight: "forth", ArrowDown: "forth", PageDown: "forth",
    " ": "forth", Enter: "forth",
    ArrowLeft: "back", ArrowUp: "back", PageUp: "back", Backspace: "back",
    Home: "first", End: "last",
    b: "black", ".": "black", f: "full", n: "showNotes", c: "code",
    t: "clockOf", p: "leave", Escape: "leave", "?": "help",
  };
  const MOVES = /^(Arrow|Home$|End$)/;
  const PRESSES = /^( |Enter)$/;

  /* A slider and choices keep their arrows, a button its Enter; what a clicker
     sends, PageUp and PageDown, always belongs to the slides. */
  function own(target, key) {
    if (!target.closest) return false;
    if (MOVES.test(key))
      return target.closest("input[type=range], [role=radio], " +
        ".present-code, .present-notes");
    return PRESSES.test(key) && target.closest("button, summary, a");
  }

  function key(event) {
    if (!Present.on || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key: pressed, target } = event;
    if (Present.typing(target) && pressed !== "Escape") return;
    const does = pressed === "N" ? () => Present.notes.open(key)
      : /^\d$/.test(pressed) ? () => Present.raise(pressed)
        : Present[DOES[pressed]];
    if (!does || own(target, pressed)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const stage = document.querySelector(".present-stage");
    if (stage.classList.contains("black") &&
      !["black", "leave"].includes(DOES[pressed])) Present.black();
    else does();
  }

  document.addEventListener("keydown", key, true);

  /** Let a finger that moves sideways turn the slides of a stage. */
  Present.steer = (stage) => {
    let from = null;
    stage.addEventListener("touchstart", ({ touches, target }) => {
      const held = target.closest("input, .live, .present-code");
      from = touches.length === 1 && !held ? touches[0] : null;
    }, { passive: true });
    stage.addEventListener("touchend", ({ changedTouches: [to] }) => {
      if (!from) return;
      const way = to.clientX - from.clientX;
      const steep = Math.abs(to.clientY - from.clientY) > Math.abs(way);
      if (Math.abs(way) > WAY && !steep) Present[way < 0 ? "forth" : "back"]();
      from = null;
    }, { passive: true });
  };
})();
