"""A book of one chapter without a fault, for tests that plant one in it."""

from copy import deepcopy
from pathlib import Path

from notebook_file import dumped
from page_rules import complaints
from page_rules.pages import ROOT
from run_notebooks import KERNEL, LANGUAGE

SETUP = (ROOT / "book" / "_tools" / "setup_cell.py").read_text("utf-8")
MOVING = '<div class="explorer"><svg aria-label="A line"></svg></div>'
DRAWN = (
    '<svg xmlns="http://www.w3.org/2000/svg"><title>A line that falls slowly.'
    "</title></svg>"
)
FIVE = range(1, 6)
SENTENCES = "\n".join(f"{n}. Of {n} scores $x_{n}$ remain." for n in FIVE)


def words(name, text):
    return {
        "cell_type": "markdown",
        "id": name,
        "metadata": {},
        "source": text,
    }


def code(name, text, output=None, tags=(), **metadata):
    """A cell of code; its output is HTML, a drawing or plain text."""
    kind = {MOVING: "text/html", DRAWN: "image/svg+xml"}
    shown = {
        "data": {kind.get(output, "text/plain"): output},
        "metadata": {},
        "output_type": "display_data",
    }
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name,
        "metadata": {"tags": [*tags], **metadata},
        "outputs": [shown] if output else [],
        "source": text,
    }


def setup():
    return code(
        "setup", SETUP.rstrip("\n"), tags=["setup", "hide-input"],
        jupyter={"source_hidden": True}, cellView="form",
    )  # fmt: skip


LESSON = [
    words("title", "# 1. One idea\n\n**Time:** as long as it takes."),
    setup(),
    words("words", "See Figure 1.1 and Exercise 1.2.\n\n"
                   "- the [laboratory](../book/laboratory/01_one_idea.ipynb"
                   "#exercise-12-explore-5-min-easy-more)\n"
                   "- the [solutions](../book/solutions/01_one_idea.ipynb)\n"
                   "- ![A cat](../book/cat.png)"),
    code("figure", "explorers.walk()", MOVING, ["hide-input"]),
    words("caption", "*Figure 1.1 (interactive). A walk in one plane.*"),
    words("experiment", "### Experiment 1: up"),
    code("short", "x = 1"),
    words("question", "<details><summary>A. One</summary>\n\nRight.</details>"
                      "\n<details><summary>B. Two</summary>\n\nNo.</details>"),
    code("answer", "print(x)", "1", ["hide-output"], collapsed=True,
         jupyter={"outputs_hidden": True}),
    words("in-short", "> **In short.** It falls."),
    words("exercise", "### Exercise 1.1 (code, 5 min, easy): less"),
    code("exercise-code", "...", tags=["answer:one"]),
    words("words-table", "## Words\n\n| English | 한국어 | 繁體中文 | in one "
                         "line |\n|---|---|---|---|\n"
                         "| idea | 생각 | 想法 | what one has |\n"),
    words("summary", f"## Summary\n\n{SENTENCES}"),
    words("languages", "\n".join(
        f'<details lang="{name}"><summary>x</summary>\n\n{SENTENCES}\n\n'
        "</details>" for name in ("ko", "zh-Hant"))),
]  # fmt: skip
LABORATORY = [
    words("title", "# One idea, the laboratory"),
    setup(),
    words("words", "Back to the [lesson](../../chapters/01_one_idea.ipynb)."),
    words("experiment", "### Experiment 2: down"),
    code("figure", "plots.picture(x)", DRAWN, ["hide-input"]),
    words("caption", "*Figure 1.2. A line that falls.*"),
    words("exercise", "### Exercise 1.2 (explore, 5 min, easy): more"),
    code("home", "...", tags=["answer:two"]),
]
SOLUTIONS = [
    words("title", "# Solutions"),
    setup(),
    words("words", "Back to the [lesson](../../chapters/01_one_idea.ipynb)."),
    words("first", "## Exercise 1.1: less"),
    code("first-code", "x = 0", "0"),
    words("second", "## Exercise 1.2: more"),
    code("second-code", "x = 2"),
]
NAME = "01_one_idea.ipynb"
FOLDERS = {
    "lesson": "chapters",
    "laboratory": "book/laboratory",
    "solutions": "book/solutions",
}
GLOSSARY = """# Glossary

| English | 한국어 | 繁體中文 | in one line | chapter |
|---|---|---|---|---|
| idea (thought) | 생각 (발상) | 想法 | what one has | 1 |
| page | 쪽 | 頁 | what one reads | [page](page.md) |
| zebra | 얼룩말 | 斑馬 | an animal with stripes | |
"""
CLAIMS = """
[documents."lecture notes"]
number = 1
words = "the lecture notes"

[[claim]]
id = "large-scores"
chapter = 1
document = "lecture notes"
line = 3
original = "점수는 크다"
translation = "The scores are large"
said = "the scores are large"
verdict = "imprecise"
better = "They are large where two vectors are alike."
cell = ["01 home"]

[[claim]]
id = "an-old-idea"
chapter = 1
document = ""
origin = "often written"
said = "the idea is from 2017"
verdict = "wrong"
better = "It is older (Bahdanau et al. 2015)."
cell = ["01 home"]
"""
ERRORS = """# The five notes

### The scores overflow

**Often written.** "The scores overflow."

**Better.** They do not.

**Measured.** In [chapter 1](../chapters/01_one_idea.ipynb).

**Source.** Nobody.

## Smaller points

```{claims} smaller-points
```

## If you come from these notes
"""
# Whoever takes the book writes the minutes to read the lesson for READING.
TEACHING = """# Teaching

## The hours

Home is together 0 hours.

| chapter | class | home | week | day |
|---|--:|--:|---|--:|
| [1 One idea](../chapters/01_one_idea.ipynb) | 40 | READING + 5 | 1 | 1 |
| Review | 40 | 0 + 0 | 2 | 1 |

(six-sessions)=
**In six sessions.**

| # | in class | at home |
|--:|---|---|
| 1 | 10 Figure 1.1; 30 Exercise 1.1 | 5: Exercise 1.2 |

**In one day.**

| block | in class |
|---|---|
| morning (30) | 20 Figure 1.2; 10 Exercise 1.1 |

## Chapter by chapter

### Review

**In class (40).** 40 questions.

### 1. One idea

**In class (40).** 20 Figure 1.1; 20 Exercise 1.1 and Experiment 1.

**Show.** Figure 1.2.

**Where students stumble.** In `softmax`: `base_two`.

**Exercises.** Paper exam: none. Class: 1.1. Home: 1.2.
"""
REFERENCES = """@article{bahdanau2015,
  author = {Bahdanau, D. and Cho, K. and Bengio, Y.},
  year = {2015},
}
"""
PAGES = {
    "page": "# A page\n\nIn chapter 1. See [below](#below) "
            "and [the lesson](../chapters/01_one_idea.ipynb#1-one-idea).\n\n"
            "## Below\n",
    "the_five_notes": ERRORS,
    "rubrics": "# Points\n\n## Chapter 1\n\n"
               "**1.2 more.** (1) One. (2) Two. (3) Three.\n",
    "teaching": TEACHING,
    "glossary": GLOSSARY,
    "references": "# References\n\n## The notes this book grew from\n",
}  # fmt: skip


