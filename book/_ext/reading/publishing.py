"""What a book needs that stands at an address, and must not show without one.

- The buttons that lead to the repository and to Colab, and what pages say
  about them (`{only} published`), are there once _config.yml has an address.
- BOOK_BASE_URL in the environment says where the pages will be served. The
  workflow that publishes them sets it, and a book that is built for reading
  from a folder needs none.
- 404.html is what GitHub Pages shows in place of a page that is not there.
- .nojekyll keeps GitHub Pages from leaving out folders such as _static.
"""

from __future__ import annotations

import os
from html import escape
from urllib.parse import urlsplit

NOT_HERE = """
<h1>This page is not here</h1>
<p>It may have been moved or renamed. The <a href="book/index.html">cover</a>
has the map of the book, and the <a href="search.html">search</a> finds any word
in it.</p>
"""


def link_to_repository(app, config) -> None:
    """Show the buttons, and what is `only` for a published book."""
    theme = config.html_theme_options
    published = theme.get("repository_url", "") != ""
    theme["use_repository_button"] = published
    theme["use_issues_button"] = published
    if published:
        app.tags.add("published")
    else:
        theme["launch_buttons"] = {}


def set_base_url(app, config) -> None:
    """Say in each page where it is served."""
    config.html_baseurl = os.environ.get("BOOK_BASE_URL", config.html_baseurl)
    if config.html_baseurl and not config.html_baseurl.endswith("/"):
        config.html_baseurl += "/"


def page_not_found(app):
    """Yield the page for an address that no page has."""
    context = {"title": "This page is not here", "body": NOT_HERE}
    yield "404", context, "page.html"


def resolve_from_root(app, pagename, template, context, doctree) -> None:
    """Make the links of 404.html work in place of any page."""
    if pagename == "404" and app.config.html_baseurl:
        root = escape(urlsplit(app.config.html_baseurl).path)
        context["metatags"] = (
            f'<base href="{root}"/>\n{context.get("metatags", "")}'
        )


def setup(app) -> dict:
    """Connect the pieces (called by Sphinx)."""
    app.setup_extension("sphinx.ext.githubpages")
    app.connect("config-inited", link_to_repository)
    app.connect("config-inited", set_base_url)
    app.connect("html-collect-pages", page_not_found)
    app.connect("html-page-context", resolve_from_root)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
