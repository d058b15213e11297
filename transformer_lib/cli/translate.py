"""The command ``translate``."""

import io
import reprlib
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import torch

from transformer_lib.cli.options import SAMPLING, WIDEST_BEAM, device_of
from transformer_lib.cli.streams import counted
from transformer_lib.files import atomic_write
from transformer_lib.parallel_text import clean_line, lines_of, read_lines
from transformer_lib.published import is_published
from transformer_lib.search import Sampling, Search
from transformer_lib.translator import SHIPPED, Translation, Translator

__all__ = ["check_trained", "load_translator", "translate"]


def load_translator(args: Namespace) -> Translator:
    """Load the translator that a command line names, for its --beam.

    Args:
        args: what the parser made of the command line.

    Returns:
        The translator of --model, or the one that is shipped.

    Raises:
        OSError: a file cannot be read.
        ValueError: the folder holds no trained model, or a damaged one; or
            the beam is too wide.
    """
    device = device_of(args)
    if args.beam > WIDEST_BEAM:
        raise ValueError(
            f"--beam {args.beam}: choose at most {WIDEST_BEAM}; time and "
            "memory grow with the beam, and wide ones translate no better"
        )
    if args.model is not None and not is_published(args.model):
        check_trained(args.model)
    translator = Translator.load(args.model or SHIPPED, device)
    vocab_size = len(translator.tokenizer)
    if args.beam > vocab_size:
        raise ValueError(
            f"--beam {args.beam}: choose at most {vocab_size}; this model "
            "knows so many tokens, and a search begins with one of them"
        )
    return translator


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


def _report(translations: list[Translation], wrong: dict[int, str]) -> None:
    """Name sentences that could not be read; warn of doubtful translations."""
    for i, found in enumerate(translations):
        who = f"sentence {i + 1}"
        if i in wrong:
            print(f"{who} is left empty: it {wrong[i]}", file=sys.stderr)
        for warning in _warnings(found):
            print(f"{who}: {warning}", file=sys.stderr)


def _warnings(found: Translation) -> Iterator[str]:
    words = list(dict.fromkeys(found.unknown_words))
    if words:
        shown = ", ".join(map(reprlib.repr, words[:10]))
        rest = f" and {len(words) - 10} more" if len(words) > 10 else ""
        yield f"unknown words, read as <unk>: {shown}{rest}"
    elif found.trust in ("perhaps", "doubtful"):
        said = "perhaps right" if found.trust == "perhaps" else "doubtful"
        *most, last = [f"*{word}*" for word in found.lost_words] or [""]
        lost = f"{', '.join(most)} and {last}" if most else last
        why = f": {lost} may have got lost" if lost else ""
        yield f"{said} (confidence {found.confidence:.0%}){why}"
    if not found.finished:
        yield (
            "the translation was cut after "
            f"{counted(len(found.tokens), 'token')}, the model's limit"
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
            # bytes that are no text are named then, with their sentence
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        for line in sys.stdin:
            yield [clean_line(line.rstrip("\n"))]
    else:
        yield lines_of(sys.stdin.buffer.read(), "standard input")


def _lines(results: list[str], n: int) -> str:
    """Return n translations, a line each, however lines may be told apart."""
    text = "".join(f"{line}\n" for line in results)
    assert len(text.splitlines()) == n
    return text


def _write(path: Path, text: str) -> None:
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


def translate(args: Namespace) -> int:
    """Translate arguments, a file, standard input, or what is typed.

    The translation of sentence n is line n, empty if the sentence is too long
    or no text.

    Args:
        args: what the parser made of the command line.

    Returns:
        The exit code: 1 if a sentence could not be read, else 0.

    Raises:
        OSError: a file cannot be read or written.
        ValueError: there is no place for the output, or the options do not
            go together; the message says which.
    """
    output = None if args.output is None else Path(args.output).resolve()
    if output is not None and (output.is_dir() or not output.parent.is_dir()):
        raise ValueError(
            f"--output {args.output}: give a file in a folder that exists"
        )
    search = _search(args)
    translator = load_translator(args)
    code, written = 0, ""
    for sentences in _chunks(args):
        readable, wrong = translator.readable(sentences)
        found = translator.explain(readable, search)
        _report(found, wrong)
        code = 1 if wrong else code
        text = _lines([one.text for one in found], len(sentences))
        if output is None:
            print(text, end="", flush=True)
        written += text
    if output is not None:
        _write(output, written)
    return code
