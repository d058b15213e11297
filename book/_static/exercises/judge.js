/* Compare the numbers of an exercise on paper as `judge_paper` of the course
   does; book/_ext/exercises/paper_data.py writes what an exercise knows. */
(function (Exercises) {
  "use strict";

  const { flat, pairs, round, value, text } = Exercises;

  const within = (near) => (a, b) => Math.abs(a - b) <= near;
  const all = (test, got, want) => flat(pairs(test, got, want)).every(Boolean);

  /** The numbers of an order, 1 to n each once, or null. */
  function asOrder(got, near) {
    const whole = got.map(Math.round);
    const close = got.every((x, i) => Math.abs(x - whole[i]) <= near);
    const once = [...whole].sort((a, b) => a - b).every((x, i) => x === i + 1);
    return close && once ? whole : null;
  }

  /** The first rule that an order breaks, or undefined. */
  function brokenRule(order, rules) {
    return rules.find(([, lines, wanted]) => {
      const places = lines.map((line) => order.indexOf(line));
      const sorted = places.every((p, i) => i === 0 || places[i - 1] < p);
      return sorted !== wanted;
    })?.[0];
  }

  /** Two orders agree if they break the same rule first, or none. */
  function sameOrder({ near, rules }, got, other) {
    const mine = asOrder(got, near);
    const theirs = asOrder(other, near);
    if (!theirs) return asOrder(got.map((x) => x + 1), near) !== null;
    return mine !== null
      && brokenRule(mine, rules) === brokenRule(theirs, rules);
  }

  /** How far each number is above the last one. */
  const ahead = (list) => list.map((x) => x - list.at(-1));

  function agrees(exercise, got, want) {
    if (exercise.rules) return sameOrder(exercise, got, want);
    if (exercise.differences)
      return all(within(exercise.near), ahead(got), ahead(want));
    return all(within(exercise.near), got, want);
  }

  /** Are these the numbers wanted, some with two decimals only? */
  function roundsTo({ near }, got, want) {
    return all((a, b) => within(a === round(a, 2) ? 0.005 + 1e-9 : near)(a, b),
      got, want);
  }

  /** Each part of all the numbers, in its own shape. */
  function byPart(parts, numbers) {
    const row = flat(numbers);
    let start = 0;
    return parts.map(({ shape }) => {
      const size = shape.reduce((a, b) => a * b, 1);
      start += size;
      return shaped(row.slice(start - size, start), shape);
    });
  }

  /** A row of numbers as a table of such a shape. */
  function shaped(row, [rows, ...rest]) {
    if (rows === undefined) return row[0];
    const size = row.length / rows;
    return Array.from({ length: rows }, (_, i) =>
      shaped(row.slice(i * size, (i + 1) * size), rest));
  }

  /** The place of the first number that is not right, from 1. */
  function firstWrong(fits) {
    if (!Array.isArray(fits)) return [];
    const i = fits.findIndex((one) => !flat(one).every(Boolean));
    return [i + 1, ...firstWrong(fits[i])];
  }

  /** What a sentence may say of numbers that no mistake explains. */
  function facts({ parts, right, near }, got) {
    const fits = pairs(within(near), got, right);
    const each_ = byPart(parts, fits);
    const good = each_.map((one) => flat(one).every(Boolean));
    const place = good.indexOf(false);
    const { label, way } = parts[place];
    const count = good.filter(Boolean).length;
    const labels = (which) => parts.map((part) => part.label)
      .filter((_, i) => good[i] === which);
    return {
      got, fits, place, label, goodParts: good, good: count,
      way: way && (/[.?]$/.test(way) ? way : `${way}.`),
      mine: byPart(parts, got)[place],
      wanted: byPart(parts, right)[place],
      at: firstWrong(each_[place]),
      said: parts.map((part) => part.way),
      known: labels(true).map((one) => one.replace(/^the /, "")).join(", "),
      wrong: labels(false),
      begin: count
        ? `${count} of ${parts.length} ${count === 1 ? "is" : "are"} right. ` +
          `Look again at ${label}`
        : `None of the ${parts.length} is right yet. Begin with ${label}`,
    };
  }

  function holds(condition, known) {
    if (condition === true) return true;
    const [kind, first, second] = condition;
    if (kind === "nothing") return known.good === 0;
    if (kind === "right") return known.goodParts[first];
    if (kind === "formula") return Boolean(value(first, known));
    const low = pairs((a, b) => a < b, known.got, value(first, known));
    const high = pairs((a, b) => a > b, known.got, value(second, known));
    return [...flat(low), ...flat(high)].some(Boolean);
  }

  /** Say where to look. */
  function look(exercise, got) {
    const { parts, looks, mistakes, loose } = exercise;
    if (exercise.rules) return lookAtOrder(exercise, got);
    if (loose) {
      const close = (a, b) => Math.abs(a - b) <= 0.002 + loose * Math.abs(b);
      for (const [, said, values] of mistakes)
        if (values.some((one) => all(close, got, one)))
          return `${said} ${exercise.close}`;
    }
    const known = facts(exercise, got);
    const rule = looks.find(([condition]) => holds(condition, known));
    if (rule) return text(rule[1], known);
    if (parts.length === 1)
      return "Go through your steps once more, or ask for a hint.";
    return known.way ? `${known.begin}: ${known.way}` : `${known.begin}.`;
  }

  function lookAtOrder({ right, no_lines, missing }, got) {
    const lines = got.map((x) => round(x));
    const gone = right.map((_, i) => i + 1).filter((i) => !lines.includes(i));
    if (!gone.length) return no_lines;
    return missing.replace("{named}", gone.slice(0, 2).join(" and "))
      .replace("{verb}", gone.length === 1 ? "is" : "are");
  }

  const wrong = (message, mistake = null) =>
    ({ status: "wrong", message, mistake });
  const product = (list) => list.reduce((a, b) => a * b, 1);

  /** Shapes are compared by how many numbers an array of theirs holds. */
  function judgeShapes(exercise, got) {
    const { shapes, order, axes } = exercise;
    for (const [i, shape] of got.entries()) {
      const right = shapes[i];
      if (String(shape) === String(right)) continue;
      if (product(shape) !== product(right)) continue;
      const sorted = (list) => String([...list].sort((a, b) => a - b));
      const said = sorted(shape) === sorted(right) ? order : axes;
      return wrong(said.replace("{}", i + 1));
    }
    return judgeNumbers(exercise, got.map(product));
  }

  /** The marks that are taken either way are taken as right. */
  function accepted({ either = [], right }, got) {
    return got.map((x, i) =>
      (either.includes(i) && (x === 0 || x === 1) ? right[i] : x));
  }

  function judgeNumbers(exercise, numbers) {
    const { right, mistakes, praise, rounded } = exercise;
    const got = exercise.either ? accepted(exercise, numbers) : numbers;
    if (agrees(exercise, got, right))
      return { status: "right", message: praise, mistake: null };
    const named = (fits) => mistakes.find(([, , values]) =>
      values.some((one) => fits(exercise, got, one)));
    const known = named(agrees);
    if (known) return wrong(known[1], known[0]);
    if (roundsTo(exercise, got, right)) return wrong(rounded, "rounded");
    const near = named(roundsTo);
    if (near) return wrong(near[1], near[0]);
    return wrong(look(exercise, got));
  }

  /** The verdict on numbers in the shape of the answer: status ("right" or
   *  "wrong"), message, and the name of the mistake or null. */
  function judge(exercise, got) {
    return exercise.shapes ? judgeShapes(exercise, got)
      : judgeNumbers(exercise, got);
  }

  Object.assign(Exercises, { judge, shaped });
})(window.Exercises = window.Exercises || {});
