"""Korean and Chinese text is marked: book/_ext/languages.py."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "book" / "_ext"))

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
