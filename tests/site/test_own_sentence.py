"""The field for a sentence of one's own: its weights come when they are asked for, and it reads."""

import json
from pathlib import Path

import pytest
from axe import found
from playwright.sync_api import Locator, Page, expect
from reader import LANGUAGES, Visit

from attn_lib.examples import e5
from attn_lib.examples.e5.excerpt import NAME
from attn_lib.language import speaking, words
from book._ext.content.own_sentence import FILE

CHAPTER = "real-model"
SLOW = 60_000  # milliseconds, on a busy machine


def ask(page: Page, text: str) -> Locator:
    own = page.locator("[data-own-sentence]")
    own.locator("#own-sentence").fill(text)
    own.locator("form button").click()
    return own


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_what_torch_says(visit: Visit, site: str, language: str) -> None:
    page = visit(f"{site}/{language}/{CHAPTER}.html")
    assert not [address for address in visit.requests if NAME in address]
    with speaking(language):
        own_words = words("model")["own"]
    own = ask(page, own_words["example"])
    expect(own.locator(".attn-reading")).to_be_visible(timeout=SLOW)
    model = e5.load(FILE)
    pieces, ids, lens = model.batch([own_words["example"]])
    model(ids, lens)
    own.locator("input[type=range]").first.press("ArrowRight")  # head 4.7
    own.locator("li button").nth(2).click()
    row = model.weights()[3, 0, 6, 2]
    shown = own.locator("li output").all_text_contents()
    assert shown == [f"{weight:.2f}" for weight in row.tolist()]
    top = pieces[0][int(row.argmax())].removeprefix("▁") or "␣"
    expect(own.locator("[aria-live=polite]")).to_contain_text(top)
    box = own.locator("canvas").bounding_box()
    assert box
    own.locator("canvas").click(position={"x": box["width"] / 24, "y": box["height"] / 24})
    expect(own.locator("[aria-live=polite]")).to_contain_text("1.1")
    assert sum(NAME in address for address in visit.requests) == 1
    assert not found(page, "[data-own-sentence]")


def test_what_cannot_be_read_gets_a_sentence(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html")
    own_words = words("model")["own"]
    said = ask(page, "   ").locator("[role=status]")
    expect(said).to_have_text(own_words["empty"])
    # Stopped while the weights are on their way, which here is for ever.
    page.route(f"**/{NAME}", lambda route: None)
    ask(page, "the").locator(".attn-stop").click()
    expect(said).to_have_text(own_words["stopped"])
    page.unroute(f"**/{NAME}")
    page.route(f"**/{NAME}", lambda route: route.abort())
    ask(page, "fish")
    expect(said).to_have_text(own_words["failed"], timeout=SLOW)
    page.unroute(f"**/{NAME}")
    visit.errors.clear()
    ask(page, "fish")
    expect(said).to_contain_text("fish", timeout=SLOW)
    ask(page, "a b " * 50)
    expect(said).to_have_text(own_words["long"].format(count=102, most=40), timeout=SLOW)
    own = ask(page, "the")
    expect(own.locator("li")).to_have_count(3, timeout=SLOW)


def test_a_page_from_a_disk_shows_no_field(visit: Visit, site_folder: Path) -> None:
    page = visit((site_folder / f"en/{CHAPTER}.html").as_uri())
    expect(page.locator("[data-own-sentence]")).to_be_hidden()
    assert json.loads(page.locator("[data-own-sentence]").get_attribute("data-words") or "")
    visit.errors.clear()  # a disk serves no modules and no fonts to a page
