// Plays answers through the JavaScript of the pages: node play_paper.js SCRIPT...
// What comes in is {name: {data, given}} or {read: [text, ...]}.
"use strict";
const fs = require("fs");
const vm = require("vm");

globalThis.window = globalThis;
for (const path of process.argv.slice(2))
  vm.runInThisContext(fs.readFileSync(path, "utf8"), { filename: path });
const { judge, read, readShape } = globalThis.Exercises;
const sent = JSON.parse(fs.readFileSync(0, "utf8"));
const told = sent.read
  ? sent.read.map(([text, kind]) => (kind === "shape" ? readShape(text)
    : read(text, { comma: kind === "comma" })))
  : Object.fromEntries(Object.entries(sent).map(([name, { data, given }]) =>
    [name, given.map((answer) => judge(data, answer))
      .map(({ status, mistake, message }) => [status, mistake, message])]));
console.log(JSON.stringify(told));
