"""Answers to the exercises in code, as students write them.

Each exercise has a file of them, in course/wrong_answers or, for a part of the
reader's own Transformer, in course/part_answers. A function or class of that
file is an answer, unless its name begins with an underscore. It is named after
the mistake that the check must name; what follows a double underscore tells
several of the same kind apart. `right__...` must be accepted.
"""

import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def file_of(name):
    """The file of answers to an exercise."""
    (path,) = (HERE / "course").glob(f"*_answers/{name}.py")
    return path


def answers_to(name):
    """Load the answers to an exercise, by their own names."""
    spec = importlib.util.spec_from_file_location(
        f"answers_to_{name}", file_of(name)
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where Python looks for a class's lines
    spec.loader.exec_module(module)
    return {
        key: value
        for key, value in vars(module).items()
        if getattr(value, "__module__", "") == spec.name and key[0] != "_"
    }


def mistake_of(key):
    """The mistake that an answer is named after; "right" for a right one."""
    return key.split("__")[0]
