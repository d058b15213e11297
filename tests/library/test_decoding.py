"""Greedy and beam search against their definitions.

The definitions know no batch and no cache: they score the whole beginning
again for each word (`by_definition`), or every sentence there is
(`every_sentence`). Scripted models say with which probability a word follows
a beginning.
"""

import math
from inspect import signature
from itertools import pairwise

import pytest
import torch
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from refusal import refuses
from torch import nn

from transformer_lib.decoding import (
    Hypothesis,
    beam_search,
    greedy,
    length_penalty,
)
from transformer_lib.model import DecoderState, Transformer, TransformerConfig
from transformer_lib.multi_head import KeyValues
from transformer_lib.search import Search
from transformer_lib.special_tokens import BOS, EOS, PAD

SOURCE = torch.tensor(
    [[4, 5, 6, 7, 8], [9, 10, 11, 0, 0], [12, 13, 0, 0, 0], [14, 0, 0, 0, 0]]
)
NEVER = [PAD, BOS]  # no search writes them
anything = settings(
    derandomize=True,
    max_examples=15,
    deadline=None,
    phases=[Phase.generate],
)


def tiny(seed, std, **sizes):
    """A small real model, with weights large enough to have opinions."""
    torch.manual_seed(seed)
    config = TransformerConfig(**{"vocab_size": 23, "max_length": 16, **sizes})
    made = Transformer(config).double().eval()
    for parameter in made.parameters():
        nn.init.normal_(parameter, std=std)
    return made


@pytest.fixture
def writer():
    """A model that ends its sentences at different lengths."""
    sizes = {"d_model": 12, "n_heads": 3, "d_ff": 20, "n_layers": 2}
    made = tiny(12, 0.3, norm_first=True, **sizes)
    with torch.no_grad():
        made.output_embedding.weight[EOS] *= 3
    return made


class Scripted(Transformer):
    """A model that says what a function tells it to.

    After <eos> it is sure of the last token: a search must not listen.

    Args:
        follow: from a source's first token and a beginning (a tuple of
            ids) to {next token: probability}; those left out have none.
        vocab_size: V.
        max_length: most tokens to write.
    """

    def __init__(self, follow, vocab_size, max_length):
        nn.Module.__init__(self)
        self.follow = follow
        self.config = TransformerConfig(
            vocab_size, d_model=2, n_heads=1, max_length=max_length
        )

    def start(self, source):
        none = torch.empty(len(source), 1, 0, 1)
        which = source[:, :1].reshape(-1, 1, 1, 1).double()
        mask = torch.ones(len(source), 1, 1, dtype=torch.bool)
        memory = KeyValues(which, which)
        return DecoderState((KeyValues(none, none),), (memory,), mask)

    def decode(self, tokens, state):
        new = tokens.double().reshape(len(tokens), 1, -1, 1)
        past = state.past[0].append(KeyValues(new, new))
        logits = torch.full((len(tokens), 1, self.config.vocab_size), -math.inf)
        logits = logits.double()
        for row, ids in enumerate(past.keys[:, 0, :, 0].long().tolist()):
            which = int(state.memory[0].keys[row])
            assert ids[0] == BOS and len(ids) <= self.config.max_length
            if EOS in ids:
                logits[row, 0, -1] = 0.0
                continue
            for token, p in self.follow(which, tuple(ids[1:])).items():
                logits[row, 0, token] = math.log(p) if p else -math.inf
        return logits, DecoderState((past,), state.memory, state.memory_mask)


def from_table(table, vocab_size, max_length):
    """A scripted model from {beginning: {next: probability}}.

    After a beginning that the table leaves out only <eos> can come.
    """
    nothing = {EOS: 1.0}

    def follow(which, beginning):
        return table.get(beginning, nothing)

    return Scripted(follow, vocab_size, max_length)


def log_probability(transformer, source, hypothesis):
    """What the model itself says about a hypothesis, all at once."""
    said = [*hypothesis.tokens, *[EOS] * hypothesis.finished]
    read = torch.tensor([[BOS, *said[:-1]]])
    log_p = transformer(source.unsqueeze(0), read)[0].log_softmax(-1)
    return log_p[torch.arange(len(said)), torch.tensor(said)].sum().item()


