"""The first pages as a reader finds them: that at the root, and that which opens an edition."""

import math
import re
from pathlib import Path

import pytest
from built import TAGS, pages_with_figures, read
from playwright.sync_api import Locator, Page, expect
from reader import LANGUAGES, Visit, until

from book._ext.editions.translation import chapters
from book.pictures.signs import SIGNS

PHONE = {"viewport": {"width": 360, "height": 780}, "has_touch": True, "is_mobile": True}
LOCALES = [("vi-VN", "vi"), ("ko-KR", "ko"), ("zh-TW", "zh"), ("en-GB", "en")]
WORDS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
SHOWN = "figure:visible td[data-tone]"


def weights(x: float, y: float) -> list[str]:
    """What the four words get, worked out here."""
    powers = [math.exp(u * x + v * y) for u, v in WORDS]
    return [f"{power / sum(powers):.2f}" for power in powers]


def query(page: Page) -> tuple[float, float]:
    """Where the handle stands, in the units of the plane."""
    return page.locator(".handle:visible").evaluate(
        """(handle) => {
          const [knob, plane] = [handle, handle.parentElement].map((one) => {
            return one.getBoundingClientRect();
          });
          const half = plane.width / 2;
          const at = (middle, start) => ((middle - start - half) / half) * 2.2;
          const [x, y] = [knob.left + knob.width / 2, knob.top + knob.height / 2];
          return [at(x, plane.left), -at(y, plane.top)];
        }"""
    )


# The page at the root: its language


@pytest.mark.parametrize(("locale", "language"), LOCALES)
def test_the_page_speaks_the_browsers_language(
    visit: Visit, site: str, locale: str, language: str
) -> None:
    page = visit(f"{site}/index.html", locale=locale)
    assert page.evaluate("document.documentElement.lang") == TAGS[language]
    expect(page.locator("main section").first).to_have_attribute("data-language", language)
    for said in page.locator("[data-say]:visible").all():
        assert said.get_attribute("data-say") == language
    for part in ("h1 > :visible", ".promise:visible", "figure:visible", ".drag:visible"):
        expect(page.locator(part)).to_have_count(1)
    assert page.url.endswith("/index.html")  # nobody is led away


def test_another_reader_is_answered_in_english_and_suggested_nothing(
    visit: Visit, site: str
) -> None:
    page = visit(f"{site}/index.html", locale="fr-FR")
    assert page.evaluate("document.documentElement.lang") == "en"
    expect(page.locator("figure:visible")).to_have_attribute("lang", "en")
    colours = page.locator("a.button").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert len(colours) == 4
    assert len(set(colours)) == 1


def test_the_own_invitation_is_the_dark_one(visit: Visit, site: str) -> None:
    page = visit(f"{site}/index.html", locale="ko-KR")
    colours = page.locator("a.button").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert colours[0] != colours[1] == colours[2] == colours[3]


def test_the_page_remembers_the_choice(visit: Visit, site: str) -> None:
    page = visit(f"{site}/index.html", locale="ko-KR")
    page.locator("a.button[data-language=zh]").click()
    page.wait_for_url("**/zh/index.html")
    page.goto(f"{site}/index.html")
    assert page.evaluate("document.documentElement.lang") == TAGS["zh"]
    expect(page.locator("main section").first).to_have_attribute("data-language", "zh")


def test_without_a_script_it_is_english_and_all_four_can_be_chosen(visit: Visit, site: str) -> None:
    page = visit(f"{site}/", java_script_enabled=False, locale="ko-KR")
    sections = page.locator("main section")
    found = sections.evaluate_all("all => all.map((one) => one.dataset.language)")
    assert found == list(LANGUAGES)
    tops = [section.bounding_box() for section in sections.all()]
    assert sorted(tops, key=lambda box: (box["y"], box["x"])) == tops
    expect(page.locator("figure:visible")).to_have_attribute("lang", "en")
    expect(page.locator(SHOWN)).to_have_text(weights(1.5, 0.5))
    expect(page.locator(".handle:visible")).to_have_count(0)
    page.locator("a.button[data-language=vi]").click()
    assert page.url.endswith("/vi/index.html")


def test_it_counts_what_there_is(site_folder: Path) -> None:
    figures = {name for _, _, name in pages_with_figures(site_folder)}
    numbered = [name for name in chapters() if name in SIGNS]
    for section in read(site_folder / "index.html").select("main section"):
        assert re.findall(r"\d+", section.p.text) == [str(len(numbered)), str(len(figures))]


# Its figure


def test_the_arrow_moves_once_and_then_waits(visit: Visit, site: str) -> None:
    page = visit(f"{site}/index.html", reduced_motion="no-preference", locale="en-GB")
    expect(page.locator(SHOWN)).to_have_text(weights(1.5, 0.5))
    until(page, "document.querySelector('.handle').ariaValueNow === '-1.50'")
    expect(page.locator(SHOWN)).to_have_text(weights(-1.5, 0.5))
    page.wait_for_timeout(300)
    assert query(page) == pytest.approx((-1.5, 0.5), abs=0.02)


def test_a_hand_stops_it(visit: Visit, site: str) -> None:
    page = visit(f"{site}/index.html", reduced_motion="no-preference", locale="en-GB", clock=True)
    page.locator(".handle:visible").press("ArrowUp")
    expect(page.locator(SHOWN)).to_have_text(weights(1.5, 0.75))
    page.clock.run_for(1800)
    expect(page.locator(SHOWN)).to_have_text(weights(1.5, 0.75))


