"""What readers do: choose a language, change it, search, read by night and on a phone."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from built import TAGS
from figures import A_FRAME
from playwright.sync_api import Browser, Page, expect
from reader import LANGUAGES, Visit, live, until

from attn_lib import __version__

# Code and formulas in a line of text that go on beyond its edge, where nobody can read
# them; in closed boxes, too.
CUT = """() => {
  for (const box of document.querySelectorAll('.attn-fold, article details')) box.open = true;
  const parts = document.querySelectorAll('article :is(p, li) :is(code, span.math math)');
  return [...parts].filter((part) => {
    const edge = part.closest('p, li').getBoundingClientRect().right;
    return part.getBoundingClientRect().right > edge + 1;
  }).map((part) => part.textContent);
}"""

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
CHAPTER = "masked-softmax"

# Switcher


@pytest.mark.parametrize("target", LANGUAGES)
def test_switcher_changes_the_language_of_the_same_place(
    visit: Visit, site: str, target: str
) -> None:
    start = "ko" if target == "en" else "en"
    page = visit(f"{site}/{start}/{CHAPTER}.html#mask?len=0,3&fill=1e6")
    page.locator(".attn-languages summary").click()
    page.locator(f".attn-languages a[data-language={target}]").click()
    page.wait_for_url(f"**/{target}/{CHAPTER}.html#mask?len=0,3&fill=1e6")
    assert page.evaluate("document.documentElement.lang") == TAGS[target]
    page.goto(f"{site}/index.html")
    expect(page.locator("main section").first).to_have_attribute("data-language", target)


def test_switcher_closes_by_escape_and_keeps_the_focus(visit: Visit, site: str) -> None:
    page = visit(f"{site}/vi/{CHAPTER}.html")
    summary = page.locator(".attn-languages summary")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".attn-languages ul")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".attn-languages ul")).to_be_hidden()
    expect(summary).to_be_focused()


@pytest.mark.parametrize("screen", [PHONE, {}], ids=["phone", "wide"])
def test_the_names_of_the_languages_lie_within_their_menu(
    visit: Visit, site: str, screen: dict[str, object]
) -> None:
    page = visit(f"{site}/vi/masked-softmax.html", **screen)
    page.locator(".attn-languages summary").click()
    menu = page.locator(".attn-languages ul")
    assert menu.evaluate("(menu) => menu.scrollWidth <= menu.clientWidth")
    box = menu.bounding_box()
    assert 0 <= box["x"] <= box["x"] + box["width"] <= page.viewport_size["width"]


# Search


def search(page: Page, words: str) -> None:
    page.keyboard.press("Control+k")
    field = page.locator("#pst-search-dialog input")
    expect(field).to_be_focused()
    field.fill(words)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "valid length"),
        ("vi", "độ dài hợp lệ"),
        ("vi", "do dai hop le"),
        ("ko", "유효 길이"),
        ("ko", "마스크"),
        ("zh", "有效长度"),
        ("zh", "填充"),
    ],
)
def test_search_finds_words_of_the_edition(
    visit: Visit, site: str, language: str, words: str
) -> None:
    page = visit(f"{site}/{language}/index.html")
    search(page, words)
    results = page.locator("#pst-search-dialog .attn-results a")
    expect(results.first).to_be_visible()
    addresses = results.evaluate_all("links => links.map((link) => link.pathname)")
    assert all(address.startswith(f"/{language}/") for address in addresses)
    assert f"/{language}/{CHAPTER}.html" in addresses
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{addresses[0]}*")


def test_search_is_fetched_only_when_it_is_opened(visit: Visit, site: str) -> None:
    page = visit(f"{site}/ko/{CHAPTER}.html")
    assert not [address for address in visit.requests if "pagefind" in address]
    search(page, "softmax")
    expect(page.locator("#pst-search-dialog .attn-results a").first).to_be_visible()
    assert [address for address in visit.requests if "pagefind" in address]


def test_search_says_when_it_finds_nothing(visit: Visit, site: str) -> None:
    page = visit(f"{site}/zh/{CHAPTER}.html")
    search(page, "魑魅")
    status = page.locator("#pst-search-dialog [aria-live]")
    expect(status).to_have_text("没有找到“魑魅”。")
    page.locator("#pst-search-dialog input").fill("")
    expect(status).to_be_empty()


def test_search_page_answers_a_question_in_its_address(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/search.html?q=softmax")
    expect(page.locator(".attn-results a").first).to_be_visible()
    expect(page.locator("input[name=q]")).to_have_value("softmax")


def test_search_button_opens_the_dialog_on_a_phone(visit: Visit, site: str) -> None:
    page = visit(f"{site}/vi/{CHAPTER}.html", **PHONE)
    page.locator(".header-article-items .search-button").click()
    expect(page.locator("#pst-search-dialog input")).to_be_focused()


# Tabs


def test_a_report_names_the_state_that_the_address_shows(visit: Visit, site: str) -> None:
    page = visit(f"{site}/ko/masked-softmax.html#mask?lens=2,3")
    link = page.locator(".attn-report")
    link.evaluate("(one) => one.addEventListener('click', (event) => event.preventDefault())")
    for _ in range(2):  # a second press adds nothing
        link.click()
        asked = parse_qs(urlsplit(link.get_attribute("href") or "").query)["page"][0]
        assert asked.endswith(f"/ko/masked-softmax.html#mask?lens=2,3 ({__version__})")


def test_tabs_turn_together_by_keyboard_and_stay(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/other-frameworks.html")
    sets = page.locator(".attn-tabs")
    count = sets.count()
    assert count >= 3
    shown = "(all) => all.map((tab) => tab.dataset.sync)"
    first = page.locator(".attn-tabs > input:checked").evaluate_all(shown)
    assert first == [first[0]] * count
    sets.first.locator("input").first.focus()
    page.keyboard.press("ArrowRight")
    second = page.locator(".attn-tabs > input:checked").evaluate_all(shown)
    assert second == [second[0]] * count
    assert second[0] != first[0]
    expect(page.locator(".attn-tab:visible")).to_have_count(count)
    page.reload()
    assert page.locator(".attn-tabs > input:checked").evaluate_all(shown) == second


def test_tabs_work_without_scripts(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/other-frameworks.html", java_script_enabled=False)
    tabs = page.locator(".attn-tabs").first
    expect(tabs.locator(".attn-tab").nth(0)).to_be_visible()
    tabs.locator("label").nth(1).click()
    expect(tabs.locator(".attn-tab").nth(1)).to_be_visible()
    expect(tabs.locator(".attn-tab").nth(0)).to_be_hidden()


# Dark mode, phones, no scripts


def brightness(page: Page, selector: str) -> float:
    """The mean of the ground's red, green and blue, 0 to 255."""
    colour = page.locator(selector).first.evaluate("e => getComputedStyle(e).backgroundColor")
    channels = [float(part) for part in colour.split("(")[1].rstrip(")").split(",")[:3]]
    return sum(channels) / 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["index.html", f"zh/{CHAPTER}.html"])
