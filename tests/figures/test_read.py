"""What a live figure says, to the eye and to the ear, with a script and without."""

from typing import Any

import axe
import pytest
from playwright.sync_api import expect

from attn_lib.language import words
from attn_lib.live.figures import FIGURES
from attn_lib.live.host.controls import active
from attn_lib.live.host.page import labels

# Figures that are not in the hand's pattern.

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
    figure = show(name).ready()
    for settings in ({}, FIGURES[name].surprise, *FIGURES[name].tries):
        figure.go(FIGURES[name].fragment(settings))
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
            # A character is hidden by pressing it; only Jupyter has more for it.
            if (name, control.name) == ("dates", "see"):
                continue
            own = words(name)["controls"][control.name]
            expected = [label.format(**view.slots) for label in labels(own, len(control.defaults))]
            assert shown[position] == expected


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
    figure = show("additive").ready().open_fold()
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
    figure.arrive("#additive?ask=0").open_fold()
    slider.press("End")
    assert figure.page.evaluate("location.hash") == "#additive?t=7"
    reset.click()
    expect(question).to_be_hidden()
    assert figure.page.evaluate("location.hash") == "#additive?ask=0"


def test_slider_speaks_for_itself_and_the_summary_waits(show: Any) -> None:
    figure = show("additive").ready().open_fold()
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
    for width in (320, 360, 768):
        figure.page.set_viewport_size({"width": width, "height": 800})
        for box in parts.evaluate_all(f"all => all.map({ROOM})"):
            assert 0 <= box["left"] <= box["right"] <= width


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_targets_are_large_enough_for_a_finger(show: Any, name: str) -> None:
    figure = show(name).ready()
    figure.page.set_viewport_size({"width": 360, "height": 800})
    targets = figure.element.locator("input[type=range]:visible, button:visible, a:visible")
    heights = targets.evaluate_all("all => all.map((e) => e.getBoundingClientRect().height)")
    assert heights
    assert min(heights) >= 24


@pytest.mark.parametrize("name", FIGURES, scope="module")
def test_axe_finds_nothing(show: Any, name: str) -> None:
    figure = show(name).ready()
    figure.page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert axe.in_both_themes(figure.page, "attn-explorer") == []
