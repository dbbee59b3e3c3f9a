"""The live figures: whatever a reader does, the page shows attn_lib's numbers."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from axe_playwright_python.sync_playwright import Axe
from figures import LiveFigure, pages_with_figures
from playwright.sync_api import Page, expect
from reader import LANGUAGES, Visit

import attn_lib
from attn_lib.explorer import FIGURES, numbers
from attn_lib.explorer.controls import active
from attn_lib.explorer.page import labels
from attn_lib.language import words

ROOT = Path(__file__).resolve().parents[2]
# Where an edition has a chapter of its own. Elsewhere it shows the English page, tested as English.
EVERYWHERE = [
    (notebook.parent.name, name)
    for notebook in sorted((ROOT / "book").glob("??/*.ipynb"))
    for name in FIGURES
    if f'explore(\\"{name}\\"' in notebook.read_text(encoding="utf-8")
]


@pytest.fixture(scope="session")
def where(site_folder: Path) -> dict[tuple[str, str], str]:
    """The page of each figure in each language, e.g. ("ko", "mask"): "ko/masked-softmax.html"."""
    return {(lang, name): f"{lang}/{page}" for lang, page, name in pages_with_figures(site_folder)}


@pytest.fixture(autouse=True)
def speak_english_afterwards() -> Iterator[None]:
    yield
    attn_lib.set_language("en")


@pytest.fixture
def show(visit: Visit, site: str, where: dict[tuple[str, str], str]) -> Any:
    """Open a figure: `show("mask", "ko", "#mask?len=0,3")`."""

    def show(name: str, lang: str = "en", fragment: str = "", **options: Any) -> LiveFigure:
        page = visit(f"{site}/{where[lang, name]}{fragment}", **options)
        # A chapter that an edition does not have yet appears in English, and so does its figure.
        text = page.locator(f'attn-explorer[data-figure="{name}"] .attn-question').text_content()
        own = [code for code in (lang, "en") if question(code, name) == text]
        attn_lib.set_language(own[0])
        return LiveFigure(page, FIGURES[name])

    return show


def question(lang: str, name: str) -> str:
    attn_lib.set_language(lang)
    return words(name)["question"]


def test_every_figure_stands_in_every_edition(where: dict[tuple[str, str], str]) -> None:
    assert sorted(where) == sorted((lang, name) for lang in LANGUAGES for name in FIGURES)


# Moving every control


@pytest.mark.parametrize(("lang", "name"), EVERYWHERE)
def test_keyboard_moves_every_control(show: Any, lang: str, name: str) -> None:
    figure = show(name, lang).ready()
    figure.check()
    operate_all(figure, by_keyboard)


@pytest.mark.parametrize(("lang", "name"), EVERYWHERE)
def test_pointer_moves_every_control(show: Any, lang: str, name: str) -> None:
    figure = show(name, lang, viewport={"width": 1280, "height": 1600}).ready()
    operate_all(figure, by_pointer)


def operate_all(figure: LiveFigure, operate: Any) -> None:
    """Operate every control in every state of the choices that decide which controls exist."""
    conditions = {json.dumps(dict(c.when)) for c in figure.figure.controls}
    for condition in sorted(conditions):
        link = figure.figure.fragment(json.loads(condition))
        figure.go(link)
        figure.check()
        for control in figure.controls():
            operate(figure, control)
            figure.element.locator(".attn-reset").click()
            figure.go(link)


def value_of(figure: LiveFigure, control: Any) -> Any:
    """The value that the state holds for this control."""
    key, item = control.get_attribute("data-key"), int(control.get_attribute("data-item"))
    value = figure.state()[key]
    return value[item] if isinstance(value, tuple) else value


def limits(control: Any) -> tuple[float, float]:
    return float(control.get_attribute("min")), float(control.get_attribute("max"))


def by_keyboard(figure: LiveFigure, control: Any) -> None:
    kind = control.get_attribute("type") or "select"
    control.focus()
    if kind == "range":
        lowest, highest = limits(control)
        for keys, place in (
            (["Home"], lowest),
            (["End"], highest),
            (["ArrowLeft"], None),
            (["PageDown"], None),
            (["Home", "ArrowRight", "ArrowRight"], None),
        ):
            for key in keys:
                control.press(key)
            assert place is None or float(control.input_value()) == place
            assert control.get_attribute("aria-valuetext")
            figure.check()
    elif kind in ("radio", "checkbox"):
        control.press("Space")
        assert value_of(figure, control) == (
            control.get_attribute("value") if kind == "radio" else "1"
        )
        figure.check()
    elif kind == "text":
        control.fill("Smola")
        control.press("Enter")
        assert value_of(figure, control) == "Smola"
        figure.check()
    elif kind == "number":
        control.press("ArrowUp")
        figure.check()
    else:
        before = value_of(figure, control)
        control.press("ArrowDown" if before != options(control)[-1] else "ArrowUp")
        assert value_of(figure, control) != before
        figure.check()


def by_pointer(figure: LiveFigure, control: Any) -> None:
    kind = control.get_attribute("type") or "select"
    if kind == "range":
        box = control.bounding_box()
        lowest, highest = limits(control)
        for share, place in ((0.0, lowest), (0.4, None), (1.0, highest), (0.7, None)):
            position = {"x": 1 + share * (box["width"] - 2), "y": box["height"] / 2}
            control.click(position=position)
            assert place is None or float(control.input_value()) == place
            figure.check()
        drag(figure.page, control)
        figure.check()
    elif kind in ("radio", "checkbox"):
        # The label is what a pointer hits; the radio button itself is not drawn.
        control.locator("xpath=..").click()
        assert value_of(figure, control) == (
            control.get_attribute("value") if kind == "radio" else "1"
        )
        figure.check()
    elif kind == "select":
        for option in options(control):
            control.select_option(option)
            assert value_of(figure, control) == option
            figure.check()


def options(control: Any) -> list[str]:
    found: list[str] = control.evaluate("(select) => [...select.options].map((o) => o.value)")
    return found


def drag(page: Page, control: Any) -> None:
    """Drag a slider's thumb from where it is to a third of the way."""
    box = control.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.7 * box["width"], middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 3, middle, steps=4)
    page.mouse.up()


