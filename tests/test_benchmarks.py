"""Benchmarks run in miniature, and their stored results say enough."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ["toy_translator.py"]
RESULTS = sorted((ROOT / "benchmarks" / "results").glob("*.json"))


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_benchmark_runs_in_miniature(script):
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / script, "--smoke"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "exact_match" in done.stdout


def test_every_script_is_tested():
    found = {p.name for p in (ROOT / "benchmarks").glob("*.py")}
    assert found == {*SCRIPTS, "common.py"}


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_results_can_be_repeated(path):
    result = json.loads(path.read_text(encoding="utf-8"))
    words = result["command"].split()
    assert words[0] == "python" and (ROOT / words[1]).exists()
    for key in ("commit", "date", "device", "torch", "python"):
        assert result[key]


def test_the_shipped_model_is_the_median_of_the_stored_runs():
    text = (ROOT / "benchmarks/results/toy_translator_full.json").read_text()
    runs = json.loads(text)["runs"]
    info = json.loads(
        (ROOT / "transformer_lib/data/toy_en_ko/model.json").read_text()
    )
    scores = sorted(r["splits"]["test"]["exact_match"] for r in runs)
    shipped = next(r for r in runs if r["seed"] == info["train"]["seed"])
    middle = scores[(len(scores) - 1) // 2]
    assert shipped["splits"]["test"]["exact_match"] == middle
