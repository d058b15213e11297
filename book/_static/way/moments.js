/* Three moments of the way, in motion: rows slide into the mix, lights go out,
   the new piece flies back to where the decoder reads. Each begins when the
   reader arrives at its station or changes something there; copies of what is
   drawn move and go, and the page is as it was. */
(function (Live) {
  "use strict";

  const { el } = Live;
  const TIME = 300; // milliseconds
  const FIRST = "encoder.layers.0";

  /** Lay a copy over something, let it move, and take it away. */
  function ghost(copy, { left, top, width, height }, frames) {
    copy.classList.add("way-ghost");
    copy.setAttribute("aria-hidden", "true");
    Object.assign(copy.style, {
      left: `${left}px`, top: `${top}px`, width: `${width}px`,
      height: `${height}px`,
    });
    document.body.append(copy);
    const motion = copy.animate(frames, { duration: TIME, easing: "ease-in" });
    motion.onfinish = motion.oncancel = () => copy.remove();
  }

  const boxOf = (element) => element.getBoundingClientRect();
  const cellsIn = (place, nth) => [...place
    .querySelectorAll(".way-rows")[nth].querySelectorAll(".way-cells")];

  /** The values with the largest weights become one row, by their shares. */
  function mix(way, place) {
    const rows = cellsIn(place, 0);
    const mixed = rows.pop();
    const shares =
      way.maps[`${FIRST}.self_attention`][way.head][way.follow];
    const largest = Live.best(shares, rows.length);
    rows.forEach((row, n) => {
      const box = boxOf(row);
      const down = boxOf(mixed).top - box.top;
      ghost(row.cloneNode(true), box, {
        transform: ["none", `translateY(${down}px)`],
        opacity: [1, shares[largest[n]]],
      });
    });
    mixed.animate({ opacity: [0, 0, 1] }, { duration: TIME });
  }

  /** All numbers inside are there, until the ReLU cuts off the negative. */
  function dim(way, place) {
    const before = way.trace[`${FIRST}.feed_forward.linear1`][way.follow];
    const limit = Live.largest(before);
    const lines = cellsIn(place, 1);
    Live.fold("", before, before.length / lines.length)
      .forEach(({ values }, n) => ghost(Live.cells(values, limit),
        boxOf(lines[n]), { opacity: [1, 1, 0] }));
  }

  /** The piece that was written goes to the left of the decoder. */
  function fly(way, place) {
    const label = place.querySelector(".way-strong .way-label > span");
    const [written] = way.travel.shapes([["written", 0]]);
    if (!label || !written) return;
    const [from, to] = [label, written].map(boxOf);
    const right = to.left + to.width / 2 - from.left;
    const down = to.top + to.height / 2 - from.top - from.height / 2;
    ghost(el("b", { lang: "ko" }, label.textContent), from, {
      transform: ["none", `translate(${right}px, ${down}px)`],
      opacity: [1, 1, 0.2],
    });
  }

  const moments = { heads: mix, forward: dim, again: fly };

  /** Play the moment of a station, if it has one and motion is wanted. */
  function play(way, place) {
    const moment = moments[place?.dataset.station];
    if (!moment || !BookMotion.wanted() || !way.face.written) return;
    if (place.querySelector(".way-rows, .way-bars")) moment(way, place);
  }

  Live.moments = { play };
})((window.Live = window.Live || {}));
