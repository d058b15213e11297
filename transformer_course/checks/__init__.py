"""Checks for the book's exercises: they say what is wrong, and why.

A check takes your function (or your numbers) and returns a `Verdict`:

    from transformer_course import checks

    checks.softmax(my_softmax)                # shows the verdict in a notebook
    verdict = checks.softmax(my_softmax)
    verdict.ok, verdict.mistake, verdict.printed, verdict.hint(1)
    assert verdict                            # True for a right answer only

A check never raises, never prints, never waits longer than a few seconds and
never lets your code change the inputs it is compared on, or anything else
that outlasts the call. The seconds are those in which your code computes or
sleeps; imports do not count, nor does the work of other programs.

How the package is built: an exercise in code is NAME.py in `code`, and NAME.txt
beside it with its texts; one on paper is NAME.txt in `paper`. Its name is that
of the check. `engine` holds what they have in common. Its `verdict` is what is
shown, with an `example`. `guard` calls foreign code in a `box`, which leaves
nothing behind (`changes` says what the call did to its inputs); `foreign` looks
at objects that may misbehave, and the package `errors` at the error that ends a
call. `reading` turns answers into arrays and compares them. `exercise` says
what an exercise in code is made of, `catalogue` how its mistakes are written,
`paper` what one on paper is made of, `paper_text` how that is written, and
`formula` works it out; a `submission` is what a student hands over. `judge`
goes from the first look
(`preconditions`) over the known mistakes (`matching`, `whole_numbers`) and
unfinished answers (`half_way`) to the first of the `properties` that breaks;
where none does but that the values are right, an answer is listened to on its
way (`steps`), and what can be said is where its numbers part from the right
ones (`parting`).
"""

from importlib import import_module
from pathlib import Path

from transformer_course.checks.engine import sealed

_HERE = Path(__file__).parent
TOOLS = {
    "answered": "engine.answered",
    "Verdict": "engine.verdict",
    "build": "parts",
    "exercise": "engine.private",
}
_HOME = TOOLS | {
    name: f"code.{name}" for name in sealed.modules(_HERE / "code")
}
_ON_PAPER = sealed.texts(_HERE / "paper")

__all__ = sorted([*_HOME, *_ON_PAPER])

sealed.install(__name__)


def __getattr__(name: str):
    """Load a check the first time it is asked for."""
    if name not in __all__:
        known = ", ".join(__all__)
        raise AttributeError(
            f"{__name__} has no check {name!r}; it has {known}"
        )
    if name in _ON_PAPER:
        value = import_module(f"{__name__}.paper").check_of(name)
    else:
        value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    if name not in TOOLS or name == "build":
        value = import_module(f"{__name__}.engine.verdict").from_the_front_door(
            value
        )
    globals()[name] = value
    return value


def homes() -> set[str]:
    """The full names of the modules that hold the checks in code."""
    return {f"{__name__}.{home}" for home in _HOME.values()}


def __dir__() -> list[str]:
    return __all__
