"""The splits: what each promises, over both presets."""

import hashlib
import re
import time
from collections import Counter, defaultdict

import pytest

import toy_language
from toy_language import corpus
from toy_language.baselines import role_of_it, verb_of
from toy_language.corpus import (
    SentencePair,
    gloss,
    join_morphemes,
    romanize,
    toy_splits,
)
from toy_language.grammar.reasons import reasons
from toy_language.grammar.selection import selection
from toy_language.kept import kept
from transformer_lib import special_tokens

NAMES = ("train", "valid", "test", "composition", "role", "contrast", "noun",
         "length")  # fmt: skip
FROZEN = {
    "small": "af979c4cd19e12a5bac25245b825bb81ae4f985e82b76ecb98a0bb8f14bfc9cb",
    "full": "fffba28b591ca044cd93c3e4592052a99edbf0f9485a85636bedbd374989c667",
}
HAS = {"필요", "있", "없", "많"}


# The full language comes of the same code; to draw it takes half a minute.
FULL = pytest.param("full", marks=pytest.mark.slow)


@pytest.fixture(scope="module", params=("small", FULL))
def preset(request):
    return request.param


@pytest.fixture(scope="module")
def splits(preset):
    """Read, or drawn once: what is read is of this code, by its hash."""
    return corpus.toy_splits(preset)


@pytest.fixture(scope="module")
def words(preset):
    return selection(preset)


def tokens(pairs, side):
    return Counter(
        token for pair in pairs for token in getattr(pair, side).split()
    )


def antecedent(pair):
    """The Korean noun that "it" names."""
    it = pair.source.split().index("it")
    return next(pair.target.split()[j] for i, j in pair.possible if i == it)


def test_sizes(splits, preset):
    """How many pairs of `noun` there are is what the words of small allow."""
    sizes = {name: len(pairs) for name, pairs in splits.items()}
    assert sizes == {
        "train": {"small": 20_000, "full": 120_000}[preset],
        "valid": 500, "test": 1_000, "composition": 500, "role": 500,
        "contrast": 400, "noun": {"small": 30, "full": 400}[preset],
        "length": 480,
    }  # fmt: skip
    assert tuple(splits) == NAMES


def test_no_sentence_twice_and_no_overlap(splits):
    counts = Counter(p.source for pairs in splits.values() for p in pairs)
    assert max(counts.values()) == 1


def test_no_overlap_for_a_tokenizer_that_opens_contractions(splits):
    seen: set = set()
    for pairs in splits.values():
        opened = {p.source.replace("n't", " not") for p in pairs}
        assert not opened & seen
        seen |= opened


def test_translation_is_a_function(splits):
    known = {}
    for pairs in splits.values():
        for pair in pairs:
            assert known.setdefault(pair.source, pair.target) == pair.target


def test_training_covers_the_words(splits, preset):
    """A rare form, such as 여쭤본, may be missing now and then."""
    missing = 1
    for side in ("source", "target"):
        known = set(tokens(splits["train"], side))
        for name in NAMES[1:]:
            new = set(tokens(splits[name], side)) - known
            assert len(new) <= missing, (name, new)


def test_vocabulary_is_moderate(splits, preset):
    limit = {"small": 340, "full": 1300}[preset]
    for side in ("source", "target"):
        assert len(tokens(splits["train"], side)) <= limit


def structure(source):
    """Count the clauses joined by and or but, and the relative clauses."""
    words = source.split()
    verbs = {"and", "but"}
    joined = sum(word in verbs for word in words)
    links = sum(word in ("who", "that") for word in words)
    return joined, links


def test_length_tells_structure_and_positions_apart(splits, preset):
    """New positions are beyond any training sentence; so is a structure."""
    limit = {"small": 16, "full": 24}[preset]
    for name in NAMES[:-1]:
        assert all(len(p.source.split()) <= limit for p in splits[name])
    assert max(len(p.source.split()) for p in splits["train"]) == limit
    cells = defaultdict(Counter)
    for pair in splits["length"]:
        cells[pair.kind][len(pair.source.split()) - limit] += 1
    for structure_ in ("known", "new"):  # matched word by word
        near = cells[f"{structure_} structure, known positions"]
        far = cells[f"{structure_} structure, new positions"]
        assert near == dict.fromkeys(range(-3, 1), 30)
        assert far == dict.fromkeys(range(1, 7), 20)
    most = {"small": 1, "full": 2}[preset]
    for pair in splits["length"]:
        joined, links = structure(pair.source)
        new = joined > most or links > 1
        assert new == pair.kind.startswith("new"), pair


