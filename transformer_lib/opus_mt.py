"""Published translators: where they are, who made them, on which terms.

Another one is another entry of `MODELS`, if it is of this kind; see
`transformer_lib.published`.
"""

from dataclasses import dataclass

__all__ = ["MODELS", "PublishedModel"]


@dataclass(frozen=True)
class PublishedModel:
    """A published translator.

    Attributes:
        name: as the command line calls it.
        repository: at the hub, https://huggingface.co.
        commit: what is fetched, whatever is published later; None if nobody
            has named one, and then the first fetch asks which one `main` is.
        megabytes: of all its files, about.
        home: address of the page that describes it.
        terms: what it may be used for, and who says so.
        citation: the paper to cite.
    """

    name: str
    repository: str
    commit: str | None
    megabytes: int
    home: str
    terms: str
    citation: str


_TERMS = """\
{name}: a translator from {source} to {target}, trained by
the University of Helsinki on the texts of OPUS (https://opus.nlpl.eu).
Its authors, Joerg Tiedemann and Santhosh Thottingal, license their models
under CC BY 4.0 (https://creativecommons.org/licenses/by/4.0; they say so at
https://github.com/Helsinki-NLP/OPUS-MT-train/issues/12); its page at the hub
says {tag}. Name them when you pass on what it writes or the model itself.
When it is loaded, the order of its weights changes, the row of its padding
comes twice, and padding is never written.
It has learned from texts of the web: it errs, and can offend.
{pinned}
What comes is checked against the checksums that the hub gives. The authors of
this book have not seen these bytes: they tested the loading of such a model
with random weights."""
_PINNED = "What is fetched is one commit, {}."
_NOT_PINNED = """\
Nobody here knows a commit of it: the first fetch asks the hub for the newest
one and writes it beside the files; from then on it is this one."""
_CITATION = """\
J. Tiedemann and S. Thottingal (2020), "OPUS-MT - Building open translation
services for the World", Proceedings of the 22nd Annual Conference of the
European Association for Machine Translation, pages 479-480."""


def _model(
    pair: str, languages: str, tag: str, megabytes: int, commit: str | None
) -> PublishedModel:
    name = f"opus-mt-{pair}"
    source, target = languages.split()
    pinned = _PINNED.format(commit) if commit else _NOT_PINNED
    return PublishedModel(
        name,
        f"Helsinki-NLP/{name}",
        commit,
        megabytes,
        f"https://huggingface.co/Helsinki-NLP/{name}",
        _TERMS.format(
            name=name, source=source, target=target, tag=tag, pinned=pinned
        ),
        _CITATION,
    )


MODELS = {
    model.name: model
    for model in (
        _model(
            "ko-en",
            "Korean English",
            "Apache 2.0",
            315,
            "8bf548f19accb8fdc96055608840f5a0c194ec8d",
        ),
        _model("en-de", "English German", "CC BY 4.0", 300, None),
        _model("zh-en", "Chinese English", "Apache 2.0", 315, None),
    )
}
