"""The exercise checks stand whatever a student's code does to them.

No answer makes a check raise, print, hang, or change what it compares with.
"""

import builtins
import gc
import math
import os
import random
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest
import torch

from transformer_course import checks
from transformer_course.checks.code import (
    BatchNorm,
    exact_match,
    self_attention,
    softmax,
)
from transformer_course.checks.engine import foreign, guard
from transformer_course.checks.engine.box import limits, output
from transformer_course.checks.engine.submission import Submission

NAMES = sorted(set(checks.__all__) - set(checks.TOOLS))


class BadArray:
    def __array__(self, *args, **kwargs):
        raise RuntimeError("no array")

    def __repr__(self):
        raise RuntimeError("no repr")


class BadError(Exception):
    def __str__(self):
        raise RuntimeError("no text")


class BadFunction:
    @property
    def __signature__(self):
        raise RuntimeError("no signature")

    @property
    def __code__(self):
        raise RuntimeError("no code")

    def __call__(self, *args):
        return None


def loops(*args):
    while True:
        pass


free = threading.Event()  # who sleeps wakes up after the test


def sleeps(*args):
    free.wait()


def swallows(*args):
    """Ends by itself after a while, so that the test run can go on."""
    end = time.thread_time() + 1.5
    while time.thread_time() < end:
        try:
            while time.thread_time() < end:
                pass
        except BaseException:
            pass


def recurses(*args):
    return recurses(*args)


def exits(*args):
    sys.exit("done")


def interrupts(*args):
    raise KeyboardInterrupt


def raises_badly(*args):
    raise BadError


def prints_a_lot(*args):
    for _ in range(2000):
        print("spam" * 20)
        print("more spam", file=sys.stderr)
    return 7


def closes_output(*args):
    sys.stdout.close()
    print("after")


def replaces_output(*args):
    sys.stdout = None
    return np.zeros(3)


def contains_itself(*args):
    box = []
    box.append(box)
    return box


def warns(*args):
    return np.array([1.0, -1.0]) / 0.0


def eats_memory(*args):
    return np.zeros((10**7, 10**7))


def returns_much(*args):
    return np.broadcast_to(0.0, (10**9,))


def destroys(*args):
    for arg in args:
        if isinstance(arg, np.ndarray):
            arg.fill(-1)
        elif isinstance(arg, list):
            arg.clear()
    return 0.0


def yields(*args):
    yield 1


def asks(*args):
    return input("your answer? ")


async def waits(*args):
    return 1


HOSTILE = [
    loops,
    recurses,
    exits,
    interrupts,
    raises_badly,
    prints_a_lot,
    closes_output,
    replaces_output,
    contains_itself,
    warns,
    eats_memory,
    returns_much,
    destroys,
    yields,
    asks,
    BadFunction(),
    lambda *a: BadArray(),
    lambda *a: BadFunction,
    lambda *a: [BadArray()],
    lambda *a: torch.zeros(2, 2, dtype=torch.complex64),
    lambda *a: torch.zeros(2).to_sparse(),
    lambda *a: "<script>alert(1)</script>",
    lambda *a: b"bytes",
    lambda *a: [[1.0, 2.0], [3.0]],
    lambda *a: [None, 1.0],
    lambda *a: float("nan"),
    lambda *a: [],
    lambda *a: np.array([["a"]]),
    lambda *a: np.datetime64("2020-01-01"),
    lambda: 1,
    lambda a, b, c, d: 1,
    int,
    print,
    type,
    np.exp,
    object(),
    42,
    "softmax",
    np.eye(2),
    torch.eye(2),
    BadArray(),
]


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(guard, "SECONDS", 0.3)
    free.clear()
    yield
    free.set()


# Each check meets some of them, and each of them some of the checks.
SOME = [False, pytest.param(True, marks=pytest.mark.whole)]


def shown_to(name, answers, whole, one_in=6):
    """The answers that a check meets: all, or one in six in turn."""
    return answers if whole else answers[NAMES.index(name) % one_in :: one_in]


@pytest.mark.parametrize("whole", SOME)
@pytest.mark.parametrize("name", NAMES)
def test_hostile_answers(name, whole, impatient, capfd, recwarn):
    for answer in shown_to(name, HOSTILE, whole):
        start = time.process_time()
        verdict = getattr(checks, name)(answer)
        took = time.process_time() - start
        assert verdict.status == "wrong", (answer, verdict)
        assert took < 5, (answer, took)
        assert verdict.mistake != "not_checkable", answer
        assert repr(verdict) and "<script" not in verdict._repr_html_()
        assert " at 0x" not in repr(verdict)
    verdict = getattr(checks, name)(waits)
    assert verdict.status == "wrong"
    out, err = capfd.readouterr()
    assert out == "" and err == ""


