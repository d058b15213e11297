"""The synchronous grammar: expected sentences, laws over many, the rule."""

from collections import Counter, defaultdict
from random import Random

import pytest

from transformer_lib.corpus import join_morphemes
from transformer_lib.grammar import KINDS, Grammar
from transformer_lib.grammar.because import RULE, antecedent
from transformer_lib.grammar.clauses import (
    clause,
    exists,
    identify,
    with_relative,
)
from transformer_lib.grammar.combinations import explain
from transformer_lib.grammar.lexicon import load_lexicon
from transformer_lib.grammar.phrases import (
    Word,
    both,
    noun_phrase,
    pronoun,
    with_particle,
)
from transformer_lib.grammar.selection import selection
from transformer_lib.grammar.verbs import Verb

PRESETS = ("small", "full")
MANY = 100_000


def entry(english, word_class=None):
    """Find a lexicon entry."""
    return next(
        e
        for e in load_lexicon()
        if e.english == english and word_class in (None, e.word_class)
    )


def printed(korean):
    """Print (token, links) pairs."""
    return join_morphemes(" ".join(token for token, _ in korean))


@pytest.fixture(scope="module", params=PRESETS)
def drawn(request, plain):
    """Many sentences of one preset, drawn without the shape checks."""
    grammar = plain("grammar").Grammar(request.param)
    rng = Random("grammar tests")
    return [grammar.sentence(rng) for _ in range(MANY)]


# ------------------------------------------------ one construction at a time

# verb, options of Verb, the words after the subject, the Korean predicate
PREDICATES = [
    ("cross", {}, "crossed", "건넜다"),
    ("cross", {"negative": "not"}, "did not cross", "건너지 않았다"),
    ("cross", {"negative": "n't"}, "didn't cross", "건너지 않았다"),
    ("cross", {"negative": "not", "able": False}, "could not cross",
     "건너지 못했다"),
    ("catch", {"negative": "not"}, "did not catch", "잡지 못했다"),
    ("eat", {"tense": "future"}, "will eat", "먹을 것이다"),
    ("go to", {"tense": "future", "negative": "not"}, "will not go to",
     "가지 않을 것이다"),
    ("eat", {"tense": "present"}, "eats", "먹는다"),
    ("go to", {"tense": "present"}, "goes to", "간다"),
    ("live in", {"tense": "present"}, "lives in", "산다"),
    ("study", {"tense": "present"}, "studies", "공부한다"),
    ("like", {"tense": "present", "negative": "not"}, "does not like",
     "좋아하지 않는다"),
    ("sleep", {"tense": "present", "progressive": True}, "is sleeping",
     "자고 있다"),
    ("sleep", {"progressive": True}, "was sleeping", "자고 있었다"),
    ("hear", {}, "heard", "들었다"),
    ("hear", {"tense": "future"}, "will hear", "들을 것이다"),
    ("help", {}, "helped", "도와줬다"),
    ("build", {}, "built", "지었다"),
    ("make", {"tense": "future"}, "will make", "만들 것이다"),
    ("go on a trip", {}, "went on a trip", "여행을 갔다"),
    ("go on a trip", {"tense": "present", "progressive": True,
                      "planned": True}, "is going on a trip", "여행을 간다"),
]  # fmt: skip


@pytest.mark.parametrize("verb, options, english, korean", PREDICATES)
def test_predicates(verb, options, english, korean):
    made = clause(
        noun_phrase(entry("dog")), Verb(entry(verb), **options), "plain"
    )
    assert " ".join(word.text for word in made.english) == "the dog " + english
    assert printed(made.korean) == "개는 " + korean


# ending, tense, verb, Korean
ENDINGS = [
    ("formal", "past", "eat", "먹었습니다"),
    ("formal", "present", "eat", "먹습니다"),
    ("formal", "present", "go to", "갑니다"),
    ("formal", "present", "live in", "삽니다"),
    ("formal", "future", "go to", "갈 것입니다"),
    ("friendly", "past", "go to", "갔어요"),
    ("friendly", "present", "go to", "가요"),
    ("friendly", "present", "eat", "먹어요"),
    ("friendly", "present", "study", "공부해요"),
    ("friendly", "future", "eat", "먹을 거예요"),
    ("and", "past", "read", "읽었고"),
    ("and", "future", "read", "읽을 것이고"),
    ("but", "past", "read", "읽었지만"),
    ("ask-plain", "past", "read", "읽었니"),
    ("ask-plain", "present", "live in", "사니"),
    ("ask-plain", "future", "read", "읽을 거니"),
    ("ask-formal", "past", "read", "읽었습니까"),
    ("ask-formal", "present", "go to", "갑니까"),
    ("ask-friendly", "future", "read", "읽을 거예요"),
    ("adnominal", "past", "read", "읽은"),
    ("adnominal", "past", "chase", "쫓은"),
    ("adnominal", "past", "make", "만든"),
    ("adnominal", "past", "hear", "들은"),
    ("adnominal", "present", "like", "좋아하는"),
    ("adnominal", "present", "live in", "사는"),
]


