"""How sure a translation is: laws of its parts and of the shipped model."""

import json
import math
from random import Random

import numpy as np
import pytest
import torch

from toy_language.corpus import toy_splits
from transformer_lib import checkpoint
from transformer_lib.cli import main
from transformer_lib.cli.confidence import LARGEST
from transformer_lib.cli.translate import _warnings
from transformer_lib.confidence import FEATURES, Confidence, fit
from transformer_lib.confidence import training as confidence_training
from transformer_lib.confidence.coverage import Coverage
from transformer_lib.confidence.familiarity import Familiarity
from transformer_lib.confidence.probabilities import token_log_p
from transformer_lib.confidence.spoilt import Spoiler
from transformer_lib.confidence.training import Judged, learn_confidence
from transformer_lib.confidence.trust import (
    VALUES,
    counted,
    described,
    upper_threshold,
    wilson,
)
from transformer_lib.confidence.word_classes import word_classes
from transformer_lib.search import Search
from transformer_lib.special_tokens import BOS, UNK
from transformer_lib.translator import SHIPPED, Translation, Translator


@pytest.fixture(scope="module")
def corpus():
    return toy_splits("small")


@pytest.fixture(scope="module")
def texts(corpus):
    return [pair.source for pair in corpus["test"][:80]]


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
def pairs(shipped, corpus):
    return encoded(shipped, corpus["train"][:3000])


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
        assert coverage.lost(source, target) == [word]
    right = coverage.of(source, shipped.tokenizer.encode(whole))
    assert min(right) > -1 > -2 > covered[2]
    assert coverage.lost(source, shipped.tokenizer.encode(whole)) == []
    assert coverage.lost(source, []) == [1, 2, 4, 5]  # not "the"


def alone(pair, source):
    """Yield words once in a sentence, and the tokens that are theirs only."""
    tokens = [token for _, token in pair.alignment]
    for word in {word for word, _ in pair.alignment}:
        own = [token for other, token in pair.alignment if other == word]
        once = all(tokens.count(token) == 1 for token in own)
        if once and source.count(source[word]) == 1:
            yield word, own


def test_lost_words_are_named_and_others_are_not(shipped, corpus):
    """By the links that the grammar gives; the corpus is an unseen one."""
    coverage = shipped.confidence.coverage
    some = corpus["test"][:300]
    named = found = wrongly = 0
    for pair, (source, target) in zip(
        some, encoded(shipped, some), strict=True
    ):
        wrongly += bool(coverage.lost(source, target))
        for word, own in alone(pair, source):
            kept = [t for i, t in enumerate(target) if i not in own]
            if coverage.limit[source[word]]:
                named += 1
                found += word in coverage.lost(source, kept)
    assert wrongly <= 0.02 * len(some)
    assert named > 600 and found >= 0.85 * named


def test_more_tokens_lose_no_word_and_none_lose_all(shipped, corpus):
    rng = Random(2)
    coverage = shipped.confidence.coverage
    for source, target in encoded(shipped, corpus["test"][:50]):
        kept = [token for token in target if rng.random() < 0.5]
        lost = coverage.lost(source, kept)
        assert set(coverage.lost(source, target)) <= set(lost)
        named = [i for i, w in enumerate(source) if coverage.limit[w] > 0]
        assert set(lost) <= set(named) == set(coverage.lost(source, []))


def test_function_words_are_not_named_and_content_words_are(shipped):
    limit = shipped.confidence.coverage.limit

    def are(words):
        return [bool(limit[i]) for i in shipped.tokenizer.encode(words)]

    assert not any(are("the a an is are was to of in on at it did does ."))
    assert all(are("cat computer slowly loudly happy very sleep brother"))


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


def test_scores_are_those_of_the_search(shipped, texts):
    found = shipped.hypotheses(texts[:20])
    ids = shipped.tokenizer.encode_all(texts[:20])
    scores = token_log_p(shipped.model, ids, [h.tokens for h in found])
    sums = [sum(score) for score in scores]
    assert sums == pytest.approx([h.log_probability for h in found], abs=1e-4)
    features = shipped.confidence.features(ids[0], found[0].tokens, scores[0])
    assert features[:2] == [min(scores[0]), sums[0] / len(scores[0])]


# ------------------------------------------------------- the shipped translator


