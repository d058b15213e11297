/* Where the reader is: which station, by scrolling, by keys or by buttons; and
   the drawing that shows it. */
(function (Live) {
  "use strict";

  const { el, button } = Live;
  const WHOLE = [-2, -10, 884, 286]; // of the drawing, as machine.py makes it
  const SHAPE = WHOLE[3] / WHOLE[2]; // the height of a part for its width
  const SMALLEST = 13; // size of its smallest letters, in its own units
  const READABLE = 11; // pixels that they need
  const SEEN = 0.3; // of the window below the band: where a station begins
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  class Travel {
    /** band: holds the drawing; sections: of the stations, in order; their
     *  way is asked to draw them before the page scrolls there, and is told
     *  when the reader has arrived at one. */
    constructor(band, sections, way) {
      Object.assign(this, { band, sections, way, now: -1 });
      this.page = band.parentElement;
      this.drawing = band.querySelector(".machine");
      this.drawing.querySelectorAll("a").forEach((a) => { a.tabIndex = -1; });
      this.name = el("p", { class: "way-name", "aria-live": "polite" });
      this.chips = el("div", { class: "way-chips" });
      this.back = button("Back", () => this.go(this.now - 1), "way-step");
      this.on = button("Next", () => this.go(this.now + 1), "way-step");
      this.one = Live.check("one station at a time",
        (yes) => this.single(yes));
      band.prepend(el("div", { class: "way-where" }, this.name, this.chips,
        el("div", { class: "way-steps" }, this.back, this.on,
          this.one.element)));
      new ResizeObserver(() => this.page.style.setProperty("--way-high",
        `${band.offsetHeight}px`)).observe(band);
      addEventListener("scroll", () => this.watch(), { passive: true });
      addEventListener("resize", () => { this.watch(); this.light(); });
      addEventListener("keydown", (event) => this.key(event));
      this.arrive(-1);
      if (calm.matches) this.single(true);
      this.watch();
    }

    get alone() {
      return this.page.classList.contains("way-single");
    }

    /** Show one station at a time, or all one below the other. */
    single(yes) {
      this.page.classList.toggle("way-single", yes);
      this.one.set(yes);
      if (yes) this.arrive(Math.max(0, this.now));
      else if (this.now >= 0) this.scrollTo(this.now, "instant");
    }

    arrive(n) {
      if (n === this.now && this.name.textContent) return;
      this.now = n;
      const title = this.sections[n]?.querySelector("h2");
      this.name.textContent = n < 0 ? "The whole machine"
        : `${n + 1} of ${this.sections.length}: ${
          title.firstChild.textContent}`;
      this.back.disabled = n < 0;
      this.on.disabled = n === this.sections.length - 1;
      this.sections.forEach((section, i) =>
        section.classList.toggle("way-here", i === n));
      this.way.arrived();
      this.light();
    }

    /** Go to a station; -1 is the top of the page. */
    go(n) {
      if (n >= this.sections.length) return;
      const behavior = calm.matches ? "instant" : "smooth";
      if (n < 0) {
        if (!this.alone) this.arrive(-1);
        scrollTo({ top: 0, behavior });
        return;
      }
      if (this.alone) this.arrive(n);
      this.scrollTo(n, behavior);
      const title = this.sections[n].querySelector("h2");
      title.tabIndex = -1;
      title.focus({ preventScroll: true });
    }

    scrollTo(n, behavior) {
      this.way.draw(this.way.places.slice(0, n + 1));
      this.sections[n].scrollIntoView({ behavior, block: "start" });
    }

    /** Which station is below the band? */
    watch() {
      if (this.alone) return;
      const { bottom } = this.band.getBoundingClientRect();
      const line = bottom + SEEN * (innerHeight - bottom);
      const places = this.sections.map((section) =>
        section.getBoundingClientRect().top < line);
      this.arrive(places.lastIndexOf(true));
    }

    /** The arrow keys to the left and right go from station to station; what
     *  a station still has below the window is shown before. */
    key(event) {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step || event.defaultPrevented || event.altKey || event.ctrlKey
        || event.metaKey || event.shiftKey) return;
      if (event.target.closest("input, select, textarea, [role=slider]")) {
        return;
      }
      event.preventDefault();
      const section = this.sections[this.now];
      const hidden = section && step > 0
        && section.getBoundingClientRect().bottom - innerHeight;
      const { bottom } = this.band.getBoundingClientRect();
      if (hidden > 1) {
        scrollBy({ top: Math.min(hidden, 0.8 * (innerHeight - bottom)),
                   behavior: calm.matches ? "instant" : "smooth" });
        return;
      }
      this.go(this.now + step);
    }

    shapes(lit) {
      return lit.map(([part, which]) => this.drawing.querySelectorAll(
        `[data-part="${part}"]`)[which]).filter(Boolean);
    }

    /** Light what the station is about. */
    light() {
      const name = this.sections[this.now]
        ?.querySelector(".way-station").dataset.station;
      const { lit = [], near = lit } = Live.stations[name] ?? {};
      const shapes = this.shapes(lit);
      for (const shape of this.drawing.querySelectorAll(".m-part")) {
        shape.classList.toggle("m-lit", shapes.includes(shape));
      }
      this.aim(this.shapes(near));
    }

    /** Show the lit part of the drawing, so large that its words can be read;
     *  where nothing is lit the whole, with numbers in place of the words. */
    aim(shapes) {
      let view = WHOLE;
      const wide = this.drawing.clientWidth * SMALLEST / READABLE;
      const small = wide < WHOLE[2];
      this.drawing.classList.toggle("way-far", small && !shapes.length);
      if (shapes.length && small) {
        const boxes = shapes.map((shape) => shape.getBBox());
        const left = Math.min(...boxes.map((box) => box.x));
        const right = Math.max(...boxes.map((box) => box.x + box.width));
        const top = Math.min(...boxes.map((box) => box.y));
        const low = Math.max(...boxes.map((box) => box.y + box.height));
        const middle = (from, to, size, start, all) => Math.max(start,
          Math.min(start + all - size, (from + to - size) / 2));
        view = [middle(left, right, wide, WHOLE[0], WHOLE[2]),
                middle(top, low, SHAPE * wide, WHOLE[1], WHOLE[3]),
                wide, SHAPE * wide];
      }
      this.drawing.setAttribute("viewBox", view.join(" "));
    }
  }

  Live.Travel = Travel;
})((window.Live = window.Live || {}));