def by_definition(transformer, source, max_length):
    """Score the whole prefix again for each word; one sentence."""
    tokens, score = [], 0.0
    while len(tokens) < max_length:
        prefix = torch.tensor([[BOS, *tokens]])
        log_p = transformer(source, prefix)[0, -1].log_softmax(-1)
        log_p[NEVER] = -math.inf
        best = int(log_p.argmax())
        score += log_p[best].item()
        if best == EOS:
            return Hypothesis(tokens, score, True)
        tokens.append(best)
    return Hypothesis(tokens, score, False)


def every_sentence(transformer, source, max_length, alpha):
    """All the hypotheses there are, best first; one sentence."""
    n_tokens = transformer.config.vocab_size
    found, open_ones = [], [Hypothesis([], 0.0, False)]
    while open_ones:
        tokens, so_far, _ = open_ones.pop()
        if len(tokens) == max_length:
            found.append(Hypothesis(tokens, so_far, False))
            continue
        logits = next_scores(transformer, source, tokens).double()
        log_p = logits.log_softmax(-1).tolist()
        for token in range(n_tokens):
            score = so_far + log_p[token]
            if token in NEVER or score == -math.inf:
                continue
            if token == EOS:
                found.append(Hypothesis(tokens, score, True))
            else:
                open_ones.append(Hypothesis([*tokens, token], score, False))
    return sorted(found, key=lambda h: -penalized(h, alpha))


def next_scores(transformer, source, tokens):
    """The model's scores after some tokens, read one at a time."""
    state = transformer.start(source.unsqueeze(0))
    for token in [BOS, *tokens]:
        logits, state = transformer.decode(torch.tensor([[token]]), state)
    return logits[0, -1]


def penalized(hypothesis, alpha, normalization="gnmt"):
    """Log-probability over ((5 + length) / 6)^alpha, <eos> counted."""
    length = len(hypothesis.tokens) + hypothesis.finished
    base = {"gnmt": (5 + length) / 6, "length": length}[normalization]
    return hypothesis.log_probability / base**alpha


def same(found, expected):
    assert [h.tokens for h in found] == [h.tokens for h in expected]
    assert [h.finished for h in found] == [h.finished for h in expected]
    assert [h.log_probability for h in found] == pytest.approx(
        [h.log_probability for h in expected], abs=1e-4
    )


def both(transformer, source, max_length):
    """Greedy, and the best of beam search, and the rest."""
    yield from greedy(transformer, source, max_length)
    for pool in beam_search(transformer, source, 3, 0.6, max_length):
        yield from pool


# ------------------------------------------------------------------- greedy


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]])
def test_greedy_equals_the_definition_for_each_sentence(writer, order):
    """Whichever sentence of the batch is finished first."""
    sources = SOURCE[order]
    found = greedy(writer, sources, max_length=9)
    same(
        found,
        [by_definition(writer, s[s != 0].unsqueeze(0), 9) for s in sources],
    )
    assert len({len(h.tokens) for h in found}) > 1
    assert {h.finished for h in found} == {True, False}


# --------------------------------------------------------------------- both


@pytest.mark.parametrize("alpha", [0.0, 0.6, 2.0])
@pytest.mark.parametrize("max_length", [1, 2, 9])
def test_a_beam_of_one_is_greedy(writer, alpha, max_length):
    pools = beam_search(writer, SOURCE, 1, alpha, max_length)
    assert [len(pool) for pool in pools] == [1] * len(SOURCE)
    same([pool[0] for pool in pools], greedy(writer, SOURCE, max_length))


def test_a_score_is_the_models_own_log_probability(writer):
    searched = [[h] for h in greedy(writer, SOURCE, 9)]
    for found in (searched, beam_search(writer, SOURCE, 5, 0.6, 9)):
        for source, pool in zip(SOURCE, found, strict=True):
            for hypothesis in pool:
                own = log_probability(writer, source, hypothesis)
                assert hypothesis.log_probability == pytest.approx(
                    own, abs=1e-10
                )


class Rough(Scripted):
    """A scripted model whose scores have two or three digits."""

    def decode(self, tokens, state):
        logits, state = super().decode(tokens, state)
        return logits.bfloat16(), state


def test_rough_scores_are_summed_in_float32_at_least():
    model = Rough(lambda which, beginning: {4: 0.6, 5: 0.4}, 6, 7)
    logits = torch.tensor([0.6, 0.4]).log().bfloat16()
    own = 7 * logits.double().log_softmax(0)[0].item()
    source = torch.tensor([[4]])
    for found in (greedy(model, source)[0], beam_search(model, source)[0][0]):
        assert found.tokens == [4] * 7
        assert found.log_probability == pytest.approx(own, rel=1e-6)


