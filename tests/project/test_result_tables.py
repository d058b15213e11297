"""Tables of results: as stored, and what they say of other figures."""

import importlib
import json
import re
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks"
STORED = FOLDER / "results"
sys.path.insert(0, str(FOLDER))

import common  # noqa: E402
import tables  # noqa: E402
from tables import comparisons, paper, proofs, speed, text, toy  # noqa: E402


def stored(name):
    return json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))


SCRIPTS = sorted({tables.script(stored(p.stem)) for p in STORED.glob("*.json")})


def tables_of(markdown):
    """Return the cells of each table, row by row, without the heads."""
    found = re.findall(r"(?m)(?:^\| .*\n?)+", markdown)
    return [
        [[c.strip() for c in line[1:-1].split("|")] for line in lines[2:]]
        for lines in map(str.splitlines, found)
    ]


# ----------------------------------------------------------------- the stored


@pytest.fixture
def results(monkeypatch, tmp_path):
    """Let the scripts find the stored figures, and no table, elsewhere."""
    for path in STORED.glob("*.json"):
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(common, "RESULTS", tmp_path)
    return tmp_path


def contents(folder, ending):
    return {path.name: path.read_text() for path in folder.glob(f"*.{ending}")}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_writes_the_stored_tables_anew(name, results, monkeypatch):
    monkeypatch.setattr("sys.argv", [f"{name}.py", "--table"])
    with pytest.raises(SystemExit) as ended:
        importlib.import_module(name).main()
    assert not ended.value.code
    written = contents(results, "md")
    assert {tables.script(stored(n[:-3])) for n in written} == {name}
    for file, markdown in written.items():
        there = STORED / file
        assert there.exists() and there.read_text() == markdown, (
            f"{file} is not of its figures: python benchmarks/{name}.py --table"
        )
    assert contents(results, "json") == contents(STORED, "json")


def test_each_result_has_its_table_and_each_table_its_result():
    names = {p.stem for p in STORED.glob("*.json")}
    assert {p.stem for p in STORED.glob("*.md")} == names
    assert set(SCRIPTS) <= set(tables.TABLES)
    assert all((FOLDER / f"{name}.py").exists() for name in tables.TABLES)


def test_stored_tables_are_whole():
    for name, markdown in contents(STORED, "md").items():
        for lines in re.findall(r"(?m)(?:^\|.*\n)+", markdown):
            rows = [re.split(r"(?<!\\)\|", row) for row in lines.splitlines()]
            assert len({len(row) for row in rows}) == 1, name
        assert not re.search(r"(?i)\bnan\b", markdown), name


def test_figures_are_stored_with_their_table(results):
    common.rewrite("mine", stored("goats"))
    assert (results / "mine.md").read_text() == (
        STORED / "goats.md"
    ).read_text()


def test_a_script_without_figures_or_table_is_told(
    results, monkeypatch, capsys
):
    monkeypatch.setattr("sys.argv", ["unheard_of.py", "--table"])
    with pytest.raises(SystemExit):
        common.parser("").parse_args()
    assert "has no figures of unheard_of.py" in capsys.readouterr().err
    with pytest.raises(ValueError, match="write a function unheard_of"):
        tables.markdown({"command": "python benchmarks/unheard_of.py"})


# -------------------------------------------------------------------- numbers


def test_a_spread_has_its_middle_and_its_ends():
    assert text.middle([3.0, 1.0, 9.0]) == "3.0 (1.0–9.0)"
    assert text.middle([4.0, 1.0]) == "2.5 (1.0–4.0)"
    assert text.middle([2.04]) == "2.0", "one number has no spread"
    assert text.span([700, 5, 1200]) == "5 to 1,200"
    assert text.span([2.001, 2.002]) == "2.00"
    race = {"seconds": 0.5, "quartiles": [0.0125, 0.75], "repeats": 7}
    assert text.milliseconds(race) == "500 (12.5–750)"
    assert text.milliseconds(race | {"repeats": 1}) == "500"
    assert text.times({"ratio": 1.5, "interval": [1, 10.04]}) == "1.50 (1–10.0)"
    assert text.times({"ratio": 1.5, "interval": None}) == "1.50"


def test_rows_with_other_heads_are_no_table():
    with pytest.raises(KeyError):
        text.table([{"a": 1, "b": 2}, {"a": 1, "c": 2}])


# ---------------------------------------------------------------------- speed


def race(**ratio):
    """Return the stored race as one cell, in which both rivals are as fast."""
    told = stored("throughput")
    rivals = dict.fromkeys(("nn.Transformer", "textbook"), ratio)
    cell = {"d_model": 64, "length": 16, "ratios": rivals}
    return told | {"cells": [told["cells"][0] | cell]}


