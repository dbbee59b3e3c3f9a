"""Numbers and words that the reader types into a figure: read, refused, linked."""

import random
from types import SimpleNamespace
from typing import Any

import pytest
from figures import LiveFigure
from playwright.sync_api import Locator, expect
from reader import LANGUAGES

import attn_lib
from attn_lib.language import words
from attn_lib.live.figures import FIGURES, explore
from attn_lib.live.host.controls import Numbers, Typed, Words
from attn_lib.live.host.typed import TypedError

WITH_NUMBERS = [
    name for name, figure in FIGURES.items() if any(isinstance(c, Numbers) for c in figure.controls)
]
HOSTILE = [
    "NaN",
    "[[1e999]]",
    "[[Infinity, 2], [3, 4]]",
    "[" * 90 + "1" + "]" * 90,
    "[" * 900,
    "[[1, 2], [3, 4]",
    "[[1, 2], [3]]",
    "[1, 2]",
    "[]",
    "; ".join(["1 2"] * 9),
    "[[99999999999999999999999, 2], [3, 4]]",
    "[[0.123456789, 2], [3, 4]]",
    "1_0; 0x10; ١",
    '<img src=x onerror="window.broken = true">',
    "{q}; ${q}; %s",
    "__proto__; constructor",
    "a" * 13 + "; b",
    "one two three four five six; one",
    "we; ",
    ";;;;",
    "\U0001f600; \u202e",
]


def field(figure: LiveFigure, key: str = "own") -> Locator:
    return figure.element.locator(f".attn-own input[data-key={key}]")


def complaint(figure: LiveFigure, key: str = "own") -> Locator:
    return field(figure, key).locator("xpath=..").locator(".attn-wrong")


def open_box(figure: LiveFigure) -> None:
    box = figure.open_fold().element.locator(".attn-own")
    if box.evaluate("(e) => e.matches('details')") and not box.evaluate("(e) => e.open"):
        box.locator("summary").press("Enter")


def type_into(figure: LiveFigure, text: str, key: str = "own") -> None:
    field(figure, key).fill(text)
    field(figure, key).press("Enter")


def typed_text(control: Numbers, choose: random.Random) -> str:
    """Some numbers within the limits, in one of the ways of writing them."""
    steps = int(control.limit * 100)
    rows = choose.randint(control.fewest or control.rows, control.rows)
    numbers = [
        [choose.randrange(-steps, steps + 1) / 100 for _ in range(control.columns)]
        for _ in range(rows)
    ]
    lines = [choose.choice([", ", " ", ","]).join(map(str, row)) for row in numbers]
    return choose.choice([f"[[{'], ['.join(lines)}]]", "; ".join(lines)])


@pytest.mark.parametrize("name", WITH_NUMBERS, scope="module")
def test_random_numbers_give_those_of_torch_and_a_link(show: Any, name: str) -> None:
    figure = show(name).ready()
    control = next(c for c in figure.figure.controls if isinstance(c, Numbers))
    choose = random.Random(name)
    open_box(figure)
    for _ in range(12):
        text = typed_text(control, choose)
        type_into(figure, text)
        state = figure.state()
        assert state == figure.figure.state(**figure.figure.opening, own=text)
        figure.check()
        link = figure.page.evaluate("location.hash")
        assert link == figure.figure.fragment({**figure.figure.opening, "own": text})
        figure.go(figure.figure.fragment({}))
        assert figure.state() == figure.figure.state()
        figure.go(link)
        assert figure.state() == state
        slots = figure.check().slots
        assert figure.element.evaluate("(e) => e.view.slots") == slots
    type_into(figure, "")
    assert figure.state() == figure.start
    figure.check()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_wrong_is_said_as_in_python(show: Any, lang: str) -> None:
    page = show("mask").ready().page
    attn_lib.set_language(lang)
    for name, figure in FIGURES.items():
        for control in figure.controls:
            if not isinstance(control, Typed):
                continue
            said = page.evaluate(
                """([texts, control, frame]) => texts.map((text) => {
                  const read = module_front_typed.readTyped(text, control);
                  return read.value ?? module_front_typed.sentenceOf(read, frame);
                })""",
                [HOSTILE, control.declaration(), words("frame")],
            )
            for text, sentence in zip(HOSTILE, said, strict=True):
                try:
                    expected = control.read(text)
                except TypedError as wrong:
                    expected = wrong.sentence
                assert sentence == expected, (name, control.key, text)


@pytest.mark.parametrize("name", WITH_NUMBERS, scope="module")
def test_wrong_text_leaves_the_last_good_numbers(show: Any, name: str) -> None:
    figure = show(name).ready()
    control = next(c for c in figure.figure.controls if isinstance(c, Numbers))
    open_box(figure)
    type_into(figure, control.example)
    good, link = figure.state(), figure.page.evaluate("location.hash")
    for text in HOSTILE:
        type_into(figure, text)
        assert figure.state() == good, text
        assert figure.page.evaluate("location.hash") == link
        expect(field(figure)).to_have_attribute("aria-invalid", "true")
        with pytest.raises(TypedError) as wrong:
            control.read(text)
        expect(complaint(figure)).to_have_text(wrong.value.sentence)
    figure.check()
    assert figure.page.evaluate("window.broken") is None
    # It waits to be mended while something else moves, and goes with a link or a reset.
    figure.element.locator("input[type=range]:visible").first.press("End")
    expect(field(figure)).to_have_value(HOSTILE[-1])
    figure.element.locator(".attn-reset").click()
    expect(field(figure)).to_have_value("")
    expect(field(figure)).to_have_attribute("aria-invalid", "false")
    expect(complaint(figure)).to_have_text("")
    assert figure.state() == figure.start


