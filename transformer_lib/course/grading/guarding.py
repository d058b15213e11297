"""How the grader protects itself from the code that it runs.

As an ordinary user it can be ended by that code, but not read. As root it runs
each student's code as a user without rights, who can do neither; that is what
a container is for.
"""

from __future__ import annotations

import ctypes
import os
import sys

from transformer_lib.course.grading.process import Limits, Process
from transformer_lib.course.grading.reasons import Lost

__all__ = ["protect"]

_SET_DUMPABLE, _SET_CHILD_SUBREAPER = 4, 36  # of prctl, linux/prctl.h
_ROOT = """\
grade: the code of the students runs as root, because no other user may run
{python} here; see "Marking with the checks" in book/teaching.md"""


def protect() -> Limits:
    """Close this process to others, and choose who runs foreign code.

    On Linux, orphans that foreign code leaves behind become children of this
    process, and no process of the same user can read its memory or its
    environment.

    Returns:
        The usual limits, as root with a user without rights.

    Raises:
        OSError: no process can be started.
    """
    if sys.platform == "linux":
        library = ctypes.CDLL(None)
        library.prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        library.prctl(_SET_DUMPABLE, 0, 0, 0, 0)
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return Limits()
    import pwd

    limits = Limits(user=pwd.getpwnam("nobody").pw_uid)
    try:
        with Process(limits) as process:
            process.ask("start", exercises=[])
    except (Lost, PermissionError):
        print(_ROOT.format(python=sys.executable), file=sys.stderr)
        return Limits()
    return limits
