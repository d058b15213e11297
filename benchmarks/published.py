"""Translate with a published model, for whoever can fetch one.

    python -m transformer_lib fetch opus-mt-en-de
    python -m transformer_lib fetch multi30k
    python benchmarks/published.py data/opus-mt-en-de

Ten sentences with a beam of 4, under both length normalizations and with both
formulas for the frequencies of the positions: over d/2 steps as in the paper,
and over d/2 - 1 as in Marian. With --data, the folder of Multi30k, and a model
from English to German, BLEU (cased, 13a) on test_2016_flickr for the same four
ways. The result is benchmarks/results/published_NAME.json, with the checksum
of every file of the model. ``--smoke`` takes the small folder of random weights
that the tests have; it stores nothing.

Nobody has stored such a result yet: the authors of this book have seen no
published weights.
"""

import argparse
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import common
import torch
from real_text import TEST

from transformer_course.workbook.published import RANDOM
from transformer_lib import evaluation
from transformer_lib.parallel_text import read_lines
from transformer_lib.search import Search
from transformer_lib.translator import Translator

SEARCHES = {"gnmt": 0.6, "length": 1.0}  # normalization, and its alpha
SENTENCES = {
    "en": """\
The cat did not cross the river because it was too deep.
The cat did not cross the river because it was too tired.
My sister has bought an old house by the sea.
Who left the window open last night?
If it rains tomorrow, we will stay at home.
The letter that he wrote never arrived.
She can read Korean, but she does not speak it.
There are seventeen chairs in this room.
Nobody knew why the train had stopped.
He gave the book back without a word.""",
    "ko": """\
강이 너무 깊어서 고양이는 강을 건너지 못했다.
고양이는 너무 피곤해서 강을 건너지 않았다.
누나가 바닷가에 있는 오래된 집을 샀다.
어젯밤에 누가 창문을 열어 두었습니까?
내일 비가 오면 우리는 집에 있을 것이다.
그가 쓴 편지는 끝내 도착하지 않았다.
그녀는 한국어를 읽을 수 있지만 말하지는 못한다.
이 방에는 의자가 열일곱 개 있다.
기차가 왜 멈췄는지 아무도 몰랐다.
그는 아무 말 없이 책을 돌려주었다.""",
    "zh": """\
貓沒有過河，因為河太深了。
貓沒有過河，因為牠太累了。
我姐姐買了一棟海邊的老房子。
昨天晚上是誰沒關窗戶？
如果明天下雨，我們就待在家裡。
他寫的那封信始終沒有寄到。
她看得懂韓文，但是不會說。
這個房間裡有十七把椅子。
沒有人知道火車為什麼停了下來。
他一句話也沒說就把書還了。""",
}


def sums(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file."""
    found = {}
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        with path.open("rb") as file:
            found[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def one_step_less(length: int, d: int) -> torch.Tensor:
    """Return the table of positions with frequencies over d/2 - 1 steps."""
    place = torch.arange(length, dtype=torch.float64)[:, None]
    pair = torch.arange(d // 2, dtype=torch.float64)
    angle = place / 10000 ** (pair / (d / 2 - 1))
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)


@contextmanager
def positions(translator: Translator, formula: str) -> Iterator[None]:
    """Let the model have the positions of a formula for a while."""
    table = translator.model.positions.pe
    own = table.clone()
    if formula == "d/2 - 1":
        table.copy_(one_step_less(*table.shape))
    try:
        yield
    finally:
        table.copy_(own)


def measure(
    translator: Translator,
    texts: list[str],
    wanted: list[str] | None = None,
    longest: int = 100,
) -> list[dict[str, Any]]:
    """Translate in four ways; score them where references are given."""
    rows = []
    for formula in ("d/2", "d/2 - 1"):
        for name, alpha in SEARCHES.items():
            search = Search(
                beam_size=4,
                alpha=alpha,
                normalization=name,
                max_length=longest,
            )
            with positions(translator, formula):
                found = translator.translate(texts, search)
            row: dict[str, Any] = {"positions": formula, "normalization": name}
            if wanted is None:
                row["translations"] = found
            else:
                score = evaluation.bleu(found, wanted)
                row |= {"bleu": score.score, "signature": score.signature}
            rows.append(row)
    return rows


def corpus(folder: Path | None, name: str) -> tuple[list[str], list[str]]:
    """Return sources and references, or nothing to score."""
    if folder is None or not name.endswith("en-de"):
        return [], []
    both = [read_lines(folder / f"{TEST}.{side}") for side in ("en", "de")]
    return both[0], both[1]


def arguments() -> argparse.Namespace:
    parser = common.parser(__doc__ or "")
    parser.add_argument("folder", type=Path, nargs="?", default=RANDOM)
    parser.add_argument("--data", type=Path, help="the folder of Multi30k")
    parser.add_argument("--source", choices=SENTENCES, help="the language")
    return parser.parse_args()


def main() -> None:
    args = arguments()
    if args.folder == RANDOM and not args.smoke:
        raise SystemExit("name the folder of a published model, or --smoke")
    name = args.folder.resolve().name
    language = args.source or next(
        (one for one in SENTENCES if f"-{one}-" in name), "en"
    )
    translator = Translator.load(args.folder)
    texts = SENTENCES[language].split("\n")
    sources, wanted = corpus(args.data, name)
    longest = 12 if args.smoke else 100
    scored = measure(translator, sources, wanted, longest) if sources else []
    figures: dict[str, Any] = {
        "model": name,
        "parameters": sum(p.numel() for p in translator.model.parameters()),
        "sums": sums(args.folder),
        "sources": texts,
        "sentences": measure(translator, texts, longest=longest),
        "test": scored,
        "test_sentences": len(sources),
    }
    for row in figures["sentences"]:
        print(row["positions"], row["normalization"], *row["translations"],
              sep="\n  ")  # fmt: skip
    for row in figures["test"]:
        print(row["positions"], row["normalization"], f"{row['bleu']:.1f}")
    if common.keeps(args.smoke):
        print(common.write(f"published_{name}", "cpu", figures))


if __name__ == "__main__":
    main()
