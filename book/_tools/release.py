"""Make a release: the version everywhere, the proofs, a commit and a tag.

    python book/_tools/release.py 1.2.0 --proof "make lint test"

Nothing is pushed. A release is refused while something is not committed, while
the book has no address, where the changelog has nothing to tell, and where the
proof fails; then the files are as they were before.
"""

from __future__ import annotations

import argparse
import datetime
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from set_address import ROOT, address_of, set_address, version_of

UNRELEASED = re.compile(r"^## \S+ - unreleased\n\n(?=[^#\s])", flags=re.M)


class Refusal(Exception):
    """Why there is no release, and what to do."""


def git(*words: str, root: Path) -> str:
    """Run git; return what it printed."""
    done = subprocess.run(
        ["git", *words], cwd=root, capture_output=True, encoding="utf-8"
    )
    if done.returncode:
        raise Refusal(f"git {words[0]} failed: {done.stderr.strip()}")
    return done.stdout


def numbers(version: str) -> list[int]:
    """Return "1.10.0" as [1, 10, 0], which sorts."""
    return [int(part) for part in version.split(".")]


def check(version: str, root: Path) -> None:
    """Look at everything that can be known before the tests run.

    Raises:
        Refusal: this version cannot be released now.
    """
    now = version_of(root)
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise Refusal(f"got VERSION={version!r}; wanted three numbers: 1.2.0")
    if numbers(version) < numbers(now):
        raise Refusal(f"{version} comes before {now}, which holds already")
    if git("status", "--porcelain", root=root):
        raise Refusal("commit or stash your changes first (git status)")
    if git("tag", "--list", f"v{version}", root=root):
        raise Refusal(f"there is a tag v{version} already; raise VERSION")
    if not address_of(root).url:
        raise Refusal(
            "the book has no address, so nobody could open the release: "
            "make address URL=https://github.com/who/what"
        )
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not UNRELEASED.search(changes):
        raise Refusal(
            "CHANGELOG.md tells nothing new: begin it with the heading "
            f'"## {version} - unreleased" and a list of what has changed'
        )


def put(root: Path, name: str, pattern: str, new: str) -> None:
    """Replace the one line of a file that matches a pattern."""
    path = root / name
    text, count = re.subn(
        pattern, new, path.read_text(encoding="utf-8"), flags=re.M
    )
    if count != 1:
        raise Refusal(f"{name} has {count} lines like {pattern}; wanted one")
    path.write_bytes(text.encode("utf-8"))


def write(version: str, date: str, root: Path) -> None:
    """Write the version, its date and its tag wherever they stand."""
    put(
        root,
        "transformer_lib/__init__.py",
        '^__version__ = ".*"$',
        f'__version__ = "{version}"',
    )
    put(
        root,
        "CITATION.cff",
        r"^version: .*\n(date-released: .*\n)?",
        f"version: {version}\ndate-released: {date}\n",
    )
    put(
        root,
        "CHANGELOG.md",
        UNRELEASED.pattern,
        f"## {version} - {date}\n\n",
    )
    set_address(replace(address_of(root), ref=f"v{version}"), root)


def release(version: str, proof: str, date: str, root: Path = ROOT) -> None:
    """Release a version from a clean tree, or leave the tree as it was.

    Raises:
        Refusal: there is no release, for the reason given.
    """
    check(version, root)
    try:
        write(version, date, root)
        if subprocess.run(proof, shell=True, cwd=root).returncode:
            raise Refusal(f"the tests are red ({proof}); nothing is released")
        git("commit", "-q", "-a", "-m", f"Release {version}", root=root)
    except BaseException:
        git("checkout", "HEAD", "--", ".", root=root)
        raise
    git("tag", "-a", "-m", f"Version {version}", f"v{version}", root=root)


def main() -> int:
    """Release the version that stands on the command line."""
    parser = argparse.ArgumentParser(description="Make a release.")
    parser.add_argument("version", help="three numbers, for example 1.2.0")
    parser.add_argument(
        "--proof", default="make lint test", help="what has to succeed"
    )
    options = parser.parse_args()
    date = datetime.date.today().isoformat()
    try:
        release(options.version, options.proof, date)
    except Refusal as why:
        print(f"no release: {why}", file=sys.stderr)
        return 1
    branch = git("branch", "--show-current", root=ROOT).strip()
    print(f"released; now: git push origin {branch} v{options.version}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
