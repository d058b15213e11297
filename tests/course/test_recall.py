"""The toy of the goats: what a text holds, and what a bag of words misses."""

import pytest
import torch

from transformer_course import recall
from transformer_course.recall import GOATS, WORDS

N = len(GOATS)


def total(vectors, question):
    return vectors.sum(dim=1)


def exchanged(ids):
    """The same texts with the goats white and black exchanged."""
    other = ids.clone()
    other[ids == 0], other[ids == 1] = 1, 0
    return other


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


@pytest.mark.parametrize("length", [8, 9, 31])
def test_the_answer_follows_its_fate(length):
    ids, goats = recall.texts(200, length)
    assert ids.shape == (200, length + 1)
    for row, goat in zip(ids.tolist(), goats.tolist(), strict=True):
        *text, question = row
        assert text[text.index(question) + 1] == goat


def test_every_text_names_each_goat_and_each_fate_once():
    ids, _ = recall.texts(200, 20)
    names = ids[:, :-1].sort(dim=1).values[:, : 2 * N]
    assert (names == torch.arange(2 * N)).all()


def test_each_goat_is_asked_for_and_found_everywhere():
    ids, goats = recall.texts(4000, 16)
    assert goats.bincount(minlength=N).min() > 800
    places = (ids[:, :-1] == goats[:, None]).nonzero()[:, 1]
    assert places.unique().tolist() == list(range(1, 16, 2))


def test_a_text_with_one_goat_names_no_other():
    ids, goats = recall.texts(200, 20, goats=1)
    assert ((ids < N).sum(dim=1) == 1).all()
    assert (ids.gather(1, (ids < N).long().argmax(1, keepdim=True))[:, 0]
            == goats).all()  # fmt: skip
    assert goats.unique().tolist() == list(range(N))


@pytest.mark.parametrize(
    ("length", "goats", "says"),
    [(7, 4, "length 7 is too short"), (9, 0, "goats=0"), (9, 5, "goats=5")],
)
def test_texts_that_cannot_be(length, goats, says):
    with pytest.raises(ValueError, match=says):
        recall.texts(1, length, goats)


def test_a_sum_cannot_tell_exchanged_goats_apart():
    ids, goats = recall.texts(50, 20)
    other = exchanged(ids)
    assert (ids != other).any(dim=1).all()
    model = recall.Recall(total).double()
    torch.testing.assert_close(model(ids), model(other))
    state = recall.Recall(recall.LastState(torch.nn.GRU)).double()
    assert not torch.allclose(state(ids), state(other))


@pytest.mark.parametrize("nonlinearity", ["tanh", "relu"])
def test_a_start_from_the_identity_changes_the_recurrent_part_alone(
    nonlinearity,
):
    def kind(*sizes, **options):
        return torch.nn.RNN(*sizes, nonlinearity=nonlinearity, **options)

    torch.manual_seed(3)
    usual = recall.LastState(kind, width=4).network
    torch.manual_seed(3)
    read = recall.from_identity(recall.LastState(kind, width=4))
    assert torch.equal(read.network.weight_ih_l0, usual.weight_ih_l0)
    vectors = torch.rand(2, 6, 4)
    with torch.no_grad():
        read.network.weight_ih_l0.copy_(torch.eye(4))
    if nonlinearity == "relu":  # of positive vectors it is the plain sum
        torch.testing.assert_close(read(vectors, None), vectors.sum(dim=1))
    one = read(vectors[:, :1], None)
    torch.testing.assert_close(
        one, vectors[:, 0].tanh() if nonlinearity == "tanh" else vectors[:, 0]
    )


def test_the_question_may_come_first():
    read = recall.LastState(torch.nn.GRU, width=4)
    first = recall.LastState(torch.nn.GRU, width=4, question_first=True)
    first.load_state_dict(read.state_dict())
    vectors = torch.randn(2, 6, 4)
    moved = torch.cat([vectors[:, -1:], vectors[:, :-1]], dim=1)
    assert torch.equal(first(vectors, None), read(moved, None))


def test_a_fixed_query_hears_no_question():
    vectors = torch.randn(3, 7, 5)
    read = recall.FixedQuery(width=5)
    assert torch.equal(
        read(vectors, torch.zeros(3, 5)), read(vectors, torch.ones(3, 5))
    )
    torch.testing.assert_close(read(vectors, None), vectors.mean(dim=1))
    read.query.data[0] = 100.0  # now all the weight is on one word
    largest = vectors[:, :, 0].argmax(dim=1)
    torch.testing.assert_close(
        read(vectors, None), vectors[torch.arange(3), largest]
    )


def test_questions_start_as_they_are_told():
    assert (recall.Recall(total).question.weight == 0).all()
    wild = recall.Recall(total, question_std=1.0, width=400).question.weight
    assert 0.9 < wild.std() < 1.1


def test_the_same_seed_gives_the_same_run_and_leaves_the_generator_alone():
    before = torch.random.get_rng_state()
    one = recall.learn(lambda: total, seed=3, length=8, limit=5)
    again = recall.learn(lambda: total, seed=3, length=8, limit=5)
    assert one == again
    assert one.updates is None and len(one.accuracy) == 5
    assert torch.equal(before, torch.random.get_rng_state())


def test_a_reader_that_knows_the_answer_is_done_at_once():
    class Oracle(torch.nn.Module):
        """Marks the goat behind the word that the question repeats."""

        def forward(self, vectors, question):
            return self.found

    oracle = Oracle()

    def reveal(ids):
        text, asked = ids[:, :-1], ids[:, -1:]
        place = (text == asked).long().argmax(dim=1, keepdim=True)
        goat = text.gather(1, place + 1)[:, 0]
        oracle.found = torch.nn.functional.one_hot(goat, recall.WIDTH).float()

    make, texts = lambda: oracle, recall.texts

    def seen(count, length, goats):
        ids, goats = texts(count, length, goats)
        reveal(ids)
        return ids, goats

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recall, "texts", seen)
        run = recall.learn(make, seed=0, length=8, limit=300)
    assert run.updates is not None and run.updates == len(run.accuracy)


def test_a_text_in_words():
    assert recall.spell(torch.tensor([0, 5, len(WORDS) - 1])) == (
        f"{WORDS[0]} {WORDS[5]} {WORDS[-1]}"
    )