@pytest.mark.parametrize("token", NEVER)
def test_what_only_frames_a_sentence_is_never_written(writer, token):
    """Though the model gives it the highest score; the others keep theirs."""
    with torch.no_grad():
        rows = writer.output_embedding.weight
        rows[token] = rows[EOS] * 2
        rows[EOS] *= 0.1
    first = writer(SOURCE, torch.full((len(SOURCE), 1), BOS))[:, 0]
    assert token in first.argmax(dim=-1)
    searched = [[h] for h in greedy(writer, SOURCE, 5)]
    for found in (searched, beam_search(writer, SOURCE, 3, 0.6, 5)):
        for source, pool in zip(SOURCE, found, strict=True):
            for hypothesis in pool:
                assert token not in hypothesis.tokens
                own = log_probability(writer, source, hypothesis)
                assert hypothesis.log_probability == pytest.approx(
                    own, abs=1e-3
                )


@pytest.mark.parametrize("max_length", [1, 2, 5])
def test_max_length_cuts_and_the_hypothesis_says_so(writer, max_length):
    for hypothesis in both(writer, SOURCE, max_length):
        written = len(hypothesis.tokens) + hypothesis.finished
        assert EOS not in hypothesis.tokens
        assert written <= max_length
        assert hypothesis.finished or written == max_length


def test_the_limit_of_the_model_can_be_used_up():
    """Without max_length a sentence may be as long as the model allows."""
    endless = Scripted(lambda which, beginning: {4: 0.6, 5: 0.4}, 6, 7)
    source = torch.tensor([[4]])
    longest = Hypothesis([4] * 7, 7 * math.log(0.6), False)
    same(greedy(endless, source), [longest])
    same(beam_search(endless, source)[0][:1], [longest])
    last = Scripted(lambda w, b: {4: 1.0} if len(b) < 6 else {EOS: 1.0}, 6, 7)
    same(greedy(last, source), [Hypothesis([4] * 6, 0.0, True)])
    same(beam_search(last, source)[0], [Hypothesis([4] * 6, 0.0, True)])


@pytest.mark.parametrize("search", [greedy, beam_search])
def test_the_models_own_limit_may_be_named(writer, search):
    same_limit = search(writer, SOURCE, max_length=16)
    assert same_limit == search(writer, SOURCE)


@pytest.mark.parametrize("search", [greedy, beam_search])
def test_a_search_keeps_no_graph(writer, search):
    kept = []
    writer.decoder.norm.register_forward_hook(
        lambda module, args, output: kept.append(output.requires_grad)
    )
    found = search(writer, SOURCE, max_length=3)
    assert len(found) == len(SOURCE)
    assert kept == [False] * 3


def test_a_model_that_says_nan_is_not_answered_with_nothing(writer):
    with torch.no_grad():
        writer.decoder.norm.bias[0] = math.nan
    for pool in beam_search(writer, SOURCE, 3, max_length=2):
        assert [math.isnan(one.log_probability) for one in pool] == [True] * 3


def test_a_bad_alpha_is_refused_before_the_work_begins(writer):
    read = []
    writer.encoder.norm.register_forward_hook(lambda *it: read.append(it))
    with pytest.raises(ValueError, match="alpha=-0.1"):
        beam_search(writer, SOURCE, alpha=-0.1)
    assert read == []


def test_the_defaults_are_those_of_the_paper():
    """Vaswani et al. 2017, section 6.1: a beam of 4, alpha 0.6."""
    defaults = signature(beam_search).parameters
    assert defaults["beam_size"].default == 4
    assert defaults["alpha"].default == 0.6


def test_the_real_models_last_position_can_be_used(writer):
    with torch.no_grad():
        writer.output_embedding.weight[EOS] = 0
        writer.decoder.norm.bias[:] = 5 * writer.output_embedding.weight[7]
    for hypothesis in (
        greedy(writer, SOURCE)[0],
        beam_search(writer, SOURCE)[0][0],
    ):
        assert len(hypothesis.tokens) == 16


