/* What a check said, in the page. It comes from the room where the reader's
   code has run, so nothing of it is trusted: known elements are made anew,
   without their attributes, and of all others the text alone stays. */
(function (Python) {
  "use strict";

  const { el } = Python;
  const KEPT = new Set(["DIV", "P", "STRONG", "EM", "CODE", "TABLE", "TBODY",
    "TR", "TH", "TD", "PRE"]);
  const DROPPED = new Set(["SCRIPT", "STYLE", "TEMPLATE", "IFRAME", "OBJECT",
    "TITLE", "TEXTAREA", "NOSCRIPT"]);
  const STATES = ["right", "wrong", "not attempted"];

  function copy(node) {
    if (node.nodeType === Node.TEXT_NODE) return [node.data];
    if (node.nodeType !== Node.ELEMENT_NODE || DROPPED.has(node.nodeName)) {
      return [];
    }
    const inner = [...node.childNodes].flatMap(copy);
    if (!KEPT.has(node.nodeName)) return inner;
    const more = node.nodeName === "TH" ? { scope: "row" } : {};
    return [el(node.nodeName.toLowerCase(), more, ...inner)];
  }

  /** The harmless part of an HTML text, as nodes. */
  function clean(html) {
    const parsed = new DOMParser().parseFromString(String(html), "text/html");
    return [...parsed.body.childNodes].flatMap(copy);
  }

  const block = (title, text) => [
    el("p", { class: "verdict-label" }, title), el("pre", {}, text)];

  /** Show a state and some nodes in the place for the verdict. */
  function show(place, state, ...nodes) {
    const known = STATES.includes(state) ? state : "wrong";
    place.className = `verdict verdict-${known.replace(" ", "-")}`;
    place.replaceChildren(...nodes);
  }

  const sentence = (place, state, title, text) =>
    show(place, state, el("p", {}, el("strong", {}, title)),
      el("p", {}, text));

  /** A sentence; what stands between backticks in it is code. */
  const spoken = (text) => text.split("`").map((part, n) =>
    (n % 2 ? el("code", {}, part) : part));

  /** An error: its last line, what it may come from, and where. */
  function errorNodes(told) {
    return [
      el("p", {}, el("strong", {}, "An error"), " · ",
        el("code", {}, String(told.error))),
      ...(told.cause ? [el("p", {}, ...spoken(String(told.cause)))] : []),
      ...(told.trace ? [el("pre", {}, String(told.trace))] : []),
    ];
  }

  /** Show what the page's Python said; return whether the answer is right.
   *  `more` gets the hints, which open when they are wanted; none where the
   *  page has the notebook's own. */
  function showSaid(place, more, said, hasHints = false) {
    const told = JSON.parse(said);
    const nodes = told.error === undefined ? clean(told.html)
      : errorNodes(told);
    if (told.printed) nodes.push(...block("Printed", String(told.printed)));
    show(place, told.status, ...nodes);
    const extra = (Array.isArray(told.more) ? told.more : [])
      .filter(([label]) => !hasHints || !/^Hint\b/.test(label));
    more.replaceChildren(...extra.map(([label, html]) =>
      el("details", {}, el("summary", {}, String(label)), ...clean(html))));
    return told.status === "right";
  }

  Object.assign(Python, { clean, sentence, showSaid, errorNodes });
})((window.Python = window.Python || {}));