def test_it_stands_for_a_reader_who_prefers_that(visit: Visit, site: str) -> None:
    page = visit(f"{site}/index.html", locale="en-GB", clock=True)
    page.clock.run_for(1800)
    expect(page.locator(SHOWN)).to_have_text(weights(1.5, 0.5))


@pytest.mark.parametrize(("locale", "language"), LOCALES)
def test_a_drag_and_a_key_move_the_weights(
    visit: Visit, site: str, locale: str, language: str
) -> None:
    page = visit(f"{site}/index.html", locale=locale)
    handle, plane = page.locator(".handle:visible"), page.locator(".plane:visible").first
    box, knob = plane.bounding_box(), handle.bounding_box()
    page.mouse.move(knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.8 * box["height"], steps=4)
    page.mouse.up()
    x, y = query(page)
    assert (x, y) == pytest.approx((-0.88, -1.32), abs=0.02)
    expect(page.locator(SHOWN)).to_have_text(weights(x, y))
    page.keyboard.press("ArrowRight")  # the handle has the focus
    page.keyboard.press("ArrowUp")
    assert query(page) == pytest.approx((x + 0.25, y + 0.25), abs=0.02)
    expect(page.locator(SHOWN)).to_have_text(weights(x + 0.25, y + 0.25))
    said = handle.get_attribute("aria-valuetext")
    assert f"{x + 0.25:.2f}".replace("-", "−") in said
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    assert query(page)[0] == pytest.approx(2, abs=0.02)


def test_a_phone_shows_title_promise_figure_and_invitation_at_once(visit: Visit, site: str) -> None:
    for locale, _ in LOCALES:
        page = visit(f"{site}/index.html", locale=locale, **PHONE)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        button = page.locator("a.button").first.bounding_box()
        assert button["y"] + button["height"] <= 780, locale
        assert page.locator(".handle:visible").bounding_box()["width"] >= 44
        visit.close()


# The page that opens an edition


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_question_has_its_sign_its_number_and_its_term(
    site_folder: Path, language: str
) -> None:
    page = read(site_folder / language / "index.html")
    items = page.select(".attn-questions li")
    names = [name for name in chapters() if name in SIGNS]
    assert [item.a["href"] for item in items] == [f"{name}.html" for name in names]
    before = None
    for number, (name, item) in enumerate(zip(names, items, strict=True), 1):
        chapter = read(site_folder / language / f"{name}.html")
        heading = next(h1 for h1 in chapter.find_all("h1") if h1.find(class_="section-number"))
        assert item.select_one("svg.attn-sign")["aria-hidden"] == "true"
        assert str(item.svg) == str(heading.svg)
        said, term = re.split(r"\s", item.select_one(".attn-term").text, maxsplit=1)
        assert said == str(number)
        title = heading.text.replace("\u2060", "")
        assert title.startswith(f"{number}. {term}"), (title, term)
        # The same question, with the same sign, ends the page before.
        if before:
            following = before.find("a", class_="attn-next")
            assert following["href"] == f"{name}.html"
            assert str(following.svg) == str(item.svg)
            assert following.select_one(".attn-next__question").text.strip() == item.a.text.strip()
        before = chapter


def test_a_whole_card_leads_to_its_chapter(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/index.html", viewport={"width": 1280, "height": 800})
    card = page.locator(".attn-questions li").nth(1)
    card.scroll_into_view_if_needed()
    sign = card.locator("svg").bounding_box()
    page.mouse.click(sign["x"] + 5, sign["y"] + 5)
    page.wait_for_url("**/kernel-regression.html")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_screen_has_the_figure_beside_the_two_ways_in(
    visit: Visit, site: str, language: str
) -> None:
    page = visit(f"{site}/{language}/index.html", viewport={"width": 1280, "height": 720})
    start = page.locator(".attn-start a").last.bounding_box()
    figure = page.locator(".attn-opening attn-explorer").bounding_box()
    assert figure["x"] > start["x"] + start["width"]
    for box in (start, figure):
        assert box["y"] + box["height"] <= 720
    expect(page.locator("#pst-secondary-sidebar")).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_has_the_figure_on_its_first_screen(visit: Visit, site: str, language: str) -> None:
    page = visit(f"{site}/{language}/index.html", **PHONE)
    drawn = page.locator(".attn-opening .attn-scene :is(text, .attn-hand):visible").all()
    ends = [box["y"] + box["height"] for box in map(Locator.bounding_box, drawn)]
    start = page.locator(".attn-start a").first.bounding_box()
    assert len(ends) > 10
    assert max(ends) <= min(PHONE["viewport"]["height"], start["y"])


def test_a_phone_has_a_list_of_questions(visit: Visit, site: str) -> None:
    page = visit(f"{site}/ko/index.html", **PHONE)
    items = page.locator(".attn-questions").first.locator("li")
    boxes = [item.bounding_box() for item in items.all()]
    assert {box["x"] for box in boxes} == {boxes[0]["x"]}
    for item in items.all():
        sign, question = item.locator("svg").bounding_box(), item.locator("a").bounding_box()
        assert sign["width"] == 48
        assert question["x"] > sign["x"] + sign["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
