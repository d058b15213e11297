/* The page's own nodes are shown on the slides, so that explorers, folds and
   formulas stay what they are: each leaves a mark where it stood and goes back
   there. */
"use strict";

Present.places = (() => {
  let kept = [];

  return {
    /** Let a node leave its place in the page. */
    lift(node) {
      const mark = document.createComment("slide");
      node.before(mark);
      kept.push([mark, node]);
      node.remove();
    },

    /** Put every node back: the last one first, as some stood in others. */
    restore() {
      for (const [mark, node] of kept.reverse()) mark.replaceWith(node);
      kept = [];
    },
  };
})();
