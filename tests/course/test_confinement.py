"""What a student's code reaches: each layer is tried alone, and none."""

import json
import os
import platform
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from transformer_course.confinement import landlock
from transformer_course.confinement.start import (
    DISK,
    FILES,
    SPACES,
    SYSTEM_CALLS,
)
from transformer_course.grading.running import leftovers
from transformer_course.grading.running.guarding import protect, told
from transformer_course.grading.running.process import Limits, Process
from transformer_course.grading.running.reasons import Lost

LAYERS = (SPACES, FILES, SYSTEM_CALLS)
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"),
    reason="the sandbox is Linux's",
)

LEFT = ("/tmp/left-by-a-test", "/dev/shm/left-by-a-test")

# What is tried, and each layer that prevents it. `place` is a folder of the
# grader's, `grader` its number. What fails, raises OSError.
TRIED = {
    "stops the grader": (
        "os.kill(grader, 0)",
        (SPACES, SYSTEM_CALLS),
    ),
    "ends everybody": (
        "import signal\nos.kill(-1, 0)",
        (SYSTEM_CALLS,),
    ),
    "starves the grader": (
        "import resource\nresource.prlimit(grader, resource.RLIMIT_CORE)",
        (SPACES, SYSTEM_CALLS),
    ),
    "has a signal sent": (
        "import fcntl\nr, w = os.pipe()\nfcntl.fcntl(r, 10, 19)",
        (SYSTEM_CALLS,),
    ),
    "looks at the grader": (
        "open(f'/proc/{grader}/cmdline').read()",
        (FILES,),
    ),
    "changes another's memory": (
        "open(f'/proc/{other}/mem', 'r+b')",
        (FILES,),
    ),
    "reads a neighbor": ("open(place + '/neighbor').read()", (FILES,)),
    "lists the neighbors": ("os.listdir(place)", (FILES,)),
    "writes a table": ("open(place + '/neighbor', 'a').write('x')", (FILES,)),
    "puts a file aside": ("open(place + '/new', 'w').write('x')", (FILES,)),
    "leaves a file": ("open('/tmp/left-by-a-test', 'w')", (FILES,)),
    "shares files in memory": (
        "open('/dev/shm/left-by-a-test', 'w')",
        (FILES,),
    ),
    "locks a neighbor out": (
        "os.chmod(place + '/neighbor', 0o600)",
        (SYSTEM_CALLS,),
    ),
    "comes late and says early": (
        "os.utime(place + '/neighbor', (0, 0))",
        (SYSTEM_CALLS,),
    ),
    "removes a neighbor": ("os.remove(place + '/neighbor')", (FILES,)),
    "hides behind a link": (
        "os.symlink(place + '/neighbor', 'l')\nopen('l').read()",
        (FILES,),
    ),
    "calls home": (
        "import socket\ns = socket.socket()\n"
        "if s.connect_ex(('127.0.0.1', port)):\n    raise OSError",
        (SPACES, FILES, SYSTEM_CALLS),
    ),
    "sends a word": (
        "import socket\ns = socket.socket(type=socket.SOCK_DGRAM)\n"
        "s.sendto(b'x', ('127.0.0.1', port))",
        (SPACES, SYSTEM_CALLS),
    ),
    "asks a service of the user": (
        "import socket\ns = socket.socket(socket.AF_UNIX)\n"
        "s.connect(place + '/service')",
        (SYSTEM_CALLS,),
    ),
    "shares memory": ("import mmap\nmmap.mmap(-1, 2**20)", (SYSTEM_CALLS,)),
    "keeps memory in a file": ("os.memfd_create('x')", (SYSTEM_CALLS,)),
    "keeps memory by number": (
        "import ctypes\nc = ctypes.CDLL(None, use_errno=True)\n"
        "if c.shmget(0, 4096, 0o1600) < 0:\n    raise OSError",
        (SYSTEM_CALLS,),
    ),
    "makes a world of its own": (
        "import ctypes\nif os.fork() == 0:\n"
        "    os._exit(-ctypes.CDLL(None).unshare(0x10000000))\n"
        "if os.wait()[1]:\n    raise OSError",
        (SYSTEM_CALLS,),
    ),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    import socket

    place = tmp_path_factory.mktemp("grader")
    with socket.socket() as net, socket.socket(socket.AF_UNIX) as service:
        net.bind(("127.0.0.1", 0))
        net.listen()
        service.bind(str(place / "service"))
        service.listen()
        yield place, net.getsockname()[1]


@pytest.fixture(scope="module")
def reached(place):
    """What works for an answer, by the layers there are, one or none."""
    yield {sandbox: works(sandbox, place) for sandbox in ((), *zip(LAYERS))}
    for left in LEFT:
        Path(left).unlink(missing_ok=True)


def works(sandbox, place):
    folder, port = place
    head = f"import os\nplace, port, grader = {str(folder)!r}, {port}, "
    found = {}
    limits = Limits(start=60, sandbox=sandbox)
    with Process(limits) as other, Process(limits) as process:
        other.ask("start", exercises=[])
        head += f"{os.getpid()}\nother = {innermost(other)}\n"
        assert process.ask("start", exercises=["softmax"]) == [*sandbox]
        for name, (body, _) in TRIED.items():
            (folder / "neighbor").write_text("an answer")
            process.begin()
            body = textwrap.indent(body, "        ")
            text = (
                f"{head}def softmax(x, axis):\n    try:\n{body}\n"
                "    except OSError:\n        return 0 * x\n"
                "    return 0 * x + 1\n"
            )
            found[name] = ran(process, text)
    return found


def innermost(process):
    """The number of the process in which answers run, as seen from here."""
    number = process._child.pid
    while below := children(number):
        number = below[0]
    return number


def children(number):
    path = Path(f"/proc/{number}/task/{number}/children")
    return [int(word) for word in path.read_text().split()]


def ran(process, text):
    asked = {"name": "softmax", "given": "softmax", "kept": [0]}
    process.ask("find", texts=[text], own=[0], seconds=20.0, **asked)
    answer = process.ask("run", args=(np.ones(1), 0), seconds=10.0)
    return answer["text"] if answer["array"] is None else answer["array"][0]


@pytest.mark.parametrize("name", TRIED)
def test_a_wall_closes_what_is_open_without_it(name, reached):
    assert reached[()][name] == 1, "it has to be open where there is no sandbox"
    for layer in TRIED[name][1]:
        assert reached[(layer,)][name] == 0, f"{layer} has a hole"


def test_the_walls_are_told():
    limits = protect()
    assert limits.sandbox == (SPACES, DISK, FILES, SYSTEM_CALLS)
    assert told(limits).startswith("Students' code is confined by: namesp")
    assert "Open to it" not in told(limits)
    assert "Open to it: your files" in told(Limits(sandbox=(SPACES,)))


def test_a_wall_that_has_to_stand_and_does_not_stops_the_process(monkeypatch):
    begin = (
        "import sys\n"
        "from transformer_course.confinement import landlock, start\n"
        "landlock.version = lambda: 99\n"
        "landlock._CREATE = 9999\n"
        "folder, wanted = sys.argv[1], {wanted!r}\n"
        "print(start.put_up(folder, (4096, 9, 99), 9, None, wanted))"
    )

    def stands(wanted, folder):
        return subprocess.run(
            [sys.executable, "-c", begin.format(wanted=wanted), str(folder)],
            capture_output=True,
            text=True,
        )

    folder = Path(__file__).parent
    assert FILES not in stands(None, folder).stdout
    assert stands([FILES], folder).returncode != 0


def test_what_was_left_running_ends_with_its_world():
    """Whoever leaves session and group is ended all the same."""
    text = (
        "import os, time\ndef softmax(x, axis):\n"
        "    if os.fork() == 0:\n        os.setsid()\n"
        "        if os.fork() == 0:\n            time.sleep(98766)\n"
        "        os._exit(0)\n    return x\n"
    )
    with Process(Limits(start=60, sandbox=(SPACES,))) as process:
        process.ask("start", exercises=["softmax"])
        assert ran(process, text) == 1
        mine = json.dumps([str(process.folder)])[1:-1].encode()
    for found in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            assert mine not in found.read_bytes(), found
        except FileNotFoundError:
            continue


FILLS = """\
import os, time
def softmax(x, axis):
    n = 0
    try:
        for n in range(99):
            os.mkdir(str(n))
            os.chdir(str(n))
            open("f", "wb").write(bytes(2**20))
        time.sleep(5)  # somebody looks at the folder now and then
    except OSError:
        pass
    return x * 0 + n
"""


@pytest.mark.parametrize("layers", [(SPACES, DISK), LAYERS[:1]])
def test_a_disk_is_full_at_its_quota_and_leaves_nothing(layers):
    """Below folders in folders, too, whose sizes nobody has to add up."""
    limits = Limits(start=60, sandbox=layers, folder=8)
    with Process(limits) as process:
        process.ask("start", exercises=["softmax"])
        try:
            written = ran(process, FILLS)
        except Lost as lost:
            assert DISK not in layers and lost.name == "fills_the_disk"
        else:
            assert DISK in layers and written == 8
            assert not list(process.folder.iterdir())
        folder = process.folder
    assert not folder.exists()


@pytest.fixture
def deep(tmp_path):
    """A folder with 2,000 folders in one another, files, and a link out."""
    (tmp_path / "mine").write_text("stays")
    top = tmp_path / "answers"
    top.mkdir()
    place = os.open(top, os.O_RDONLY)
    for n in range(2000):
        os.mkdir("d" * 9, dir_fd=place)
        below = os.open("d" * 9, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = below
        if n % 500 == 0:
            file = os.open("f", os.O_CREAT | os.O_WRONLY, dir_fd=place)
            os.write(file, bytes(2**10))
            os.close(file)
            os.symlink(tmp_path, "out", dir_fd=place)
            os.mkdir("closed", 0, dir_fd=place)
    os.close(place)
    return top


def test_what_lies_deep_counts_as_too_much_and_goes(deep):
    assert leftovers.size(deep, 256) == 257
    leftovers.remove(deep)
    assert [path.name for path in deep.parent.iterdir()] == ["mine"]
    deep.mkdir()
    (deep / "f").write_bytes(bytes(2**20))
    assert leftovers.size(deep, 256) == 1


def test_landlock_has_the_version_that_it_says():
    assert landlock.version() >= 1
