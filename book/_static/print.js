// Paper is white: a page in dark mode is printed as in light mode. And nobody
// opens a fold on it: code and results lie open, except the set-up.
(() => {
  const page = document.documentElement;
  const closed = "details.cell-fold:not(.set-up, [open])";
  let shown;
  let opened = [];
  addEventListener("beforeprint", () => {
    shown = page.dataset.theme;
    page.dataset.theme = "light";
    opened = [...document.querySelectorAll(closed)];
    for (const fold of opened) fold.open = true;
  });
  addEventListener("afterprint", () => {
    page.dataset.theme = shown;
    for (const fold of opened) fold.open = false;
    opened = [];
  });
})();
