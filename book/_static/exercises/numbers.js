/* Read a number as people type it: 1/3, 0,5, sqrt(2), 2^5, -3 with the minus of a
   phone. What could be two numbers is asked about, what is none gets a sentence.

     read("1/3")   {value: 0.3333333333333333}
     read("1,2")   {ask: "...", choices: [["1.2", ...], ...]}
     read("three") {wrong: "..."}
     read("  ")    {empty: true} */
(function (Exercises) {
  "use strict";

  const FRACTIONS = { "½": "(1/2)", "⅓": "(1/3)", "⅔": "(2/3)", "¼": "(1/4)",
    "¾": "(3/4)", "⅕": "(1/5)", "⅙": "(1/6)", "⅛": "(1/8)" };
  const POWERS = { "⁰": 0, "¹": 1, "²": 2, "³": 3, "⁴": 4, "⁵": 5, "⁶": 6, "⁷": 7,
    "⁸": 8, "⁹": 9, "⁻": "-" };
  const FUNCTIONS = { sqrt: Math.sqrt, root: Math.sqrt, exp: Math.exp,
    ln: Math.log, log2: Math.log2, log10: Math.log10, sin: Math.sin,
    cos: Math.cos, abs: Math.abs };
  const CONSTANTS = { pi: Math.PI, e: Math.E };
  const SUCH_AS = "Write it as 0.25, 1/4, sqrt(2) or 2^5.";

  /** Signs of keyboards and other writing systems as plain ones. */
  function plain(text) {
    return text.normalize("NFC")
      .replace(/[\uff01-\uff5e]/g, (c) =>
        String.fromCharCode(c.charCodeAt(0) - 0xfee0))
      .replace(/[\u2010-\u2015\u2212\ufe63\uff0d]/g, "-")
      .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, " ")
      .replace(/[\u200b-\u200f\ufeff]/g, "")
      .replace(/[×·∙⋅]/g, "*").replace(/[÷∕⁄:]/g, "/")
      .replace(/[½⅓⅔¼¾⅕⅙⅛]/g, (c, at, whole) =>
        (/\d\s*$/.test(whole.slice(0, at)) ? "+" : "") + FRACTIONS[c])
      .replace(/[⁰¹²³⁴-⁹⁻]+/g, (run) =>
        "^(" + [...run].map((c) => POWERS[c]).join("") + ")")
      .replace(/√\s*([\d.]+|pi|π)/g, "sqrt($1)").replace(/√/g, "sqrt")
      .replace(/π/g, "pi").replace(/\*\*/g, "^").replace(/、|，/g, ",")
      .trim();
  }

  class Nonsense extends Error {}

  /** The name, if a formula may use it. */
  function known(name) {
    if (name === "log")
      throw new Nonsense("Which logarithm? Write ln(2), log2(2) or log10(2).");
    if (!Object.hasOwn({ ...FUNCTIONS, ...CONSTANTS }, name))
      throw new Nonsense();
    return name;
  }

  /** What stands in a text, piece by piece. */
  function pieces(text) {
    const found = [];
    const piece =
      /\s*(?:((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|([a-z]+\d*)|([-+*/^()%]))/iy;
    while (piece.lastIndex < text.length) {
      const match = piece.exec(text);
      if (!match) throw new Nonsense();
      const [, number, name, sign] = match;
      if (number) found.push(Number(number));
      else if (sign) found.push(sign);
      else found.push(known(name.toLowerCase()));
    }
    return found;
  }

  /** Work a text out, from left to right; a power goes to the right. */
  function evaluate(text) {
    const rest = pieces(text);
    const take = (...signs) => (signs.includes(rest[0]) ? rest.shift() : null);

    function sum() {
      let value = term();
      for (let sign; (sign = take("+", "-"));)
        value = sign === "+" ? value + term() : value - term();
      return value;
    }
    function term() {
      let value = signed();
      for (;;) {
        if (take("*")) value *= signed();
        else if (take("/")) value = divided(value, signed());
        else if (rest[0] === "(" || rest[0] in FUNCTIONS ||
            rest[0] in CONSTANTS) value *= power(); // 2 sqrt(2), 2 pi
        else return value;
      }
    }
    function divided(value, by) {
      if (by === 0)
        throw new Nonsense("Nothing can be divided by 0.");
      return value / by;
    }
    function signed() {
      if (take("-")) return -signed();
      take("+");
      return power();
    }
    function power() {
      const value = atom();
      return take("^") ? value ** signed() : value;
    }
    function atom() {
      const piece = rest.shift();
      let value = piece;
      if (piece === "(") value = closed(sum());
      else if (piece in FUNCTIONS) {
        if (!take("("))
          throw new Nonsense(`After ${piece} comes a bracket: ${piece}(2).`);
        value = FUNCTIONS[piece](closed(sum()));
      } else if (piece in CONSTANTS) value = CONSTANTS[piece];
      else if (typeof piece !== "number") throw new Nonsense();
      return take("%") ? value / 100 : value;
    }
    function closed(value) {
      if (!take(")")) throw new Nonsense("A bracket is not closed.");
      return value;
    }

    const value = sum();
    if (typeof rest[0] === "number" && /\s/.test(text))
      throw new Nonsense("There are two numbers here, with nothing between.");
    if (rest.length) throw new Nonsense();
    if (!Number.isFinite(value))
      throw new Nonsense("This is not a finite number.");
    return value;
  }

  /** The ways to read commas, if there is more than one. */
  function commas(text) {
    const shown = `\`${text}\``;
    if (/^[([].*,.*[)\]]$|\d,\s+[-\d]/.test(text))
      return { wrong: `${shown} is more than one number. Each field takes one.` };
    const decimal = text.replace(/,/g, ".");
    const joined = text.replace(/,/g, "");
    if (/^-?\d{1,3}(,\d{3})+$/.test(text) && /,.*,/.test(text))
      return { text: joined };
    if (/\d,\d{3}\.\d/.test(text)) return { text: joined }; // 1,234.5
    if (/,.*,/.test(text) && !/[-+*/^(]/.test(text))
      return { wrong: `${shown} is more than one number. Each field takes one.` };
    if (/(^|[^\d,.])0*,\d/.test(text)) return { text: decimal }; // 0,5 or ,5
    if (/^-?[1-9]\d{0,2},\d{3}$/.test(text)) return {
      ask: `${shown} can be read in two ways. Which number do you mean?`,
      choices: [joined, decimal] };
    if (/\d,\d/.test(text)) return {
      ask: `Is ${shown} one number, with a comma as the decimal point? ` +
        "A field takes one number; if these are two, the second has a field " +
        "of its own.",
      choices: [decimal] };
    return { wrong: `${shown} is not a number. ${SUCH_AS}` };
  }

  /** Read a number; `comma` says that commas are decimal points here. */
  function read(typed, { comma = false } = {}) {
    let text = plain(typed);
    if (/^(\.{2,}|…|\?)?$/.test(text)) return { empty: true };
    const wrong = (said) => ({ wrong: said });
    if (/^-?\d{1,3}( \d{3})+$/.test(text)) text = text.replace(/ /g, "");
    if (/^-?\d+ \d+\/\d+$/.test(text)) {
      const [whole, part] = text.split(" ");
      return { ask: `What is \`${text}\`?`,
        choices: [`${whole}${whole[0] === "-" ? "-" : "+"}${part}`,
          `${whole}${part}`] };
    }
    text = text.replace(/^=\s*/, "").replace(/,$|(?<=\d)(\.{2,}|…)$/, "");
    if (text.includes(",")) {
      const found = commas(text);
      if (comma && found.choices?.length === 1) text = found.choices[0];
      else if (found.text === undefined) return found;
      else text = found.text;
    }
    try {
      return { value: evaluate(text) };
    } catch (error) {
      if (!(error instanceof Nonsense)) throw error;
      const shown = text.length > 30 ? `${text.slice(0, 30)}...` : text;
      return wrong(error.message ? `\`${shown}\`: ${error.message}`
        : `\`${shown}\` is not a number. ${SUCH_AS}`);
    }
  }

  /** Read a shape, such as (3, 2), 3 x 2 or 7. */
  function readShape(typed) {
    const text = plain(typed).toLowerCase();
    if (/^(\.{2,}|…|\?|\(\)|\[\])?$/.test(text)) return { empty: true };
    const inner = text.replace(/^[([]\s*(.*?)\s*,?\s*[)\]]$/, "$1")
      .replace(/,$/, "");
    const axes = inner.split(/\s*[,x*;]\s*|\s+/);
    if (axes.every((axis) => /^\d{1,6}$/.test(axis)))
      return { value: axes.map(Number) };
    return { wrong: `\`${typed.trim().slice(0, 30)}\` is not a shape. Write the ` +
      "length of each axis, such as (3, 2), or (3,) for a single axis." };
  }

  Object.assign(Exercises, { read, readShape });
})(window.Exercises = window.Exercises || {});
