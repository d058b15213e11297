"""How sure a translation is: laws of its parts and of the shipped model."""

from random import Random

import numpy as np
import pytest
import torch

from transformer_lib import checkpoint
from transformer_lib.cli import confidence as confidence_command
from transformer_lib.cli import main
from transformer_lib.cli.confidence import LARGEST
from transformer_lib.confidence import FEATURES, Confidence, fit
from transformer_lib.confidence import training as confidence_training
from transformer_lib.confidence.coverage import Coverage
from transformer_lib.confidence.familiarity import Familiarity
from transformer_lib.confidence.probabilities import token_log_p
from transformer_lib.confidence.spoilt import Spoiler
from transformer_lib.confidence.training import learn_confidence
from transformer_lib.confidence.word_classes import word_classes
from transformer_lib.search import Search
from transformer_lib.special_tokens import BOS
from transformer_lib.toy.corpus import toy_splits
from transformer_lib.translator import SHIPPED, Translator

CORPUS = toy_splits("small")
TEXTS = [pair.source for pair in CORPUS["test"][:80]]


@pytest.fixture(scope="module")
def shipped():
    return Translator.shipped()


def encoded(translator, pairs):
    encode = translator.tokenizer.encode_all
    sources = encode([pair.source for pair in pairs])
    return list(
        zip(sources, encode([pair.target for pair in pairs]), strict=True)
    )


@pytest.fixture(scope="module")
def pairs(shipped):
    return encoded(shipped, CORPUS["train"][:3000])


@pytest.fixture(scope="module")
def spoiler(pairs, shipped):
    sources = [source for source, _ in pairs]
    familiarity = Familiarity.learn(sources, len(shipped.tokenizer))
    return Spoiler(sources, familiarity, Random(0))


# ------------------------------------------------------------------ its parts


def likelihood(sentences, classes):
    """The score that classes are chosen by, from its formula."""
    n = np.zeros((classes.max() + 1,) * 2)
    for sentence in sentences:
        found = [0, *classes[sentence], 0]
        np.add.at(n, (found[:-1], found[1:]), 1)
    rows, columns = n.sum(1, keepdims=True), n.sum(0, keepdims=True)
    seen = n > 0
    return (n[seen] * np.log(n[seen] / (rows * columns)[seen])).sum()


def test_no_word_has_a_better_class():
    """The oracle moves each word to each class and counts all anew."""
    rng = Random(1)
    sentences = [
        [rng.randint(4, 9), rng.randint(10, 13), *rng.sample(range(4, 20), 2)]
        for _ in range(200)
    ]
    classes = word_classes(sentences, 21, 5)
    best = likelihood(sentences, classes)
    for word in range(4, 20):
        for other in range(1, 6):
            moved = classes.copy()
            moved[word] = other
            assert likelihood(sentences, moved) <= best + 1e-6
    assert classes[BOS] == 0 and classes[20] == 6


def test_what_training_had_is_familiar(pairs, shipped):
    sources = [source for source, _ in pairs]
    vocab_size = len(shipped.tokenizer)
    familiarity = Familiarity.learn(sources, vocab_size)
    assert all(familiarity.strange(source) == 0 for source in sources[:200])
    strange = familiarity.strange(shipped.tokenizer.encode("will will ."))
    assert strange >= 2
    never = max(set(range(vocab_size)).difference(*sources))
    assert familiarity.strange([never, *sources[0]]) >= 4
    assert familiarity.strange(sources[0][:-1]) == 1  # no mark at the end


def test_a_word_that_is_left_out_is_the_least_covered(pairs, shipped):
    """Hidden from the translation one by one: cat, milk, drank."""
    coverage = Coverage.learn(pairs, len(shipped.tokenizer))
    source = shipped.tokenizer.encode("the cat drank the milk .")
    whole = "고양이 +는 우유 +를 마셨 +다 +."
    for word, token in ((1, "고양이"), (4, "우유"), (2, "마셨")):
        target = shipped.tokenizer.encode(whole.replace(token, "자동차"))
        covered = coverage.of(source, target)
        assert covered.index(min(covered)) == word
    right = coverage.of(source, shipped.tokenizer.encode(whole))
    assert min(right) > -1 > -3 > covered[2]
    assert coverage.of(source, [])[0] > -0.5  # "the" needs no token