@pytest.mark.parametrize("search", [greedy, beam_search])
def test_each_sentence_alone_is_the_same_as_in_company(writer, search):
    """Whether companions are longer, or finished earlier or later."""
    together = search(writer, SOURCE, max_length=9)
    alone = [
        search(writer, s[s != 0].unsqueeze(0), max_length=9)[0] for s in SOURCE
    ]
    for one, other in zip(together, alone, strict=True):
        if search is greedy:
            one, other = [one], [other]
        same(one, other)
    turned = search(writer, SOURCE.flip(0), max_length=9)
    assert [str_of(p) for p in turned] == [str_of(p) for p in together[::-1]]


def str_of(found):
    found = [found] if isinstance(found, Hypothesis) else found
    return [(h.tokens, h.finished) for h in found]


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]])
def test_a_sentence_that_ends_early_does_not_disturb_others(order):
    """Sentence w (w = 4, 5, 6) says w - 4 words and then <eos>."""

    def follow(which, beginning):
        if len(beginning) < 2 * (which - 4):
            return {which: 0.7, 7: 0.3}
        return {EOS: 0.9, 7: 0.1}

    made = Scripted(follow, 8, 9)
    sources = torch.tensor([[4], [5], [6]])[order]
    expected = [
        Hypothesis(
            [w] * (2 * (w - 4)),
            (2 * (w - 4)) * math.log(0.7) + math.log(0.9),
            True,
        )
        for w in sources.flatten().tolist()
    ]
    same(greedy(made, sources), expected)
    pools = beam_search(made, sources, beam_size=3)
    same([pool[0] for pool in pools], expected)
    for which, pool in zip(sources.flatten().tolist(), pools, strict=True):
        every = every_sentence(made, torch.tensor([which]), 4, 0.6)
        assert pool[0].tokens == every[0].tokens
        assert len(pool) == 3


def test_searching_changes_no_weight_no_mode_and_no_gradient(writer):
    before = {n: t.clone() for n, t in writer.state_dict().items()}
    writer.eval()
    list(both(writer, SOURCE, 4))
    assert not writer.training
    assert all(p.grad is None for p in writer.parameters())
    for name, tensor in writer.state_dict().items():
        assert torch.equal(tensor, before[name])


def test_the_states_that_a_search_reads_are_not_changed(writer, monkeypatch):
    """Every state that the model gave out stays as it was."""
    given_out = []

    def remember(state):
        tensors = [t for kv in (*state.past, *state.memory) for t in kv]
        given_out.append((tensors, [t.clone() for t in tensors]))

    start, decode = writer.start, writer.decode

    def watched_start(source):
        state = start(source)
        remember(state)
        return state

    def watched_decode(tokens, state):
        logits, after = decode(tokens, state)
        remember(after)
        return logits, after

    monkeypatch.setattr(writer, "start", watched_start)
    monkeypatch.setattr(writer, "decode", watched_decode)
    list(both(writer, SOURCE, 4))
    assert len(given_out) == 2 * (1 + 4)
    for tensors, copies in given_out:
        for tensor, copy in zip(tensors, copies, strict=True):
            assert torch.equal(tensor, copy)


# -------------------------------------------------------------- beam search


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.5])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_wide_beam_finds_all_that_brute_force_finds(seed, alpha):
    """On a real Transformer with V = 6 and sentences of at most 3."""
    sizes = {"vocab_size": 6, "d_model": 8, "n_heads": 2, "d_ff": 12}
    made = tiny(seed, 0.4, n_layers=1, **sizes)
    sources = torch.tensor([[4, 5, 4], [5, 0, 0]])
    pools = beam_search(made, sources, 6**3, alpha, max_length=3)
    for source, pool in zip(sources, pools, strict=True):
        expected = every_sentence(made, source, 3, alpha)
        assert len(expected) == 1 + 3 + 9 + 3**3
        same(pool, expected)


def test_a_penalty_beyond_32_bits_ranks_by_its_definition():
    """(8/6)^400 is larger than 3e38; divided by infinity all are equal."""
    made = Scripted(random_script(3, 5, sparse=False), 5, 9)
    source = torch.tensor([[4]])
    expected = every_sentence(made, source[0], 3, 400.0)
    same(beam_search(made, source, 40, 400.0, 3)[0], expected)


def random_script(seed, n_tokens, sparse):
    """Random probabilities for each beginning, some of them 0."""

    def follow(which, beginning):
        name = f"{seed} {which} {beginning}"
        chance = torch.Generator().manual_seed(hash_of(name))
        p = torch.rand(n_tokens, generator=chance, dtype=torch.float64) ** 3
        if sparse:
            p[torch.rand(n_tokens, generator=chance) < 0.4] = 0
            p[EOS] += 0.01
        return dict(enumerate((p / p.sum()).tolist()))

    return follow


