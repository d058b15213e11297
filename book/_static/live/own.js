/* The reader's own translator in place of the book's: a file is chosen, or
   dropped onto the page, and read here. It is neither sent nor kept. */
(function (Live) {
  "use strict";

  const { el, button } = Live;
  const LET_GO = "live-let-go"; // while a file hangs over the page

  /** Return a translator of what `Live.readOwn` has read. The words about
   *  words are the book's, as far as this one knows them. */
  function ownTranslator({ config, tokens, weights, trained }, book) {
    const tokenizer = book.tokenizer.of(tokens);
    return Object.assign(Object.create(Live.Translator.prototype), {
      model: new Live.Transformer(config, weights),
      tokenizer,
      texts: book.texts.within(tokenizer),
      trained,
      measured: null,
      confidence: null, // none was measured
    });
  }

  class Own {
    /** place: the element to fill; show(translator): put it on the page. */
    constructor(place, book, show) {
      Object.assign(this, { place, book, show });
      this.input = el("input", {
        id: Live.newId(), type: "file", accept: ".json,application/json",
        autocomplete: "off", onchange: () => this.take(this.input.files[0]),
      });
      this.said = el("p", { class: "live-own-said", role: "status" });
      this.back = button("Ask the book’s translator again",
        () => this.leave());
      this.back.hidden = true;
      place.replaceChildren(
        el("label", { for: this.input.id }, "Your my_translator.json"),
        this.input, this.said, this.back);
      this.listen();
    }

    /** Take what is dropped anywhere: a browser would open it instead. */
    listen() {
      const over = (on) => this.place.classList.toggle(LET_GO, on);
      const isFile = (event) => event.dataTransfer?.types.includes("Files");
      document.addEventListener("dragover", (event) => {
        if (!isFile(event)) return;
        event.preventDefault();
        over(true);
      });
      document.addEventListener("dragleave", (event) => {
        if (!event.relatedTarget) over(false);
      });
      document.addEventListener("drop", (event) => {
        if (!isFile(event)) return;
        event.preventDefault();
        over(false);
        this.input.value = "";
        this.take(event.dataTransfer.files[0]);
      });
    }

    /** Read a file; where it is unfit, say so, and change nothing else. */
    async take(file) {
      if (!file) return;
      const call = (this.call = (this.call ?? 0) + 1);
      const [read, unfit] = await readFile(file);
      if (call !== this.call) return; // another one was taken since
      if (unfit) {
        this.say(`${unfit} Nothing has changed.`);
        return;
      }
      this.show(ownTranslator(read, this.book));
      this.say(`Here is ${read.trained}. ${ownersOf(read.parts)} It answers `
        + "above, without a probability: nobody has measured how often it is "
        + "right.");
      this.back.hidden = false;
    }

    leave() {
      this.call += 1; // what is being read comes too late
      this.input.value = "";
      this.show(this.book);
      this.say("Above, the book’s translator answers again.");
      this.input.focus();
      this.back.hidden = true;
    }

    say(words) {
      this.said.textContent = words;
    }
  }

  /** Return [what was read, ""], or [null, why nothing was]. */
  async function readFile(file) {
    const large = Live.tooLarge(file.size);
    if (large) return [null, large];
    try {
      return [Live.readOwn(await file.text()), ""];
    } catch (error) {
      return [null, error instanceof Live.Unfit ? error.message
        : "This cannot be read as a file."];
    }
  }

  function ownersOf({ yours, "the book's": books }) {
    if (!books.length) return "All of its parts are yours.";
    if (!yours.length) return "Its parts are the book’s.";
    return `Yours: ${yours.join(", ")}. The book’s: ${books.join(", ")}.`;
  }

  Object.assign(Live, { Own, ownTranslator });
})((window.Live = window.Live || {}));
