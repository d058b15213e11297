/* Paper is white, and nothing on it can be opened: a page in dark mode is
   printed as in light mode, with its folds open but the set-up's, and then is
   as it was. */
"use strict";

(() => {
  const page = document.documentElement;
  let theme, closed = [], byReader;
  addEventListener("beforeprint", () => {
    theme = page.dataset.theme;
    page.dataset.theme = "light";
    byReader = window.bookFolds.byReader;
    window.bookFolds.byReader = false;
    closed = [...document.querySelectorAll(
      "article details:not(.set-up, [open])")];
    closed.forEach((fold) => (fold.open = true));
  });
  addEventListener("afterprint", () => {
    page.dataset.theme = theme;
    closed.forEach((fold) => (fold.open = false));
    setTimeout(() => { // after the folds' own events
      window.bookFolds.byReader = byReader;
    }, 50);
  });
})();