def test_composition_holds_out_pairs_of_frequent_words(splits, words):
    """Held-out adjective and noun never meet in training, before a noun."""
    held_out = {
        (left, right)
        for kind, left, right in words.held_out_pairs
        if kind == "adjective"
    }
    assert len(held_out) >= 15
    nouns = {
        form: entry.english
        for entry in words.nouns
        for form in (entry.english, entry.plural)
    }
    seen = {"train": set(), "composition": set()}
    for name in seen:
        for pair in splits[name]:
            line = pair.source.split()
            for left, right in zip(line, line[1:], strict=False):
                seen[name].add((left, nouns.get(right)))
    assert not seen["train"] & held_out
    assert len(seen["composition"] & held_out) >= 12
    frequent = tokens(splits["train"], "source")
    for left, right in held_out:
        assert frequent[left] >= 20 and frequent[right.split()[0]] >= 5


def test_composition_holds_out_verbs_and_objects(splits, words):
    """the VERB-ed OBJECT: no held-out pair in a plain training sentence."""
    held_out = defaultdict(list)
    for kind, left, right in words.held_out_pairs:
        if kind == "verb" and " " not in left:
            verb = next(v for v in words.verbs if v.english == left)
            for form in {verb.form("past"), left}:
                held_out[form].append(f"{right} ")
    assert held_out
    # "the" before it makes it a noun: sell the cook the carrot
    said = re.compile(r"(?<! the) (?=(\w+) the (.*))")
    for pair in splits["train"]:
        line = f" {pair.source} ".replace(" 's ", "'s ")
        for form, rest in said.findall(line):
            assert not rest.startswith(tuple(held_out.get(form, ()))), line


def test_role_turns_nouns_round(splits, words):
    """An only-subject noun takes 을/를 or 에게 in the role split alone."""
    only = {
        noun.korean: noun.get("only")
        for noun in words.nouns
        if noun.get("only")
    }
    assert set(only.values()) == {"subject", "object"}

    def marks(pairs):
        found = defaultdict(Counter)
        for pair in pairs:
            line = pair.target.split()
            for place, token in enumerate(line):
                after = [*line[place + 1 : place + 7], ""]
                has = HAS & set(after)  # needs and has take 이/가
                if token in only:
                    has = has and only[token] == "object"
                    found[token]["+을" if has else after[0]] += 1
        return found

    train, role = marks(splits["train"]), marks(splits["role"])
    for noun, kind in only.items():
        subject = sum(train[noun][m] for m in ("+은", "+는", "+이", "+가"))
        object_ = sum(train[noun][m] for m in ("+을", "+를"))
        other = sum(
            role[noun][m]
            for m in (("+을", "+를") if kind == "subject" else
                      ("+은", "+는", "+이", "+가"))
        )  # fmt: skip
        assert other > 0, noun
        if kind == "subject":
            assert subject >= 50 and object_ == 0, (noun, train[noun])
        else:
            assert object_ >= 15 and subject == 0, (noun, train[noun])


def test_role_is_no_test_of_a_few_nouns(splits, words, preset):
    nouns = Counter(pair.kind for pair in splits["role"])
    only = {noun.english for noun in words.nouns if noun.get("only")}
    assert set(nouns) <= only
    assert len(nouns) >= {"small": 8, "full": 20}[preset]
    assert max(nouns.values()) <= 100


def test_contrast_pairs_differ_in_one_adjective_and_in_it(splits, words):
    adjectives = {entry.english for entry in words.adjectives}
    contrast = splits["contrast"]
    for first, second in zip(contrast[::2], contrast[1::2], strict=True):
        one, two = first.source.split(), second.source.split()
        assert len(one) == len(two)
        different = [{a, b} for a, b in zip(one, two, strict=True) if a != b]
        assert len(different) == 1 and different[0] <= adjectives
        assert antecedent(first) != antecedent(second)


