"""What lessons fold and how long they take: book/_tools."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "book" / "_tools"))

import fold_tags  # noqa: E402
import minutes  # noqa: E402
import reading_time  # noqa: E402


@pytest.mark.parametrize(
    "text, folded",
    [
        ("import numpy as np\nnp.set_printoptions(precision=2)", True),
        ("import numpy as np\nx = np.ones(3)", False),
        ("import a\nimport b\nimport c\nx = 3", True),
        ("import a\nimport b\nimport c\nprint(3)", False),
        ("explorers.residual_stream()", True),
        ("ax = draw()\nplots.picture(ax, alt='a line')", True),
        ("plots.picture(ax, alt='a line')\nprint(x)", False),
        ("for x in rows:\n    assert x < 1", True),
        ("x = 1\nassert x", False),
        ("class A:\n" + 15 * "    x = 1\n", True),
        ("class A:\n" + 14 * "    x = 1\n", False),
        ("class A:\n" + 15 * "    x = 1\n" + "A()", False),
        ("%time x", False),
        ("# nothing yet", False),
    ],
)
def test_what_is_folded(text, folded):
    assert fold_tags.is_folded(text) == folded


def test_an_author_decides_otherwise():
    tags = [["show-input"], ["hide-cell"], ["answer:x"]]
    cells = [
        {
            "cell_type": "code",
            "source": ["import x"],
            "metadata": {"tags": some},
        }
        for some in tags
    ]
    fold_tags.tag({"cells": cells})
    found = [cell["metadata"]["tags"] for cell in cells]
    assert found == [["show-input"], ["hide-cell"], ["answer:x"]]


def test_minutes_are_counted(tmp_path, monkeypatch):
    words = "**Predict** " + 149 * "word " + "\n\n| not | read |\n"
    code = "x = 1\n\n" * 6
    asked = "### Exercise 1.1 (code, 7 min, easy): x"
    cells = [
        {"cell_type": "markdown", "source": [words], "metadata": {}},
        {"cell_type": "markdown", "source": [asked]},
        {"cell_type": "code", "source": [code], "metadata": {}, "outputs": []},
        {
            "cell_type": "code",
            "source": [code],
            "metadata": {"tags": ["hide-input"]},
            "outputs": [{"data": {"text/html": ['<div class="explorer">']}}],
        },
    ]
    path = tmp_path / "01_x.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    monkeypatch.setattr(minutes, "ROOT", tmp_path)
    monkeypatch.setattr(minutes, "seconds", lambda: {"01_x.ipynb": 210})
    assert minutes.visible_lines(minutes.cells_of(path)) == 6
    # a page of words, six lines, a prediction, a figure, three and a half
    # minutes of running: 1 + 1 + 1.5 + 3 + 3.5
    assert minutes.minutes_of(path) == minutes.Minutes(10, 7)


def test_an_experiment_ends_with_the_next_heading():
    texts = ["## More", "### Experiment 2: a", "x", "### Exercise 1.1: b"]
    texts += ["y", "### Experiment 3: c", "#### d", "z", "## Remarks"]
    cells = [{"cell_type": "markdown", "source": [text]} for text in texts]
    found = [
        (title, ["".join(cell["source"]) for cell in own])
        for title, own in reading_time.experiments(cells)
    ]
    assert found == [
        ("Experiment 2: a", ["### Experiment 2: a", "x"]),
        ("Experiment 3: c", ["### Experiment 3: c", "#### d", "z"]),
    ]
