/* The largest type with which a slide holds what it shows. One layout of 1280 x
   720 serves every screen: the stage is scaled to it as a whole. */
"use strict";

Present.WIDTH = 1280;
Present.HEIGHT = 720;
Present.LEAST = 1.25; // of the page's type: below, nothing shares a slide
Present.SMALL = 1.12; // below, what can be divided goes on on the next slide

Present.fit = (() => {
  const LEFT = 56, TOP = 112, BOTTOM = 668, GAP = 18;
  const MOST = 1.8, TITLE = 1.3, DRAWN = 1.45, LIVE = 1.2, FLOOR = 0.4;
  const LABELS = 15; // pixels that the letters of a drawing should have
  const BOXES = "pre, .pst-scrollable-table-container, div.math, " +
    "mjx-container[display], .text_html, .interlinear, table";

  /* What is left below the heading. */
  function roomOf(slide) {
    const top = Math.max(TOP, 28 + slide.head.offsetHeight + GAP);
    return { top, width: Present.WIDTH - 2 * LEFT, height: BOTTOM - top };
  }

  function set(body, scale, room) {
    body.style.width = `${room.width / scale}px`;
    body.style.transform = `scale(${scale})`;
  }

  function holds(body, scale, room) {
    set(body, scale, room);
    if (body.scrollHeight * scale > room.height + 1) return false;
    if (body.scrollWidth > room.width / scale + 1) return false;
    return [...body.querySelectorAll(BOXES)].every((box) =>
      !box.clientWidth || box.scrollWidth <= box.clientWidth + 1);
  }

  function words(slide, room) {
    const { body } = slide;
    let low = FLOOR;
    let high = slide.kinds.has("title") ? TITLE : MOST;
    if (holds(body, high, room)) low = high;
    else
      for (let i = 0; i < 7; i += 1) {
        const middle = (low + high) / 2;
        if (holds(body, middle, room)) low = middle;
        else high = middle;
      }
    holds(body, low, room);
    const spare = room.height - body.scrollHeight * low;
    body.style.top = `${room.top + Math.max(0, Math.min(spare * 0.38, 90))}px`;
    return low;
  }

  /* What grows while it is used scrolls in its room. */
  function scroll({ body }, room) {
    set(body, LIVE, room);
    body.style.height = `${room.height / LIVE}px`;
    body.style.top = `${room.top}px`;
    return LIVE;
  }

  const drawingOf = (body) =>
    body.querySelector("svg.drawing, .explorer-frame.explorer-shown");

  /* A drawing has the room that its words leave, with the caption below or
     beside it. Returns its scale, or 0 where the words do not fit. (Letters
     that stick out of a drawing count as its overflow, hence offsetHeight.) */
  function draw({ body }, room, scale, beside) {
    const fits = () => body.offsetHeight * scale <= room.height + 1;
    set(body, scale, room);
    body.classList.toggle("caption-beside", beside);
    body.style.setProperty("--drawing", "10px");
    if (!fits()) return 0;
    const svg = drawingOf(body);
    const box = svg.viewBox.baseVal;
    const inBody = (one) => one.getBoundingClientRect();
    const shown = inBody(body).width / body.offsetWidth;
    const first = beside ? svg.closest("figure") : svg;
    const above = (inBody(first).top - inBody(body).top) / shown;
    const inColumn = beside || svg.closest(".explorer");
    const rest = room.height / scale - 8 -
      (inColumn ? above : body.offsetHeight - 10);
    body.style.setProperty("--drawing", `${Math.max(10, rest)}px`);
    const drawn = Math.min(svg.clientWidth / box.width, rest / box.height);
    return fits() ? drawn * scale : 0;
  }

  /* The scale and the place of the caption that draw largest. */
  function largest(slide, room) {
    const sides = slide.body.querySelector(".explorer")
      ? [false] : [false, true];
    const letters = parseFloat(getComputedStyle(
      drawingOf(slide.body).querySelector("text") ?? slide.body).fontSize);
    let best = { drawn: -1 };
    for (let scale = DRAWN; scale > 0.9; scale -= 0.1) {
      if (scale < 1.1 && best.drawn > 0) break;
      for (const beside of sides) {
        const drawn = draw(slide, room, scale, beside);
        if (drawn > best.drawn * 1.04) best = { drawn, scale, beside };
      }
      if (best.drawn * letters >= LABELS && best.drawn > 1) break;
    }
    return best;
  }

  /* Where the words beside a drawing are too many, they get more width. */
  function drawing(slide, room) {
    slide.body.classList.remove("wide-words");
    let best = largest(slide, room);
    if (best.drawn <= 0) {
      slide.body.classList.add("wide-words");
      best = largest(slide, room);
    }
    draw(slide, room, best.scale, best.beside);
    slide.body.style.top = `${room.top}px`;
    slide.drawn = best.drawn;
    return best.drawn > 0 ? best.scale : 0;
  }

  /** Fit a slide with all its results shown; return the scale of its words. */
  return (slide) => {
    const shown = slide.steps.map((step) => step.shown());
    slide.steps.forEach((step) => step.show());
    slide.body.style.setProperty("--drawing", "auto");
    const room = roomOf(slide);
    slide.scale = drawingOf(slide.body) && !slide.kinds.has("title")
      ? drawing(slide, room)
      : slide.kinds.has("live") ? scroll(slide, room) : words(slide, room);
    slide.steps.forEach((step, i) => shown[i] || step.hide());
    return slide.scale;
  };
})();
