"""Korean and Chinese text is marked, and says what the English says."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

import languages  # noqa: E402


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        (
            "<p>강이 깊다, not</p>",
            '<p><span lang="ko">강이 깊다</span>, not</p>',
        ),
        ("<td>遮罩</td>", '<td><span lang="zh-Hant">遮罩</span></td>'),
        ('<b lang="ko">강</b>', '<b lang="ko">강</b>'),
        ("<script>'강'</script>", "<script>'강'</script>"),
        ('<i oninput="a=>b" title="강">x</i>',) * 2,
        (
            '<svg><text x="1">강</text></svg>',
            '<svg><text x="1" lang="ko">강</text></svg>',
        ),
    ],
)
def test_each_run_of_foreign_letters_says_its_language(html, wanted):
    assert languages.marked(html) == wanted


LESSONS = sorted((ROOT / "chapters").glob("*.ipynb"))
FORMULA = re.compile(r"\$[^$]+\$|`[^`]+`")


def summaries(lesson: Path) -> dict[str, list[str]]:
    """Return the sentences of a lesson's summary, by language."""
    cells = json.loads(lesson.read_text(encoding="utf-8"))["cells"]
    prose = [c for c in cells if c["cell_type"] == "markdown"]
    texts = ["".join(cell["source"]) for cell in prose]
    at = next(i for i, text in enumerate(texts) if "## Summary" in text)
    found = {"en": texts[at].split("## Summary")[1].split("\n## ")[0]}
    folds = r'<details lang="([\w-]+)">(.*?)</details>'
    found |= dict(re.findall(folds, texts[at + 1], flags=re.S))
    return {
        language: re.findall(r"^\d\. (.+)", text, flags=re.M)
        for language, text in found.items()
    }


def measured(sentence: str) -> tuple[list[str], list[str]]:
    """Return a sentence's formulas and code, and its other numbers."""
    numbers = re.findall(r"\d[\d,.]*\d|\d", FORMULA.sub("", sentence))
    return sorted(FORMULA.findall(sentence)), sorted(numbers)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_a_summary_has_the_same_formulas_and_figures_in_each_language(lesson):
    said = summaries(lesson)
    assert list(said) == ["en", "ko", "zh-Hant"]
    wanted = [measured(sentence) for sentence in said["en"]]
    assert len(wanted) == 5
    for language in ("ko", "zh-Hant"):
        found = [measured(sentence) for sentence in said[language]]
        assert found == wanted, language


def test_each_of_the_ten_sentences_leads_to_the_same_lessons():
    page = (ROOT / "book/ten_sentences.md").read_text(encoding="utf-8")
    parts = re.split(r"^<div lang=", page, flags=re.M)
    assert len(parts) == 3
    links = [
        [
            re.findall(r"chapters/(\w+)\.ipynb", sentence)
            for sentence in re.split(r"^\d+\. ", part, flags=re.M)[1:]
        ]
        for part in parts
    ]
    assert len(links[0]) == 10
    assert links[0] == links[1] == links[2]