# One drawing in both hosts


@pytest.mark.parametrize(("lang", "name"), EVERYWHERE)
def test_page_says_what_python_says(show: Any, lang: str, name: str) -> None:
    """Summary, labels and written numbers: the page and Python agree word by word."""
    figure = show(name, lang).ready()
    for settings in ({}, FIGURES[name].surprise, *FIGURES[name].tries):
        figure.page.goto("about:blank")
        figure = show(name, lang, FIGURES[name].fragment(settings)).ready()
        view = figure.check()
        assert figure.summary == FIGURES[name].sentences(view)
        written = figure.element.locator(
            ".attn-body [data-digits='1'] .attn-number"
        ).all_inner_texts()
        assert all("NaN" not in text and "undefined" not in text for text in written)
        state = figure.state()
        for position, control in enumerate(FIGURES[name].controls):
            if control not in active(FIGURES[name].controls, state):
                continue
            own = words(name)["controls"][control.words or control.key]
            shown = figure.element.locator(
                f"[data-control='{position}'] [data-label]"
            ).all_inner_texts()
            expected = [label.format(**view.slots) for label in labels(own, len(control.defaults))]
            assert shown == expected


# Links


@pytest.mark.parametrize("name", FIGURES)
def test_link_restores_its_state(show: Any, name: str) -> None:
    for settings in FIGURES[name].tries:
        figure = show(name, fragment=FIGURES[name].fragment(settings)).ready()
        assert figure.state() == FIGURES[name].state(**settings)
        figure.check()


