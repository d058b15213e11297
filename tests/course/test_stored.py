"""Stored results are found from every folder a notebook runs in."""

import json
from pathlib import Path

import pytest

from transformer_course import stored
from transformer_course.stored import stored_results

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"


@pytest.mark.parametrize("folder", ["chapters", "book/solutions", "book", "."])
def test_a_result_is_found_from_a_notebooks_folder(monkeypatch, folder):
    monkeypatch.chdir(ROOT / folder)
    for path in RESULTS.glob("*.json"):
        wanted = json.loads(path.read_text(encoding="utf-8"))
        assert stored_results(path.stem) == wanted


def test_the_reader_s_own_folder_comes_first(monkeypatch, tmp_path):
    (tmp_path / "benchmarks" / "results").mkdir(parents=True)
    own = tmp_path / "benchmarks" / "results" / "ladder.json"
    own.write_text('{"mine": "é"}', encoding="utf-8")
    (tmp_path / "chapters").mkdir()
    monkeypatch.chdir(tmp_path / "chapters")
    assert stored_results("ladder") == {"mine": "é"}
    with pytest.raises(FileNotFoundError, match=r"'ablations' in .*: ladder$"):
        stored_results("ablations")


def test_elsewhere_the_library_s_own_are_read_or_the_way_is_told(
    monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    assert "systems" in stored_results("ladder")
    away = tmp_path / "transformer_course" / "stored.py"
    monkeypatch.setattr(stored, "__file__", str(away))
    with pytest.raises(FileNotFoundError, match="open the notebook in"):
        stored_results("ladder")
