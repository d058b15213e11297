"""Korean and Chinese text is marked, and says what the English says."""

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


def test_each_of_the_ten_sentences_leads_to_the_same_lessons():
    page = (ROOT / "book/in_short.md").read_text(encoding="utf-8")
    page = page.split("\n## The machine on one page\n")[0]
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