def test_page_follows_the_systems_colours(visit: Visit, site: str, path: str, scheme: str) -> None:
    page = visit(f"{site}/{path}", color_scheme=scheme)
    assert (brightness(page, "body") < 64) == (scheme == "dark")


def test_colours_can_be_switched_and_stay(visit: Visit, site: str) -> None:
    page = visit(f"{site}/ko/{CHAPTER}.html", color_scheme="light")
    button = page.locator(".theme-switch-button").first
    for _ in range(3):
        button.click()
        if page.locator("html").get_attribute("data-mode") == "dark":
            break
    assert brightness(page, "body") < 64
    page.goto(f"{site}/vi/index.html")
    assert brightness(page, "body") < 64


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["index", CHAPTER, "additive-attention", "references", "search"])
def test_page_fits_a_phone(visit: Visit, site: str, language: str, name: str) -> None:
    page = visit(f"{site}/{language}/{name}.html", **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate(CUT) == []
    header = page.locator(".header-article-items")
    for control in header.locator("button:visible, summary:visible").all():
        box = control.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 360
        assert min(box["width"], box["height"]) >= 24


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [CHAPTER, "additive-attention", "dot-product-attention"])
def test_no_line_begins_with_the_mark_after_a_formula(
    visit: Visit, site: str, language: str, name: str
) -> None:
    page = visit(f"{site}/{language}/{name}.html", **PHONE)
    compared, broken = page.evaluate(
        """() => {
          const marks = /^[가-힣)\\]”’.,:;!?…）」』》，。、：；！？]/;
          let compared = 0, broken = [];
          for (const math of document.querySelectorAll('article span.math')) {
            // in Korean a joiner stands before the particle, and a span around both
            const after = math.nextSibling, text = after?.textContent.replace('\u2060', '');
            if (!marks.test(text ?? '')) continue;
            const range = document.createRange();
            range.selectNodeContents(after);
            const aPart = after.nodeType === Node.TEXT_NODE;
            if (aPart && !math.parentNode.matches('.attn-unbroken')) range.setEnd(after, 1);
            const mark = range.getBoundingClientRect(), formula = math.getBoundingClientRect();
            if (!mark.height) continue; // in a closed box
            const line = math.closest('p, li, td, dd, h1, h2, h3').clientWidth;
            if (formula.width + mark.width > line) continue; // no line can hold both
            compared += 1;
            if (mark.top >= formula.bottom) broken.push(text);
          }
          return [compared, broken];
        }"""
    )
    assert compared > 5
    assert broken == []


