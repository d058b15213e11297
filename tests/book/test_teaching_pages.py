"""The guide for teachers and the page of common errors keep their promises.

Minutes add up, exercises and figures that are named exist, names of mistakes
are those of the checks, the code runs, and every entry has its four parts.
"""

import json
import linecache
import re
import shlex
import sys
import types
from pathlib import Path

import pytest

from transformer_course import checks
from transformer_course.checks import parts as own
from transformer_course.checks.code import softmax
from transformer_course.checks.paper import exercises, paper_of
from transformer_course.cli import main
from transformer_course.cli.options import parser
from transformer_course.confinement.start import (
    FILES,
    SPACES,
    SYSTEM_CALLS,
)
from transformer_course.exams import exam_sheet
from transformer_course.grading.reading.exercises import in_order
from transformer_course.grading.roster import read_rules
from transformer_course.grading.running.process import Limits

ROOT = Path(__file__).resolve().parents[2]
from claim_table import filled  # noqa: E402
from known_mistakes import exercises_of, rows_of  # noqa: E402
from minutes import minutes_of  # noqa: E402

TEACHING = (ROOT / "book" / "teaching.md").read_text(encoding="utf-8")
ERRORS = ROOT / "book" / "common_errors.md"
ERRORS = filled(ERRORS.read_text(encoding="utf-8"), ERRORS)
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
CHECKS = "\n".join(
    path.read_text(encoding="utf-8")
    for path in (ROOT / "transformer_course" / "checks").rglob("*.*")
    if path.suffix in (".py", ".txt")
)


def section(text, heading):
    """Return what stands below a heading, up to the next of its level."""
    level = heading.split(" ")[0]
    start = re.search(rf"^{re.escape(heading)}", text, flags=re.M)
    assert start, f"no heading {heading}"
    rest = text[start.end() :]
    end = re.search(rf"^#{{2,{len(level)}}} ", rest, flags=re.M)
    return rest[: end.start()] if end else rest


def part(text, name):
    """Return the paragraph that a bold name opens, as one line."""
    found = re.search(rf"^\*\*{name}.*?(?=\n\n|\Z)", text, flags=re.M | re.S)
    assert found, f"no part {name}"
    return " ".join(found[0].split())


def cells_of(path):
    """Those of a chapter: of its lesson and its laboratory."""
    laboratory = ROOT / "book" / "laboratory" / path.name
    return [
        cell
        for room in (path, laboratory)
        for cell in json.loads(room.read_text(encoding="utf-8"))["cells"]
    ]


def markdown(path):
    return "\n\n".join(
        "".join(cell["source"])
        for cell in cells_of(path)
        if cell["cell_type"] == "markdown"
    )


def number(path):
    return int(path.name.split("_")[0])


def hours():
    """Return (number or None, minutes, {week: minutes}, day, home), a row."""
    rows = []
    table, _, _ = section(TEACHING, "## The hours").partition("In six")
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| ") or cells[0] == "chapter":
            continue
        chapter = re.match(r"\[(\d+) ", cells[0])
        minutes = int(cells[1])
        weeks = {
            int(week): int(some or minutes)
            for week, some in re.findall(r"(\d+)(?: \((\d+)\))?", cells[3])
        }
        home = tuple(map(int, cells[2].split(" + ")))
        chapter = chapter and int(chapter[1])
        rows.append((chapter, minutes, weeks, int(cells[4]), home))
    return rows


# -------------------------------------------------------- the teacher's guide


def test_every_chapter_is_in_the_hours_and_has_a_section():
    listed = [chapter for chapter, *_ in hours() if chapter is not None]
    assert listed == list(range(21))
    assert {number(path) for path in CHAPTERS} <= set(listed)
    for path in CHAPTERS:
        assert f"](../chapters/{path.name})" in TEACHING
        section(TEACHING, f"### {number(path)}. ")


def test_the_hours_add_up():
    assert sum(minutes for _, minutes, *_ in hours()) == 24 * 60
    weeks = dict.fromkeys(range(1, 13), 0)
    days = dict.fromkeys(range(1, 6), 0)
    for _, minutes, parts, day, _ in hours():
        assert sum(parts.values()) == minutes
        days[day] += minutes
        for week, some in parts.items():
            weeks[week] += some
    assert set(weeks.values()) == {120}
    assert all(240 <= minutes <= 330 for minutes in days.values())
    home = sum(sum(some) for *_, some in hours()) / 60
    (said,) = re.findall(r"together (\d+) hours", " ".join(TEACHING.split()))
    assert abs(home - int(said)) < 1


