/* Put a translator into each place that the page has for one. The weights
   are fetched when the place comes near; from file://, too, since they are a
   script. */
(function (Live) {
  "use strict";

  /** Load the script of weights once; return the translator. */
  function load(address) {
    if (!load.begun) {
      load.begun = true;
      const script = document.createElement("script");
      script.src = address;
      document.head.append(script);
    }
    return Live.ready;
  }

  async function mount(root) {
    const { weights, size, samples, more, way } = root.dataset;
    const book = await load(weights);
    const list = JSON.parse(samples);
    const whole = size === "whole";
    const face = new Live.Face(root, book, { whole, samples: list, more, way });
    root.face = face;
    if (Live.Way) Live.way = new Live.Way(face);
    const place = document.querySelector(".live-own");
    if (place) {
      new Live.Own(place, book, (translator) => {
        // The pages to which the book's one leads know nothing of another.
        const links = translator === book ? { more, way } : {};
        const { text } = root.face.state;
        root.face.stop();
        root.face = new Live.Face(root, translator,
          { whole, samples: list, ...links });
        root.face.open(text, { play: true });
        if (root.getBoundingClientRect().top < 0) root.scrollIntoView();
      });
    }
    const first = list[0] ?? book.texts.samples[0][1];
    const linked = () => {
      const state = Live.fromLink(location.hash);
      if (!state) return false;
      root.scrollIntoView();
      root.face.change(state, true);
      return true;
    };
    if (!linked()) face.open(first, { play: true });
    addEventListener("hashchange", linked);
  }

  function start() {
    const near = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        near.unobserve(entry.target);
        mount(entry.target);
      }
    }, { rootMargin: "400px" });
    const linked = location.hash.startsWith("#s=");
    for (const root of document.querySelectorAll(".live")) {
      if (linked) mount(root);
      else near.observe(root);
    }
  }

  if (document.readyState === "loading") {
    addEventListener("DOMContentLoaded", start);
  } else {
    start();
  }
})((window.Live = window.Live || {}));
