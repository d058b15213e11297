"""Exams: exercises on paper with other numbers, and short questions.

    from transformer_course.exams import exam_sheet

    exam = exam_sheet(["4", "7.1"], seed=7)
    print(exam.sheet, exam.key)

`sheet` collects the exercises of a chapter that are done on paper, `varied`
draws their numbers anew from a seed, as `numbers/NAME.txt` says, and `short`
asks about sentences of the sources.
"""

from transformer_course.exams.sheet import Exam, exam_sheet

__all__ = ["Exam", "exam_sheet"]
