"""Small parallel files to train on."""

import random
from pathlib import Path


def words_file(folder) -> tuple[Path, Path]:
    """Write two parallel files; the target is the source backwards.

    No line stands twice, which a run would tell.
    """
    chance = random.Random(0)
    words = ["ein", "zwei", "drei", "rot", "blau", "grün", "Haus", "Straße"]
    lines: list[list[str]] = []
    while len(lines) < 60:
        line = chance.choices(words, k=chance.randrange(2, 6))
        lines += [line] * (line not in lines)
    source, target = Path(folder) / "a.en", Path(folder) / "a.de"
    source.write_text(
        "".join(" ".join(x) + "\n" for x in lines), encoding="utf-8"
    )
    target.write_text(
        "".join(" ".join(x[::-1]) + "\n" for x in lines), encoding="utf-8"
    )
    return source, target
