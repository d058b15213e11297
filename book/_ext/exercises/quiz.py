"""The section "Check yourself" as a quiz, and predictions with choices.

Markdown: a paragraph that opens with `**Question 1.**`, then one `<details>`
for each answer; the text of the right one begins with "Right". Elsewhere these
are folds. In the page they are answers to choose: right and wrong differ in
color and sign, and the choice is remembered (book/_static/exercises/quiz.js).

In any other section a paragraph followed by two or more such answers is a
prediction with choices: it looks the same, and its choice is kept, too.
"""

from __future__ import annotations

import re
from itertools import takewhile

from docutils import nodes
from folds import fold
from sphinx.util import logging
from trees import opening

LOGGER = logging.getLogger(__name__)
TITLE = "Check yourself"
QUESTION = re.compile(r"Question (\d+)\.")
LETTER = re.compile(r"[A-Z]\. ")


def is_right(answer: fold) -> bool:
    """Say whether the text of an answer calls it right."""
    return bool(re.match(r"(Right|Yes)\b", answer.astext().strip()))


def make_quiz(section: nodes.section) -> None:
    """Group a question and its answers; mark the right one."""
    group = None
    for node in list(section.children):
        if isinstance(node, nodes.section):
            break
        asked = QUESTION.match(opening(node))
        if asked:
            group = nodes.container(classes=["quiz"])
            group["question"] = asked[1]
            section.insert(section.index(node), group)
        if group is None:
            continue
        section.remove(node)
        group.append(node)
        if isinstance(node, fold):
            node["kind"] = "answer"
            node["choice"] = f"{group['question']}{node['words'][:1]}"
            node["classes"].append("right" if is_right(node) else "wrong")
    section["classes"].append("check-yourself")


def is_answer(node: nodes.Node) -> bool:
    """Say whether a node is a fold named by a letter, "A. ..."."""
    return isinstance(node, fold) and bool(LETTER.match(node["words"]))


def make_choices(document: nodes.document) -> list[nodes.container]:
    """Group each prediction with its answers; return the groups."""
    groups = []
    for paragraph in list(document.findall(nodes.paragraph)):
        above = paragraph.parent
        after = above.children[above.index(paragraph) + 1 :]
        answers = list(takewhile(is_answer, after))
        if len(answers) < 2 or "quiz" in above.get("classes", []):
            continue
        group = nodes.container(classes=["quiz"])
        above.insert(above.index(paragraph), group)
        for node in (paragraph, *answers):
            above.remove(node)
            group.append(node)
        name = f"guess-{len(groups) + 1}"
        for answer in answers:
            answer["kind"] = "answer"
            answer["choice"] = name + answer["words"][:1]
            answer["classes"].append("right" if is_right(answer) else "wrong")
        groups.append(group)
    return groups


def questions(section: nodes.section) -> list[nodes.container]:
    """Return the groups of a quiz."""
    return [
        node
        for node in section.findall(nodes.container)
        if "quiz" in node["classes"]
    ]


def read(app, doctree) -> None:
    """Make the quizzes of a page; warn of a question that is faulty."""
    groups = []
    for section in list(doctree.findall(nodes.section)):
        if section.children[0].astext() == TITLE:
            make_quiz(section)
            groups += questions(section)
    for group in [*groups, *make_choices(doctree)]:
        right = [n for n in group.findall(fold) if is_right(n)]
        if len(right) != 1:
            LOGGER.warning(
                "%s has %d right answers: let the text of exactly one begin "
                'with "Right"',
                group.children[0].astext()[:40],
                len(right),
                location=group.children[0],
            )


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.connect("doctree-read", read, priority=510)  # after the folds
    return {
        "env_version": 2,  # raise it when what is kept of a page changes
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