def test_rules_spoil_the_structure_and_keep_the_mark(pairs, spoiler):
    sources = [source for source, _ in pairs[:100]]
    spoilt = [spoiler.spoil(source, sources[0]) for source in sources]
    made = [(s, x) for s, x in zip(sources, spoilt, strict=True) if x]
    assert len(made) > 90
    for source, words in made:
        assert words[-1] == source[-1]
        assert spoiler.familiarity.pattern(words) not in spoiler.known


def test_a_shift_or_another_unit_of_a_feature_changes_no_probability():
    torch.manual_seed(0)
    x = torch.randn(200, 2)
    right = x[:, 0] + torch.randn(200) > 0
    share = torch.full((200,), 1 / 200)
    weights = fit(x, right, share)
    unit, shift = torch.tensor([100.0, 0.01]), torch.tensor([-7.0, 3.0])
    other = fit(x * unit + shift, right, share)
    logits = x.double() @ weights[:-1] + weights[-1]
    same = (x * unit + shift).double() @ other[:-1] + other[-1]
    torch.testing.assert_close(logits, same, atol=1e-3, rtol=1e-3)
    assert weights[0] > 4 * weights[1].abs()  # the second one is noise
    with pytest.raises(ValueError, match="200 of 200 translations are right"):
        fit(x, torch.ones(200, dtype=torch.bool), share)


def test_scores_are_those_of_the_search(shipped):
    found = shipped.hypotheses(TEXTS[:20])
    ids = shipped.tokenizer.encode_all(TEXTS[:20])
    scores = token_log_p(shipped.model, ids, [h.tokens for h in found])
    sums = [sum(score) for score in scores]
    assert sums == pytest.approx([h.log_probability for h in found], abs=1e-4)
    features = shipped.confidence.features(ids[0], found[0].tokens, scores[0])
    assert features[:2] == [min(scores[0]), sums[0] / len(scores[0])]


# ------------------------------------------------------- the shipped translator


def test_each_feature_pulls_in_its_direction(shipped):
    """Surer tokens and better coverage raise it, strange runs lower it."""
    middle = [-1.0, -0.3, -1.0, 1.0]
    p = shipped.confidence.probability
    for place in range(len(FEATURES)):
        steps = []
        for change in (-0.5, 0.0, 0.5):
            features = list(middle)
            features[place] += change
            steps.append(p(features))
        if place == 3:
            steps.reverse()
        assert steps == sorted(set(steps))
    assert 0 <= p([-1e6, -1e6, -1e6, 4.0]) < p([0.0, 0.0, 0.0, 0.0]) <= 1


def test_a_batch_is_judged_as_each_sentence_alone(shipped):
    together = shipped.explain([*TEXTS[:12], " "], Search(batch_size=5))
    assert [x.text for x in together[:-1]] == shipped.translate(TEXTS[:12])
    for text, found in zip(TEXTS, together[:-1], strict=False):
        (alone,) = shipped.explain([text])
        assert found.confidence == pytest.approx(alone.confidence, abs=1e-4)
        threshold = shipped.confidence.threshold
        assert found.is_sure == (found.confidence >= threshold)
    assert together[-1].confidence is together[-1].is_sure is None


def test_spoilt_sentences_are_flagged_and_sound_ones_are_not(shipped, spoiler):
    """The sound ones are of the narrow preset, the model is of the wide one."""
    sources = shipped.tokenizer.encode_all(TEXTS)
    spoilt = [spoiler.spoil(source, sources[0]) for source in sources]
    texts = [" ".join(map(shipped.tokenizer.token, x)) for x in spoilt if x]
    sound = [x.is_sure for x in shipped.explain(TEXTS)]
    assert sum(sound) >= 0.9 * len(sound)
    unsure = [not x.is_sure for x in shipped.explain(texts)]
    assert sum(unsure) >= 0.7 * len(unsure)