def test_each_feature_pulls_in_its_direction(shipped):
    """Surer tokens and coverage raise it, strange runs and losses lower it."""
    middle = [-1.0, -0.3, -1.0, 1.0, 1.0]
    p = shipped.confidence.probability
    for place in range(len(FEATURES)):
        steps = []
        for change in (-0.5, 0.0, 0.5):
            features = list(middle)
            features[place] += change
            steps.append(p(features))
        if place >= 3:
            steps.reverse()
        assert steps == sorted(set(steps))
    assert 0 <= p([-1e6, -1e6, -1e6, 4.0, 2.0]) < p([0.0] * 5) <= 1


def test_a_batch_is_judged_as_each_sentence_alone(shipped, texts):
    together = shipped.explain([*texts[:12], " "], Search(batch_size=5))
    assert [x.text for x in together[:-1]] == shipped.translate(texts[:12])
    for text, found in zip(texts, together[:-1], strict=False):
        (alone,) = shipped.explain([text])
        assert found.confidence == pytest.approx(alone.confidence, abs=1e-4)
        assert found.lost_words == alone.lost_words
        assert found.trust == by_hand(shipped, found)
    assert together[-1].confidence is together[-1].trust is None


def by_hand(translator, found):
    """The value of a translation, from the rules."""
    lower, upper = translator.confidence.thresholds.tolist()
    if found.unknown_words or found.confidence < lower:
        return "doubtful"
    whole = found.finished and not found.lost_words
    return "sure" if whole and found.confidence >= upper else "perhaps"


def test_spoilt_sentences_are_flagged_and_sound_ones_are_not(
    shipped, spoiler, texts
):
    """The sound ones are of the narrow preset, the model is of the wide one."""
    sources = shipped.tokenizer.encode_all(texts)
    spoilt = [spoiler.spoil(source, sources[0]) for source in sources]
    wrong = [" ".join(map(shipped.tokenizer.token, x)) for x in spoilt if x]
    sound = [x.trust for x in shipped.explain(texts)]
    assert sound.count("doubtful") <= 0.1 * len(sound)
    assert sound.count("sure") >= 0.6 * len(sound)
    found = [x.trust for x in shipped.explain(wrong)]
    assert found.count("doubtful") >= 0.7 * len(found)
    assert found.count("sure") <= 0.15 * len(found)


def test_what_can_not_be_sure(shipped):
    """A cut translation, an unknown word, a lost one; whatever p says."""
    (whole,) = shipped.explain(["The cat slept."])
    (cut,) = shipped.explain(["The cat slept."], Search(max_length=2))
    (unknown,) = shipped.explain(["The zebra slept."])
    assert whole.trust == "sure" and whole.finished
    assert cut.trust != "sure" and not cut.finished
    assert unknown.trust == "doubtful" and unknown.unknown_words == ["zebra"]
    source = shipped.tokenizer.encode("the cat slept .")
    confidence = Confidence.from_tensors(
        shipped.confidence.tensors()
        | {"confidence.thresholds": torch.zeros(2, dtype=torch.float64)}
    )

    def trust(source, tokens, finished=True):
        log_p = [-0.1] * (len(tokens) + 1)
        return confidence.judge(source, tokens, log_p, finished).trust

    assert trust(source, whole.tokens) == "sure"
    assert trust(source, whole.tokens, False) == "perhaps"
    assert trust(source, whole.tokens[1:]) == "perhaps"
    assert trust([*source, UNK], whole.tokens) == "doubtful"


def test_a_lost_word_is_named_as_it_was_read(shipped, monkeypatch):
    (right,) = shipped.hypotheses(["Tom reads old books and old letters."])
    (kept,) = shipped.hypotheses(["Tom reads books and letters."])
    monkeypatch.setattr(shipped, "decode", lambda ids, search: [kept])
    (found,) = shipped.explain(["Tom reads cheap books and cheap letters."])
    assert right.tokens != kept.tokens
    assert found.lost_words == ["cheap"]
    assert found.trust != "sure"


