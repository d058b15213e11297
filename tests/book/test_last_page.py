"""The last page of the course: book/what_you_have_built.md."""

import json
import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from chapter_numbers import CHAPTERS as NUMBERS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "book" / "what_you_have_built.md").read_text(encoding="utf-8")
SVG = "{http://www.w3.org/2000/svg}"

import built  # noqa: E402

from toy_language import corpus  # noqa: E402
from transformer_course import cli as course  # noqa: E402
from transformer_course import workbook  # noqa: E402
from transformer_course.workbook.picture import NAMES  # noqa: E402
from transformer_lib import cli as library  # noqa: E402

LINES = [
    shlex.split(line)[2:]
    for block in re.findall(r"^```bash\n(.+?)^```", PAGE, re.M | re.S)
    for line in block.splitlines()
    if line.startswith("python -m ")
]
MAIN = {"transformer_lib": library.main, "transformer_course": course.main}
SHORT = "--steps 2 --eval-interval 2 --batch-tokens 200".split()
SMALL = "--d-model 16 --heads 2 --d-ff 16 --layers 1 --vocab-size 300".split()


def in_miniature(arguments):
    """Return the arguments, and what makes a training a short one."""
    if arguments[0] != "train":
        return arguments
    own = "--source" in arguments
    return [*arguments, *SHORT, *(SMALL if own else [])]


@pytest.mark.slow
def test_its_commands_run_beside_the_readers_file(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TRANSFORMER_WORKBOOK", raising=False)
    workbook.init()
    splits = corpus.toy_splits("small", seed=0)
    learner = workbook.Learner(splits)
    list(learner.learn(1, every=9))
    workbook.keep(learner)
    for name, side in (("mine.en", "source"), ("mine.xx", "target")):
        texts = [getattr(pair, side) for pair in splits["train"][:200]]
        Path(name).write_text("\n".join(texts) + "\n", encoding="utf-8")
    assert len(LINES) == 4
    for package, *arguments in LINES:
        capsys.readouterr()
        assert MAIN[package](in_miniature(arguments)) == 0, arguments
    assert capsys.readouterr().out.endswith("\n")  # what it translates
    for folder in ("longer", "my_language"):
        step = json.loads(Path(folder, "last.json").read_text("utf-8"))["step"]
        assert step == 2
        assert library.main(["translate", "--model", folder, "the dog ."]) == 0
    assert Path("my_transformer", "my_transformer.py").exists()


def test_it_ends_the_course_and_the_way_on_follows():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    files = {
        part["caption"]: [entry["file"] for entry in part["chapters"]]
        for part in toc["parts"]
    }
    (course_ends,) = (
        caption
        for caption, names in files.items()
        if "book/what_you_have_built" in names
    )
    assert files[course_ends][-2:] == [
        "chapters/16_what_is_each_part_worth",
        "book/what_you_have_built",
    ]
    after = list(files)[list(files).index(course_ends) + 1]
    numbers = [int(name.split("/")[1][:2]) for name in files[after]]
    assert after == "After the course" and numbers[0] == 17
    linked = {int(n) for n in re.findall(r"</chapters/(\d+)_", PAGE)}
    assert set(numbers) <= linked


def test_its_last_words_are_those_of_the_last_chapter():
    path = next((ROOT / "chapters").glob("20_*.ipynb"))
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    there = "".join("".join(cell["source"]) for cell in cells)
    (_, last) = PAGE.rsplit("\n\n", 1)
    sentence, words = " ".join(last.split()).split("* ", 1)
    assert words.startswith("No number in this book") and words in there
    assert "cat" in sentence and "river" in sentence
    assert words.endswith("an intervention before an explanation.")


def test_all_of_the_machine_is_lit():
    chapters = {n: (f"{n}.html", f"{n}. Title") for n in NUMBERS}
    root = ElementTree.fromstring(built.machine(chapters))
    parts = [part for part in root if part.get("data-part")]
    assert parts and all("m-lit" in part.get("class") for part in parts)


def test_all_ten_parts_are_lit_for_a_screen_and_for_a_phone():
    root = ElementTree.fromstring(f"<div>{built.parts()}</div>")
    drawings = list(root.iter(f"{SVG}svg"))
    assert len(drawings) == len(built.ACROSS)
    for drawing in drawings:
        boxes = list(drawing.iter(f"{SVG}rect"))
        assert len(boxes) == len(NAMES)
        assert len({box.get("style") for box in boxes}) == 1
        assert boxes[0].get("style")
        assert drawing.get("aria-label").startswith("All ten parts are lit")
