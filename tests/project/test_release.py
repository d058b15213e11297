"""A release is made from a clean tree, and its chapters start in Colab."""

import json
import re
import subprocess
import sys

import pytest
import release
import set_address
import yaml
from bare_machine import ROOT, found, make_machine, needs_git
from pack import book_files
from release import Refusal

pytestmark = needs_git
HOME = "https://github.com/some-one/a-book"
CHAPTER = "chapters/02_self_attention_by_hand.ipynb"
NEWS = """# Changelog

## next - unreleased

All of this:

- everything.

## 0.0.1 - old
"""
GREEN, RED = "true", "false"
# What the tests of a release say about version and address, in that release.
PROOF = (
    f"{sys.executable} -m pytest -q --noconftest "
    "tests/project/test_address.py tests/project/test_repository.py "
    "-k 'says or one_version'"
)


def git(*words, cwd):
    who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    return subprocess.check_output(
        ["git", *who, *words], cwd=cwd, encoding="utf-8"
    )


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """Make a repository of the working tree, with an address and news."""
    folder = tmp_path_factory.mktemp("original") / "book"
    for name in book_files():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    (folder / "CHANGELOG.md").write_text(NEWS, encoding="utf-8")
    set_address.set_address(set_address.Address(HOME, "main"), folder)
    git("init", "-q", "-b", "main", cwd=folder)
    git("add", "-A", cwd=folder)
    git("commit", "-q", "-m", "everything", cwd=folder)
    return folder


@pytest.fixture
def clone(original, tmp_path):
    git("clone", "-q", str(original), "clone", cwd=tmp_path)
    folder = tmp_path / "clone"
    git("config", "user.name", "Test", cwd=folder)
    git("config", "user.email", "test@example.org", cwd=folder)
    return folder


def dirty(folder):
    (folder / "README.md").write_text("changed", encoding="utf-8")


def homeless(folder):
    nobody = set_address.Address("", "main")
    set_address.set_address(nobody, folder)
    git("commit", "-q", "-a", "-m", "no address", cwd=folder)


def silent(folder):
    text = "# Changelog\n\n## next - unreleased\n\n## 0.0.1 - old\n\n- Old.\n"
    (folder / "CHANGELOG.md").write_text(text, encoding="utf-8")
    git("commit", "-q", "-a", "-m", "nothing new", cwd=folder)


def tagged(folder):
    git("tag", "v9.9.9", cwd=folder)


def as_it_is(folder):
    pass


@pytest.mark.parametrize(
    ("prepare", "version", "proof", "says"),
    [
        (dirty, "9.9.9", GREEN, "commit or stash"),
        (homeless, "9.9.9", GREEN, "no address"),
        (silent, "9.9.9", GREEN, "tells nothing new"),
        (tagged, "9.9.9", GREEN, "tag v9.9.9 already"),
        (as_it_is, "9.9", GREEN, "wanted three numbers"),
        (as_it_is, "0.0.9", GREEN, "comes before"),
        (as_it_is, "9.9.9", RED, "tests are red"),
    ],
)
def test_a_release_is_refused(clone, prepare, version, proof, says):
    prepare(clone)

    def state():
        all_files = {
            name: (clone / name).read_bytes() for name in book_files(clone)
        }
        return all_files, git("log", "--format=%H", cwd=clone)

    before = state()
    with pytest.raises(Refusal, match=says):
        release.release(version, proof, "2026-01-02", clone)
    assert state() == before
    assert git("tag", cwd=clone).split() == ["v9.9.9"] * (prepare is tagged)


@pytest.mark.slow
def test_a_release_opens_in_colab(clone, tmp_path):
    release.release("9.9.9", PROOF, "2026-01-02", clone)

    assert git("status", "--porcelain", cwd=clone) == ""
    assert git("log", "-1", "--format=%s %D", cwd=clone).startswith(
        "Release 9.9.9 HEAD -> main, tag: v9.9.9"
    )

    def at_tag(name):
        return git("show", f"v9.9.9:{name}", cwd=clone)

    assert '__version__ = "9.9.9"' in at_tag("transformer_lib/__init__.py")
    citation = yaml.safe_load(at_tag("CITATION.cff"))
    assert citation["version"] == "9.9.9"
    assert str(citation["date-released"]) == "2026-01-02"
    news = NEWS.replace("next - unreleased", "9.9.9 - 2026-01-02")
    assert at_tag("CHANGELOG.md") == news

    # The link of a chapter names the tag and a file that the tag has.
    chapter = json.loads(at_tag(CHAPTER))
    link = re.search(
        r"\(https://colab.research.google.com/github/some-one/a-book/"
        r"blob/(.*?)/(.*?)\)",
        "".join(chapter["cells"][0]["source"]),
    )
    opened = json.loads(git("show", f"{link[1]}:{link[2]}", cwd=clone))
    assert opened == chapter

    # What GitHub packs of the tag is all that the chapter needs.
    packed = tmp_path / "home" / "archive" / "v9.9.9.zip"
    packed.parent.mkdir(parents=True)
    git(
        "archive",
        "--prefix=a-book-9.9.9/",
        f"--output={packed}",
        link[1],
        cwd=clone,
    )
    cells = [
        "".join(cell["source"])
        for cell in opened["cells"]
        if cell["cell_type"] == "code"
    ]
    assert f'home = "{HOME}"' in cells[0]
    machine = make_machine(tmp_path)
    done = machine.run(cells[:6], (tmp_path / "home").as_uri())
    assert found(done)["version"] == "9.9.9"
    where = machine.work / "transformer-book" / "a-book-9.9.9" / "chapters"
    assert found(done)["cwd"] == str(where.resolve())
