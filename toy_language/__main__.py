"""Draw the corpus that comes with the package, and write its file anew.

    python -m toy_language

It takes ten seconds and more. The same sources make the same file.
"""

from toy_language.corpus import draw_splits
from toy_language.shipped import FILE, packed


def main() -> None:
    """Draw it, write it, and say where it is."""
    FILE.write_bytes(packed(draw_splits("small", 0)))
    print(f"{FILE}: {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
