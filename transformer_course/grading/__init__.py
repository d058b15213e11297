"""Marking a class: `transformer-course grade FOLDER --csv FILE`.

    from transformer_course.grading import Class, grade

    for row in grade("submissions").rows:
        print(row.name, row.right, "of", len(row.results), *row.notes)

How it is built. In `reading`, `exercises` reads what a chapter asks,
`collecting` all files; `recognizing` tells of which chapter they are, `owners`
and `students` whose, and `class_work` puts that together, with what `notes`
finds for a person to look at. In `running`, `marking` goes through the
exercises; the judge of the checks gives the verdicts, here, over an answer that
is `handed_in` and lives in a `process` of its own, in the sandbox of
`confinement`, whose files are `leftovers`; `ahead` starts the next one
meanwhile. On the other side of the pipe (`wire`) stand the `child`, the
`notebook` with what is `beside` it, and the `program`, those lines of it that
an answer needs; import lines from before the course moved mean there what they
meant (`old_names`). In `writing`, `table`, `feedback`, `explored` and
`overview` say what came out. Above these, `run` does it for a class, with its
`roster`, a `clock` for what came together, the `journal` of earlier runs and
the `seal` of the packages; `rows` are what comes out, and `pages` puts them on
the disk.

A student's code decides on nothing but the numbers that it computes. It does
not decide which inputs are asked for, what they are compared with, how exact
they have to be, or what is said of them. Whoever sends right numbers without
having computed them could as well have copied the answer, and has gained
nothing more.
"""

from importlib import import_module
from typing import Any

# A student's process needs a few of these modules, and starts sooner so.
_HOME = {
    "Class": "run",
    "Result": "rows",
    "Row": "rows",
    "grade": "run",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    """Load a name the first time it is asked for."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__.copy()
