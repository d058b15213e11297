"""Checks for the book's exercises: they say what is wrong, and why.

A check takes your function (or your numbers) and returns a `Verdict`:

    from transformer_lib import checks

    checks.softmax(my_softmax)                # shows the verdict in a notebook
    verdict = checks.softmax(my_softmax)
    verdict.ok, verdict.mistake, verdict.hint(1)

A check never raises, never prints, never waits longer than a few seconds and
never lets your code change the inputs it is compared on.

How the package is built: `verdict` holds what is shown, `guard` runs foreign
code safely, `reading` turns answers into arrays and compares them, `exercise`
says what an exercise in code is made of, and `paper` one on paper. `judge`
goes from the first look (`trouble`) to the last resort (`laws`, the first
property that breaks). Each exercise lives in a file of its own together with
the wrong answers it knows.
"""

from importlib import import_module

_HOME = {
    "Verdict": "verdict",
    "softmax": "about_softmax",
    "self_attention": "about_self_attention",
    "context_vector_by_hand": "by_hand",
    "exact_match": "about_exact_match",
}

__all__ = sorted(_HOME)


def __getattr__(name: str):
    """Load a check the first time it is asked for."""
    if name not in _HOME:
        known = ", ".join(__all__)
        raise AttributeError(
            f"transformer_lib.checks has no check {name!r}; it has {known}"
        )
    module = import_module(f"{__name__}.{_HOME[name]}")
    value = getattr(module, name)
    globals()[name] = value
    return value


def homes() -> set[str]:
    """The full names of the modules that hold the checks."""
    return {f"{__name__}.{home}" for home in _HOME.values()}


def __dir__() -> list[str]:
    names = {*globals(), *__all__}
    return sorted(name for name in names if not name.startswith("_"))
