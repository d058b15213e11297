"""The command ``fetch``: a corpus, once its terms of use are agreed to.

A text gets its name when it is whole and known to be the published one. So a
command that was stopped, at any moment, leaves only whole texts under their
names, and given again it fetches the others. Published translators come in
the same way; see `transformer_lib.cli.hub`.
"""

import gzip
import hashlib
import shlex
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from transformer_lib.cli import hub
from transformer_lib.cli.hub import OTHER_WAY, TIMEOUT, cause
from transformer_lib.cli.streams import tell
from transformer_lib.corpora import CORPORA, Corpus, CorpusFile
from transformer_lib.files import atomic_write, is_full
from transformer_lib.opus_mt import MODELS, PublishedModel

__all__ = ["fetch"]

RETRIES = 3  # after 1, 2 and 3 seconds
HAS_ALL = "{folder} has all of {name} already; nothing to do"
READY_MODEL = """\
{name} is in {folder}; translate with
  python -m transformer_lib translate --model {path}"""
READY = """\
{n} files of {name} are in {folder}; train with
  python -m transformer_lib train --source {0} --target {1} \\
    --valid-source {2} --valid-target {3} --out runs/first"""


def fetch(args: Namespace) -> None:
    """Fetch a corpus or a published translator; only what is missing.

    Args:
        args: what the parser made of the command line.

    Raises:
        OSError: no connection, no room, a file that is missing.
        ValueError: no agreement, or a file that is not the published one;
            the message says which.
    """
    folder = Path(args.out or f"data/{args.corpus}")
    if args.corpus in MODELS:
        _fetch_model(MODELS[args.corpus], folder, args)
        return
    corpus = CORPORA[args.corpus]
    url = _address(corpus, args.origin)
    wanted = _missing(corpus, folder)
    if not wanted:
        tell(HAS_ALL.format(folder=folder, name=corpus.name))
        return
    _agree(corpus, args.yes)
    with _goes_on(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if url is None:
            _from_folder(Path(args.origin), wanted, folder)
        else:
            _from_server(url, wanted, folder)
    names = (*corpus.training, *corpus.validation)
    paths = [shlex.quote(str(folder / name)) for name in names]
    count = len(corpus.files)
    tell(READY.format(*paths, n=count, name=corpus.name, folder=folder))


def _fetch_model(model: PublishedModel, folder: Path, args: Namespace) -> None:
    """Fetch a published translator."""
    listing = hub.listed(model, folder)
    if listing and hub.is_whole(listing, folder):
        tell(HAS_ALL.format(folder=folder, name=model.name))
        return
    _agree(model, args.yes)
    with _goes_on(folder):
        hub.fetch_files(model, folder, args.origin)
    path = shlex.quote(str(folder))
    tell(READY_MODEL.format(name=model.name, folder=folder, path=path))


@contextmanager
def _goes_on(folder: Path) -> Iterator[None]:
    """Say how a command that stopped goes on."""
    again = f"run the command again: {folder} keeps the files that have come"
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"stopped; {again}") from None
    except OSError as error:
        if error.errno is None:  # ours: it says what to do
            raise
        first = "make room and" if is_full(error) else "once that is mended,"
        raise OSError(f"{error}; {first} {again}") from None


def _address(corpus: Corpus, origin: str | None) -> str | None:
    """Return where to download from; None if the origin is a folder here."""
    if origin is None:
        return corpus.url
    if origin.lower().startswith(("http://", "https://")):
        return origin
    if not Path(origin).is_dir():
        raise ValueError(
            f"{origin} is no folder; give one that has the files of "
            f"{corpus.name}, or an address that starts with https://"
        )
    return None


def _missing(corpus: Corpus, folder: Path) -> list[CorpusFile]:
    """Return the files that a folder lacks; leave other files alone."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is no folder; choose another --out")
    wanted = []
    for file in corpus.files:
        path = folder / file.name
        if not path.exists():
            wanted.append(file)
        elif _sha256(path.read_bytes()) != file.sha256:
            raise ValueError(
                f"{path} is there, but is not the file of {corpus.name}: "
                "move it away, or choose another --out"
            )
    return wanted


def _agree(corpus: Corpus | PublishedModel, yes: bool) -> None:
    """Go on only with somebody who agrees to the terms."""
    if not _agreed(corpus, yes):
        raise ValueError("you did not agree to the terms; nothing is fetched")


def _agreed(corpus: Corpus | PublishedModel, yes: bool) -> bool:
    """Show what something may be used for, and ask."""
    if not yes and not sys.stdin.isatty():
        raise ValueError(
            f"{corpus.name} has terms of use ({corpus.home}), and there is "
            "nobody to ask: read them and add --yes if you agree"
        )
    print(f"{corpus.terms}\n\nCite: {corpus.citation}\n", flush=True)
    if isinstance(corpus, PublishedModel):
        print(f"Download: about {corpus.megabytes} MB\n", flush=True)
    if yes:
        return True
    try:
        answer = input("Do you agree to these terms of use? [y/N] ")
    except EOFError:
        answer = ""
    return answer.strip().lower() in ("y", "yes")


def _from_server(url: str, files: list[CorpusFile], folder: Path) -> None:
    """Download files; on a terminal with a progress bar for each."""
    import pooch
    from requests import RequestException
    from tqdm import tqdm

    pooch.get_logger().setLevel("ERROR")  # a retry is no news
    with tempfile.TemporaryDirectory() as cache:
        server = pooch.create(
            cache,
            url,
            registry={f"{file.name}.gz": file.packed_sha256 for file in files},
            retry_if_failed=RETRIES,
        )
        for file in files:
            name = f"{file.name}.gz"
            bar = tqdm(
                desc=name,
                total=file.packed_size,
                unit="B",
                unit_scale=True,
                disable=None,
            )
            get = pooch.HTTPDownloader(progressbar=bar, timeout=TIMEOUT)
            try:
                with bar:
                    packed = server.fetch(name, downloader=get)
            except RequestException as error:
                raise OSError(
                    f"{server.get_url(name)}: {cause(error)}; check the "
                    f"address and the connection and try again, {OTHER_WAY}"
                ) from None
            except ValueError as error:  # of pooch: another SHA-256
                raise ValueError(
                    f"{server.get_url(name)}: {error} Try again later, "
                    f"{OTHER_WAY}"
                ) from None
            _unpack(Path(packed).read_bytes(), file, folder)


def _from_folder(origin: Path, files: list[CorpusFile], folder: Path) -> None:
    """Take files that are in a folder, packed or not."""
    for file in files:
        packed, plain = origin / f"{file.name}.gz", origin / file.name
        if packed.exists():
            data = _checked(packed.read_bytes(), file.packed_sha256, packed)
            _unpack(data, file, folder)
        elif plain.exists():
            text = _checked(plain.read_bytes(), file.sha256, plain)
            atomic_write(folder / file.name, text)
        else:
            raise OSError(
                f"{origin} has neither {packed.name} nor {plain.name}; get "
                "the file there, or leave out --from"
            )


def _unpack(packed: bytes, file: CorpusFile, folder: Path) -> None:
    """Write the text of a file whose checksum is right."""
    text = _checked(gzip.decompress(packed), file.sha256, file.name)
    atomic_write(folder / file.name, text)


def _checked(data: bytes, sha256: str, name: str | Path) -> bytes:
    found = _sha256(data)
    if found != sha256:
        raise ValueError(
            f"{name} is not the published file: its SHA-256 is {found}, "
            f"wanted {sha256}; get it anew"
        )
    return data


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