@pytest.mark.parametrize("name", FIGURES)
def test_try_this_is_a_plain_link_and_back_works(show: Any, name: str) -> None:
    figure = show(name).ready()
    links = figure.element.locator(".attn-tries a")
    links.nth(0).click()
    links.nth(1).click()
    assert figure.state() == FIGURES[name].state(**FIGURES[name].tries[1])
    figure.page.go_back()
    figure.page.wait_for_function(
        "(link) => location.hash === link", arg=FIGURES[name].fragment(FIGURES[name].tries[0])
    )
    assert figure.state() == FIGURES[name].state(**FIGURES[name].tries[0])
    figure.check()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("fragment", "settings"),
    [
        ("#additive?len=11,6&q=-1", {"q": -1}),  # out of range
        ("#additive?len=2,6,1&q=-1", {"q": -1}),  # a number too many
        ("#additive?q=0.3&n=4", {"n": 4}),  # off the step
        ("#additive?tanh=sin&n=4", {"n": 4}),  # no such choice
        ("#additive?k=NaN,1&n=4", {"n": 4}),  # not a number
        ("#additive?k=<b>,1&n=4", {"n": 4}),  # markup
        ("#additive?q=1e0&n=4", {"n": 4}),  # not as the grammar writes numbers
    ],
)
def test_damaged_setting_takes_its_default_and_says_so(
    show: Any, lang: str, fragment: str, settings: dict[str, Any]
) -> None:
    figure = show("additive", lang, fragment).ready()
    assert figure.state() == FIGURES["additive"].state(**settings)
    assert figure.summary.endswith(words("frame")["not_understood"])
    figure.check()


@pytest.mark.parametrize(
    ("fragment", "settings"),
    [
        ("#additive?q=-1&q=2", {"q": -1}),  # the first wins
        ("#additive?zz=1&q=-1", {"q": -1}),  # an unknown key is ignored
        ("#additive?tanh=none&q=-1&len=0,3", {"len": (0, 3), "q": -1, "tanh": "none"}),  # any order
    ],
)
def test_tolerated_links(show: Any, fragment: str, settings: dict[str, Any]) -> None:
    figure = show("additive", fragment=fragment).ready()
    assert figure.state() == FIGURES["additive"].state(**settings)
    assert words("frame")["not_understood"] not in figure.summary


@pytest.mark.parametrize(
    "fragment", ["#exercises", "#Additive?q=-1", "#additive?q=", "#additive?" + "q=1&" * 60 + "q=1"]
)
def test_other_fragments_leave_the_figure_alone(show: Any, fragment: str) -> None:
    figure = show("additive", fragment=fragment).ready()
    assert figure.state() == FIGURES["additive"].state()
    assert figure.page.evaluate("location.hash") == fragment


def test_address_is_written_when_a_change_is_done(show: Any) -> None:
    figure = show("additive").ready()
    slider = figure.element.locator("[data-key=q]")
    slider.press("Home")
    assert figure.page.evaluate("location.hash") == "#additive?q=-3"
    figure.element.locator(".attn-reset").click()
    assert figure.page.evaluate("location.hash") == "#additive"
    assert figure.state() == FIGURES["additive"].state()


def test_copied_link_opens_the_same_state(show: Any) -> None:
    figure = show(
        "mask", "ko", "#mask?len=0,3&fill=1e6", permissions=["clipboard-read", "clipboard-write"]
    )
    figure.ready().element.locator(".attn-copy").click()
    expect(figure.element.locator(".attn-copy")).to_have_text(words("frame")["copied"])
    copied = figure.page.evaluate("navigator.clipboard.readText()")
    assert copied == figure.page.url


def test_refused_clipboard_offers_the_link_as_text(show: Any) -> None:
    figure = show("additive", fragment="#additive?q=-1").ready()
    figure.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject() }")
    figure.element.locator(".attn-copy").click()
    field = figure.element.locator(".attn-link")
    expect(field).to_be_visible()
    assert field.input_value() == figure.page.url