def test_contrast_triples_are_not_in_training(splits, words):
    """No training because-sentence has verb, subject and object of a pair."""
    held_out = {
        (subject, noun)
        for verb, subject, noun in reasons(words.preset).held_out
        if verb == "cross"
    }
    assert ("animal", "street") in held_out
    for pair in splits["train"]:
        line = pair.source.split()
        if pair.kind == "because-it" and "cross" in line:
            place = line.index("cross")
            start = line.index(",") + 1 if "," in line[:place] else 0
            nouns = (line[start + 1], line[place + 2])
            assert nouns not in held_out, pair


def test_noun_pairs_differ_in_the_object_alone(splits, preset):
    """Verb, adjective and negation are the same, what "it" is is not."""
    found, verbs, objects = Counter(), set(), set()
    noun = splits["noun"]
    for first, second in zip(noun[::2], noun[1::2], strict=True):
        one, two = first.source.split(), second.source.split()
        different = [(a, b) for a, b in zip(one, two, strict=True) if a != b]
        assert len(different) == 1, (first, second)
        assert (role_of_it(first), role_of_it(second)) == ("subject", "object")
        verbs.add((verb_of(first), one[-2]))
        objects |= set(different[0])
        found.update({*different[0], one[1]})
    if preset == "full":
        assert len(verbs) >= 8 and len({verb for verb, _ in verbs}) >= 5
        assert len(objects) >= 12
        assert max(found.values()) <= len(noun) / 2 / 5


def test_training_has_noun_pairs_of_other_nouns_only(splits, preset):
    """Both roles of a verb and an adjective are seen, with other objects."""
    seen = defaultdict(set)
    for pair in splits["train"]:
        line = pair.source.split()
        if pair.kind == "because-it":
            names = {name for name in line if name in line[line.index("it") :]}
            for name in names:
                seen[verb_of(pair), name].add(role_of_it(pair))
    for pair in splits["noun"]:
        line = pair.source.split()
        adjective = line[-2]
        assert seen[verb_of(pair), adjective] == {"subject", "object"}
    known = {}
    for pair in splits["noun"]:
        line = pair.source.split()
        noun = line[line.index("because") - 1]
        known[verb_of(pair), noun, line[-2]] = pair
    for pair in splits["train"]:
        if " because it " in f" {pair.source}":
            line = set(pair.source.split())
            for verb, noun, adjective in known:
                if noun in line and adjective in line:
                    assert verb not in line, pair


def test_no_bag_of_words_solves_same_class_pairs(splits):
    """The same words, ordered otherwise, have another antecedent.

    Whatever a reader who ignores order answers, it is right for at most
    about half of the sentences.
    """
    bags = defaultdict(Counter)
    for pair in splits["contrast"]:
        if pair.kind == "same class":
            bags[tuple(sorted(pair.source.split()))][antecedent(pair)] += 1
    total = sum(sum(answers.values()) for answers in bags.values())
    best = sum(max(answers.values()) for answers in bags.values())
    assert total >= 100
    assert best <= 0.6 * total


def test_the_famous_pair_is_unseen_and_the_trip_is_seen(splits):
    sources = [pair.source for pair in splits["contrast"]]
    assert sources[:4] == [
        "the animal did not cross the street because it was too tired .",
        "the animal did not cross the street because it was too wide .",
        "the animal didn't cross the street because it was too tired .",
        "the animal didn't cross the street because it was too wide .",
    ]
    printed = [join_morphemes(p.target) for p in splits["contrast"][:2]]
    assert printed == [
        "동물은 너무 피곤해서 길을 건너지 않았다.",
        "길이 너무 넓어서 동물은 길을 건너지 못했다.",
    ]
    trip = splits["train"][0]
    assert trip.source == "i am going on a trip tomorrow ."
    assert join_morphemes(trip.target) == "나는 내일 여행을 간다."


def test_training_has_everything_that_makes_it_hard(splits, preset):
    kinds = Counter(pair.kind for pair in splits["train"])
    rich = {"question", "existence", "identity", "because-person", "command"}
    assert kinds["because-it"] / len(splits["train"]) > 0.1
    assert kinds["relative"] / len(splits["train"]) > 0.07
    assert rich <= set(kinds) if preset == "full" else not rich & set(kinds)


