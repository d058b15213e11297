/* How ids are shown to a reader, and how a reader's line becomes ids. */
(function (Train) {
  "use strict";

  const NAMES = "abcdefghij";

  /** Return the text of an id: a letter, or the arrow. */
  const shown = (id) => NAMES[id] ?? "→";

  /** Read a reader's line; say what is wrong with it where it is none. */
  function readLine(typed) {
    const found = [...typed.toLowerCase()].filter((one) => /\S/.test(one));
    const strange = found.find((one) => !NAMES.includes(one));
    if (strange !== undefined) {
      return { problem: "It knows the letters a to j; " +
        `“${strange}” is none of them.` };
    }
    if (found.length !== Train.LENGTH) {
      return { problem: `It has learned lines of ${Train.LENGTH} letters; ` +
        `this one has ${found.length}.` };
    }
    return { asked: found.map((one) => NAMES.indexOf(one)) };
  }

  Object.assign(Train, { shown, readLine });
})(globalThis.Train);
