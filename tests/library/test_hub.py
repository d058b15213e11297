"""A published translator comes whole, from a hub or from a folder.

The hub is one of this machine. What the real one answers is not tested.
"""

import hashlib
import http.server
import json
import re
import shutil
import threading
from pathlib import Path

import pytest

import transformer_course
from transformer_lib.cli import hub as fetching
from transformer_lib.cli import main
from transformer_lib.corpora import CORPORA
from transformer_lib.opus_mt import MODELS
from transformer_lib.translator import Translator

FOLDER = Path(transformer_course.__file__).parent / "data" / "random_translator"
NAMES = ("config.json", "source.spm", "vocab.json", "model.safetensors")
FILES = {name: (FOLDER / name).read_bytes() for name in NAMES}
PINNED, OPEN = "opus-mt-ko-en", "opus-mt-en-de"
COMMIT = MODELS[PINNED].commit
NEWEST = "0123456789" * 4
WEIGHTS = "model.safetensors"


def entry(name: str) -> dict:
    """What the hub says of a file: large ones have another checksum."""
    data = FILES[name]
    said = {
        "type": "file",
        "path": name,
        "size": len(data),
        "oid": hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest(),
    }
    if name in ("source.spm", WEIGHTS):
        said["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": 1}
    return said


class Hub(http.server.ThreadingHTTPServer):
    """Answers as the hub does.

    Attributes:
        asked: the path of each request, and where it begins in the file.
        moments: {end of a path: how to answer}, else well.
        newest: the commit that main is.
    """

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked, self.moments, self.newest = [], {}, NEWEST
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.over = threading.Event()

    def handle_error(self, *_):
        """Somebody has heard enough, and has closed the connection."""

    def content(self, path: str) -> bytes:
        if path.endswith("/revision/main"):
            return json.dumps({"sha": self.newest}).encode()
        if "/tree/" in path:
            return json.dumps([entry(name) for name in NAMES]).encode()
        return FILES[path.rsplit("/", 1)[1]]


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        begins = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = int(begins[1]) if begins else 0
        self.server.asked.append((self.path, start))
        moment = next(
            (
                moment
                for end, moment in self.server.moments.items()
                if self.path.endswith(end)
            ),
            well,
        )
        moment(self, self.server.content(self.path), start)


def well(handler, data, start, announced=None):
    handler.send_response(206 if start else 200)
    handler.send_header("Content-Length", announced or len(data) - start)
    handler.end_headers()
    handler.wfile.write(data[start:])


def all_again(handler, data, start):
    """Some servers don't know of ranges."""
    well(handler, data, 0)


def changed(handler, data, start):
    well(handler, data[:-1] + bytes([data[-1] ^ 1]), start)


def longer(handler, data, start):
    well(handler, data * 60, start)