def test_every_english_page_fits_a_small_phone(visit: Visit, site: str, site_folder: Path) -> None:
    names = sorted(path.name for path in (site_folder / "en").glob("*.html"))
    assert len(names) > 15
    for name in names:
        page = visit(f"{site}/en/{name}", **PHONE | {"viewport": {"width": 320, "height": 640}})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, name
        assert page.evaluate(CUT) == [], name
        visit.close()


def test_chapters_open_from_the_menu_on_a_phone(visit: Visit, site: str) -> None:
    page = visit(f"{site}/ko/index.html", **PHONE)
    page.locator(".primary-toggle").click()
    page.locator(f"nav.bd-docs-nav a[href='{CHAPTER}.html']").click()
    page.wait_for_url(f"**/ko/{CHAPTER}.html")


@pytest.mark.parametrize("language", LANGUAGES)
def test_chapter_can_be_read_without_scripts(visit: Visit, site: str, language: str) -> None:
    page = visit(f"{site}/{language}/{CHAPTER}.html", java_script_enabled=False)
    assert len(page.locator("article").inner_text()) > 5000
    expect(page.locator("attn-explorer td").first).to_be_visible()
    page.locator(".attn-languages summary").click()
    expect(page.locator(".attn-languages a").first).to_be_visible()


# A place in a chapter


# Whatever moved the text while nobody asked for it.
SHIFTED = """
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) window.shifted += shift.value;
  }).observe({ type: "layout-shift", buffered: true });
"""
TOP = "document.getElementById('{place}').getBoundingClientRect().top"
WAYS = {
    "script": "document.getElementById('your-turn').scrollIntoView()",
    "link": "document.querySelector('a[href=\"#your-turn\"]').click()",
    "find": "window.find('Your turn', true, false, true)",
}


@pytest.fixture
def slow(chromium: Browser) -> Iterator[Page]:
    """A phone, six times slower than this machine."""
    page = chromium.new_page(viewport=PHONE["viewport"], reduced_motion="reduce")
    page.add_init_script(SHIFTED)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    yield page
    page.close()


@pytest.mark.parametrize("place", ["almost-masked", "in-five-lines"])
def test_reader_who_goes_to_a_section_arrives_there(slow: Page, site: str, place: str) -> None:
    slow.goto(f"{site}/en/{CHAPTER}.html")
    slow.evaluate(f"document.querySelector('a[href=\"#{place}\"]').click()")
    until(live(slow, timeout=30_000), f"Math.abs({TOP.format(place=place)} - 64) < 3")


@pytest.mark.parametrize("way", WAYS)
def test_reader_stays_in_place_while_figures_come_to_life(slow: Page, site: str, way: str) -> None:
    """The reader goes there as soon as the text is seen, long before the figures are live."""
    top = TOP.format(place="your-turn")
    slow.goto(f"{site}/en/{CHAPTER}.html", wait_until="commit")
    until(slow, "document.getElementById('in-five-lines') !== null")
    # Nobody goes anywhere before the first paint: styles may still be on their way.
    until(slow, "performance.getEntriesByName('first-contentful-paint').length > 0")
    slow.evaluate(WAYS[way])
    slow.evaluate(A_FRAME)
    place = slow.evaluate(top)
    if way == "find":
        assert 0 < place < 740  # wherever the browser shows what it has found
    else:
        assert abs(place - 64) < 3
    live(slow, timeout=30_000)
    slow.evaluate("document.fonts.ready.then(() => true)")
    slow.evaluate(A_FRAME)
    assert abs(slow.evaluate(top) - place) < 3
    assert slow.evaluate("shifted") < 0.01


def test_reader_who_comes_back_finds_the_place_again(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html", viewport=PHONE["viewport"])
    page.evaluate("scrollTo(0, 6000)")
    # The row or paragraph there: what of a cell lies under a point may change with a pixel.
    text = "document.elementFromPoint(100, 300).closest('tr, p, li, h2, h3').textContent"
    before = page.evaluate(text)
    page.reload()
    until(live(page), "scrollY > 0")
    assert page.evaluate("scrollY") == pytest.approx(6000, abs=1)  # heights are not whole pixels
    assert page.evaluate(text) == before
