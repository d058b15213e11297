"""Python in the page, for the tests: its files, a server, answers to play."""

import ast
import contextlib
import functools
import html
import http.server
import importlib
import json
import linecache
import os
import re
import shutil
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from built import HTML, ROOT, built_pages
from npm_package import files_of
from stored_answers import answers_to, file_of, mistake_of

from transformer_course import checks
from transformer_course.grading.reading.program import needed, statements_of

sys.path.insert(0, str(ROOT / "book" / "_tools"))

from fetch_pyodide import write_manifest
from pyodide_files import CORE, MANIFEST, read

_SCRIPT = r'<script type="application/json" class="{}">(.*?)</script>'
FILES = re.compile(_SCRIPT.format("python-files"), re.S)
ABOUT = re.compile(_SCRIPT.format("exercise-about"), re.S)


def pyodide_files(folder):
    """Put Pyodide's files into a folder, or skip and say why."""
    named = os.environ.get("PYODIDE")
    wheels = sorted((ROOT / named).glob("numpy-*.whl")) if named else []
    if not wheels:
        pytest.skip("PYODIDE names no folder with NumPy's wheel for Pyodide")
    content = files_of(f"pyodide@{read()['version']}", CORE, folder)
    for name, text in content.items():
        (folder / name).write_bytes(text)
    shutil.copyfile(wheels[0], folder / wheels[0].name)
    write_manifest(folder)
    return folder


class _Server(http.server.SimpleHTTPRequestHandler):
    """The built book, as `make book PYODIDE=folder` would have made it."""

    folder = Path()

    def log_message(self, *args):
        pass

    def do_GET(self):
        self.server.asked.append(self.path)
        name = self.path.split("?")[0]
        if name.startswith("/_static/pyodide/"):
            return self.send((self.folder / Path(name).name).read_bytes())
        if name.endswith(".html") and (HTML / name[1:]).exists():
            text = (HTML / name[1:]).read_text(encoding="utf-8")
            return self.send(FILES.sub(self.beside, text).encode())
        return super().do_GET()

    def beside(self, match):
        """The page's manifest with the addresses of the folder."""
        told = json.loads(match[1])
        own = json.loads((self.folder / MANIFEST).read_text("utf-8"))["files"]
        for entry in own:
            entry["address"] = f"/_static/pyodide/{entry['name']}"
        told["files"] = [*own, told["files"][-1]]
        text = json.dumps(told).replace("<", "\\u003c")
        return match[0].replace(match[1], text)

    def send(self, content):
        """Answer with some bytes."""
        kind = self.guess_type(self.path.split("?")[0])
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@contextlib.contextmanager
def serve(folder):
    """Serve the book with Python's files; yield address and what is asked."""
    kind = type("Server", (_Server,), {"folder": folder})
    handler = functools.partial(kind, directory=str(HTML))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", server.asked
    server.shutdown()


@functools.cache
def exercises():
    """All exercises in code as the built pages have them, by name."""
    found = {}
    for page in built_pages('class="exercise-about"'):
        text = (HTML / page).read_text(encoding="utf-8")
        for told in map(json.loads, ABOUT.findall(text)):
            if "call" in told:
                found.setdefault(told["name"], told | {"page": page})
    return found


def put_all(page):
    """Put the exercises of all pages into this one."""
    page.evaluate(
        """list => {
          for (const about of list) {
            const root = Python.el("div", { class: "exercise-work all",
              "data-exercise": about.name, "data-kind": "code" });
            const told = Python.el("script", { type: "application/json",
              class: "exercise-about" });
            told.textContent = JSON.stringify(about);
            root.append(told);
            document.querySelector("article, main").append(root);
            root.exercise = new Python.Exercise(root);
          }
        }""",
        list(exercises().values()),
    )


def check(page, name, source):
    """Type an answer, check it; return the words and the kind of verdict."""
    return page.evaluate(
        """async ([name, source]) => {
          const root = [...document.querySelectorAll(
            `[data-exercise="${name}"]`)].at(-1);
          const { area } = root.exercise.editor;
          area.value = source;
          area.dispatchEvent(new Event("input"));
          await root.exercise.check();
          const place = root.querySelector(".verdict");
          return { text: place.textContent, kind: place.className,
            more: root.querySelector(".verdict-more").textContent };
        }""",
        [name, source],
    )


# ------------------------------------------------------------ answers to play


def typed(path, key, name):
    """What a student would type: one answer of a file, with what it needs."""
    lines = [statements_of(path.read_text(encoding="utf-8"))]
    chosen = needed(lines, 0, [key])
    texts = [ast.unparse(line.node) for _, line in chosen]
    return "\n\n".join([*texts, f"{name} = {key}" if key != name else ""])


def solution(name):
    """The right answer of the catalogue."""
    module = importlib.import_module(f"{checks.__name__}.code.{name}")
    thing = module.EXERCISE.solve.thing
    return typed(Path(module.__file__), thing.__name__, name)


def named_mistakes(name, most=3):
    """Yield stored wrong answers that need no torch, and their names."""
    seen = {"right"}
    for key in answers_to(name):
        mistake = mistake_of(key)
        if mistake in seen:
            continue
        source = typed(file_of(name), key, name)
        if "torch" not in source:
            seen.add(mistake)
            yield mistake, source
        if len(seen) > most:
            return


def in_notebook(name, about, source):
    """The verdict of the check where a kernel runs the cell."""
    scope = {"__name__": "__main__", "np": np, "checks": checks}
    for text in about["before"]:
        with contextlib.suppress(Exception):
            exec(text, scope)
    file = f"a cell for {name}"
    lines = source.splitlines(keepends=True)
    linecache.cache[file] = (len(source), None, lines, file)
    exec(compile(source, file, "exec"), scope)
    return eval(about["call"], scope)


def words_of(verdict):
    """What a page shows of a verdict, without what is asked and the hints."""
    shown = replace(verdict, hints=(), asked_once=False)._repr_html_()
    return plain(re.sub(r"<[^>]+>", "", shown), verdict)


def plain(text, verdict):
    """A text on one line, without what is asked."""
    text = " ".join(html.unescape(text).split())
    text = re.sub(r"Asked: .*?(?=given|printed|$)", "", text)
    return re.sub(r"\s+", "", text)
