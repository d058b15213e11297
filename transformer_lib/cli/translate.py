"""The command ``translate``."""

import io
import reprlib
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import torch

from transformer_lib.cli.options import SAMPLING, device_of
from transformer_lib.files import atomic_write
from transformer_lib.parallel_text import clean_line, lines_of, read_lines
from transformer_lib.search import Sampling, Search
from transformer_lib.translator import SHIPPED, Translation, Translator

__all__ = ["check_trained", "load_translator", "translate"]


def load_translator(args: Namespace) -> Translator:
    """Load the translator that a command line names.

    Args:
        args: what the parser made of the command line.

    Returns:
        The translator of --model, or the one that is shipped.

    Raises:
        OSError: a file cannot be read.
        ValueError: the folder holds no trained model, or a damaged one.
    """
    device = device_of(args)
    if args.model is None:
        return Translator.load(SHIPPED, device)
    check_trained(args.model)
    return Translator.load(args.model, device)


def check_trained(folder: str, option: str = "--model") -> None:
    """Refuse a folder without a trained model.

    Args:
        folder: what the option names.
        option: that names it.

    Raises:
        ValueError: no model is there.
    """
    if not (Path(folder) / "model.json").exists():
        raise ValueError(
            f"{option} {folder}: no trained model there; give the folder that "
            "train --out wrote"
        )


def _report(translations: list[Translation]) -> None:
    """Warn of translations that were cut or of which it is not sure."""
    for number, found in enumerate(translations, start=1):
        for warning in _warnings(found):
            print(f"sentence {number}: {warning}", file=sys.stderr)


def _warnings(found: Translation) -> Iterator[str]:
    words = list(dict.fromkeys(found.unknown_words))
    if words:
        shown = ", ".join(map(reprlib.repr, words[:10]))
        rest = f" and {len(words) - 10} more" if len(words) > 10 else ""
        yield f"unknown words, read as <unk>: {shown}{rest}"
    elif found.trust in ("perhaps", "doubtful"):
        said = "perhaps right" if found.trust == "perhaps" else "do not trust"
        *most, last = [f"*{word}*" for word in found.lost_words] or [""]
        lost = f"{', '.join(most)} and {last}" if most else last
        why = f": {lost} may have got lost" if lost else ""
        yield f"{said} (confidence {found.confidence:.0%}){why}"
    if not found.finished:
        yield (
            f"the translation was cut after {len(found.tokens)} tokens, the "
            "model's limit"
        )


def _chunks(args: Namespace) -> Iterator[list[str]]:
    """Yield lists of sentences that are translated together."""
    if args.file is not None:
        yield read_lines(args.file)
    elif args.sentences:
        yield args.sentences
    elif sys.stdin.isatty():  # a conversation: answer each line at once
        print("Type a sentence a line; end with Ctrl-D.", file=sys.stderr)
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8")
        for line in sys.stdin:
            yield [clean_line(line.rstrip("\n"))]
    else:
        yield lines_of(sys.stdin.buffer.read(), "standard input")


def _write(path: Path, lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    if path.exists() and not path.is_file():  # a pipe, a device
        path.write_text(text, encoding="utf-8")
    else:
        atomic_write(path, text.encode())


def _search(args: Namespace) -> Search | Sampling:
    """Return how to look for words; --sample draws them."""
    given = {name: getattr(args, name) for name, _, _ in SAMPLING.values()}
    given = {name: x for name, x in given.items() if x is not None}
    if not args.sample:
        if args.seed is not None:
            given["seed"] = args.seed
        for name, value in given.items():
            option = "--" + name.replace("_", "-")
            raise ValueError(f"{option} {value}: add --sample")
        return Search(beam_size=args.beam)
    if args.beam != 1:
        raise ValueError(f"--beam {args.beam} searches; leave out --sample")
    generator = torch.Generator()
    if args.seed is None:
        generator.seed()
    elif 0 <= args.seed < 2**32:
        generator.manual_seed(args.seed)
    else:
        raise ValueError(f"--seed {args.seed}: choose 0 to 2**32 - 1")
    return Sampling(**given, generator=generator)


def translate(args: Namespace) -> None:
    """Translate arguments, a file, standard input, or what is typed.

    Args:
        args: what the parser made of the command line.

    Raises:
        OSError: a file cannot be read or written.
        ValueError: a sentence is too long or no text, there is no place
            for the output, or the options do not go together; the message
            says which.
    """
    output = None if args.output is None else Path(args.output).resolve()
    if output is not None and (output.is_dir() or not output.parent.is_dir()):
        raise ValueError(
            f"--output {args.output}: give a file in a folder that exists"
        )
    search = _search(args)
    translator = load_translator(args)
    written = []
    for sentences in _chunks(args):
        for sentence in sentences:
            sentence.encode()  # what is not text is an error here, not later
        found = translator.explain(sentences, search)
        _report(found)
        results = [translation.text for translation in found]
        if output is not None:
            written += results
        else:
            print("".join(f"{x}\n" for x in results), end="", flush=True)
    if output is not None:
        _write(output, written)