def hash_of(text):
    number = 7
    for letter in text.encode():
        number = (number * 1_000_003 + letter) % (2**61)
    return number


@anything
@given(
    st.integers(0, 999),
    st.integers(4, 6),
    st.booleans(),
    st.sampled_from([0.0, 0.6, 1.0, 3.0]),
)
def test_a_wide_beam_equals_brute_force_on_any_script(
    seed, n_tokens, sparse, alpha
):
    made = Scripted(random_script(seed, n_tokens, sparse), n_tokens, 4)
    sources = torch.tensor([[1], [2]])
    pools = beam_search(made, sources, n_tokens**3 + 1, alpha, max_length=3)
    for source, pool in zip(sources, pools, strict=True):
        same(pool, every_sentence(made, source, 3, alpha))


def beam_by_definition(transformer, source, k, alpha, max_length, by="gnmt"):
    """One pool of k, in plain Python; one sentence."""
    pool = [Hypothesis([], 0.0, False)]
    for _ in range(max_length):
        candidates = [h for h in pool if h.finished]
        for tokens, so_far, _ in (h for h in pool if not h.finished):
            scores = next_scores(transformer, source, tokens).double()
            for token, log_p in enumerate(scores.log_softmax(-1).tolist()):
                new = tokens if token == EOS else [*tokens, token]
                made = Hypothesis(list(new), so_far + log_p, token == EOS)
                if token not in NEVER:
                    candidates.append(made)
        possible = [h for h in candidates if h.log_probability > -math.inf]
        pool = sorted(possible, key=lambda h: -penalized(h, alpha, by))[:k]
        if all(h.finished for h in pool):
            break
    return pool


@anything
@given(
    st.integers(0, 999),
    st.integers(1, 5),
    st.booleans(),
    st.sampled_from([0.0, 0.6, 1.0, 3.0]),
    st.sampled_from(["gnmt", "length"]),
)
def test_a_narrow_beam_equals_its_definition_on_any_script(
    seed, k, sparse, alpha, by
):
    made = Scripted(random_script(seed, 6, sparse), 6, 9)
    sources = torch.tensor([[1], [2], [3]])
    pools = beam_search(made, sources, k, alpha, 6, by)
    for source, pool in zip(sources, pools, strict=True):
        same(pool, beam_by_definition(made, source, k, alpha, 6, by))


def test_the_two_normalizations_choose_different_translations():
    """Two tokens of .4 together, five of .15: means of -.46 and -.38."""
    long = (A, B, A, B)
    script = {(): {A: 1.0}, (A,): {EOS: 0.4, B: 0.15, C: 0.45}}
    script |= {long[:n]: {long[n]: 1.0} for n in (2, 3)}
    script[A, C] = dict.fromkeys([A, B, C, EOS], 0.25)
    made, source = from_table(script, 7, 9), torch.tensor([[4]])
    for by, best in (("gnmt", [A]), ("length", [*long])):
        found = beam_search(made, source, 3, 1.0, 5, by)[0]
        assert found[0].tokens == best
        search = Search(beam_size=3, alpha=1.0, max_length=5, normalization=by)
        assert search(made, source)[0].tokens == best


@pytest.mark.parametrize("k", [2, 4])
def test_a_narrow_beam_equals_its_definition_on_a_real_model(writer, k):
    """Which carries each hypothesis' keys and values along."""
    pools = beam_search(writer, SOURCE, k, 0.6, 7)
    for source, pool in zip(SOURCE, pools, strict=True):
        alone = source[source != 0]
        same(pool, beam_by_definition(writer, alone, k, 0.6, 7))


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.5])
def test_hypotheses_come_best_first_and_none_comes_twice(writer, alpha):
    for pool in beam_search(writer, SOURCE, 6, alpha, 9):
        assert len(pool) == 6
        scores = [penalized(h, alpha) for h in pool]
        assert scores == sorted(scores, reverse=True)
        assert len({(*h.tokens, h.finished) for h in pool}) == len(pool)


