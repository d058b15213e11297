/* What a page remembers and follows. Nothing leaves the browser: marks are kept
   in localStorage, and the page works without them. */
"use strict";

const store = {
  get(key) {
    try {
      return JSON.parse(localStorage.getItem("book." + key)) || {};
    } catch {
      return {};
    }
  },
  set(key, value) {
    try {
      localStorage.setItem("book." + key, JSON.stringify(value));
    } catch {
      /* private windows keep nothing */
    }
  },
};

/* "chapters/08_masks" for this page or for a link. */
const nameOf = (path) =>
  (path.match(/(?:chapters|book)\/[\w/]+(?=\.html)/) || [""])[0];
const here = nameOf(location.pathname);

/* byReader: false while a script opens folds, for paper or on slides. */
window.bookFolds = { byReader: true };

/* ---------------------------------------------------------- reading marks */

function markRead() {
  const read = store.get("read");
  for (const link of document.querySelectorAll(".bd-links a.internal")) {
    const name = nameOf(link.pathname);
    if (!name.startsWith("chapters/")) continue;
    link.classList.toggle("read", name in read);
  }
}

function offerMark() {
  const summary = document.querySelector("section.summary");
  if (!here.startsWith("chapters/") || !summary) return;
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = here in store.get("read");
  label.className = "reading-mark";
  label.append(box, " I have read this chapter");
  summary.append(label);
  box.addEventListener("change", () => {
    const read = store.get("read");
    if (box.checked) read[here] = 1;
    else delete read[here];
    store.set("read", read);
    markRead();
  });
}

/* --------------------------------------------- contents follow the reader */

/* Scroll a side bar, never the page, so that an entry is in view. */
function reveal(entry, margin) {
  let bar = entry.parentElement;
  while (bar && bar !== document.body && (
    bar.scrollHeight <= bar.clientHeight + 1 ||
    !/auto|scroll/.test(getComputedStyle(bar).overflowY)
  )) bar = bar.parentElement;
  if (!bar || bar === document.body || bar === document.documentElement) return;
  const box = bar.getBoundingClientRect();
  const top = entry.getBoundingClientRect().top - box.top;
  if (top < margin || top > box.height - margin)
    bar.scrollTop += top - box.height / 2;
}

/* The theme's own marks get lost in long sections, so the contents have theirs:
   the last heading above the first lines of the window. */
function follow() {
  const current = document.querySelector(".bd-links li.current.active > a");
  if (current) reveal(current, 80);
  const places = [...document.querySelectorAll("#pst-page-toc-nav a.nav-link")]
    .map((link) => [link, document.getElementById(
      decodeURIComponent(link.hash.slice(1)))])
    .filter(([, place]) => place);
  let reading = null;
  let waiting = false;
  const look = () => {
    waiting = false;
    let found = null;
    for (const [link, place] of places) {
      if (place.getBoundingClientRect().top > 140) break;
      found = link;
    }
    if (found === reading) return;
    reading?.classList.remove("reading");
    reading = found;
    if (!reading) return;
    reading.classList.add("reading");
    reveal(reading, 60);
    const last = store.get("last"); // the cover goes on from here
    if (last.page === here)
      store.set("last", { page: here, place: reading.hash });
  };
  window.addEventListener("scroll", () => {
    if (!waiting) requestAnimationFrame(look);
    waiting = true;
  }, { passive: true });
  look();
}

/* ------------------------------------------- what scrolls can be reached */

/* A wide formula, table or output scrolls in a box of its own; the arrow keys
   move it once the box can have the focus. What is a little wider than its box
   and does not scroll, as many formulas in a line are, is no stop of the tab
   key. */
const scrolls = (box) => box.scrollWidth > box.clientWidth &&
  /auto|scroll/.test(getComputedStyle(box).overflowX);
const LEFT = 4; // pixels that nobody misses

/** What goes on beyond the right edge of its box fades out there. */
const showEnd = (box) => box.classList.toggle("goes-on", scrolls(box) &&
  box.scrollWidth - box.clientWidth - box.scrollLeft > LEFT);

/* What a formula tells those who do not see it is as wide as it likes. */
const widthOf = (element) => element?.getBoundingClientRect().width ?? 0;
const isWide = (formula) => widthOf(formula) > 0 &&
  widthOf(formula.firstElementChild) > widthOf(formula) + 1;

function reachScrolling() {
  for (const formula of document.querySelectorAll(".bd-article span.math"))
    formula.classList.toggle("wide", isWide(formula));
  for (const box of document.querySelectorAll(
    ".bd-article :is(.math, mjx-container, .text_html, .text_html div, pre, " +
    ".pst-scrollable-table-container, .p-drawing, .drawing-box)",
  )) {
    if (scrolls(box)) box.tabIndex = 0;
    else if (box.tabIndex === 0) box.removeAttribute("tabindex");
    showEnd(box);
    box.onscroll = () => showEnd(box);
  }
}

document.addEventListener("DOMContentLoaded", () => {
  markRead();
  offerMark();
});
/* The theme restores an old place of the side bar first. */
window.addEventListener("load", () => setTimeout(follow, 60));
window.addEventListener("load", async () => {
  await window.MathJax?.startup?.promise;
  await document.fonts.ready; // formulas grow when their fonts arrive
  reachScrolling();
  window.addEventListener("resize", reachScrolling);
  const article = document.querySelector(".bd-article");
  if (article) new ResizeObserver(reachScrolling).observe(article);
});
