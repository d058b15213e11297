"""Sentences that say who somebody is, or what something is.

Each function takes a `Scene` and returns a `Phrase`. Chapter 15 uses them.
"""

from toy_language.grammar.being import identify
from toy_language.grammar.chance import DeadEnd
from toy_language.grammar.clauses import clause
from toy_language.grammar.function_words import NUMBERS
from toy_language.grammar.lexicon import brought
from toy_language.grammar.named import word_named
from toy_language.grammar.noun_phrases import noun_phrase
from toy_language.grammar.phrases import (
    NounPhrase,
    Phrase,
    Token,
    Word,
    pointing,
    pronoun,
    words,
)
from toy_language.grammar.scene import Scene
from toy_language.grammar.verbs import Verb, be
from toy_language.tables import group

__all__ = ["becoming", "identity", "say_identity"]

(_TURN_INTO,) = brought("become")


def identity(scene: Scene) -> Phrase:
    """Minsu is a kind doctor. -> 민수는 친절한 의사다."""
    if scene.chance(0.15):
        subject = scene.definite(["young", "student", "kin"])
        if scene.chance(0.5):
            subject = scene.pronoun()
        return becoming(scene, subject)
    if scene.chance(0.06):
        return _from(scene)
    return say_identity(scene, scene.style)


def say_identity(scene: Scene, ending: str, question: bool = False) -> Phrase:
    """Say or ask who somebody is, or what this is."""
    draw = scene.rng.random()
    if draw < 0.09:
        subject, noun = _day_named(scene)
    elif draw < 0.3:
        subject, noun = _thing_named(scene)
    elif draw < 0.4:
        subject, noun = _friend_named(scene)
    elif draw < 0.46:
        subject, noun = _name_told(scene)
        if question:
            raise DeadEnd
    else:
        subject, noun = _job_named(scene)
    negative = "not" if scene.chance(0.15) and not question else ""
    tense = "past" if scene.chance(0.2) else "present"
    told = subject.noun is not None and subject.noun.english == "name"
    dated = noun.english[0].text == "on"
    if told or dated or (subject.noun is None and not subject.pronoun):
        tense = "present"
    if dated and question:
        raise DeadEnd
    return identify(
        subject, noun, tense, ending, scene.tail, "", negative, question
    )


def becoming(scene: Scene, subject: NounPhrase, tense: str = "") -> Phrase:
    """I want to be a doctor, I will be a doctor: 의사가 되다.

    Args:
        scene: the `Scene`.
        subject: a `NounPhrase`.
        tense: of "want"; "" for a random one, or the future of "be".

    Returns:
        A `Phrase`.
    """
    kinds = ["animal"] if scene.chance(0.25) else ["job"]
    job = scene.pick(kinds, "other", (subject.noun,))
    verb = Verb(_TURN_INTO, "future")
    if tense or scene.chance(0.6):
        verb.mood, verb.tense = "want", tense or "present"
    if subject.plural:
        verb.object = noun_phrase(job, "", plural=True)
        verb.object.korean = verb.object.korean[:1]  # 의사가, not 의사들이
    else:
        verb.object = noun_phrase(job, "a")
    if scene.chance(0.15):
        verb.negative = "not"
    return clause(subject, verb, scene.style, scene.tail)


def _from(scene: Scene) -> Phrase:
    """I am from Korea. -> 나는 한국에서 왔다."""
    come = word_named(scene, "come from", "verb")
    home = noun_phrase(scene.pick(["nation&town", "town"], "other"), "")
    if not home.noun or home.noun.word_class != "name":
        raise DeadEnd
    subject = scene.definite(["adult"])
    said = clause(subject, Verb(come, object=home), scene.style, scene.tail)
    is_ = Word(be(subject, "present"))
    *_, came, preposition, name = said.english
    said.english[-3:] = [is_, preposition, name]
    said.korean = [
        (token, tuple(is_ if link is came else link for link in links))
        for token, links in said.korean
    ]
    return said


def _thing_named(scene: Scene) -> tuple[NounPhrase, NounPhrase]:
    """This is my book. It is a cat."""
    text = scene.rng.choice(("this", "that", "it", "these", "those"))
    noun = scene.pick(["thing", "animal", "food", "vehicle"], "other")
    subject = pronoun("it") if text == "it" else pointing(text)
    plural = text in ("these", "those")
    if not scene.counted(noun):
        raise DeadEnd
    adjectives = [scene.adjective(noun, before=True)] * scene.chance(0.2)
    determiner = "" if plural else "a"
    if scene.ownable(noun) and scene.chance(0.5):
        determiner = scene.possessive()
    return subject, noun_phrase(noun, determiner, adjectives, plural=plural,
                                humble=scene.humble)  # fmt: skip


