"""Questions about where, who, what and how somebody or something is.

Each function takes a `Scene` and an ending, and returns a `Phrase`. The
question word stays where the answer would stand. Chapter 15 uses them.
"""

from transformer_lib.toy.grammar.adjuncts import position
from transformer_lib.toy.grammar.being import describe, identify, locate
from transformer_lib.toy.grammar.chance import DeadEnd
from transformer_lib.toy.grammar.clauses import clause
from transformer_lib.toy.grammar.lexicon import Entry, brought
from transformer_lib.toy.grammar.noun_phrases import (
    counter,
    noun_phrase,
    specific,
)
from transformer_lib.toy.grammar.objects import COUNTED_KIN
from transformer_lib.toy.grammar.phrases import (
    END_MARK,
    Loose,
    NounPhrase,
    Phrase,
    Token,
    Word,
    pointing,
    with_particle,
    words,
)
from transformer_lib.toy.grammar.places import thing_place
from transformer_lib.toy.grammar.scene import Scene
from transformer_lib.toy.grammar.sentences import action
from transformer_lib.toy.grammar.tenses import choose_tense, held_at_any_time
from transformer_lib.toy.grammar.verbs import Verb, be
from transformer_lib.toy.tables import group

__all__ = [
    "LIKE_WHAT",
    "asked_for",
    "front",
    "how",
    "verb_of",
    "wh_clause",
    "where",
    "where_from",
    "who_or_what_is",
    "who_or_what_is_there",
]

(LIKE_WHAT,) = brought("how")


def asked_for(english: str, korean: str) -> NounPhrase:
    """Build who or what; in English it goes to the front."""
    word = Word(english)
    return NounPhrase([], [(korean, (word,))], (word,))


def verb_of(scene: Scene, entry: Entry) -> Verb:
    """Choose the tense of a question about this verb."""
    verb = Verb(entry)
    choose_tense(scene, verb, simple=scene.chance(0.7))
    verb.negative, verb.time = "", []
    return verb


def wh_clause(
    scene: Scene, subject: NounPhrase, verb: Verb, ending: str
) -> Phrase:
    """Ask what, where, when of a subject: 은/는 as in a statement."""
    if subject.person == 1 and verb.mood == "want":
        raise DeadEnd
    mark = "이" if subject.person == 1 else subject.mark  # 내가 몇 권 봤니?
    return clause(subject, verb, ending, scene.tail, mark, question=True)


def front(asked: NounPhrase, phrase: Phrase) -> Phrase:
    """Put the English question word first."""
    phrase.english[:0] = asked.head
    return phrase


def where(scene: Scene, ending: str) -> Phrase:
    """Where is the dog? Where did he go? Where do you live?"""
    where = Word("where")
    asked = NounPhrase([], [("어디", (where,))], (where,), adverb=True)
    draw = scene.rng.random()
    if draw < 0.5:
        if scene.chance(0.5):
            subject = scene.definite(["thing", "fits"])
        else:
            subject = scene.definite(["person", "animal"])
        tense = "present" if scene.chance(0.7) else "past"
        place = Phrase([where], [("어디", (where,)), ("+에", (Loose(where),))])
        made = locate(subject, place, tense, ending, scene.tail, subject.mark,
                      question=True)  # fmt: skip
        made.english.remove(where)
    elif draw < 0.8:
        entry = scene.choose(scene.words.frames["going"])
        if entry.english not in ("go to", "live in", "stay at"):
            raise DeadEnd
        verb = verb_of(scene, entry)
        subject = scene.somebody(entry.features["subject"], True, known=True)
        if subject.generic and not held_at_any_time(verb):
            raise DeadEnd
        verb.object = asked
        made = wh_clause(scene, subject, verb, ending)
    else:
        made = _doing_where(scene, ending, where)
    made.english.insert(0, where)
    return made