class SmallBook:
    """The book; a test changes its parts before it is written.

    Attributes:
        lesson, laboratory, solutions: the cells of each, by their names.
        metadata: of the notebooks.
        pages: the texts of the pages in Markdown, by their names.
        files: those of the other files in its folder book.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        for kind, cells in (
            ("lesson", LESSON),
            ("laboratory", LABORATORY),
            ("solutions", SOLUTIONS),
        ):
            named = {cell["id"]: deepcopy(cell) for cell in cells}
            setattr(self, kind, named)
        self.metadata = {"kernelspec": KERNEL, "language_info": LANGUAGE}
        self.name, self.pages = NAME, dict(PAGES)
        self.files = {"claims.toml": CLAIMS, "references.bib": REFERENCES}

    def path(self, page):
        """The file of a notebook by its kind, or of a page by its name."""
        if page in FOLDERS:
            return self.folder / FOLDERS[page] / self.name
        name = page if page in self.files else f"{page}.md"
        return self.folder / "book" / name

    def write(self):
        for page in (*FOLDERS, *self.pages):
            self.path(page).parent.mkdir(parents=True, exist_ok=True)
            text = self.pages.get(page) or self.text(page)
            self.path(page).write_bytes(text.encode())
        for name, text in {"cat.png": "", **self.files}.items():
            (self.folder / "book" / name).write_text(text, encoding="utf-8")

    def text(self, kind):
        cells = [*getattr(self, kind).values()]
        return dumped({"cells": cells, "metadata": self.metadata})

    def complaints(self, page):
        return complaints(self.path(page), self.folder)
