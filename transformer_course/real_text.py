"""The real text of chapters 18 and 19, which every installation of Python has.

    paragraphs = real_text.paragraphs()

Python brings its own language reference along, for the function `help`. It is
read where it lies, and no part of it belongs to this book. A few builds leave
it out, such as those for browsers. There the descriptions in modules of the
standard library take its place, and a line says so.
"""

import inspect
from importlib import import_module

__all__ = ["pages", "paragraphs"]

MODULES = (
    "argparse ast builtins collections csv datetime decimal difflib functools "
    "heapq inspect itertools json logging math operator os pathlib pickle "
    "random re shutil statistics string tempfile textwrap traceback unittest "
    "zipfile"
).split()


def pages() -> list[str]:
    """Read the text: its pages, each on one subject.

    Prints a line if this Python comes without its language reference.

    Returns:
        The pages in a fixed order, with the line breaks of the original.

    Chapters 18 and 19.
    """
    try:
        topics = import_module("pydoc_data.topics").topics
        return [topics[name] for name in sorted(topics)]
    except ImportError:
        print(
            "This Python comes without its language reference (pydoc_data). "
            "The descriptions in its standard library take its place."
        )
        return _descriptions()


def paragraphs() -> list[str]:
    """Read the text: its paragraphs in a fixed order, equal ones only once.

    Returns:
        The paragraphs, each a line with single spaces.

    Chapter 18.
    """
    found = [
        " ".join(p.split()) for page in pages() for p in page.split("\n\n")
    ]
    return list(dict.fromkeys(filter(None, found)))


def _descriptions() -> list[str]:
    """Return what modules, their functions, classes and methods say of them."""
    found = []
    for module in map(import_module, MODULES):
        for thing in [module, *vars(module).values()]:
            inner = vars(thing).values() if inspect.isclass(thing) else []
            for described in [thing, *inner]:
                text = getattr(described, "__doc__", None)
                if isinstance(text, str):
                    found.append(inspect.cleandoc(text))
    return found
