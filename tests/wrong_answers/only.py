"""Answers to `only(scene)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import dataclasses

from transformer_lib.grammar import clauses, phrases, verbs
from transformer_lib.grammar import sentences as patterns


def _clause(scene, mark="만", **more):
    subject, verb = patterns.action(scene, "intransitive", **more)
    return clauses.clause(subject, verb, scene.style, scene.tail, mark=mark)


def _link(phrase, word):
    phrase.korean = [
        (token, (word,) if token == "+만" else links)
        for token, links in phrase.korean
    ]


def _finished(phrase):
    """What comes after the clause."""
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    _link(phrase, word)
    return phrase


# ------------------------------------------------------------------- right


def right__as_in_the_solutions(scene):
    subject, verb = patterns.action(scene, "intransitive")
    phrase = clauses.clause(subject, verb, scene.style, scene.tail, mark="만")
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    phrase.korean = [
        (token, (word,) if token == "+만" else links)
        for token, links in phrase.korean
    ]
    return phrase


def right__loop_with_index(scene):
    phrase = _clause(scene)
    word = phrases.Word("only")
    phrase.english = [word, *phrase.english]
    for i in range(len(phrase.korean)):
        if phrase.korean[i][0] == "+만":
            phrase.korean[i] = ("+만", [word])
    return phrase


def right__a_new_phrase(scene):
    phrase = _clause(scene)
    words = phrases.words("only")
    korean = []
    for token, links in phrase.korean:
        korean.append((token, tuple(words) if token == "+만" else links))
    return phrases.Phrase(words + phrase.english, korean)


def right__plain_subjects(scene):
    return _finished(_clause(scene, plain=True))


def right__particle_found_by_place(scene):
    subject, verb = patterns.action(scene, "intransitive", simple=True)
    place = len(subject.korean)
    phrase = clauses.clause(subject, verb, scene.style, scene.tail)
    word = phrases.Word("only")
    phrase.korean[place] = ("+만", (word,))
    phrase.english.insert(0, word)
    return phrase


def right__noun_phrase_replaced(scene):
    subject, verb = patterns.action(scene, "intransitive")
    subject = dataclasses.replace(subject, mark="만")
    phrase = clauses.clause(subject, verb, scene.style, scene.tail)
    return _finished(phrase)


def right__drawn_twice(scene):
    _clause(scene)  # thrown away
    return _finished(_clause(scene))


def right__head_replaced(scene):
    subject, verb = patterns.action(scene, "intransitive")
    word = phrases.Word("only")
    marked = dataclasses.replace(subject, head=(word,))
    phrase = clauses.clause(marked, verb, scene.style, scene.tail, mark="만")
    phrase.english.insert(0, word)
    return phrase


def right__only_put_into_the_subject(scene):
    subject, verb = patterns.action(scene, "intransitive")
    word = phrases.Word("only")
    subject.english = [word, *subject.english]
    phrase = clauses.clause(subject, verb, scene.style, scene.tail, mark="만")
    _link(phrase, word)
    return phrase


# ------------------------------------------------------------- the English


def no_only(scene):
    return _clause(scene)


def no_only__word_made_and_linked(scene):
    phrase = _clause(scene)
    _link(phrase, phrases.Word("only"))
    return phrase


def no_only__links_added(scene):
    phrase = _clause(scene)
    word = phrases.Word("only")
    phrase.korean = [
        (t, (*links, word) if t == "+만" else links)
        for t, links in phrase.korean
    ]
    return phrase


def only_not_first__appended(scene):
    phrase = _clause(scene)
    word = phrases.Word("only")
    phrase.english.append(word)
    _link(phrase, word)
    return phrase


def only_not_first__second(scene):
    phrase = _clause(scene)
    word = phrases.Word("only")
    phrase.english.insert(1, word)
    _link(phrase, word)
    return phrase


def only_not_first__before_the_verb(scene):
    subject, verb = patterns.action(scene, "intransitive")
    phrase = clauses.clause(subject, verb, scene.style, scene.tail, mark="만")
    word = phrases.Word("only")
    phrase.english.insert(len(subject.english), word)
    _link(phrase, word)
    return phrase


def only_twice(scene):
    subject, verb = patterns.action(scene, "intransitive")
    length = len(subject.english)
    phrase = clauses.clause(subject, verb, scene.style, scene.tail, mark="만")
    phrase.english.insert(length, phrases.Word("only"))
    return _finished(phrase)


def article_lost(scene):
    phrase = _clause(scene)
    word = phrases.Word("only")
    phrase.english[0] = word
    _link(phrase, word)
    return phrase


# -------------------------------------------------------------- the Korean


def no_man__ordinary_particle(scene):
    return _finished(_clause(scene, mark=""))


def no_man__subject_particle(scene):
    return _finished(_clause(scene, mark="이"))


def no_man__linked_to_the_ordinary_one(scene):
    phrase = _clause(scene, mark="")
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    particles = ("+은", "+는", "+이", "+가", "+을", "+를")
    phrase.korean = [
        (t, (word,) if t in particles else links) for t, links in phrase.korean
    ]
    return phrase


def man_not_glued(scene):
    phrase = _clause(scene)
    phrase.korean = [
        ("만" if t == "+만" else t, links) for t, links in phrase.korean
    ]
    return _finished(phrase)


def man_not_glued__but_linked(scene):
    phrase = _clause(scene)
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    phrase.korean = [
        ("만", (word,)) if t == "+만" else (t, links)
        for t, links in phrase.korean
    ]
    return phrase


def man_not_glued__inside_the_noun(scene):
    phrase = _clause(scene)
    place = [t for t, _ in phrase.korean].index("+만")
    noun, links = phrase.korean[place - 1]
    phrase.korean[place - 1 : place + 1] = [(noun + "만", links)]
    phrase.english.insert(0, phrases.Word("only"))
    return phrase


def particle_kept__before(scene):
    subject, verb = patterns.action(scene, "intransitive")
    place = len(subject.korean) + 1
    phrase = clauses.clause(subject, verb, scene.style, scene.tail)
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    phrase.korean.insert(place, ("+만", (word,)))
    return phrase


def particle_kept__behind(scene):
    subject, verb = patterns.action(scene, "intransitive")
    place = len(subject.korean)
    phrase = clauses.clause(subject, verb, scene.style, scene.tail)
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    phrase.korean.insert(place, ("+만", (word,)))
    return phrase


def man_twice__mark_and_by_hand(scene):
    phrase = _clause(scene)
    place = [t for t, _ in phrase.korean].index("+만")
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    phrase.korean.insert(place, ("+만", (word,)))
    _link(phrase, word)
    return phrase


def man_twice__also_on_the_verb(scene):
    phrase = _clause(scene)
    phrase.korean.append(("+만", ()))
    return _finished(phrase)


def man_elsewhere__first(scene):
    phrase = _clause(scene)
    place = [t for t, _ in phrase.korean].index("+만")
    phrase.korean.insert(0, phrase.korean.pop(place))
    return _finished(phrase)


def man_elsewhere__on_the_verb(scene):
    phrase = _clause(scene, mark="")
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    phrase.korean.append(("+만", (word,)))
    return phrase


# --------------------------------------------------------------- the links


def links_not_changed(scene):
    phrase = _clause(scene)
    phrase.english.insert(0, phrases.Word("only"))
    return phrase


def links_not_changed__result_thrown_away(scene):
    phrase = _clause(scene)
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    [(t, (word,) if t == "+만" else links) for t, links in phrase.korean]
    return phrase


def links_not_changed__looks_for_a_token_without_plus(scene):
    phrase = _clause(scene)
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    phrase.korean = [
        (t, (word,) if t == "만" else links) for t, links in phrase.korean
    ]
    return phrase


def linked_to_the_noun_too(scene):
    phrase = _clause(scene)
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    phrase.korean = [
        (t, (*links, word) if t == "+만" else links)
        for t, links in phrase.korean
    ]
    return phrase


def link_to_another_word(scene):
    phrase = _clause(scene)
    phrase.english.insert(0, phrases.Word("only"))
    _link(phrase, phrases.Word("only"))
    return phrase


def link_to_another_word__no_link(scene):
    phrase = _clause(scene)
    phrase.english.insert(0, phrases.Word("only"))
    phrase.korean = [
        (t, () if t == "+만" else links) for t, links in phrase.korean
    ]
    return phrase


def all_linked_to_only(scene):
    phrase = _clause(scene)
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    phrase.korean = [(t, (word,)) for t, _ in phrase.korean]
    return phrase


def all_linked_to_only__added_everywhere(scene):
    phrase = _clause(scene)
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    phrase.korean = [(t, (*links, word)) for t, links in phrase.korean]
    return phrase


def other_links_lost(scene):
    phrase = _clause(scene)
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    phrase.korean = [
        (t, (word,) if t == "+만" else ()) for t, _ in phrase.korean
    ]
    return phrase


# ---------------------------------------------------------------- the rest


def style_ignored__plain(scene):
    subject, verb = patterns.action(scene, "intransitive")
    phrase = clauses.clause(subject, verb, "plain", scene.tail, mark="만")
    return _finished(phrase)


def style_ignored__plain_and_no_cue(scene):
    subject, verb = patterns.action(scene, "intransitive")
    return _finished(clauses.clause(subject, verb, "plain", mark="만"))


def style_ignored__always_formal(scene):
    subject, verb = patterns.action(scene, "intransitive")
    phrase = clauses.clause(subject, verb, "formal", scene.tail, mark="만")
    return _finished(phrase)


def cue_forgotten(scene):
    subject, verb = patterns.action(scene, "intransitive")
    return _finished(clauses.clause(subject, verb, scene.style, mark="만"))


def period_added(scene):
    phrase = _finished(_clause(scene))
    stop = phrases.Word(".")
    phrase.english.append(stop)
    phrase.korean.append(("+.", (stop,)))
    return phrase


def always_the_same(scene):
    words = phrases.words("only minsu slept")
    ending = {"plain": "+다", "formal": "+습니다", "friendly": "+어요"}
    cue = tuple(scene.tail) or (words[2],)
    korean = [
        ("민수", (words[1],)),
        ("+만", (words[0],)),
        ("자", (words[2],)),
        (ending[scene.style], cue),
    ]
    return phrases.Phrase(words, korean)


def one_subject(scene):
    _, verb = patterns.action(scene, "intransitive")
    words = phrases.words("the dog")
    dog = phrases.NounPhrase(words, [("개", (words[1],))], (words[1],))
    return _finished(
        clauses.clause(dog, verb, scene.style, scene.tail, mark="만")
    )


def one_verb(scene):
    entries = scene.words.frames["intransitive"]
    sleep = [entry for entry in entries if entry.english == "sleep"][0]
    subject = scene.somebody(sleep.features["subject"])
    verb = verbs.Verb(sleep, "past")
    return _finished(
        clauses.clause(subject, verb, scene.style, scene.tail, mark="만")
    )


def verb_with_object(scene):
    subject, verb = patterns.action(scene, "transitive")
    return _finished(
        clauses.clause(subject, verb, scene.style, scene.tail, mark="만")
    )


def verb_with_object__a_goal(scene):
    subject, verb = patterns.action(scene, "going")
    return _finished(
        clauses.clause(subject, verb, scene.style, scene.tail, mark="만")
    )


def politeness_word_added(scene):
    phrase = _finished(_clause(scene))
    phrase.english += scene.tail
    return phrase


def politeness_word_added__with_a_comma(scene):
    phrase = _finished(_clause(scene))
    if scene.tail:
        phrase.english += [phrases.Word(","), *scene.tail]
    return phrase


def korean_words_lost(scene):
    phrase = _finished(_clause(scene))
    place = [t for t, _ in phrase.korean].index("+만")
    phrase.korean = phrase.korean[: place + 1] + phrase.korean[-1:]
    return phrase


def korean_words_lost__the_condition_filters(scene):
    phrase = _clause(scene)
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    phrase.korean = [(t, (word,)) for t, _ in phrase.korean if t == "+만"]
    return phrase


# ----------------------------------------------------------------- general


def printed_not_returned(scene):
    print(_finished(_clause(scene)))


def no_return(scene):
    phrase = _clause(scene)
    _finished(phrase)


def signature__two_inputs(subject, verb):
    return clauses.clause(subject, verb, "plain", mark="만")


def signature__none():
    return None
