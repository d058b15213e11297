"""Foreign code in a box: it runs, and nothing that it does outlasts it.

`run` starts it, for a limited time (`limits`); what it prints is caught
(`output`), warnings are muted, and afterwards these are as before
(`surroundings`): the generators of random numbers (Python's, NumPy's, torch's),
torch's default type, NumPy's way with errors, the working folder, the recursion
limit, the filters of warnings, and the functions of the modules that a check
uses. The names below are the way in, and nothing in here calls what stands
outside.

What no check can survive: code that ends the process (`os._exit`) or stays
inside one C call that never lets other threads run.
"""

from transformer_course.checks.engine.box.limits import is_running_inside
from transformer_course.checks.engine.box.output import cut, without_addresses
from transformer_course.checks.engine.box.run import Run, contained, one_check
from transformer_course.checks.engine.box.surroundings import draw_from

__all__ = [
    "Run",
    "contained",
    "cut",
    "draw_from",
    "is_running_inside",
    "one_check",
    "without_addresses",
]
