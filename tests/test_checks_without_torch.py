"""The checks of code and paper work where torch cannot be loaded.

The page judges there: a browser has NumPy and no torch.
"""

import subprocess
import sys

import pytest

from transformer_lib.course import checks

PROGRAM = """
import sys
for absent in ("torch", "scipy", "sklearn", "pandas", "matplotlib"):
    sys.modules[absent] = None
from importlib import import_module
from transformer_lib.course import checks

def answers(exercise):
    "A right answer, a wrong one, and the name of its mistake."
    if hasattr(exercise, "answer"):
        wrong = exercise.misconceptions[0]
        return exercise.answer.tolist(), wrong.value.tolist(), wrong.id
    wrong = next(mistake for mistake in exercise.mistakes if mistake.edits)
    return exercise.variant({}), exercise.variant(wrong.edits[0]), wrong.id

for home in sys.argv[1:]:
    name = home.rpartition(".")[2]
    try:
        module, check = import_module(home), getattr(checks, name)
        exercise = module.PAPER if ".paper." in home else module.EXERCISE
        right, wrong, mistake = answers(exercise)
        said = check(right), check(wrong)
        if not said[0].ok or said[1].mistake != mistake:
            print(name, said, mistake)
    except Exception as error:
        print(name, repr(error))
"""


@pytest.mark.parametrize("kind", ["code", "paper"])
def test_right_and_wrong_answers_are_judged_without_torch(kind):
    homes = sorted(one for one in checks.homes() if f".checks.{kind}." in one)
    assert len(homes) > 20
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *homes],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0 and done.stdout == "", done.stdout + done.stderr