@pytest.mark.parametrize("row", hours(), ids=lambda row: str(row[0]))
def test_what_is_done_in_class_fills_the_minutes(row):
    chapter, minutes, *_ = row
    heading = "### Review" if chapter is None else f"### {chapter}. "
    done = part(section(TEACHING, heading), "In class")
    said, plan = re.match(r"\*\*In class \((\d+)\)\.\*\* (.*)", done).groups()
    pieces = re.split(r"; ", plan)
    assert int(said) == minutes
    assert sum(int(re.match(r"\d+", p)[0]) for p in pieces) == minutes


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_what_is_not_done_in_class_is_counted_at_home(path):
    here = section(TEACHING, f"### {number(path)}. ")
    placed = part(here, "Exercises")
    (*_, (reading, exercises)) = hours_of(number(path))
    asked = re.findall(
        r"^### Exercise ([\d.]+) \(\w+, (\d+) min", markdown(path), re.M
    )
    groups = {
        name: set(re.findall(r"\d+\.\d+", text))
        for name, text in re.findall(r"(\w+): (.*?)(?=\. [A-Z]|$)", placed)
    }
    in_class = re.findall(r"Exercise (\d+\.\d+)", part(here, "In class"))
    assert groups.get("Class", set()) == set(in_class)
    given = groups["Home"]
    minutes = sum(int(some) for name, some in asked if name in given)
    assert abs(exercises - minutes) <= 10, minutes
    assert reading == minutes_of(path).reading, "book/_tools/minutes.py"


def hours_of(chapter):
    return next(row for row in hours() if row[0] == chapter)


def test_the_short_plans_fill_their_minutes_and_name_what_exists():
    text = section(TEACHING, "## The hours").split("(six-sessions)=")[1]
    six, day = text.split("**In one day.**")
    plans = [(90, row) for row in re.findall(r"^\| \d \| (.*)", six, re.M)]
    rows = re.findall(r"^\| [a-z ]+\((\d+)\) \| (.*)", day, re.M)
    plans += [(int(minutes), row) for minutes, row in rows]
    assert len(plans) == 6 + 4
    known = "".join(map(markdown, CHAPTERS)).replace("### ", "#")
    assert sum(int(minutes) for minutes, _ in rows) == 345
    for minutes, row in plans:
        pieces = row.partition(" | ")[0].split("; ")
        assert sum(int(p.split()[0]) for p in pieces) == minutes, row
        for name in re.findall(r"((?:Exercise|Figure) \d+\.\d+)", row):
            assert re.search(rf"[#*]{re.escape(name)}\b", known), name


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_the_guide_names_all_exercises_of_a_chapter_and_its_figures(path):
    chapter, text = number(path), markdown(path)
    here = section(TEACHING, f"### {chapter}. ")
    kinds = dict(
        re.findall(r"^### Exercise (\d+\.\d+) \((\w+)", text, flags=re.M)
    )
    placed = part(here, "Exercises")
    named = set(re.findall(rf"\b{chapter}\.\d+", placed))
    if named:  # a section may also speak of its exercises without numbers
        assert named == set(kinds)
        exam = re.search(r"Paper exam: (.*?)\. (?=[A-Z])", placed)[1]
        for exercise in re.findall(r"\d+\.\d+", exam):
            # 4.5 is a paragraph to write: explored there, fit for paper.
            assert kinds[exercise] in ("paper", "prove") or exercise == "4.5"
    for exercise in re.findall(rf"Exercise ({chapter}\.\d+)", here):
        assert exercise in kinds
    for figure in re.findall(rf"\b{chapter}\.\d+", part(here, "Show")):
        assert re.search(rf"^\*Figure {re.escape(figure)}\b", text, re.M)
    for experiment in re.findall(r"Experiment (\d+)", here):
        assert f"### Experiment {experiment}: " in text


@pytest.mark.parametrize("chapter", range(21))
def test_named_mistakes_are_those_of_the_checks(chapter):
    here = section(TEACHING, f"### {chapter}. ")
    for name in re.findall(r"`(\w+)`", part(here, "Where students stumble")):
        if name in {*checks.__all__, *own.PARTS} or f"`{name}(" in TEACHING:
            continue
        assert re.search(rf'"{name}"|^{name}$', CHECKS, re.M), name