# The prediction, the voice, reading without a script


@pytest.mark.parametrize(("lang", "name"), EVERYWHERE)
def test_prediction_collapses_to_a_verdict_and_leaves_the_figure_alone(
    show: Any, lang: str, name: str
) -> None:
    figure = show(name, lang).ready()
    before = figure.parts()
    box = figure.element.locator(".attn-prediction")
    for option in (FIGURES[name].prediction.right, (FIGURES[name].prediction.right + 1) % 3):
        box.locator("input").nth(option).check()
        verdict = box.locator(".attn-verdict")
        expected = words("frame")["you_said"].format(option=words(name)["options"][option])
        expect(verdict).to_have_text(expected)
        right = option == FIGURES[name].prediction.right
        expect(verdict).to_have_attribute("data-verdict", "right" if right else "wrong")
        assert figure.parts() == before
        box.locator(".attn-again").click()
    box.locator("input").nth(0).check()
    box.locator("a").nth(1).click()
    assert figure.state() == FIGURES[name].state(**FIGURES[name].prediction.after)
    figure.check()


def test_ask_0_hides_the_prediction(show: Any) -> None:
    figure = show("additive", fragment="#additive?q=-1&ask=0").ready()
    expect(figure.element.locator(".attn-prediction")).to_be_hidden()
    figure.element.locator("[data-key=q]").press("End")
    assert figure.page.evaluate("location.hash") == "#additive?q=3&ask=0"


def test_summary_compares_with_the_last_setting(show: Any) -> None:
    figure = show("additive", fragment="#additive?k=3,1").ready()
    figure.page.wait_for_timeout(600)
    figure.element.locator(".attn-tries a").nth(0).click()
    assert "weight 0.03 (was 0.90)" in figure.summary


def test_slider_speaks_for_itself_and_the_summary_waits(show: Any) -> None:
    figure = show("additive", fragment="#additive?k=3,1").ready()
    slider = figure.element.locator("[data-key=q]")
    slider.press("ArrowLeft")
    weight = figure.check().slots["w2"]
    assert slider.get_attribute("aria-valuetext") == f"query 0.5, weight on key 3: {weight}"
    summary = figure.element.locator(".attn-summary")
    expect(summary).to_have_attribute("aria-live", "off")
    figure.element.locator("[data-key=tanh]").nth(1).check(force=True)
    expect(summary).to_have_attribute("aria-live", "polite")


