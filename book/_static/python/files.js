/* Python's files: fetched on a click, never before, and compared with the
   manifest's SHA-256 before anything of them runs. */
(function (Python) {
  "use strict";

  /** Why Python cannot run here: one sentence for the reader. */
  class Refusal extends Error {}

  const IN_COLAB = "Everything else on this page works, and in Colab or " +
    "JupyterLab this does, too.";
  const SAID = {
    insecure: "Python is loaded over https only, or from this computer, since " +
      "elsewhere a browser cannot tell whether the files are the right ones. " +
      IN_COLAB,
    file: "Python cannot be loaded into a page that was opened as a file; " +
      "serve the book with “make serve” and open it there. " + IN_COLAB,
    old: "This browser has no WebAssembly, which runs Python in a page; a " +
      "newer browser has it. " + IN_COLAB,
    offline: (name) => `${name} could not be fetched; is there a connection? ` +
      "Try again when there is. " + IN_COLAB,
    missing: (name, code) => `${name} is not where it should be (answer ` +
      `${code}), so Python was not started. ` + IN_COLAB,
    other: (name) => `${name} is not the file that this book was tried with ` +
      "(its SHA-256 differs), so Python was not started. " + IN_COLAB,
    start: (why) => `Python did not start (${why}). ` + IN_COLAB,
  };

  /** A sentence if it is known before any request that Python cannot run. */
  function refusal() {
    if (location.protocol === "file:") return SAID.file;
    if (!window.isSecureContext) return SAID.insecure;
    if (typeof WebAssembly !== "object" || typeof Worker !== "function" ||
        !globalThis.crypto?.subtle) return SAID.old;
    return "";
  }

  const hex = (bytes) => [...new Uint8Array(bytes)]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");

  /** Fetch a file; `onbytes` hears how many bytes have come. */
  async function fetchOne(entry, onbytes) {
    let response;
    try {
      response = await fetch(new URL(entry.address, document.baseURI), {
        credentials: "omit", referrerPolicy: "no-referrer",
      });
    } catch {
      throw new Refusal(SAID.offline(entry.name));
    }
    if (!response.ok) {
      throw new Refusal(SAID.missing(entry.name, response.status));
    }
    const parts = [];
    try {
      const reader = response.body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        onbytes(value.length);
      }
    } catch {
      throw new Refusal(SAID.offline(entry.name));
    }
    const bytes = await new Blob(parts).arrayBuffer();
    const digest = hex(await crypto.subtle.digest("SHA-256", bytes));
    if (digest !== entry.sha256) throw new Refusal(SAID.other(entry.name));
    return bytes;
  }

  /** How much has to be loaded, in MB. */
  const megabytes = (manifest) => Math.round(
    manifest.files.reduce((sum, file) => sum + file.size, 0) / 1e6);

  /** " from such.a.host" if they don't lie beside the book, else "". */
  function host(manifest) {
    const outside = manifest.files.map((file) => new URL(file.address,
      document.baseURI)).find((address) => address.origin !== location.origin);
    return outside ? ` from ${outside.host}` : "";
  }

  /** Fetch all files; `onshare` hears the share of them that has come. */
  async function load(manifest, onshare) {
    const all = manifest.files.reduce((sum, file) => sum + file.size, 0);
    let come = 0;
    const files = {};
    await Promise.all(manifest.files.map(async (entry) => {
      files[entry.name] = await fetchOne(entry, (bytes) => {
        come += bytes;
        onshare(Math.min(1, come / all));
      });
    }));
    return files;
  }

  Object.assign(Python, { Refusal, SAID, refusal, megabytes, host, load });
})((window.Python = window.Python || {}));