def test_a_stumbling_block_is_one_of_the_exercise_that_is_named():
    text = " ".join(TEACHING.split())
    pairs = re.findall(r"In `(\w+)`: ((?:`\w+`[^.:]*?,? ?)+)", text)
    assert len(pairs) >= 20
    for name, listed in pairs:
        if name in checks.__all__:
            home = sys.modules[getattr(checks, name).__module__]
        else:
            home = own.part(name)
        known = {mistake.id for mistake in home.EXERCISE.mistakes}
        assert set(re.findall(r"`(\w+)`", listed)) <= known, name


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_what_no_check_judges_has_its_points(path):
    asked = re.findall(
        r"^### Exercise ([\d.]+) \((?:explore|prove).*?\): (.*)",
        markdown(path),
        re.M,
    )
    asked.sort(key=lambda one: in_order(one[0]))
    rubrics = (ROOT / "book" / "rubrics.md").read_text(encoding="utf-8")
    text = f"{rubrics}\n## ".split(f"\n## Chapter {number(path)}\n")
    found = text[1].split("\n## ")[0] if len(text) > 1 else ""
    entries = re.findall(r"^\*\*([\d.]+) (.*?)\*\*((?:.+\n)+)", found, re.M)
    titles = [(name, title.rstrip(".")) for name, title, _ in entries]
    assert titles == asked, "book/rubrics.md"
    for name, _, points in entries:
        numbers = list(map(int, re.findall(r"\((\d)\)", points)))
        if name not in ("4.5", "16.2"):  # the chapter's own list
            assert numbers == [*range(1, len(numbers) + 1)], name
            assert 3 <= len(numbers) <= 5, name


def test_what_the_checks_know_is_on_the_page_of_its_chapter():
    page = (ROOT / "book" / "known_mistakes.md").read_text(encoding="utf-8")
    found = re.findall(r"^## Chapter (\d+): .*\n\n(```.*)", page, re.M)
    asks = [number(p) for p in CHAPTERS if [*exercises_of(number(p))]]
    assert found == [(f"{n}", f"```{{known-mistakes}} {n}") for n in asks]


def test_a_mistake_is_shown_as_the_class_reads_it():
    exercise = softmax.EXERCISE
    rows = {name: said for name, said, _ in rows_of(exercise)}
    assert [*rows] == [mistake.id for mistake in exercise.mistakes]
    answer = exercise.variant({"np.exp(shifted)": "2.0**shifted"})
    assert rows["base_two"] == checks.softmax(answer).message
    paper = paper_of("average_by_hand")
    (known, *_) = paper.misconceptions
    assert rows_of(paper)[0][:2] == (known.id, known.message)


# ------------------------------------------------------- the contract of names


def test_the_contract_lists_every_check():
    text = section(TEACHING, "## Exchanging banks of answers")
    rows = [line for line in text.splitlines() if re.match(r"\| \d+ \|", line)]
    assert len(rows) == 21
    listed = re.findall(r"`([^`]+)`", "\n".join(rows))
    assert len(listed) == len(set(listed))
    for name in set(checks.__all__) - set(checks.TOOLS):
        if name in exercises():
            asked = name
        else:
            asked = getattr(checks, name)(None).exercise
        assert asked in listed, f"book/teaching.md: list `{asked}`"


# -------------------------------------------------------------- code that runs


def code(word):
    """Return the Python blocks of the guide that hold a word, as one."""
    blocks = re.findall(r"^```python\n(.*?)^```", TEACHING, flags=re.M | re.S)
    found = [block for block in blocks if word in block]
    assert found, word
    return found


def test_an_exercise_of_your_own():
    (block,) = code("checks.exercise(")
    assert len(block.strip().splitlines()) <= 15
    scope = run_as_cells(block)
    check = scope["check"]
    assert check(scope["spread"]).ok
    assert check(lambda x: x.var()).mistake == "root_forgotten"
    assert "4.6667; its root" in check(lambda x: x.var()).message
    assert not check(lambda x: x.sum()).ok


def run_as_cells(block):
    """Run code as a notebook does: the source of a function is known."""
    name = "<cell of a notebook>"
    lines = block.splitlines(keepends=True)
    linecache.cache[name] = (len(block), None, lines, name)
    module = types.ModuleType("cells")
    sys.modules["cells"] = module
    exec(compile(block, name, "exec"), vars(module))
    return vars(module)


def test_the_sheet_of_paper_exercises(tmp_path):
    text = section(TEACHING, "## Exams on paper")
    line, _ = re.findall(r"^```bash\n(.*?)\n```", text, re.M | re.S)
    said = shlex.split(line)
    assert said[:3] == ["python", "-m", "transformer_course"]
    said[-1] = str(tmp_path / said[-1])
    assert main(said[3:]) == 0
    sheet = (tmp_path / "sheet.md").read_text(encoding="utf-8")
    listed = re.findall(r"^## (\d+\.\d+)", sheet, re.M)
    assert listed == ["4.3", "4.6", "7.1", "7.3", "7.7"]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_sheet_has_each_paper_exercise_and_the_place_for_numbers(path):
    sheet = exam_sheet([str(number(path))]).sheet
    assert "<details>" not in sheet and "](" not in sheet
    asked = r"^### Exercise ([\d.]+) \((paper|prove)"
    found = re.findall(asked, markdown(path), re.M)
    wanted = sorted((name for name, _ in found), key=in_order)
    assert wanted and re.findall(r"^## ([\d.]+)", sheet, re.M) == wanted
    assert "```python" not in sheet and "**Goal:**" not in sheet
    assert sheet.count("&nbsp;") >= 5 * len(found)