def where_from(scene: Scene, ending: str) -> Phrase:
    """Where are you from? -> 너는 어디에서 왔니?"""
    where, preposition = words("where from")
    come = next(one for one in scene.words.verbs if one.english == "come from")
    subject = scene.definite(["person"])
    verb = Verb(come, object=asked_for("where", "어디"))
    made = wh_clause(scene, subject, verb, ending)
    is_, kept = Word(be(subject, "present")), (*scene.tail, END_MARK)
    korean: list[Token] = [
        (token, [Loose(is_), *(one for one in links if one in kept)])
        for token, links in made.korean[made.topic :]
    ]
    korean[:2] = [("어디", (where,)), ("+에서", (preposition,))]
    made.korean[made.topic :] = korean
    made.english = [where, is_, *subject.english, preposition]
    return made


def _doing_where(scene: Scene, ending: str, where: Word) -> Phrase:
    """(Where) did the dog sleep? -> 개가 어디에서 잤니?"""
    frame = scene.rng.choice(("transitive", "intransitive"))
    subject, verb = action(scene, frame, plain=True)
    if not verb.entry.get("where"):
        raise DeadEnd
    verb.negative, verb.time, verb.manner, verb.often = "", [], [], None
    korean: list[Token] = [("어디", (where,)), ("+에서", (Loose(where),))]
    verb.place = [Phrase([], korean)]
    return wh_clause(scene, subject, verb, ending)


def who_or_what_is_there(scene: Scene, ending: str) -> Phrase:
    """What is in the box? Who is in the room? -> 방에 누가 있니?"""
    person = scene.chance(0.4)
    word = Word("who" if person else "what")
    asked = NounPhrase(
        [word], [("누구" if person else "무엇", (word,))], (word,)
    )
    asked.mark = "이"
    if person:
        noun = scene.pick(["scene", "building"], "other")
        place = position(noun.get("at", "in"), noun_phrase(noun), "에")
    else:
        place = thing_place(scene, scene.pick(["fits"], "other"))
    tense = "present" if scene.chance(0.7) else "past"
    made = locate(asked, place, tense, ending, scene.tail)
    made.korean = made.korean[made.topic :]
    here = len(place.korean)
    made.korean[here:here] = with_particle(asked, "이")
    return made


def who_or_what_is(scene: Scene, ending: str) -> Phrase:
    """Who is she? What is this? What is your name?"""
    draw = scene.rng.random()
    asked = asked_for("what", "무엇")
    if draw < 0.1:
        asked = asked_for("who", "누구")
        man = scene.pick(["adult", "boy", "girl", "child"], "subject")
        subject = noun_phrase(man, scene.rng.choice(("this", "that")))
        if man.word_class == "name":
            raise DeadEnd
    elif draw < 0.2:
        asked = asked_for("when", "언제")
        name = scene.rng.choice(group("dated"))
        event = next(one for one in scene.words.nouns if one.english == name)
        determiner = scene.possessive() if name == "birthday" else "the"
        subject = noun_phrase(event, determiner, humble=scene.humble)
    elif draw < 0.45:
        asked = asked_for("who", "누구")
        subject = specific(scene.definite(["person"]))
        if subject.english[0].text in ("my", "our", "i", "we"):
            raise DeadEnd
    elif draw < 0.75:
        subject = pointing(scene.rng.choice(("this", "that", "these", "those")))
    else:
        said = next(one for one in scene.words.nouns if one.english == "name")
        whose = scene.possessive()
        subject = noun_phrase(said, whose, humble=scene.humble)
        if scene.chance(0.4):
            kinds = ["kin", "friend", "pet", "teacher"]
            owner = scene.owned(scene.pick(kinds, "other"))
            subject = noun_phrase(said, "", owner=owner)
    asked.english = list(asked.head)
    made = identify(subject, asked, "present", ending, scene.tail, "은")
    *english, is_, word = made.english
    made.english = [word, is_, *english]
    return made


