"""*Use my function*: a reader's answer computes the figure of its page, and gives it back."""

from pathlib import Path

import pytest
from axe import found
from playwright.sync_api import Locator, Page, expect
from reader import LANGUAGES, Visit

from attn_lib.language import speaking, words
from tests.unit.page.answers import HEAD, MASKED_SOFTMAX
from tests.unit.page.others import OTHERS

CHAPTER = "masked-softmax"
SLOW = 30_000  # milliseconds, on a busy machine; the page itself waits two seconds
# Answers that the judge hears out, and what a figure cannot show of them.
HERE = HEAD + "    if X.shape[0] == 2:\n        {}\n    return X.softmax(-1)\n"
FAULTS = {
    "stopped": HERE.format("return X @ valid_lens"),
    "slow": HERE.format("while True: pass"),
    "figure_shape": HERE.format("return X[0]"),
    "figure_nan": HERE.format("return X * torch.nan"),
}


def use(page: Page, code: str) -> Locator:
    """Let a code be judged, press the button, and return the line below the figure."""
    exercise = page.locator("[data-draws]")
    exercise.locator("textarea").fill(code)
    exercise.locator("button").first.click()
    exercise.locator(".attn-use").click(timeout=SLOW)
    said = page.locator(".attn-yours > p")
    expect(said).not_to_be_empty(timeout=SLOW)
    return said


def go(page: Page, state: str) -> None:
    """Follow a link to a state of the figure."""
    page.evaluate("(state) => (location.hash = state)", state)


def of_the_page(language: str) -> dict[str, str]:
    with speaking(language):
        found: dict[str, str] = words("check")["page"]
        return found


def is_the_books(page: Page, summary: str) -> None:
    expect(page.locator(".attn-figure .attn-summary")).to_have_text(summary)
    expect(page.locator(".attn-figure .attn-unlike")).to_have_count(0)
    expect(page.locator(".attn-figure .attn-book:visible")).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_answer_repaints_the_figure_and_says_where(
    visit: Visit, site: str, language: str
) -> None:
    page = visit(f"{site}/{language}/{CHAPTER}.html")
    own = of_the_page(language)
    expect(page.locator("[data-draws] button")).to_have_count(1)
    summary = page.locator(".attn-figure .attn-summary").text_content() or ""
    page.locator(".attn-more > summary").click()
    said = use(page, MASKED_SOFTMAX["zeroed"][1])
    # Five words in four rows: those before the lengths 2 and 3, and padding gets 0 as in the book.
    expect(said).to_have_text(own["figure_differs"].format(n=10))
    expect(page.locator(".attn-use")).to_have_text(own["use"])
    differs = page.locator(".attn-figure .attn-unlike")
    expect(differs).to_have_count(10)
    expect(differs.first.locator(".attn-sr")).to_have_text(own["figure_book"].format(w="0.88"))
    expect(page.locator(".attn-figure .attn-book:visible")).to_have_count(10)
    back = page.get_by_role("button", name=own["back"])
    expect(back).to_be_focused()
    back.press("Enter")
    expect(page.locator(".attn-yours")).to_have_count(0)
    is_the_books(page, summary)