@pytest.mark.parametrize("ending, tense, verb, korean", ENDINGS)
def test_endings(ending, tense, verb, korean):
    made = clause(noun_phrase(entry("dog")), Verb(entry(verb), tense), ending)
    assert printed(made.korean) == "개는 " + korean


def test_noun_phrases():
    dog, book, red = entry("dog"), entry("book"), entry("red")

    def korean(*arguments, name="을", **options):
        return printed(with_particle(noun_phrase(*arguments, **options), name))

    assert korean(dog) == "개를"
    assert korean(dog, "", (), 2) == "개 두 마리를"
    assert korean(book, "", (red,), 3) == "빨간 책 세 권을"
    assert korean(entry("boy"), "", (), 4, name="이") == "소년 네 명이"
    assert korean(dog, plural=True, name="은") == "개들은"
    assert korean(dog, "my") == "내 개를"
    assert korean(dog, "my", humble=True) == "제 개를"
    assert korean(dog, owner=noun_phrase(entry("king"))) == "왕의 개를"
    assert printed(with_particle(pronoun("i", False), "이")) == "내가"
    assert printed(with_particle(pronoun("i", True), "은")) == "저는"
    pair = both(noun_phrase(entry("bear")), noun_phrase(dog))
    assert printed(with_particle(pair, "이")) == "곰과 개가"


def test_articles_and_news():
    apple = noun_phrase(entry("apple"), "a")
    assert [word.text for word in apple.english] == ["an", "apple"]
    slept = Verb(entry("sleep"))
    old = clause(noun_phrase(entry("dog")), slept, "plain")
    new = clause(noun_phrase(entry("dog"), "a"), slept, "plain")
    assert (printed(old.korean), printed(new.korean)) == (
        "개는 잤다",
        "개가 잤다",
    )


def test_to_be():
    student, doctor = entry("student"), entry("doctor")
    minsu = noun_phrase(entry("minsu"), "")

    def be(noun, tense, ending):
        made = identify(minsu, noun_phrase(noun, "a"), tense, ending)
        return printed(made.korean).removeprefix("민수는 ")

    assert be(student, "present", "plain") == "학생이다"
    assert be(student, "past", "plain") == "학생이었다"
    assert be(doctor, "past", "plain") == "의사였다"
    assert be(student, "present", "formal") == "학생입니다"
    assert be(student, "present", "friendly") == "학생이에요"
    assert be(doctor, "present", "friendly") == "의사예요"
    cats = noun_phrase(entry("cat"), "", number=2)
    there = exists(cats, entry("park"), "present", "plain")
    assert printed(there.korean) == "공원에 고양이 두 마리가 있다"
    assert [w.text for w in there.english][:2] == ["there", "are"]


# ------------------------------------------------------------ whole sentences

# verb, happened, subject, object, role of "it", adjective, source, target
BECAUSE = [
    ("cross", False, "animal", "street", "subject", "tired",
     "the animal did not cross the street because it was too tired .",
     "동물이 너무 피곤해서 그 동물은 길을 건너지 않았다."),
    ("cross", False, "animal", "street", "object", "wide",
     "the animal did not cross the street because it was too wide .",
     "길이 너무 넓어서 동물은 그 길을 건너지 않았다."),
    ("cross", False, "cat", "river", "object", "deep",
     "the cat did not cross the river because it was too deep .",
     "강이 너무 깊어서 고양이는 그 강을 건너지 않았다."),
    ("chase", False, "dog", "wolf", "object", "fast",
     "the dog did not chase the wolf because it was too fast .",
     "늑대가 너무 빨라서 개는 그 늑대를 쫓지 않았다."),
    ("chase", False, "dog", "wolf", "subject", "slow",
     "the dog did not chase the wolf because it was too slow .",
     "개가 너무 느려서 그 개는 늑대를 쫓지 않았다."),
    ("fit in", False, "box", "bag", "subject", "big",
     "the box did not fit in the bag because it was too big .",
     "상자가 너무 커서 그 상자는 가방에 들어가지 않았다."),
    ("read", False, "minsu", "book", "object", "difficult",
     "minsu did not read the book because it was too difficult .",
     "책이 너무 어려워서 민수는 그 책을 읽지 않았다."),
]  # fmt: skip


