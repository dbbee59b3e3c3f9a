"""What a figure does at its place in the book: in a closed box, and on the opening page."""

from typing import Any

from playwright.sync_api import expect
from reader import LANGUAGES

from attn_lib.live.figures import FIGURES


def test_every_figure_stands_on_the_page_that_notebooks_link_to(
    where: dict[tuple[str, str], str],
) -> None:
    assert where == {
        (lang, name): f"{lang}/{figure.chapter}.html"
        for lang in LANGUAGES
        for name, figure in FIGURES.items()
    }


def test_link_to_a_figure_in_a_closed_box_opens_it_and_it_measures_itself(
    visit: Any, site: str, where: dict[tuple[str, str], str]
) -> None:
    page = visit(f"{site}/{where['en', 'lookup']}#lookup?q=Le")
    drawing = page.locator("attn-explorer[data-figure=lookup] .attn-body .attn-output-mark")
    expect(drawing).to_be_visible()
    assert "translate(" in drawing.get_attribute("transform")


def test_opening_page_shows_the_figure_with_its_weights_alone(visit: Any, site: str) -> None:
    page = visit(f"{site}/en/index.html")
    figure = page.locator(".attn-opening attn-explorer")
    for hidden in (".attn-question", ".attn-say", ".attn-bet", ".attn-summary", ".attn-foot"):
        expect(figure.locator(hidden).first).to_be_hidden()
    weights = figure.locator(".attn-scene svg > .attn-num:visible")
    expect(weights).to_have_text(["0.70", "0.26", "0.03", "0.01"])
    assert figure.evaluate("(e) => e.state.x") == 1.5
    bottom = page.locator(".attn-start a").last.bounding_box()
    assert bottom["y"] + bottom["height"] <= 800


def test_opening_page_moves_its_figure_once(visit: Any, site: str) -> None:
    page = visit(f"{site}/en/index.html", reduced_motion="no-preference")
    page.wait_for_function(
        "() => document.querySelector('.attn-opening attn-explorer').state.x === -1.5"
    )
    assert page.evaluate("location.hash") == ""


def test_opening_page_leaves_a_state_that_a_link_names(visit: Any, site: str) -> None:
    link = "#arrows?x=-1.75&y=0.75&t=0.1"
    page = visit(f"{site}/en/index.html{link}", reduced_motion="no-preference", clock=True)
    page.clock.run_for(3000)
    figure = page.locator(".attn-opening attn-explorer")
    assert figure.evaluate("(e) => [e.state.x, e.state.y]") == [-1.75, 0.75]
    assert page.evaluate("location.hash") == link


def test_opening_page_rests_for_a_reader_who_prefers_it(visit: Any, site: str) -> None:
    page = visit(f"{site}/en/index.html", viewport={"width": 360, "height": 740}, clock=True)
    figure = page.locator(".attn-opening attn-explorer")
    page.clock.run_for(1800)
    assert figure.evaluate("(e) => e.state.x") == 1.5
