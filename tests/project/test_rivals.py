"""The ladder's translators obey the laws that the Transformer obeys."""

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from toy_language.corpus import SentencePair
from transformer_lib import decoding
from transformer_lib.label_smoothing import token_loss
from transformer_lib.presets import PRESETS
from transformer_lib.special_tokens import BOS, EOS, PAD
from transformer_lib.tokenizer import Tokenizer
from transformer_lib.train_state import TrainState
from transformer_lib.training import train
from transformer_lib.translator import Translator

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
V = 23
SOURCE = torch.tensor([[4, 5, 6, 7, 8], [9, 4, 6, 0, 0], [7, 0, 0, 0, 0]])
TARGET = torch.tensor([[1, 4, 5, 6], [1, 7, 8, 9], [1, 5, 0, 0]])
attending = pytest.mark.parametrize("attention", [True, False])


@pytest.fixture(scope="module", autouse=True)
def scripts():
    """Let the tests import scripts of benchmarks/ by their names."""
    sys.path.insert(0, str(FOLDER))
    yield
    sys.path.remove(str(FOLDER))


def rival(attention, vocab_size=V, d_model=12):
    from rivals import Recurrent, RecurrentConfig

    torch.manual_seed(1)
    config = RecurrentConfig(vocab_size, d_model, attention, 9)
    model = Recurrent(config).double()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.4)
    return model


def close(one, other):
    torch.testing.assert_close(one, other, rtol=0, atol=1e-12)


@attending
def test_companions_and_padding_change_nothing(attention):
    model = rival(attention)
    together = model(SOURCE, TARGET)
    for row in range(3):
        source = SOURCE[row][SOURCE[row] != PAD]
        alone = model(source[None], TARGET[row : row + 1])
        close(alone[0], together[row])
    wide = torch.cat([SOURCE, torch.zeros_like(SOURCE)], dim=1)
    close(model(wide, TARGET), together)
    mixed = torch.tensor([2, 0, 1])
    close(model(SOURCE[mixed], TARGET[mixed]), together[mixed])


@attending
def test_padding_has_no_gradient(attention):
    model = rival(attention)
    table = model.embedding.weight
    logits = model(SOURCE, TARGET)
    logits[..., 1:].sum().backward()  # <pad>'s row writes column 0
    targets_pad = table.grad[PAD].clone()
    table.grad = None
    model(SOURCE, TARGET)[:2, :, 1:].sum().backward()  # targets without <pad>
    assert targets_pad.abs().max() > 0
    assert table.grad[PAD].abs().max() == 0


@attending
def test_one_token_at_a_time_equals_all_at_once(attention):
    model = rival(attention)
    whole, state = model(SOURCE, TARGET), model.start(SOURCE)
    before = {k: v.clone() for k, v in vars(state).items()}
    first = state
    for column in range(TARGET.shape[1]):
        scores, state = model.decode(TARGET[:, column : column + 1], state)
        close(scores[:, 0], whole[:, column])
    for key, value in vars(first).items():
        assert torch.equal(value, before[key]), "a state never changes"


@attending
def test_the_future_cannot_leak(attention):
    model = rival(attention)
    changed = TARGET.clone()
    changed[:, 2:] = 11
    close(model(SOURCE, changed)[:, :2], model(SOURCE, TARGET)[:, :2])
    after = model(SOURCE, changed)[:, 2:] - model(SOURCE, TARGET)[:, 2:]
    assert after.abs().max() > 1e-3


@attending
def test_every_source_word_counts(attention):
    model = rival(attention)
    for place in range(5):
        source = SOURCE[:1].clone()
        source[0, place] = 15
        change = model(source, TARGET[:1]) - model(SOURCE[:1], TARGET[:1])
        assert change[0, 0].abs().max() > 1e-6, place


@attending
def test_rows_of_a_state_can_be_selected(attention):
    model, rows = rival(attention), torch.tensor([2, 0, 0])
    state = model.start(SOURCE).select(rows)
    scores, state = model.decode(TARGET[rows], state)
    close(scores, model(SOURCE, TARGET)[rows])
    again, _ = model.decode(TARGET[rows[rows]], state.select(rows))
    assert again.shape == (3, 4, V)


@attending
def test_the_vector_is_what_both_directions_end_with(attention):
    state = rival(attention).start(SOURCE)
    for row, length in enumerate((5, 3, 1)):
        forward = state.values[row, length - 1, :6]
        backward = state.values[row, 0, 6:]
        close(state.vector[row], torch.cat([forward, backward]))


