"""A figure alone, on a wall or in a frame of another page; pages that are opened from a disk."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from figures import LiveFigure
from playwright.sync_api import Browser, Page, expect
from reader import LANGUAGES, Visit, until

from attn_lib.live.figures import FIGURES
from book._ext.content import downloads
from book._tools import offline

CHAPTER = "masked-softmax"
# As a course page may have it: no script, no style but its own, frames from anywhere.
COURSE = """<!doctype html><meta charset="utf-8"><title>Week 3</title>
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; frame-src *; style-src 'unsafe-inline'">
<h1>Week 3</h1>
<p>Before the lecture, move the boundary.</p>{snippet}<p>Questions go to the forum.</p>"""
# Copying is refused, as in many frames: the figure then shows the text in a field.
NO_CLIPBOARD = """() => {
  navigator.clipboard.writeText = () => Promise.reject(new Error("refused"));
}"""


def wall(page: Page) -> str:
    return str(page.locator(".attn-states [aria-live]").inner_text())


# On a wall


def test_arrow_keys_go_through_the_states_that_a_figure_offers(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html?present", viewport={"width": 1920, "height": 1080})
    figure = LiveFigure(page, FIGURES["mask"])
    expect(page.locator("body > *")).to_have_count(1)
    tries = FIGURES["mask"].tries
    assert wall(page) == f"1 / {len(tries) + 1}"
    for number, settings in enumerate(tries, 2):
        page.keyboard.press("ArrowRight")
        assert wall(page) == f"{number} / {len(tries) + 1}"
        until(page, f"location.hash === {FIGURES['mask'].fragment(settings)!r}")
        arrived(figure, settings)
    page.keyboard.press("ArrowRight")  # there is no next one
    assert wall(page) == f"{len(tries) + 1} / {len(tries) + 1}"
    page.locator(".attn-states button").first.click()
    arrived(figure, tries[-2])


def arrived(figure: LiveFigure, settings: Mapping[str, Any]) -> None:
    """The figure hears of its new address a moment later; neighbouring states differ in fill."""
    state = figure.figure.state(**settings)
    until(figure.page, f"document.querySelector('attn-explorer').state.fill === {state['fill']!r}")
    assert figure.state() == state


def test_a_plan_may_name_its_own_states(visit: Visit, site: str) -> None:
    states = "present&state=len%3D0,3&state=fill%3D1e6"
    page = visit(f"{site}/ko/{CHAPTER}.html?{states}#mask")
    figure = LiveFigure(page, FIGURES["mask"])
    assert figure.state() == FIGURES["mask"].state(len=[0, 3])
    page.locator("attn-explorer .attn-hand:visible").first.focus()
    page.keyboard.press("ArrowRight")  # the hand's own
    assert wall(page) == "1 / 2"
    page.keyboard.press("PageDown")
    assert wall(page) == "2 / 2"
    assert figure.state() == FIGURES["mask"].state(fill="1e6")


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_a_wall_shows_the_whole_figure_large(
    visit: Visit, site: str, where: dict[tuple[str, str], str], name: str
) -> None:
    window = {"width": 1920, "height": 1080}
    page = visit(f"{site}/{where['en', name]}?present#{name}", viewport=window)
    until(page, "document.querySelector('.attn-alone').style.transform !== ''")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1920
    assert enlarged(page) >= 1


def enlarged(page: Page) -> float:
    alone = page.locator(".attn-alone")
    return float(alone.evaluate("main => main.getBoundingClientRect().width / main.offsetWidth"))


# With half a step of what it moves, in the figure's own pixels.
@pytest.mark.parametrize(("name", "half"), [("kernel", 12), ("additive", 8)])
def test_on_a_wall_a_hand_stays_under_the_pointer(
    visit: Visit, site: str, where: dict[tuple[str, str], str], name: str, half: int
) -> None:
    window = {"width": 1920, "height": 1400}
    page = visit(f"{site}/{where['en', name]}?present#{name}", viewport=window)
    until(page, "document.querySelector('.attn-alone').style.transform !== ''")
    assert enlarged(page) > 1.1
    hand = page.locator(".attn-body .attn-hand")

    def middle() -> float:
        box = hand.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2

    for across in (120, -260, 200):
        x, box = middle(), hand.bounding_box()
        assert box is not None
        y = box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + across, y)
        page.mouse.up()
        assert middle() == pytest.approx(x + across, abs=enlarged(page) * half)


# In another page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_copied_code_shows_the_figure_in_a_strict_page(
    visit: Visit, site: str, language: str
) -> None:
    page = visit(f"{site}/{language}/{CHAPTER}.html#mask?len=0,3")
    page.evaluate(NO_CLIPBOARD)
    page.locator(".attn-more > summary").click()
    page.locator(".attn-copy-embed").click()
    snippet = page.locator(".attn-link").input_value()
    assert 'sandbox="allow-scripts ' in snippet
    assert "allow-same-origin" not in snippet

    page.route("**/course", lambda route: route.fulfill(
        body=COURSE.format(snippet=snippet), content_type="text/html"
    ))  # fmt: skip
    page.goto(f"{site}/course")
    frame = page.frame_locator("iframe")
    expect(frame.locator("attn-explorer[data-ready]")).to_have_count(1)
    expect(frame.locator("body > *")).to_have_count(1)
    inner = page.frames[1]
    assert inner.evaluate("self.origin") == "null"
    assert inner.evaluate("document.documentElement.scrollHeight <= innerHeight")
    frame.locator(".attn-hand:visible").first.press("ArrowRight")
    until(inner, "location.hash === '#mask?len=1,3'")
    source = frame.locator(".attn-source a")
    source.evaluate("link => link.addEventListener('click', (event) => event.preventDefault())")
    source.click()
    assert source.get_attribute("href") == f"{site}/{language}/{CHAPTER}.html#mask?len=1,3"
    # A frame without an origin gets no font of ours; the reader's own stand in.
    visit.errors[:] = [error for error in visit.errors if "maths.woff2" not in error]
    visit.errors[:] = [error for error in visit.errors if "ERR_FAILED" not in error]


# From a disk


@pytest.fixture(scope="module")
def unpacked(site_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of the site, unpacked as a reader would."""
    folder = tmp_path_factory.mktemp("offline")
    archive = folder / downloads.ARCHIVE
    checksum = offline.pack(site_folder, archive)
    assert checksum == offline.pack(site_folder, folder / "again.zip")
    assert (folder / downloads.CHECKSUM).read_text() == f"{checksum}  {archive.name}\n"
    downloads.hold(archive)  # it is as large as the pages say
    with ZipFile(archive) as packed:
        packed.extractall(folder)
    return folder / downloads.NAME


