"""One torch thread, and shapes that are checked, in every test."""

import importlib
import os
import sys
from pathlib import Path

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")

from beartype import beartype
from jaxtyping import install_import_hook, jaxtyped
from prove import is_text

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LIBRARY = ROOT / "transformer_lib"

# From here on each function whose module states shapes checks its arguments
# and its result against its signature and raises a TypeError where they
# differ. It costs nothing outside the tests.
CHECKED = [
    f"transformer_lib.{path.relative_to(LIBRARY).parts[0].removesuffix('.py')}"
    for path in [*LIBRARY.glob("*.py"), *LIBRARY.glob("confidence/__init__.py")]
    if "from jaxtyping import" in path.read_text(encoding="utf-8")
]
install_import_hook(CHECKED, "beartype.beartype")


def check_named_tuples() -> None:
    """Check the fields of each NamedTuple, which the hook passes over."""
    for name in CHECKED:
        module = importlib.import_module(name)
        for made in list(vars(module).values()):
            if getattr(made, "__module__", "") == name and (
                isinstance(made, type) and issubclass(made, tuple)
            ):
                new = jaxtyped(made.__new__, typechecker=beartype)
                made.__new__ = staticmethod(new)


def pytest_configure(config):
    import torch

    torch.set_num_threads(1)
    check_named_tuples()


# With --no-loadscope-reorder they begin first, so that at the end no worker
# waits long for another.
LONG = {
    "test_every_exercise", "test_checks_guard", "test_benchmarks",
    "test_distributed", "test_own_transformer", "test_corpus",
    "test_grading_hostile", "test_baselines", "test_grading_class",
    "test_translator", "test_faults",
}  # fmt: skip


# They read texts (chapters, laboratories, solutions, pages). Where texts alone
# have changed, `make test` runs these and no others; so that none is forgotten,
# a test of another file fails where it opens a text.
TEXTS = {
    "test_address", "test_api_docs", "test_book", "test_charts", "test_check",
    "test_claims",
    "test_course_zip", "test_elsewhere", "test_exams", "test_first_week",
    "test_formulas", "test_glossary", "test_grading", "test_grading_class",
    "test_grading_classroom", "test_grading_files", "test_grading_hostile",
    "test_grading_moved", "test_grading_run", "test_languages",
    "test_last_page", "test_lesson_tools", "test_machine",
    "test_mathjax_files",
    "test_navigation", "test_new_exercise", "test_notebook_devices",
    "test_other_engine",
    "test_pack", "test_page_grammar",
    "test_page_rules", "test_paper_in_page", "test_poster",
    "test_publishing", "test_references", "test_release", "test_repository",
    "test_results_page", "test_setup_cell", "test_stored",
    "test_student_edition", "test_teaching_pages", "test_troubleshooting",
    "test_walk", "test_way", "test_workflows",
}  # fmt: skip
# And of other files these alone.
TEXTS |= {
    "test_cli::test_a_file_that_cannot_be_written_is_named_as_the_user_did",
    "test_cli_course::test_a_chapter_that_is_not_there_is_named",
    "test_cli_course::test_the_help_names_the_chapters_that_there_are",
    "test_cli_course::test_a_sheet_that_cannot_be_written_is_named_as_the_user_did",
    "test_cli_course::test_where_nothing_is_judged_it_is_said",
    "test_live::test_the_script_that_chapter_15_quotes_stands_in_the_page",
    "test_page_cells::test_each_notebook_has_the_marks_of_a_fresh_look",
    "test_prove::test_a_notebook_depends_on_each_module_that_its_imports_load",
    "test_prove::test_a_notebook_depends_on_the_checks_that_it_calls_and_no_others",
}
opened: list[tuple] = []  # what, and in which folder


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.path.stem not in LONG)
    for item in items:
        if reads_texts(item):
            item.add_marker(pytest.mark.texts)


def reads_texts(node) -> bool:
    """Tell whether a file, or a test of it, is one of `TEXTS`."""
    name = getattr(node, "originalname", "")
    return not TEXTS.isdisjoint((node.path.stem, f"{node.path.stem}::{name}"))


def note_opened(event, arguments, getcwd=os.getcwd):
    """Note it and no more: a test may have taken Python's functions away."""
    if event == "open":
        try:
            opened.append((arguments[0], getcwd()))
        except OSError:  # that folder is gone
            return


sys.addaudithook(note_opened)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    opened.clear()
    report = yield
    told = text_opened(collector)
    if told:
        report.outcome, report.longrepr = "failed", told
    return report


@pytest.fixture(autouse=True)
def reads_no_text_unless_it_says_so(request):
    opened.clear()
    yield
    told = text_opened(request.node)
    if told:
        pytest.fail(told, pytrace=False)


def text_opened(node) -> str:
    """Say what a test or a module opened, if it is not one of `TEXTS`."""
    if HERE / "browser" in node.path.parents or reads_texts(node):
        return ""
    for file, folder in opened:
        if isinstance(file, (str, os.PathLike)):
            path = os.path.abspath(os.path.join(folder, file))
            name = os.path.relpath(path, ROOT).replace(os.sep, "/")
            if is_text(name):
                return (
                    f"{node.path.name} reads {name}: put it into TEXTS "
                    "(tests/conftest.py)"
                )
    return ""


def _take_library_out() -> dict:
    names = [n for n in sys.modules if n.split(".")[0] == "transformer_lib"]
    return {name: sys.modules.pop(name) for name in names}


@pytest.fixture(scope="session")
def plain():
    """Load modules of the library as users do, without the shape checks.

    Gives a function from a module's name to the module. The copy is apart
    from the one that other tests import.
    """
    copy: dict = {}

    def load(name: str):
        checked = _take_library_out()
        sys.modules.update(copy)
        finders = [f for f in sys.meta_path if "jaxtyping" in str(type(f))]
        for finder in finders:
            sys.meta_path.remove(finder)
        try:
            return importlib.import_module(f"transformer_lib.{name}")
        finally:
            sys.meta_path[:0] = finders
            copy.update(_take_library_out())
            sys.modules.update(checked)

    return load


OF_THE_MODEL = """
    attention embedding feed_forward label_smoothing layers masks model
    model_config multi_head normalization positional shapes special_tokens
    validation
""".split()


@pytest.fixture
def as_compiled(plain, monkeypatch):
    """Load `plain` modules for torch's compiler, which reads no shape checks.

    It looks for the module of a function by name, so they stand there, too.
    """
    for name in OF_THE_MODEL:
        monkeypatch.setitem(sys.modules, f"transformer_lib.{name}", plain(name))
    return plain
