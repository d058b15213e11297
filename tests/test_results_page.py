"""The page of measured results says what the stored files say."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
STORED = ROOT / "benchmarks" / "results"
PAGE = (ROOT / "book" / "results.md").read_text(encoding="utf-8")
NAMES = re.findall(r"^```\{results\} (\w+)$", PAGE, flags=re.M)


def load():
    path = ROOT / "book" / "_ext" / "results.py"
    spec = importlib.util.spec_from_file_location("results_page", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


results = load()


def stored(name):
    return json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))


def rows_of(text):
    """Return the cells of a Markdown table's rows, without the head."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[c.strip() for c in line[1:-1].split("|")] for line in lines[2:]]


def test_every_stored_result_is_shown_and_every_shown_one_has_a_way():
    assert sorted(NAMES) == sorted(results.SHOWN)
    assert {path.stem for path in STORED.glob("*.json")} <= set(NAMES)


def test_no_measured_number_is_typed_by_hand():
    prose = re.sub(r"^---.*?^---", "", PAGE, count=1, flags=re.M | re.S)
    assert not re.search(r"\d\.\d+(?!.{0,3}\*)", prose.replace("5.1 of", ""))
    assert not re.search(r"\d\s*(%|ms|times)", prose.replace("95 %", ""))


@pytest.mark.parametrize(
    "path", sorted(STORED.glob("*.json")), ids=lambda p: p.stem
)
def test_a_page_shows_whole_tables_and_how_to_repeat_them(path):
    text = results.markdown(path.stem, STORED)
    result = stored(path.stem)
    assert f"```bash\n{result['command']}\n```" in text
    assert result["date"] in text and result["device"] in text
    widths = {len(row) for row in rows_of(text)}
    assert len(widths) <= 1, "all rows have as many cells"
    cells = {cell.strip().lower() for row in rows_of(text) for cell in row}
    assert "nan" not in cells


def test_each_cell_of_a_race_has_its_row():
    text = results.markdown("throughput", STORED)
    cells = stored("throughput")["cells"]
    shown = {tuple(row[:3]) for row in rows_of(text)}
    assert shown == {
        (str(cell["d_model"]), str(cell["length"]), name)
        for cell in cells
        for name in cell["contestants"]
    }


def test_what_is_not_measured_is_said_to_be_so(tmp_path):
    for name in results.SHOWN:
        assert "Not measured yet" in results.markdown(name, tmp_path)


def test_a_name_that_nobody_knows_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no way to show 'speed'"):
        results.markdown("speed", tmp_path)


def race(ratio, interval):
    entry = {
        "seconds": 0.5,
        "quartiles": [0.25, 0.75],
        "repeats": 7,
        "tokens_per_second": 12,
    }
    names = ["transformer_lib", "nn.Transformer", "textbook"]
    said = {"ratio": ratio, "interval": interval}
    cell = {
        "d_model": 64,
        "length": 16,
        "precision": "float32",
        "target_tokens": 1500.5,
        "contestants": dict.fromkeys(names, entry),
        "ratios": dict.fromkeys(names[1:], said),
    }
    return {
        "cuda": None,
        "clock": "CPU seconds",
        "vocab_size": 50,
        "n_layers": 2,
        "disagreement": 1e-12,
        "cells": [cell],
    }


def test_the_sentences_follow_the_numbers():
    slower = results.throughput(race(1.5, [1.4, 1.6]))
    assert "nn.Transformer takes 1.50 times as long" in slower
    assert slower.count("faster beyond the noise in no cell") == 2
    faster = results.throughput(race(0.8, [0.7, 0.9]))
    assert faster.count("faster beyond the noise in 64/16") == 2
    unclear = results.throughput(race(0.9, [0.7, 1.1]))
    assert unclear.count("faster beyond the noise in no cell") == 2
    assert "500 (250–750)" in slower


def test_survivors_of_the_planted_bugs_are_listed_with_their_reasons():
    survivor = {"module": "masks", "bug": "a | for an &", "reason": ""}
    told = {"planted": 40, "killed": 39, "survivors": [survivor]}
    text = results.planted_bugs(told)
    assert "Of 40 planted bugs the tests noticed 39, which is 97.5 %" in text
    assert "not known" in text
    assert len(rows_of(text.replace("\\|", "or"))[0]) == 3
    none = results.planted_bugs({"planted": 3, "killed": 3, "survivors": []})
    assert "100.0 %" in none and "|" not in none


def test_ablations_show_the_spread_of_the_seeds():
    def variant(text, scores):
        runs = [
            {
                "seed": seed,
                "valid_loss": 0.25,
                "curve": [{"step": 3, "exact_match": score / 10}],
                "exact_match": {"test": score, "role": 2 * score},
            }
            for seed, score in enumerate(scores)
        ]
        return {"text": text, "runs": runs}

    told = {
        "preset": "small",
        "steps": 7,
        "limit": 5,
        "part": 4,
        "variants": {
            "reference": variant("nothing", [30.0, 33.5, 31.0]),
            "flat": variant("no mask", [2.0, 1.0, 9.0]),
        },
    }
    text = results.ablations(told)
    rows = rows_of(text)
    assert rows[0] == [
        "nothing",
        "3.1 (3.0–3.4)",
        "31.0 (30.0–33.5)",
        "62.0 (60.0–67.0)",
        "0.250",
    ]
    assert rows[1][0] == "no mask" and rows[1][2] == "2.0 (1.0–9.0)"
    assert "after 3 steps" in text
    assert "differ by 3.5 points on test and by 7.0 on role" in text
