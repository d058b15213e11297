"""What the workflows on GitHub promise, as far as a file can be held to it."""

import re
import subprocess

import pytest
import yaml
from bare_machine import ROOT

FOLDER = ROOT / ".github" / "workflows"
TEXTS = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.yml")}
WORKFLOWS = {name: yaml.safe_load(text) for name, text in TEXTS.items()}
JOBS = {
    f"{file}:{name}": job
    for file, workflow in WORKFLOWS.items()
    for name, job in workflow["jobs"].items()
}
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
# The only jobs that may write, and what.
WRITERS = {
    "publish.yml:pages": {"pages", "id-token"},
    "publish.yml:release": {"contents"},
}


def scripts():
    """Yield (job, shell script) for each step that runs one."""
    for name, job in JOBS.items():
        for step in job["steps"]:
            if "run" in step:
                yield name, step["run"]


def test_actions_are_pinned_to_a_commit_and_say_its_version():
    pins = {}
    for text in TEXTS.values():
        for used in re.findall(r"uses: (.*)", text):
            found = re.fullmatch(
                r"([\w-]+/[\w-]+)(?:/\w+)?@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)",
                used,
            )
            assert found, used
            pins.setdefault(found[1], set()).add(found.groups()[1:])
    assert pins and all(len(versions) == 1 for versions in pins.values())


@pytest.mark.parametrize("job", JOBS)
def test_a_job_may_do_no_more_than_it_needs(job):
    workflow = WORKFLOWS[job.split(":")[0]]
    assert workflow["permissions"] == {"contents": "read"}
    own = JOBS[job].get("permissions", {})
    written = {what for what, how in own.items() if how == "write"}
    assert written == WRITERS.get(job, set())
    for step in JOBS[job]["steps"]:
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False
    assert JOBS[job]["timeout-minutes"] <= 90


def with_cache():
    """Return (restore, save, all steps) of each job that keeps proofs."""
    found = []
    for job in JOBS.values():
        kept = {
            used.split("@")[0].rpartition("/")[2]: step
            for step in job["steps"]
            if (used := step.get("uses", "")).startswith("actions/cache")
        }
        if kept:
            found.append((kept["restore"], kept["save"], job["steps"]))
    return found


def test_proofs_are_kept_for_the_python_and_the_packages_they_are_of():
    assert len(with_cache()) == 2
    for restore, save, steps in with_cache():
        wanted, saved = restore["with"], save["with"]
        assert wanted["path"] == saved["path"] == "_build/proved"
        python = "steps.python.outputs.python-version"
        packages = "hashFiles('requirements.txt', 'pyproject.toml')"
        for part in (python, packages, "runner.os", "runner.arch"):
            assert part in wanted["restore-keys"]
        # Every run writes its own, and the newest that begins so is read.
        assert wanted["key"].startswith(wanted["restore-keys"])
        assert "github.run_id" in wanted["key"]
        name = f"steps.{restore['id']}.outputs.cache-primary-key"
        assert name in saved["key"]
        (setup,) = [s for s in steps if s.get("id") == "python"]
        assert setup["uses"].startswith("actions/setup-python@")


def test_a_pull_request_writes_no_proof_and_a_monday_reads_none():
    for restore, save, _ in with_cache():
        # The ref of a pull request is another one.
        assert "github.ref == 'refs/heads/main'" in save["if"]
        assert "||" not in save["if"]
        assert restore["with"]["lookup-only"] == "${{ env.ALL == '1' }}"
    tests = WORKFLOWS["tests.yml"]
    assert tests[True]["push"] == {"branches": ["main"]}
    assert tests["env"]["ALL"] == (
        "${{ github.event_name == 'schedule' && '1' || '' }}"
    )


def test_the_fonts_of_the_page_tests_are_installed():
    text = (ROOT / "tests" / "browser" / "conftest.py").read_text("utf-8")
    fonts = set(re.findall(r'"(fonts-[a-z-]+)"', text))
    assert len(fonts) >= 3
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for place in (TEXTS["tests.yml"], script):
        assert fonts <= set(re.findall(r"\bfonts-[a-z-]+", place))


def test_scripts_take_nothing_from_outside():
    for job, script in scripts():
        assert "${{" not in script, (job, "pass it in env, and quote it")


def test_every_make_command_is_there():
    targets = re.search(r"^\.PHONY:(.*?)\n\n", MAKEFILE, re.M | re.S)[1]
    variables = set(re.findall(r"^(\w+) \?=", MAKEFILE, flags=re.M))
    called = set()
    for job, script in scripts():
        for line in re.findall(r"^make (.*)$", script, flags=re.M):
            for word in line.split():
                name, is_variable, _ = word.partition("=")
                wanted = variables if is_variable else targets.split()
                assert name in wanted, (job, line)
                called.add(name)
    assert {"lint", "test", "book", "zips", "links", "test-colab"} <= called


def test_a_release_carries_the_book_and_the_edition_for_students():
    needs = re.search(r"^zips:(.*)$", MAKEFILE, flags=re.M)[1].split()
    assert needs == ["html", "student"]


def test_the_tests_run_weekly_with_every_python_that_is_promised():
    tests = WORKFLOWS["tests.yml"]
    (weekly,) = tests[True]["schedule"]  # YAML reads the key `on` as true
    assert re.fullmatch(r"\d+ \d+ \* \* [0-6]", weekly["cron"])
    pythons = tests["jobs"]["linux"]["strategy"]["matrix"]["python"]
    promised = re.search(
        r'^requires-python = ">=3\.(\d+),<3\.(\d+)"',
        (ROOT / "pyproject.toml").read_text(encoding="utf-8"),
        flags=re.M,
    )
    first, after = map(int, promised.groups())
    assert pythons == [f"3.{minor}" for minor in range(first, after)]
    systems = tests["jobs"]["systems"]["strategy"]["matrix"]["os"]
    assert systems == ["macos-latest", "windows-latest"]


def test_a_release_says_what_is_new_and_no_more(tmp_path):
    (script,) = [s for _, s in scripts() if s.startswith("awk")]
    (tmp_path / "_build" / "zips").mkdir(parents=True)
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## 2.0.0 - now\n\n- New.\n\n## 1.0.0 - old\n\n- Old.\n",
        encoding="utf-8",
    )
    subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, check=True)
    news = tmp_path / "_build" / "zips" / "news.md"
    assert news.read_text("utf-8") == "## 2.0.0 - now\n\n- New.\n\n"
