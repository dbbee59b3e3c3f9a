"""Links to states of a live figure: they restore, tolerate, refuse, and are written."""

from types import SimpleNamespace
from typing import Any

import pytest
from figures import LiveFigure
from hands import PHONE
from playwright.sync_api import expect
from reader import LANGUAGES

from attn_lib.language import words
from attn_lib.live.figures import FIGURES, explore
from attn_lib.live.host import page


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_link_restores_its_state(show: Any, name: str) -> None:
    first, *others = (FIGURES[name].fragment(settings) for settings in FIGURES[name].tries)
    figure = show(name, fragment=first).ready()
    for settings, link in zip(FIGURES[name].tries, (None, *others), strict=True):
        if link:
            figure.arrive(link)
        assert figure.state() == FIGURES[name].state(**settings)
        figure.check()


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_a_link_that_asks_leaves_the_tables_closed(show: Any, name: str) -> None:
    """They tell the answer."""
    figure = show(name).arrive(FIGURES[name].fragment(FIGURES[name].prediction.before))
    expect(figure.element.locator("figure")).to_have_attribute("data-phase", "ask")
    expect(figure.element.locator(".attn-more")).not_to_have_attribute("open", "")


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_try_this_is_a_plain_link_and_back_works(show: Any, name: str) -> None:
    figure = show(name).ready().open_fold()
    links = figure.element.locator(".attn-tries a")
    first, second, *_ = FIGURES[name].tries
    for link, settings in ((links.nth(0), first), (links.nth(1), second)):
        link.click()
        reaches(figure, name, settings)
    figure.page.go_back()
    reaches(figure, name, first)
    figure.check()


def reaches(figure: LiveFigure, name: str, settings: dict[str, Any]) -> None:
    """Wait for the state of a link: a page hears of its new address in a task of its own."""
    expected = FIGURES[name].state(**settings)
    for _ in range(100):
        if figure.state() == expected:
            break
        figure.page.wait_for_timeout(20)
    assert figure.state() == expected
    assert figure.page.url.endswith(FIGURES[name].fragment(settings))


