/* What the page says before and after what is on a slide, for whoever speaks:
   below the slides (n), in a window of its own that steers, too (N), and under
   each slide on paper. */
"use strict";

Present.notes = (() => {
  const { el, copy } = Present;
  let panel = null, other = null, began = 0, ticking = 0, told = null;

  const paragraphs = (nodes) => nodes.map((node) => {
    const made = copy(node);
    if (made.matches("details")) made.open = true;
    return made;
  });

  /** The notes of a slide, as new nodes. */
  function of(slide) {
    const before = slide.items.flatMap((one) => one.before);
    const after = slide.items.flatMap((one) => one.after);
    const made = [];
    if (before.length)
      made.push(el("p", "present-when", "Before"), ...paragraphs(before));
    if (after.length)
      made.push(el("p", "present-when", "After"), ...paragraphs(after));
    return made;
  }

  function fill(box, { slide, next, more }) {
    const head = el("p", "present-now", `${slide.count} · ${slide.title}` +
      (more ? " · the next press shows the result" : "") + " · ");
    head.append(el("span", "present-time"));
    const shown = of(slide);
    if (!shown.length) shown.push(el("p", "", "No notes."));
    const last = el("p", "present-next",
      next ? `Next: ${next.title}` : "The last slide.");
    box.replaceChildren(head, ...shown, last);
    box.scrollTop = 0;
  }

  const isOpen = () => other && !other.closed;

  function time() {
    const past = Math.floor((Date.now() - began) / 1000);
    const text = `${Math.floor(past / 60)}:` +
      String(past % 60).padStart(2, "0");
    for (const box of [panel, isOpen() && other.document.body])
      for (const one of box ? box.querySelectorAll(".present-time") : [])
        one.textContent = text;
  }

  function tell(now = told) {
    told = now;
    if (!panel.hidden) fill(panel, told);
    if (isOpen()) fill(other.document.querySelector("main"), told);
    time();
  }

  return {
    of,
    tell,

    begin() {
      panel = el("aside", "bd-article present-notes");
      panel.hidden = true;
      panel.tabIndex = 0; // to scroll long notes by key
      panel.setAttribute("aria-label", "Notes");
      document.body.append(panel);
      began = Date.now();
      ticking = setInterval(time, 1000);
      return panel;
    },

    end() {
      clearInterval(ticking);
      if (isOpen()) other.close();
      panel.remove();
    },

    toggle() {
      panel.hidden = !panel.hidden;
      tell();
    },

    /** Open the window; `key` handles what is pressed there. */
    open(key) {
      other = window.open("", "present-notes", "width=760,height=680");
      if (!other) return;
      const { document: doc } = other;
      doc.title = "Notes";
      doc.documentElement.lang = "en";
      const { theme } = document.documentElement.dataset;
      doc.documentElement.dataset.theme = theme;
      const sheets = document.querySelectorAll("link[rel=stylesheet], style");
      doc.head.replaceChildren(...[...sheets].map((sheet) => {
        const made = doc.importNode(sheet, true);
        if (made.href) made.href = sheet.href;
        return made;
      }));
      doc.body.className = "present-other";
      doc.body.replaceChildren(el("main", "bd-article"));
      doc.addEventListener("keydown", key);
      tell();
    },
  };
})();
