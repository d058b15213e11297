"""A file comes whole and right over every kind of bad line, or not at all."""

import errno
import hashlib
import random
import ssl
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError

import pytest
import web as days
from refusal import refuses
from web import web  # noqa: F401

from transformer_lib import download as module
from transformer_lib.download import Digest, digest_of, download

DATA = random.Random(0).randbytes(300_001)
WANTED = Digest(len(DATA), hashlib.sha256(DATA).hexdigest())
HALF = 150_000


@pytest.fixture
def server(web, monkeypatch):  # noqa: F811
    """A server that has the file, and little patience with it."""
    monkeypatch.setattr(module, "TIMEOUT", 0.3)
    monkeypatch.setattr(module, "PAUSES", (0.001, 0.002, 0.003))
    web.files["/file"] = DATA
    return web


@pytest.fixture
def part(tmp_path):
    return tmp_path / "file.part"


def get(server, part, **more):
    return download(f"{server.url}/file", part, WANTED, **more)


def asked(server):
    return [header for _, header in server.asked]


def test_what_a_file_is_known_by(part):
    part.write_bytes(b"abc")
    # the first example of FIPS 180-2, appendix B
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert digest_of(part) == Digest(3, abc)


@pytest.mark.parametrize(
    "day",
    [days.well, days.drips, days.says_no_length(), days.says_no_length(b"x")],
)
def test_a_file_comes_in_one_go(server, part, day):
    server.days = [day]
    shown = []
    get(server, part, show=shown.append)
    assert part.read_bytes() == DATA
    assert asked(server) == [None]
    assert shown[0] == 0 and shown[-1] == len(DATA)
    assert shown == sorted(shown)


@pytest.mark.parametrize("polite", [True, False])
def test_a_line_that_breaks_is_taken_up_again(server, part, polite):
    server.days = [
        days.breaks_off(HALF, polite),
        days.breaks_off(HALF + 7, polite),
    ]
    said = []
    get(server, part, say=said.append)
    assert part.read_bytes() == DATA
    assert asked(server) == [None, f"bytes={HALF}-", f"bytes={HALF + 7}-"]
    assert len(said) == 2 and "trying again" in said[0]


def test_a_server_that_stalls_is_left(server, part):
    server.days = [days.stalls(HALF)]
    said = []
    start = time.monotonic()
    get(server, part, say=said.append)
    assert time.monotonic() - start < 5
    assert part.read_bytes() == DATA
    assert asked(server) == [None, f"bytes={HALF}-"]
    assert "no answer within 0.3 s" in said[0]


def test_an_old_beginning_is_kept(server, part):
    part.write_bytes(DATA[:HALF])
    shown = []
    get(server, part, show=shown.append)
    assert part.read_bytes() == DATA
    assert asked(server) == [f"bytes={HALF}-"]
    assert shown[0] == HALF and shown[-1] == len(DATA)


def test_a_whole_file_asks_for_nothing(server, part):
    part.write_bytes(DATA)
    get(server, part)
    assert asked(server) == []


@pytest.mark.parametrize(
    "day, then",
    [
        (days.ignores_range, []),
        (days.another_part, [None]),
        (days.has_grown, [None]),
        (days.status(416), [None]),
    ],
)
def test_a_server_that_cannot_go_on_starts_over(server, part, day, then):
    part.write_bytes(DATA[:HALF])
    server.days = [day]
    get(server, part)
    assert part.read_bytes() == DATA
    assert asked(server) == [f"bytes={HALF}-", *then]


@pytest.mark.parametrize("old", [b"x" * HALF, b"x" * len(DATA), DATA + b"x"])
def test_what_is_no_beginning_of_the_file_is_thrown_away(server, part, old):
    part.write_bytes(old)
    get(server, part)
    assert part.read_bytes() == DATA
    assert asked(server)[-1] is None


def test_wrong_bytes_are_deleted_and_named(server, part):
    server.days = [days.wrong]
    found = hashlib.sha256(DATA[:-9] + bytes([DATA[-9] ^ 1]) + DATA[-8:])
    parts = ["/file", found.hexdigest(), WANTED.sha256, "--from"]
    with refuses(ValueError, *parts):
        get(server, part)
    assert not part.exists()
    assert len(asked(server)) == 1
    # the rest of a good beginning: from the start, and only once more
    part.write_bytes(DATA[:HALF])
    server.asked, server.days = [], [days.wrong, days.wrong]
    with refuses(ValueError, WANTED.sha256):
        get(server, part)
    assert asked(server) == [f"bytes={HALF}-", None]
    assert not part.exists()


def test_another_file_is_refused_before_it_comes(server, part):
    server.files["/file"] = DATA + b"more"
    with refuses(ValueError, f"{len(DATA) + 4} bytes", str(len(DATA))):
        get(server, part)
    assert not part.exists() and len(asked(server)) == 1


def test_the_page_of_a_hotel_does_not_cost_what_has_come(server, part):
    part.write_bytes(DATA[:HALF])
    server.files["/file"] = b"Please log in."
    server.days = [days.ignores_range]
    with refuses(ValueError, "14 bytes"):
        get(server, part)
    assert part.read_bytes() == DATA[:HALF]