@pytest.mark.parametrize("answer", [sleeps, swallows])
@pytest.mark.parametrize("name", ["BatchNorm", "beam"])
def test_what_cannot_be_stopped_is_left_behind(name, answer, impatient):
    verdict = getattr(checks, name)(answer)
    assert (verdict.status, verdict.mistake) == ("wrong", "never_ends")


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (loops, "never_ends"),
        (sleeps, "never_ends"),
        (swallows, "never_ends"),
        (recurses, "calls_itself_forever"),
        (exits, "calls_exit"),
        (np.eye(2), "not_a_function"),
        (lambda: 1, "signature"),
    ],
)
def test_hostile_answers_are_named(answer, mistake, impatient):
    assert checks.self_attention(answer).mistake == mistake


def test_a_stopped_loop_is_really_stopped(impatient):
    before = threading.active_count()
    checks.softmax(loops)
    assert threading.active_count() <= before


def test_a_loop_stops_within_the_limit_everywhere(impatient):
    found = []
    worker = threading.Thread(
        target=lambda: found.append(checks.softmax(loops))
    )
    worker.start()
    worker.join(600)
    assert found and found[0].mistake == "never_ends"


def test_slow_calls_share_one_budget(impatient):
    calls = []

    def slow(x, axis):
        calls.append(x)
        computes(0.2)
        return x

    assert checks.softmax(slow).mistake == "never_ends"
    assert len(calls) < 5  # of ten cases


def test_output_and_warnings_come_back_afterwards(capsys):
    before = sys.stdout, sys.stderr
    checks.softmax(replaces_output)
    checks.softmax(closes_output)
    assert (sys.stdout, sys.stderr) == before
    print("still here")
    assert "still here" in capsys.readouterr().out