# With a = 4, b = 5, c = 6: greedy takes a for .5 and then the best of many
# poor ways on, .35: "a eos", .175. A beam of two keeps b, .45, too, whose
# way on is nearly sure: "b c eos", .45 x .8 x .95 = .342.
A, B, C = 4, 5, 6
GARDEN_PATH = {
    (): {A: 0.5, B: 0.45, C: 0.05},
    (A,): {EOS: 0.35, A: 0.33, B: 0.32},
    (B,): {C: 0.8, EOS: 0.2},
    (B, C): {EOS: 0.95, A: 0.05},
}


def test_a_beam_of_two_finds_what_greedy_walks_past():
    made = from_table(GARDEN_PATH, 7, 9)
    source = torch.tensor([[4]])
    same(greedy(made, source), [Hypothesis([A], math.log(0.175), True)])
    best = Hypothesis([B, C], math.log(0.342), True)
    for alpha in (0.0, 0.6):
        same(beam_search(made, source, 2, alpha)[0][:1], [best])


def test_a_finished_hypothesis_keeps_its_place_until_better_ones_come():
    """The sure ending "eos", .4, must still be there when "a a a a eos",
    .6 x .9 x .9 x .9 x .9 = .39, ends: a search that stops at the first
    ending, or throws it out, or lets it go on, answers otherwise."""
    table = {(): {EOS: 0.4, A: 0.6}}
    table |= {(A,) * n: {A: 0.9, EOS: 0.1} for n in (1, 2, 3)}
    table[(A,) * 4] = {EOS: 0.9, A: 0.1}
    made, source = from_table(table, 7, 9), torch.tensor([[4]])
    short = Hypothesis([], math.log(0.4), True)
    long = Hypothesis([A] * 4, math.log(0.6 * 0.9**4), True)
    same(beam_search(made, source, 2, 0.0)[0], [short, long])
    same(beam_search(made, source, 2, 0.6)[0], [long, short])


def test_a_finished_hypothesis_gives_way_to_k_better_ones():
    """ "eos", .1, is among the best two at first, and is then pushed out:
    the search must go on although something is finished."""
    table = {
        (): {A: 0.9, EOS: 0.1},
        (A,): {B: 0.5, C: 0.4, EOS: 0.1},
    }
    made, source = from_table(table, 7, 9), torch.tensor([[4]])
    expected = [
        Hypothesis([A, B], math.log(0.45), True),
        Hypothesis([A, C], math.log(0.36), True),
    ]
    same(beam_search(made, source, 2, 0.0)[0], expected)


def test_the_search_goes_on_while_one_hypothesis_can():
    """The best one is finished at once, the second still writes. Stopping
    when the *best* is finished would return it unfinished."""
    table = {(): {EOS: 0.6, A: 0.4}, (A,): {B: 1.0}, (A, B): {C: 1.0}}
    made, source = from_table(table, 7, 9), torch.tensor([[4]])
    expected = [
        Hypothesis([], math.log(0.6), True),
        Hypothesis([A, B, C], math.log(0.4), True),
    ]
    same(beam_search(made, source, 2, 0.0)[0], expected)
    # Its longer sentence may win in the end: .4 over (9/6)^2 is nearer 0.
    same(beam_search(made, source, 2, 2.0)[0], expected[::-1])


@pytest.mark.parametrize("k", [2, 5])
def test_a_search_stops_when_none_can_go_on(monkeypatch, k):
    """Also when there are fewer than k sentences: "eos" and "a eos"."""
    made, steps = from_table({(): {EOS: 0.6, A: 0.4}}, 7, 9), []
    decode = made.decode
    monkeypatch.setattr(
        made, "decode", lambda *args: steps.append(1) or decode(*args)
    )
    assert len(beam_search(made, torch.tensor([[4]]), k)[0]) == 2
    assert len(steps) == 2
    greedy(made, torch.tensor([[4]]))
    assert len(steps) == 3


@pytest.mark.parametrize("k", [5, 40])
def test_a_beam_may_be_wider_than_the_vocabulary(k):
    """Hypotheses of no probability are not returned."""
    made = from_table(GARDEN_PATH, 7, 3)
    source = torch.tensor([[4]])
    pool = beam_search(made, source, k, 0.0, 2)[0]
    assert all(h.log_probability > -math.inf for h in pool)
    expected = every_sentence(made, source[0], 2, 0.0)
    same(pool[:3], expected[:3])
    assert len(pool) == min(k, len(expected)) == min(k, 6)


