"""What no student is to read: solutions, sentences, numbers; and a search."""

import html
import inspect
import io
import json
import re
import zipfile
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

from paper_data import data, exercises, paper_of  # noqa: E402

from transformer_course import checks  # noqa: E402
from transformer_course.checks import parts  # noqa: E402

WORDS = 8  # a run of these is looked for first, the whole text after that


def plain(text):
    """The words of a text, however it was written into a file."""
    text = html.unescape(text).replace("\\n", " ").replace("\\u003c", "<")
    return " ".join(re.findall(r"\w+", text))


def solutions():
    """Yield name and source of the solution of each exercise in code."""
    homes = {home for home in checks.homes() if ".code." in home}
    homes |= {f"{parts.__name__}.{name}" for name in parts.PARTS}
    for home in sorted(homes):
        solve = import_module(home).EXERCISE.solve
        body = "\n".join(
            line
            for line in inspect.getsource(solve.thing).splitlines()
            if not line.strip().startswith("#")
        )
        yield home.rpartition(".")[2], body


def sentences():
    """Yield name and text of all that a check says to a wrong answer."""
    homes = {home for home in checks.homes() if ".code." in home}
    homes |= {f"{parts.__name__}.{name}" for name in parts.PARTS}
    for home in sorted(homes):
        for mistake in import_module(home).EXERCISE.mistakes:
            yield f"{home}, {mistake.id}", mistake.message
            yield f"{home}, {mistake.id}", mistake.hint
    for name in exercises():
        paper = paper_of(name)
        for known in paper.misconceptions:
            yield f"{name}, {known.id}", known.message
        yield name, paper.praise


def numbers():
    """Yield name and right numbers of each exercise on paper, as in a page."""
    for name in exercises():
        known = data(paper_of(name))
        yield name, json.dumps({key: known[key] for key in ("near", "right")})


def texts(path):
    """Yield what can be read in a file, and in the files of a ZIP."""
    content = path.read_bytes()
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                yield archive.read(name).decode("utf-8", "replace")
        return
    text = content.decode("utf-8", "replace")
    yield text
    if path.suffix == ".html":  # code in colors is cut into pieces
        yield re.sub(r"<[^<>]*>", "", text)


def runs(words):
    """Yield each run of WORDS words."""
    for start in range(len(words) - WORDS + 1):
        yield " ".join(words[start : start + WORDS])


def readable(folder, secrets):
    """Find texts in the files of a folder.

    Args:
        folder: with all that students get.
        secrets: pairs of a name and a text.

    Returns:
        Pairs of a name and the file in which the text can be read.
    """
    wanted = {}
    for name, text in secrets:
        text = plain(text)
        words = text.split(" ")
        key = " ".join(words[:WORDS]) if len(words) >= WORDS else None
        if text:
            wanted.setdefault(key, set()).add((name, text))
    short = wanted.pop(None, set())
    found = set()
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.suffix in (".woff2", ".png", ".pyc"):
            continue
        for text in map(plain, texts(path)):
            some = [
                one
                for run in wanted.keys() & set(runs(text.split(" ")))
                for one in wanted[run]
            ]
            found |= {
                (name, path.relative_to(folder).as_posix())
                for name, secret in (*some, *short)
                if secret in text
            }
    return sorted(found)


def no_words(text):
    """Tell whether a text is one that anybody may write."""
    return len(re.findall(r"\w+", text)) < WORDS
