/* Whether the reader knows what Python in the page loads and wants it. It is
   kept in this browser: from then on Python starts with the first key that is
   typed into an editor, on each page anew. `store` is that of page.js. */
/* global store */
(function (Python) {
  "use strict";

  const KEY = "python";

  Python.consent = {
    given: () => Boolean(store.get(KEY).agreed),
    give: () => store.set(KEY, { agreed: true }),
  };
})((window.Python = window.Python || {}));