def test_a_rival_is_faster_only_beyond_the_noise():
    for ratio, interval, where in [
        (1.5, [1.4, 1.6], "in no cell"),
        (0.9, [0.7, 1.1], "in no cell"),
        (0.8, [0.7, 0.9], "in 64/16"),
        (0.8, None, "in no cell"),
    ]:
        said = speed.throughput(race(ratio=ratio, interval=interval))
        assert f"nn.Transformer takes {ratio:.2f} times as long" in said
        assert said.count(f"faster beyond the noise {where}") == 2


def test_a_gpu_has_its_utilization_and_precisions():
    told = race(ratio=1.5, interval=None) | {"not_compiled": "no compiler"}
    (cell,) = told["cells"]
    cell["precision"] = "bfloat16"
    for entry in cell["contestants"].values():
        entry["utilization"] = 0.125
    said = speed.throughput(told)
    (first, *_), = tables_of(said)  # fmt: skip
    assert (first[2], first[-1]) == ("transformer_lib, bfloat16", "12.5 %")
    assert "Nothing was compiled: no compiler." in said
    assert "Nothing was" not in speed.throughput(told | {"not_compiled": None})


def test_a_change_gains_only_where_it_does_at_all_lengths():
    told = stored("step_time")
    ratios = [cell["ratios"]["ReLU in place"] for cell in told["cells"]]
    for ends, says in [((0.95, 0.95), "both lengths: ReLU that overwrites"),
                       ((0.95, 0.96), "No change gives 5 %")]:  # fmt: skip
        for ratio, end in zip(ratios, ends, strict=True):
            ratio["interval"] = [0.5, end]
        assert says in speed.step_time(told)


# ---------------------------------------------------------- what tests noticed


def test_survivors_of_the_planted_bugs_are_listed_with_their_reasons():
    survivor = {"module": "masks", "bug": "a | for an &", "reason": ""}
    told = {"planted": 40, "killed": 39, "survivors": [survivor]}
    said = proofs.planted_bugs(told)
    assert "Of 40 planted bugs the tests noticed 39, which is 97.5 %" in said
    assert said.endswith("| `masks` | a \\| for an & | not known |")
    none = proofs.planted_bugs({"planted": 3, "killed": 3, "survivors": []})
    assert "100.0 %" in none and "|" not in none


# ----------------------------------------------------------- one beside others


def rungs(**scores):
    """Return the stored ladder with these systems, and these scores on test."""
    told = stored("ladder")
    for name, system in told["systems"].items():
        run = system["runs"][0]
        split = run["splits"]["noun"]
        system["runs"] = [
            run | {"splits": {"test": split | {"exact_match": score}}}
            for score in scores.get(name, [])
        ]
    return told


def ahead(said):
    """Return who has more right than whom on test."""
    return re.findall(
        r"Every run of \*(.*?)\* has more exact matches than every run of "
        r"\*(.*?)\* on \*test\*\.", said,
    )  # fmt: skip


ONE, GRU, OURS = "GRU, one vector", "GRU with attention", "Transformer"


@pytest.mark.parametrize(
    ("fixed", "attention", "transformer", "who"),
    [
        ([60.0, 70.0], [90.0, 92.0], [93.0, 99.0], [(GRU, ONE), (OURS, GRU)]),
        ([95.0], [90.0, 92.0], [80.0, 89.0], [(ONE, GRU), (GRU, OURS)]),
        ([60.0, 70.0], [90.0, 92.0], [92.0, 99.0], [(GRU, ONE)]),
    ],
)
def test_the_ladder_says_who_is_ahead(fixed, attention, transformer, who):
    scores = {"gru_fixed": fixed, "gru_attention": attention}
    said = comparisons.ladder(rungs(**scores, transformer=transformer))
    assert ahead(said) == who
    tie = f"Nowhere are all runs of *{GRU}* ahead of all runs of *{OURS}*, or"
    assert (tie in said) == (len(who) == 1)


def test_a_ladder_in_the_making_shows_what_there_is():
    said = comparisons.ladder(rungs(word_for_word=[1.0], gru_attention=[9.0]))
    assert [row[0] for row in tables_of(said)[0]] == ["word for word", GRU]
    assert "all runs" not in said and "Every run" not in said
    assert f"- *{ONE}*: width" in said


def test_only_a_rate_at_the_end_of_what_was_tried_is_at_an_edge():
    told = stored("ladder")
    system = told["systems"]["gru_fixed"]
    settings = [{"d_model": 8, "max_lr": rate} for rate in (0.125, 0.25, 0.5)]
    system["tuning"] = [
        {"setting": setting, "exact_match": 12.0 + place}
        for place, setting in enumerate(settings)
    ]
    for system["chosen"], edge in zip(
        settings, (True, False, True), strict=True
    ):
        edge = ", an edge of the grid" * edge
        said = f"(tried: 0.125, 0.25, 0.5){edge}; 12.0 to 14.0 % right"
        assert said in comparisons.ladder(told)


