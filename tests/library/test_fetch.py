"""A corpus comes whole, from the web or from a folder, and only if agreed.

The corpus of these tests is made here, and so is the server, which has bad
moments as told; of the real corpora, the table is tested.
"""

import contextlib
import gzip
import hashlib
import http.server
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import termios
import threading
import time
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import pooch
import pytest

from transformer_lib.cli import fetch as command
from transformer_lib.cli import main
from transformer_lib.corpora import CORPORA, MULTI30K, Corpus, CorpusFile

NAMES = ("train.en", "train.de", "val.en", "val.de")


def lines(name: str) -> bytes:
    chance = random.Random(name)
    number = 2000 if name.startswith("train") else 40
    text = [f"Grüße {chance.randrange(10**9)}\n" for _ in range(number)]
    return "".join(text).encode()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


TEXTS = {name: lines(name) for name in NAMES}
PACKED = {name: gzip.compress(text, mtime=0) for name, text in TEXTS.items()}
TINY = Corpus(
    name="tiny",
    url="http://127.0.0.1:9/nobody",
    files=tuple(
        CorpusFile(
            name,
            len(PACKED[name]),
            sha256(PACKED[name]),
            sha256(TEXTS[name]),
        )
        for name in NAMES
    ),
    training=NAMES[:2],
    validation=NAMES[2:],
    home="https://example.org/tiny",
    terms="Only for those who like small things.",
    citation="A. Nobody (2026), Nothing.",
)


# -------------------------------------------------------------------- a server


class Server(http.server.ThreadingHTTPServer):
    """Serves PACKED.

    Attributes:
        asked: the name of each file that was asked for, in order.
        moments: how to answer the next requests; when none is left, well.
    """

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/raw"
        self.asked, self.moments = [], []
        self.over = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.removeprefix("/raw/")
        self.server.asked.append(name)
        moments = self.server.moments
        answer = moments.pop(0) if moments else well
        answer(self, PACKED[name.removesuffix(".gz")])

    def log_message(self, *_):
        pass


def well(handler, data, announced=None):
    handler.send_response(200)
    handler.send_header("Content-Length", str(announced or len(data)))
    handler.end_headers()
    handler.wfile.write(data)


def wrong(handler, data):
    """One bit is another one."""
    well(handler, data[:-9] + bytes([data[-9] ^ 1]) + data[-8:])


