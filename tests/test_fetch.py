"""A corpus comes whole, from the web or from a folder, and only if agreed.

The corpus of these tests is made here; of the real ones, the table is tested.
"""

import contextlib
import gzip
import hashlib
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import termios
import time
import tracemalloc
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import web as days
from refusal import refuses
from web import web  # noqa: F401

from transformer_lib import download, published
from transformer_lib.cli import main
from transformer_lib.download import Digest
from transformer_lib.fetch import fetch, missing
from transformer_lib.parallel_text import read_parallel
from transformer_lib.published import CORPORA, Corpus, CorpusFile

NAMES = ("train.en", "train.de", "val.en", "val.de")


def digest(data: bytes) -> Digest:
    return Digest(len(data), hashlib.sha256(data).hexdigest())


def lines(name: str) -> bytes:
    chance = random.Random(name)
    number = 2000 if name.startswith("train") else 40
    text = [f"Grüße {chance.randrange(10**9)}\n" for _ in range(number)]
    return "".join(text).encode()


TEXTS = {name: lines(name) for name in NAMES}
PACKED = {name: gzip.compress(text, mtime=0) for name, text in TEXTS.items()}
TINY = Corpus(
    name="tiny",
    url="http://127.0.0.1:9/nobody",
    files=tuple(
        CorpusFile(name, digest(PACKED[name]), digest(TEXTS[name]))
        for name in NAMES
    ),
    training=NAMES[:2],
    validation=NAMES[2:],
    home="https://example.org/tiny",
    terms="Only for those who like small things.",
    citation="A. Nobody (2026), Nothing.",
)


@pytest.fixture
def server(web, monkeypatch):  # noqa: F811
    monkeypatch.setattr(download, "TIMEOUT", 0.3)
    monkeypatch.setattr(download, "PAUSES", (0.001, 0.001))
    web.files |= {f"/raw/{name}.gz": PACKED[name] for name in NAMES}
    return web


@pytest.fixture
def tiny(server, monkeypatch):
    """The corpus of these tests, as the command line knows it."""
    corpus = replace(TINY, url=f"{server.url}/raw")
    monkeypatch.setitem(CORPORA, "tiny", corpus)
    return corpus


def there(folder) -> dict[str, bytes]:
    """Everything in a folder."""
    return {p.name: p.read_bytes() for p in Path(folder).iterdir()}


def asked(server):
    return [path.removeprefix("/raw/") for path, _ in server.asked]


# -------------------------------------------------------------------- the table


@pytest.mark.parametrize("name", published.CORPORA)
def test_an_entry_of_the_table_is_complete(name):
    corpus = CORPORA[name]
    assert corpus.name == name
    assert corpus.url.startswith("https://") and not corpus.url.endswith("/")
    assert re.search("/[0-9a-f]{40}/", corpus.url), "name a commit"
    names = [file.name for file in corpus.files]
    assert len(set(names)) == len(names)
    assert {*corpus.training, *corpus.validation} <= set(names)
    sums = [d for file in corpus.files for d in (file.packed, file.text)]
    assert len({d.sha256 for d in sums}) == len(sums)
    for size, sha256 in sums:
        assert size > 0 and re.fullmatch("[0-9a-f]{64}", sha256)
    assert all(file.packed.size < file.text.size for file in corpus.files)
    assert corpus.terms and corpus.citation
    assert corpus.home.startswith("https://")
    assert max(map(len, f"{corpus.terms}\n{corpus.citation}".split("\n"))) < 81


def test_what_multi30k_may_be_used_for():
    text = " ".join(published.MULTI30K.terms.split())
    assert "non-commercial research and/or educational purposes" in text
    names = [file.name for file in published.MULTI30K.files]
    parts = ("train", "val", "test_2016_flickr")
    assert names == [
        f"{part}.{side}" for part in parts for side in ("en", "de")
    ]


# ---------------------------------------------------------------- from the web