def test_every_token_of_every_split_is_glossed(splits):
    for pairs in splits.values():
        for pair in pairs[:5_000]:
            assert len(corpus.gloss(pair.target)) == len(pair.target.split())


def test_fewer_are_the_first(preset, splits):
    some = corpus.toy_splits(preset, n_train=1_000)
    assert some == splits | {"train": splits["train"][:1_000]}


@pytest.mark.whole  # it is frozen below; test_shipped.py draws the small one
def test_determined_by_the_seed():
    kept = corpus.toy_splits("full", n_train=1_000)
    again = corpus._drawn("full", 0)
    again["train"] = corpus._training("full", 0, 1_000)
    for split, rows in again.items():
        assert rows == list(map(corpus._row, kept[split]))


def test_another_seed_is_another_corpus():
    one, other = (corpus.toy_splits("small", seed, 1_000) for seed in (0, 1))
    for name in NAMES:
        assert one[name][1:] != other[name][1:]


def test_the_joiner_is_the_library_s():
    """Each package has its own, so that neither needs the other for it."""
    assert toy_language.JOINER == special_tokens.JOINER
    words = {word for pair in toy_splits("small", n_train=500)["train"]
             for word in f"{pair.source} {pair.target}".split()}  # fmt: skip
    assert not words & set(special_tokens.SPECIAL_TOKENS)


def test_what_one_process_drew_the_next_one_reads(tmp_path, monkeypatch):
    made = {"test": [["a b", "c", [[0, 0], [1, 0]], "kind", []]]}
    calls = []

    def draw(*arguments):
        calls.append(arguments)
        return made

    monkeypatch.delenv("TOY_SPLITS", raising=False)
    assert kept(draw, "small", 0, 1) == made and not any(tmp_path.iterdir())
    monkeypatch.setenv("TOY_SPLITS", str(tmp_path / "new"))
    calls.clear()
    for _ in range(2):
        assert kept(draw, "small", 0, 1) == made
    assert calls == [("small", 0, 1)]
    (file,) = (tmp_path / "new").iterdir()
    for damaged in (b"", file.read_bytes()[:-9], b"no such thing"):
        file.write_bytes(damaged)
        assert kept(draw, "small", 0, 1) == made
    assert len(calls) == 4 and kept(draw, "small", 1, 1) == made
    monkeypatch.setattr("toy_language.kept._language", lambda: "another")
    assert kept(draw, "small", 0, 1) == made and len(calls) == 6


def test_a_corpus_is_read_as_it_was_drawn(tmp_path, monkeypatch):
    monkeypatch.setenv("TOY_SPLITS", str(tmp_path))
    pair = corpus.toy_splits("small", n_train=1)["contrast"][0]
    row = corpus._row(pair)
    both = [corpus.kept(lambda: [row]) for _ in range(2)]
    assert both[0] == [row] != both[1]  # lists, by now
    assert [corpus._read(made[0]) for made in both] == [pair, pair]
    assert repr(corpus._read(both[1][0])) == repr(pair)


def test_a_short_training_set_still_covers_the_other_splits():
    """3,000 pairs of small know nearly every word of its test sentences."""
    splits = corpus.toy_splits("small", n_train=3_000)
    for side in ("source", "target"):
        known = set(tokens(splits["train"], side))
        strange = set(tokens(splits["test"], side)) - known
        assert len(strange) <= 5, strange


def test_hundreds_of_sentences_a_second(monkeypatch):
    """They are those that are shipped: the first of a larger training set."""
    made = corpus.toy_splits("small", n_train=1_000)
    others = {name: made[name] for name in NAMES[1:]}
    monkeypatch.setattr(corpus, "_held_out", lambda *_: others)
    start = time.process_time()
    rows = corpus._training("small", 0, 1_000)
    assert time.process_time() - start < 5
    assert rows == list(map(corpus._row, made["train"]))


def test_the_language_is_frozen(splits, preset):
    """Whoever changes a sentence makes a new version (toy_language/README.md).

    All that the book measures was measured on these sentences.
    """
    digest = hashlib.sha256()
    for name, pairs in splits.items():
        for pair in pairs:
            digest.update(repr((name, *corpus._row(pair))).encode())
    assert digest.hexdigest() == FROZEN[preset]


