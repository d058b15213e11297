"""The command ``fetch``: a corpus, once its terms of use are agreed to."""

import shlex
import sys
from pathlib import Path

from transformer_lib.published import CORPORA, Corpus

__all__ = ["fetch"]

READY = """\
{n} files of {name} are in {folder}; train with
  python -m transformer_lib train --source {0} --target {1} \\
    --valid-source {2} --valid-target {3} --out runs/first"""


def _agreed(corpus: Corpus, yes: bool) -> bool:
    """Show what a corpus may be used for, and ask."""
    if not yes and not sys.stdin.isatty():
        raise ValueError(
            f"{corpus.name} has terms of use ({corpus.home}), and there is "
            "nobody to ask: read them and add --yes if you agree"
        )
    print(f"{corpus.terms}\n\nCite: {corpus.citation}\n", flush=True)
    if yes:
        return True
    try:
        answer = input("Do you agree to these terms of use? [y/N] ")
    except EOFError:
        answer = ""
    return answer.strip().lower() in ("y", "yes")


def _bring(corpus: Corpus, folder: Path, origin: str | None, size: int):
    """Fetch with a progress bar, on a terminal."""
    from tqdm import tqdm

    from transformer_lib import fetch

    bar = tqdm(total=size, unit="B", unit_scale=True, disable=None)
    with bar:
        fetch.fetch(
            corpus,
            folder,
            origin,
            agreed=True,
            show=lambda done: bar.update(done - bar.n),
            say=lambda text: bar.write(text, file=sys.stderr),
        )


def fetch(args) -> None:
    """Fetch a corpus; Ctrl-C keeps what has come and says how to go on.

    Args:
        args: what the parser made of the command line.

    Raises:
        OSError: no connection, no room, a file that is missing.
        ValueError: no such corpus, no agreement, or a file that is not the
            published one; the message says which.
    """
    from transformer_lib.fetch import address, missing

    corpus = CORPORA[args.corpus]
    address(corpus, args.origin)  # refuse it before anything else
    folder = Path(args.out or f"data/{corpus.name}")
    wanted = missing(corpus, folder)
    if not wanted:
        print(f"{folder} has all of {corpus.name} already; nothing to do")
        return
    if not _agreed(corpus, args.yes):
        raise ValueError("you did not agree to the terms; nothing is fetched")
    again = f"run the command again: what has come is kept in {folder}"
    try:
        size = sum(file.packed.size for file in wanted)
        _bring(corpus, folder, args.origin, size)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"stopped; {again}") from None
    except OSError as error:
        if error.errno is None:  # ours: it says what to do
            raise
        raise OSError(
            f"{error}; see to room and permission, then {again}"
        ) from None
    names = (*corpus.training, *corpus.validation)
    paths = [shlex.quote(str(folder / name)) for name in names]
    count = len(corpus.files)
    print(READY.format(*paths, n=count, name=corpus.name, folder=folder))
