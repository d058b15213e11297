"""The list of planted bugs is fresh, and the runner tells killed from not."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

from planted_bugs import (  # noqa: E402
    BUGS,
    NOTHING,
    belongs,
    every_bug,
    files_for,
    last_time,
    with_stored,
)

ALL = every_bug()
NAMED = """
    attention multi_head masks positional normalization layers model runs
    label_smoothing schedule decoding batching
""".split()


def source_of(bug):
    return (ROOT / bug.path).read_text(encoding="utf-8")


@pytest.mark.parametrize("module", sorted({bug.module for bug in ALL}))
def test_every_bug_changes_one_place_and_leaves_python(module):
    for bug in ALL:
        if bug.module == module:
            source = source_of(bug)
            assert source.count(bug.old) == 1, f"{bug.what}: {bug.old}"
            assert bug.new != bug.old, bug.what
            compile(bug.plant(source), bug.what, "exec")


def test_no_bug_is_planted_twice():
    for field in ("what", "new"):
        kinds = Counter(
            (b.module, b.old * (field == "new"), getattr(b, field)) for b in ALL
        )
        assert [kind for kind, n in kinds.items() if n > 1] == []


def test_there_are_enough_of_them_where_they_matter():
    count = Counter(bug.module for bug in ALL)
    assert sum(count[module] for module in NAMED) >= 150
    assert min(count[module] for module in NAMED) >= 20


def test_an_old_text_that_is_gone_or_not_alone_is_refused():
    for text in ("no such text", "import"):
        with pytest.raises(ValueError, match="must occur once"):
            NOTHING._replace(old=text).plant(source_of(NOTHING))


def test_the_files_for_a_module_are_those_that_can_notice():
    for module in {path.stem for path in BUGS.glob("*.diff")}:
        files = files_for(module, smoke=False)
        assert all((ROOT / file).exists() for file in files)
    assert "tests/library/test_attention.py" in files_for("shapes", smoke=False)
    assert (
        files_for("cli.fetch", smoke=False)[0] == "tests/library/test_fetch.py"
    )
    engine = files_for("transformer_course.checks.engine.judge", smoke=False)
    assert "tests/course/test_checks_guard.py" in engine
    chosen = files_for("decoding", smoke=False)
    assert chosen[0] == "tests/library/test_decoding.py"
    assert "tests/library/test_errors.py" in chosen
    assert "tests/library/test_attention.py" not in chosen


def test_some_modules_are_chosen_by_name_or_by_package():
    engine = "transformer_course.checks.engine"
    assert belongs(f"{engine}.judge", [engine])
    assert belongs(f"{engine}.judge", ["model", f"{engine}.judge"])
    assert not belongs(f"{engine}.judge", [engine[:-3], "judge"])


def test_what_is_found_again_replaces_what_is_stored():
    bug = ALL[-1]
    fresh = {"failed": None, "seconds": 1.0, "commit": "now"}
    bugs, found = with_stored({bug: fresh})
    assert bugs == ALL and found[bug] is fresh
    before = last_time()
    assert all(
        found[b] == before[b.module, b.what] for b in ALL if b is not bug
    )


@pytest.mark.slow
def test_the_runner_tells_a_bug_from_no_bug():
    command = [sys.executable, ROOT / "benchmarks/planted_bugs.py", "--smoke"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    first, *lines, last = done.stdout.splitlines()
    assert first.startswith("without a bug: green")
    verdicts = dict(line.rsplit(": ", 1) for line in lines)
    killed = [v for v in verdicts.values() if v.startswith("tests/")]
    assert len(killed) == 2
    assert verdicts["schedule: no bug at all"].startswith("SURVIVED ")
    assert last == "2 of 3 killed"
