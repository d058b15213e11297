/* What runs before a cell: the cells above that it needs, as the notebook's
   metadata name them ("imports:0,2 data": two statements of a cell, and all of
   another one), and those that the reader has changed. */
(function (Python) {
  "use strict";

  /** The cells to run before one, in the order of the page.
   *
   *  @param {string} name of the cell
   *  @param {Map} cells by name: {text, needs}, and of changed ones {changed},
   *    the reader's text, and {works}, whether it has run without an error
   *  @returns {Array} of {name, text, statements, changed, optional}; an
   *    optional one may be needed or not, and may fail
   */
  function plan(name, cells) {
    const wanted = new Map(); // name: numbers of statements, or null for all
    const needed = new Set();
    const want = (one, numbers, isNeeded) => {
      const before = wanted.get(one);
      const all = numbers === null || before === null;
      wanted.set(one, all ? null : [...new Set([...(before ?? []), ...numbers])]
        .sort((a, b) => a - b));
      if (isNeeded) needed.add(one);
    };
    const take = (needs = "", isNeeded) => {
      for (const need of needs.match(/\S+/g) ?? []) {
        const [one, numbers] = need.split(":");
        want(one, numbers ? numbers.split(",").map(Number) : null, isNeeded);
      }
    };
    const names = [...cells.keys()];
    const above = names.slice(0, names.indexOf(name));
    const own = cells.get(name);
    take(own.needs, true);
    for (const one of above.reverse()) { // what one needs is above it
      const { changed, works, needs } = cells.get(one);
      const isUsed = needed.has(one) && changed !== undefined;
      // Who writes a cell anew may use any name that there is.
      const isOffered = own.changed !== undefined && needs !== undefined;
      if (isUsed || works || isOffered) {
        want(one, null, isUsed);
        take(needs, isUsed);
      }
    }
    return names.filter((one) => wanted.has(one)).map((one) => {
      const { text, changed } = cells.get(one);
      return { name: one, text: changed ?? text, statements: wanted.get(one),
        changed: changed !== undefined, optional: !needed.has(one) };
    });
  }

  Object.assign(Python, { plan });
})((window.Python = window.Python || {}));