def test_callers_cannot_change_the_cached_corpus():
    first = corpus.toy_splits("small", n_train=5)
    for pairs in first.values():
        pairs.clear()
    again = corpus.toy_splits("small", n_train=5)
    assert len(again["train"]) == 5 and all(again.values())


def test_errors():
    with pytest.raises(ValueError, match="'small' or 'full'"):
        toy_splits("medium")
    with pytest.raises(ValueError, match="n_train=0"):
        toy_splits("small", n_train=0)


def test_join_morphemes():
    text = "고양이 +는 강 +을 건너 +지 않 +았 +다 +."
    assert join_morphemes(text) == "고양이는 강을 건너지 않았다."
    assert join_morphemes("") == ""


def test_joining_loses_nothing(splits):
    """The printed sentence has one space for each token without a +."""
    for pair in splits["test"]:
        printed = join_morphemes(pair.target)
        line = pair.target.split()
        assert printed.count(" ") == sum(t[0] != "+" for t in line) - 1
        letters = "".join(token.lstrip("+") for token in line)
        assert printed.replace(" ", "") == letters


def test_romanize_takes_tokens_and_print():
    assert romanize("먹 +는 +다 +.") == romanize("먹는다.") == "meongneunda."


def test_every_word_of_the_lexicon_occurs(splits, words):
    """Each noun, verb, adjective, ... of the preset is in the corpus."""
    said = {w for pair in splits["train"] for w in pair.source.split()}
    said |= {w for pair in splits["role"] for w in pair.source.split()}
    for entries in words.by_class.values():
        for entry in entries:
            first = entry.english.split()[0]
            forms = {entry.form(f) for f in ("base", "past", "third", "ing")}
            plural = entry.plural.split()[-1]
            assert said & {first, plural, *forms}, entry


def test_gloss_by_hand():
    assert gloss("산 +은 높 +다 +.") == [
        ("산", "san", "mountain"), ("+은", "eun", "TOP"),
        ("높", "nop", "high"), ("+다", "da", "DECL"), ("+.", ".", "."),
    ]  # fmt: skip

    def labels(target):
        return " ".join(english for _, _, english in gloss(target))

    assert labels("내 +가 산 책 +이 있 +었 +다 +.") == (
        "I NOM buy.PST.ADN book NOM exist PST DECL ."
    )
    assert labels("민수 +는 서울 +에 산 +다 +.") == (
        "Minsu TOP Seoul LOC live.PRS DECL ."
    )
    assert labels("나 +는 개 두 마리 +와 사과 두 개 +를 봤 +다 +.") == (
        "I TOP dog two CLF COM apple two CLF ACC see.PST DECL ."
    )
    assert labels("시 +를 열 시 +에 읽 +을 것 +이 +다 +.") == (
        "poem ACC ten o'clock LOC read FUT thing COP DECL ."
    )
    assert labels("길 +이 너무 길 +어서 자 +고 있 +지 않 +았 +다 +.") == (
        "street NOM too long because sleep PROG be CVB NEG PST DECL ."
    )
    assert labels("다음 주 +에 주 +지 못 +할 것 +입 +니다 +.") == (
        "next week LOC give CVB unable do.FUT thing COP DECL.FORM ."
    )


def test_gloss_of_a_foreign_token_is_refused():
    with pytest.raises(ValueError, match="'로봇'"):
        gloss("로봇 +는 크 +다 +.")


def test_unclear_tokens_are_named_and_the_others_keep_their_gloss():
    wanted = gloss("그 +는 정말 바쁩 +니다 +.")
    # the stem of another form: the grammar never puts the two together
    found = gloss("그 +는 정말 바쁘 +습니다 +.", unclear="?")
    assert [m for _, _, m in found] == ["he", "TOP", "really", "?",
                                        "DECL.FORM", "."]  # fmt: skip
    assert found[:3] == wanted[:3]
    assert gloss("로봇", unclear="-")[0][2] == "-"
    assert gloss("그 +는 정말 바쁩 +니다 +.", unclear="?") == wanted


def test_pairs_are_plain_values():
    pair = SentencePair("a", "b", ((0, 0),), "x")
    assert pair == SentencePair("a", "b", ((0, 0),), "x")
    with pytest.raises(AttributeError):
        pair.source = "c"