@pytest.mark.parametrize("row", BECAUSE, ids=lambda row: row[6][:40])
def test_because_sentences(row):
    verb, happened, subject, noun, role, adjective, source, target = row
    sentence = Grammar("full").build(
        lambda scene: explain(
            scene, entry(verb), happened, entry(subject), entry(noun), role,
            entry(adjective), negative="not",
        ),
        Random(1), "because-it", (),
    )  # fmt: skip
    assert " ".join(sentence.source) == source
    assert join_morphemes(" ".join(sentence.target)) == target
    it = sentence.source.index("it")
    named = {sentence.target[j] for i, j in sentence.alignment if i == it}
    assert target.split()[0].startswith(tuple(named))


def test_relative_clauses():
    dog, cat = noun_phrase(entry("dog")), noun_phrase(entry("cat"))
    chased = Verb(entry("chase"), object=cat)
    made = with_relative(dog, dog, chased, "subject")
    assert [w.text for w in made.english][2:] == [
        "that", "chased", "the", "cat",
    ]  # fmt: skip
    assert printed(made.korean) == "고양이를 쫓은 개"
    made = with_relative(cat, dog, Verb(entry("chase")), "object")
    assert [w.text for w in made.english][2:] == [
        "that", "the", "dog", "chased",
    ]  # fmt: skip
    assert printed(made.korean) == "개가 쫓은 고양이"
    boy = noun_phrase(entry("boy"))
    made = with_relative(boy, boy, Verb(entry("sleep")), "subject")
    assert [w.text for w in made.english] == ["the", "boy", "who", "slept"]


def test_order_of_giving():
    girl, book = noun_phrase(entry("girl")), noun_phrase(entry("book"), "a")
    verb = Verb(entry("give"), object=book, recipient=girl)
    said = []
    for verb.recipient_first in (True, False):
        made = clause(noun_phrase(entry("boy")), verb, "plain")
        said.append(" ".join(word.text for word in made.english))
        assert printed(made.korean) == "소년은 소녀에게 책을 줬다"
    assert said == [
        "the boy gave the girl a book",
        "the boy gave a book to the girl",
    ]


def test_questions_put_the_auxiliary_first():
    verb = Verb(entry("read"), object=noun_phrase(entry("book")))
    boy = noun_phrase(entry("boy"))
    made = clause(boy, verb, "ask-plain", mark="이", question=True)
    assert " ".join(w.text for w in made.english) == "did the boy read the book"
    assert printed(made.korean) == "소년이 책을 읽었니"


# ---------------------------------------------------------- laws over many


def test_english_is_unambiguous(drawn):
    """Two derivations of one English sentence give one Korean sentence."""
    translation = {}
    for sentence in drawn:
        known = translation.setdefault(sentence.source, sentence.target)
        assert known == sentence.target, " ".join(sentence.source)


# What Korean does not say: articles, the to of giving, the auxiliary of a
# question, a comma, was in a because-clause (which has no tense).
UNSAID = {"the", "a", "an", "to", ",", "with", "for", "on", "in", "did",
          "does", "do", "is", "was", "am", "are", "were"}  # fmt: skip


def test_alignments_are_sound(drawn):
    for sentence in drawn:
        sources = {i for i, _ in sentence.alignment}
        targets = {j for _, j in sentence.alignment}
        assert targets == set(range(len(sentence.target)))
        assert max(sources) < len(sentence.source)
        unsaid = {
            sentence.source[i]
            for i in set(range(len(sentence.source))) - sources
        }
        assert unsaid <= UNSAID, unsaid


def test_alignments_pair_words_that_translate_each_other(drawn):
    """A noun is only ever aligned with its own translation."""
    nouns = {
        e.english: e.korean for e in load_lexicon() if "noun" in e.word_class
    }
    for sentence in drawn[:20_000]:
        for i, j in sentence.alignment:
            korean = nouns.get(sentence.source[i])
            token = sentence.target[j]
            if (
                korean
                and not token.startswith("+")
                and sentence.source[i] not in ("fish", "call", "cook")
            ):
                assert token == korean, (sentence.source[i], token)


CLOSED = {"+은": True, "+는": False, "+을": True, "+를": False,
          "+과": True, "+와": False, "+이": True, "+가": False}  # fmt: skip


def test_particles_fit_in_every_sentence(drawn, plain):
    """No 은/을/과/이 after a vowel, no 는/를/와/가 after a consonant."""
    final = plain("korean").final_consonant
    gloss_tokens = plain("grammar.glosses").gloss_tokens
    for sentence in drawn:
        target = sentence.target
        rows = zip(target, target[1:], gloss_tokens(target)[1:], strict=False)
        for before, token, label in rows:
            if label in ("TOP", "ACC", "COM", "NOM"):
                assert bool(final(before)) == CLOSED[token], (before, token)
            elif label == "INS":
                assert (final(before) in ("", "ㄹ")) == (token == "+로")


def test_every_token_has_a_gloss(drawn, plain):
    gloss_tokens = plain("grammar.glosses").gloss_tokens
    for sentence in drawn:
        glosses = gloss_tokens(sentence.target)
        assert len(glosses) == len(sentence.target)
        assert all(glosses)


