"""Answers to `only(scene)`, as students write them.

A function is named after the mistake that the check must name; what follows
a double underscore tells several of the same kind apart. `right__...` must
be accepted.
"""

import dataclasses

from toy_language.grammar import clauses, phrases, verbs
from toy_language.grammar import sentences as patterns


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


# -------------------------------------------------------------- the Korean


def another_word_for_only__linked(scene):
    phrase = _finished(_clause(scene))
    phrase.korean.insert(0, ("오직", (phrase.english[0],)))
    return phrase


def another_word_for_only__not_linked(scene):
    phrase = _finished(_clause(scene))
    phrase.korean.insert(0, ("오직", ()))
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


# --------------------------------------------------------------- the links


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


def korean_words_lost__the_condition_filters(scene):
    phrase = _clause(scene)
    word = phrases.Word("only")
    phrase.english.insert(0, word)
    phrase.korean = [(t, (word,)) for t, _ in phrase.korean if t == "+만"]
    return phrase


# ------------------------------------------- the same mistakes, other styles


def no_only__a_new_phrase(scene):
    phrase = _clause(scene)
    only = phrases.Word("only")
    korean = [(t, [only] if t == "+만" else w) for t, w in phrase.korean]
    return phrases.Phrase(phrase.english, korean)


def only_not_first__added_at_the_end(scene):
    phrase = _clause(scene)
    only = phrases.Word("only")
    _link(phrase, only)
    return dataclasses.replace(phrase, english=phrase.english + [only])


def only_not_first__before_the_noun(scene):
    subject, verb = patterns.action(scene, "intransitive")
    only = phrases.Word("only")
    subject = dataclasses.replace(
        subject, english=[*subject.english, only], head=(only,), mark="만"
    )
    return clauses.clause(subject, verb, scene.style, scene.tail)


def only_twice__subject_and_phrase(scene):
    subject, verb = patterns.action(scene, "intransitive")
    only = phrases.Word("only")
    subject.english = [only, *subject.english]
    phrase = clauses.clause(subject, verb, scene.style, scene.tail, mark="만")
    phrase.english.insert(len(subject.english), phrases.Word("only"))
    _link(phrase, only)
    return phrase


def article_lost__slice(scene):
    phrase = _clause(scene)
    phrase.english[:1] = only = phrases.words("only")
    _link(phrase, *only)
    return phrase


def no_man__loop(scene):
    phrase = _clause(scene, mark="")
    only = phrases.Word("only")
    phrase.english = [only] + phrase.english
    for i, (token, _) in enumerate(phrase.korean):
        if token.startswith("+만"):
            phrase.korean[i] = token, (only,)
    return phrase


def man_not_glued__by_place(scene):
    subject, verb = patterns.action(scene, "intransitive")
    phrase = clauses.clause(subject, verb, scene.style, scene.tail)
    only = phrases.Word("only")
    phrase.english.insert(0, only)
    phrase.korean[len(subject.korean)] = ("만", (only,))
    return phrase


def man_not_glued__one_word(scene):
    subject, verb = patterns.action(scene, "intransitive")
    phrase = clauses.clause(subject, verb, scene.style, scene.tail)
    only = phrases.Word("only")
    phrase.english.insert(0, only)
    *before, (noun, links) = subject.korean
    rest = phrase.korean[len(subject.korean) + 1 :]
    phrase.korean = [*before, (noun + "만", (*links, only)), *rest]
    return phrase


def man_twice__loop(scene):
    phrase = _clause(scene)
    only = phrases.Word("only")
    korean = []
    for token, links in phrase.korean:
        if token == "+만":
            korean.append(("+만", (only,)))
            links = (only,)
        korean.append((token, links))
    return phrases.Phrase([only, *phrase.english], korean)


def man_elsewhere__first(scene):
    phrase = _clause(scene)
    only = phrases.Word("only")
    rest = [pair for pair in phrase.korean if pair[0] != "+만"]
    return phrases.Phrase([only, *phrase.english], [("+만", (only,)), *rest])