def test_a_corpus_comes_from_the_web_once(server, tiny, tmp_path):
    out = tmp_path / "a" / "b"
    assert missing(tiny, out) == list(tiny.files)
    shown = []
    written = fetch(tiny, out, agreed=True, show=shown.append)
    assert written == [out / name for name in NAMES]
    assert there(out) == TEXTS
    assert asked(server) == [f"{name}.gz" for name in NAMES]
    assert shown == sorted(shown)
    assert shown[-1] == sum(map(len, PACKED.values()))
    assert len(read_parallel(*written[:2])) == 2000
    assert missing(tiny, out) == []
    assert fetch(tiny, out) == [] and len(server.asked) == 4


def test_only_what_is_missing_comes(server, tiny, tmp_path):
    fetch(tiny, tmp_path, agreed=True)
    (tmp_path / "val.en").unlink()
    server.asked.clear()
    assert fetch(tiny, tmp_path, agreed=True) == [tmp_path / "val.en"]
    assert asked(server) == ["val.en.gz"] and there(tmp_path) == TEXTS


def test_another_server(server, tmp_path):
    for address in (f"{server.url}/raw", f"{server.url}/raw/"):
        fetch(TINY, tmp_path / address[-2:-1], address, agreed=True)
    assert asked(server) == [f"{name}.gz" for name in NAMES] * 2
    with refuses(OSError, "127.0.0.1:9/nobody/train.en.gz", "connection"):
        fetch(TINY, tmp_path / "x", agreed=True)
    assert there(tmp_path / "x") == {}


def test_without_agreement_nothing_comes(server, tiny, tmp_path):
    with refuses(ValueError, "terms of use", tiny.home, "agreed=True"):
        fetch(tiny, tmp_path / "out")
    assert not server.asked and not (tmp_path / "out").exists()


def test_wrong_bytes_never_get_a_name(server, tiny, tmp_path):
    server.days = [days.well, days.wrong]
    wanted = tiny.files[1].packed.sha256
    with refuses(ValueError, "train.de.gz", wanted, "deleted"):
        fetch(tiny, tmp_path, agreed=True)
    assert there(tmp_path) == {"train.en": TEXTS["train.en"]}


def test_a_file_of_somebody_else_is_left_alone(server, tiny, tmp_path):
    (tmp_path / "val.de").write_text("my own\n")
    parts = ["val.de", "not the file of tiny", "another --out"]
    with refuses(ValueError, *parts):
        fetch(tiny, tmp_path, agreed=True)
    assert there(tmp_path) == {"val.de": b"my own\n"} and not server.asked
    with refuses(ValueError, "no folder"):
        fetch(tiny, tmp_path / "val.de", agreed=True)


def test_a_text_that_is_larger_than_it_should_be(server, tmp_path):
    """Fifty megabytes in fifty kilobytes; and never all of them at once."""
    packed = gzip.compress(bytes(50_000_000), 9, mtime=0)
    bomb = CorpusFile("x", digest(packed), digest(bytes(1000)))
    corpus = replace(TINY, url=f"{server.url}/raw", files=(bomb,))
    server.files["/raw/x.gz"] = packed
    tracemalloc.start()
    try:
        with refuses(ValueError, "x.gz.part unpacks to another text"):
            fetch(corpus, tmp_path, agreed=True)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 5_000_000
    assert "x" not in there(tmp_path)


@pytest.mark.parametrize("data", [b"no gzip", PACKED["val.en"][:-99], b""])
def test_a_text_that_cannot_be_unpacked(tmp_path, data):
    (tmp_path / "x.gz").write_bytes(data)
    file = CorpusFile("x", digest(data), Digest(1000, "0" * 64))
    corpus = replace(TINY, files=(file,))
    with refuses(ValueError, "x.gz", "unpack"):
        fetch(corpus, tmp_path / "out", tmp_path, agreed=True)


# --------------------------------------------------------------------- killed


