"""Plant small bugs, one at a time, and see whether the tests notice.

    python benchmarks/planted_bugs.py [--only MODULE [--add]] [--smoke]

The bugs are in bugs/MODULE.diff, each with one line that says what a careless
author did; cli.fetch.diff is about transformer_lib/cli/fetch.py, and a name
that begins with another package about that. --only also takes a package, such
as transformer_course.checks.engine, and --add puts what is found into the
stored results in place of what was found there before. Each bug is
planted into a copy of the library, and the tests run against that copy until
one fails: first the test that noticed the bug in the stored results, then
those of the module itself, then all others of the list below. A bug that no
test notices is a survivor.

torch is imported once; each bug is a fork of that process. The examples that
hypothesis draws are the same in each run.
"""

import gc
import json
import math
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import NamedTuple

os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"

import common

ROOT = Path(__file__).resolve().parents[1]
BUGS = Path(__file__).parent / "bugs"
BESIDE = ["toy_language", "transformer_course"]  # beside the library
COPIED = ["transformer_lib", *BESIDE, "tests", "benchmarks",
          "pyproject.toml", "conftest.py"]  # fmt: skip
LINKED = ["book", "chapters", "README.md"]
PATIENCE = 900  # seconds until a bug counts as hung,
COMPUTING = 240  # or seconds of the processor

# The tests of a module stand in the file of its name, or in these.
OWN = {
    "toy_language.corpus": ["tokenizer"],  # the bugs are in its spelling rules
    "special_tokens": ["tokenizer"],
    "validation": ["errors"],
    "shapes": ["errors_shapes"],
    "model": ["model", "table_3"],
    "model_config": ["errors", "model", "table_3"],
    "decoding": ["decoding", "sampling"],
    "training": ["training", "distributed", "devices"],
    "train_config": ["training", "errors"],
    "train_state": ["training", "faults"],
    "distributed": ["distributed", "training"],
    "checkpoint": ["training", "faults"],
    "files": ["training", "faults", "fetch"],
    "runs": ["runs", "faults", "cli"],
    "stored_run": ["runs", "faults", "cli"],
    "run_folder": ["runs", "faults", "cli"],
    "run_data": ["longer", "cli"],
    "cli.fetch": ["fetch"],
    "cli.hub": ["hub"],
}
CHECKS = "transformer_course.checks"
ENGINE, ERRORS = f"{CHECKS}.engine", f"{CHECKS}.errors"  # all modules of these
OWN[ERRORS] = ["checks_causes"]
OWN[ENGINE] = """
    checks_reading checks_paper checks_catalogue checks_engine_parts
    checks_steps
    checks_foreign
    checks_limits checks_causes checks_engine checks_attention
    checks_batch_norm
    checks_decoding checks_guard checks
""".split()
# Minutes: every check gets every hostile answer. checks_batch_norm does the
# same for two checks.
LONG = "tests/course/test_checks_guard.py::test_hostile_answers["
# Then come those of all the others, the quick ones first.
REST = """
    errors errors_shapes attention masks positional normalization
    feed_forward embedding label_smoothing schedule batching tokenizer
    multi_head layers evaluation model table_3 precision equal_numpy laws
    training decoding equal_numpy_model gradients model_laws
""".split()


class Bug(NamedTuple):
    """A small change of one module.

    Attributes:
        module: as an import names it, from transformer_lib on or from
            one of `BESIDE`.
        what: what the careless author did.
        old: text that occurs once in the module.
        new: the text that stands there instead.
        reason: why no test can notice, where that is known.
    """

    module: str
    what: str
    old: str
    new: str
    reason: str = ""

    @property
    def path(self) -> str:
        """The module's file."""
        beside = self.module.split(".")[0] in BESIDE
        home = "" if beside else "transformer_lib/"
        return f"{home}{self.module.replace('.', '/')}.py"

    def plant(self, source: str) -> str:
        """Return the module's source with the bug in it."""
        if source.count(self.old) != 1:
            raise ValueError(
                f"{self.module}, {self.what!r}: the old text occurs "
                f"{source.count(self.old)} times; it must occur once"
            )
        return source.replace(self.old, self.new)


