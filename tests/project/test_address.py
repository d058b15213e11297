"""The repository's address: one place holds it, one command writes it."""

import json
import re
import subprocess
import sys

import pytest
import set_address
import yaml
from bare_machine import ROOT, needs_git
from pack import book_files
from set_address import Address

NOBODY = Address("", "v1.2.3")
SOMEBODY = Address("https://github.com/some-one/a.book", "v1.2.3")
FILES = {*set_address.PLACES, *set_address.WHOLE}
ADDRESSED = [*FILES, "transformer_lib/__init__.py"]
SCRIPT = [f"book/_tools/{name}.py" for name in ("set_address", "notebook_file")]


@pytest.fixture(scope="module")
def notebooks():
    return [
        name
        for name in book_files()
        if name.startswith(set_address.FOLDERS) and name.endswith(".ipynb")
    ]


@pytest.fixture
def copy(tmp_path, notebooks):
    """Copy all files that say the address; give them the address nobody."""
    for name in [*ADDRESSED, *notebooks, *SCRIPT]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    set_address.set_address(NOBODY, tmp_path)
    return tmp_path


def texts(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*.*")
        if path.is_file()
    }


def test_pages_are_where_github_puts_them():
    pages = [Address(f"https://github.com/{name}", "main").pages
             for name in ("Who/what", "who/who.github.io")]  # fmt: skip
    assert pages == ["https://who.github.io/what/", "https://who.github.io/"]


def test_every_file_says_the_address_that_holds(notebooks):
    at = set_address.address_of(ROOT)
    for name, said in [*set_address.PLACES.items(), *set_address.WHOLE.items()]:
        text = (ROOT / name).read_text(encoding="utf-8")
        for piece in said(at):
            assert text.count(piece) == 1, (name, piece)
    for name in notebooks:
        cells = json.loads((ROOT / name).read_text("utf-8"))["cells"]
        first = "".join(cells[0]["source"])
        assert set_address.opened(first, at, name) == first, name


def test_without_an_address_nothing_leads_to_it(copy):
    for name, text in texts(copy).items():
        if name in SCRIPT:
            continue
        assert "[Open in Colab]" not in text, name
        others = text.replace("google.com/github/tensorflow/tensor2tensor", "")
        assert "colab.research.google.com/github" not in others, name
        assert not re.search(r"github\.com/(some|OWNER)", text), name
    cell = texts(copy)["book/_tools/setup_cell.py"]
    assert 'home = "any address yet"' in cell
    assert "repository-code" not in texts(copy)["CITATION.cff"]


def test_one_command_writes_the_address_and_takes_it_away(copy, notebooks):
    before = texts(copy)
    changed = set_address.set_address(SOMEBODY, copy)
    after = texts(copy)
    assert len(changed) == len(FILES) + len(notebooks)

    config = yaml.safe_load(after["_config.yml"])["repository"]
    assert (config["url"], config["branch"]) == (SOMEBODY.url, "v1.2.3")
    citation = yaml.safe_load(after["CITATION.cff"])
    assert citation["repository-code"] == SOMEBODY.url
    assert f"git clone {SOMEBODY.url}\ncd a.book\n" in after["README.md"]
    assert "](https://some-one.github.io/a.book/)" in after["README.md"]
    assert f"{SOMEBODY.url}/archive/v1.2.3.zip" in after["book/install.md"]

    cell = after["book/_tools/setup_cell.py"].rstrip("\n")
    assert f'home = "{SOMEBODY.url}"' in cell
    for name in notebooks:
        old, new = (json.loads(x[name])["cells"] for x in (before, after))
        link = (
            "https://colab.research.google.com/github/some-one/a.book/"
            f"blob/v1.2.3/{name}"
        )
        title, opened, _ = "".join(new[0]["source"]).split("\n\n", 2)
        assert title.startswith("# ")
        assert opened == f"[Open in Colab]({link})"
        (setup,) = [i for i, c in enumerate(new) if c["metadata"].get("tags")
                    and "setup" in c["metadata"]["tags"]]  # fmt: skip
        assert "".join(new[setup]["source"]) == cell
        for number, (was, now) in enumerate(zip(old, new, strict=True)):
            assert number in (0, setup) or was == now

    set_address.set_address(Address(SOMEBODY.url, "main"), copy)
    set_address.set_address(NOBODY, copy)
    assert texts(copy) == before


def test_a_notebook_with_another_link_and_cell_is_put_right(copy):
    before = texts(copy)
    chapter = copy / set_address.FIRST
    text = chapter.read_text(encoding="utf-8").replace(
        r'# 0. Before we start\n",',
        r'# 0. Before we start\n", "\n", "[Open in Colab](http://old/x)\n",',
    )
    text = text.replace("any address yet", "https://github.com/some/where")
    assert text.count("http://old/x") == text.count("some/where") == 1
    chapter.write_text(text, encoding="utf-8")
    again = set_address.set_address(set_address.address_of(copy), copy)
    assert again == [chapter]
    assert texts(copy) == before


def test_a_file_that_was_edited_by_hand_stops_everything(copy):
    citation = copy / "CITATION.cff"
    citation.write_text("license: GPL\n", encoding="utf-8")
    before = texts(copy)
    with pytest.raises(ValueError, match=r"CITATION\.cff should say .* once"):
        set_address.set_address(SOMEBODY, copy)
    assert texts(copy) == before


def test_the_command_line(copy):
    def run(*words):
        script = copy / "book" / "_tools" / "set_address.py"
        return subprocess.run(
            [sys.executable, script, *words], capture_output=True, text=True
        )

    said = run("https://github.com/some-one/a.book.git/", "--ref", "main")
    assert said.stdout.endswith(f"files now say {SOMEBODY.url} (main)\n")
    assert set_address.address_of(copy) == Address(SOMEBODY.url, "main")
    assert run("none").returncode == 0
    assert set_address.address_of(copy).url == ""
    assert run("gitlab.com/a/b").returncode == 2


@pytest.mark.parametrize(
    "url",
    [
        "",
        "who/what",
        "http://github.com/who/what",
        "https://github.com/who",
        "https://github.com/who/what/tree/main",
        "https://gitlab.com/who/what",
    ],
)
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(ValueError, match="wanted https://github.com/who/what"):
        set_address.tidy(url)


@needs_git
def test_readers_get_the_release_or_else_the_default_branch(tmp_path):
    remote = tmp_path / "remote"
    who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]

    def git(*words):
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True)

    git("init", "-q", "-b", "trunk", str(remote))
    with pytest.raises(ValueError, match="name the tag or branch"):
        set_address.ref_at(remote.as_uri(), "v1.2.3")
    git("-C", str(remote), "commit", "-q", "--allow-empty", "-m", "first")
    git("-C", str(remote), "tag", "v1.2.30")
    assert set_address.ref_at(remote.as_uri(), "v1.2.3") == "trunk"
    git("-C", str(remote), "tag", "v1.2.3")
    assert set_address.ref_at(remote.as_uri(), "v1.2.3") == "v1.2.3"
    with pytest.raises(ValueError, match="did not say"):
        set_address.ref_at((tmp_path / "gone").as_uri(), "v1.2.3")
