/* The stage: entering, showing a slide, leaving. */
"use strict";

(() => {
  const { el, places, notes } = Present;
  const KEYS = [["\u2192 \u2193 Space", "on, or the result"],
    ["\u2190 \u2191", "back"], ["Home, End", "first, last"],
    ["1 to 9", "one hand more for an answer, 0 clears"], ["c", "the code"],
    ["n", "the notes; N in a window of their own"], ["t", "the clock"],
    ["b", "black"], ["f", "full screen"], ["p, Esc", "leave"]];
  const HINT = 3000; // milliseconds
  let stage, close, panel, status, slides = [], now = 0, step = 0, entry = null;

  const size = () => {
    const high = innerHeight - (panel.hidden ? 0 : panel.offsetHeight);
    const scale = Math.min(innerWidth / Present.WIDTH, high / Present.HEIGHT);
    stage.style.transform =
      `translate(${(innerWidth - Present.WIDTH * scale) / 2}px,` +
      `${(high - Present.HEIGHT * scale) / 2}px) scale(${scale})`;
  };

  function tell(said) {
    const slide = slides[now];
    status.textContent = said;
    notes.tell({ slide, next: slides[now + 1],
      more: step < slide.steps.length });
  }

  /** Show a slide by its number from 0, with its first results. */
  function show(number, shown = 0) {
    now = Math.max(0, Math.min(slides.length - 1, number));
    const slide = slides[now];
    slides.forEach((one, i) => {
      one.section.classList.toggle("current", i === now);
      one.section.inert = i !== now;
    });
    stage.classList.remove("black");
    step = Math.min(shown, slide.steps.length);
    slide.steps.forEach((one, i) => (i < step ? one.show() : one.hide()));
    history.replaceState(null, "", `#slide-${now + 1}`);
    if (stage.contains(document.activeElement)) stage.focus();
    tell(`Slide ${slide.count}: ${slide.title}`);
    if (slide.drawn) requestAnimationFrame(() => Present.fit(slide));
  }

  function forth() {
    const slide = slides[now];
    if (step < slide.steps.length) {
      slide.steps[step].show();
      step += 1;
      tell("The result is shown.");
    } else if (now < slides.length - 1) show(now + 1);
  }

  function back() {
    if (step > 0) {
      step -= 1;
      slides[now].steps[step].hide();
      tell("The result is hidden.");
    } else if (now > 0) show(now - 1, Infinity);
  }

  /* ------------------------------------------------------ code of a slide */

  function code() {
    const slide = slides[now];
    const open = slide.section.querySelector(".present-code");
    if (open) return open.remove();
    const cells = slide.items.flatMap((one) => one.code);
    if (!cells.length) return undefined;
    const box = el("div", "bd-article present-code");
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "Code");
    box.append(...cells.map((cell) => Present.copy(cell)));
    slide.section.append(box);
    return box.focus();
  }

  /* ---------------------------------------------------- entering, leaving */

  /* The slide of what the reader sees at the top of the window. */
  const seen = (items) => {
    const low = items.filter((one) =>
      one.place.isConnected && one.place.getBoundingClientRect().bottom > 80);
    return low.reduce((best, one) => (!best ||
      one.place.compareDocumentPosition(best.place) &
      Node.DOCUMENT_POSITION_FOLLOWING ? one : best), null) ?? items[0];
  };

  /* What the reader sees, and how far below the edge of the window it is. */
  function anchor(article) {
    const { left, width } = article.getBoundingClientRect();
    const node = document.elementsFromPoint(left + width / 3, innerHeight / 3)
      .find((one) => article.contains(one)) ?? article;
    return [node, node.getBoundingClientRect().top];
  }

  function build(items) {
    stage = el("div", "present-stage");
    stage.tabIndex = -1;
    stage.setAttribute("role", "region");
    stage.setAttribute("aria-label", "Slides");
    status = el("p", "present-status");
    status.setAttribute("role", "status");
    stage.append(status);
    const byFinger = matchMedia("(pointer: coarse)").matches;
    const hint = el("p", "present-hint",
      byFinger ? "Swipe to turn the slides" : "? lists the keys");
    stage.append(hint);
    setTimeout(() => hint.remove(), HINT);
    panel = notes.begin();
    close = el("button", "present-close", "\u00d7"); // for fingers alone
    close.type = "button";
    close.setAttribute("aria-label", "Back to the page");
    close.addEventListener("click", leave);
    panel.before(stage, close);
    for (const one of document.body.children) {
      if ([stage, close, panel].includes(one) || one.inert) continue;
      one.inert = true;
      entry.inert.push(one);
    }
    document.documentElement.classList.add("presenting");
    size();
    slides = Present.slides(items, stage);
  }

  function enter(number) {
    const article = document.querySelector("article.bd-article");
    if (Present.on) return number === null ? undefined : show(number);
    Present.on = true;
    window.bookFolds.byReader = false;
    entry = { at: anchor(article), focus: document.activeElement, inert: [],
      hash: location.hash.startsWith("#slide-") ? "" : location.hash,
      folds: [...article.querySelectorAll("details")]
        .map((fold) => [fold, fold.open]) };
    const items = Present.walk(article);
    const first = seen(items);
    build(items);
    Present.steer(stage);
    const there = slides.findIndex((one) => one.items.includes(first));
    entry.slide = number ?? Math.max(0, there);
    show(entry.slide);
    return stage.focus();
  }

  function leave() {
    const { place } = slides[now];
    const moved = now !== entry.slide;
    slides.forEach((one) => {
      one.clock?.stop();
      one.steps.forEach((each) => each.show());
    });
    places.restore();
    for (const [fold, open] of entry.folds) fold.open = open;
    entry.inert.forEach((one) => (one.inert = false));
    stage.remove();
    close.remove();
    notes.end();
    document.documentElement.classList.remove("presenting");
    if (document.fullscreenElement) document.exitFullscreen();
    history.replaceState(null, "",
      location.pathname + location.search + entry.hash);
    const [node, top] = moved && place.isConnected ? [place, 120] : entry.at;
    const goTo = () => scrollBy(
      { top: node.getBoundingClientRect().top - top, behavior: "instant" });
    goTo();
    entry.focus?.focus({ preventScroll: true });
    requestAnimationFrame(() => requestAnimationFrame(goTo)); // figures settle
    Present.on = false;
    setTimeout(() => { // after the folds' own events
      window.bookFolds.byReader = !Present.on;
    }, 50);
  }

  /** The keys, over the slide, until the key is pressed again. */
  function help() {
    const open = stage.querySelector(".present-help");
    if (open) return open.remove();
    const list = el("dl");
    list.append(...KEYS.flatMap(([keys, what]) =>
      [el("dt", "", keys), el("dd", "", what)]));
    const box = el("div", "present-help");
    box.setAttribute("role", "status");
    box.append(list);
    return stage.append(box);
  }

  const full = () => (document.fullscreenElement ? document.exitFullscreen()
    : document.documentElement.requestFullscreen().catch(() => {}));

  Object.assign(Present, { enter, leave, show, forth, back, code, full, help,
    first: () => show(0),
    last: () => show(slides.length - 1),
    black: () => stage.classList.toggle("black"),
    clockOf: () => slides[now].clock?.toggle(),
    showNotes() {
      notes.toggle();
      size();
    } });
  Object.defineProperties(Present,
    { all: { get: () => slides }, now: { get: () => now } });

  addEventListener("resize", () => Present.on && size());

  /* On paper each slide has its notes below it. */
  addEventListener("beforeprint", () => {
    if (!Present.on) return;
    for (const slide of slides) {
      slide.steps.forEach((one) => one.show());
      const handout = el("aside", "bd-article present-handout");
      handout.append(...notes.of(slide));
      slide.section.after(handout);
    }
  });
  addEventListener("afterprint", () => {
    if (!Present.on) return;
    stage.querySelectorAll(".present-handout").forEach((one) => one.remove());
    show(now, step);
  });})();
