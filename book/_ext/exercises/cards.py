"""Cards: predictions, exercises, parts to build, key sentences.

They are recognized in plain Markdown, which reads well in Colab and on GitHub:

- a paragraph, or its last sentences, that opens with `**Predict`, `**Guess`,
  `**Before you`, `**Find out`, ...: a question to the reader. The next hidden
  output is labelled "Check your guess" (cell_folds.py);
- `### Exercise 2.1 (code, 10 min, easy): title`: an exercise, up to its check;
  "part 3 of your own Transformer" in the title makes it a part to build;
- a paragraph that is bold from end to end: a key sentence;
- a quotation that opens with `**The question.**` or `**In short.**`: what the
  lesson asks, and its answer;
- a quotation that opens with `**Definition.**`, `**Proposition.**`,
  `**Observation.**` or `**Open.**`: a statement, whose fold "Proof" belongs to
  it;
- `<details><summary>Deeper: ...`: more than the chapter needs.
"""

from __future__ import annotations

import re

from cell_folds import label_folds
from docutils import nodes
from folds import fold
from questions import QUESTION
from sphinx.transforms.post_transforms import SphinxPostTransform
from trees import is_cell, opening, solid, source_of

EXERCISE = re.compile(r"Exercise (\d+\.\d+) \(([^)]*)\): ?")
ESSENTIAL = "essential"  # the last fact of those that nobody should skip
PART = re.compile(r"[Pp]art (\d+) of your own Transformer")
CHECK = re.compile(
    r"^(checks\.\w+\(|workbook\.save\()|^\s+workbook\.save\(", re.M
)
SECTIONS = {
    "Goals": "goals",
    "Summary": "summary",
    "Words": "words",
    "In the laboratory": "further",
}
FACTS = ("Time:", "You need:")
LESSON = re.compile(r"(The question|In short)\.")
LESSON_CLASSES = {"The question": "lesson-question", "In short": "in-short"}
STATEMENT = re.compile(r"(Definition|Proposition|Observation|Open)\b")


# ----------------------------------------------------------------- predictions


def mark_questions(document: nodes.document) -> None:
    """Give questions to the reader a card; split them from what precedes."""
    for strong in list(document.findall(nodes.strong)):
        paragraph = strong.parent
        if not isinstance(paragraph, nodes.paragraph) or not QUESTION.match(
            strong.astext()
        ):
            continue
        if isinstance(paragraph.parent, (nodes.list_item, nodes.entry, fold)):
            continue
        place = paragraph.index(strong)
        before = "".join(n.astext() for n in paragraph.children[:place])
        if not before.strip():
            paragraph["classes"].append("predict")
        elif before.rstrip()[-1] in ".?!:)":
            card = nodes.paragraph("", "", *paragraph.children[place:])
            card["classes"].append("predict")
            card.source, card.line = paragraph.source, paragraph.line
            paragraph.children = paragraph.children[:place]
            above = paragraph.parent
            above.insert(above.index(paragraph) + 1, card)


# ------------------------------------------------------------------- exercises


def card_length(children: list[nodes.Node]) -> int:
    """Return how many nodes below an exercise's title belong to it.

    It ends with its check; without one, with the cell for the answer and the
    folds behind it; without that, with the section.
    """
    own = children
    for number, node in enumerate(children):
        if isinstance(node, nodes.section):
            own = children[:number]
            break
    checks = [n for n, node in enumerate(own) if CHECK.search(source_of(node))]
    if checks:
        last = checks[0]
        for number in checks[1:]:
            if number - last <= 4:
                last = number
        return last + 1
    folds = [n for n, node in enumerate(own) if isinstance(node, fold)]
    cells = [n for n, node in enumerate(own) if is_cell(node)]
    after = [n for n in cells if not folds or n > folds[0]]
    if not after:
        return len(own)
    end = after[0] + 1
    while end < len(own) and isinstance(own[end], fold):
        end += 1
    return end


def dress_exercise(section: nodes.section) -> None:
    """Turn an exercise's title into a head, and its parts into a card."""
    title = section.children[0]
    first = title.children[0]
    match = EXERCISE.match(first.astext())
    part = PART.search(title.astext())
    number, facts = match.groups()
    head = nodes.inline("", "", classes=["exercise-head"])
    name = f"Exercise {number}"
    head += nodes.inline("", name, classes=["exercise-number"])
    for fact in facts.split(", "):
        head += nodes.Text(" ")
        kinds = ["exercise-fact", *["exercise-essential"] * (fact == ESSENTIAL)]
        head += nodes.inline("", fact, classes=kinds)
    if part:
        head += nodes.Text(" ")
        head += nodes.inline("", f"Build {part[1]}", classes=["exercise-build"])
    rest = nodes.inline("", "", classes=["exercise-name"])
    words = first.astext()[match.end() :]
    if len(words.split()) > 1 or part:
        words = words[:1].upper() + words[1:]
    rest += nodes.Text(words)
    rest.extend(title.children[1:])
    title.children = []
    title += head
    title += nodes.Text(" ")
    title += rest
    title["classes"].append("exercise-title")
    own = section.children[1 : 1 + card_length(section.children[1:])]
    card = nodes.container(classes=["exercise-card"])
    if part:
        card["classes"].append("build-card")
        title["classes"].append("build-title")
    for node in own:
        section.remove(node)
    card.extend(own)
    section.insert(1, card)


# ---------------------------------------------------------------------- others


def mark_sections(document: nodes.document) -> None:
    """Give the sections that every chapter has a class of their own."""
    for section in document.findall(nodes.section):
        kind = SECTIONS.get(section.children[0].astext())
        if kind:
            section["classes"].append(kind)
        if kind == "goals":
            frame_goals(section)


def frame_goals(section: nodes.section) -> None:
    """Put the goals, the time and what one needs into a frame."""
    facts = [n for n in section.children if opening(n).startswith(FACTS)]
    end = section.index(facts[-1]) + 1 if facts else len(section.children)
    frame = nodes.container(classes=["goals-frame"])
    own = section.children[1:end]
    for node in own:
        section.remove(node)
    frame.extend(own)
    section.insert(1, frame)


def mark_paragraphs(document: nodes.document) -> None:
    """Mark key sentences, and the lines on time and on what one needs."""
    for paragraph in document.findall(nodes.paragraph):
        bold = opening(paragraph)
        if paragraph.astext() == "Open in Colab":
            paragraph["classes"].append("colab")
        if bold.startswith(FACTS):
            paragraph["classes"].append("chapter-fact")
        if len(solid(paragraph)) == 1 and len(bold) > 30 and bold[-1] == ".":
            paragraph["classes"].append("key-sentence")
    for quote in document.findall(nodes.block_quote):
        bold = opening(quote.children[0]) if quote.children else ""
        if asks := LESSON.match(bold):
            quote["classes"].append(LESSON_CLASSES[asks[1]])
        if kind := STATEMENT.match(bold):
            quote["classes"] += ["statement", kind[1].lower()]


class Cards(SphinxPostTransform):
    """Put the cards into a page, before myst-nb folds its cells."""

    default_priority = 190
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Go through the page (called by Sphinx)."""
        mark_sections(self.document)
        mark_paragraphs(self.document)
        mark_questions(self.document)
        label_folds(self.document)
        for section in list(self.document.findall(nodes.section)):
            title = section.children[0]
            if title.children and EXERCISE.match(title.children[0].astext()):
                dress_exercise(section)


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.add_post_transform(Cards)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
