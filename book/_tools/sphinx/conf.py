"""The same book without jupyter-book, which holds Sphinx at version 7.

    sphinx-build -c book/_tools/sphinx -b html . _build/sphinx

Both engines read _config.yml and _toc.yml. `make book ENGINE=sphinx` makes an
environment of its own for this one, since the two cannot share one.
"""

import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
_book = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
_sphinx = _book["sphinx"]
_options = dict(_sphinx["config"])

project = html_title = _book["title"]
author = _book["author"]
copyright = _book["copyright"]
exclude_patterns = _book["exclude_patterns"]
external_toc_path = str(ROOT / "_toc.yml")
external_toc_exclude_missing = _book["only_build_toc_files"]
bibtex_bibfiles = [str(ROOT / path) for path in _book["bibtex_bibfiles"]]
numfig = True

extensions = [
    "sphinx_togglebutton",
    "sphinx_copybutton",
    "myst_nb",
    "sphinx_external_toc",
    "sphinx.ext.intersphinx",
    "sphinx_design",
    "sphinx_book_theme",
    *_sphinx["local_extensions"],
    "sphinxcontrib.bibtex",
]
for _folder in sorted(set(_sphinx["local_extensions"].values())):
    sys.path.insert(0, str(ROOT / _folder))

myst_enable_extensions = _book["parse"]["myst_enable_extensions"]
myst_url_schemes = _book["parse"]["myst_url_schemes"]
nb_execution_mode = _book["execute"]["execute_notebooks"]
nb_output_stderr = _book["execute"]["stderr_output"]

html_theme = "sphinx_book_theme"
html_logo = str(ROOT / _book["logo"])
html_favicon = str(ROOT / _book["html"]["favicon"])
html_sourcelink_suffix = ""
html_theme_options = {
    "launch_buttons": {
        **_book["launch_buttons"],
        "notebook_interface": "classic",
    },
    "repository_url": _book["repository"]["url"],
    "repository_branch": _book["repository"]["branch"],
    "path_to_docs": _book["repository"]["path_to_book"],
    "extra_footer": _book["html"]["extra_footer"],
    "home_page_in_toc": True,
    "search_bar_text": "Search this book...",
    **_options.pop("html_theme_options"),
}
for _name in ("html_static_path", "templates_path"):
    _options[_name] = [str(ROOT / path) for path in _options[_name]]
globals().update(_options)
