/* Slides from the list of items. */
"use strict";

Present.slides = (() => {
  const { el, words, copy, LEAST, SMALL } = Present;
  const WIDE = 8, LONG = 16; // lines of an answer: beside it; in a column
  const TOGETHER = 3; // items on a slide
  const DRAWN = 1.15; // a drawing below this gets a slide to itself

  /* ---------------------------------------------------- what a press shows */

  const folded = (fold) => ({
    shown: () => fold.open,
    show: () => (fold.open = true),
    hide: () => (fold.open = false),
  });

  /* cover: "columns 2" or "rows 1", of the table on the slide. */
  function covered(cover, body) {
    const [what, count] = cover.split(" ");
    const cells = [];
    for (const table of body.querySelectorAll("table")) {
      const rows = [...table.querySelectorAll("tbody tr")];
      if (what === "rows")
        cells.push(...rows.slice(-count).flatMap((row) => [...row.children]));
      else for (const row of rows)
        cells.push(...[...row.children].slice(-count));
    }
    const set = (on) => () => cells.forEach((cell) => {
      cell.classList.toggle("present-covered", on);
      if (!cell.classList.length) cell.removeAttribute("class");
    });
    return { shown: () => !cells[0]?.matches(".present-covered"),
      show: set(false), hide: set(true) };
  }

  /* ------------------------------------------------------------- one slide */

  function head(item) {
    const made = el("header", "present-head");
    const part = item.part && typeof item.part !== "string"
      ? words(copy(item.part)) : item.part ?? "";
    const title = el("h2", "present-title");
    title.append(...copy(item.title).childNodes);
    title.classList.toggle("long", words(title).length > 50);
    made.append(el("p", "present-part", part), title);
    return made;
  }

  function blank(item, stage) {
    const section = el("section", "present-slide");
    const slide = { section, head: head(item),
      body: el("div", "bd-article present-body"), items: [], kinds: new Set(),
      steps: [], place: item.place, second: item.second,
      title: words(copy(item.title)) };
    section.append(slide.head, slide.body);
    stage.append(section);
    return slide;
  }

  function name(slide) {
    slide.kinds = new Set(slide.items.map((one) => one.kind));
    slide.body.className = ["bd-article present-body",
      ...[...slide.kinds].map((kind) => `is-${kind}`)].join(" ");
    const rows = Math.max(...slide.items.map((one) => one.lines ?? 0));
    slide.body.classList.toggle("is-wide", rows > WIDE);
    slide.body.style.setProperty("--columns", Math.ceil(rows / LONG));
    slide.body.classList.toggle("has-code",
      slide.items.some((one) => one.short));
    slide.section.dataset.kind = [...slide.kinds].join(" ");
  }

  function put(slide, item) {
    slide.items.push(item);
    for (const node of item.nodes) {
      if (node.isConnected && !node.closest(".present-stage"))
        Present.places.lift(node);
      slide.body.append(node);
    }
    if (item.opened) item.opened.open = true;
    slide.steps.push(...item.steps.map(folded));
    const cover = slide.items.map((one) => one.cover).find(Boolean);
    if (cover && item.kind === "table")
      slide.steps.push(covered(cover, slide.body));
    name(slide);
  }

  function take(slide, item, count) {
    slide.steps.slice(count).forEach((step) => step.show());
    slide.steps.length = count;
    slide.items.pop();
    item.nodes.forEach((node) => node.remove());
    name(slide);
    Present.fit(slide);
  }

  /* ------------------------------------------------- sharing and dividing */

  const mayShare = (slide, item) => {
    const last = slide?.items[slide.items.length - 1];
    if (!last || last.title !== item.title || last.second !== item.second)
      return false;
    if (last.open && last.kind === "ask")
      return /list|table|explorer|figure|formula|live/.test(item.kind);
    return item.join && last.join && slide.items.length < TOGETHER;
  };

  /** Put an item on the last slide if both stay large; say whether. */
  function share(slide, item) {
    if (!mayShare(slide, item)) return false;
    const count = slide.steps.length;
    put(slide, item);
    Present.fit(slide);
    const drawn = /explorer|figure/.test(item.kind);
    const fine = drawn ? slide.drawn >= DRAWN : slide.scale >= LEAST;
    if (!fine) take(slide, item, count);
    else if (slide.items[0].open && item.kind === "list") item.open = true;
    return fine;
  }

  /* What is too long for a slide: its last pieces, for the next. */
  function divide(slide) {
    const rest = [];
    while (slide.scale < SMALL && slide.body.children.length > 1) {
      rest.unshift(slide.body.lastElementChild);
      rest[0].remove();
      Present.fit(slide);
    }
    return rest;
  }

  const PIECES = ":scope tbody > tr, :scope > li, :scope > div > *";

  /* A table, a list or a statement that is too long: two halves, as copies. */
  function halves(body) {
    const [box] = body.children;
    const count = box.querySelectorAll(PIECES).length;
    const whole = body.children.length > 1 || box.matches(".cell");
    if (whole || count < 4) return [];
    const middle = Math.ceil(count / 2);
    return [[0, middle], [middle, count]].map(([from, to]) => {
      const half = copy(box);
      half.querySelectorAll(PIECES).forEach((piece, i) =>
        i >= from && i < to || piece.remove());
      if (half.matches("ol")) half.start = from + 1;
      return half;
    });
  }

  function alone(item, stage) {
    const slide = blank(item, stage);
    put(slide, item);
    Present.fit(slide);
    if (item.short && slide.scale < LEAST) {
      item.short = false; // the code is on the key c
      name(slide);
      Present.fit(slide);
    }
    if (item.proof && slide.scale < LEAST) {
      slide.steps = [];
      Present.places.lift(item.proof);
      Present.fit(slide);
      const proof = { ...item, kind: "proof", nodes: [item.proof], proof: null,
        steps: [], opened: item.proof, before: [], code: [], join: false };
      item.after = [];
      return [slide, ...alone(proof, stage)];
    }
    const [half, other] = slide.scale < SMALL && !slide.drawn
      ? halves(slide.body) : [];
    if (half) {
      slide.section.remove();
      return [{ ...item, nodes: [half], after: [] },
        { ...item, nodes: [other], before: [], code: [] }]
        .flatMap((one) => alone(one, stage));
    }
    const rest = slide.scale < SMALL && !slide.drawn ? divide(slide) : [];
    if (!rest.length) return [slide];
    const more = { ...item, nodes: rest, before: [], code: [], minutes: 0 };
    item.after = [];
    return [slide, ...alone(more, stage)];
  }

  /* A question stands below the paragraph that leads to it, if both are
     large. */
  function lead(slide) {
    const [first] = slide.items;
    if (!first.lead || slide.drawn) return;
    const above = copy(first.lead);
    slide.body.prepend(above);
    slide.body.classList.add("has-lead");
    if (Present.fit(slide) >= LEAST) return;
    above.remove();
    slide.body.classList.remove("has-lead");
    Present.fit(slide);
  }

  /** All slides of a page, on the stage. */
  return (items, stage) => {
    const slides = [];
    for (const item of items)
      if (!share(slides[slides.length - 1], item))
        slides.push(...alone(item, stage));
    slides.forEach(lead);
    const lesson = slides.filter((one) => !one.second).length;
    slides.forEach((slide, i) => {
      slide.steps.forEach((step) => step.hide());
      slide.count = i < lesson ? `${i + 1} / ${lesson}`
        : `After the lesson: ${i + 1 - lesson} / ${slides.length - lesson}`;
      slide.section.append(el("p", "present-foot", slide.count));
      const { minutes } = slide.items[0];
      if (minutes) slide.clock = Present.clock(minutes, slide.section);
    });
    return slides;
  };
})();