def test_length_penalty_by_hand():
    assert length_penalty(1, 0.6) == 1.0
    assert length_penalty(7, 1.0) == pytest.approx(2.0)
    assert length_penalty(19, 0.5) == pytest.approx(2.0)
    assert length_penalty(30, 0.0) == 1.0
    assert length_penalty(4, 0.5, "length") == 2.0
    assert length_penalty(30, 1.0, "length") == 30.0
    # Two sentences of the book: 3 tokens at -2.4, 6 tokens at -3.6.
    three, six = (
        Hypothesis([A] * n, p, False) for n, p in ((3, -2.4), (6, -3.6))
    )
    assert penalized(three, 0.6) == pytest.approx(-2.02, abs=0.005)
    assert penalized(six, 0.6) == pytest.approx(-2.50, abs=0.005)
    assert penalized(three, 1.0) == pytest.approx(-2.4 * 6 / 8)
    ended = Hypothesis([A] * 2, -2.4, True)
    assert penalized(ended, 0.6) == penalized(three, 0.6)


@anything
@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.floats(-50, -0.01), st.booleans()),
        min_size=1,
        max_size=8,
    ),
    st.floats(0, 3),
    st.floats(0, 3),
)
def test_a_larger_alpha_never_chooses_a_shorter_one_from_one_pool(
    given_pool, one, other
):
    pool = [Hypothesis([A] * n, p, done) for n, p, done in given_pool]
    chosen = [
        max(
            pool,
            key=lambda h: (penalized(h, alpha), len(h.tokens) + h.finished),
        )
        for alpha in sorted([one, other])
    ]
    short, long = (len(h.tokens) + h.finished for h in chosen)
    larger = max(one, other)
    assert short <= long or penalized(chosen[0], larger) == pytest.approx(
        penalized(chosen[1], larger)
    )
    raw = max(pool, key=lambda h: penalized(h, 0.0))
    assert raw.log_probability == max(p for _, p, _ in given_pool)


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    "kind, changes, parts",
    [
        (ValueError, {"beam_size": 0}, ["beam_size=0", "1 or more"]),
        (ValueError, {"beam_size": -2}, ["beam_size=-2"]),
        (TypeError, {"beam_size": 2.0}, ["beam_size=2.0", "whole number"]),
        (TypeError, {"beam_size": True}, ["beam_size=True", "whole number"]),
        (TypeError, {"beam_size": "4"}, ["beam_size='4'"]),
        (ValueError, {"alpha": -0.1}, ["alpha=-0.1", "0 or"]),
        (ValueError, {"alpha": math.nan}, ["alpha=nan"]),
        (ValueError, {"alpha": math.inf}, ["alpha=inf"]),
        (ValueError, {"alpha": 999.0}, ["alpha=999.0", "16 tokens", "smaller"]),
        (ValueError, {"normalization": "mean"}, ["'mean'", "'length'"]),
        (ValueError, {"max_length": 0}, ["max_length=0"]),
        (ValueError, {"max_length": 17}, ["max_length=17", "1 to 16"]),
    ],
)
def test_beam_search_refuses(plain, kind, changes, parts):
    library = plain("model")
    made = library.Transformer(
        library.TransformerConfig(9, d_model=8, n_layers=1, max_length=16)
    )
    search = plain("decoding")
    with refuses(kind, *parts):
        search.beam_search(made, SOURCE[:, :2] % 9, **changes)
    if "max_length" in changes:
        with refuses(kind, *parts):
            search.greedy(made, SOURCE[:, :2] % 9, **changes)


def test_searches_refuse_an_empty_batch(plain):
    library = plain("model")
    made = library.Transformer(library.TransformerConfig(9, d_model=8))
    search = plain("decoding")
    for shape in ((0, 4), (2, 0)):
        for function in (search.greedy, search.beam_search):
            with refuses(ValueError, "at least one"):
                function(made, torch.zeros(shape, dtype=torch.long))


def test_length_penalty_refuses_what_is_no_exponent(plain):
    for alpha in (-1, math.nan, math.inf):
        with refuses(ValueError, f"alpha={alpha}"):
            plain("decoding").length_penalty(3, alpha)


def test_pairs_of_the_garden_path_are_as_the_book_says():
    made = from_table(GARDEN_PATH, 7, 9)
    every = every_sentence(made, torch.tensor([4]), 3, 0.0)
    assert every[0].tokens == [B, C]
    for one, other in pairwise(every):
        assert one.log_probability >= other.log_probability
