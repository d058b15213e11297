"""Bring a published corpus into a folder, as plain text.

Its files are checked byte by byte against what was published, wherever they
come from, and get their names only when they are whole.
"""

import gzip
import hashlib
import zlib
from collections.abc import Callable
from pathlib import Path

from transformer_lib.download import Digest, digest_of, download
from transformer_lib.files import atomic_write
from transformer_lib.published import Corpus, CorpusFile

__all__ = ["address", "fetch", "missing"]


def missing(corpus: Corpus, folder: Path) -> list[CorpusFile]:
    """Return the files of a corpus that a folder does not have.

    Args:
        corpus: an entry of `CORPORA`.
        folder: where they should be; it need not exist.

    Returns:
        The files that are not there.

    Raises:
        OSError: a file that is there cannot be read.
        ValueError: a file that is there is another one; it is left alone.
    """
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is no folder; choose another --out")
    found = [file for file in corpus.files if (folder / file.name).exists()]
    for file in found:
        if digest_of(folder / file.name) != file.text:
            raise ValueError(
                f"{folder / file.name} is there, but is not the file of "
                f"{corpus.name}: move it away, or choose another --out"
            )
    return [file for file in corpus.files if file not in found]


def fetch(
    corpus: Corpus,
    folder: str | Path,
    origin: str | Path | None = None,
    agreed: bool = False,
    show: Callable[[int], None] = lambda done: None,
    say: Callable[[str], None] = lambda text: None,
) -> list[Path]:
    """Bring a corpus into a folder, as plain text; only what is missing.

    Args:
        corpus: an entry of `CORPORA`.
        folder: where its texts shall be; made if need be.
        origin: the address of another server, or a folder that has the files
            (packed or not) already; None takes the corpus's own address.
        agreed: that you have read `corpus.terms` and keep to them.
        show: is told how many (packed) bytes have come, again and again.
        say: is told, in a line, why there is a pause.

    Returns:
        The files that were written; none if all were there.

    Raises:
        ValueError: you did not agree, or a file is not the published one.
        OSError: a file is missing, the connection is lost, or the disk is
            full. What has come is kept; to call this again goes on.

    Chapter 17.
    """
    folder, before = Path(folder), 0
    wanted = missing(corpus, folder)
    if wanted and not agreed:
        raise ValueError(
            f"{corpus.name} has terms of use ({corpus.home}): read them and "
            "say agreed=True if you keep to them"
        )
    url = address(corpus, origin)
    folder.mkdir(parents=True, exist_ok=True)
    for file in wanted:
        part = folder / f"{file.name}.gz.part"
        if url is None:
            text = _from_folder(Path(origin), file)
        else:
            download(
                f"{url}/{file.name}.gz",
                part,
                file.packed,
                lambda done, first=before: show(first + done),
                say,
            )
            text = _unpacked(part, file)
        atomic_write(folder / file.name, text)
        part.unlink(missing_ok=True)
        before += file.packed.size
        show(before)
    return [folder / file.name for file in wanted]


def address(corpus: Corpus, origin: str | Path | None) -> str | None:
    """Return where a corpus is downloaded from.

    Args:
        corpus: an entry of `CORPORA`.
        origin: as for `fetch`.

    Returns:
        The address of the folder; None if the origin is a folder here.

    Raises:
        ValueError: the origin is neither an address nor a folder.
    """
    if origin is None:
        return corpus.url
    if str(origin).lower().startswith(("http://", "https://")):
        return str(origin).rstrip("/")
    if not Path(origin).is_dir():
        raise ValueError(
            f"{origin} is no folder; give one that has the files of "
            f"{corpus.name}, or an address that starts with https://"
        )
    return None


def _from_folder(origin: Path, file: CorpusFile) -> bytes:
    """Return the text of a file that is in a folder, packed or not."""
    packed, plain = origin / f"{file.name}.gz", origin / file.name
    for path, wanted in ((packed, file.packed), (plain, file.text)):
        if path.exists():
            found = digest_of(path)
            if found != wanted:
                raise ValueError(
                    f"{path} is not the published file: its SHA-256 is "
                    f"{found.sha256}, wanted {wanted.sha256}; get it anew"
                )
            return (
                _unpacked(path, file) if path == packed else path.read_bytes()
            )
    raise OSError(
        f"{origin} has neither {packed.name} nor {plain.name}; get the file "
        "there, or leave out --from"
    )


def _unpacked(path: Path, file: CorpusFile) -> bytes:
    """Unpack no more than there should be, and check it."""
    try:
        with gzip.open(path) as packed:
            text = packed.read(file.text.size + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path} cannot be unpacked: {error}") from None
    found = Digest(len(text), hashlib.sha256(text).hexdigest())
    if found != file.text:
        raise ValueError(
            f"{path} unpacks to another text than {file.name}: {found}, "
            f"wanted {file.text}"
        )
    return text