NOTHING = Bug("schedule", "no bug at all", "import math\n", "import math\n\n")


def read_bugs(path: Path) -> list[Bug]:
    """Read a module's list: blocks of lines, a blank line between two.

    A block is a description, then what stands in the module (- and a
    space), what stands there instead (+ and a space), and perhaps why that
    changes nothing (= and a space).
    """
    blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
    return [_bug(path.stem, block.split("\n")) for block in blocks]


def _bug(module: str, lines: list[str]) -> Bug:
    parts: dict[str, list[str]] = {"-": [], "+": [], "=": []}
    for line in lines[1:]:
        parts[line[0]].append(line[2:])
    old, new = "\n".join(parts["-"]), "\n".join(parts["+"])
    return Bug(module, lines[0], old, new, " ".join(parts["="]))


def every_bug() -> list[Bug]:
    """Return all planted bugs, module by module."""
    return [
        bug for path in sorted(BUGS.glob("*.diff")) for bug in read_bugs(path)
    ]


def users(module: str) -> set[str]:
    """Return the modules that need this one, near or far, and itself."""
    texts = {
        path.stem: path.read_text(encoding="utf-8")
        for path in (ROOT / "transformer_lib").glob("*.py")
    }
    found, new = set(), {module}
    while new:
        found |= new
        names = "|".join(new)
        need = re.compile(rf"^from transformer_lib.*\b({names})\b", re.M)
        new = {name for name, text in texts.items() if need.search(text)}
        new -= found
    return found


def files_for(module: str, smoke: bool) -> list[str]:
    """Return the test files for a module's bugs, its own ones first.

    Of the others only those that name the module or one that needs it.
    """
    homes = (home for home in (ENGINE, ERRORS) if belongs(module, [home]))
    known = next(homes, module)
    own = [_tests_of(name) for name in OWN.get(known, [module])]
    if smoke:
        return own
    names = "|".join(users(module))
    named = re.compile(rf'(transformer_lib[. ].*|\(")\b({names})\b')
    rest = [_tests_of(name) for name in REST]
    rest = [f for f in rest if named.search((ROOT / f).read_text("utf-8"))]
    return list(dict.fromkeys(own + rest))


def _tests_of(name: str) -> str:
    """Return the file of some tests, wherever it is."""
    (path,) = (ROOT / "tests").glob(f"[!b]*/test_{name}.py")
    return path.relative_to(ROOT).as_posix()


# ------------------------------------------------------------- one planted bug


class Watch:
    """A pytest plugin that keeps the name of the first failure."""

    def __init__(self):
        self.failed = None

    def pytest_runtest_logreport(self, report):
        """Notice a test that fails."""
        if report.failed and self.failed is None:
            self.failed = report.nodeid

    def pytest_collectreport(self, report):
        """Notice a file that cannot be imported."""
        if report.failed and self.failed is None:
            self.failed = f"{report.nodeid} (import)"


def warm_up() -> None:
    """Import once what every test needs; never the library itself."""
    import beartype  # noqa: F401
    import hypothesis
    import jaxtyping  # noqa: F401
    import pytest  # noqa: F401
    import sacrebleu  # noqa: F401
    import safetensors.torch  # noqa: F401
    import tokenizers  # noqa: F401
    import torch
    import torch._dynamo  # an optimizer imports it, slowly

    torch.set_num_threads(1)
    phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
    hypothesis.settings.register_profile(
        "bugs", derandomize=True, database=None, deadline=None, phases=phases
    )
    hypothesis.settings.load_profile("bugs")
    assert "transformer_lib" not in sys.modules
    gc.freeze()  # what is here stays: no fork looks through it again