def test_ablations_tell_the_luck_of_a_reference_if_there_is_one():
    told = stored("ablations_again")
    run = told["variants"]["reference"]["runs"][0]
    told["variants"]["reference"]["runs"] = [
        run | {"exact_match": {"test": score, "role": 2 * score}}
        for score in (30.0, 33.5, 31.0)
    ]
    said = comparisons.ablations(told)
    assert "differ by 3.5 points on test and by 7.0 on role" in said
    del told["variants"]["reference"]
    assert "The reference's" not in comparisons.ablations(told)


def test_every_variant_leads_to_its_chapter():
    variants = set(stored("ablations")["variants"]) - {"reference"}
    assert variants == set(comparisons.EXPLAINED)


def test_a_learning_rate_is_chosen_on_validation_and_reported_on_test():
    rates = {
        "0.1": {"valid": 0.9, "test": 0.2},
        "0.2": {"valid": 0.5, "test": 1.0},
    }
    runs = [{"fine_tuning": {"person": {"masked": {"50": rates}}}}]
    assert comparisons.tuned_right(runs, "masked") == "20.0"


# ------------------------------------------------------------------- real text


def captions(*runs):
    """Return one stored run again and again, each time with these changes."""
    told = stored("multi30k_cpu")
    first = told["runs"][0]
    return told | {"runs": [first | changes for changes in runs]}


def test_real_text_keeps_directions_and_variants_apart():
    said = paper.multi30k(
        captions(
            {"direction": "en-de"},
            {"direction": "en-de", "variant": "untied", "text": "untied"},
            {"direction": "de-en", "seed": 3},
        )
    )
    assert "seeds 0, 3." in said
    assert "Runs:" not in said and "95 % interval" not in said
    (rows,) = tables_of(said)
    assert [row[:2] for row in rows] == [
        *[["en→de", "nothing"]] * 3, ["en→de", "untied"],
        *[["de→en", "nothing"]] * 3,
    ]  # fmt: skip
    assert rows[3][2:] == rows[2][2:], "the mean of the last checks"


def test_runs_on_real_text_say_where_they_are_from_if_that_differs():
    here, there = (
        {"origin": {"commit": name, "device": name}} for name in ("abc", "def")
    )
    said = paper.multi30k(captions(here, there, here | {"seed": 3}))
    assert "Runs: en→de 0, en→de 3 at `abc` on abc; en→de 0 at `def` on" in said


# ---------------------------------------------------------- the toy translator


def seeds(*changes):
    """Return a stored run again and again, each time with these changes."""
    told = stored("toy_translator_small")
    first = told["runs"][0]
    return told | {
        "runs": [first | {"seed": n} | one for n, one in enumerate(changes)]
    }


def test_the_toy_translator_is_shown_without_what_needs_no_model():
    told = seeds({}, {})
    splits, *more = tables_of(toy.toy_translator(told))
    assert len(more) == 2
    del told["baselines"]  # as on a GPU
    assert tables_of(toy.toy_translator(told)) == [[r[:-1] for r in splits]]


def nouns(valid, **exact):
    """Return the exact match of a seed on valid, and of nouns on role."""
    scores = {"exact_match": valid, "bleu": 1.0, "sentences": 9}
    splits = {"valid": scores, "test": scores | {"signature": "s"}}
    role = {k: {"sentences": 8, "exact_match": v} for k, v in exact.items()}
    return {"splits": splits, "role": role}


def test_the_nouns_of_a_role_are_those_of_the_seed_that_is_the_median():
    told = seeds(
        nouns(99.0, cow=0.0, dog=1.0),
        nouns(90.0, cow=20.0, dog=100.0, cat=80.0, owl=100.0),
        nouns(70.0, cow=3.0, dog=4.0),
    )
    del told["baselines"]
    assert (
        "*role* has 4 nouns with 8 sentences each. By noun, seed 1, the median "
        "on *valid*, has from 20.0 % (cow) to 100.0 % (dog, owl) right; the "
        "median noun has 90.0 %."
    ) in toy.toy_translator(told)
    more = {"sentences": 3, "exact_match": 100.0}
    told["runs"][1]["role"] |= {"elk": more, "fox": more}
    said = toy.toy_translator(told)
    assert "with 3 to 8 sentences each" in said and "(4 nouns) right" in said


def test_it_is_said_when_the_goal_was_reached():
    told = seeds(*(
        {"reached": n and {"step": n, "wall_seconds": n / 8},
         "curve": [{"wall_seconds": 100.0 + n}]}
        for n in (0, 500, 750)
    ))  # fmt: skip
    told |= {"goal": 99.0, "curve_of": "valid", "device": "a GPU"}
    said = toy.toy_translator(told)
    assert "100 to 850 wall seconds of training a seed" in said
    assert (
        " 2 of 3 had 99 % of *valid* right, at first after 500 to 750 steps "
        "and 62.5 to 93.8 seconds."
    ) in said
    del told["runs"][1:]
    assert " No seed had 99 % of *valid* right at any" in toy.toy_translator(
        told
    )
