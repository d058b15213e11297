"""The built book in headless Chromium: `make test-browser`.

Chromium comes from the system (Debian: `apt install chromium`); the variable
CHROMIUM names another executable. Playwright's own download is not used.

Chromium sees the families of `FONTS` and no others, so that no result depends
on what a machine happens to have. A page is set in `WIDE`; `set_in` sets it
in another family.
"""

import contextlib
import functools
import http.server
import os
import shutil
import threading
from importlib.util import find_spec
from pathlib import Path

import pytest
from built import HTML

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
WIDE, NARROW = "DejaVu Sans", "Liberation Sans"
FONTS = {  # each family, and the Debian package that has it
    WIDE: "fonts-dejavu-core",
    "DejaVu Sans Mono": "fonts-dejavu-core",
    NARROW: "fonts-liberation",
    "Noto Sans CJK KR": "fonts-noto-cjk",
    "Noto Sans CJK TC": "fonts-noto-cjk",
}
FONTCONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <selectfont>
    <acceptfont>
{accepted}
    </acceptfont>
    <rejectfont>
      <pattern><patelt name="scalable"><bool>true</bool></patelt></pattern>
      <pattern><patelt name="scalable"><bool>false</bool></patelt></pattern>
    </rejectfont>
  </selectfont>
  <alias binding="same"><family>monospace</family>
    <prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <match><edit name="family" mode="append_last" binding="strong">
    <string>{wide}</string></edit></match>
</fontconfig>
"""
ACCEPTED = """\
      <pattern><patelt name="family"><string>{}</string></patelt></pattern>"""
# What axe looks for in a page that it has seen in the light: only colors are
# others in the dark.
AXE_RULES = {"light": "{}", "dark": "{runOnly: ['color-contrast']}"}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}


def pytest_addoption(parser, pluginmanager):
    pluginmanager.import_plugin("proofs")
    parser.addoption(
        "--shots", default=None, help="folder for screenshots of the pages"
    )


@pytest.fixture(scope="session")
def fontconfig(tmp_path_factory):
    """Write which fonts there are; return the file's path."""
    path = tmp_path_factory.mktemp("fonts") / "fonts.conf"
    text = FONTCONFIG.format(
        accepted="\n".join(map(ACCEPTED.format, FONTS)), wide=WIDE
    )
    path.write_text(text, encoding="utf-8")
    return path


def families(page, selector):
    """Return the families in which the first such element is drawn."""
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    found = session.send(
        "DOM.querySelector", {"nodeId": root, "selector": selector}
    )
    fonts = session.send("CSS.getPlatformFontsForNode", found)["fonts"]
    session.detach()
    return {font["familyName"] for font in fonts}


def check_fonts(browser):
    """Fail if a family is missing."""
    page = browser.new_page()
    missing = set()
    for family, package in FONTS.items():
        page.set_content(f"<p style=\"font-family: '{family}'\">letters</p>")
        if families(page, "p") != {family}:
            missing.add(package)
    page.close()
    if missing:
        named = " ".join(sorted(missing))
        pytest.fail(
            f"fonts are missing (Debian: apt install {named})", pytrace=False
        )


def set_in(page, family, selector="body"):
    """Set what a selector finds, and all in it, in another family."""
    page.add_style_tag(
        content=f"{selector}, {selector} *"
        f" {{font-family: '{family}' !important}}"
    )
    two_frames(page)


def two_frames(page):
    """Wait until whoever watches sizes has seen the last change."""
    page.evaluate(
        "() => new Promise(done => requestAnimationFrame("
        "() => requestAnimationFrame(done)))"
    )


def executable():
    """Return the path of Chromium, or None."""
    named = os.environ.get("CHROMIUM")
    found = named or next(filter(None, map(shutil.which, NAMES)), None)
    return found if found and Path(found).exists() else None


@pytest.fixture(scope="session")
def chromium(fontconfig):
    """Start Chromium once."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.fail(
            "the browser tests need playwright: `make test-browser`",
            pytrace=False,
        )
    found = executable()
    if found is None:
        named = os.environ.get("CHROMIUM")
        pytest.fail(
            f"no Chromium found (looked for {named or ', '.join(NAMES)}); "
            "install it (Debian: apt install chromium) or set CHROMIUM to "
            "its path",
            pytrace=False,
        )
    with sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=found,
            args=["--no-sandbox"],
            env={**os.environ, "FONTCONFIG_FILE": str(fontconfig)},
        )
        check_fonts(browser)
        yield browser
        browser.close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture(scope="session")
def address():
    """Serve the built book on a free port; return its address."""
    if not (HTML / "index.html").exists():
        pytest.fail(
            f"{HTML}/index.html is missing: run `make book` first",
            pytrace=False,
        )
    handler = functools.partial(_Quiet, directory=str(HTML))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


# A page sets its last things in order 60 ms after all is loaded (page.js);
# who asks for the same time later comes later.
SETTLED = """async () => {
    await window.MathJax?.startup?.promise;
    await document.fonts.ready;
    await new Promise(done => setTimeout(done, 60));
}"""


@pytest.fixture(scope="session")
def visit(chromium, address):
    """Return a context manager that opens a page and notes what it does.

    The page gets three lists: `complaints` (errors and warnings of the
    console), `outside` (requests to other hosts) and `missing` (answers such
    as 404). With `formulas=False` MathJax, the slowest part of a page, is
    not loaded.
    """

    @contextlib.contextmanager
    def go(name, base=None, formulas=True, **options):
        home = base or address
        options.setdefault("viewport", {"width": 1280, "height": 900})
        context = chromium.new_context(**options)
        context.set_default_timeout(120_000)  # a busy machine is no error
        page = context.new_page()
        listen(page, home)
        if not formulas:
            blocking = context.new_cdp_session(page)
            blocking.send("Network.enable")
            blocking.send("Network.setBlockedURLs", {"urls": ["*/mathjax/*"]})
        cover = "**/book/index.html" if name == "index.html" else None
        scripts = options.get("java_script_enabled", True)
        turn_to(page, f"{home}/{name}", scripts, cover)
        yield page
        context.close()

    return go


def turn_to(page, address, scripts=True, leads_to=None):
    """Go to an address in the same tab; the lists of `visit` begin anew."""
    page.complaints, page.outside, page.missing = [], [], []
    page.goto(address, wait_until="load")
    if leads_to:
        page.wait_for_url(leads_to)
    if scripts:
        page.evaluate(SETTLED)


def listen(page, home):
    """Write down what the page says, asks for and does not get."""

    def said(message):
        kept_away = "ERR_BLOCKED_BY_CLIENT" in message.text  # MathJax
        if message.type in ("error", "warning") and not kept_away:
            page.complaints.append(message.text)

    def asked(request):
        if not request.url.startswith((home, "data:", "blob:")):
            page.outside.append(request.url)

    def answered(response):
        if response.status >= 400:
            page.missing.append(f"{response.status} {response.url}")

    page.on("console", said)
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", asked)
    page.on("response", answered)


@pytest.fixture(scope="session")
def shots(request):
    """Return the folder for screenshots, or None."""
    named = request.config.getoption("--shots")
    if named is None:
        return None
    folder = Path(named)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def axe():
    """The script of axe-core, which the package axe-playwright-python has."""
    spec = find_spec("axe_playwright_python")
    if spec is None or spec.origin is None:
        pytest.fail(
            "axe is missing: `make test-browser` installs it", pytrace=False
        )
    return (Path(spec.origin).parent / "axe.min.js").read_text("utf-8")