def breaks_off(handler, data, start):
    well(handler, data[: len(data) // 3], start, len(data))
    handler.close_connection = True


def stalls(handler, data, start):
    well(handler, data[: len(data) // 2], start, len(data))
    handler.server.over.wait(5)


def html(handler, data, start):
    well(handler, b"<html>Please log in</html>", 0)


def missing(handler, data, start):
    handler.send_error(404)


@pytest.fixture
def hub(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(fetching, "TIMEOUT", 0.3)
    monkeypatch.setattr(fetching, "CHUNK", 1 << 12)
    server = Hub()
    monkeypatch.setenv("HF_ENDPOINT", server.url + "/")
    threading.Thread(target=server.serve_forever, args=(0.01,)).start()
    yield server
    server.over.set()
    server.shutdown()
    server.server_close()


def fetch(out, *more, name=PINNED) -> int:
    command = ["fetch", name, "--yes", "--out", str(out), *map(str, more)]
    return main(command)


def refused(capsys, *parts, out, more=(), name=PINNED):
    """Expect exit code 2 and one line on standard error."""
    capsys.readouterr()
    assert fetch(out, *more, name=name) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and said.startswith("fetch: ")
    for part in parts:
        assert str(part) in said


def there(folder) -> dict[str, bytes]:
    found = {p.name: p.read_bytes() for p in Path(folder).iterdir()}
    found.pop("fetched.json", None)
    return found


# -------------------------------------------------------------------- the table


@pytest.mark.parametrize("name", MODELS)
def test_an_entry_of_the_table_is_complete(name):
    model = MODELS[name]
    assert model.name == name and name not in CORPORA
    assert model.repository == f"Helsinki-NLP/{name}"
    assert model.home.endswith(model.repository)
    assert model.commit is None or re.fullmatch("[0-9a-f]{40}", model.commit)
    assert max(map(len, f"{model.terms}\n{model.citation}".split("\n"))) < 81
    terms = " ".join(model.terms.split())
    assert "Tiedemann" in terms and "Thottingal" in terms
    assert "CC BY 4.0" in terms and "creativecommons.org" in terms
    assert "The authors of this book have not seen these bytes" in terms
    assert (model.commit or "asks the hub for the newest one") in terms


# ------------------------------------------------------------------ from a hub


def test_a_translator_comes_once_and_is_checked(hub, tmp_path, capsys):
    assert fetch(tmp_path) == 0
    said = capsys.readouterr()
    assert MODELS[PINNED].terms in said.out and said.err == ""
    assert MODELS[PINNED].citation in said.out
    assert f"translate --model {tmp_path}" in said.out
    assert there(tmp_path) == FILES
    first = f"/api/models/Helsinki-NLP/{PINNED}/tree/{COMMIT}"
    resolved = f"/Helsinki-NLP/{PINNED}/resolve/{COMMIT}/"
    files = [(resolved + name, 0) for name in NAMES]
    assert hub.asked == [(first, 0), *files]
    kept = json.loads((tmp_path / "fetched.json").read_text("utf-8"))
    assert kept["commit"] == COMMIT and set(kept["files"]) == set(NAMES)
    assert len(Translator.load(tmp_path).tokenizer) > 300
    hub.asked.clear()
    assert fetch(tmp_path) == 0
    assert "nothing to do" in capsys.readouterr().out and not hub.asked


def test_a_commit_that_nobody_has_named_is_asked_for_once(
    hub, tmp_path, capsys
):
    hub.moments = {"vocab.json": breaks_off}
    refused(capsys, "goes on", out=tmp_path, name=OPEN)
    hub.newest, hub.moments = "f" * 40, {}
    hub.asked.clear()
    assert fetch(tmp_path, name=OPEN) == 0
    assert there(tmp_path) == FILES
    asked = [path.rsplit("/", 2)[1:] for path, _ in hub.asked]
    assert asked == [[NEWEST, name] for name in NAMES[2:]]
    (tmp_path / "vocab.json").unlink()
    assert fetch(tmp_path, name=OPEN) == 0
    assert there(tmp_path) == FILES
    capsys.readouterr()
    assert fetch(tmp_path / "other", name=OPEN) == 0
    assert f"main is commit {'f' * 40}" in capsys.readouterr().out


@pytest.mark.parametrize("moment", [breaks_off, stalls])
@pytest.mark.parametrize("then", [well, all_again])
def test_a_download_goes_on_where_it_stopped(
    hub, tmp_path, capsys, moment, then
):
    hub.moments = {WEIGHTS: moment}
    refused(capsys, "goes on where it stopped", out=tmp_path)
    part = tmp_path / f"{WEIGHTS}.part"
    size = part.stat().st_size
    hub.moments = {WEIGHTS: then}
    hub.asked.clear()
    assert fetch(tmp_path) == 0
    ((path, start),) = hub.asked
    assert path.endswith(WEIGHTS) and start == size > 0
    assert there(tmp_path) == FILES


def test_a_part_that_is_whole_or_of_something_else(hub, tmp_path):
    fetch(tmp_path)
    for data, asked in ((FILES[WEIGHTS], 0), (b"x" * 999_999, 1)):
        (tmp_path / WEIGHTS).unlink()
        (tmp_path / f"{WEIGHTS}.part").write_bytes(data)
        hub.asked.clear()
        assert fetch(tmp_path) == 0
        assert there(tmp_path) == FILES and len(hub.asked) == asked


@pytest.mark.parametrize("moment", [changed, longer])
@pytest.mark.parametrize("name", ["config.json", WEIGHTS])
def test_a_file_with_another_checksum_gets_no_name(
    hub, tmp_path, capsys, name, moment
):
    hub.moments = {name: moment}
    refused(capsys, name, "not the published file", "--from", out=tmp_path)
    assert set(there(tmp_path)) == set(NAMES[: NAMES.index(name)])


@pytest.mark.parametrize(
    "end, moment, said",
    [
        ("config.json", missing, "HTTP 404 Not Found; check the address"),
        (COMMIT, missing, "HTTP 404 Not Found; check the address"),
        (COMMIT, html, "no list of the files"),
        (COMMIT, breaks_off, "more expected"),
    ],
)
def test_a_bad_answer_is_a_line(hub, tmp_path, capsys, end, moment, said):
    hub.moments = {end: moment}
    refused(capsys, f"{hub.url}/", end, said, "--from", out=tmp_path)
    assert there(tmp_path) == {}


@pytest.mark.parametrize("sha", [None, 7, "main", "../" * 13 + "x"])
def test_a_commit_is_forty_digits(hub, tmp_path, capsys, sha):
    hub.newest = sha
    refused(capsys, "no list of the files", out=tmp_path, name=OPEN)
    assert len(hub.asked) == 1


def test_nobody_there(hub, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    refused(
        capsys, "http://127.0.0.1:9/", ": Connection refused; ", out=tmp_path
    )
    assert fetch(tmp_path, "--from", hub.url) == 0
    assert there(tmp_path) == FILES


def test_a_file_of_somebody_else_is_left_alone(hub, tmp_path, capsys):
    (tmp_path / "config.json").write_text("{}", "utf-8")
    refused(capsys, "config.json is there", "another --out", out=tmp_path)
    assert there(tmp_path) == {"config.json": b"{}"}
    refused(capsys, "is no folder", out=tmp_path / "config.json")


@pytest.mark.parametrize(
    "text, said",
    [
        ("[]", "fetched.json is damaged"),
        ('{"commit": "main", "files": {}}', "fetched.json is damaged"),
        ("another commit", "of another model or commit"),
        ("another model", "of another model or commit"),
    ],
)
def test_sums_that_are_not_ours(hub, tmp_path, capsys, text, said):
    fetch(tmp_path)
    path = tmp_path / "fetched.json"
    kept = json.loads(path.read_text("utf-8"))
    if text == "another commit":
        text = json.dumps({**kept, "commit": NEWEST})
    if text == "another model":
        text = json.dumps({**kept, "repository": "a/b"})
    path.write_text(text, "utf-8")
    refused(capsys, said, out=tmp_path)


# --------------------------------------------------------------- from a folder


def test_a_folder_with_its_sums_is_checked(hub, tmp_path, capsys):
    given, out = tmp_path / "given", tmp_path / "out"
    fetch(given)
    hub.asked.clear()
    assert fetch(out, "--from", given) == 0
    assert there(out) == FILES and not hub.asked
    assert (out / "fetched.json").exists()
    shutil.rmtree(out)
    (given / WEIGHTS).write_bytes(FILES[WEIGHTS][:-1] + b"x")
    refused(capsys, given / WEIGHTS, out=out, more=["--from", given])
    assert WEIGHTS not in there(out)


def test_a_folder_without_sums_is_taken_and_checked_later(
    hub, tmp_path, capsys
):
    given, out = tmp_path / "given", tmp_path / "out"
    given.mkdir()
    for name in NAMES:
        shutil.copy(FOLDER / name, given)
    assert fetch(out, "--from", given) == 0
    assert "nobody has checked these files" in capsys.readouterr().out
    assert there(out) == FILES and not hub.asked
    assert fetch(out) == 0  # the hub has the same ones
    assert len(hub.asked) == 1 and (out / "fetched.json").exists()


def test_a_folder_that_lacks_a_file(hub, tmp_path, capsys):
    more = ["--from", tmp_path / "nowhere"]
    refused(capsys, "nowhere is no folder", out=tmp_path / "out", more=more)
    for name in NAMES[:3]:
        shutil.copy(FOLDER / name, tmp_path)
    more = ["--from", tmp_path]
    refused(capsys, "no pytorch_model.bin", out=tmp_path / "out", more=more)
    assert not (tmp_path / "out").exists()
