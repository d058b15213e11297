"""What a run trains on: what is held out, dropped, refused and learned from."""

import json
import os
from dataclasses import asdict, replace

import pytest
from refusal import refuses
from test_training import MODEL

from transformer_lib.runs import Run
from transformer_lib.train_config import TrainConfig
from transformer_lib.training_data import (
    Line,
    TrainingData,
    encode_lines,
    fingerprint,
)


@pytest.fixture
def corpus(tmp_path):
    """Write pairs to two files, and return them as training data."""

    def write(pairs, **options):
        paths = tmp_path / "a.en", tmp_path / "a.ko"
        for path, side in zip(paths, zip(*pairs, strict=True), strict=True):
            path.write_bytes("".join(f"{x}\n" for x in side).encode())
        return TrainingData(None, *map(str, paths), **options)

    return write


def different(n):
    return [(f"dog {i}", f"개 {i}") for i in range(n)]


def told(data):
    """Return the pairs to train on, those to validate on, and the notes."""
    notes = []
    train, valid = data.read(notes.append)
    return train, valid, notes


def numbers(lines):
    return [line.number for line in lines]


def test_no_copy_of_a_held_out_pair_is_trained_on(corpus):
    """Nor one that differs in what nobody sees."""
    copies = [(f"{a} ", f"\u200b{b}") for a, b in different(200)]
    data = corpus(different(200) + copies)
    train, valid, notes = told(data)
    assert not {x.seen for x in train} & {x.seen for x in valid}
    assert len(valid) == 4 and len(train) == 392
    file = data.source
    left_out = ", ".join(str(n + 200) for n in numbers(valid))
    assert notes[0].startswith(f"{file}: 200 of 400 lines repeat another (li")
    assert notes[1:] == [
        f"{file}: left out 4 copies of pairs that are held out to validate on "
        f"(lines {left_out})"
    ]


def test_a_few_pairs_many_times_leave_enough_to_train_on(corpus):
    """One *different* pair in fifty is held out: of 20 one, not eight."""
    train, valid, _ = told(corpus(different(20) * 20))
    assert len(valid) == 1 and len(train) == 380


def test_a_source_with_two_translations_is_told(corpus):
    data = corpus(different(9) + [(a, f"그 {b}") for a, b in different(9)])
    train, valid, notes = told(data)
    assert len(train) == 17
    assert notes == [
        f"{data.source}: 1 of 1 pairs to validate on is trained on with "
        f"another translation of the source (line {valid[0].number})"
    ]


def test_pairs_that_were_given_to_validate_on_stay_and_are_told(corpus):
    data = corpus(different(5))
    given = replace(data, valid_source=data.source, valid_target=data.target)
    train, valid, notes = told(given)
    assert train == valid and len(valid) == 5
    (note,) = notes
    assert "5 of 5 pairs to validate on are trained on, too (lines 1," in note


# Fingerprints by the release that did not yet look at files.
PLAIN = "0bf95d32a5ada7f87bbdb3d8a36276dcf185d78355c298b700f18adf5465600c"
REPEATED = "85bd2ffef179d2b8f56705a6c19e1ea409cc0ae802fefbe9d16a85482c82073b"


def odd():
    """Return pairs of which each is read otherwise since files are looked at.

    Repeats, a side that shows nothing, byte order marks inside, a NUL.
    """
    pairs = different(60) * 3
    pairs[5], pairs[7] = ("\u3164", "x"), ("\ufeffdog 7", "개\ufeff 7")
    pairs[11], pairs[12] = ("a\0b", "c"), ("", "d")
    return pairs


def early(data):
    """Return what run.json said of data before files were looked at."""
    fields = asdict(data)
    del fields["pairs"], fields["as_is"]
    return fields


def test_a_corpus_without_repeats_is_split_as_ever(corpus):
    pairs = different(200)
    pairs[3], pairs[8] = ("", "개"), ("dog\r", "개")
    data = corpus(pairs)
    assert fingerprint(data.read()) == PLAIN
    assert told(data)[2] == []


def test_an_early_run_keeps_its_split_and_its_text(corpus):
    data = corpus(odd())
    assert fingerprint(TrainingData.of_run(early(data)).read()) == REPEATED
    equal = replace(data, target=data.source)
    train, valid = TrainingData.of_run(early(equal)).read()
    assert len(train) + len(valid) == 180


def test_an_early_run_is_resumed(corpus, tmp_path):
    """It is the one that it was: nothing is dropped that was trained on."""
    data = corpus(odd(), vocab_size=300)
    config = TrainConfig(steps=4, tokens_per_batch=90, warmup=2)
    model = replace(MODEL, max_length=40)
    start = replace(data, as_is=True)
    run = Run.start(tmp_path / "run", start, model, config, eval_interval=2)
    run.train(stop=lambda: True)
    path = run.folder / "run.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["data"] = early(data)
    path.write_text(json.dumps(content), encoding="utf-8")
    again = Run.resume(run.folder)
    assert (again.pairs, again.valid) == (run.pairs, run.valid)
    ids = again.tokenizer.encode_all(["\u3164", "x"])
    assert tuple(ids) in again.pairs + again.valid
    again.train()
    # and one that begins today says that it looks
    run = Run.start(
        tmp_path / "new", corpus(different(60)), model, config, eval_interval=2
    )
    path = run.folder / "run.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["data"]["as_is"] is False
    assert Run.resume(run.folder).data.as_is is False