CHILD = """
import json, os, signal, sys
from transformer_lib import cli, published
from transformer_lib.download import Digest

corpus, death, *command = sys.argv[1:]
# A test run in the background has Ctrl-C switched off.
signal.signal(signal.SIGINT, signal.default_int_handler)
corpus = json.loads(corpus)
files = [
    published.CorpusFile(f["name"], Digest(*f["packed"]), Digest(*f["text"]))
    for f in corpus.pop("files")
]
published.CORPORA["tiny"] = published.Corpus(files=tuple(files), **corpus)
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
        **(usual | ends),
    )


def wait_for(path, size, process):
    end = time.monotonic() + 30
    while not path.exists() or path.stat().st_size < size:
        assert time.monotonic() < end and process.poll() is None
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_stopped_while_a_file_comes(server, tiny, tmp_path, number):
    half = len(PACKED["train.de"]) // 2
    server.days = [days.well, days.stalls(half)]
    process = child(tiny, "", tmp_path, "--yes")
    wait_for(tmp_path / "train.de.gz.part", half, process)
    process.send_signal(number)
    _, said = process.communicate(timeout=20)
    assert there(tmp_path) == {
        "train.en": TEXTS["train.en"],
        "train.de.gz.part": PACKED["train.de"][:half],
    }
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert said.startswith("fetch: stopped; run the command again")
        assert said.count("\n") == 1
    server.asked.clear()
    assert main(["fetch", "tiny", "--out", str(tmp_path), "--yes"]) == 0
    assert there(tmp_path) == TEXTS
    assert server.asked[0] == ("/raw/train.de.gz", f"bytes={half}-")
    assert asked(server) == [f"{name}.gz" for name in NAMES[1:]]


def test_killed_while_a_text_is_written(server, tiny, tmp_path):
    process = child(tiny, "when it writes", tmp_path, "--yes")
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGKILL
    assert set(there(tmp_path)) == {"train.en.part", "train.en.gz.part"}
    server.asked.clear()
    fetch(tiny, tmp_path, agreed=True)
    assert there(tmp_path) == TEXTS
    assert asked(server) == [f"{name}.gz" for name in NAMES[1:]]


# --------------------------------------------------------------- from a folder


@pytest.fixture
def folder(tmp_path):
    """Two files packed, two plain."""
    place = tmp_path / "given"
    place.mkdir()
    for name in NAMES[:2]:
        (place / f"{name}.gz").write_bytes(PACKED[name])
    for name in NAMES[2:]:
        (place / name).write_bytes(TEXTS[name])
    return place


def test_a_folder_is_taken_instead(folder, tmp_path):
    before, out, shown = there(folder), tmp_path / "out", []
    (tmp_path / "out").mkdir()
    (out / "train.en.gz.part").write_bytes(b"of a download")
    fetch(TINY, out, folder, agreed=True, show=shown.append)
    assert there(out) == TEXTS and there(folder) == before
    assert shown[-1] == sum(map(len, PACKED.values()))
    fetch(TINY, folder, folder, agreed=True)
    assert there(folder) == before | TEXTS


def test_a_folder_with_another_file(folder, tmp_path):
    for name, data, wanted in (
        ("val.en", TEXTS["val.en"].replace(b"\n", b"\r\n"), TINY.files[2].text),
        ("train.de.gz", PACKED["train.de"][:-1], TINY.files[1].packed),
    ):
        out = tmp_path / f"out {name}"
        (folder / name).write_bytes(data)
        parts = [name, digest(data).sha256, wanted.sha256, "anew"]
        with refuses(ValueError, *parts):
            fetch(TINY, out, folder, agreed=True)
        assert name.removesuffix(".gz") not in there(out)
        assert (folder / name).read_bytes() == data


def test_a_folder_without_a_file(folder, tmp_path):
    (folder / "train.de.gz").unlink()
    parts = ["given", "neither train.de.gz nor train.de", "--from"]
    with refuses(OSError, *parts):
        fetch(TINY, tmp_path / "out", folder, agreed=True)
    with refuses(ValueError, "nowhere is no folder", "https://"):
        fetch(TINY, tmp_path / "out", tmp_path / "nowhere", agreed=True)


# ----------------------------------------------------------- the command line


def answers(monkeypatch, text):
    """Be somebody at a terminal who types this."""
    stdin = io.StringIO(text)
    stdin.isatty = lambda: True
    monkeypatch.setattr(sys, "stdin", stdin)


def refused(capsys, command, *parts):
    """Expect exit code 2 and one line on standard error."""
    assert main([str(part) for part in command]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1 and said.err.startswith("fetch: ")
    for part in parts:
        assert part in said.err
    return said.out


def test_somebody_who_agrees_gets_the_corpus(
    tiny, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    answers(monkeypatch, "y\n")
    assert main(["fetch", "tiny"]) == 0
    said = capsys.readouterr()
    assert there("data/tiny") == TEXTS
    assert said.out.index(tiny.terms) < said.out.index("Do you agree")
    assert tiny.citation in said.out and said.err == ""
    assert "train --source data/tiny/train.en --target data/tiny/train.d" in (
        said.out
    )
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main(["fetch", "tiny"]) == 0
    said = capsys.readouterr()
    assert said.out == "data/tiny has all of tiny already; nothing to do\n"


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
    assert main(["fetch", "tiny", "--yes", "--out", "here"]) == 0
    said = capsys.readouterr()
    assert there("here") == TEXTS
    assert tiny.terms in said.out and "Do you" not in said.out
    assert said.err == ""  # no progress bar outside a terminal


def test_the_command_takes_a_folder_or_an_address(
    server, folder, tmp_path, monkeypatch
):
    monkeypatch.setitem(CORPORA, "tiny", TINY)
    for origin in (folder, f"{server.url}/raw"):
        out = tmp_path / "x" / str(len(server.asked))
        command = ["fetch", "tiny", "--yes", "--out", out, "--from", origin]
        assert main([str(part) for part in command]) == 0
        assert there(out) == TEXTS


def test_faults_are_one_line(server, tiny, tmp_path, capsys, monkeypatch):
    fetch_tiny = ["fetch", "tiny", "--yes", "--out"]
    nowhere = [*fetch_tiny, tmp_path, "--from", "nowhere"]
    assert refused(capsys, nowhere, "nowhere is no folder") == ""
    out = tmp_path / "out"
    server.files["/raw/val.en.gz"] = PACKED["val.en"][::-1]
    refused(capsys, [*fetch_tiny, out], "val.en.gz", "SHA-256", "--from")
    del server.files["/raw/val.en.gz"]
    refused(capsys, [*fetch_tiny, out], "HTTP 404", "val.en.gz")
    assert set(there(out)) == set(NAMES[:2])
    refused(capsys, [*fetch_tiny, "/proc/no/such"], "/proc/no", "permission")
    monkeypatch.setitem(CORPORA, "tiny", TINY)
    assert main([*fetch_tiny, str(out)]) == 2
    *pauses, last = capsys.readouterr().err.splitlines()
    assert len(pauses) == 2 and "trying again" in pauses[0]
    assert "127.0.0.1:9/nobody/val.en.gz: Connection refused" in last
    assert last.startswith("fetch: ") and "--from" in last
    assert set(there(out)) == set(NAMES[:2])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_one_line(tiny, tmp_path, capsys):
    (tmp_path / "train.en.gz.part").symlink_to("/dev/full")
    command = ["fetch", "tiny", "--yes", "--out", tmp_path]
    refused(capsys, command, "No space left", "train.en.gz.part", "again")
    (tmp_path / "train.en.gz.part").unlink()
    (tmp_path / "train.en.part").symlink_to("/dev/full")
    refused(capsys, command, "train.en'", "room")
    assert set(there(tmp_path)) == {"train.en.gz.part"}


def test_a_progress_bar_on_a_terminal(server, tiny, tmp_path):
    """With a pause in the middle, and a start from the beginning."""
    half = len(PACKED["train.en"]) // 2
    server.days = [days.breaks_off(half), days.ignores_range]
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
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 0 and there(tmp_path) == TEXTS
    assert b"trying again in 1 s" in said and b"100%" in said
    assert "Do you agree" in out