def test_the_thresholds_are_what_their_rules_ask_for():
    """Of the shipped translator, by what is stored with it."""
    info = json.loads((SHIPPED / "model.json").read_text("utf-8"))
    tables = info["confidence"]["tables"]
    assert {"validation", "spoilt", "typed_first", "outside"} == set(tables)
    for table in (tables["validation"], added(tables, *CHOOSING)):
        wrong, right = table["wrong"]["sure"], table["right"]["sure"]
        assert wrong <= 0.02 * (wrong + right)
        assert table["wrong"]["doubtful"] > table["right"]["doubtful"]
    right = tables["validation"]["right"]
    assert right["doubtful"] <= 0.02 * sum(right.values()) + 1
    assert sum(tables["spoilt"]["right"].values()) == 0
    lost = info["confidence"]["lost_words"]
    assert lost["right_named"] <= 0.02 * lost["right"]
    assert lost["found"] <= lost["can_be_named"] <= lost["taken_out"]


CHOOSING = ("typed_first", "outside")


def added(tables, *names):
    """Add up some tables."""
    return {
        kind: {value: sum(tables[n][kind][value] for n in names)
               for value in VALUES}
        for kind in ("right", "wrong")
    }  # fmt: skip


def test_the_upper_threshold_is_the_smallest_that_keeps_the_rule():
    """The oracle tries every value there is."""
    rng = Random(3)
    chosen = set()
    for _ in range(60):
        n = rng.randint(1, 200)
        p = [rng.randint(0, 50) / 50 for _ in range(n)]
        right = [rng.random() < 0.95 + value / 20 for value in p]

        def keeps(limit, p=p, right=right):
            above = [r for value, r in zip(p, right, strict=True)
                     if value >= limit]  # fmt: skip
            wrong = above.count(False)
            few = wrong / len(above) <= 0.02
            return few and wilson(wrong, len(above))[1] <= 0.1

        found = upper_threshold(p, right)
        wanted = min(filter(keeps, p), default=math.inf)
        below = [value for value in p if value < wanted]
        assert max(below, default=-1) < found <= wanted
        chosen.add(wanted)
    assert len(chosen) > 5 and math.inf in chosen
    assert upper_threshold([], []) == math.inf


def test_intervals_and_tables():
    assert wilson(0, 0) == (0, 1)
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    for count, total in ((0, 3), (1, 50), (7, 9), (9, 9)):
        low, high = wilson(count, total)
        assert 0 <= low <= count / total <= high <= 1
        other = wilson(total - count, total)
        assert (1 - high, 1 - low) == pytest.approx(other, abs=1e-12)
    judged = [(True, "sure")] * 3 + [(False, "sure"), (False, "doubtful")]
    table = counted([*judged, (True, None)])
    assert sum(sum(row.values()) for row in table.values()) == len(judged)
    assert described(table) == ["1 of 4 (5-70 %)", "0", "1 of 1 (21-100 %)"]


def test_it_is_stored_with_the_weights_and_may_be_missing(shipped, tmp_path):
    tensors = shipped.confidence.tensors()
    assert sum(value.nbytes for value in tensors.values()) <= LARGEST
    again = Confidence.from_tensors(tensors)
    assert torch.equal(again.thresholds, shipped.confidence.thresholds)
    for features in ([-1.0, -0.2, -1.0, 0.0, 1.0], [-0.1, -0.1, 0.0, 4.0, 0.0]):
        found = again.probability(features)
        assert found == shipped.confidence.probability(features)
    without = Translator(shipped.model, shipped.tokenizer)
    (found,) = without.explain(["The cat slept."])
    assert found.text == "고양이는 잤다."
    assert found.confidence is found.trust is None
    assert found.lost_words == []
    del tensors["confidence.runs"]
    with pytest.raises(ValueError, match="lacks 'runs'"):
        Confidence.from_tensors(tensors)


def test_learning_is_repeatable_and_a_seed_changes_it(
    shipped, corpus, pairs, monkeypatch
):
    monkeypatch.setattr(confidence_training, "N_SPOILT", 60)
    validation = encoded(shipped, corpus["valid"][:60])

    def learn(seed):
        return learn_confidence(
            shipped.model, shipped.decode, pairs[:1000], validation, seed
        )

    (first, tables), (again, same), (other, _) = map(learn, (0, 0, 1))
    assert tables == same
    assert torch.equal(first.weights, again.weights)
    assert torch.equal(first.thresholds, again.thresholds)
    assert not torch.equal(first.weights, other.weights)
    totals = [
        sum(sum(row.values()) for row in tables[name].values())
        for name in ("validation", "spoilt")
    ]
    assert totals == [30, 30]
    assert tables["validation"]["right"]["doubtful"] <= 1
    assert tables["spoilt"]["wrong"]["doubtful"] > 1