def breaks_off(handler, data):
    well(handler, data[: len(data) // 2], len(data))
    handler.close_connection = True


def stalls(handler, data):
    """Send a half, and then nothing."""
    well(handler, data[: len(data) // 2], len(data))
    handler.server.over.wait(5)


def status(code):
    return lambda handler, data: handler.send_error(code)


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(command, "TIMEOUT", 0.3)
    server = Server()
    threading.Thread(target=server.serve_forever, args=(0.01,)).start()
    yield server
    server.over.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def slept(monkeypatch):
    """The pauses before another try, which are not made."""
    seconds = []
    fake = SimpleNamespace(sleep=seconds.append)
    monkeypatch.setattr(pooch.core, "time", fake)
    return seconds


@pytest.fixture
def tiny(server, slept, monkeypatch):
    """The corpus of these tests, as the command line knows it."""
    corpus = replace(TINY, url=server.url)
    monkeypatch.setitem(CORPORA, "tiny", corpus)
    return corpus


def there(folder) -> dict[str, bytes]:
    """Everything in a folder."""
    return {p.name: p.read_bytes() for p in Path(folder).iterdir()}


def fetch(out, *more) -> int:
    return main(["fetch", "tiny", "--yes", "--out", str(out), *map(str, more)])


def refused(capsys, command, *parts):
    """Expect exit code 2 and one line on standard error."""
    assert main([str(part) for part in command]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1 and said.err.startswith("fetch: ")
    for part in parts:
        assert part in said.err
    return said.out


# -------------------------------------------------------------------- the table


@pytest.mark.parametrize("name", CORPORA)
def test_an_entry_of_the_table_is_complete(name):
    corpus = CORPORA[name]
    assert corpus.name == name
    assert corpus.url.startswith("https://") and not corpus.url.endswith("/")
    assert re.search("/[0-9a-f]{40}/", corpus.url), "name a commit"
    names = [file.name for file in corpus.files]
    assert len(set(names)) == len(names)
    assert {*corpus.training, *corpus.validation} <= set(names)
    sums = [
        x for file in corpus.files for x in (file.packed_sha256, file.sha256)
    ]
    assert len(set(sums)) == len(sums)
    assert all(re.fullmatch("[0-9a-f]{64}", x) for x in sums)
    assert all(file.packed_size > 0 for file in corpus.files)
    assert corpus.terms and corpus.citation
    assert corpus.home.startswith("https://")
    assert max(map(len, f"{corpus.terms}\n{corpus.citation}".split("\n"))) < 81


def test_what_multi30k_may_be_used_for():
    text = " ".join(MULTI30K.terms.split())
    assert "non-commercial research and/or educational purposes" in text
    parts = ("train", "val", "test_2016_flickr")
    assert [file.name for file in MULTI30K.files] == [
        f"{part}.{side}" for part in parts for side in ("en", "de")
    ]


# ---------------------------------------------------------------- the agreement


def answers(monkeypatch, text):
    """Be somebody at a terminal who types this."""
    stdin = io.StringIO(text)
    stdin.isatty = lambda: True
    monkeypatch.setattr(sys, "stdin", stdin)


def test_somebody_who_agrees_gets_the_corpus_once(
    server, tiny, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    answers(monkeypatch, "y\n")
    assert main(["fetch", "tiny"]) == 0
    said = capsys.readouterr()
    assert there("data/tiny") == TEXTS
    assert server.asked == [f"{name}.gz" for name in NAMES]
    assert said.out.index(tiny.terms) < said.out.index("Do you agree")
    assert tiny.citation in said.out and said.err == ""
    train = "train --source data/tiny/train.en --target data/tiny/train.de"
    assert train in said.out
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main(["fetch", "tiny"]) == 0
    said = capsys.readouterr()
    assert said.out == "data/tiny has all of tiny already; nothing to do\n"
    assert len(server.asked) == 4


@pytest.mark.parametrize("answer", ["n\n", "\n", "yesterday\n", ""])
def test_somebody_who_does_not_agree(
    server, tiny, tmp_path, monkeypatch, capsys, answer
):
    monkeypatch.chdir(tmp_path)
    answers(monkeypatch, answer)
    assert tiny.terms in refused(capsys, ["fetch", "tiny"], "did not agree")
    assert not server.asked and not list(tmp_path.iterdir())


def test_a_script_has_to_say_yes(server, tiny, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    assert refused(capsys, ["fetch", "tiny"], tiny.home, "--yes") == ""
    assert not server.asked and not list(tmp_path.iterdir())
    assert fetch("here") == 0
    said = capsys.readouterr()
    assert there("here") == TEXTS
    assert tiny.terms in said.out and "Do you" not in said.out
    assert said.err == ""  # no progress bar outside a terminal


# ---------------------------------------------------------------- from the web


def test_only_what_is_missing_comes(server, tiny, tmp_path):
    fetch(tmp_path)
    (tmp_path / "val.en").unlink()
    server.asked.clear()
    assert fetch(tmp_path) == 0
    assert server.asked == ["val.en.gz"] and there(tmp_path) == TEXTS


@pytest.mark.parametrize("slash", ["", "/"])
def test_another_server(server, slept, tmp_path, monkeypatch, slash):
    monkeypatch.setitem(CORPORA, "tiny", TINY)
    assert fetch(tmp_path, "--from", server.url + slash) == 0
    assert server.asked == [f"{name}.gz" for name in NAMES]
    assert there(tmp_path) == TEXTS


@pytest.mark.parametrize(
    "moment", [status(503), status(429), breaks_off, stalls, wrong]
)
def test_a_server_with_a_bad_moment_is_asked_again(
    server, tiny, slept, tmp_path, capsys, moment
):
    server.moments = [well, moment, moment]
    assert fetch(tmp_path) == 0
    assert there(tmp_path) == TEXTS
    assert server.asked.count("train.de.gz") == 3 and slept == [1, 2]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "moment, said",
    [
        (status(404), "HTTP 404 Not Found; check the address"),
        (status(500), "HTTP 500 Internal Server Error; check"),
        (breaks_off, "more expected"),
        (stalls, "timed out"),
        (wrong, f"expected {TINY.files[1].packed_sha256} but got "),
    ],
)
def test_a_server_that_stays_bad_is_one_line(
    server, tiny, slept, tmp_path, capsys, moment, said
):
    server.moments = [well, *[moment] * 9]
    command = ["fetch", "tiny", "--yes", "--out", tmp_path]
    refused(capsys, command, f"{server.url}/train.de.gz: ", said, "--from")
    assert server.asked.count("train.de.gz") == 4 and slept == [1, 2, 3]
    assert there(tmp_path) == {"train.en": TEXTS["train.en"]}


def test_nobody_there(slept, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setitem(CORPORA, "tiny", TINY)
    command = ["fetch", "tiny", "--yes", "--out", tmp_path]
    refused(capsys, command, f"{TINY.url}/train.en.gz: Connection refused; ")
    assert there(tmp_path) == {}


def test_a_file_of_somebody_else_is_left_alone(server, tiny, tmp_path, capsys):
    (tmp_path / "val.de").write_text("my own\n")
    command = ["fetch", "tiny", "--yes", "--out", tmp_path]
    said = ["val.de is there", "not the file of tiny", "another --out"]
    refused(capsys, command, *said)
    assert there(tmp_path) == {"val.de": b"my own\n"} and not server.asked
    refused(capsys, [*command[:-1], tmp_path / "val.de"], "is no folder")


def test_where_nothing_can_be_written(tiny, tmp_path, capsys):
    command = ["fetch", "tiny", "--yes", "--out"]
    refused(capsys, [*command, "/proc/no/such"], "/proc/no'; once that is")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_one_line(tiny, tmp_path, capsys):
    (tmp_path / "train.en.part").symlink_to("/dev/full")
    command = ["fetch", "tiny", "--yes", "--out", tmp_path]
    refused(capsys, command, "No space left", "train.en'; make room")
    assert there(tmp_path) == {}


# ------------------------------------------------------ in a process of its own


CHILD = """
import json, os, signal, sys
from transformer_lib import cli, corpora

corpus, death, *command = sys.argv[1:]
# A test run in the background has Ctrl-C switched off.
signal.signal(signal.SIGINT, signal.default_int_handler)
corpus = json.loads(corpus)
files = tuple(corpora.CorpusFile(**file) for file in corpus.pop("files"))
corpora.CORPORA["tiny"] = corpora.Corpus(files=files, **corpus)
if death == "when it writes":
    def dies(file):
        os.ftruncate(file, os.fstat(file).st_size // 2)
        os.kill(os.getpid(), signal.SIGKILL)
    os.fsync = dies
sys.exit(cli.main(command))
"""


def child(corpus, death, out, *more, **ends):
    """The command in a process of its own."""
    said = json.dumps(asdict(corpus))
    command = [sys.executable, "-c", CHILD, said, death]
    usual = {"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        [*command, "fetch", "tiny", "--out", str(out), *more],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(out.parent)},
        **(usual | ends),
    )


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_stopped_while_a_file_comes(server, tiny, tmp_path, number):
    server.moments = [well, stalls]
    process = child(tiny, "", tmp_path, "--yes")
    end = time.monotonic() + 300
    while len(server.asked) < 2:
        assert time.monotonic() < end and process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    _, said = process.communicate(timeout=300)
    assert there(tmp_path) == {"train.en": TEXTS["train.en"]}
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert said.startswith("fetch: stopped; run the command again")
        assert said.count("\n") == 1
    server.asked.clear()
    assert fetch(tmp_path) == 0
    assert there(tmp_path) == TEXTS
    assert server.asked == [f"{name}.gz" for name in NAMES[1:]]


def test_killed_while_a_text_is_written(server, tiny, tmp_path):
    process = child(tiny, "when it writes", tmp_path, "--yes")
    process.communicate(timeout=300)
    assert process.returncode == -signal.SIGKILL
    assert set(there(tmp_path)) == {"train.en.part"}
    assert fetch(tmp_path) == 0
    assert there(tmp_path) == TEXTS


def test_a_progress_bar_on_a_terminal(tiny, tmp_path):
    ours, its = os.openpty()
    termios.tcsetwinsize(its, (25, 80))
    process = child(tiny, "", tmp_path, stdin=its, stderr=its)
    os.close(its)
    os.write(ours, b"y\n")
    said = b""
    with contextlib.suppress(OSError):  # the end of a terminal
        while more := os.read(ours, 1 << 16):
            said += more
    os.close(ours)
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0 and there(tmp_path) == TEXTS
    for name in NAMES:
        assert f"{name}.gz: 100%".encode() in said
    assert "Do you agree" in out


# --------------------------------------------------------------- from a folder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two files packed, two plain."""
    monkeypatch.setitem(CORPORA, "tiny", TINY)
    place = tmp_path / "given"
    place.mkdir()
    for name in NAMES[:2]:
        (place / f"{name}.gz").write_bytes(PACKED[name])
    for name in NAMES[2:]:
        (place / name).write_bytes(TEXTS[name])
    return place


def test_a_folder_is_taken_instead(folder, tmp_path):
    before, out = there(folder), tmp_path / "x" / "out"
    assert fetch(out, "--from", folder) == 0
    assert there(out) == TEXTS and there(folder) == before
    assert fetch(folder, "--from", folder) == 0
    assert there(folder) == before | TEXTS


@pytest.mark.parametrize(
    "name, data, wanted",
    [
        ("val.en", TEXTS["val.en"][:-1], TINY.files[2].sha256),
        ("train.de.gz", PACKED["train.de"][:-1], TINY.files[1].packed_sha256),
    ],
)
def test_a_folder_with_another_file(
    folder, tmp_path, capsys, name, data, wanted
):
    (folder / name).write_bytes(data)
    out = tmp_path / "out"
    command = ["fetch", "tiny", "--yes", "--out", out, "--from", folder]
    refused(capsys, command, f"{folder}/{name} is", sha256(data), wanted)
    assert name.removesuffix(".gz") not in there(out)
    assert (folder / name).read_bytes() == data


def test_a_folder_without_a_file(folder, tmp_path, capsys):
    (folder / "train.de.gz").unlink()
    command = ["fetch", "tiny", "--yes", "--out", tmp_path / "out", "--from"]
    said = ["given", "neither train.de.gz nor train.de", "--from"]
    refused(capsys, [*command, folder], *said)
    nowhere = [*command, tmp_path / "nowhere"]
    assert refused(capsys, nowhere, "nowhere is no folder", "https://") == ""


def test_a_text_with_another_checksum(folder, tmp_path, capsys, monkeypatch):
    """The packed file is the published one: then the table is wrong."""
    first = replace(TINY.files[0], sha256="0" * 64)
    corpus = replace(TINY, files=(first, *TINY.files[1:]))
    monkeypatch.setitem(CORPORA, "tiny", corpus)
    command = ["fetch", "tiny", "--yes", "--out", tmp_path, "--from", folder]
    refused(capsys, command, "train.en is not", "0" * 64)
    assert "train.en" not in there(tmp_path / "given")
