"""Benchmarks run in miniature, contestants agree, results say enough."""

import json
import math
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pytest
import torch

from transformer_lib.model import Transformer

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks"
SCRIPTS = [
    "toy_translator.py",
    "throughput.py",
    "step_time.py",
    "decoding.py",
    "table_3.py",
    "planted_bugs.py",
    "ablations.py",
    "multi30k.py",
    "published.py",
    "base_size.py",
    "ladder.py",
    "typed_sentences.py",
    "two_halves.py",
    "goats.py",
    "own_learns.py",
    "train_in_page.py",
    "device_tests.py",
    "notebooks.py",
    "gpu.py",
]
# What scripts import.
PARTS = [
    "common.py",
    "model_card.py",
    "timing.py",
    "textbook.py",
    "annotated.py",
    "torch_transformer.py",
    "recompute.py",
    "rivals.py",
    "fine_tuning.py",
    "labeled.py",
    "real_text.py",
    "toy_figures.py",
    "variants.py",
]
RESULTS = sorted((FOLDER / "results").glob("*.json"))


@pytest.fixture(scope="module")
def scripts():
    """Let the test import scripts and parts of benchmarks/ by their names."""
    sys.path.insert(0, str(FOLDER))
    yield
    sys.path.remove(str(FOLDER))