def test_a_sheet_of_no_chapter_is_refused():
    with pytest.raises(ValueError, match="no chapter 77"):
        exam_sheet(["4", "77"])


def test_the_commands_that_mark_a_class_are_understood():
    text = section(TEACHING, "## Marking with the checks")
    blocks = re.findall(r"^ *```bash\n(.*?)^ *```", text, flags=re.M | re.S)
    plain, container = (
        shlex.split(block.replace("\\\n", "")) for block in blocks
    )
    assert plain[:3] == ["python", "-m", "transformer_course"]
    args = parser().parse_args(plain[3:])
    assert (args.command, args.folder) == ("grade", "submissions")
    assert (args.csv, args.feedback) == ("marks.csv", "pages")
    assert not args.chapter  # all that are found
    (file,) = (ROOT / word for word in container if "Dockerfile" in word)
    begin = json.loads(
        re.search(r"^ENTRYPOINT (.*)", file.read_text(), re.M)[1]
    )
    inside = container[container.index("grader", container.index("run")) + 1 :]
    args = parser().parse_args([*begin[3:], *inside])
    mounted = " ".join(container)
    for place in (args.folder, args.csv, args.feedback):
        assert f":{Path(place).parts[0]}{Path(place).parts[1]}" in mounted


def test_the_options_and_rules_that_are_told_are_there(tmp_path):
    text = section(TEACHING, "## Marking with the checks")
    rows = re.findall(r"^\| (`--.*?) \|", text, flags=re.M)
    said = [call for row in rows for call in re.findall("`(.*?)`", row)]
    assert len(said) == 7
    for call in said:
        words = ["grade", "in", *shlex.split(call)]
        assert parser().parse_args(words).folder == "in"
    (toml,) = re.findall(r"^```toml\n(.*?)^```", text, flags=re.M | re.S)
    path = tmp_path / "class.toml"
    path.write_text(toml, encoding="utf-8")
    assert read_rules(path).worth("2.1 softmax") == 3
    layers = re.findall(r"^\| (\w+) \| .*\|$", text, flags=re.M)
    assert {*layers} >= {FILES, SYSTEM_CALLS, SPACES}
    most = re.search(r"a process (\d+) GiB, and its folder (\d+) MiB", text)
    assert int(most[1]) * 1024 == Limits.memory
    assert int(most[2]) == Limits.folder


def test_students_read_the_true_limits():
    text = (ROOT / "book" / "handing_in.md").read_text(encoding="utf-8")
    said = re.search(r"for (\d+) seconds, and its check may take (\d+)\.", text)
    assert tuple(map(float, said.groups())) == (Limits.cell, Limits.seconds)


def test_the_bank_shown_is_one():
    scope = {}
    (block,) = code("right__in_one_line")
    exec(block, scope)
    assert checks.attention(scope["no_scale"]).mistake.startswith("no_scale")
    verdict = checks.attention(scope["right__in_one_line"])
    assert verdict.ok, verdict


def test_the_other_lines_run():
    for block in code("platform") + code("numpy_reference"):
        exec(block, {})


# --------------------------------------------------------- the common errors


HOME = r"\]\((\.\./chapters/|laboratory/)"


def entries():
    return re.findall(r"^### (.+)$", ERRORS, flags=re.M)


@pytest.mark.parametrize("title", entries())
def test_every_entry_has_its_four_parts_in_order(title):
    text = section(ERRORS, f"### {title}")
    parts = ["Often written.", "Better.", "Measured.", "Source."]
    places = [text.find(f"**{name}**") for name in parts]
    assert -1 not in places and places == sorted(places)
    if "Not in this book" not in text:
        assert re.search(HOME, part(text, "Measured"))


def test_the_errors_that_were_promised_are_there():
    assert len(entries()) >= 21
    for chapter in range(16):
        link = rf"(chapters|laboratory)/{chapter:02}_\w+\.ipynb#"
        assert re.search(link, ERRORS), chapter


def test_smaller_points_lead_to_a_chapter():
    table = section(ERRORS, "## Smaller points")
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 40
    for row in rows:
        cells = re.split(r"(?<!\\)\|", row.strip("|"))
        assert len(cells) == 3 and re.search(HOME, cells[2]), row


def test_quotations_are_short():
    text = " ".join(re.sub(r"\]\([^)]*\)", "]", ERRORS).split())
    for words in re.findall(r'"([^"]{1,400}?)"', text):
        assert len(words.split()) < 25, words