@pytest.mark.parametrize(("lang", "name"), EVERYWHERE)
def test_without_a_script_the_weights_are_there(show: Any, lang: str, name: str) -> None:
    figure = show(name, lang, java_script_enabled=False)
    view = FIGURES[name].compute(FIGURES[name].state())
    for part_name, part in view.parts.items():
        if part is None or "rows" not in part:
            continue
        cells = figure.element.locator(f".attn-body [data-part='{part_name}'] td[data-weight]")
        if cells.count():
            shown = [float(cell.get_attribute("data-weight")) for cell in cells.all()]
            assert shown == pytest.approx([w for row in part["rows"] for w in row], abs=1e-6)
            expect(cells.first).to_be_visible()
    for useless in ("[data-key]", "button", ".attn-prediction"):
        expect(figure.element.locator(f"{useless}:visible")).to_have_count(0)
    expect(figure.element.locator(".attn-surprise")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", FIGURES)
def test_axe_finds_nothing(show: Any, name: str, scheme: str) -> None:
    figure = show(name, color_scheme=scheme).ready()
    # Without its preload, which fetches style sheets a second time and logs what it cannot read.
    options = {"preload": False}
    results = Axe().run(figure.page, f'attn-explorer[data-figure="{name}"]', options)
    assert results.response["violations"] == [], results.generate_report()


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("width", [320, 360, 768])
def test_figure_fits_its_page(show: Any, name: str, width: int) -> None:
    figure = show(name, viewport={"width": width, "height": 800}).ready()
    for part in figure.element.locator("figure, .attn-body [data-part]:visible, .attn-bar").all():
        box = part.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


@pytest.mark.parametrize("name", FIGURES)
def test_targets_are_large_enough_for_a_finger(show: Any, name: str) -> None:
    figure = show(name, viewport={"width": 360, "height": 800}).ready()
    for target in figure.element.locator(
        "input[type=range]:visible, button:visible, a:visible"
    ).all():
        assert target.bounding_box()["height"] >= 24


# The mathematics in the browser


@pytest.fixture
def module(visit: Visit, site: str) -> Any:
    """Call a function of a frontend module: `module("scoring", "softmax", [[1, 2]])`."""
    page = visit(f"{site}/en/index.html")

    def call(name: str, function: str, *calls: list[Any]) -> list[Any]:
        results: list[Any] = page.evaluate(
            """async ([name, function_, calls]) => {
                 const module = await import(`./_static/attn/${name}.js`);
                 return calls.map((args) => module[function_](...args));
               }""",
            [name, function, list(calls)],
        )
        return results

    return call


def test_scoring_agrees_with_attn_lib_on_random_cases(module: Any) -> None:
    torch.manual_seed(7)
    dot_calls, additive_calls, softmax_calls = [], [], []
    expected: list[tuple[torch.Tensor, ...]] = []
    for case in range(300):
        Q, K, D_q, D_k, H = (random.Random(case * 5 + i).randint(1, 7) for i in range(5))
        scale = 10.0 ** random.Random(case).uniform(-2, 2)
        queries, keys, same = (
            scale * torch.randn(1, *size, dtype=torch.float64)
            for size in ((Q, D_q), (K, D_k), (K, D_q))
        )
        W_q, W_k, w_v = (
            torch.randn(size, dtype=torch.float64) for size in ((H, D_q), (H, D_k), (H,))
        )
        lens = torch.randint(0, K + 1, (1, Q))
        scaled = case % 2 == 0
        dot_calls.append([queries[0].tolist(), same[0].tolist(), scaled])
        additive_calls.append([t.tolist() for t in (queries[0], keys[0], W_q, W_k, w_v)])
        dots = attn_lib.dot_product_scores(queries, same, scaled=scaled)
        adds = attn_lib.additive_scores(queries, keys, W_q, W_k, w_v)
        scores = adds if case % 3 else dots
        softmax_calls.append([scores[0].tolist(), lens[0].tolist()])
        expected.append((dots[0], adds[0], attn_lib.masked_softmax(scores, lens)[0]))
    for position, (name, calls) in enumerate(
        [
            ("dotProductScores", dot_calls),
            ("additiveScores", additive_calls),
            ("maskedSoftmax", softmax_calls),
        ]
    ):
        for got, want in zip(module("scoring", name, *calls), expected, strict=True):
            torch.testing.assert_close(
                torch.tensor(got, dtype=torch.float64), want[position], rtol=1e-12, atol=1e-12
            )


def test_numbers_are_written_as_in_python(module: Any) -> None:
    generator = random.Random(3)
    values = [generator.uniform(-1, 1) * 10 ** generator.randint(-3, 7) for _ in range(400)]
    values += [0.0, 1.0, -0.0, 0.125, -0.125, 0.375, 2.5, 0.005, 1e5, 99999.96, -3e6, 0.999999]
    calls = [[value, digits] for value in values for digits in (0, 1, 2, 4)]
    expected = [numbers.format_number(value, digits) for value, digits in calls]
    assert module("format", "formatNumber", *calls) == expected
    weights = [abs(value) for value in values if abs(value) <= 1]
    assert module("format", "formatWeight", *([w] for w in weights)) == [
        numbers.format_weight(w) for w in weights
    ]
    assert module("format", "tone", *([w] for w in weights)) == [numbers.tone(w) for w in weights]