def miniature(script, *options):
    return subprocess.run(
        [sys.executable, FOLDER / script, "--smoke", *options],
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def leaves(value):
    """Yield every number and word of nested lists and dicts."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from leaves(part)
    else:
        yield value


def test_every_script_is_tested():
    found = {p.name for p in FOLDER.glob("*.py")}
    assert found == {*SCRIPTS, *PARTS}


# Those that also wait for a GPU run in miniature in test_gpu_jobs.py.
@pytest.mark.parametrize(
    "script",
    [
        "decoding.py",
        "table_3.py",
        pytest.param("throughput.py", marks=pytest.mark.slow),
        pytest.param("step_time.py", marks=pytest.mark.slow),
        pytest.param("ladder.py", marks=pytest.mark.slow),
        pytest.param("two_halves.py --seeds 0", marks=pytest.mark.slow),
        pytest.param("own_learns.py", marks=pytest.mark.slow),
    ],
)
def test_a_benchmark_in_miniature_tells_finite_figures(script, scripts):
    import tables

    before = {p: p.read_bytes() for p in RESULTS}
    result = json.loads(miniature(*script.split()).splitlines()[-1])
    numbers = [x for x in leaves(result) if isinstance(x, (int, float))]
    assert len(numbers) > 30
    assert all(math.isfinite(x) for x in numbers)
    assert "nan" not in tables.TABLES[script.partition(".")[0]](result)
    assert before == {p: p.read_bytes() for p in RESULTS}


def test_the_goats_in_miniature_have_a_run_for_each_group_and_seed():
    result = json.loads(miniature("goats.py").splitlines()[-1])
    groups = {(g["task"], g["kind"], g["rate"]) for g in result["groups"]}
    assert len(groups) == len(result["groups"]) == 3 * 11 + 2
    assert all(len(g["needed"]) == 2 for g in result["groups"])


def test_a_published_translator_is_measured_in_four_ways(tmp_path, monkeypatch):
    """With random weights: nobody here has the others."""
    from transformer_course.workbook.published import RANDOM

    model, data = tmp_path / "opus-mt-en-de", tmp_path / "data"
    shutil.copytree(RANDOM, model)
    data.mkdir()
    for side, text in {"en": "a dog\nthe cat\n", "de": "Hund\nKatze\n"}.items():
        (data / f"test_2016_flickr.{side}").write_text(text)
    monkeypatch.setenv("BENCHMARK_RESULTS", str(tmp_path))
    miniature("published.py", model, "--data", data)
    name = "published_opus-mt-en-de"
    found = json.loads((tmp_path / f"{name}.json").read_text("utf-8"))
    assert found["sums"].keys() == {path.name for path in RANDOM.iterdir()}
    assert len(found["sources"]) == 10
    ways = {(row["positions"], row["normalization"]): row["translations"]
            for row in found["sentences"]}  # fmt: skip
    assert len(ways) == len(found["test"]) == 4
    assert ways["d/2", "gnmt"] != ways["d/2 - 1", "gnmt"]
    table = (tmp_path / f"{name}.md").read_text("utf-8")
    assert found["sources"][0] in table and "BLEU is of 2" in table


@pytest.mark.skipif(sys.platform != "linux", reason="memory as Linux tells it")
def test_both_classes_write_the_same_with_weights_of_the_published_form():
    found = json.loads(miniature("base_size.py").splitlines()[-1])
    assert found["equal"] == found["sentences"] == found["different"] == 2
    for run in found["runs"].values():
        assert run["megabytes"] > run["megabytes_before"] > 0


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_results_can_be_repeated(path):
    result = json.loads(path.read_text(encoding="utf-8"))
    words = result["command"].split()
    assert words[0] == "python" and (ROOT / words[1]).exists()
    for key in ("commit", "date", "device", "torch", "python"):
        assert result[key]
    numbers = [x for x in leaves(result) if isinstance(x, float)]
    assert all(math.isfinite(x) for x in numbers)


def test_the_shipped_model_is_the_median_of_the_stored_runs():
    text = (ROOT / "benchmarks/results/toy_translator_full.json").read_text()
    runs = json.loads(text)["runs"]
    info = json.loads(
        (ROOT / "transformer_lib/data/toy_en_ko/model.json").read_text()
    )
    scores = sorted(r["splits"]["valid"]["exact_match"] for r in runs)
    shipped = next(r for r in runs if r["seed"] == info["train"]["seed"])
    middle = scores[(len(scores) - 1) // 2]
    assert shipped["splits"]["valid"]["exact_match"] == middle


def test_validation_chooses_the_run_and_the_test_split_does_not(scripts):
    import toy_translator

    def run(seed, valid, test):
        scores = {"valid": valid, "test": test}
        splits = {name: {"exact_match": x} for name, x in scores.items()}
        return {"seed": seed, "splits": splits}

    runs = [run(0, 97.0, 95.0), run(1, 99.0, 96.0), run(2, 98.0, 99.0)]
    assert toy_translator.median_run(runs)["seed"] == 2


def test_the_table_shows_what_the_toy_translator_stores(scripts):
    """All keys that the table reads are those that are written."""
    import toy_translator

    from toy_language.corpus import toy_splits
    from transformer_lib.translator import Translator

    splits = toy_translator.in_miniature(toy_splits("small", n_train=100))
    figures = toy_translator.final_figures(Translator.shipped(), splits)
    spent = {"seed": 0, "steps": 1, "parameters": 2,
             "curve": [{"cpu_seconds": 3.0}]}  # fmt: skip
    result = {"runs": [spent | figures], "device": "CPU",
              "baselines": toy_translator.baselines(splits)}  # fmt: skip
    import tables

    text = tables.TABLES["toy_translator"](result)
    for said in ("| noun |", "noun, 2 pairs", "| new structure |", "*role*"):
        assert said in text


def test_the_lists_that_chose_the_trust_are_not_those_that_test_it(scripts):
    """But for some sentences such as "Be quiet!", which two people wrote."""
    import toy_translator
    import typed_sentences

    from toy_language.typed import read_typed
    from toy_language.typed import typed_sentences as free

    chose = {one.source for path in toy_translator.TYPED
             for one in read_typed(path)}  # fmt: skip
    fresh = read_typed(FOLDER / typed_sentences.FILES["fresh"])
    tested = {one.source for one in [*free(), *fresh]}
    assert len(chose & tested) <= 0.02 * len(tested)


# ----------------------------------------------------------------- Multi30k


@pytest.fixture
def real_text(scripts, monkeypatch, tmp_path):
    """Give multi30k.py a folder for its results, and runs without work."""
    import common
    import multi30k

    def run(args, direction, name, seed):
        steps = args.steps or multi30k.RECIPES[args.recipe][1].steps
        return {
            "direction": direction,
            "variant": name,
            "seed": seed,
            "training": {"steps": steps},
            "averaged": args.average,
            "origin": common.origin(args.device),
        }

    def call(*options):
        monkeypatch.setattr("sys.argv", ["multi30k.py", *options])
        multi30k.measure(multi30k.arguments())
        path = tmp_path / "multi30k_cpu.json"
        return json.loads(path.read_text(encoding="utf-8"))

    monkeypatch.setattr(multi30k, "train_one", run)
    monkeypatch.setattr(common, "RESULTS", tmp_path)
    monkeypatch.setattr(common.tables, "markdown", lambda result: "")
    return call


def test_a_run_can_be_added_to_the_stored_ones(real_text):
    real_text("--seeds", "0", "2")
    told = real_text("--add", "--seeds", "1", "2")
    assert [run["seed"] for run in told["runs"]] == [0, 1, 2]
    commands = [run["origin"]["command"] for run in told["runs"]]
    given = "python benchmarks/multi30k.py "
    assert commands[0] == given + "--seeds 0 2"
    assert commands[1:] == [given + "--add --seeds 1 2"] * 2
    assert told["command"].startswith(
        given + "--recipe cpu --directions en-de --seeds 0 1 2 --device cpu"
    )
    assert "--add" not in told["command"]


def test_the_command_of_added_runs_names_directions_and_ablations(real_text):
    real_text("--ablations")
    told = real_text("--add", "--directions", "de-en")
    assert "--directions en-de de-en " in told["command"]
    assert told["command"].endswith(" --ablations")


def test_without_add_the_stored_runs_go(real_text):
    real_text("--seeds", "0", "2")
    told = real_text("--seeds", "1")
    assert [run["seed"] for run in told["runs"]] == [1]


@pytest.mark.parametrize("other", ["--steps", "--average"])
def test_no_run_is_added_to_others_trained_otherwise(real_text, other):
    real_text()
    with pytest.raises(ValueError, match="other steps or averages"):
        real_text("--add", "--seeds", "1", other, "7")


# ------------------------------------------------------------------ the race


def test_every_contestant_of_a_race_has_its_turns(scripts):
    import timing

    seen = []
    turns = {name: lambda n, who=name: seen.append((n, who)) for name in "abc"}
    seconds = timing.race(turns, {"a": 4, "b": 4, "c": 2})
    assert {name: len(s) for name, s in seconds.items()} == {
        "a": 4,
        "b": 4,
        "c": 2,
    }
    # round by round, and not always in the same order
    assert [n for n, _ in seen] == sorted(n for n, _ in seen)
    orders = {
        tuple(w for n, w in seen if n == k and w != "c") for k in range(4)
    }
    assert len(orders) == 2


def test_a_race_tells_the_median_the_quartiles_and_a_ratio(scripts):
    import timing

    entry = timing.describe([5.0, 1.0, 3.0, 2.0, 4.0])
    assert entry == {"seconds": 3.0, "quartiles": [2.0, 4.0], "repeats": 5}
    assert timing.describe([7.0])["quartiles"] == [7.0, 7.0]
    exact = timing.ratio([6.0] * 5, [2.0] * 5)
    assert exact == {"ratio": 3.0, "interval": [3.0, 3.0]}
    low, high = timing.ratio([4.0, 5.0, 6.0, 7.0, 8.0], [2.0] * 5)["interval"]
    assert 2.0 <= low < 3.0 < high <= 4.0
    assert timing.ratio([6.0], [2.0] * 5)["interval"] is None


# --------------------------------------------------------- training step


def test_the_contestants_of_a_training_step_compute_the_same(scripts):
    import throughput

    assert throughput.disagreement() < 1e-8


def test_a_contestant_that_computes_otherwise_is_noticed(scripts, monkeypatch):
    import textbook
    import throughput

    def leaky(hidden):
        return torch.zeros(hidden.shape)  # hides nothing

    monkeypatch.setattr(textbook, "minus_infinity", leaky)
    assert throughput.disagreement() > 1e-3


def test_contestants_have_equal_numbers_of_parameters(scripts):
    import throughput

    models = throughput.contestants(throughput.config_of(32, 60)).values()
    sizes = {sum(p.numel() for p in model.parameters()) for model in models}
    assert len(models) == 3 and len(sizes) == 1


def test_operations_are_those_of_the_matrix_products(scripts):
    import throughput

    config = throughput.config_of(32, 60)
    batch = throughput.batches(7, 40, 60)[0]
    rows, s, t = *batch.source.shape, batch.target_in.shape[1]
    d, d_ff = config.d_model, config.d_ff
    encoder = s * (4 * d * d + 2 * d * d_ff) + 2 * s * s * d
    decoder = t * (6 * d * d + 2 * d * d_ff) + s * 2 * d * d
    decoder += 2 * t * t * d + 2 * t * s * d
    forward = 2 * (encoder + decoder) + t * d * config.vocab_size
    assert throughput.products(config, batch) == 3 * 2 * rows * forward


# ----------------------------------------------------------------- decoding


def test_decoding_with_and_without_the_cache_writes_the_same(scripts):
    import decoding

    assert decoding.same_tokens()


@pytest.mark.parametrize("method", ["greedy", "beam"])
def test_the_decoding_benchmark_writes_as_many_tokens_as_it_says(
    scripts, method
):
    import decoding

    model = decoding.models_of(32, 60)["cached"]
    written = decoding.search(method)(model, decoding.sources(3, 60), 11)
    assert [len(tokens) for tokens in written] == [11, 11, 11]


def test_a_decoder_that_forgets_the_prefix_is_noticed(scripts, monkeypatch):
    import decoding

    cat = torch.cat

    def last_only(tensors, dim=0):
        ids = not tensors[0].is_floating_point() and dim == 1
        return tensors[-1] if ids else cat(tensors, dim=dim)

    monkeypatch.setattr(decoding.torch, "cat", last_only)
    assert not decoding.same_tokens()


# ---------------------------------------------------------------- ablations


def scores_of(variant, source, target):
    """Return what a new model of a variant computes, in train() mode."""
    import ablations

    torch.manual_seed(3)
    sizes = replace(ablations.PRESETS["small"][0], d_model=24).config(11)
    model = Transformer(replace(sizes, **variant.model))
    with torch.no_grad():
        variant.change(model)
    with patch.dict(vars(ablations.model_module), variant.masks):
        return model(source, target).detach(), model


SOURCE = torch.tensor([[4, 5, 6, 7, 8], [9, 4, 6, 0, 0]])
TARGET = torch.tensor([[1, 4, 5, 6], [1, 7, 8, 9]])


def test_every_variant_differs_from_the_reference(scripts):
    import ablations

    variants = dict(ablations.VARIANTS)
    reference = variants.pop("reference")
    assert (reference.model, reference.training) == ({}, {})
    right, _ = scores_of(reference, SOURCE, TARGET)
    for name, variant in variants.items():
        scores, _ = scores_of(variant, SOURCE, TARGET)
        changed = not torch.allclose(scores, right, atol=1e-3)
        only_training = bool(variant.training) and not variant.model
        assert changed != only_training, name


@pytest.mark.parametrize("name", ["scrambled_merge", "scrambled_both"])
def test_scrambled_heads_are_those_of_a_view(scripts, name):
    import ablations

    scores, model = scores_of(ablations.VARIANTS[name], SOURCE, TARGET)
    attention = model.encoder.layers[0].self_attention
    x = torch.randn(2, 5, 24)
    query, kv = attention.q_proj(x), attention.keys_values(x)
    if name == "scrambled_both":
        heads = query.view(2, 4, 5, 6)  # in memory's order
        keys = attention.k_proj(x).reshape(2, 4, 5, 6)
        assert torch.equal(kv.keys, keys)
    else:
        heads = query.view(2, 5, 4, 6).transpose(1, 2)
    found = torch.softmax(heads @ kv.keys.mT / 6**0.5, -1) @ kv.values
    linear = attention.out_proj
    merged = found.contiguous().view(2, 5, 24) @ linear.weight.T + linear.bias
    torch.testing.assert_close(attention(x, kv), merged)


def test_the_decoder_without_a_cache_is_needed_for_scrambled_heads(scripts):
    import ablations
    from recompute import Recompute

    for name, variant in ablations.VARIANTS.items():
        _, model = scores_of(variant, SOURCE, TARGET)
        if name in ("no_causal_mask", "no_padding_mask"):
            continue
        whole, state = model(SOURCE, TARGET)[:, -1:], model.start(SOURCE)
        for column in TARGET.T:
            scores, state = model.decode(column[:, None], state)
        assert torch.allclose(whole, scores, atol=1e-4) == variant.cached
        slow = Recompute(model)
        state = slow.start(SOURCE)
        for column in TARGET.T:
            scores, state = slow.decode(column[:, None], state)
        torch.testing.assert_close(whole, scores)


def test_measuring_some_variants_keeps_the_others_of_the_same_length(
    scripts, monkeypatch, tmp_path
):
    import ablations

    old = {"steps": 7, "variants": {"reference": {"runs": [{"seed": 4}]}}}
    (tmp_path / "ablations.json").write_text(json.dumps(old))
    monkeypatch.setattr(ablations.common, "RESULTS", tmp_path)
    args = SimpleNamespace(
        name="ablations", smoke=False, only=["untied"], steps=7, seeds=[4]
    )
    assert ablations.stored(args) == old["variants"]
    args.only = None
    assert ablations.stored(args) == {}
    args.only, args.seeds = ["untied"], [5]
    with pytest.raises(ValueError, match="other steps or seeds"):
        ablations.stored(args)


# ----------------------------------------------------------------- Table 3


def test_the_vocabularies_that_fit_the_paper_are_the_outermost(scripts):
    import table_3

    for name, changes, paper in table_3.ROWS[::5]:  # base, B, C
        if paper is None:
            continue
        config = replace(table_3.BASE, **changes)
        counted = table_3.counts_of(config)["all"]
        low, high = table_3.vocabularies(config, counted, paper)
        millions = [
            table_3.counts_of(replace(config, vocab_size=size))["all"] / 1e6
            for size in (low - 1, low, high, high + 1)
        ]
        fits = [paper - 0.5 <= count < paper + 0.5 for count in millions]
        assert fits == [False, True, True, False], name


def test_the_best_vocabulary_fits_the_rows_it_claims(scripts):
    import table_3

    rows = [table_3.row_of(*row) for row in table_3.ROWS]
    best = table_3.best_vocabulary(rows, "all")
    told = [row for row in rows if row["paper"] is not None]

    def fitting(size):
        return [
            row["changes"]
            for row in told
            if row["vocabularies"]["all"][0]
            <= size
            <= row["vocabularies"]["all"][1]
        ]

    for size in best["vocabularies"]:
        assert len(fitting(size)) == best["fits"]
    most = max(len(fitting(size)) for size in range(30_000, 50_000, 50))
    assert best["fits"] >= most
    assert best["fits"] + len(best["misfits"]) == best["of"] == len(told)


# ------------------------------------------------------------ stored results


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_the_grid_of_a_stored_race_has_no_hole(path):
    cells = json.loads(path.read_text(encoding="utf-8")).get("cells", [])
    axes = ("d_model", "length", "batch", "method", "precision")
    there = [tuple(cell[a] for a in axes if a in cell) for cell in cells]
    grid = product(*(set(axis) for axis in zip(*there, strict=True)))
    assert sorted(there) == (sorted(grid) if cells else [])
