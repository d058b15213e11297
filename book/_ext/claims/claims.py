"""What the lecture notes say, on a page: the directive `{claims} name`.

The name is that of an entry of book/claims.toml: `smaller-points` becomes a
table, `slips-of-the-paper` and `damage-on-the-way` become lists, and any other
the wordings of the notes with the originals folded below them.
"""

from __future__ import annotations

import claim_table as table
from docutils import nodes
from docutils.statemachine import StringList
from folds import fold
from sphinx.util.docutils import SphinxDirective

COLUMNS = (("What is written", 40), ("Verdict", 38), ("Where", 22))


class Claims(SphinxDirective):
    """The directive `claims`: the name of an entry."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        (name,) = self.arguments
        if not table.of_entry(name):
            raise self.error(f"book/claims.toml: no claim has the entry {name}")
        rooms = (p for f in table.FOLDERS for p in f.glob("*.ipynb"))
        for path in (table.TABLE, *rooms):
            self.env.note_dependency(str(path))
        self.page = table.ROOT / f"{self.env.docname}.md"
        if name == table.SMALLER:
            return [self.tabled(table.of_entry(name))]
        if name in table.LISTS:
            return [self.listed(table.of_entry(name))]
        return self.parsed(table.entry(name))

    def parsed(self, text: str) -> list[nodes.Node]:
        """Return the nodes of a piece of Markdown."""
        home = nodes.Element()
        lines = StringList(text.splitlines(), self.get_source_info()[0])
        self.state.nested_parse(lines, self.content_offset, home)
        return list(home.children)

    def originals(self, claim: table.Claim) -> list[nodes.Node]:
        """Return the wordings of a claim, each as a fold."""
        found = []
        for wording in claim.wordings:
            words = table.document_words(wording.document)
            words = f"From {words}, line {wording.line}"
            new = fold(words=words, kind="more")
            new.source, new.line = self.get_source_info()
            for text in (wording.translation, wording.original):
                new += self.parsed(text)
            found.append(new)
        return found

    def tabled(self, claims: list[table.Claim]) -> nodes.table:
        """Return a table with a row for each claim."""
        body = nodes.tbody()
        for claim in claims:
            said, *others = table.row(claim, self.page)
            first = nodes.entry("", *self.parsed(said))
            first += self.originals(claim)
            rest = (nodes.entry("", *self.parsed(text)) for text in others)
            body += nodes.row("", first, *rest)
        head = nodes.row()
        group = nodes.tgroup(cols=len(COLUMNS))
        for title, width in COLUMNS:
            group += nodes.colspec(colwidth=width)
            head += nodes.entry("", nodes.paragraph("", title))
        group += [nodes.thead("", head), body]
        return nodes.table("", group, classes=["claims"])

    def listed(self, claims: list[table.Claim]) -> nodes.bullet_list:
        """Return a list with a point for each claim."""
        listed = nodes.bullet_list()
        for claim in claims:
            text = table.bullet(claim, self.page)
            item = nodes.list_item("", *self.parsed(text))
            item += self.originals(claim)
            listed += item
        return listed


def setup(app) -> dict:
    """Register the directive (called by Sphinx)."""
    app.add_directive("claims", Claims)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
