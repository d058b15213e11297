"""What each edit of a catalogue is recognized as."""

from transformer_course.checks.engine.judge import judge
from transformer_course.checks.engine.matching import agree, find

# In a message: a number that nobody filled in, or one that wants a singular.
NO_SENTENCE = r"[{}]|another number|\b(?<![.,-])1 (parameters|numbers|columns)"


def named_edits(exercise):
    """Yield each mistake, one way to make it, and the id that it gets.

    The answers are the edited reference's own, kept from case to case; what
    they do not name, an error or a last word, is asked of the whole check.
    """
    for mistake in exercise.mistakes:
        for edits in mistake.edits:
            made = {c: exercise.expected(c, **edits) for c in exercise.cases}
            failing = [
                case
                for case, answer in made.items()
                if not agree(answer, exercise.expected(case))
            ]
            answers = {case.name: answer for case, answer in made.items()}
            found = find(exercise, answers, failing)
            if found is None:
                verdict = judge(exercise, exercise.variant(edits))
                yield mistake.id, edits, verdict.mistake
            else:
                yield mistake.id, edits, found.id
