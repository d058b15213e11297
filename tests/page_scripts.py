"""Scripts of the live translator, run in Node, without a browser."""

import json
import shutil
import subprocess
from pathlib import Path

import live_translator
import pytest

LIVE = Path(live_translator.__file__).parents[2] / "_static" / "live"


def in_node(folder, names, script, given):
    """Run some scripts of the page; return what `script` tells."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    (folder / "given.json").write_text(json.dumps(given), "utf-8")
    parts = [
        "globalThis.window = globalThis;",
        *((LIVE / f"{one}.js").read_text("utf-8")
          for one in live_translator.SCRIPTS if one in names),
        'const given = JSON.parse(require("fs").readFileSync("given.json"));',
        "const tell = (it) => console.log(JSON.stringify(it));",
        script,
    ]  # fmt: skip
    (folder / "script.js").write_text("\n".join(parts), "utf-8")
    told = subprocess.run(
        [node, "script.js"], cwd=folder, capture_output=True, check=True
    )
    return json.loads(told.stdout)
