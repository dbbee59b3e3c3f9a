"""Exercises that the page judges: in every language, from a disk, whatever a reader writes."""

from pathlib import Path

import pytest
from axe import found
from playwright.sync_api import Locator, Page, expect
from reader import LANGUAGES, Visit

from attn_lib.language import speaking, words
from tests.unit.page.answers import HEAD, MASKED_SOFTMAX, ONLY_ON_THE_PAGE

CHAPTER, EXERCISE = "masked-softmax", "masked_softmax"
SLOW = 30_000  # milliseconds, on a busy machine; the page itself waits two seconds
ENDLESS = {
    "loop": HEAD + "    while True:\n        pass\n",
    "print": HEAD + "    while True:\n        print('độ dài 길이 长度')\n",
    "grow": HEAD + "    x = []\n    while True:\n        x.append([0] * 10000)\n",
    "sleep": "import time\n" + HEAD + "    time.sleep(60)\n",
}


def exercise(page: Page) -> Locator:
    found = page.locator("[data-judge]")
    expect(found).to_have_count(1)
    return found


def verdict(page: Page, code: str) -> Locator:
    """What the page says of a code."""
    own = exercise(page)
    own.locator("textarea").fill(code)
    own.locator("button").first.click()  # Use my function may stand there too
    said = own.locator("[data-verdict]")
    expect(said).not_to_have_attribute("data-verdict", "running", timeout=SLOW)
    return said


def finding(page: Page, code: str) -> str | None:
    return verdict(page, code).get_attribute("data-verdict")


def test_a_seed_in_the_address_draws_other_cases_and_is_named(visit: Visit, site: str) -> None:
    named, cases = "Cases drawn from seed 2027.", {}
    for seed in ("2027", "no", ""):
        page = visit(f"{site}/en/{CHAPTER}.html?seed={seed}")
        said = verdict(page, MASKED_SOFTMAX["zeroed"][1])
        expect(said.locator(".attn-seed")).to_have_text([named] * (seed == "2027"))
        cases[seed] = said.locator("table").text_content()
    assert cases["no"] == cases[""] != cases["2027"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_verdict_is_the_sentence_of_the_page_s_language(
    visit: Visit, site: str, language: str
) -> None:
    page = visit(f"{site}/{language}/{CHAPTER}.html")
    with speaking(language):
        own, frame = words("check")[EXERCISE], words("check")["page"]
    field = exercise(page).locator("textarea")
    assert field.input_value().rstrip() == HEAD.rstrip()
    expect(page.get_by_label(frame["label"])).to_be_visible()
    expect(exercise(page).locator("[data-verdict]")).to_have_attribute("data-verdict", "")
    assert not [address for address in visit.requests if "/judge/" in address]
    said = verdict(page, MASKED_SOFTMAX["0 by 0"][1])
    expect(said).to_have_attribute("data-verdict", "nan")
    expect(said.locator("p").first).to_have_text("✗ " + own["nan"])
    heads = said.locator("thead th")
    assert heads.all_text_contents() == [frame[name] for name in ("row", "scores", "got", "wanted")]
    assert said.locator("tbody tr").count() == 7
    said = verdict(page, MASKED_SOFTMAX["solution"][1])
    expect(said).to_have_text("✓ " + own["right"])


def test_one_reader_goes_through_all_answers(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html")
    wanted = {name: answer[0] for name, answer in (MASKED_SOFTMAX | ONLY_ON_THE_PAGE).items()}
    codes = {name: answer[-1] for name, answer in (MASKED_SOFTMAX | ONLY_ON_THE_PAGE).items()}
    assert {name: finding(page, code) for name, code in codes.items()} == wanted


@pytest.mark.parametrize("name", ENDLESS)
def test_what_never_ends_is_ended_and_the_page_lives_on(visit: Visit, site: str, name: str) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html")
    assert finding(page, ENDLESS[name]) == "slow"
    assert finding(page, MASKED_SOFTMAX["solution"][1]) == "right"


def test_it_judges_on_a_page_from_a_disk(visit: Visit, site_folder: Path) -> None:
    page = visit((site_folder / f"ko/{CHAPTER}.html").as_uri())
    assert finding(page, MASKED_SOFTMAX["zeroed"][1]) == "after"
    assert finding(page, ENDLESS["loop"]) == "slow"
    assert finding(page, MASKED_SOFTMAX["solution"][1]) == "right"
    visit.errors.clear()  # a disk serves no fonts to a page


def test_an_exception_names_its_line_and_what_was_printed(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html")
    said = verdict(page, HEAD + "    print(tuple(X.shape))\n    return X + 'a'\n")
    expect(said.locator("p").first).to_contain_text("(Line 3)")
    expect(said.locator("pre")).to_have_text("(5, 3, 7)\n")


def test_keys_indent_undo_and_leave(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html")
    field = exercise(page).locator("textarea")
    field.fill("")
    field.press_sequentially("if x:")
    page.keyboard.press("Enter")
    page.keyboard.type("a")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert field.input_value() == "if x:\n    a\n        "
    page.keyboard.press("Shift+Tab")
    assert field.input_value() == "if x:\n    a\n    "
    page.keyboard.press("Control+z")
    assert field.input_value() == "if x:\n    a\n        "
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(exercise(page).locator("button")).to_be_focused()


def test_without_webassembly_the_exercise_says_so(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/index.html")
    page.add_init_script("delete globalThis.WebAssembly;")
    page.goto(f"{site}/en/{CHAPTER}.html")
    said = verdict(page, MASKED_SOFTMAX["solution"][1])
    expect(said).to_have_attribute("data-verdict", "no_wasm")
    expect(said).to_contain_text(words("check")["page"]["no_wasm"])


def test_what_does_not_load_is_said_and_tried_again(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html")
    script = "**/judge/python.js"
    page.route(script, lambda route: route.abort())
    assert finding(page, MASKED_SOFTMAX["solution"][1]) == "failed"
    page.unroute(script)
    visit.errors.clear()
    assert finding(page, MASKED_SOFTMAX["solution"][1]) == "right"


def test_without_a_script_there_is_nothing_to_press(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html", java_script_enabled=False)
    expect(exercise(page)).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_and_axe_finds_nothing(visit: Visit, site: str, scheme: str) -> None:
    viewport = {"width": 360, "height": 800}
    page = visit(f"{site}/en/{CHAPTER}.html", viewport=viewport, color_scheme=scheme)
    verdict(page, "print('x' * 500)\n" + MASKED_SOFTMAX["zeroed"][1])
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    exercise(page).scroll_into_view_if_needed()
    assert found(page, "[data-judge]") == []