def _friend_named(scene: Scene) -> tuple[NounPhrase, NounPhrase]:
    """This is my teacher: 이분은 우리 선생님이시다; else 이 사람은."""
    noun = scene.pick(["kin", "friend", "teacher"], "other")
    friend = noun_phrase(noun, scene.possessive(noun), humble=scene.humble)
    subject = pointing(
        scene.rng.choice(("this", "this", "that")),
        "분" if friend.honored else "사람",
    )
    if friend.honored:
        subject.noun = noun
    return subject, friend


def _day_named(scene: Scene) -> tuple[NounPhrase, NounPhrase]:
    """Today is Monday. Tomorrow is my birthday. It is three o'clock."""
    draw = scene.rng.random()
    if draw < 0.2:
        return _birthday(scene)
    if draw < 0.45:
        number = scene.choose(list(NUMBERS))
        count, clock = words(f"{number} o'clock")
        korean: list[Token] = [(NUMBERS[number], (count,)), ("시", (clock,))]
        it = Word("it")
        hour = NounPhrase([count, clock], korean, (clock,))
        return NounPhrase([it], [], (it,)), hour
    days = [
        one
        for one in scene.words.by_class["time"]
        if one.korean.endswith("요일 +에")
    ]
    day = scene.choose(days)
    name = Word(day.english.removeprefix("on "))
    korean = [(day.korean.split()[0], (name,))]
    what = NounPhrase([name], korean, (name,))
    if scene.chance(0.3):
        birthday = word_named(scene, "birthday")
        what = noun_phrase(birthday, scene.possessive(), humble=scene.humble)
    text = scene.rng.choice(("today", "today", "tomorrow"))
    word = Word(text)
    token = "오늘" if text == "today" else "내일"
    return NounPhrase([word], [(token, (word,))], (word,)), what


def _birthday(scene: Scene) -> tuple[NounPhrase, NounPhrase]:
    """My grandfather's birthday is on october 9th: 10월 9일이다."""
    birthday = word_named(scene, "birthday")
    on, first, second = words("on month day")
    month = scene.choose(scene.words.by_class["month"])
    day = scene.choose(scene.words.by_class["day"])
    first.text, second.text = month.english, day.english
    english = [on, first, second]
    if scene.chance(0.2):  # the party is on may 5th
        event = word_named(scene, "party")
        whose = noun_phrase(event)
    else:
        whose = scene.owned(birthday)
    korean: list[Token] = [(month.korean, (first,)), (day.korean, (second,))]
    return whose, NounPhrase(english, korean, (second,))


def _name_told(scene: Scene) -> tuple[NounPhrase, NounPhrase]:
    """My name is Minsu. Her brother's name is Tom."""
    name = scene.choose(
        [one for one in scene.words.by_class["name"] if one.get("says")]
    )
    known = word_named(scene, "name")
    his = noun_phrase(known, scene.possessive(), humble=scene.humble)
    return his, noun_phrase(name, "")


def _ours(scene: Scene) -> tuple[NounPhrase, NounPhrase]:
    """She is my sister. They are our friends. Minsu is her son."""
    kin = scene.pick(["kin", "friend", "student"], "other")
    text = kin.get("says") or scene.rng.choice(("he", "she", "they"))
    plural = text == "they" and scene.counted(kin)
    determiner = scene.possessive(kin)
    if determiner == {"he": "his", "she": "her", "they": "their"}[text]:
        raise DeadEnd
    noun = noun_phrase(kin, determiner, plural=plural, humble=scene.humble)
    if text != "they" and scene.chance(0.3):
        named = [
            one
            for one in scene.words.by_class["name"]
            if one.get("says") == text
        ]
        return noun_phrase(scene.choose(named), ""), noun
    return pronoun(text), noun


def _job_named(scene: Scene) -> tuple[NounPhrase, NounPhrase]:
    """I am a student. The man is a kind doctor. We are friends."""
    job = scene.pick(["job", "teacher", "friend", "boy", "girl", "person"],
                     "other", (), {"kin", "royal"})  # fmt: skip
    if job.word_class == "name":
        raise DeadEnd
    if scene.chance(0.25):
        return _ours(scene)
    if scene.chance(0.5):
        subject = scene.pronoun()
    else:
        kinds = ["adult", "kin", "young"]
        subject = scene.phrase(scene.pick(kinds, "other"), True, known=True)
    adjectives = []
    if scene.chance(0.25):
        adjectives = [scene.adjective(job, before=True)]
        if adjectives[0].english not in group("trait"):
            raise DeadEnd
    if subject.plural and subject.english[0].text != "you":
        return subject, noun_phrase(job, "", adjectives, plural=True)
    if job.english == "friend":
        raise DeadEnd
    return subject, noun_phrase(job, "a", adjectives)