@pytest.fixture
def disk(chromium: Browser, unpacked: Path) -> Iterator[tuple[Page, str]]:
    context = chromium.new_context(reduced_motion="reduce")
    yield context.new_page(), unpacked.as_uri()
    context.close()


def test_a_book_on_a_disk_has_live_figures_languages_and_boxes(disk: tuple[Page, str]) -> None:
    page, book = disk
    page.goto(f"{book}/index.html")
    page.locator("a.button[data-language=ko]").click()
    page.wait_for_url("**/ko/index.html")
    page.goto(f"{book}/ko/{CHAPTER}.html#mask?len=0,3")
    expect(page.locator("attn-explorer[data-ready]")).to_have_count(1)
    page.locator("attn-explorer .attn-hand:visible").first.press("ArrowRight")
    until(page, "location.hash === '#mask?len=1,3'")
    page.locator(".attn-languages summary").click()
    page.locator(".attn-languages a[data-language=vi]").click()
    page.wait_for_url(f"**/vi/{CHAPTER}.html#mask?len=1,3")
    expect(page.locator("attn-explorer[data-ready]")).to_have_count(1)


def test_the_date_reader_reads_from_a_disk(disk: tuple[Page, str]) -> None:
    page, book = disk
    page.goto(f"{book}/en/reading-dates.html#dates?t=3%20May%201999&row=10")
    expect(page.locator("attn-explorer[data-ready]")).to_have_count(1)
    expect(page.locator("attn-explorer .attn-summary")).to_contain_text("1999-05-03")


@pytest.mark.parametrize("language", LANGUAGES)
def test_search_on_a_disk_says_what_it_needs(disk: tuple[Page, str], language: str) -> None:
    page, book = disk
    page.goto(f"{book}/{language}/index.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("softmax")
    expect(page.locator("#pst-search-dialog [aria-live]")).to_contain_text("python -m http.server")
