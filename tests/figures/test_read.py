"""What a live figure says, to the eye and to the ear, with a script and without."""

from collections.abc import Iterator
from typing import Any

import axe
import pytest
from figures import LiveFigure
from playwright.sync_api import expect
from reader import LANGUAGES

from attn_lib.language import words
from attn_lib.live.figures import FIGURES
from attn_lib.live.host.controls import active
from attn_lib.live.host.page import labels

# All sentences of a figure.
SAID = """(body) => [...body.querySelectorAll("p, .attn-drawing text")]
  .map((e) => e.textContent).join("\\n")"""

# What stands on each control, in the order in which they are declared.
LABELS = """(figure) => {
  const shown = [];
  for (const label of figure.querySelectorAll("[data-control] [data-label]")) {
    const { control } = label.closest("[data-control]").dataset;
    (shown[control] ??= []).push(label.innerText);
  }
  return shown;
}"""


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_page_says_what_python_says(show: Any, name: str) -> None:
    """Summary, labels and written numbers: the page and Python agree word by word.

    That both say the same of a state in each language is shown without a browser (test_ports.py),
    and painting knows no language.
    """
    for settings in ({}, FIGURES[name].surprise, *FIGURES[name].tries):
        figure = show(name, fragment=FIGURES[name].fragment(settings)).ready()
        figure.element.locator("details").evaluate_all(
            "all => all.forEach((box) => (box.open = true))"
        )
        view = figure.check()
        assert figure.summary == FIGURES[name].sentences(view)
        written = figure.element.locator(
            ".attn-body [data-digits='1'] .attn-number"
        ).all_inner_texts()
        assert all("NaN" not in text and "undefined" not in text for text in written)
        # A slot that nobody has filled, or that a name of the browser has.
        said = figure.element.locator(".attn-body").evaluate(SAID)
        for fault in ("[object", "undefined", "NaN"):
            assert fault not in said or fault in str(words(name)), settings
        state = figure.state()
        shown = figure.element.evaluate(LABELS)
        for position, control in enumerate(FIGURES[name].controls):
            if control not in active(FIGURES[name].controls, state):
                continue
            # A row is chosen and a character hidden by pressing it; only Jupyter has more for them.
            if (name, control.name) in (("dates", "row"), ("dates", "see")):
                continue
            own = words(name)["controls"][control.name]
            expected = [label.format(**view.slots) for label in labels(own, len(control.defaults))]
            assert shown[position] == expected


def replies(name: str) -> list[str]:
    """What the page says to each option: yes or no, then the option's own sentence."""
    asked, frame = FIGURES[name].prediction, words("frame")
    after = FIGURES[name].compute(FIGURES[name].state(**asked.after))
    return [
        (frame["right"] if option == asked.right else frame["wrong"])
        + frame["between_sentences"]
        + reply.format(**after.slots)
        for option, reply in enumerate(words(name)["replies"])
    ]


@pytest.mark.parametrize(
    ("lang", "name"),
    [("en", name) for name in FIGURES if not FIGURES[name].in_hand]
    + [(lang, name) for lang in LANGUAGES[1:] for name in ("mask", "norm")],
    scope="module",
)
def test_prediction_is_confirmed_answered_and_asked_again(show: Any, lang: str, name: str) -> None:
    figure = show(name, lang).ready()
    asked, frame = FIGURES[name].prediction, words("frame")
    box = figure.element.locator(".attn-prediction")
    button, announced = box.locator(".attn-confirm"), figure.element.locator(".attn-announcement")
    size = box.bounding_box()
    for option in (asked.right, (asked.right + 1) % 3):
        expect(button).to_be_disabled()
        expect(button).to_have_text(frame["show_me"])
        start = figure.parts()
        box.locator("input").nth(option).check()
        assert figure.parts() == start, "choosing changes nothing"
        button.click()
        expect(button).to_be_focused()
        expect(button).to_have_text(frame["ask_again"])
        verdict = box.locator(".attn-verdict:not([inert])")
        expect(verdict.locator(".attn-mark")).to_have_text("✓" if option == asked.right else "✗")
        expect(verdict.locator(".attn-words")).to_have_text(replies(name)[option])
        expect(announced).to_have_text(verdict.locator(".attn-words").inner_text())
        assert figure.state() == FIGURES[name].state(**asked.after)
        assert figure.page.evaluate("location.hash") == FIGURES[name].fragment(asked.after)
        figure.check()
        before, after = box.locator(".attn-pair button").all()
        expect(after).to_have_attribute("aria-pressed", "true")
        before.click()
        assert figure.state() == FIGURES[name].state(**asked.before)
        expect(before).to_have_attribute("aria-pressed", "true")
        expect(after).to_have_attribute("aria-pressed", "false")
        figure.check()
        button.click()
        expect(box.locator("input").first).to_be_focused()
        expect(announced).to_have_text("")
        now = box.bounding_box()
        assert (now["width"], now["height"]) == (size["width"], size["height"]), "nothing moves"


