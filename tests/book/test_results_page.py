"""The page of measured results shows what the benchmarks have written."""

import re
import sys
from pathlib import Path

from docutils import nodes

ROOT = Path(__file__).resolve().parents[2]
STORED = {path.stem for path in (ROOT / "benchmarks" / "results").glob("*.md")}
PAGE = (ROOT / "book" / "results.md").read_text(encoding="utf-8")
SHOWN = r"^```\{results\} (\w+)$"
sys.path.insert(0, str(ROOT / "benchmarks"))

import gpu  # noqa: E402
import results  # noqa: E402


def test_each_result_is_shown_once_and_what_is_not_there_waits_for_a_gpu():
    names = re.findall(SHOWN, PAGE, flags=re.M)
    assert sorted(names) == sorted(STORED | {job.result for job in gpu.JOBS})
    for path in (ROOT / "book").glob("*.md"):
        assert {*re.findall(SHOWN, path.read_text("utf-8"), re.M)} <= {*names}


def test_no_measured_number_is_typed_by_hand():
    prose = re.sub(r"^---.*?^---", "", PAGE, count=1, flags=re.M | re.S)
    assert not re.search(r"\d\.\d+(?!.{0,3}\*)", prose.replace("5.1 of", ""))
    assert not re.search(r"\d\s*(%|ms|times)", prose.replace("95 %", ""))


def test_what_was_not_measured_is_not_announced():
    kept, gone = nodes.section(), nodes.section()
    kept += [nodes.paragraph("", "measured"), gone]
    gone += [nodes.title("", "On a GPU"), results.not_measured()]
    results.leave_out(None, kept)
    assert kept.astext() == "measured"


def test_sections_that_may_go_hold_nothing_else():
    """A section that is left out takes its text and sections with it."""
    for section in re.split(r"^(?=#{2,3} )", PAGE, flags=re.M):
        shown = re.findall(SHOWN, section, flags=re.M)
        stored = [name for name in shown if name in STORED]
        assert not shown or stored in ([], shown), section.splitlines()[0]


def test_published_figures_on_real_text_are_told_apart():
    part = PAGE.split("## Real text")[1].split("\n## ")[0]
    flat = " ".join(part.split())
    assert "lower-cased and cut into words beforehand" in flat