def links_not_changed__loop_variable(scene):
    phrase = _clause(scene)
    only = phrases.Word("only")
    phrase.english.insert(0, only)
    for token, links in phrase.korean:
        if token == "+만":
            links = (only,)  # noqa: F841
    return phrase


def links_not_changed__a_dictionary(scene):
    phrase = _clause(scene)
    only = phrases.Word("only")
    phrase.english.insert(0, only)
    dict(phrase.korean)["+만"] = (only,)
    return phrase


def linked_to_the_noun_too__by_place(scene):
    phrase = _clause(scene)
    only = phrases.Word("only")
    phrase.english.insert(0, only)
    place = [token for token, _ in phrase.korean].index("+만")
    phrase.korean[place] = "+만", list(phrase.korean[place][1]) + [only]
    return phrase


def link_to_another_word__made_in_both_places(scene):
    phrase = _clause(scene)
    korean = [
        (t, phrases.words("only") if t == "+만" else links)
        for t, links in phrase.korean
    ]
    return phrases.Phrase(phrases.words("only") + phrase.english, korean)


def all_linked_to_only__loop(scene):
    phrase = _clause(scene)
    only = phrases.Word("only")
    phrase.english.insert(0, only)
    for i in range(len(phrase.korean)):
        phrase.korean[i] = phrase.korean[i][0], (only,)
    return phrase


def all_linked_to_only__every_particle(scene):
    phrase = _clause(scene)
    only = phrases.Word("only")
    phrase.english.insert(0, only)
    phrase.korean = [
        (t, (only,) if t.startswith("+") else links)
        for t, links in phrase.korean
    ]
    return phrase


def other_links_lost__a_dictionary(scene):
    phrase = _clause(scene)
    only = phrases.Word("only")
    phrase.english.insert(0, only)
    new = {"+만": (only,)}
    phrase.korean = [(token, new.get(token, ())) for token, _ in phrase.korean]
    return phrase


def korean_words_lost__break(scene):
    phrase = _clause(scene)
    only = phrases.Word("only")
    korean = []
    for token, links in phrase.korean:
        if token == "+만":
            korean.append((token, (only,)))
            break
        korean.append((token, links))
    return phrases.Phrase([only, *phrase.english], korean)


def style_ignored__by_name(scene):
    subject, verb = patterns.action(scene, "intransitive")
    return _finished(
        clauses.clause(
            mark="만", cue=scene.tail, ending="formal", verb=verb,
            subject=subject,
        )
    )  # fmt: skip


def cue_forgotten__empty_list(scene):
    subject, verb = patterns.action(scene, "intransitive")
    phrase = clauses.clause(subject, verb, scene.style, [], mark="만")
    return _finished(phrase)


def period_added__english_only(scene):
    phrase = _finished(_clause(scene))
    phrase.english.append(phrases.Word("."))
    return phrase


def period_added__korean_only(scene):
    phrase = _finished(_clause(scene))
    phrase.korean += [("+.", ())]
    return phrase


def politeness_word_added__new_words(scene):
    phrase = _finished(_clause(scene))
    phrase.english.extend(phrases.Word(word.text) for word in scene.tail)
    return phrase


def verb_with_object__some(scene):
    frame = scene.choose(["intransitive", "transitive", "going"])
    subject, verb = patterns.action(scene, frame)
    phrase = clauses.clause(subject, verb, scene.style, scene.tail, mark="만")
    return _finished(phrase)


def one_subject__minsu(scene):
    _, verb = patterns.action(scene, "intransitive")
    name = phrases.Word("minsu")
    minsu = phrases.NounPhrase([name], [("민수", (name,))], (name,), mark="만")
    return _finished(clauses.clause(minsu, verb, scene.style, scene.tail))


def one_verb__the_first(scene):
    entry = scene.words.frames["intransitive"][0]
    subject = scene.somebody(entry.features["subject"])
    verb = verbs.Verb(entry, "past")
    phrase = clauses.clause(subject, verb, scene.style, scene.tail, mark="만")
    return _finished(phrase)


def always_the_same__seeded(scene):
    scene.rng.seed(15)
    return right__as_in_the_solutions(scene)


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
