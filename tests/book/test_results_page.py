"""The page of measured results says what the stored files say."""

import json
import re
from pathlib import Path

import pytest
from docutils import nodes

ROOT = Path(__file__).resolve().parents[2]
STORED = ROOT / "benchmarks" / "results"
PAGE = (ROOT / "book" / "results.md").read_text(encoding="utf-8")
NAMES = re.findall(r"^```\{results\} (\w+)$", PAGE, flags=re.M)

import result_studies  # noqa: E402
import result_tasks  # noqa: E402
import results  # noqa: E402


def stored(name):
    return json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))


def tables_of(text):
    """Return the cells of each Markdown table, row by row, the head first."""
    found = re.findall(r"(?m)(?:^\| .*\n?)+", text)
    tables = [
        [
            [c.strip() for c in line[1:-1].split("|")]
            for line in one.splitlines()
        ]
        for one in found
    ]
    return [[rows[0], *rows[2:]] for rows in tables]


def rows_of(text):
    """Return the cells of the first table's rows, without the head."""
    return tables_of(text)[0][1:]


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
    for rows in tables_of(text):
        widths = {len(row) for row in rows}
        assert len(widths) == 1, "all rows have as many cells"
        assert "nan" not in {cell.lower() for row in rows for cell in row}


def test_each_cell_of_a_race_has_its_row():
    text = results.markdown("throughput", STORED)
    cells = stored("throughput")["cells"]
    shown = {tuple(row[:3]) for row in rows_of(text)}
    assert shown == {
        (str(cell["d_model"]), str(cell["length"]), name)
        for cell in cells
        for name in cell["contestants"]
    }


def test_a_learning_rate_is_chosen_on_validation_and_reported_on_test():
    rates = {
        "0.1": {"valid": 0.9, "test": 0.2},
        "0.2": {"valid": 0.5, "test": 1.0},
    }
    runs = [{"fine_tuning": {"person": {"masked": {"50": rates}}}}]
    assert result_tasks.tuned_right(runs, "masked") == "20.0"


def test_what_was_not_measured_is_not_announced(tmp_path):
    assert {results.markdown(n, tmp_path) for n in results.SHOWN} == {""}
    kept, gone = nodes.section(), nodes.section()
    kept += [nodes.paragraph("", "measured"), gone]
    gone += [nodes.title("", "On a GPU"), results.not_measured()]
    results.leave_out(None, kept)
    assert kept.astext() == "measured"


def test_sections_that_may_go_hold_nothing_else():
    """A section that is left out takes its text and sections with it."""
    for section in re.split(r"^(?=#{2,3} )", PAGE, flags=re.M):
        shown = re.findall(r"^```\{results\} (\w+)$", section, flags=re.M)
        stored = [name for name in shown if (STORED / f"{name}.json").exists()]
        assert not shown or stored in ([], shown), section.splitlines()[0]


def test_rows_of_the_ablations_lead_to_their_chapters():
    variants = set(stored("ablations")["variants"]) - {"reference"}
    assert variants == set(result_studies.EXPLAINED)
    rows = rows_of(results.markdown("ablations", STORED))
    assert [row[0] for row in rows if "chapter" not in row[0]] == ["nothing"]


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


def system(text, *scores, tuning=(), **more):
    """Return an entry of the ladder; each score is a seed's."""
    runs = [
        {
            "seed": seed,
            "steps": 700 + seed,
            "cpu_seconds": 58.7 + seed,
            "splits": {
                "test": {"exact_match": score, "bleu": score / 2},
                "role": {"exact_match": 50.0, "bleu": 1.0},
            },
        }
        for seed, score in enumerate(scores)
    ]
    entry = {"text": text, "parameters": 1234, "chosen": {}, "runs": runs}
    return entry | {"tuning": list(tuning)} | more


def rungs(fixed, attention, transformer):
    tuning = [
        {"setting": {"d_model": 8, "max_lr": 0.5}, "exact_match": 12.0},
        {"setting": {"d_model": 16, "max_lr": 0.25}, "exact_match": 34.0},
    ]
    more = {"tuning": tuning, "chosen": tuning[1]["setting"]}
    return {
        "preset": "small",
        "budget_cpu_seconds": 60.0,
        "tuning_cpu_seconds": 30.0,
        "limit": 300,
        "signature": "nrefs:1|tok:char",
        "systems": {
            "word_for_word": system("word for word", 0.25),
            "gru_fixed": system("GRU, one vector", *fixed, **more),
            "gru_attention": system("GRU with attention", *attention),
            "transformer": system("Transformer", *transformer),
        },
    }


