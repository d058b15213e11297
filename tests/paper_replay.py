"""Answers to the exercises on paper, and what Python says of them.

tests/book/test_paper_in_page.py plays them through the pages' JavaScript, in
Node where there is one, and tests/browser in Chromium.
"""

from itertools import product
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]

from formula_data import plain  # noqa: E402
from paper_data import data, exercises, paper_of  # noqa: E402

from transformer_course import checks  # noqa: E402

SCRIPTS = [
    ROOT / "book" / "_static" / "exercises" / f"{name}.js"
    for name in ("formula", "judge", "numbers")
]
NEIGHBORS = 20
TIES = {  # halves of the last digit that a sentence shows
    "same_output_by_hand": [0.6, 0.4, 0.0625, 0.4375, 0.5, 0.2, 0, 0.8],
}


def neighbors(right, random):
    """Yield answers near a right one: edges of the tolerance, slips."""
    flat = right.ravel()
    for number in range(NEIGHBORS):
        near = flat.copy()
        place = random.integers(len(near))
        match number % 7:
            case 0:
                near += random.uniform(-0.002, 0.002, len(near))
            case 1:
                near[place] += random.choice([-1, 1]) * 0.00211
            case 2:
                near[place] += random.choice([-1, 1])
            case 3:
                near = np.round(near, 2)
            case 4:
                other = random.integers(len(near))
                near[[place, other]] = near[[other, place]]
            case 5:
                near[place] = -near[place] or 2
            case 6:
                near = random.permutation(near)
        yield near.reshape(right.shape)


def answers(name):
    """Yield what is played for one exercise, as nested lists."""
    paper = paper_of(name)
    yield paper.answer
    for known in paper.misconceptions:
        if np.shape(known.value) == paper.answer.shape:
            yield known.value
            yield np.asarray(known.value) + 0.0013
            yield np.round(known.value, 2)
    random = np.random.default_rng(sum(map(ord, name)))
    yield from neighbors(paper.answer, random)
    for _ in range(NEIGHBORS):  # nothing is right, or little
        size = random.choice([0, 1, 10])
        yield paper.answer + random.normal(0, 1 + size, paper.answer.shape)
    if name in TIES:
        yield np.array(TIES[name])


def shapes_of(name):
    """Yield lists of shapes: of the known counts, turned, flat, longer."""
    paper = paper_of(name)
    right = data(paper)["shapes"]
    yield right
    for known in paper.misconceptions:
        counts = zip(right, paper.answer, known.value, strict=True)
        yield [s if want == n else [int(n)] for s, want, n in counts]
    for place, change in product(range(len(right)), range(3)):
        wrong = [list(shape) for shape in right]
        shape = wrong[place]
        wrong[place] = (
            shape[::-1] if change == 0
            else [int(np.prod(shape))] if change == 1
            else [*shape[:-1], shape[-1] + 1]
        )  # fmt: skip
        yield wrong


def played():
    """Return for each exercise its data, the answers and the verdicts."""
    found = {}
    for name in exercises():
        known = data(paper_of(name))
        play = shapes_of if "shapes" in known else answers
        given = [one for one in map(plain, play(name)) if None not in flat(one)]
        verdicts = [getattr(checks, name)(answer) for answer in given]
        said = [[one.status, one.mistake, one.message] for one in verdicts]
        found[name] = {"data": known, "given": given, "said": said}
    return found


def flat(nested):
    """Return the numbers of nested lists in a row."""
    if not isinstance(nested, list):
        return [nested]
    return [number for one in nested for number in flat(one)]