def test_what_shows_nothing_is_dropped(corpus):
    blanks = ["\u3164", " \u00a0", "\u2800", "\ufeff", "\u200b\u200d", "\u2028"]
    pairs = [*((blank, "개") for blank in blanks), *different(9)]
    train, valid, _ = told(corpus(pairs, vocab_size=300))
    tokenizer = corpus(pairs, vocab_size=300).tokenizer(train)
    assert min(numbers(valid)) > 6
    kept, (note,) = encode_lines(tokenizer, train, 30, False)
    assert len(kept) == 8
    assert note.endswith(
        "dropped 6 with an empty side (lines 1, 2, 3, 4, 5, 6)"
    )


def test_what_is_dropped_does_not_shape_the_vocabulary(corpus):
    """Too long, endless, or beside an empty side."""
    good = [Line(*pair, 1, "a") for pair in different(300)]
    data = corpus(different(2), vocab_size=400, skip_long=True)
    wanted = data.tokenizer(good, 20).to_json()
    bad = [
        Line("zebra " * 30, "얼룩말", 2, "a"),
        Line("x" * 200_000, "y", 3, "a"),
        Line("quagga", " ", 4, "a"),
        Line("", "quagga", 5, "a"),
    ]
    assert data.tokenizer([*good, *bad * 3], 20).to_json() == wanted
    _, notes = encode_lines(
        data.tokenizer(good + bad, 20), bad + good, 20, True
    )
    assert ["(lines 4, 5)" in notes[0], "(lines 2, 3)" in notes[1]] == [
        True
    ] * 2


def test_where_nothing_is_dropped_all_lines_shape_the_vocabulary(corpus):
    data = corpus(different(2), vocab_size=400)
    lines = [Line(*pair, 1, "a") for pair in different(300)]
    wanted = data.tokenizer(lines).to_json()
    for skip_long in (False, True):
        same = replace(data, skip_long=skip_long)
        assert same.tokenizer(lines, 20).to_json() == wanted


@pytest.mark.parametrize("n, said", [(1, "1 line is"), (2, "2 lines are")])
def test_lines_that_are_too_long_are_counted_in_english(corpus, n, said):
    data = corpus(different(2), vocab_size=300)
    lines = [Line("a " * 50, "b", 7, "a.en")] * n
    with refuses(ValueError, f"a.en: {said} longer than 40 tokens"):
        encode_lines(data.tokenizer(lines), lines, 40, False)


@pytest.mark.parametrize(
    "pairs", [[("a", "b")], [("a", "b")] * 9, [("a", "b"), ("", "c")]]
)
def test_fewer_than_two_different_pairs_are_refused(corpus, pairs):
    with refuses(ValueError, "a.en has fewer than 2 full pairs that differ"):
        corpus(pairs).read()


def test_a_file_of_pairs_gives_what_two_files_give(corpus, tmp_path):
    pairs = [*different(60), ("", "개"), *different(3)]
    data = corpus(pairs)
    path = tmp_path / "a.tsv"
    lines = "".join(f"{a}\t{b}\r\n" for a, b in pairs)
    path.write_bytes(b"\xef\xbb\xbf" + lines.encode())
    one = TrainingData(pairs=str(path))
    assert fingerprint(one.read()) == fingerprint(data.read())
    assert {line.origin for line in one.read()[0]} == {str(path)}
    (*_, two) = told(data)
    assert [note.replace("a.tsv", "a.en") for note in told(one)[2]] == two
    for more in ({"source": "a"}, {"source": "a", "target": "b"}):
        with refuses(ValueError, "or pairs"):
            replace(one, **more).read()
    with refuses(ValueError, "both source and target"):
        TrainingData(source="a").read()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("side", ["source", "target", "valid_source", "pairs"])
def test_a_pipe_is_refused_before_it_is_read(corpus, tmp_path, side):
    """It would wait for somebody who writes."""
    os.mkfifo(tmp_path / "pipe")
    data = corpus(different(3))
    data = replace(data, valid_source=data.source, valid_target=data.target)
    if side == "pairs":
        data = TrainingData()
    with refuses(ValueError, f"{tmp_path}/pipe is a pipe", "resume", "file"):
        replace(data, **{side: str(tmp_path / "pipe")}).read()
    with refuses(ValueError, f"{tmp_path} is a folder"):
        replace(data, **{side: str(tmp_path)}).read()