def test_the_ladder_shows_each_translator_with_its_spread():
    told = rungs([70.0, 60.0, 65.0], [90.0, 91.0, 92.0], [91.5, 93.0, 99.0])
    text = results.ladder(told)
    rows = rows_of(text)
    assert [row[0] for row in rows] == [
        "word for word",
        "GRU, one vector",
        "GRU with attention",
        "Transformer",
    ]
    assert rows[0][1:4] == ["59", "700", "0.2"]
    assert rows[1][1:] == [
        "59 to 61",
        "700 to 702",
        "65.0 (60.0–70.0)",
        "50.0 (50.0–50.0)",
        "32.5 (30.0–35.0)",
    ]
    assert "`nrefs:1|tok:char`" in text and "300 sentences a split" in text
    assert "width 16 (tried: 8, 16)" in text
    assert "rate 0.25 (tried: 0.25, 0.5), an edge of the grid; 12.0" in text
    assert "to 34.0 % right" in text
    assert text.count("(tried: 8") == 1, "the others tried nothing"


def test_a_rate_inside_the_grid_is_at_no_edge():
    told = rungs([70.0], [90.0], [91.5])
    tuning = told["systems"]["gru_fixed"]["tuning"]
    for rate in (0.125, 0.5):
        setting = {"d_model": 16, "max_lr": rate}
        tuning.append({"setting": setting, "exact_match": 20.0})
    assert "(tried: 0.125, 0.25, 0.5); 12.0 to" in results.ladder(told)


def test_the_ladder_counts_pairs_where_they_were_counted():
    told = rungs([70.0, 60.0, 65.0], [90.0], [91.5])
    assert len(tables_of(results.ladder(told))) == 1
    for entry in told["systems"].values():
        for run in entry["runs"]:
            run["splits"]["role"]["pairs_right"] = 5.0 + run["seed"]
    _, rows = tables_of(results.ladder(told))
    assert rows[0][1:] == ["role"]
    assert rows[1:3] == [["word for word", "5.0"],
                         ["GRU, one vector", "6.0 (5.0–7.0)"]]  # fmt: skip


def test_the_ladder_says_who_is_ahead_and_where():
    def ahead(better, worse):
        found = re.search(
            rf"\*{better}\* has .* run of \*{worse}\* on (.*?)\.", text
        )
        return found[1]

    one, attention, transformer = (
        "GRU, one vector",
        "GRU with attention",
        "Transformer",
    )
    text = results.ladder(rungs([60.0, 70.0], [90.0, 92.0], [91.0, 99.0]))
    text = text.replace(". Every", ".\nEvery")
    assert ahead(attention, one) == "*test*"
    assert text.count("Every run of") == 1, "the others overlap"
    nowhere = f"all runs of *{transformer}* ahead of all runs of *{attention}*"
    swapped = f"all runs of *{attention}* ahead of all runs of *{transformer}*"
    assert nowhere in text or swapped in text
    text = results.ladder(rungs([95.0], [90.0, 92.0], [80.0, 89.0]))
    text = text.replace(". Every", ".\nEvery")
    assert ahead(one, attention) == "*test*"
    assert ahead(attention, transformer) == "*test*"


def test_a_ladder_in_the_making_shows_what_there_is():
    told = rungs([], [90.0], [])
    text = results.ladder(told)
    assert [row[0] for row in rows_of(text)] == [
        "word for word",
        "GRU with attention",
    ]
    assert "all runs" not in text and "Every run" not in text
    assert "width 16" in text


