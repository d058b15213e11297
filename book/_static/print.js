// Paper is white: a page in dark mode is printed as in light mode.
(() => {
  const page = document.documentElement;
  let shown;
  addEventListener("beforeprint", () => {
    shown = page.dataset.theme;
    page.dataset.theme = "light";
  });
  addEventListener("afterprint", () => {
    page.dataset.theme = shown;
  });
})();