DAMAGED: dict[str, dict[str, Any]] = {
    "#mask?len=5,3&fill=zero": {"fill": "zero"},  # out of range
    "#mask?len=2,3,1&fill=zero": {"fill": "zero"},  # a number too many
    "#mask?len=1.5,3&fill=zero": {"fill": "zero"},  # off the step
    "#mask?fill=one&s=equal": {"s": "equal"},  # no such choice
    "#mask?len=NaN,1&s=equal": {"s": "equal"},  # not a number
    "#mask?len=<b>,1&s=equal": {"s": "equal"},  # markup
    "#mask?len=1e0,1&s=equal": {"s": "equal"},  # not as the grammar writes numbers
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_damaged_setting_takes_its_default_and_says_so(show: Any, lang: str) -> None:
    figure = show("mask", lang)
    for link, settings in DAMAGED.items():
        figure.arrive(link)
        assert figure.state() == FIGURES["mask"].state(**settings), link
        assert figure.summary.endswith(words("frame")["not_understood"]), link
        figure.check()


TOLERATED: dict[str, dict[str, Any]] = {
    "#additive?t=-1&t=2": {"t": -1},  # the first wins
    "#additive?zz=1&t=-1": {"t": -1},  # an unknown key is ignored
    "#additive?tanh=none&t=-1": {"t": -1, "tanh": "none"},  # any order
    "#additive?k=3,1&q=-1&tanh=before": {"tanh": "before"},  # a link of the first edition
}


def test_tolerated_links(show: Any) -> None:
    figure = show("additive")
    for link, settings in TOLERATED.items():
        figure.arrive(link)
        assert figure.state() == FIGURES["additive"].state(**settings), link
        assert words("frame")["not_understood"] not in figure.summary, link


def test_other_fragments_leave_the_figure_alone(show: Any) -> None:
    figure = show("additive")
    too_long = "#additive?" + "t=1&" * 60 + "t=1"
    for link in ("#exercises", "#Additive?t=-1", "#additive?t=", too_long):
        figure.arrive(link)
        assert figure.state() == FIGURES["additive"].state(), link
        assert figure.page.evaluate("location.hash") == link


def test_address_is_written_when_a_change_is_done(show: Any) -> None:
    figure = show("additive").ready().open_fold()
    slider = figure.element.locator("[data-key=t]")
    slider.press("Home")
    assert figure.page.evaluate("location.hash") == "#additive?t=-6"
    figure.element.locator(".attn-reset").click()
    assert figure.page.evaluate("location.hash") == "#additive"
    assert figure.state() == FIGURES["additive"].state()


def test_copied_link_opens_the_same_state(show: Any) -> None:
    figure = show(
        "mask", "ko", "#mask?len=0,3&fill=1e6", permissions=["clipboard-read", "clipboard-write"]
    )
    figure.ready().open_fold().element.locator(".attn-copy").click()
    expect(figure.element.locator(".attn-copy")).to_have_text(words("frame")["copied"])
    expect(figure.element.locator(".attn-announcement")).to_have_text(words("frame")["copied"])
    copied = figure.page.evaluate("navigator.clipboard.readText()")
    assert copied == figure.page.url
    expect(figure.element.locator(".attn-copy")).to_have_text(words("frame")["copy_link"])


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_copied_code_shows_the_same_state_in_a_notebook(show: Any, name: str) -> None:
    figure = show(name).ready().open_fold()
    # The browser's own clipboard is used in the next test; here every state is copied.
    figure.page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    for settings in FIGURES[name].tries:
        figure.go(FIGURES[name].fragment(settings))
        figure.element.locator(".attn-copy-code").click()
        code = figure.page.evaluate("window.copied")
        explorer = eval(code, {"attn_lib": SimpleNamespace(explore=explore)})
        assert explorer.state == FIGURES[name].state(**settings)


def test_code_is_copied_to_the_clipboard_and_the_button_says_so(show: Any) -> None:
    figure = show("mask", permissions=["clipboard-read", "clipboard-write"]).ready().open_fold()
    button = figure.element.locator(".attn-copy-code")
    button.click()
    expect(button).to_have_text(words("frame")["code_copied"])
    assert "attn_lib.explore" in figure.page.evaluate("navigator.clipboard.readText()")
    expect(button).to_have_text(words("frame")["copy_code"])


def test_refused_clipboard_offers_the_link_as_text(show: Any) -> None:
    figure = show("additive", fragment="#additive?t=-1", permissions=[]).ready().open_fold()
    figure.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject() }")
    figure.element.locator(".attn-copy").click()
    field = figure.element.locator(".attn-link")
    expect(field).to_be_visible()
    assert field.input_value() == figure.page.url


def test_figure_starts_where_the_notebook_set_it_and_reset_returns_there(show: Any) -> None:
    figure = show("mask").ready()
    mask = FIGURES["mask"]
    state = mask.state(len=[0, 3], fill="1e6")
    drawn = page.render(mask, state, mask.compute(state))
    figure.element.evaluate("(element, html) => { element.outerHTML = html }", drawn)
    figure.ready().open_fold()
    start = FIGURES["mask"].state(len=(0, 3), fill="1e6")
    assert figure.state() == start
    figure.element.locator("[data-key=len]:visible").first.press("End")
    assert figure.state() == start | {"len": (4, 3)}
    figure.element.locator(".attn-reset").click()
    assert figure.state() == start
    assert figure.page.evaluate("location.hash") == "#mask?len=0,3&fill=1e6"


@pytest.mark.parametrize("name", ["scale", "choose", "cost", "museum"])
@pytest.mark.parametrize("screen", [PHONE, {}], ids=["phone", "wide"])
def test_a_pressed_link_brings_what_it_changes_into_the_window(
    show: Any, name: str, screen: dict[str, Any]
) -> None:
    figure = show(name, **screen).ready().open_fold()
    link = figure.element.locator(".attn-tries a").nth(1)
    link.evaluate("(e) => e.scrollIntoView({ block: 'end', behavior: 'instant' })")
    link.click()
    reaches(figure, name, FIGURES[name].tries[1])
    header = figure.page.locator("header").bounding_box()
    body = figure.element.locator(".attn-body")
    body.evaluate(
        "(e) => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    assert (
        header["y"] + header["height"]
        <= body.bounding_box()["y"]
        < figure.page.viewport_size["height"] / 2
    )
    # So does a link to what is shown already.
    link.evaluate("(e) => e.scrollIntoView({ block: 'start', behavior: 'instant' })")
    link.click()
    expect(body).to_be_in_viewport()
    assert header["y"] + header["height"] <= body.bounding_box()["y"]
