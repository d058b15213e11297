"""Download a file whose size and SHA-256 are known, over a bad line.

What has come is kept in the file that grows. A download that was broken off,
by the network, by Ctrl-C or by a kill, goes on where it stopped if the server
can do that, and starts over if it cannot. In the end the checksum decides.
"""

import hashlib
import ssl
import time
from collections.abc import Callable
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

__all__ = ["Digest", "digest_of", "download"]

TIMEOUT = 30.0  # seconds without a byte, until a server counts as stalled
PAUSES = (1, 2, 4, 8)  # seconds to wait before another try
BUSY = (408, 429)  # with all from 500 on: the server asks for patience
OTHER_WAY = "or get the file in another way and give its folder with --from"


class Digest(NamedTuple):
    """What a file is known by.

    Attributes:
        size: in bytes.
        sha256: 64 hexadecimal digits.
    """

    size: int
    sha256: str


def digest_of(path: Path) -> Digest:
    """Measure a file.

    Args:
        path: the file.

    Returns:
        Its size and its SHA-256.

    Raises:
        OSError: it cannot be read.
    """
    with open(path, "rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        return Digest(file.tell(), sha256)


class _Broken(Exception):
    """The line broke, or the server has a bad moment: worth another try."""


def download(
    url: str,
    path: Path,
    wanted: Digest,
    show: Callable[[int], None] = lambda done: None,
    say: Callable[[str], None] = lambda text: None,
) -> None:
    """Download a file, or the rest of it, and check its SHA-256.

    Args:
        url: where it is.
        path: the file that grows; what is there already is kept, and only
            the rest is asked for. If it turns out wrong, it is deleted.
        wanted: what the file must be in the end.
        show: is told how many bytes of the file are there, again and again.
        say: is told, in a line, why there is a pause.

    Raises:
        ValueError: the server has another file than the one that is wanted,
            or the address names no server.
        OSError: there is no such file, no connection after several tries, or
            the disk is full. In the last two cases what has come is kept.
    """
    url = _checked(url)
    resumed = _size_of(path) > 0
    _insist(url, path, wanted.size, show, say)
    if resumed and digest_of(path) != wanted:  # the old part may be wrong
        say(f"{path}: it does not begin as {url} does; starting over")
        path.unlink()
        _insist(url, path, wanted.size, show, say)
    found = digest_of(path)
    if found != wanted:
        path.unlink()
        raise ValueError(
            f"{url} came with the SHA-256 {found.sha256}, wanted "
            f"{wanted.sha256}; it is deleted: try again later, {OTHER_WAY}"
        )


def _checked(url: str) -> str:
    """Return an address with its letters encoded."""
    try:
        parts = urlsplit(url)
        if not parts.hostname or parts.port == 0:
            raise ValueError("it names no server")
    except ValueError as error:
        raise ValueError(f"{url} is no address: {error}") from None
    return quote(url, safe=":/?#[]@!$&'()*+,;=%~")


def _size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _insist(url: str, path: Path, size: int, show, say) -> None:
    """Ask for the rest of a file until all is there."""
    most, failed = _size_of(path), 0
    while True:
        try:
            return _ask(url, path, size, show)
        except _Broken as error:
            if _size_of(path) > most:  # it moves: be patient anew
                most, failed = _size_of(path), 0
            if failed == len(PAUSES):
                raise OSError(
                    f"{url}: {error} (tried {failed + 1} times); what has "
                    "come is kept: check the connection and run the command "
                    f"again, {OTHER_WAY}"
                ) from None
            pause = PAUSES[failed]
            say(f"{url}: {error}; trying again in {pause} s")
            time.sleep(pause)
            failed += 1


def _ask(url: str, path: Path, size: int, show) -> None:
    """Ask once for the rest of a file, and write what comes."""
    start = _size_of(path)
    show(min(start, size))
    if start >= size:
        return
    head = {"Range": f"bytes={start}-"} if start else {}
    with _open(Request(url, headers=head), path) as answer:
        if answer.status == 206:
            part = answer.headers["Content-Range"]
            if part != f"bytes {start}-{size - 1}/{size}":
                path.unlink(missing_ok=True)
                raise _Broken(f"the server sent another part ({part})")
        else:
            start = 0
            length = answer.headers["Content-Length"]
            if length is not None and length != str(size):
                raise ValueError(
                    f"{url} has {length} bytes, wanted {size}: it is another "
                    f"file than the one published; try again later, {OTHER_WAY}"
                )
        done = _write(answer, path, start, size, show)
    if done < size:
        raise _Broken(f"it ended after {done} of {size} bytes")


def _open(request: Request, path: Path) -> HTTPResponse:
    """Open a connection; say whether a failure is worth another try."""
    try:
        return urlopen(request, timeout=TIMEOUT)
    except HTTPError as error:
        error.close()
        said = f"HTTP {error.code} {error.reason}".split("\n")[0]
        if error.code == 416:  # there is no such part: start over
            path.unlink(missing_ok=True)
        elif error.code not in BUSY and error.code < 500:
            raise OSError(
                f"{request.full_url}: {said}; check the address, {OTHER_WAY}"
            ) from None
        raise _Broken(said) from None
    except (OSError, HTTPException) as error:
        reason = error.reason if isinstance(error, URLError) else error
        if isinstance(reason, ssl.SSLCertVerificationError):
            raise OSError(
                f"{request.full_url}: the certificate cannot be checked "
                f"({reason.verify_message}); install your system's root "
                f"certificates, {OTHER_WAY}"
            ) from None
        raise _Broken(_words(reason)) from None


def _words(reason: object) -> str:
    if isinstance(reason, TimeoutError):
        return f"no answer within {TIMEOUT:g} s"
    text = getattr(reason, "strerror", None) or str(reason)
    return text or type(reason).__name__


def _write(answer: HTTPResponse, path: Path, start: int, size: int, show):
    """Write what comes behind the first bytes; return how many are there."""
    done = start
    try:
        with open(path, "r+b" if start else "wb") as file:
            file.seek(start)
            while done < size and (chunk := _read(answer, size - done)):
                file.write(chunk)
                file.flush()
                done += len(chunk)
                show(done)
    except OSError as error:  # the disk is full, or not ours
        raise OSError(error.errno, error.strerror, str(path)) from None
    return done


def _read(answer: HTTPResponse, most: int) -> bytes:
    try:
        return answer.read1(min(most, 1 << 16))
    except (OSError, HTTPException) as error:
        raise _Broken(_words(error)) from None
