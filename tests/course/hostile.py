"""Answers to `softmax(x, axis)` that want more than to be right.

Where a name of a mistake is "", any will do.
"""

import io
import json
import textwrap
import zipfile

RIGHT = """\
def softmax(x, axis):
    votes = np.exp(x - x.max(axis, keepdims=True))
    return votes / votes.sum(axis, keepdims=True)
"""


def wrong(body, result="np.exp(x) * 0 + 0.5"):
    """A function that does something and then returns wrong numbers."""
    text = textwrap.indent(body, "    ")
    return f"def softmax(x, axis):\n{text}\n    return {result}\n"


def zipped(files, how=zipfile.ZIP_STORED):
    """The bytes of a ZIP of files, given by name."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", how) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


def notebook(path, *cells, **more):
    """Write a notebook; a cell is a text, or its metadata and a text."""
    made = []
    for given in cells:
        about, text = ({}, given) if isinstance(given, str) else given
        cell = {"cell_type": "code", "metadata": about, "source": text}
        made.append(cell | more)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"cells": made}), encoding="utf-8")
    return path


# The cell for the answer, the verdict, the name of the mistake.

IN_THE_CELL = {
    "a loop below": (f"{RIGHT}\nwhile True:\n    pass", "right", ""),
    "an exit above": (f"raise SystemExit\n{RIGHT}", "right", ""),
    "a process that ends": (f"import os\nos._exit(0)\n{RIGHT}", "right", ""),
    "magic": (f"%matplotlib inline\n!rm -rf /\n{RIGHT}softmax?", "right", ""),
    "its own check": (f"{RIGHT}\nassert checks.softmax(softmax)", "right", ""),
    "no Python": (
        "def softmax(x, axis)\n    return x",
        "wrong",
        "does_not_run",
    ),
    "no such name": (
        "def soft(x, axis):\n    ...",
        "not judged",
        "not_found",
    ),
    "a comment only": (
        "def softmax(x, axis):\n    ...  # later",
        "not attempted",
        "",
    ),
    "words": ("# I could not do this", "not attempted", ""),
    "brackets": (f"x = {'(' * 90_000}\n{RIGHT}", "wrong", ""),
    "minus signs": (f"x = {'-' * 200_000}1\n{RIGHT}", "wrong", ""),
    "made by a loop": (
        "def endless():\n    while True:\n        pass\n\n\n"
        "softmax = endless()",
        "wrong",
        "does_not_run",
    ),
    "made by an exit": (
        "import sys\nsoftmax = sys.exit('Right')",
        "wrong",
        "does_not_run",
    ),
    "a process that ends, made": (
        "import os\nsoftmax = os._exit(0)",
        "wrong",
        "ends_the_process",
    ),
}

# What a wrong function does before it returns, the name of the mistake.
IN_THE_FUNCTION = {
    "exits": ("raise SystemExit", "calls_exit"),
    "ends the process": ("import os\nos._exit(0)", "ends_the_process"),
    "kills itself": (
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
        "ends_the_process",
    ),
    "kills its group": (
        "import os, signal\nos.killpg(0, signal.SIGKILL)",
        "ends_the_process",
    ),
    "crashes": ("import ctypes\nctypes.string_at(0)", "ends_the_process"),
    "loops": ("while True:\n    pass", "never_ends"),
    "loops on": (
        "while True:\n    try:\n        while True:\n            pass\n"
        "    except BaseException:\n        pass",
        "never_ends",
    ),
    "breaks on": (
        "while True:\n    try:\n        while True:\n"
        "            np.exp = np.max = None\n"
        "    except BaseException:\n        pass",
        "never_ends",
    ),
    "sleeps": ("import time\ntime.sleep(1e6)", "never_ends"),
    "loops in C": (
        "import re\nre.match('(a+)+$', 'a' * 60 + 'b')",
        "never_ends",
    ),
    "recurses": (
        "import sys\nsys.setrecursionlimit(10**9)\nreturn softmax(x, axis)",
        "",
    ),
    "forks": ("import os\nos.fork()", ""),
    "forks on": (
        "import os\nfor _ in range(9):\n"
        "    try:\n        os.fork()\n    except OSError:\n        pass",
        "",
    ),
    "fills memory": ("x = [bytearray(2**26) for _ in range(10**6)]", ""),
    "fills a file": (
        "with open('big', 'wb') as f:\n"
        "    while True:\n        f.write(bytes(2**20))",
        "",
    ),
    "fills the disk": (
        "n = 0\nwhile True:\n    n += 1\n"
        "    open(str(n), 'wb').write(bytes(2**19))",
        "",
    ),
    "prints on": ("while True:\n    print('Right' * 1000)", "never_ends"),
    "writes on": (
        "import os\nwhile True:\n"
        "    for n in range(20):\n        try:\n"
        "            os.write(n, b'Right' * 10000)\n"
        "        except OSError:\n            pass",
        "",
    ),
    "forges a reply": (
        "import os\nfor n in range(20):\n    try:\n"
        '        os.write(n, b\'[1, {"status": "right"}]\\n\' * 9)\n'
        "    except OSError:\n        pass",
        "garbled",
    ),
    "closes its files": ("import os\nos.closerange(0, 99)", "ends_the_process"),
    "replaces the check": (
        "import types\nright = types.SimpleNamespace(status='right', ok=True)\n"
        "checks.softmax = lambda f: right\n"
        "from transformer_course.checks.code import softmax as home\n"
        "home.softmax = home.judge = lambda *a: right",
        "",
    ),
    "replaces comparisons": (
        "import builtins\nbuiltins.all = builtins.abs = lambda *a: True\n"
        "np.allclose = np.isclose = np.array_equal = lambda *a, **k: True\n"
        "from transformer_course.checks.engine import matching, reading\n"
        "reading.same = matching.same = matching.agree = lambda *a: True",
        "",
    ),
    "wants no exactness": (
        "from transformer_course.checks.engine import guard, reading\n"
        "import dataclasses\nread = reading.read\n"
        "guard.read = lambda v: dataclasses.replace(read(v), tolerance=1e9)",
        "",
    ),
    "says it is right": (
        "print('<b>Right</b>')\nraise type('Right', (Exception,), {})('100 %')",
        "",
    ),
    "an error without words": (
        "class Error(Exception):\n    def __str__(self):\n"
        "        while True:\n            pass\n"
        "raise Error",
        "",
    ),
    "tells secrets": (
        "import os\nraise ValueError(os.environ['A_SECRET'])",
        "",
    ),
    "half a character": ("raise ValueError('\\ud800=cmd()')", ""),
}

# What a wrong function returns.
RETURNED = {
    "equal to everything": (
        "type('A', (np.ndarray,), {'__eq__': lambda *a: True, "
        "'__sub__': lambda *a: 0})((2, 2))"
    ),
    "a pickle with effects": (
        "type('P', (), {'__reduce__': lambda s: (open, ('stolen', 'w'))})()"
    ),
    "an array on demand": (
        "type('L', (), {'__array__': lambda *a, **k: 1 / 0})()"
    ),
    "too many numbers": "np.zeros(3_000_000)",
    "no array at all": "np.broadcast_to(0.0, (10**9, 10**9))",
    "a verdict": "checks.Verdict('right', '', '', '')",
    "nan": "x * np.nan",
    "a list in itself": "(lambda a: a.append(a) or a)([])",
}