def test_answer_travels_from_before_to_after_in_true_numbers(show: Any) -> None:
    figure = show("additive", reduced_motion="no-preference").ready()
    asked = FIGURES["additive"].prediction
    figure.element.evaluate(
        """(e) => {
             e.shown = [];
             new MutationObserver(() => e.shown.push(structuredClone(e.state)))
               .observe(e.querySelector(".attn-body"), { subtree: true, attributes: true });
           }"""
    )
    figure.bet(0)
    fragment = FIGURES["additive"].fragment(asked.after)
    figure.page.wait_for_url(lambda address: address.endswith(fragment))
    places = [state["t"] for state in figure.element.evaluate("(e) => e.shown")]
    start, goal = (
        FIGURES["additive"].state(**settings)["t"] for settings in (asked.before, asked.after)
    )
    assert places[-1] == goal
    between = [t for t in places if min(start, goal) < t < max(start, goal)]
    assert len(between) > 3
    assert between == sorted(between, reverse=goal < start)
    figure.check()


@pytest.mark.parametrize("name", ["additive", "choose", "cost", "heads"])
def test_answer_is_scrolled_in_on_a_phone(show: Any, name: str) -> None:
    figure = show(name, viewport={"width": 360, "height": 740}, is_mobile=True).ready()
    button = figure.element.locator(".attn-confirm")
    figure.element.locator(".attn-options input").first.check()
    # More than half of the first drawing is seen below the button, and little of the others.
    button.evaluate("(e) => scrollBy(0, e.getBoundingClientRect().top - 490)")
    button.click()
    header = figure.page.locator("header").bounding_box()
    told = figure.element.locator(".attn-told").bounding_box()
    assert 0 < told["y"] - header["y"] - header["height"] < 20


def test_answer_that_is_seen_is_left_where_it_is(show: Any) -> None:
    figure = show("heads", viewport={"width": 1280, "height": 1400}).ready()
    button = figure.element.locator(".attn-confirm")
    figure.element.locator(".attn-options input").first.check()
    button.evaluate("(e) => scrollBy(0, e.getBoundingClientRect().top - 500)")
    before = figure.page.evaluate("scrollY")
    button.click()
    assert figure.page.evaluate("scrollY") == before


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_a_link_asks_only_where_the_question_begins_or_where_it_says_so(
    show: Any, name: str
) -> None:
    figure = show(name).ready()
    question = figure.element.locator(".attn-prediction")
    asked = FIGURES[name].prediction
    links = {}
    for settings, said, asks in (
        ({}, "", "1"),
        ({}, "0", "0"),
        (asked.before, "", "1"),
        (asked.before, "0", "0"),
        (asked.after, "", "0"),
        (asked.after, "1", "1"),
    ):
        link, ask = FIGURES[name].fragment(settings), {"ask": said} if said else {}
        assert FIGURES[name].state(**settings, **ask)["ask"] == asks, link
        links[link + ("&" if "?" in link else "?") * len(ask) + f"ask={said}" * len(ask)] = asks
    for come in (figure.arrive, figure.go):
        for link, asks in links.items():
            come(link)
            expect(question).to_be_visible(visible=asks == "1")


def test_a_question_stays_while_a_hand_moves_and_comes_back_with_reset(show: Any) -> None:
    figure = show("additive").ready()
    question = figure.element.locator(".attn-prediction")
    slider, reset = (figure.element.locator(one) for one in ("[data-key=t]", ".attn-reset"))
    slider.press("End")
    expect(question).to_be_visible()
    assert figure.page.evaluate("location.hash") == "#additive?t=7"
    figure.element.locator(".attn-tries a").first.click()
    expect(question).to_be_hidden()
    reset.click()
    expect(question).to_be_visible()
    # Who came to be asked nothing is asked nothing.
    figure.arrive("#additive?ask=0")
    slider.press("End")
    assert figure.page.evaluate("location.hash") == "#additive?t=7"
    reset.click()
    expect(question).to_be_hidden()
    assert figure.page.evaluate("location.hash") == "#additive?ask=0"


def test_summary_compares_with_the_last_setting(show: Any) -> None:
    figure = show("additive").ready()
    figure.rest()
    figure.element.locator(".attn-tries a").nth(1).click()
    # A page hears of its new address in a task of its own.
    expect(figure.said).to_contain_text("cats 0.67 (was 0.58)")