def test_without_attention_a_sentence_is_one_vector():
    """Whatever the states of its words are: the decoder sees none."""
    model = rival(False)
    state = model.start(SOURCE)
    forgotten = replace(state, keys=state.keys * 0, values=state.values * 0 + 3)
    first, _ = model.decode(TARGET, state)
    other, _ = model.decode(TARGET, forgotten)
    close(first, other)


def test_attention_is_a_weighted_average_of_the_words():
    model = rival(True)
    state = model.start(SOURCE)
    x, _ = model.decoder(model.embedding(TARGET), state.hidden[None])
    row, step = 1, 2  # a sentence of three words
    words = state.values[row, :3]
    scores = (words @ model.key.weight.T) @ x[row, step] / 12**0.5
    context = scores.softmax(dim=0) @ words
    read = torch.cat([x[row, step], context])
    wanted = model.embedding.logits(model.readout(read).tanh())
    close(model(SOURCE, TARGET)[row, step], wanted)


@attending
def test_greedy_and_the_beam_decode_a_rival(attention):
    model = rival(attention).eval()
    for found in decoding.greedy(model, SOURCE):
        assert len(found.tokens) <= 9
    for row, found in enumerate(decoding.greedy(model, SOURCE, 6)):
        tokens = torch.tensor([[BOS, *found.tokens, EOS][:7]])
        n = tokens.shape[1] - 1
        scores = model(SOURCE[row : row + 1], tokens[:, :-1]).log_softmax(-1)
        picked = scores[0, range(n), tokens[0, 1:]]
        assert abs(picked.sum().item() - found.log_probability) < 1e-9
    wide = decoding.beam_search(model, SOURCE, 3, max_length=4)
    assert [len(pool) for pool in wide] == [3, 3, 3]


@attending
def test_the_library_trains_a_rival_and_translates_with_it(attention):
    import ladder

    pairs = [("one two three", "c b a"), ("two", "b"), ("three one", "a c")]
    tokenizer = Tokenizer.words([text for pair in pairs for text in pair])
    ids = [tuple(map(tokenizer.encode, pair)) for pair in pairs]
    args = SimpleNamespace(vocab_size=len(tokenizer), device="cpu")
    name = "gru_attention" if attention else "gru_fixed"
    setting = {"d_model": 32, "max_lr": 1e-2}
    state = ladder.start(name, setting, 60, 0, args)
    losses = [float(record.loss) for record in train(state, ids)]
    assert losses[-1] < losses[0] / 2
    results = Translator(state.model, tokenizer).translate(
        [source for source, _ in pairs]
    )
    assert results == [target for _, target in pairs]


@attending
def test_targets_that_are_padding_teach_nothing(attention):
    model = rival(attention)
    out = torch.tensor([[4, 5, 6, EOS], [7, 8, 9, EOS], [5, EOS, 0, 0]])
    total, count = token_loss(model(SOURCE, TARGET), out, 0.1)
    alone = [
        token_loss(
            model(SOURCE[row : row + 1], TARGET[row : row + 1, :n]),
            out[row : row + 1, :n],
            0.1,
        )[0]
        for row, n in enumerate((4, 4, 2))
    ]
    assert count == 10
    close(sum(alone), total)


# ------------------------------------------------------------ word for word


def pair(source, target, alignment):
    return SentencePair(source, target, tuple(alignment), "kind")


def test_word_for_word_takes_the_most_frequent_partner():
    from rivals import WordForWord

    words = WordForWord(
        [
            pair("the cat sleeps", "neko +ga neru", [(1, 0), (1, 1), (2, 2)]),
            pair("the cat", "neko", [(1, 0)]),
            pair("a cat sleeps", "neko nemu", [(1, 0), (2, 1)]),
            pair("sleeps", "neru +yo", [(0, 0), (0, 1)]),
        ]
    )
    assert words.partner == {
        "the": None,
        "a": None,
        "cat": "neko",
        "sleeps": "neru",
    }
    assert words.translate(["sleeps the cat", "a dog", "cat cat"]) == [
        "neru neko",
        "",
        "neko neko",
    ]


