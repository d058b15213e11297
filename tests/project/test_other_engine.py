"""`make book ENGINE=sphinx`: the same settings, and how builds are compared."""

import runpy
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "book" / "_tools" / "sphinx"


def test_both_engines_read_the_same_settings(monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    read = runpy.run_path(str(FOLDER / "conf.py"))
    book = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    config = book["sphinx"]["config"]
    assert read["html_css_files"] == config["html_css_files"]
    given = config["html_theme_options"].items()
    assert given <= read["html_theme_options"].items()
    assert {*book["sphinx"]["local_extensions"]} < {*read["extensions"]}
    paths = ["html_logo", "html_favicon", "external_toc_path"]
    lists = ["bibtex_bibfiles", "html_static_path", "templates_path"]
    named = [read[p] for p in paths] + [p for one in lists for p in read[one]]
    assert all(Path(path).is_absolute() for path in named)
    assert all(Path(path).exists() for path in named)


def test_a_page_or_an_anchor_that_is_lost_is_named(tmp_path):
    lost = runpy.run_path(str(FOLDER / "compare.py"))["lost"]
    for name in "first", "second":
        (tmp_path / name).mkdir()
        for page in "a", "b":
            file = tmp_path / name / f"{page}.html"
            file.write_text('<p id="x"></p><p id="y"></p>', encoding="utf-8")
    builds = tmp_path / "first", tmp_path / "second"
    assert lost(*builds) == []
    (builds[1] / "a.html").write_text('<p id="y"></p>', encoding="utf-8")
    assert lost(*builds) == ["a.html#x"]
    (builds[1] / "b.html").unlink()
    assert lost(*builds) == ["a.html#x", "b.html#x", "b.html#y"]