@pytest.mark.slow
def test_typed_sentences_can_only_raise_the_upper_threshold(
    shipped, corpus, texts, pairs, monkeypatch
):
    monkeypatch.setattr(confidence_training, "N_SPOILT", 60)
    validation = encoded(shipped, corpus["valid"][:120])
    sources = shipped.tokenizer.encode_all(texts)
    written = shipped.decode(sources)

    def learn(**typed):
        return learn_confidence(
            shipped.model, shipped.decode, pairs[:1000], validation,
            typed=typed,
        )  # fmt: skip

    def list_of(right):
        return [Judged(*x, right) for x in zip(sources, written, strict=True)]

    bare, _ = learn()
    good, tables = learn(good=list_of(True))
    bad, _ = learn(good=list_of(True), bad=list_of(False))
    assert torch.equal(bare.weights, bad.weights)
    lower, upper = zip(*(x.thresholds.tolist() for x in (bare, good, bad)),
                       strict=True)  # fmt: skip
    assert len(set(lower)) == 1
    assert lower[0] <= upper[0] <= upper[1] < upper[2] == math.inf
    assert sum(tables["good"]["right"].values()) == len(texts)


# ------------------------------------------------------------ the command line


def test_the_command_line_warns_of_what_is_unsure(capsys):
    strange = "The will did not because slept the."
    lines = ["The cat slept.", strange, "", "The zebra slept."]
    assert main(["translate", *lines]) == 0
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert said[0].startswith("sentence 2: doubtful (confidence ")
    assert said[1].startswith("sentence 4: unk")


@pytest.mark.parametrize(
    "trust, lost, said",
    [
        ("sure", [], []),
        ("perhaps", [], ["perhaps right (confidence 50%)"]),
        ("perhaps", ["old"], ["perhaps right (confidence 50%): *old* may "
                              "have got lost"]),
        ("doubtful", ["old", "big", "cat"],
         ["doubtful (confidence 50%): *old*, *big* and *cat* may have "
          "got lost"]),
    ],
)  # fmt: skip
def test_lost_words_are_named_in_a_warning(trust, lost, said):
    found = Translation("x", [5], True, 0.5, trust, lost, [])
    assert list(_warnings(found)) == said


@pytest.mark.slow
def test_the_command_learns_and_stores_it(
    shipped, corpus, tmp_path, monkeypatch, capsys
):
    def few(preset, seed, n_train=None):
        assert preset == "small"
        whole = corpus if seed == 0 else toy_splits("small", seed, 1)
        return {name: pairs[:1000:10] for name, pairs in whole.items()}

    monkeypatch.setattr(confidence_training, "N_SPOILT", 60)
    monkeypatch.setattr("toy_language.corpus.toy_splits", few)
    (tmp_path / "tokenizer.json").write_text(
        shipped.tokenizer.to_json(), encoding="utf-8"
    )
    tensors, info = checkpoint.load(SHIPPED, "model")
    bare = {k: v for k, v in tensors.items() if k.startswith("model.")}
    checkpoint.save(tmp_path, "model", bare, info)
    assert Translator.load(tmp_path).confidence is None
    older = {"confidence.threshold": torch.tensor(0.5)}
    checkpoint.save(tmp_path, "model", bare | older, info)
    typed = tmp_path / "typed_list.tsv"
    typed.write_text(
        "English\tKorean\nThe cat slept.\t{그 |}고양이{는|가} 잤다.\n"
        "The zebra slept.\t얼룩말은 잤다.\n", encoding="utf-8",
    )  # fmt: skip
    command = ["confidence", "--model", str(tmp_path)]
    assert main(command) == 2
    assert "give --preset" in capsys.readouterr().err
    command += ["--preset", "small", "--typed", str(typed)]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "| wrong among | sure | perhaps | doubtful |" in said
    assert "| typed list | " in said and "| 1 of 1 (21-100 %) |" in said
    tables = checkpoint.load(tmp_path, "model")[1]["confidence"]["tables"]
    assert tables["typed_list"]["wrong"]["doubtful"] == 1
    assert sum(tables["typed_list"]["right"].values()) == 1
    assert len(list(tmp_path.glob("*.safetensors"))) == 1
    learned = Translator.load(tmp_path)
    assert learned.confidence.tensors().keys() <= tensors.keys()
    (found,) = learned.explain(["The will did not because slept the."])
    assert found.trust == "doubtful"
