"""Quiz, marks, contents and search, as a reader uses them."""

CHAPTER = "chapters/05_residual_connections.html"
SOLUTIONS = "book/solutions/05_residual_connections.html"
ANSWER = ".quiz details[data-choice='1{}']"


def test_a_quiz_tells_right_from_wrong_and_remembers(visit):
    with visit(CHAPTER, formulas=False) as page:
        right = page.locator(".quiz details.right[data-choice^='1']")
        wrong = page.locator(".quiz details.wrong[data-choice^='1']").first
        sign = "e => getComputedStyle(e, '::before').content"
        color = "e => getComputedStyle(e).borderTopColor"
        wrong.locator("summary").focus()
        page.keyboard.press("Enter")
        right.locator("summary").click()
        signs = [w.locator("summary").evaluate(sign) for w in (wrong, right)]
        assert len(set(signs)) == 2 and "none" not in signs
        assert wrong.evaluate(color) != right.evaluate(color)
        score = page.locator(".quiz-score")
        assert score.inner_text().startswith("0 right at the first choice, 1")
        page.reload()
        assert score.inner_text().startswith("0 right at the first choice, 1")
        chosen = page.locator(".quiz details.chosen")
        assert chosen.count() == 1
        assert chosen.get_attribute("data-choice") == wrong.get_attribute(
            "data-choice"
        )
        score.get_by_role("button").click()
        assert score.inner_text() == "" and chosen.count() == 0


def test_a_chapter_can_be_marked_as_read(visit):
    with visit(CHAPTER, formulas=False) as page:
        link = page.locator(".bd-links a[href='#']")
        page.get_by_label("I have read this chapter").check()
        assert "read" in link.get_attribute("class").split()
        page.reload()
        box = page.get_by_label("I have read this chapter")
        assert box.is_checked()
        box.uncheck()
        assert "read" not in link.get_attribute("class").split()


def test_the_solutions_stand_below_their_chapter(visit):
    with visit(CHAPTER, formulas=False) as page:
        shown = page.locator(".bd-links a[href*='solutions/']:visible")
        assert shown.count() == 1
        assert (
            page.locator("a.right-next").get_attribute("href").startswith("06_")
        )
    with visit(SOLUTIONS, formulas=False) as page:
        names = page.locator(".bd-links a:visible").all_inner_texts()
        assert names.count("Solutions") == names.count("Laboratory") == 1
        others = page.locator(".bd-links li.has-children:not(.current)")
        assert others.count() == 2  # of the library, of what checks know
        after = page.locator("a.right-next").get_attribute("href")
        assert after.endswith("chapters/06_batch_and_layer_norm.html")


def test_the_contents_and_the_side_bar_follow(visit):
    inside = """e => {
        const box = e.getBoundingClientRect();
        return box.top >= 0 && box.bottom <= innerHeight;
    }"""
    with visit("chapters/15_toy_translator.html", formulas=False) as page:
        assert page.locator(".bd-links li.active > a").first.evaluate(inside)
        for place in (
            "#a-language-of-which-we-know-everything",
            "#summary",
        ):
            page.evaluate(
                "s => document.querySelector(s).scrollIntoView()", place
            )
            reading = page.locator("#pst-page-toc-nav .nav-link.reading")
            reading.and_(page.locator(f"[href='{place}']")).wait_for()
            assert reading.evaluate(inside)


def test_lines_hold_65_to_75_characters(visit):
    with visit(CHAPTER, formulas=False) as page:
        per_line = page.evaluate("""() => {
            const found = [];
            for (const p of document.querySelectorAll('section > p')) {
                if (p.querySelector('.math')) continue;
                const lines = Math.round(p.getBoundingClientRect().height /
                    parseFloat(getComputedStyle(p).lineHeight));
                if (lines >= 4) found.push(p.innerText.length / lines);
            }
            return found;
        }""")
        assert len(per_line) >= 3
        assert 58 < sum(per_line) / len(per_line) < 76


def test_a_drawing_has_a_night(visit):
    fill = "e => getComputedStyle(e.querySelector('path')).fill"
    drawn = "figure.book-figure svg.drawing"
    with visit(CHAPTER, formulas=False, color_scheme="light") as page:
        day = page.locator(drawn).first.evaluate(fill)
    with visit(CHAPTER, formulas=False, color_scheme="dark") as page:
        assert page.locator(drawn).first.evaluate(fill) != day


def test_a_chapter_does_not_load_the_search_index(visit):
    with visit(CHAPTER, formulas=False) as page:
        assert page.evaluate("typeof Search") == "undefined"
