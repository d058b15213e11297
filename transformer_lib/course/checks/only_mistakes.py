"""Known wrong answers to the exercise `only(scene)`."""

from __future__ import annotations

from transformer_lib.course.checks.engine.exercise import Mistake

__all__ = ["MISTAKES"]

_ENGLISH = (
    Mistake(
        "no_only",
        "The English sentence does not say `only`. Making the Word is not "
        "enough: it has to be put into `phrase.english`.",
        "Which list holds the English words, and where in it does the new "
        "one belong?",
        (
            {"place": "nowhere"},
            {"place": "nowhere", "links": "as they were"},
            {"place": "nowhere", "links": "both"},
        ),
    ),
    Mistake(
        "only_not_first",
        "`only` should be the first English word: *only the dog slept*. In "
        "another place it means something else, or sounds odd.",
        "A list can take a new member at any place. Which number has the "
        "first one?",
        (
            {"place": "behind the article"},
            {"place": "behind the subject"},
            {"place": "last"},
        ),
    ),
    Mistake(
        "only_twice",
        "`only` is said twice in one sentence: *only the dog only slept*.",
        "Does your function insert the word in two places?",
        ({"place": "twice"},),
    ),
    Mistake(
        "article_lost",
        "A word of the subject is gone: `only` has taken its place in place "
        "of standing before it.",
        "Do you assign to the first place of the list, or insert before it?",
        ({"place": "for the article"},),
    ),
)
_KOREAN = (
    Mistake(
        "no_man",
        "The Korean has no token `+만`: the subject has another particle.",
        "`clauses.clause` has an input that replaces the particle of the "
        "subject.",
        (
            {"mark": ""},
            {"mark": "", "links": "any particle"},
            {"mark": "이"},
            {"mark": "이", "links": "any particle"},
        ),
    ),
    Mistake(
        "man_not_glued",
        "만 has to be glued to its noun. In a row of tokens that is written "
        "with a plus: `+만`, as in `+은` and `+는`. A token of its own would "
        "be printed as a separate word; a noun with 만 inside would be a new "
        "word for the vocabulary.",
        "Compare your Korean tokens with those of a sentence of the grammar.",
        (
            {"korean": "free"},
            {"korean": "free", "links": "the merged one"},
            {"korean": "one token"},
            {"korean": "one token", "links": "the merged one"},
        ),
    ),
    Mistake(
        "particle_kept",
        "만 stands beside the particle that it should replace.",
        "How many particles does the subject have in your sentence?",
        (
            {"korean": "behind the particle"},
            {"korean": "before the particle"},
        ),
    ),
    Mistake(
        "man_twice",
        "만 is said twice in one sentence. It belongs behind the subject, "
        "and there once.",
        "Who puts 만 into the sentence: `clauses.clause`, or you, or both?",
        (
            {"korean": "twice"},
            {"korean": "at the end"},
            {"korean": "at the end", "links": "as they were"},
        ),
    ),
    Mistake(
        "man_elsewhere",
        "만 belongs right behind the subject: *dog-only sleep*. On another "
        "word it limits that word.",
        "Behind which token does 만 stand in your sentence?",
        (
            {"korean": "before the noun"},
            {"korean": "before the noun", "links": "as they were"},
            {"mark": "", "korean": "at the end"},
        ),
    ),
)
_LINKS = (
    Mistake(
        "links_not_changed",
        "The sentences are right; the links are not. `clause` links 만 to "
        "the noun, as it does with every particle, and `only` is linked to "
        "nothing.",
        "Each entry of `phrase.korean` is a token and its links. Which entry "
        "needs new ones?",
        ({"links": "as they were"},),
    ),
    Mistake(
        "linked_to_the_noun_too",
        "만 is linked to `only` and, as before, to the noun. Wanted is "
        "`only` alone.",
        "Do you replace the links of 만, or add to them?",
        ({"links": "both"},),
    ),
    Mistake(
        "link_to_another_word",
        "The links of 만 lead to nothing in the sentence. Links are followed "
        "by identity: the Word in the links and the Word in the sentence "
        "have to be one object, not two with the same text.",
        "How often does your function make a Word from `only`?",
        ({"links": "a second word"}, {"links": "none"}),
    ),
    Mistake(
        "all_linked_to_only",
        "Not only 만 is linked to `only`: other tokens are as well.",
        "For which tokens does your condition hold?",
        (
            {"links": "all"},
            {"links": "all too"},
        ),
    ),
    Mistake(
        "other_links_lost",
        "The other tokens have lost their links. Only the entry of 만 should "
        "change.",
        "What does your list give for a token that is not 만?",
        ({"links": "others lost"},),
    ),
)
_REST = (
    Mistake(
        "korean_words_lost",
        "The English says more than the Korean: Korean words are gone. Only "
        "the entry of 만 changes; all the others stay, in their order.",
        "How many entries does your `phrase.korean` have before your changes, "
        "and how many after?",
        ({"korean": "verb lost"}, {"korean": "the particle alone"}),
    ),
    Mistake(
        "style_ignored",
        "To *ma'am* and *grandma* one speaks politely, and your verbs end as "
        "among friends (or the other way round).",
        "The scene knows its style. Which input of `clauses.clause` wants it?",
        (
            {"style": "plain"},
            {"style": "plain", "cue": "lost"},
            {"style": "formal"},
            {"style": "formal", "cue": "lost"},
        ),
    ),
    Mistake(
        "cue_forgotten",
        "The words are right. But in *only the dog slept, ma'am* the polite "
        "ending translates *ma'am*, and your phrase has no link for it.",
        "`simple` hands four things to `clauses.clause`. Which one is missing "
        "in yours?",
        ({"cue": "lost"},),
    ),
    Mistake(
        "period_added",
        "The grammar adds the period itself; with yours there are two.",
        "A Phrase is a sentence without its last sign.",
        ({"end": "period"},),
    ),
    Mistake(
        "politeness_word_added",
        "The grammar adds *ma'am* and *grandma* itself, with the comma; in "
        "your sentences they stand twice.",
        "A Phrase ends before the comma. `scene.tail` goes to "
        "`clauses.clause`, and nowhere else.",
        ({"end": "address"}, {"end": "comma and address"}),
    ),
    Mistake(
        "verb_with_object",
        "Your verbs have an object or a goal (*only the dog saw the cat*, "
        "*only the dog went to the park*). Asked for is a verb without one.",
        "`patterns.action` gets the name of a frame. Which one does `simple` "
        "name?",
        ({"draw": "transitive"}, {"draw": "going"}, {"draw": "giving"}),
    ),
    Mistake(
        "one_subject",
        "All sentences have the same subject. Asked for is any subject: the "
        "one that `patterns.action` draws.",
        "`patterns.action` returns two things. Do you use the first?",
        ({"draw": "one subject"},),
    ),
    Mistake(
        "one_verb",
        "All sentences have the same verb. Asked for is any verb without an "
        "object: the one that `patterns.action` draws.",
        "`patterns.action` returns two things. Do you use the second?",
        ({"draw": "one verb"},),
    ),
    Mistake(
        "always_the_same",
        "Twenty scenes give nearly the same sentence. The choices are the "
        "scene's: ask it for subject and verb.",
        "`patterns.action` takes the scene and draws both.",
        ({"draw": "fixed"},),
    ),
)
MISTAKES = (*_ENGLISH, *_KOREAN, *_LINKS, *_REST)