def how(scene: Scene, ending: str) -> Phrase:
    """How is the weather? How big is the house? How many dogs ...?"""
    draw = scene.rng.random()
    if draw < 0.15:
        return _how_old(scene, ending)
    if draw < 0.3:
        return _how_done(scene, ending)
    if draw < 0.5:
        noun = scene.pick(["weather", "movie", "food", "kin", "school"],
                          "subject")  # fmt: skip
        subject = noun_phrase(noun)
        if "kin" in noun.kinds:
            subject = noun_phrase(noun, scene.possessive(), humble=scene.humble)
        tense = scene.rng.choice(("present", "past"))
        made = describe(
            subject, LIKE_WHAT, tense, ending, scene.tail, "은",
            question=True,
        )  # fmt: skip
        how = next(word for word in made.english if word.text == "how")
        made.english.remove(how)
        made.english.insert(0, how)
        return made
    if draw < 0.7:
        return _how_big(scene, ending)
    return _how_many(scene, ending)


def _how_old(scene: Scene, ending: str) -> Phrase:
    """How old are you? -> 너는 몇 살이니?"""
    how, old = words("how old")
    subject = specific(scene.definite(["person", "pet"]))
    age = NounPhrase([how, old], [("몇", (how,)), ("살", (old,))], (old,))
    made = identify(subject, age, "present", ending, scene.tail, "은")
    *english, is_, _, _ = made.english
    made.english = [how, old, is_, *english]
    return made


def _how_done(scene: Scene, ending: str) -> Phrase:
    """How did he come? How do you go to the school?"""
    frame = scene.rng.choice(("intransitive", "going", "transitive"))
    subject, verb = action(scene, frame, plain=True, simple=True)
    if verb.entry.english not in group("how") or subject.generic:
        raise DeadEnd
    verb.negative, verb.time = "", []
    how = Word("how")
    verb.degree = Phrase([], [("어떻게", (how,))])
    made = wh_clause(scene, subject, verb, ending)
    made.english.insert(0, how)
    return made


def _how_big(scene: Scene, ending: str) -> Phrase:
    """How deep is the river? -> 강이 얼마나 깊니?"""
    noun = scene.pick(["thing", "place", "animal", "vehicle"], "subject")
    adjective = scene.adjective(noun)
    if adjective.english == "old" and "animal" in noun.kinds:
        raise DeadEnd
    if adjective.english not in group("measured"):
        raise DeadEnd
    subject = scene.phrase(noun, plain=True, known=True)
    made = describe(
        subject, adjective, "present", ending, scene.tail, question=True
    )
    main = made.english.pop()
    how = Word("how")
    made.english[:0] = [how, main]
    made.korean.insert(made.topic, ("얼마나", (how,)))
    return made


def _how_many(scene: Scene, ending: str) -> Phrase:
    """How many dogs do you have? -> 너는 개가 몇 마리 있니?"""
    have = next(verb for verb in scene.words.verbs if verb.english == "have")
    see = next(verb for verb in scene.words.verbs if verb.english == "see")
    buy = next(verb for verb in scene.words.verbs if verb.english == "buy")
    entry = scene.choose([have, see, buy])
    verb = Verb(entry, "present" if entry is have else "past")
    subject = scene.somebody(["person"], plain=True, known=True)
    noun = scene.pick(entry.features["object"], "object")
    if "kin" in noun.kinds and noun.english not in COUNTED_KIN:
        raise DeadEnd
    if not (scene.counted(noun) or "kin" in noun.kinds):
        raise DeadEnd
    if noun is subject.noun:
        raise DeadEnd
    scene.pairs.add(("verb", entry.english, noun.english))
    many, head = words("how many"), words(noun.plural)
    counted: list[Token] = [("몇", many), (counter(noun), many)]
    korean: list[Token] = [(token, head) for token in noun.korean.split()]
    verb.object = NounPhrase([], korean, tuple(head), noun)
    made = wh_clause(scene, subject, verb, ending)
    # 개가 몇 마리: the counter follows the particle.
    at = made.topic + len(korean) + 1
    made.korean[at:at] = counted
    made.english[:0] = [*many, *head]
    return made