def test_what_is_not_there_is_not_asked_for_twice(server, part):
    for code in (404, 403, 410):
        server.asked, server.days = [], [days.status(code)]
        with refuses(OSError, f"HTTP {code}", "/file", "--from"):
            get(server, part)
        assert len(asked(server)) == 1
    assert not part.exists()


@pytest.mark.parametrize("code", [500, 502, 503, 408, 429])
def test_a_server_with_a_bad_moment_is_asked_again(server, part, code):
    server.days = [days.status(code), days.status(code)]
    get(server, part)
    assert part.read_bytes() == DATA and len(asked(server)) == 3


def test_the_pauses_grow_and_end(server, part, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setenv("no_proxy", "*")
    slept, said = [], []
    monkeypatch.setattr(module.time, "sleep", slept.append)
    server.days = [days.status(503)] * 99
    with refuses(OSError, "HTTP 503", "tried 5 times", "again"):
        get(server, part, say=said.append)
    assert slept == [1, 2, 4, 8] and len(asked(server)) == 5
    assert len(said) == 4 and "trying again in 8 s" in said[3]
    # bytes that come renew the patience
    slept.clear()
    server.days = [days.status(503)] * 3 + [days.breaks_off(9)]
    server.days += [days.status(503)] * 3
    get(server, part)
    assert slept == [1, 2, 4, 1, 2, 4, 8]
    assert part.read_bytes() == DATA


def test_a_server_that_always_breaks_at_the_same_place(server, part):
    def day(handler, data, start):
        days.breaks_off(HALF)(handler, data, None)

    server.days = [day] * 99
    with refuses(OSError, f"ended after {HALF} of", "kept"):
        get(server, part)
    assert len(asked(server)) < 9
    assert part.read_bytes() == DATA[:HALF]


def test_a_redirection_is_followed_with_its_range(server, part):
    server.files["/there"] = DATA
    part.write_bytes(DATA[:HALF])
    server.days = [days.moved_to(f"{server.url}/there")]
    get(server, part)
    assert part.read_bytes() == DATA
    assert server.asked[1] == ("/there", f"bytes={HALF}-")
    server.days = [days.moved_to(f"{server.url}/file")] * 99
    part.unlink()
    with refuses(OSError, "HTTP 302"):
        get(server, part)
    server.days = [days.moved_to("file:///etc/passwd")]
    with refuses(OSError, "HTTP 302"):
        get(server, part)


def test_nobody_there(part, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(module, "PAUSES", (0.001,))
    url = "http://127.0.0.1:9/file"
    parts = [url, "refused", "tried 2 times", "connection", "--from"]
    with refuses(OSError, *parts):
        download(url, part, WANTED)
    assert not part.exists()


@pytest.mark.parametrize("host", ["[x", "", "127.0.0.1:99999", "x:1x", "x:0"])
def test_what_is_no_address(part, host):
    with refuses(ValueError, f"http://{host}/y is no address"):
        download(f"http://{host}/y", part, WANTED)


def test_letters_outside_ascii_in_an_address(server, part):
    server.files["/d%C3%A9j%C3%A0%20vu"] = DATA
    download(f"{server.url}/déjà vu", part, WANTED)
    assert part.read_bytes() == DATA


def test_a_certificate_that_cannot_be_checked(part, monkeypatch):
    tries = []

    def fails(request, timeout):
        tries.append(request)
        error = ssl.SSLCertVerificationError(1, "[SSL] bad (_ssl.c:1006)")
        error.verify_message = "unable to get local issuer certificate"
        raise URLError(error)

    monkeypatch.setattr(module, "urlopen", fails)
    with refuses(OSError, "local issuer", "root certificates", "--from"):
        download("https://example.org/file", part, WANTED)
    assert len(tries) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk(server, part):
    part.symlink_to("/dev/full")
    with pytest.raises(OSError) as caught:
        get(server, part)
    assert caught.value.errno == errno.ENOSPC
    assert str(part) in str(caught.value)
    assert len(asked(server)) == 1


def test_a_place_where_nothing_can_be_written(server, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        get(server, tmp_path / "file" / "x.part")


def test_killed_at_half_way_it_goes_on(server, part):
    server.days = [days.stalls(HALF)]
    code = (
        "import sys; from pathlib import Path;"
        "from transformer_lib.download import download, Digest;"
        "url, path, size, sha256 = sys.argv[1:];"
        "download(url, Path(path), Digest(int(size), sha256))"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, f"{server.url}/file", part]
        + [str(WANTED.size), WANTED.sha256]
    )
    end = time.monotonic() + 20
    while not part.exists() or part.stat().st_size < HALF:
        assert time.monotonic() < end and child.poll() is None
        time.sleep(0.01)
    child.kill()
    child.wait()
    assert part.read_bytes() == DATA[:HALF]
    get(server, part)
    assert part.read_bytes() == DATA
    assert asked(server) == [None, f"bytes={HALF}-"]
