/* What the trainer is made of. A part is a function, so that the page can
   hand its text to a worker: from file:// a worker can load no script. */
(function () {
  "use strict";

  const parts = [];
  const Train = {
    Numbers: Float32Array, // of every matrix; a test takes Float64Array
    part(body) {
      parts.push(body);
      body(Train);
    },
    /** Return the parts so far as one script. */
    source: () => [
      "const Train = { Numbers: Float32Array };",
      ...parts.map((body) => `(${body})(Train);`),
    ].join("\n"),
  };
  globalThis.Train = Train;
})();