def captions(*runs):
    def scores(start):
        return {
            search: {
                "bleu": start + more,
                "signature": "nrefs:1|tok:13a",
                "bleu_lower_cased": start + more + 0.5,
                "chrf": start + more + 20,
                "seconds": 3.0,
            }
            for search, more in (("greedy", 0.0), ("beam_5", 1.0))
        }

    curve = [
        {"step": 10 * n, "valid_bleu": float(n), "wall_seconds": 120.0 * n}
        for n in range(1, 9)
    ]
    return {
        "beam": 5,
        "runs": [
            {
                "direction": direction,
                "variant": variant,
                "text": text,
                "seed": seed,
                "parameters": 5000,
                "training": {"steps": 80},
                "sentence_pairs": 29000,
                "origin": {"commit": "abc", "device": "here"},
                "curve": curve,
                "test": {
                    "last": scores(bleu),
                    "lowest_loss": scores(bleu - 1),
                    "average": scores(bleu + 1),
                },
            }
            for direction, variant, text, seed, bleu in runs
        ],
    }


def test_real_text_is_shown_with_every_kind_of_weights():
    told = captions(("en-de", "reference", "nothing", 0, 30.0))
    text = results.multi30k(told)
    head = ["en→de", "nothing"]
    assert rows_of(text) == [
        [*head, "last", "30.0", "31.0", "31.5", "51.0"],
        [*head, "lowest loss in validation", "29.0", "30.0", "30.5", "50.0"],
        [*head, "mean of the last checks", "31.0", "32.0", "32.5", "52.0"],
    ]
    assert "`nrefs:1|tok:13a`" in text and "29,000 pairs" in text
    assert "1.0 after 10 steps (2 minutes), 2.0 after 20 steps" in text
    assert text.endswith("8.0 after 80 steps (16 minutes).")


def test_real_text_gathers_seeds_and_keeps_directions_and_variants_apart():
    told = captions(
        ("en-de", "reference", "nothing", 0, 30.0),
        ("en-de", "reference", "nothing", 1, 33.0),
        ("de-en", "reference", "nothing", 0, 40.0),
        ("en-de", "untied", "three matrices", 0, 20.0),
        ("en-de", "untied", "three matrices", 1, 22.0),
    )
    text = results.multi30k(told)
    rows = rows_of(text)
    assert rows[0][3] == "31.5 (30.0–33.0)" and "seeds 0, 1" in text
    assert [row[:2] for row in rows[3:6]] == [["de→en", "nothing"]] * 3
    assert rows[6:] == [
        [
            "en→de",
            "three matrices",
            "mean of the last checks",
            "22.0 (21.0–23.0)",
            "23.0 (22.0–24.0)",
            "23.5 (22.5–24.5)",
            "43.0 (42.0–44.0)",
        ]
    ]


def test_an_interval_stands_where_a_run_has_one():
    told = captions(
        ("en-de", "reference", "nothing", 0, 30.0),
        ("de-en", "reference", "nothing", 1, 40.0),
    )
    assert "±" not in results.multi30k(told)
    told["runs"][1]["test"]["average"]["beam_5"]["plus_minus"] = 1.84
    assert "beam: de→en, seed 1: 42.0 ± 1.8." in results.multi30k(told)


def test_runs_of_different_origins_are_told_apart():
    told = captions(
        ("en-de", "reference", "nothing", 0, 30.0),
        ("en-de", "reference", "nothing", 1, 33.0),
        ("de-en", "reference", "nothing", 0, 40.0),
    )
    assert "Runs:" not in results.multi30k(told)
    told["runs"][1]["origin"] = {"commit": "def", "device": "there"}
    text = results.multi30k(told)
    assert "Runs: en→de 0, de→en 0 at `abc` on here; " in text
    assert "; en→de 1 at `def` on there." in text


def test_published_figures_on_real_text_are_told_apart():
    part = PAGE.split("## Real text")[1].split("\n## ")[0]
    flat = " ".join(part.split())
    assert "lower-cased and cut into words beforehand" in flat


def test_every_variant_of_the_stored_ablations_has_its_row():
    variants = stored("ablations")["variants"]
    rows = rows_of(results.markdown("ablations", STORED))
    for row, variant in zip(rows, variants.values(), strict=True):
        assert row[0].startswith(variant["text"])


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


LENGTHS = [
    f"{one} structure, {other} positions"
    for one in ("known", "new")
    for other in ("known", "new")
]


