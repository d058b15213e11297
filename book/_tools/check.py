"""Prove what a change can break, and nothing else: `make check`.

    python book/_tools/check.py                  since the last commit
    python book/_tools/check.py --since v0.2.0   since another one
    python book/_tools/check.py --plan           say it, and run nothing

Looked at is what differs from the last commit, new files among it; on a branch
of one's own also its commits, since it left the default branch. What a change
does not reach counts as proved. A sentence of a notebook is read over and
nothing runs; a cell or an output runs its notebook. RULES says what each file
reaches; a file that no rule knows runs `make test`, which is then said.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from depends import ROOT
from reach import Change, Plan, plan


def git(*words: str) -> str:
    """Return what git says; nothing where it refuses."""
    command = ["git", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True)
    return "" if done.returncode else done.stdout.decode("utf-8")


def begin() -> str:
    """Return the commit since which everything counts as changed."""
    own = git("rev-parse", "--abbrev-ref", "HEAD").strip()
    named = git("rev-parse", "--abbrev-ref", "origin/HEAD").strip()
    for default in filter(None, [named, "main", "master"]):
        if own == default.removeprefix("origin/"):
            break
        if base := git("merge-base", default, "HEAD").strip():
            return base
    return "HEAD"


def changes(since: str) -> list[Change]:
    """Return each file that differs, as it was and as it is.

    Raises:
        ValueError: there is no such commit, or no git.
    """
    if not git("rev-parse", "--verify", f"{since}^{{commit}}"):
        raise ValueError(f"git knows no commit {since!r}: run `make test`")
    asked = ["diff", "--name-only", "--no-renames", "-z", since]
    new = ["ls-files", "-o", "--exclude-standard", "-z"]
    names = {n for n in (git(*asked) + git(*new)).split("\0") if n}
    return [
        Change(name, git("show", f"{since}:{name}"), text_of(name))
        for name in sorted(names)
    ]


def text_of(name: str) -> str:
    """Return a file's text; nothing for one that is gone, or is no text."""
    path = ROOT / name
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def run(found: Plan) -> int:
    """Run what a plan holds, one after another; return 1 if one fails."""
    failed = []
    for title, command in found.commands():
        print(f"\n== {title}", flush=True)
        begun = time.monotonic()
        if subprocess.run(command, cwd=ROOT).returncode:
            failed.append(title)
        print(f"   {time.monotonic() - begun:.0f} s", flush=True)
    print()
    for title in failed:
        print(f"FAILED: {title}")
    if not failed:
        print("What this change reaches is proved.")
    return bool(failed)


def main(given: list[str]) -> int:
    """Plan, say it, run it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--since", metavar="COMMIT", help="else see above")
    parser.add_argument("--plan", action="store_true", help="run nothing")
    args = parser.parse_args(given)
    since = args.since or begin()
    try:
        found = changes(since)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    short = git("rev-parse", "--short", since).strip()
    counted = f"{len(found)} file" + "s" * (len(found) != 1)
    print(f"Since {short}: {counted} changed.")
    what = plan(found)
    print(what)
    return 0 if args.plan or not found else run(what)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