def test_the_interrupt_of_the_user_passes(monkeypatch):
    def interrupted(thread, seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        limits.run(lambda: None, 1.0)


def test_cases_are_never_changed():
    for exercise in (
        softmax.EXERCISE,
        self_attention.EXERCISE,
        exact_match.EXERCISE,
    ):
        before = [repr(case.args) for case in exercise.cases]
        getattr(checks, exercise.name)(destroys)
        assert [repr(case.args) for case in exercise.cases] == before


@pytest.mark.parametrize("kind", [np.array, torch.tensor])
def test_an_input_inside_a_list_is_watched_too(kind):
    def looks(rows):
        return rows["a"][0] * 2, [row + 1 for row in rows["a"]]

    def writes(rows):
        rows["a"][1][0] = 9.0
        return 1.0

    def grows(rows):
        rows["a"].append(rows["a"][0])
        return 1.0

    rows = {"a": [kind([1.0, float("nan")]), kind([[2.0], [3.0]])]}
    rows["b"] = float("nan")
    assert guard.call(looks, (rows,), ["rows"]).changed == ()
    assert guard.call(writes, (rows,), ["rows"]).changed == ("rows",)
    assert guard.call(grows, (rows,), ["rows"]).changed == ("rows",)


# ------------------------------------------------------------ what is time


def computes(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


class BusyMachine:
    """A clock on the wall that goes five times as fast as this process."""

    pthread_getcpuclockid = getattr(time, "pthread_getcpuclockid", None)
    clock_gettime = getattr(time, "clock_gettime", None)
    process_time = time.process_time

    @staticmethod
    def monotonic():
        return 5 * time.process_time()


@pytest.mark.skipif(
    not hasattr(time, "pthread_getcpuclockid"), reason="no clock of a thread"
)
def test_a_busy_machine_makes_no_answer_late(monkeypatch):
    monkeypatch.setattr(limits, "time", BusyMachine)
    assert guard.call(lambda: computes(0.2) or 1.0, (), (), 0.3).array == 1.0
    late = guard.call(lambda: computes(0.4) or 1.0, (), (), 0.3)
    assert late.kind == "out of time"


def test_waiting_is_ended_too(impatient):
    answer = guard.call(sleeps, (), (), 0.2)
    assert answer.kind == "out of time"


@pytest.fixture
def slow_package(tmp_path, monkeypatch):
    """A package that takes a second to load, half of it between two parts."""
    folder = tmp_path / "slow_package"
    folder.mkdir()
    wait = (
        "import time\n"
        "end = time.thread_time() + 0.5\n"
        "while time.thread_time() < end: pass\n"
    )
    (folder / "__init__.py").write_text(
        "from . import part\n" + wait + "ready = part.ready\n"
    )
    (folder / "part.py").write_text(wait + "ready = 1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in [n for n in sys.modules if n.startswith("slow_package")]:
        del sys.modules[name]


def test_imports_do_not_count(slow_package):
    def loads():
        import slow_package

        return slow_package.ready

    answer = guard.call(loads, (), (), 0.3)
    assert answer.array == 1.0
    assert answer.seconds < 0.3


def test_no_answer_is_stopped_in_the_middle_of_an_import(slow_package):
    def loads_late():
        try:
            loops()
        except SystemExit:  # the time is up
            import slow_package

            return slow_package.ready

    def loads():
        import slow_package

        return slow_package.ready

    assert guard.call(loads_late, (), (), 0.3).kind == "out of time"
    assert "slow_package.part" in sys.modules
    assert guard.call(loads, (), (), 0.3).array == 1.0


def test_an_optimizer_may_be_the_first_of_the_process():
    program = (
        "import torch\n"
        "from transformer_course import checks\n"
        "from transformer_course.checks.engine import guard\n"
        "guard.SECONDS = 0.2\n"
        "def optimized():\n"
        "    weight = torch.nn.Parameter(torch.ones(1))\n"
        "    return torch.optim.SGD([weight], lr=0.5).param_groups[0]['lr']\n"
        "answer = guard.call(optimized, (), ())\n"
        "print(answer.text, answer.seconds < 0.2)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True
    )
    assert done.stdout.strip() == "0.5 True", done.stdout + done.stderr


def test_an_answer_left_behind_prints_into_no_later_one(impatient):
    def talks():
        while not free.is_set():
            try:
                while not free.is_set():
                    if isinstance(sys.stdout, output.Output):
                        print("left behind")
                    time.sleep(0.01)
            except BaseException:
                pass

    assert guard.call(talks, (), (), 0.2).kind == "out of time"
    assert guard.call(lambda: time.sleep(0.1), (), ()).printed == ""


# -------------------------------------------------- what is put back


def _state():
    return {
        "random": random.getstate(),
        "numpy": str(np.random.get_state()),
        "torch": torch.get_rng_state().tolist(),
        "type": torch.get_default_dtype(),
        "errors": np.geterr(),
        "folder": os.getcwd(),
        "recursion": sys.getrecursionlimit(),
        "setter": sys.setrecursionlimit,
        "warnings": list(warnings.filters),
        "abs": abs,
        "isclose": np.isclose,
        "exp": math.exp,
        "norm": np.linalg.norm,
    }


def changes_everything(x, axis):
    random.seed(1)
    np.random.seed(1)
    torch.manual_seed(1)
    torch.set_default_dtype(torch.float64)
    np.seterr(all="raise")
    os.chdir("/")
    sys.setrecursionlimit(3000)
    warnings.simplefilter("error")
    builtins.abs = np.isclose = math.exp = np.linalg.norm = len
    return x


@pytest.mark.parametrize(
    "end", [lambda: None, sys.exit, lambda: 1 / 0, lambda: loops()]
)
def test_what_an_answer_changes_around_it_is_put_back(end, impatient):
    def softmax(x, axis):
        changes_everything(x, axis)
        end()
        return x

    before = _state()
    assert checks.softmax(softmax).status == "wrong"
    after = _state()
    changed = [key for key in before if before[key] != after[key]]
    assert not changed


def test_random_answers_draw_anew_in_each_call_and_alike_in_each_check():
    drawn = []

    def softmax(x, axis):
        drawn.append((random.random(), np.random.rand(), torch.rand(1).item()))
        return x

    checks.softmax(softmax)
    calls = len(drawn)
    checks.softmax(softmax)
    assert len(set(drawn)) == calls > 5
    assert drawn[calls:] == drawn[:calls]


def test_numpy_cannot_be_talked_over():
    def softmax(x, axis):
        np.allclose = np.isclose = np.array_equal = lambda *a, **k: True
        np.isfinite = np.all = lambda *a, **k: True
        return x

    verdict = checks.softmax(softmax)
    assert verdict == checks.softmax(lambda x, axis: x)
    assert not np.allclose(0, 1)


def test_the_functions_of_python_come_back_whatever_they_are():
    before = dict(vars(builtins))

    def softmax(x, axis):
        for name in ("len", "all", "map", "isinstance", "setattr", "callable"):
            setattr(builtins, name, None)
        return x

    assert "cannot be read" in checks.softmax(softmax).message
    assert dict(vars(builtins)) == before


def test_a_comparison_does_not_ask_numpy_by_name(monkeypatch):
    monkeypatch.setattr(np, "allclose", lambda *a, **k: True)
    monkeypatch.setattr(np, "isclose", lambda *a, **k: np.True_)
    assert not checks.softmax(lambda x, axis: x).ok


# --------------------------------------------------------------- recursion


@pytest.mark.parametrize(
    ("limit", "deepest"),
    [
        (lambda n: sys.setrecursionlimit(n), limits.DEEPEST),
        (sys.setrecursionlimit, 5_000_000),  # seen a moment later
    ],
)
def test_a_high_recursion_limit_eats_no_memory(limit, deepest):
    depth = 0

    def softmax(x, axis):
        limit(10**7)
        return down(0)

    def down(n):
        nonlocal depth
        depth = n
        return down(n + 1)

    verdict = checks.softmax(softmax)
    assert verdict.mistake == "calls_itself_forever"
    assert 900 < depth < deepest and gc.isenabled()


def test_a_deep_recursion_that_ends_is_allowed():
    right = softmax.EXERCISE.solve

    def down(n):
        return 0 if n == 0 else down(n - 1)

    def deep(x, axis):
        sys.setrecursionlimit(15_000)
        return right(x, axis) + down(10_000)

    assert checks.softmax(deep).ok


def test_deep_recursion_through_c_does_not_end_the_process():
    program = (
        "import sys\n"
        "from transformer_course import checks\n"
        "def down(n): return max([n], key=down)\n"
        "def softmax(x, axis):\n"
        "    sys.setrecursionlimit(10**6)\n"
        "    return down(0)\n"
        "print(checks.softmax(softmax).mistake)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True
    )
    assert done.stdout.strip() == "calls_itself_forever", done.stderr[-300:]


# ------------------------------------------------- objects that do not tell


class Looping:
    """Whatever is asked about it takes forever."""

    def __call__(self, *args):
        return 1.0


def asked(kind, name, how):
    """A class like kind whose attribute misbehaves when it is read."""
    return type(kind.__name__, (kind,), {name: property(how)})


def hangs(self):
    while True:
        pass


def leaves(self):
    raise SystemExit


class Odd(type):
    """A metaclass: classes that misbehave when they are asked."""

    def __getattribute__(cls, name):
        if name in ("__mro__", "__dict__", "__signature__", "step"):
            sys.exit()
        return super().__getattribute__(name)


def with_signature(value):
    def softmax(x, axis):
        return x

    softmax.__signature__ = value
    return softmax


class ListThatHangs(list):
    def __iter__(self):
        while True:
            pass


UNTOLD = [
    *(
        asked(Looping, name, how)()
        for name in ("__signature__", "__code__", "__wrapped__")
        for how in (hangs, leaves)
    ),
    with_signature(asked(object, "parameters", hangs)()),
    lambda x, axis: asked(object, "__array__", hangs)(),
    lambda x, axis: type("Shown", (), {"__repr__": hangs})(),
    lambda x, axis: ["a", type("Shown", (), {"__repr__": leaves})()],
    lambda *, a=1, **k: type("N" * 10**6, (), {})(),
    type("N" * 10**6, (), {"__call__": lambda self, *args: self}),
    asked(Looping, "__class__", hangs)(),
    asked(Looping, "__class__", leaves)(),
    asked(Looping, "__signature__", leaves)(),
    with_signature(3),
    Odd("Strange", (), {"step": 1}),
    ListThatHangs([1, 2]),
]


@pytest.mark.parametrize("whole", SOME)
@pytest.mark.parametrize("name", NAMES)
def test_objects_that_do_not_let_themselves_be_read(
    name, whole, monkeypatch, capfd
):
    monkeypatch.setattr(guard, "SECONDS", 0.05)
    monkeypatch.setattr(foreign, "SECONDS", 0.05)
    threads = threading.active_count()
    for answer in shown_to(name, UNTOLD, whole):
        start = time.process_time()
        verdict = getattr(checks, name)(answer)
        assert time.process_time() - start < 3
        assert verdict.status == "wrong", (type(answer), verdict)
        assert len(repr(verdict)) < 5000
    assert threading.active_count() <= threads
    assert capfd.readouterr() == ("", "")


def test_an_object_that_exits_when_it_is_looked_at_ends_no_check():
    odd = asked(Looping, "__class__", leaves)()
    submission = Submission(BatchNorm.EXERCISE, odd)
    assert submission.precondition() is None  # it can only be run
    assert not submission.does_nothing()


def test_a_first_line_of_a_million_names_is_cut():
    space = {}
    inputs = ", ".join(f"a{i}" for i in range(5000))
    exec(f"def softmax({inputs}): return 1", space)
    verdict = checks.softmax(space["softmax"])
    assert verdict.mistake == "signature"
    assert len(verdict.message) < 1000
