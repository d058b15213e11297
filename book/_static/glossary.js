/* A field above the glossary's tables that hides the rows without what is
   typed in it, in any column. */
(function () {
  "use strict";

  const plain = (text) => text.normalize("NFKD").toLowerCase()
    .replace(/\p{M}/gu, "").replace(/\s+/g, " ").trim();

  function start() {
    const tables = [...document.querySelectorAll("table.words")];
    if (!tables.length) return;
    const rows = tables.flatMap((table) => [...table.tBodies[0].rows])
      .map((row) => [row, plain(row.textContent)]);

    const box = document.createElement("search");
    box.className = "words-filter";
    box.innerHTML = '<label for="words-filter">Show the rows with</label>'
      + '<input id="words-filter" type="search" autocomplete="off" '
      + 'spellcheck="false"><p role="status"></p>';
    const [input, said] = [box.querySelector("input"), box.lastElementChild];

    function show() {
      const wanted = plain(input.value);
      let count = 0;
      for (const [row, text] of rows) {
        row.hidden = !text.includes(wanted);
        count += !row.hidden;
      }
      for (const table of tables) { // with its heading and what stands there
        const part = table.closest("section");
        part.hidden = [...part.querySelectorAll("table.words tbody tr")]
          .every((row) => row.hidden);
      }
      said.textContent = !wanted ? `${rows.length} rows`
        : count ? `${count} of ${rows.length} rows`
          : "No row has that. Try part of a word, in English, Korean or "
            + "Chinese.";
    }

    input.addEventListener("input", show);
    addEventListener("hashchange", () => { // a link to a row that is hidden
      const row = document.getElementById(location.hash.slice(1));
      if (!row?.closest("[hidden]")) return;
      input.value = "";
      show();
      row.scrollIntoView();
    });
    tables[0].closest("section").before(box);
    show();
  }

  start();
})();
