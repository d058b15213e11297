"""A chapter: its lesson, laboratory and solutions belong together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .pages import Page
from .rules import Complaint, rule


def numbers_in(page: Page, word: str) -> list[str]:
    """Return the numbers in headings such as `### Exercise 2.1 ...`."""
    pattern = rf"^#{{2,4}} {word}[^\d\n]*?(\d+\.\d+)"
    return re.findall(pattern, page.prose, flags=re.M)


def whole(lesson: Page) -> tuple[Page, Page]:
    """Return the laboratory and the solutions of a lesson."""
    found = lesson.of_chapter("laboratory"), lesson.of_chapter("solutions")
    if None in found:
        raise Complaint(
            f"{lesson.path.name}: wanted in book/laboratory and book/solutions"
        )
    return found


@rule("lesson")
def exercises_have_solutions(page: Page) -> Iterator[str]:
    """Exercises are numbered through a chapter, and each has a solution."""
    laboratory, solutions = whole(page)
    here, home = (numbers_in(one, "Exercise") for one in (page, laboratory))
    asked = sorted(here + home, key=lambda number: int(number.split(".")[1]))
    wanted = [f"{page.number}.{n + 1}" for n in range(len(asked))]
    if not here:
        yield "a lesson has exercises, and this one has none"
    if asked != wanted:
        yield f"exercises {', '.join(asked)}: number them {', '.join(wanted)}"
    solved = numbers_in(solutions, "(?:Exercise|Solution)")
    if solved != asked:
        yield (
            f"the exercises are {', '.join(asked)}, "
            f"and the solutions are for {', '.join(solved)}"
        )


@rule("lesson")
def its_pages_link_to_each_other(page: Page) -> Iterator[str]:
    """A lesson, its laboratory and its solutions link to each other."""
    laboratory, solutions = whole(page)
    name = page.path.name
    for one, target in (
        (page, f"(../book/laboratory/{name}#"),
        (laboratory, f"(../../chapters/{name}"),
        (page, f"(../book/solutions/{name}"),
        (solutions, f"(../../chapters/{name}"),
    ):
        if target not in one.prose:
            yield f"{one.name}: no link to {target.strip('(#.')}"


@rule("lesson")
def experiments_are_numbered(page: Page) -> Iterator[str]:
    """Experiments are numbered through lesson and laboratory."""
    found = [
        int(number)
        for one in (page, whole(page)[0])
        for number in re.findall(r"^### Experiment (\d+): ", one.prose, re.M)
    ]
    if found != [*range(1, len(found) + 1)]:
        yield f"the experiments of lesson and laboratory are {found}"


@rule("lesson")
def says_how_long_it_takes(page: Page) -> Iterator[str]:
    """The line **Time:** is what book/_tools/minutes.py counts."""
    import minutes

    wanted = minutes.header(page.path)
    said = minutes.HEADER.search(page.flat)
    if not said or said[0] != wanted:
        yield f'wanted "{wanted}": book/_tools/minutes.py --write'


@rule("lesson", "laboratory")
def one_right_answer(page: Page) -> Iterator[str]:
    """Of the lettered answers to a question, one begins with Right or Yes."""
    lettered = r"(?:<details><summary>[A-Z]\. .*?</details>\s*)+"
    for cell in page.markdown:
        for question in re.findall(lettered, cell.text, re.S):
            bodies = re.findall(r"</summary>\s*(.*?)</details>", question, re.S)
            right = [one for one in bodies if re.match(r"(Right|Yes)\b", one)]
            if len(bodies) < 2 or len(right) != 1:
                yield (
                    f"{cell}: {len(right)} of {len(bodies)} answers are right, "
                    f"wanted one: {question[:40]}"
                )


# ------------------------------------------------------------------ the answer

CARD = re.compile(r"(?m)^> \*\*In short\.\*\*")


@rule("lesson")
def answers_by_the_middle(page: Page) -> Iterator[str]:
    """A card "In short" is above half of the words before the exercises."""
    from reading_time import prose

    cards = [*CARD.finditer(page.prose)]
    if len(cards) != 1:
        yield f'{len(cards)} cards open with "> **In short.**", wanted one'
        return
    lesson = re.split(r"(?m)^## Exercises$", page.prose)[0]
    above, read = (
        len(prose(text).split())
        for text in (page.prose[: cards[0].start()], lesson)
    )
    if 2 * above >= read:
        yield (
            f'"In short" comes after {above} of {read} words that precede '
            "the exercises: answer in the first half"
        )


# ----------------------------------------------------------------- the summary

FORMULA = re.compile(r"\$[^$]+\$|`[^`]+`")
SENTENCES = 5
LANGUAGES = ["en", "ko", "zh-Hant"]


def summaries(lesson: Page) -> dict[str, list[str]]:
    """Return the sentences of a lesson's summary, by language."""
    texts = [cell.text for cell in lesson.markdown]
    at = [i for i, text in enumerate(texts) if "## Summary" in text]
    if not at:
        raise Complaint("no heading ## Summary")
    found = {"en": texts[at[0]].split("## Summary")[1].split("\n## ")[0]}
    folds = r'<details lang="([\w-]+)">(.*?)</details>'
    below = "".join(texts[at[0] + 1 : at[0] + 2])
    found |= dict(re.findall(folds, below, flags=re.S))
    return {
        language: re.findall(r"^\d\. (.+)", text, flags=re.M)
        for language, text in found.items()
    }


def measured(sentence: str) -> tuple[list[str], list[str]]:
    """Return a sentence's formulas and code, and its other numbers."""
    numbers = re.findall(r"\d[\d,.]*\d|\d", FORMULA.sub("", sentence))
    return sorted(FORMULA.findall(sentence)), sorted(numbers)


@rule("lesson")
def summary_says_the_same_in_each_language(page: Page) -> Iterator[str]:
    """Five sentences, with the same formulas and numbers in each language."""
    said = summaries(page)
    if list(said) != LANGUAGES:
        raise Complaint(f"the summary is in {[*said]}, wanted in {LANGUAGES}")
    for language, sentences in said.items():
        if len(sentences) != SENTENCES:
            raise Complaint(
                f"summary, {language}: {len(sentences)} sentences, "
                f"wanted {SENTENCES}"
            )
    for language in LANGUAGES[1:]:
        pairs = zip(said["en"], said[language], strict=True)
        for number, (english, other) in enumerate(pairs, 1):
            if measured(english) != measured(other):
                yield (
                    f"summary, {language}: sentence {number} has other "
                    "formulas or numbers than the English one"
                )
