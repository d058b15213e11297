"""Photograph the translator on the cover of the built book, for README.md.

    make book
    python book/_tools/readme_picture.py

writes book/_static/translator.png. It needs Playwright and Chromium, as `make
test-browser` does. Run it after a change of the translator's looks, or of the
model that is shipped.
"""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
COVER = ROOT / "_build" / "html" / "book" / "index.html"
TARGET = ROOT / "book" / "_static" / "translator.png"
WIDTH, SCALE = 1180, 1.5  # of the window; pixels for one of the page
COLORS = 128


def main() -> None:
    """Write the picture."""
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"]
        )
        page = browser.new_page(
            viewport={"width": WIDTH, "height": 1000},
            device_scale_factor=SCALE,
            reduced_motion="reduce",
        )
        page.goto(COVER.as_uri())
        page.wait_for_selector(".live-sure:has-text('probability')")
        page.wait_for_timeout(1000)  # the fonts
        shot = page.locator("#live-translator").screenshot()
        browser.close()
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    picture.quantize(COLORS).save(TARGET, optimize=True)
    print(f"{TARGET}: {TARGET.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