def test_adjectives_that_stand_before_a_noun_never_follow_be(drawn):
    before = {e.english for e in load_lexicon() if e.get("use") == "before"}
    be = {"is", "was", "are", "were", "am", "not", "very", "too"}
    for sentence in drawn:
        line = sentence.source
        for left, right in zip(line, line[1:], strict=False):
            assert not (left in be and right in before), line


def test_every_kind_occurs(drawn):
    counts = Counter(sentence.kind for sentence in drawn)
    rich = "question" in counts
    assert set(counts) == {k for k in KINDS if KINDS[k][2 if rich else 1]}


def test_same_seed_same_sentences():
    def draw():
        rng, grammar = Random("x"), Grammar("full")
        return [grammar.sentence(rng) for _ in range(200)]

    assert draw() == draw()


def test_nouns_keep_their_role_in_training(drawn):
    """only=subject and only=object hold, in relative clauses too."""
    only = {e.english: e.get("only") for e in load_lexicon() if e.get("only")}
    objects = defaultdict(set)
    for sentence in drawn:
        for kind, _, noun in sentence.pairs:
            if kind == "verb":
                objects[noun].add(kind)
        if sentence.triple:
            assert not set(sentence.triple[1:]) & set(only)
    assert not {n for n in objects if only.get(n) == "subject"}


# ----------------------------------------------------------- the rule for it


def test_rule_by_hand():
    words = {e.english: e for e in load_lexicon()}

    def it(verb, affirmative, subject, object_, adjective):
        role = antecedent(
            words[verb], affirmative, words[subject], words[object_],
            words[adjective],
        )  # fmt: skip
        return subject if role == "subject" else object_

    assert it("chase", False, "dog", "wolf", "fast") == "wolf"
    assert it("chase", False, "dog", "wolf", "slow") == "dog"
    assert it("chase", False, "wolf", "dog", "slow") == "wolf"
    assert it("cross", False, "animal", "street", "tired") == "animal"
    assert it("cross", False, "animal", "street", "wide") == "street"
    assert it("catch", True, "dog", "rabbit", "fast") == "dog"
    assert it("catch", True, "dog", "rabbit", "slow") == "rabbit"
    assert it("fit in", False, "box", "bag", "big") == "box"
    assert it("fit in", False, "box", "bag", "small") == "bag"
    assert it("fit in", True, "box", "bag", "small") == "box"
    assert it("stop", True, "river", "bear", "deep") == "river"
    assert it("stop", True, "river", "bear", "tired") == "bear"
    assert it("escape from", True, "rabbit", "fox", "fast") == "rabbit"
    assert it("escape from", True, "rabbit", "fox", "slow") == "fox"
    with pytest.raises(ValueError, match="neither"):
        it("cross", False, "animal", "street", "red")


def test_rule_never_allows_both_nouns():
    for subject, object_ in RULE.values():
        assert not set(subject.split()) & set(object_.split())


def test_rule_names_the_noun_that_korean_names(drawn):
    """The first noun of the Korean sentence is the antecedent of the rule."""
    words = defaultdict(list)
    for e in load_lexicon():
        words[e.english].append(e)
    for sentence in drawn:
        if sentence.kind != "because-it":
            continue
        verb, subject, noun = (words[name][0] for name in sentence.triple)
        start = sentence.source.index("because")
        negated = {"not"} & set(sentence.source[:start]) or any(
            word.endswith("n't") for word in sentence.source[:start]
        )
        adjective = next(
            e
            for word in sentence.source[start:]
            for e in words[word]
            if e.word_class == "adjective"
        )
        role = antecedent(verb, not negated, subject, noun, adjective)
        named = subject if role == "subject" else noun
        index = sentence.source.index("it")
        tokens = [
            sentence.target[j] for i, j in sentence.alignment if i == index
        ]
        assert tokens[0] == named.korean


def test_no_word_decides_it_alone():
    """In full, adjective, verb and polarity each leave the role open."""
    words = selection("full")
    roles = defaultdict(set)
    for verb, subject, noun, affirmative in words.because_triples():
        for role, named in (("subject", subject), ("object", noun)):
            for adjective in words.reasons(verb, affirmative, role, named):
                roles[adjective.english].add(role)
                roles[verb.english].add(role)
                roles[affirmative].add(role)
    for word in ("fast", "slow", "strong", "weak", "big", "small", "deep",
                 "chase", "cross", True, False):  # fmt: skip
        assert roles[word] == {"subject", "object"}, word


# ---------------------------------------------------------------- other laws


def test_unknown_preset_is_refused():
    with pytest.raises(ValueError, match="'small' or 'full'"):
        Grammar("tiny")


def test_words_are_told_apart_by_identity():
    assert Word("the") != Word("the")