def test_word_for_word_glues_and_counts_silence():
    from rivals import WordForWord

    said = [pair("of x", "+no x", [(0, 0), (1, 1)])]
    silent = [pair("of y", "y", [(1, 0)])]
    assert WordForWord(said * 2 + silent).translate(["x of"]) == ["xno"]
    assert WordForWord(said + silent * 2).translate(["x of"]) == ["x"]


# ------------------------------------------------------------------ fairness


def test_all_systems_share_optimizer_loss_and_schedule():
    import ladder

    args = SimpleNamespace(vocab_size=30, device="cpu")
    setting = {"d_model": 24, "max_lr": 2e-3}
    states = [
        ladder.start(name, setting, 500, 3, args) for name in ladder.WIDTHS
    ]
    first = states[-1]
    assert isinstance(first, TrainState)
    for state in states:
        assert state.config == first.config
        assert state.optimizer.defaults == first.optimizer.defaults
        assert state.model.config.max_length == first.model.config.max_length
        owned = state.optimizer.param_groups[0]["params"]
        wanted = list(state.model.parameters())
        assert all(a is b for a, b in zip(owned, wanted, strict=True))
    recipe = PRESETS["small"][1]
    assert first.config == replace(
        recipe, steps=500, warmup=50, seed=3, max_lr=2e-3
    )


def test_the_transformer_of_the_ladder_is_the_recipe():
    import ladder

    sizes, recipe = PRESETS["small"]
    args = SimpleNamespace(vocab_size=30, device="cpu")
    setting = {"d_model": sizes.d_model, "max_lr": recipe.max_lr}
    state = ladder.start("transformer", setting, recipe.steps, 0, args)
    assert state.model.config == sizes.config(30)
    a_tenth = recipe.steps // 10
    assert state.config == replace(recipe, warmup=a_tenth)
    assert setting in ladder.grid("transformer")


def test_the_first_weights_depend_on_the_seed():
    import ladder

    args = SimpleNamespace(vocab_size=30, device="cpu")
    setting = {"d_model": 24, "max_lr": 2e-3}

    def first(name, seed):
        model = ladder.start(name, setting, 9, seed, args).model
        return torch.cat([p.detach().flatten() for p in model.parameters()])

    for name in ladder.WIDTHS:
        assert torch.equal(first(name, 4), first(name, 4))
        assert not torch.equal(first(name, 4), first(name, 5))


def test_as_many_steps_as_fit_into_the_budget(monkeypatch):
    """A step that takes twice as long halves their number."""
    import ladder

    clock = [0.0]
    cost = {"gru_fixed": 0.5, "transformer": 0.25}

    def fake_start(system, *rest):
        return system

    def fake_train(system, pairs):
        while True:
            clock[0] += cost[system]
            yield

    monkeypatch.setattr(ladder, "start", fake_start)
    monkeypatch.setattr(ladder, "train", fake_train)
    monkeypatch.setattr(ladder.time, "process_time", lambda: clock[0])
    jobs = [("gru_fixed", {}, 60), ("transformer", {}, 60)]
    args = SimpleNamespace(steps=None)
    assert ladder.steps_that_fit(jobs, args, {"train": []}) == [120, 240]
    jobs = [("transformer", {}, 180.0)]
    assert ladder.steps_that_fit(jobs, args, {"train": []}) == [720]


def test_the_setting_is_chosen_by_exact_match_and_then_by_loss():
    import ladder

    def entry(name, exact, loss):
        return {"setting": name, "exact_match": exact, "valid_loss": loss}

    tried = [entry("a", 70.0, 0.1), entry("b", 80.0, 0.3)]
    assert ladder.best(tried) == "b"
    assert ladder.best([*tried, entry("c", 80.0, 0.2)]) == "c"
    assert ladder.best([entry("c", 80.0, 0.2), *tried]) == "c"


def test_the_grid_grows_until_the_best_rate_lies_inside():
    import ladder

    def tried(best, *rates):
        return [
            {
                "setting": {"d_model": 8, "max_lr": rate},
                "exact_match": 90.0 if rate == best else 50.0,
                "valid_loss": 1.0,
            }
            for rate in rates
        ]

    a, b, c, d = ladder.RATES[1:5]
    assert ladder.beyond(tried(b, a, b, c)) == []
    assert ladder.beyond(tried(c, a, b, c)) == [d]
    assert ladder.beyond(tried(a, a, b, c)) == [ladder.RATES[0]]
    last = ladder.RATES[-1]
    assert ladder.beyond(tried(last, *ladder.RATES)) == []
