"""Marking a class: `python -m transformer_lib grade FOLDER --chapter N`.

    from transformer_lib.course.grading import grade

    for row in grade("submissions", chapter=4, table="marks.csv"):
        print(row.name, row.right, "of", len(row.results))

How it is built: `exercises` reads what a chapter asks, `submissions` what a
student has handed in. `marking` goes through the exercises; the judge of the
checks gives the verdicts, here, over an answer that is `handed_in` and lives
in a `process` of its own. On the other side of the pipe (`wire`) stand the
`child` with its `fences`, the `notebook`, and the `program`, those lines of it
that an answer needs. `table` and `feedback` write down what came out, `run`
does it for a folder. `sheet` is for exams.

A student's code decides on nothing but the numbers that it computes. It does
not decide which inputs are asked for, what they are compared with, how exact
they have to be, or what is said of them. Whoever sends right numbers without
having computed them could as well have copied the answer, and has gained
nothing more.
"""

from transformer_lib.course.grading.run import grade
from transformer_lib.course.grading.sheet import Exam, exam_sheet
from transformer_lib.course.grading.table import Result, Row
from transformer_lib.course.grading.varied import is_edition_for_students

__all__ = [
    "Exam",
    "Result",
    "Row",
    "exam_sheet",
    "grade",
    "is_edition_for_students",
]
