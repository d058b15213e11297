"""What an error means, in words: from its text and from the line it ends.

Each sentence holds for every program that stops with this error at this line.
What is not certain is not said; then the error stands alone.

`cause` looks for the text of an error in two tables, `table_shapes` and
`table_values`: a pattern, and what it means. What depends on the code is found
out about the `line` that stopped: by `arrays`, `calls`, `kinds` and `modules`,
and by `names` for a name that there is not.
"""

from transformer_course.checks.errors.cause import cause_of
from transformer_course.checks.errors.modules import of_a_module

__all__ = ["cause_of", "of_a_module"]