@pytest.mark.parametrize("lang", LANGUAGES)
def test_as_many_keys_as_typed_stand_in_table_and_drawing(show: Any, lang: str) -> None:
    figure = show("arrows", lang, viewport={"width": 360, "height": 900}).ready()
    height = "(e) => e.querySelector('.attn-body').getBoundingClientRect().height"
    figure.open_fold()
    before = figure.element.evaluate(height)
    for count in (8, 2, 5, 4, 3):
        keys = [[2.5 - place / 4, 2.5] for place in range(count)]
        figure.go(figure.figure.fragment({"own": keys, "x": -3, "y": -3, "t": 0.1}))
        figure.check()
        names = [f"k{place}" for place in range(1, count + 1)]
        headers = figure.element.locator(".attn-body .attn-keys th:has([data-slot]):visible")
        assert headers.all_inner_texts() == names
        drawn = figure.element.locator(".attn-scene .attn-hue-key .attn-word")
        shown = [text for text in drawn.all() if text.is_visible()]
        assert [text.text_content() for text in shown] == names
        # Every number, −15.0 and −150 too, keeps to its own column, and nothing moves.
        assert figure.element.locator(".attn-body .attn-keys").evaluate(
            """(table) => [...table.querySelectorAll("td:not([hidden]) > .attn-number")].every(
              (number) => number.offsetWidth <= number.parentElement.offsetWidth)"""
        )
        assert figure.element.evaluate(height) == before
    figure.go("#arrows")
    assert figure.element.locator(".attn-body .attn-keys th:has([data-slot]):visible").count() == 4
    figure.check()


def test_typed_words_name_the_columns(show: Any) -> None:
    figure = show("mask").ready()
    open_box(figure)
    for text, shown in {
        "we drink tea; birds sing": ["we", "drink", "tea", "␣", "birds", "sing", "␣", "␣"],
        "chúng tôi; chim hót": ["chúng", "tôi", "␣", "␣", "chim", "hót", "␣", "␣"],
        "우리는 차를 마신다; 새": ["우리는", "차를", "마신다", "␣", "새", "␣", "␣", "␣"],
    }.items():
        type_into(figure, text, "words")
        assert figure.state()["words"] == Words(key="words", rows=2, columns=4).read(text)
        headers = figure.element.locator(".attn-body th[data-slot]").all_inner_texts()
        assert headers[:4] + headers[8:12] == shown
        link = figure.page.evaluate("location.hash")
        assert link == figure.figure.fragment({"words": text})
        figure.check()
        figure.go("#mask")
        figure.go(link)
        assert field(figure, "words").input_value() == text


HOSTILE_LINKS = [
    "#mask?own=1,2",
    "#mask?own=1,2,3,4;1,2,3,4;1,2,3,4;1,2,3,NaN",
    "#mask?own=1e99,2,3,4;1,2,3,4;1,2,3,4;1,2,3,4",
    "#mask?own=%5B%5B%5B1%5D%5D%5D",
    "#mask?words=%3Cb%3E;x",
    "#mask?words=%;x",
    "#mask?words=" + "a" * 60 + ";b",
]


def test_hostile_links_show_the_example_and_say_so(show: Any) -> None:
    figure = show("mask")
    for link in HOSTILE_LINKS:
        figure.arrive(link)
        assert figure.state() == figure.figure.state(), link
        assert figure.summary.endswith(words("frame")["not_understood"]), link
        figure.check()


def test_a_link_beyond_the_limit_is_left_alone(show: Any) -> None:
    figure = show("mask")
    figure.arrive("#mask?own=" + ";".join(["1,2,3,4"] * 200))
    assert figure.state() == figure.figure.state()


def test_typed_scores_take_the_place_of_the_choice(show: Any) -> None:
    figure = show("mask").ready().open_fold()
    choice = figure.element.locator(".attn-more [data-key=s]").first.locator("xpath=..")
    expect(choice).to_be_visible()
    figure.go("#mask?own=1,2,3,4;1,2,3,4;1,2,3,4;1,2,3,4&fill=zero")
    expect(choice).to_be_hidden()
    figure.check()


@pytest.mark.parametrize("name", WITH_NUMBERS)
def test_copied_code_has_the_numbers(show: Any, name: str) -> None:
    figure = show(name, permissions=["clipboard-read", "clipboard-write"]).ready()
    control = next(c for c in figure.figure.controls if isinstance(c, Numbers))
    figure.go(figure.figure.fragment({"own": control.example}))
    figure.open_fold().element.locator(".attn-copy-code").click()
    expect(figure.element.locator(".attn-copy-code")).to_have_text(words("frame")["code_copied"])
    code = figure.page.evaluate("navigator.clipboard.readText()")
    assert f"own={control.example}" in code
    explorer = eval(code, {"attn_lib": SimpleNamespace(explore=explore)})
    assert explorer.state == figure.state()


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("name", WITH_NUMBERS)
def test_the_box_is_closed_and_nothing_is_wider_than_the_page(
    show: Any, name: str, width: int
) -> None:
    figure = show(name, viewport={"width": width, "height": 900}).ready()
    expect(field(figure)).to_be_hidden()
    open_box(figure)
    type_into(figure, "[[" * 30)
    assert figure.page.evaluate("document.documentElement.scrollWidth") <= width
