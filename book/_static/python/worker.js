/* Python itself. `workerSource` is the text of a worker: it is started from a
   blob in the sandboxed frame (sandbox.js), whose policy it inherits, and gets
   the files as messages, since it can fetch nothing. With them comes the name
   of the function that answers, such as page_answer.judge. */
(function (Python) {
  "use strict";

  /* Runs in the worker, which sees nothing of this page. */
  function work() {
    "use strict";
    const tell = self.postMessage.bind(self);
    let answer = null;

    const script = (bytes) => URL.createObjectURL(
      new Blob([bytes], { type: "text/javascript" }));

    /* Pyodide fetches its parts; here they are handed over. */
    function handingOver(files) {
      return async (address) => {
        const name = String(address.url || address).split("/").pop();
        if (!files[name]) throw new TypeError(`no ${name}`);
        const type = name.endsWith(".wasm")
          ? "application/wasm" : "application/octet-stream";
        return new Response(files[name], { headers: { "Content-Type": type } });
      };
    }

    async function start({ files, serves }) {
      const kept = self.fetch;
      self.fetch = handingOver(files);
      for (const name of ["pyodide.js", "pyodide.asm.js"]) {
        importScripts(script(files[name]));
      }
      const base = "https://files.invalid/";
      const python = await self.loadPyodide({
        indexURL: base,
        stdLibURL: `${base}python_stdlib.zip`,
        lockFileURL: `${base}pyodide-lock.json`,
      });
      self.fetch = kept;
      for (const name of Object.keys(files)) {
        if (name.endsWith(".whl")) python.unpackArchive(files[name], "wheel");
      }
      python.unpackArchive(files["course.zip"], "zip");
      const [module, name] = serves.split(".");
      answer = python.pyimport(module)[name];
    }

    self.onmessage = async ({ data }) => {
      try {
        if (data.files) {
          await start(data);
          tell({ ready: true });
        } else {
          const said = answer(data.job, (state) => tell({ state }));
          tell({ id: data.id, said });
        }
      } catch (error) {
        tell({ id: data.id, broken: String(error).slice(0, 2000) });
      }
    };
  }

  Python.workerSource = `(${work})();`;
})((window.Python = window.Python || {}));
