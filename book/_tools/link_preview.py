"""Draw the picture that a link to the book shows in a message or a post.

    python book/_tools/link_preview.py

writes book/_static/preview.png, 1200 x 630. It needs Playwright and Chromium,
as `make test-browser` does. Run it after a change of the drawing
(book/_ext/live/machine.py) or of the cover's promise.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from pathlib import Path

from PIL import Image

BOOK = Path(__file__).resolve().parents[1]
WIDE = Image.Quantize.MAXCOVERAGE  # keeps a color of a few thin lines
TARGET = BOOK / "_static" / "preview.png"
SIZE = {"width": 1200, "height": 630}
COLORS = 256

sys.path.insert(0, str(BOOK / "_ext" / "live"))
from machine import lit_in, svg  # noqa: E402

PAGE = """<!doctype html><meta charset="utf-8"><style>{css}
body {{ margin: 0; padding: 30px 64px 0; background: #fff;
  font: 27px/1.3 "Noto Sans", "DejaVu Sans", sans-serif; color: #56616c }}
h1 {{ margin: 0 0 8px; font-size: 54px; line-height: 1.15; color: #10181f }}
p {{ margin: 0 0 12px }} p[lang] {{ margin: 0 0 6px; font-size: 21px }}
</style><h1>{title}</h1><p>{promise}</p>{drawing}"""


def page() -> str:
    """Return the picture as a page, in the words of the cover."""
    cover = (BOOK / "index.md").read_text(encoding="utf-8")
    title = re.search(r"^# (.+)$", cover, re.M)[1]
    promise = re.search(r":::\{div\} promise\n(.+?)\n:::", cover, re.S)[1]
    css = [BOOK / "_static" / name for name in ("book.css", "machine.css")]
    chapters = dict.fromkeys(range(100), ("#", ""))
    return PAGE.format(
        css="".join(path.read_text(encoding="utf-8") for path in css),
        title=title,
        promise=promise,
        drawing=svg(lit_in(2), chapters),
    )


def main() -> None:
    """Write the picture."""
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"]
        )
        shot = browser.new_page(viewport=SIZE)
        shot.set_content(page())
        picture = Image.open(io.BytesIO(shot.screenshot()))
        browser.close()
    picture.convert("RGB").quantize(COLORS, WIDE).save(TARGET, optimize=True)
    print(f"{TARGET}: {TARGET.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