def run_tests(tree: Path, files: list[str], answer: Path) -> None:
    """Run test files one after another until one fails (in a fork)."""
    import pytest

    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (COMPUTING, COMPUTING))
    os.chdir(tree)
    silence = os.open(tree / "log.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    sys.path.insert(0, str(tree))
    os.environ["PYTHONPATH"] = str(tree)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    options = "-x -q --assert=plain -p no:cacheprovider -m".split()
    options += ["not slow and not gpu", f"--deselect={LONG}"]
    watch, seconds = Watch(), {}
    for file in files:
        begin = time.monotonic()
        code = pytest.main([*options, file], plugins=[watch])
        if code in (
            pytest.ExitCode.INTERRUPTED,
            pytest.ExitCode.INTERNAL_ERROR,
        ):
            watch.failed = watch.failed or f"{file} (stopped)"
        seconds[file] = round(time.monotonic() - begin, 2)
        if watch.failed:
            break
    found = sys.modules["transformer_lib"].__file__
    assert Path(found).is_relative_to(tree), f"{found} was tested"
    answer.write_text(json.dumps({"failed": watch.failed, "files": seconds}))


class Tree:
    """A copy of the project in which one bug at a time is planted."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir()
        skip = shutil.ignore_patterns("__pycache__", "results", "browser")
        for name in COPIED:
            copy = shutil.copyfile if "." in name else shutil.copytree
            more = {} if "." in name else {"ignore": skip}
            copy(ROOT / name, folder / name, **more)
        results = "benchmarks/results"
        for name in [*LINKED, results]:
            (folder / name).symlink_to(ROOT / name)
        self.bug, self.pid = None, None
        self.begin, self.original = 0.0, ""

    def start(self, bug: Bug | None, files: list[str]) -> None:
        """Plant a bug, or none, and let the tests run beside us."""
        self.bug, self.begin = bug, time.monotonic()
        self._answer.unlink(missing_ok=True)
        if bug is not None:
            self.original = self._module.read_text(encoding="utf-8")
            self._put(bug.plant(self.original))
        self.pid = os.fork()
        if self.pid == 0:
            try:
                run_tests(self.folder, files, self._answer)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(0)

    def poll(self, patience: float = PATIENCE) -> dict | None:
        """Return what came of it, or None while the tests run."""
        ended, status = os.waitpid(self.pid, os.WNOHANG)
        seconds = time.monotonic() - self.begin
        if not ended and seconds < patience:
            return None
        if not ended:
            os.killpg(self.pid, signal.SIGKILL)
            _, status = os.waitpid(self.pid, 0)
        self.pid = None
        if self.bug is not None:
            self._put(self.original)
        failed = "hung" if os.WIFSIGNALED(status) else "crashed"
        result = {"failed": failed, "files": {}}
        if self._answer.exists():
            result = json.loads(self._answer.read_text(encoding="utf-8"))
        return result | {"seconds": round(seconds, 1)}

    @property
    def _answer(self) -> Path:
        return self.folder / "answer.json"

    @property
    def _module(self) -> Path:
        return self.folder / self.bug.path

    def _put(self, source: str) -> None:
        path = self._module
        for old in path.parent.glob(f"__pycache__/{path.stem}.*"):
            old.unlink()  # compiled from another text
        path.write_text(source, encoding="utf-8")


# -------------------------------------------------------------------- all bugs


def clean(trees: list[Tree], bugs: list[Bug], smoke: bool) -> float:
    """Run the tests without a bug; stop here if they fail already.

    Returns:
        The seconds that all test files take together.
    """
    files = sorted({f for bug in bugs for f in files_for(bug.module, smoke)})
    seconds, trees = 0.0, trees[: len(files)]
    for i, tree in enumerate(trees):
        tree.start(None, files[i :: len(trees)])
    for tree in trees:
        while (result := tree.poll(patience=math.inf)) is None:
            time.sleep(0.05)
        if result["failed"]:
            log = (tree.folder / "log.txt").read_text(encoding="utf-8")
            print(log[-3000:])
            sys.exit(f"fails without a bug: {result['failed']}")
        seconds += sum(result["files"].values())
    return seconds


def last_time() -> dict[tuple[str, str], dict]:
    """Return for each (module, bug) the stored result, if there is one."""
    stored = common.stored("planted_bugs")
    return {
        (bug["module"], bug["bug"]): {
            "failed": bug["killed_by"],
            "seconds": bug["seconds"],
            "commit": bug.get("commit", stored["commit"]),
        }
        for bug in stored.get("bugs", [])
    }


def noticed_by(result: dict | None) -> list[str]:
    """Return the test of a stored result, if it names one."""
    failed = (result or {}).get("failed") or ""
    return [failed] if "::" in failed else []


def hunt(trees: list[Tree], bugs: list[Bug], smoke: bool):
    """Yield (bug, result) as they come, a bug in each tree at a time."""
    waiting, before = list(reversed(bugs)), last_time()
    while waiting or any(tree.pid for tree in trees):
        for tree in trees:
            if tree.pid is None and waiting:
                bug = waiting.pop()
                first = noticed_by(before.get((bug.module, bug.what)))
                tree.start(bug, first + files_for(bug.module, smoke))
            elif tree.pid and (result := tree.poll()) is not None:
                yield tree.bug, result
        time.sleep(0.02)


def summary(bugs: list[Bug], found: dict[Bug, dict]) -> dict:
    """Return the figures that are stored."""
    killed = {bug for bug in bugs if found[bug]["failed"]}
    modules = {}
    for module in dict.fromkeys(bug.module for bug in bugs):
        mine = [bug for bug in bugs if bug.module == module]
        caught = sum(bug in killed for bug in mine)
        modules[module] = {"planted": len(mine), "killed": caught}
    return {
        "planted": len(bugs),
        "killed": len(killed),
        "share": round(len(killed) / len(bugs), 4),
        "hung": sum(found[bug]["failed"] == "hung" for bug in bugs),
        "minutes": round(sum(found[bug]["seconds"] for bug in bugs) / 60, 1),
        "modules": modules,
        "survivors": [
            {"module": bug.module, "bug": bug.what, "reason": bug.reason}
            for bug in bugs
            if bug not in killed
        ],
        "bugs": [
            {
                "module": bug.module,
                "bug": bug.what,
                "killed_by": found[bug]["failed"],
                "seconds": found[bug]["seconds"],
                "commit": found[bug]["commit"],
            }
            for bug in bugs
        ],
    }


def belongs(module: str, names: list[str]) -> bool:
    """Say whether a module is one of these, or in a package of theirs."""
    return any(f"{module}.".startswith(f"{name}.") for name in names)


def with_stored(found: dict[Bug, dict]) -> tuple[list[Bug], dict[Bug, dict]]:
    """Return all bugs, with the stored result where there is no fresh one."""
    before, everything = last_time(), {}
    for bug in every_bug():
        result = found.get(bug) or before.get((bug.module, bug.what))
        if result is None:
            sys.exit(f"no result yet: {bug.module}, {bug.what!r}; run --only")
        everything[bug] = result
    return list(everything), everything


def main() -> None:
    """Run the clean tests, then every bug, and store what was found."""
    parser = common.parser(__doc__)
    parser.add_argument("--only", help="a module or package, or several: a,b")
    parser.add_argument("--add", action="store_true", help="to stored results")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    bugs = every_bug()
    if options.only:
        names = options.only.split(",")
        bugs = [bug for bug in bugs if belongs(bug.module, names)]
    if options.smoke:
        mine = [bug for bug in bugs if bug.module == NOTHING.module]
        bugs = [*mine[:2], NOTHING]
    warm_up()
    found = {}
    with tempfile.TemporaryDirectory(prefix="planted-bugs-") as folder:
        trees = [Tree(Path(folder, str(i))) for i in range(options.workers)]
        seconds = clean(trees, bugs, options.smoke)
        print(f"without a bug: green, {seconds:.0f} s of tests", flush=True)
        for bug, result in hunt(trees, bugs, options.smoke):
            found[bug] = result | {"commit": common.commit()}
            verdict = result["failed"] or "SURVIVED"
            took = f"{result['seconds']} s"
            print(f"{bug.module}: {bug.what}: {verdict} {took}", flush=True)
    if options.add:
        bugs, found = with_stored(found)
    figures = summary(bugs, found)
    print(f"{figures['killed']} of {figures['planted']} killed")
    if options.add or not (options.only or options.smoke):
        command = ["planted_bugs.py"]  # it repeats the whole
        print(common.write("planted_bugs", "cpu", figures, command))


if __name__ == "__main__":
    main()