def toy_run(seed, exact, pairs, **roles):
    """Return the figures of a seed as benchmarks/toy_translator.py has them."""
    score = {"sentences": 8, "exact_match": exact, "bleu": 9.0}
    names = ("valid", "test", "contrast", "noun")
    scores = {kind: score | {"exact_match": exact - place}
              for place, kind in enumerate(LENGTHS)}  # fmt: skip
    return {
        "seed": seed,
        "parameters": 1234,
        "steps": 7,
        "curve": [{"cpu_seconds": 60.0}],
        "splits": {name: score | {"signature": "s"} for name in names},
        "length": scores,
        "role": {k: score | {"exact_match": v} for k, v in roles.items()},
        "pairs_right": {"contrast": pairs, "noun": pairs - 10},
    }


TABLES = ("adjective", "adjective_and_not", "verb_adjective_and_not",
          "description")  # fmt: skip
BASELINES = {
    "pairs": {
        "contrast": dict(zip(TABLES, (31.0, 41.0, 51.0, 61.0), strict=True)),
        "noun": dict(zip(TABLES, (0.0, 0.0, 0.0, 71.0), strict=True)),
    },
    "nearest_translation": {"valid": 11.0, "test": 21.0, "contrast": 2.0,
                            "noun": 3.0},
    "length": {
        kind: {"least": 5, "most": 8, "per_cent": 0.312}
        if kind.endswith("known positions")
        else {"least": 9, "most": 14, "per_cent": 0.0}
        for kind in LENGTHS
    },
}  # fmt: skip


def test_the_toy_translator_stands_beside_what_needs_no_model():
    runs = [toy_run(0, 80.0, 61.0, cow=80.0), toy_run(1, 90.0, 71.0, cow=90.0)]
    alone = tables_of(results.toy_translator({"runs": runs}))
    assert len(alone) == 1 and "nearest sentence" not in alone[0][0]
    told = {"runs": runs, "baselines": BASELINES}
    splits, pairs, lengths = tables_of(results.toy_translator(told))
    assert splits[1:3] == [
        ["valid", "8", "85.0", "80.0", "90.0", "9.0", "11.0"],
        ["test", "8", "85.0", "80.0", "90.0", "9.0", "21.0"],
    ]
    assert pairs[0][1:] == ["contrast, 4 pairs", "noun, 4 pairs"]
    assert [row[1:] for row in pairs[1:]] == [
        ["66.0 (61.0–71.0)", "56.0 (51.0–61.0)"],
        ["31.0", "0.0"], ["41.0", "0.0"], ["51.0", "0.0"], ["61.0", "71.0"],
    ]  # fmt: skip
    assert lengths[0][1:] == [
        "known positions: 5 to 8 words (0.31 % of training)",
        "new positions: 9 to 14 words (0 % of training)",
    ]
    assert lengths[1:] == [
        ["known structure", "85.0 (80.0–90.0)", "84.0 (79.0–89.0)"],
        ["new structure", "83.0 (78.0–88.0)", "82.0 (77.0–87.0)"],
    ]


def test_the_nouns_of_a_role_are_those_of_the_seed_that_is_the_median():
    runs = [
        toy_run(0, 99.0, 50.0, cow=0.0, dog=1.0),
        toy_run(1, 90.0, 50.0, cow=20.0, dog=100.0, cat=80.0, owl=100.0),
        toy_run(2, 70.0, 50.0, cow=3.0, dog=4.0),
    ]
    text = results.toy_translator({"runs": runs})
    assert (
        "*role* has 4 nouns with 8 sentences each. By noun, seed 1, the median "
        "on *valid*, has from 20.0 % (cow) to 100.0 % (dog, owl) right; the "
        "median noun has 90.0 %."
    ) in text
    runs[1]["role"] |= {name: {"sentences": 3, "exact_match": 100.0}
                        for name in ("elk", "fox")}  # fmt: skip
    text = results.toy_translator({"runs": runs})
    assert "with 3 to 8 sentences each" in text and "(4 nouns) right" in text


def test_typed_lists_that_chose_nothing_stand_first():
    table = {"right": {"sure": 5, "perhaps": 1, "doubtful": 0},
             "wrong": {"sure": 0, "perhaps": 1, "doubtful": 3}}  # fmt: skip
    part = {"sentences": 10, "right": 6, "table": table}
    names = ("first", "fresh", "free")
    rows = rows_of(results.typed_sentences(dict.fromkeys(names, part)))
    assert [row[0] for row in rows] == [
        result_tasks.TYPED[name] for name in ("free", "fresh", "first")
    ]
    assert rows[0][1:3] == ["10", "6"] and rows[0][4].startswith("1 of 2 (")
