"""Lessons as slides: all of their steps, by HTTP and from a disk; the speaker's window."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import segno
from axe import in_both_themes
from playwright.sync_api import Page, expect
from reader import LANGUAGES, Visit, until

from attn_lib.live.figures import FIGURES

WALL = {"width": 1280, "height": 800}
RUNS = [("http", "en", "a"), ("http", "vi", "b"), ("disk", "ko", "b"), ("http", "zh", "c")]
# Where a step's figure stands, and the bar at the foot.
BOXES = """() => [".attn-alone", ".attn-deck-bar", ".attn-deck-vote"].map((name) => {
  const { left, top, right, bottom } = document.querySelector(name).getBoundingClientRect();
  return { left, top, right, bottom };
})"""
# The dark squares of the drawn code, less its quiet zone, as `segno` has them.
SQUARES = """svg => {
  const size = svg.viewBox.baseVal.width - 8;
  const rows = Array.from({ length: size }, () => Array(size).fill(0));
  for (const [, x, y, n] of svg.innerHTML.matchAll(/M(\\d+) (\\d+)\\.5h(\\d+)/g))
    rows[y - 4].fill(1, x - 4, x - 4 + Number(n));
  return rows;
}"""


def steps(site_folder: Path, language: str, name: str) -> list[dict[str, Any]]:
    """The steps of a lesson, as its script has them."""
    script = (site_folder / language / f"lesson-{name}.js").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(re.search(r"= (.*);", script)[1])["steps"]
    return found


@pytest.fixture(params=["http", "disk"])
def place(request: pytest.FixtureRequest, site: str, site_folder: Path) -> str:
    return site if request.param == "http" else site_folder.as_uri()


@pytest.fixture
def quiet(visit: Visit, place: str) -> Iterator[Visit]:
    """A reader whose browser refuses fonts to a page from a disk."""
    yield visit
    if place.startswith("file:"):
        visit.errors[:] = [error for error in visit.errors if "woff2" not in error]
        visit.errors[:] = [error for error in visit.errors if "ERR_FAILED" not in error]


def at(page: Page, number: int, count: int) -> None:
    """Wait for a step, whose page may have to be loaded."""
    expect(page.locator(".attn-deck-bar > span")).to_have_text(f"{number} / {count}")
    expect(page).to_have_url(re.compile(rf"at={number}#"))


def shows(page: Page, step: dict[str, Any]) -> None:
    """What is seen at a step is what it should show, whole, and nothing gives an answer away."""
    name = step["at"].partition("#")[2].split("?")[0]
    figure = page.locator(".attn-alone figure")
    expect(page.locator("html")).to_have_attribute("data-step", step["kind"])
    expect(page.locator("body > :visible:not(.attn-alone, .attn-deck)")).to_have_count(0)
    if step["kind"] in {"exercise", "board"}:
        expect(page.locator(".attn-deck-wall")).to_contain_text(re.compile(r"\w{3}"))
        expect(page.locator(f".attn-deck-wall :is(blockquote, #{name})")).to_be_visible()
        expect(figure).not_to_be_visible()
        return
    expect(page.locator(".attn-deck-wall")).not_to_be_visible()
    phase = {"figure": "exploring", "vote": "ask", "answer": "answered"}[step["kind"]]
    expect(figure).to_have_attribute("data-phase", phase)
    expect(page.locator(f".attn-alone [data-figure={name}]")).to_be_visible()
    expect(page.locator(".attn-alone .attn-more")).not_to_be_visible()
    if step["kind"] == "figure":
        until(page, f"location.hash === {'#' + step['at'].partition('#')[2]!r}")
    if step["kind"] == "answer":
        expect(page.locator(".attn-verdict[data-verdict=right]:not([inert])")).to_be_visible()
        expect(page.locator(".attn-deck-vote")).not_to_be_visible()
    if step["kind"] == "vote":
        expect(page.locator(".attn-bet:visible")).to_have_count(3)
        expect(page.locator(".attn-deck-vote svg")).to_be_visible()
    alone, bar, vote = page.evaluate(BOXES)
    assert alone["left"] >= 0
    assert alone["top"] >= 0
    assert alone["bottom"] <= bar["top"] + 1
    assert vote["right"] == 0 or alone["right"] <= vote["left"]
    assert page.evaluate("document.documentElement.scrollWidth") <= WALL["width"]
    assert page.evaluate("document.documentElement.scrollHeight") <= WALL["height"]


@pytest.mark.parametrize(("place", "language", "name"), RUNS, indirect=["place"])
def test_a_lesson_runs_through_all_its_steps(
    quiet: Visit, place: str, site_folder: Path, language: str, name: str
) -> None:
    plan = steps(site_folder, language, name)
    page = quiet(f"{place}/{language}/lesson-{name}.html?lesson={name}", viewport=WALL)
    for number, step in enumerate(plan, start=1):
        at(page, number, len(plan))
        shows(page, step)
        if number < len(plan):
            page.keyboard.press("PageDown" if number % 2 else "ArrowRight")
    page.keyboard.press("ArrowRight")  # there is no next one
    at(page, len(plan), len(plan))
    page.keyboard.press("Home")
    at(page, 1, len(plan))
    shows(page, plan[0])


def test_a_vote_can_be_taken_again(visit: Visit, site: str, site_folder: Path) -> None:
    plan = steps(site_folder, "en", "b")
    vote = next(n for n, step in enumerate(plan, start=1) if step["kind"] == "vote")
    page = visit(f"{site}/en/lesson-b.html?lesson=b&at={vote}", viewport=WALL)
    at(page, vote, len(plan))
    # The room bets on something else: its reply stays at the next step.
    page.locator(".attn-bet").first.click()
    expect(page.locator(".attn-verdict[data-verdict=wrong]:not([inert])")).to_be_visible()
    page.locator(".attn-deck-bar button").nth(1).click()
    at(page, vote + 1, len(plan))
    expect(page.locator(".attn-verdict[data-verdict=wrong]:not([inert])")).to_be_visible()
    page.locator(".attn-deck-bar button").first.click()
    at(page, vote, len(plan))
    shows(page, plan[vote - 1])
    assert page.evaluate("document.activeElement.matches('.attn-bet')") is False


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_code_of_a_vote_opens_its_figure(
    visit: Visit, site: str, site_folder: Path, language: str
) -> None:
    plan = steps(site_folder, language, "b")
    vote = next(n for n, step in enumerate(plan, start=1) if step["kind"] == "vote")
    page = visit(f"{site}/{language}/{plan[vote - 1]['at'].replace('#', f'?lesson=b&at={vote}#')}")
    drawn = page.locator(".attn-deck-vote svg").evaluate(SQUARES)
    home = re.search(
        r'rel="canonical" href="(.*)lesson-b.html"',
        (site_folder / language / "lesson-b.html").read_text(encoding="utf-8"),
    )
    address = home[1] + plan[vote - 1]["at"]
    assert drawn == [list(row) for row in segno.make(address, error="m", micro=False).matrix]


def test_the_speakers_window_follows_and_leads(quiet: Visit, place: str, site_folder: Path) -> None:
    plan = steps(site_folder, "ko", "b")
    page = quiet(f"{place}/ko/lesson-b.html?lesson=b", viewport=WALL)
    at(page, 1, len(plan))
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    notes = opened.value
    said = [
        re.sub(r"\s+", " ", item.strip())
        for item in quiet(f"{place}/ko/lesson-b.html")
        .locator("li[id^=step-] > p:last-child").all_inner_texts()
    ]  # fmt: skip
    told = notes.locator(".attn-deck-notes")
    expect(told.locator("h1")).to_contain_text(f"1 / {len(plan)}")
    expect(told).to_contain_text(said[0])
    for number in range(2, 6):  # three pages
        page.keyboard.press("ArrowRight")
        at(page, number, len(plan))
        expect(told.locator("h1")).to_contain_text(f"{number} / {len(plan)}")
        expect(told).to_contain_text(said[number - 1])
    for number in (4, 3, 2):
        notes.keyboard.press("PageUp")
        at(page, number, len(plan))
        shows(page, plan[number - 1])
        expect(told.locator("h1")).to_contain_text(f"{number} / {len(plan)}")


def test_escape_leaves_at_the_figure(visit: Visit, site: str, site_folder: Path) -> None:
    plan = steps(site_folder, "en", "b")
    page = visit(f"{site}/en/lesson-b.html?lesson=b&at=2", viewport=WALL)
    at(page, 2, len(plan))
    page.keyboard.press("Escape")
    page.wait_for_url(f"**/en/{plan[1]['at']}")
    expect(page.locator("article h1")).to_be_visible()


def test_keys_of_a_figures_hand_are_its_own(visit: Visit, site: str, site_folder: Path) -> None:
    plan = steps(site_folder, "en", "b")
    page = visit(f"{site}/en/lesson-b.html?lesson=b", viewport=WALL)
    at(page, 1, len(plan))
    page.locator(".attn-alone .attn-hand").first.press("ArrowRight")
    until(page, "location.hash === '#arrows?x=1.25&y=1'")
    at(page, 1, len(plan))
    page.keyboard.press("PageDown")
    at(page, 2, len(plan))


def test_a_lesson_that_is_none_leads_to_the_page(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/scaling.html")
    assert [address for address in visit.requests if "deck" in address] == []
    page.goto(f"{site}/en/scaling.html?lesson=none#scale")
    page.wait_for_url("**/en/scaling.html#scale")
    expect(page.locator("article h1")).to_be_visible()
    visit.errors[:] = [error for error in visit.errors if "lesson-none.js" not in error]


@pytest.mark.parametrize("address", ["at=2", "at=4", "at=15", "notes&at=2"])
def test_axe_finds_nothing_in_a_lesson(visit: Visit, site: str, address: str) -> None:
    page = visit(f"{site}/ko/lesson-b.html?lesson=b&{address}", viewport=WALL)
    expect(page.locator(".attn-deck").first).to_be_attached()
    page.wait_for_load_state()
    if address == "at=2":
        expect(page.locator(".attn-alone figure")).to_have_attribute("data-phase", "ask")
        assert FIGURES["norm"].chapter in page.url
    assert in_both_themes(page) == []