def test_a_translation_that_was_cut_and_an_unknown_word_are_unsure(shipped):
    (whole,) = shipped.explain(["The cat slept."])
    (cut,) = shipped.explain(["The cat slept."], Search(max_length=2))
    (unknown,) = shipped.explain(["The zebra slept."])
    assert whole.is_sure and whole.finished
    assert not cut.is_sure and not cut.finished
    assert not unknown.is_sure and unknown.unknown_words == ["zebra"]


def test_it_is_stored_with_the_weights_and_may_be_missing(shipped, tmp_path):
    tensors = shipped.confidence.tensors()
    assert sum(value.nbytes for value in tensors.values()) <= LARGEST
    again = Confidence.from_tensors(tensors)
    for features in ([-1.0, -0.2, -1.0, 0.0], [-0.1, -0.1, 0.0, 4.0]):
        found = again.probability(features)
        assert found == shipped.confidence.probability(features)
    without = Translator(shipped.model, shipped.tokenizer)
    (found,) = without.explain(["The cat slept."])
    assert found.text == "고양이는 잤다."
    assert found.confidence is found.is_sure is None
    del tensors["confidence.runs"]
    with pytest.raises(ValueError, match="lacks 'runs'"):
        Confidence.from_tensors(tensors)


def test_learning_is_repeatable_and_a_seed_changes_it(
    shipped, pairs, monkeypatch
):
    monkeypatch.setattr(confidence_training, "N_SPOILT", 60)
    validation = encoded(shipped, CORPUS["valid"][:60])

    def learn(seed):
        return learn_confidence(
            shipped.model, shipped.decode, pairs[:1000], validation, seed
        )

    (first, counts), (again, same), (other, _) = map(learn, (0, 0, 1))
    assert counts == same
    assert torch.equal(first.weights, again.weights)
    assert first.threshold == again.threshold
    assert not torch.equal(first.weights, other.weights)
    assert counts.right + counts.wrong == counts.spoilt == 30
    assert counts.right_flagged <= 1 < counts.spoilt_flagged


# ------------------------------------------------------------ the command line


def test_the_command_line_warns_of_what_is_unsure(capsys):
    strange = "The will did not because slept the."
    lines = ["The cat slept.", strange, "", "The zebra slept."]
    assert main(["translate", *lines]) == 0
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert said[0].startswith("sentence 2: unlike those the model has learned")
    assert "do not trust" in said[0] and said[1].startswith("sentence 4: unk")


def test_the_command_learns_and_stores_it(
    shipped, tmp_path, monkeypatch, capsys
):
    def few(preset, seed, n_train=None):
        assert preset == "small"
        whole = CORPUS if seed == 0 else toy_splits("small", seed, 1)
        return {name: pairs[:1000:10] for name, pairs in whole.items()}

    monkeypatch.setattr(confidence_training, "N_SPOILT", 60)
    monkeypatch.setattr(confidence_command, "toy_splits", few)
    (tmp_path / "tokenizer.json").write_text(
        shipped.tokenizer.to_json(), encoding="utf-8"
    )
    tensors, info = checkpoint.load(SHIPPED, "model")
    bare = {k: v for k, v in tensors.items() if k.startswith("model.")}
    checkpoint.save(tmp_path, "model", bare, info)
    assert Translator.load(tmp_path).confidence is None
    command = ["confidence", "--model", str(tmp_path)]
    assert main(command) == 2
    assert "give --preset" in capsys.readouterr().err
    assert main([*command, "--preset", "small"]) == 0
    assert "30 spoilt sentences" in capsys.readouterr().out
    assert len(list(tmp_path.glob("*.safetensors"))) == 1
    learned = Translator.load(tmp_path)
    assert learned.confidence.tensors().keys() <= tensors.keys()
    (found,) = learned.explain(["The will did not because slept the."])
    assert found.is_sure is False