@pytest.mark.parametrize(
    ("name", "first", "then", "was"),
    [
        ("mask", {"fill": "zero"}, {"fill": "after"}, "get 0 (was 0.64)"),
        ("mask", {"fill": "zero"}, {}, None),  # of bark, then of cats
        ("heads", {"h": 4}, {"h": 4, "c": 1}, "dogs in head 1 (0.37, was 0.49)"),
        ("heads", {"h": 1}, {"h": 1, "q": 2, "c": 1}, None),
        ("heads", {"h": 2}, {"h": 4}, None),  # a head of two features, then of one
        ("additive", {}, {"tanh": "before"}, None),
    ],
)
def test_summary_compares_a_number_only_with_its_own_past(
    show: Any, name: str, first: dict[str, Any], then: dict[str, Any], was: str | None
) -> None:
    figure = show(name, fragment=FIGURES[name].fragment(first)).ready()
    figure.rest()
    figure.go(FIGURES[name].fragment(then))
    assert was in figure.summary if was else "(was" not in figure.summary


def test_summary_names_no_date_from_before_of_another_text(show: Any) -> None:
    figure = show("dates", fragment="#dates?t=αβ").ready()
    height = figure.element.bounding_box()["height"]
    figure.rest()
    figure.go("#dates?t=4 Sep 1998")
    figure.check()
    assert "writes 1998-09-04, each" in figure.summary
    field = figure.element.locator("[data-key=t]")
    figure.rest()
    for text in ("4 Sep 199", "4 Sep 19", "4 Sep 1978"):
        field.fill(text)
        figure.check()
        assert "before" not in figure.summary, text
    field.press("Enter")
    figure.rest()
    # Of the same text, what it was before is said.
    was = figure.check().slots["iso"]
    figure.go("#dates?t=4 Sep 1978&model=dot&m=0.001")
    assert figure.check().slots["iso"] != was
    assert f"(before: {was})" in figure.summary
    # Nothing below moves while an unknown letter stands in the text.
    assert figure.element.bounding_box()["height"] == height


def test_slider_speaks_for_itself_and_the_summary_waits(show: Any) -> None:
    figure = show("additive").ready()
    slider = figure.element.locator("[data-key=t]")
    slider.press("ArrowLeft")
    weight = figure.check().slots["w1"]
    assert slider.get_attribute("aria-valuetext").startswith(
        f"t\u00a0=\u00a00.5: cats {weight}, purr "
    )
    summary = figure.said
    expect(summary).to_have_attribute("aria-live", "off")
    figure.element.locator("[data-key=tanh]").nth(1).check(force=True)
    expect(summary).to_have_attribute("aria-live", "polite")


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_without_a_script_the_weights_are_there(show: Any, name: str) -> None:
    figure = show(name, java_script_enabled=False)
    view = FIGURES[name].compute(figure.start)
    for part_name, part in view.parts.items():
        if part is None or "rows" not in part:
            continue
        cells = figure.element.locator(f".attn-body [data-part='{part_name}'] td[data-weight]")
        if cells.count():
            shown = [float(cell.get_attribute("data-weight")) for cell in cells.all()]
            columns = len(shown) // len(part["rows"])  # bars name a distance before their weight
            weights = [weight for row in part["rows"] for weight in row[-columns:]]
            assert shown == pytest.approx(weights, abs=1e-6)
            expect(cells.first).to_be_visible()
    for useless in ("[data-key]", "button", ".attn-prediction"):
        expect(figure.element.locator(f"{useless}:visible")).to_have_count(0)
    expect(figure.element.locator(".attn-surprise")).to_be_visible()


def at_each_width(figure: LiveFigure) -> Iterator[int]:
    for width in (320, 360, 768):
        figure.page.set_viewport_size({"width": width, "height": 800})
        yield width


# Where a part is: what is wider scrolls in a box of its own.
ROOM = """(part) => {
  let box = part;
  while (box.parentElement.closest(".attn-view") && getComputedStyle(box).overflowX === "visible") {
    box = box.parentElement;
  }
  const scrolls = getComputedStyle(box).overflowX === "auto";
  return (scrolls ? box : part).getBoundingClientRect().toJSON();
}"""


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_figure_fits_its_page(show: Any, name: str) -> None:
    figure = show(name).ready()
    parts = figure.element.locator("figure, .attn-body [data-part]:visible, .attn-bar")
    for width in at_each_width(figure):
        for part in parts.all():
            box = part.evaluate(ROOM)
            assert box["left"] >= 0, width
            assert box["right"] <= width


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_targets_are_large_enough_for_a_finger(show: Any, name: str) -> None:
    figure = show(name).ready()
    figure.page.set_viewport_size({"width": 360, "height": 800})
    for target in figure.element.locator(
        "input[type=range]:visible, button:visible, a:visible"
    ).all():
        assert target.bounding_box()["height"] >= 24


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_axe_finds_nothing(show: Any, name: str) -> None:
    figure = show(name).ready()
    figure.page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert axe.in_both_themes(figure.page, "attn-explorer") == []
