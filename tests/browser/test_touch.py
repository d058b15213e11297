"""Each lesson has something to touch within its first two screens."""

import pytest
from built import built_pages
from conftest import PHONE

LESSONS = [page for page in built_pages() if page.startswith("chapters/")]
SCREENS = 2
LOOKS = {
    "desk": {"viewport": {"width": 1440, "height": 900}},
    "phone": PHONE,
}
# An interactive figure, a translator, an exercise done in the page, a question
# with answers to choose: no links, no folds, no drawing of the model.
TOUCHED = (
    '.explorer, .live, .exercise-work:is([data-kind="paper"], '
    '[data-kind="code"]), .quiz'
)
# How far down the first of them begins, in screens.
FIRST = """touched => Math.min(...[...document.querySelectorAll(touched)]
    .filter(element => element.getClientRects().length > 0)
    .map(element => element.getBoundingClientRect().top + scrollY)
) / innerHeight"""


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_can_be_touched_early(lesson, look, visit):
    with visit(lesson, **LOOKS[look]) as page:
        first = page.evaluate(FIRST, TOUCHED)
    print(f"{first:.1f} screens", end=" ")  # pytest -s shows how far
    assert first < SCREENS, f"{lesson}: the first begins {first:.1f} down"
