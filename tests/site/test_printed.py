"""A chapter printed from the browser: what a reader sees of it on paper."""

from io import BytesIO

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader
from reader import LANGUAGES, Visit, until

STYLE = "(element, name) => getComputedStyle(element)[name]"


def on_paper(page: Page) -> None:
    """Bring a page into the state in which a browser prints it."""
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    until(page, "matchMedia('print').matches")


def from_paper(page: Page) -> None:
    page.emulate_media(media="screen")
    until(page, "matchMedia('screen').matches")
    page.evaluate("dispatchEvent(new Event('afterprint'))")


@pytest.mark.parametrize(
    ("chapter", "drawing"),
    [
        ("scaling", ".attn-stage"),
        ("scaling", ".attn-scene > svg"),
        ("additive-attention", ".attn-scene"),
        ("dot-product-attention", ".attn-stage"),
        ("queries-keys-values", ".attn-stage"),
    ],
)
def test_a_figure_is_printed_as_drawn_and_without_its_controls(
    visit: Visit, site: str, chapter: str, drawing: str
) -> None:
    page = visit(f"{site}/en/{chapter}.html")
    figure = page.locator("attn-explorer").first
    on_paper(page)
    expect(figure.locator(f".attn-body {drawing}").first).to_be_visible()
    for control in (".attn-bar", ".attn-prediction", ".attn-handle", "input[type=range]"):
        expect(figure.locator(f"{control}:visible")).to_have_count(0)
    expect(figure.locator(".attn-surprise .attn-stage:visible")).to_have_count(0)
    expect(figure.locator(".attn-surprise")).to_be_visible()


def test_a_drawing_fits_a_column_that_is_narrower_on_paper(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/scaling.html")
    svg = page.locator("attn-explorer[data-figure=race] .attn-scene > svg")
    expect(svg).to_have_count(1)
    on_screen = svg.evaluate("svg => svg.clientWidth")
    on_paper(page)
    assert svg.get_attribute("viewBox").split()[2] == str(on_screen)
    from_paper(page)
    assert svg.get_attribute("viewBox") is None


def test_weights_keep_their_colour_and_dark_pages_are_printed_light(
    visit: Visit, site: str
) -> None:
    page = visit(f"{site}/ko/masked-softmax.html", color_scheme="dark")
    shade = page.locator("attn-explorer .attn-body .attn-shade").first
    dark = shade.evaluate(STYLE, "backgroundColor")
    on_paper(page)
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert shade.evaluate(STYLE, "printColorAdjust") == "exact"
    assert page.locator("article pre").first.evaluate(STYLE, "printColorAdjust") == "exact"
    assert shade.evaluate(STYLE, "backgroundColor") != dark
    from_paper(page)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("document.documentElement.dataset.mode") == "auto"


def test_boxes_are_open_and_nothing_asks_for_a_click(visit: Visit, site: str) -> None:
    page = visit(f"{site}/vi/masked-softmax.html")
    on_paper(page)
    boxes = page.locator(".attn-fold")
    assert boxes.count() > 5
    assert page.locator(".attn-fold:not([open])").count() == 0
    expect(page.locator(".attn-code > summary:visible")).to_have_count(0)
    summary = page.locator(".solution.attn-fold > summary").first
    assert summary.evaluate("box => getComputedStyle(box, '::before').display") == "none"
    assert summary.evaluate(STYLE, "breakAfter") == "avoid"
    assert page.locator(".cell_input").first.evaluate(STYLE, "breakInside") == "avoid"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_handout_asks_and_leaves_room_to_write(visit: Visit, site: str, language: str) -> None:
    page = visit(f"{site}/{language}/masked-softmax.html?handout#mask")
    on_paper(page)
    for part in (".question", "svg.attn-picture", "attn-explorer", ".attn-bet"):
        expect(page.locator(f"article {part}").first).to_be_visible()
    exercises = page.locator("article section > .exercise:visible")
    assert exercises.count() > 2
    for exercise in exercises.all():
        room = exercise.evaluate("box => parseFloat(getComputedStyle(box, '::after').height)")
        assert room > 80
    for part in (".attn-fold", ".cell_input", "h2", "#jb-print-toc"):
        expect(page.locator(f"main {part}:visible")).to_have_count(0)
    assert page.locator(".attn-surprise").evaluate(STYLE, "breakBefore") == "page"
    paper = PdfReader(BytesIO(page.pdf(format="A4")))
    assert len(paper.pages) in (2, 3)


def test_a_handout_of_a_state_of_ones_own_asks_nothing_of_another(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/masked-softmax.html?handout#mask?len=0,3")
    on_paper(page)
    expect(page.locator("article attn-explorer .attn-body")).to_be_visible()
    expect(page.locator(".attn-bet:visible")).to_have_count(0)


@pytest.mark.parametrize("name", ["index", "glossary", "teach", "how-to-use"])
def test_a_handout_of_what_is_no_chapter_is_the_page(visit: Visit, site: str, name: str) -> None:
    texts = []
    for address in (f"{site}/en/{name}.html", f"{site}/en/{name}.html?handout"):
        page = visit(address)
        on_paper(page)
        texts.append(page.locator("article").inner_text())
    assert len(texts[0]) > 500
    assert texts[0] == texts[1]
