"""What surrounds the call of a student's code: threads, time, the notebook."""

import contextlib
import random
import sys
import threading
import time
import warnings

import numpy as np
import pytest
import torch

from transformer_course.checks.engine import guard
from transformer_course.checks.engine.box import limits, one_check


def loops():
    with contextlib.suppress(SystemExit):
        while True:
            pass


def is_inside():
    return limits.is_running_inside()


# -------------------------------------------------------------------- threads


def test_a_call_runs_in_a_thread_with_a_stack_of_its_own():
    assert guard.call(is_inside, (), ()).array == 1.0
    assert not limits.is_running_inside()
    assert threading.stack_size() == 0  # the usual one again


@pytest.mark.parametrize("largest", [0, -1])
def test_a_system_with_small_stacks_or_without_threads(monkeypatch, largest):
    start, stacks = threading.Thread.start, []

    def refuses(thread):
        stacks.append(threading.stack_size())
        threading.stack_size(stacks[-1])  # asking has set it to 0
        if stacks[-1] > largest:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuses)
    assert guard.call(is_inside, (), ()).array == (largest == 0)
    assert stacks[0] > 2**25 and stacks[1] == 0  # first a large one


def test_an_interrupt_of_the_user_stops_the_answer(monkeypatch):
    threads, join, seen = threading.active_count(), threading.Thread.join, []

    def interrupted(thread, seconds):
        if not seen:
            seen.append(thread)
            raise KeyboardInterrupt
        join(thread, seconds)

    monkeypatch.setattr(threading.Thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        limits.run(loops, 60.0)
    assert threading.active_count() <= threads


def test_who_swallows_the_first_stop_is_stopped_by_the_next():
    threads = threading.active_count()

    def swallows():
        for _ in range(3):
            loops()

    assert guard.call(swallows, (), (), 0.05).kind == "out of time"
    assert threading.active_count() <= threads


# ----------------------------------------------------------------------- time


def test_waiting_is_counted_once():
    start = time.monotonic()
    finished, used = limits.run(lambda: time.sleep(0.2), 30.0)
    assert finished and 0 < used <= time.monotonic() - start


class Starved:
    """A clock that runs a second while a thread gets a thousandth of one.

    So it is where many programs share a processor: both threads wait, the one
    that watches and the one that is watched.
    """

    pthread_getcpuclockid = getattr(time, "pthread_getcpuclockid", None)
    clock_gettime = getattr(time, "clock_gettime", None)
    process_time = time.process_time

    @staticmethod
    def monotonic():
        return 1000 * time.process_time()


def computes(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@pytest.mark.parametrize("can_tell", [True, False])
def test_who_waits_for_a_turn_is_not_late(monkeypatch, can_tell):
    monkeypatch.setattr(limits, "time", Starved)
    if not can_tell:  # Windows and macOS
        monkeypatch.setattr(limits, "_wants_to_run", lambda thread: False)
    answer = guard.call(lambda: computes(0.1) or 1.0, (), (), 1.0)
    assert answer.array == 1.0


@pytest.mark.parametrize("can_tell", [True, False])
def test_who_sleeps_is_ended_and_the_seconds_are_true(monkeypatch, can_tell):
    if not can_tell:
        monkeypatch.setattr(limits, "_wants_to_run", lambda thread: False)
    start = time.monotonic()
    answer = guard.call(lambda: time.sleep(30), (), (), 0.2)
    took = time.monotonic() - start  # on a busy machine more than 0.2
    assert answer.kind == "out of time"
    assert 0.19 < answer.seconds <= took < 15
    told = answer.text.removeprefix("no answer after ").partition(" ")
    assert 0.2 <= float(told[0]) < took + 0.1 and told[2] == "seconds"


@pytest.mark.skipif(sys.platform != "linux", reason="others cannot be asked")
def test_a_thread_that_runs_is_told_from_one_that_sleeps():
    free = threading.Event()
    sleeper = threading.Thread(target=free.wait)
    runner = threading.Thread(target=lambda: computes(0.5))
    sleeper.start(), runner.start()
    while limits._wants_to_run(sleeper):  # it has not come to its wait
        time.sleep(0.01)
    seen = [(limits._wants_to_run(t)) for t in (sleeper, runner) * 9]
    free.set(), sleeper.join(), runner.join()
    assert True in seen[1::2] and True not in seen[::2]
    assert not limits._wants_to_run(sleeper)  # it has ended


def test_an_import_does_not_last_for_ever(tmp_path, monkeypatch):
    door = threading.Event()
    monkeypatch.setitem(sys.modules, "a_door", door)
    (tmp_path / "never_loaded.py").write_text("import a_door\na_door.wait()\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(limits, "_IMPORTS", 0.1)
    threads = threading.active_count()

    def loads():
        import never_loaded  # noqa: F401

    assert guard.call(loads, (), (), 30.0).kind == "out of time"
    door.set()
    while threading.active_count() > threads:
        time.sleep(0.02)


# --------------------------------------------------------------- the notebook


@pytest.fixture
def another_notebook():
    """One whose user has changed what a check puts back."""
    limit = sys.getrecursionlimit()
    torch.set_default_dtype(torch.float64)
    sys.setrecursionlimit(limits.DEEPEST + 5000)
    yield
    sys.setrecursionlimit(limit)
    torch.set_default_dtype(torch.float32)


def test_the_users_own_settings_stay(another_notebook):
    def changes():
        torch.set_default_dtype(torch.float16)
        return sys.getrecursionlimit()

    assert guard.call(changes, (), ()).array == limits.DEEPEST
    assert torch.get_default_dtype() == torch.float64
    assert sys.getrecursionlimit() == limits.DEEPEST + 5000


def test_a_recursion_limit_is_kept_within_bounds():
    def sets(limit):
        sys.setrecursionlimit(limit)
        return sys.getrecursionlimit()

    usual = sys.getrecursionlimit()
    for wanted, got in ((40, usual), (15_000, 15_000), (10**7, limits.DEEPEST)):
        assert guard.call(sets, (wanted,), ("limit",)).array == got


def test_a_folder_that_is_gone_spoils_nothing_else(tmp_path, monkeypatch):
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    state, root = random.getstate(), np.linalg.norm

    def leaves():
        np.linalg.norm = None
        torch.set_default_dtype(torch.float64)
        if folder.exists():
            folder.rmdir()
        return random.random()

    for _ in range(2):  # the second time there is no folder to save
        assert guard.call(leaves, (), ()).kind == "array"
        assert random.getstate() == state and np.linalg.norm is root
        assert torch.get_default_dtype() == torch.float32


def test_warnings_are_not_shown():
    shown = []

    def warns():
        warnings.showwarning = lambda *args, **named: shown.append(args)
        warnings.warn("mind the gap", stacklevel=1)
        return 1.0

    assert guard.call(warns, (), ()).array == 1.0
    assert shown == []


def test_random_numbers_move_on_within_one_check():
    def draws():
        return [random.random(), np.random.rand(), torch.rand(1).item()]

    def two():
        with one_check():
            return [guard.call(draws, (), ()).array.tolist() for _ in "ab"]

    (first, second), again = two(), two()
    assert not set(first) & set(second) and again == [first, second]
    assert guard.call(draws, (), ()).array.tolist() == first
    assert guard.call(draws, (), ()).array.tolist() == first
