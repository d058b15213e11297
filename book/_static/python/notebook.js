/* All answers as one notebook for Colab or JupyterLab: the set-up cell of the
   chapters, then for each exercise its imports, the answer and its check. */
(function (Python) {
  "use strict";

  const lines = (text) => text.split("\n")
    .map((line, i, all) => (i < all.length - 1 ? `${line}\n` : line));

  let count = 0;
  const markdown = (text) => ({
    cell_type: "markdown", id: `text-${++count}`, metadata: {},
    source: lines(text),
  });
  const code = (text, tags = []) => ({
    cell_type: "code", id: `code-${++count}`,
    metadata: tags.length ? { tags } : {},
    execution_count: null, outputs: [], source: lines(text),
  });

  /** The notebook of [name, answer] pairs, as JSON. */
  function notebook(answers, setUp) {
    count = 0;
    const cells = [
      markdown("# My answers\n\nFrom “The Transformer, Step by Step”. Run the " +
        "cells from the top; each check says what it thinks of the answer " +
        "above it."),
      code(setUp),
      code("import numpy as np\nfrom transformer_course import checks"),
      ...answers.flatMap(([name, { number, title, call, before, text }]) => [
        markdown(`### Exercise ${number}: ${title}`),
        code(before.join("\n")),
        code(text, [`answer:${name}`]),
        code(call),
      ]),
    ];
    const kernelspec = {
      display_name: "Python 3", language: "python", name: "python3",
    };
    return JSON.stringify({
      cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5,
    }, null, 1);
  }

  function download(name, text) {
    const address = URL.createObjectURL(
      new Blob([text], { type: "application/x-ipynb+json" }));
    Python.el("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }

  const downloadAnswers = (setUp) => download("my_answers.ipynb",
    notebook(Python.answers.inOrder(), setUp));

  Object.assign(Python, { notebook, downloadAnswers });
})((window.Python = window.Python || {}));