def test_the_function_follows_the_figure_through_its_states(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html")
    own = of_the_page("en")
    said = use(page, MASKED_SOFTMAX["solution"][1])
    expect(said).to_have_text(own["figure_same"])
    said = use(page, MASKED_SOFTMAX["-1e6"][1])
    expect(said).to_have_text(own["figure_same"])
    go(page, "#mask?len=0,3")
    expect(said).to_have_text(own["figure_differs"].format(n=8))
    expect(page.locator(".attn-figure .attn-book:visible")).to_have_count(8)
    go(page, "#mask?fill=zero")
    expect(said).to_have_text(own["figure_unused"])
    expect(page.locator(".attn-figure .attn-unlike")).to_have_count(0)
    go(page, "#mask?dim=2&len=0,0,0,4")
    expect(said).to_have_text(own["figure_differs"].format(n=12))
    hand = page.locator('[data-handle="row4"]')
    hand.focus()
    hand.press("ArrowLeft")
    expect(said).to_have_text(own["figure_differs"].format(n=12))
    for _ in range(3):
        hand.press("ArrowLeft")
    expect(said).to_have_text(own["figure_differs"].format(n=16))


@pytest.mark.parametrize("fault", FAULTS)
def test_what_the_figure_cannot_show_gives_it_back_with_a_sentence(
    visit: Visit, site: str, fault: str
) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html")
    own = of_the_page("en")
    summary = page.locator(".attn-figure .attn-summary").text_content() or ""
    said = use(page, FAULTS[fault])
    expect(said).to_contain_text("✗ " + own[fault].split("{")[0])
    expect(said).to_contain_text(own["figure_back"])
    expect(page.get_by_role("button", name=own["back"])).to_have_count(0)
    is_the_books(page, summary)
    expect(use(page, MASKED_SOFTMAX["solution"][1])).to_have_text(own["figure_same"])


def test_nan_on_the_way_gives_the_figure_back(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html")
    own = of_the_page("en")
    said = use(page, MASKED_SOFTMAX["0 by 0"][1])
    expect(said).to_have_text(own["figure_same"])
    go(page, "#mask?len=0,3")
    expect(said).to_have_text(f"✗ {own['figure_nan']} {own['figure_back']}")
    go(page, "#mask")
    expect(page.locator(".attn-figure .attn-summary")).to_contain_text("sums to 1")
    expect(said).to_contain_text(own["figure_nan"])


def test_it_works_on_a_page_from_a_disk(visit: Visit, site_folder: Path) -> None:
    page = visit((site_folder / f"zh/{CHAPTER}.html").as_uri())
    said = use(page, MASKED_SOFTMAX["score 0"][1])
    expect(said).to_have_text(of_the_page("zh")["figure_differs"].format(n=16))
    visit.errors.clear()  # a disk serves no fonts to a page


def test_nothing_comes_before_a_press(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/{CHAPTER}.html")

    def loaded() -> set[str]:
        return {url.split("/judge/")[1] for url in visit.requests if "/judge/" in url}

    assert loaded() == set()
    exercise = page.locator("[data-draws]")
    exercise.locator("textarea").fill(MASKED_SOFTMAX["solution"][1])
    exercise.locator("button").first.click()
    expect(exercise.locator(".attn-use")).to_be_visible(timeout=SLOW)
    before = loaded()
    use(page, MASKED_SOFTMAX["solution"][1])
    assert {name.split("?")[0] for name in loaded() - before} == {"use.js"}


@pytest.mark.parametrize(
    ("chapter", "exercise", "answer", "count"),
    [
        ("attention-sinks", "with_sink", "solution", 0),
        ("attention-sinks", "with_sink", "softmax", 5),
        ("beyond-softmax", "sparsemax", "solution", 0),
        ("beyond-softmax", "sparsemax", "all keys", 8),
        ("additive-attention", "additive_scores", "solution", 0),
        ("additive-attention", "additive_scores", "linear", 4),
        # Six weights, and the fits at -1, 4, 5, 6 and 9.
        ("kernel-regression", "kernel_gap", "solution", 0),
        ("kernel-regression", "kernel_gap", "mean", 11),
        ("fast-attention", "online_softmax", "solution", 0),
        ("fast-attention", "online_softmax", "both forgotten", 1),
    ],
)
def test_other_figures_take_their_exercise(
    visit: Visit, site: str, chapter: str, exercise: str, answer: str, count: int
) -> None:
    page = visit(f"{site}/en/{chapter}.html")
    with speaking("en"):
        own = words("check")["page"] | words("check")[exercise]
    said = use(page, OTHERS[exercise][1][answer][1])
    wanted = own["figure_differs"].format(n=count) if count else own["figure_same"]
    expect(said).to_have_text(wanted)
    expect(page.locator(".attn-figure .attn-unlike")).to_have_count(count)
    drawn = page.locator(".attn-figure svg :is(.attn-book:visible, .attn-book-line[d^=M])")
    assert bool(drawn.count()) == bool(count)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_and_axe_finds_nothing(visit: Visit, site: str, scheme: str) -> None:
    viewport = {"width": 360, "height": 800}
    page = visit(f"{site}/en/{CHAPTER}.html", viewport=viewport, color_scheme=scheme)
    page.locator(".attn-more > summary").click()
    use(page, MASKED_SOFTMAX["zeroed"][1])
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert found(page, "attn-explorer") == []
