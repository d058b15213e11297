/* Formulas of a catalogue, as book/_ext/exercises/formula_data.py writes them: lists that
   say what to do and with what. Arrays are nested lists, as in NumPy, and what
   is done to two of them is done to each pair of their numbers. */
(function (Exercises) {
  "use strict";

  const depth = (x) => (Array.isArray(x) ? 1 + depth(x[0] ?? 0) : 0);
  const flat = (x) => (Array.isArray(x) ? x.flat(Infinity) : [x]);
  const each = (f, x) => (Array.isArray(x) ? x.map((y) => each(f, y)) : f(x));

  /** f of each pair of two arrays; the one with fewer axes is repeated. */
  function pairs(f, a, b) {
    const [m, n] = [depth(a), depth(b)];
    if (m + n === 0) return f(a, b);
    if (m > n) return a.map((x) => pairs(f, x, b));
    if (n > m) return b.map((y) => pairs(f, a, y));
    return a.map((x, i) => pairs(f, x, b[i]));
  }

  /** Half goes to the even neighbor, as in NumPy. */
  function rint(x) {
    const whole = Math.round(x);
    return Math.abs(x % 1) === 0.5 && whole % 2 ? whole - 1 : whole;
  }
  const round = (x, decimals = 0) =>
    rint(x * 10 ** decimals) / 10 ** decimals;

  /** f of the numbers along one axis; without one, of all. */
  function along(f, x, axis) {
    if (axis === undefined) return f(flat(x));
    if (axis + 1 === depth(x)) return axis ? x.map((y) =>
      along(f, y, axis - 1)) : f(x);
    return x.map((y) => along(f, y, axis - 1));
  }
  const sum = (list) => list.reduce((a, b) => a + Number(b), 0);

  const CALLS = {
    abs: (x) => each(Math.abs, x),
    round: (x, n) => each((y) => round(y, n), x),
    isin: (x, list) => each((y) => list.includes(y), x),
    len: (x) => x.length,
    verb: (n) => (n === 1 ? "is" : "are"),
    first_true: (x) => x.findIndex(Boolean),
    last_true: (x) => x.findLastIndex(Boolean),
  };
  const FOLDS = {
    all: (list) => list.every(Boolean),
    any: (list) => list.some(Boolean),
    count: (list) => list.filter(Boolean).length,
    max: (list) => Math.max(...list),
    min: (list) => Math.min(...list),
    mean: (list) => sum(list) / list.length,
    sum,
  };
  const BOTH = {
    add: (a, b) => a + b, sub: (a, b) => a - b,
    mul: (a, b) => a * b, div: (a, b) => a / b,
    lt: (a, b) => a < b, le: (a, b) => a <= b,
    gt: (a, b) => a > b, ge: (a, b) => a >= b,
    eq: (a, b) => Number(a) === Number(b),
    ne: (a, b) => Number(a) !== Number(b),
  };

  /** A row of numbers times a table. */
  const matmul = (row, table) => table[0].map((_, k) =>
    sum(row.map((x, i) => x * table[i][k])));

  /** Work a formula out; names: the value of each name. */
  function value(formula, names) {
    if (!Array.isArray(formula)) return formula;
    const [what, ...rest] = formula;
    const get = (one) => value(one, names);
    if (rest.length === 0) return names[what];
    if (what in BOTH) return pairs(BOTH[what], ...rest.map(get));
    switch (what) {
      case "is": return rest[0];
      case "not": return each((x) => !x, get(rest[0]));
      case "neg": return each((x) => -x, get(rest[0]));
      case "and": return rest.every((one) => get(one));
      case "or": return rest.some((one) => get(one));
      case "if": return get(rest[0]) ? get(rest[1]) : get(rest[2]);
      case "at": return get(rest[0]).at(get(rest[1]));
      case "part": return get(rest[0]).slice(get(rest[1] ?? 0),
        rest[2] === null ? undefined : get(rest[2]));
      case "reversed": return [...get(rest[0])].reverse();
      case "join": return get(rest[1]).join(rest[0]);
      case "matmul": return matmul(get(rest[0]), get(rest[1]));
    }
    const [name, given, axis] = rest;
    const values = given.map(get);
    return name in CALLS ? CALLS[name](...values)
      : along(FOLDS[name], values[0], axis);
  }

  /** A number with four decimals at the most and no needless zeros. */
  function number(x, decimals = 4) {
    if (x !== 0 && (Math.abs(x) < 5e-5 || Math.abs(x) >= 1e6))
      return general(x, 3);
    // A tie, such as 0.03125, goes to the even neighbor, as in Python.
    const tie = Number.isInteger(x * 2 ** (decimals + 1));
    const text = (tie ? round(x, decimals) : x).toFixed(decimals);
    const short = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
    return short === "-0" ? "0" : short;
  }

  /** As Python's format g: so many digits, an exponent where it is shorter. */
  function general(x, digits = 6) {
    const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
    if (exponent >= -4 && exponent < digits)
      return String(Number(x.toPrecision(digits)));
    const sign = exponent < 0 ? "-" : "+";
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${Number(mantissa)}e${sign}${size}`;
  }

  function written(x, form) {
    if (typeof x === "string") return x;
    if (Array.isArray(x)) return `(${x.map((y) => number(y)).join(", ")})`;
    const [, , decimals, kind] = /^(,?)(?:\.(\d+))?([dfg]?)$/.exec(form);
    if (kind === "g") return general(x, Number(decimals ?? 6));
    if (kind === "f") return x.toFixed(Number(decimals ?? 6));
    return kind === "d" ? String(x) : number(Number(x));
  }

  /** A text with its formulas worked out. */
  function text(pieces, names) {
    if (!Array.isArray(pieces)) return pieces;
    return pieces.map((piece) => (Array.isArray(piece)
      ? written(value(piece[0], names), piece[1]) : piece)).join("");
  }

  Object.assign(Exercises, { flat, each, pairs, round, number, value, text });
})(window.Exercises = window.Exercises || {});
