"""What the real book may not show today: missing and stale translations, broken pages.

A small book is built by the real configuration. Its first chapter is translated into Korean and
Chinese: in the Chinese one the body follows an older English text, one passage is not translated,
and one refers to what is no longer there. Nobody has translated the second chapter.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import nbformat
import pytest
from built import Book, empty_book, read
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from playwright.sync_api import Page, expect
from reader import LANGUAGES, Visit, until

from book._tools.browser import served
from book._tools.editions.read import source_hash
from book._tools.notebooks import normalise, serialise

TOC = """\
format: jb-book
root: index
parts:
  - numbered: 1
    chapters:
      - file: first
      - file: second
"""
BODY = """
## {section}

:::{{note}}
{text}
:::

:::{{warning}}
{text}
:::

```{{exercise}}
:label: ex-first
{text}
```

```{{solution}} ex-first
:class: dropdown
{text}
```

```{{hint}}
:class: dropdown
{text}
```

{{ref}}`ex-first`, {{ref}}`curious-first`, {{eq}}`eq-first`.{claims}

(curious-first)=
### {section}: $x$

Hexagon.
"""
FAULTS = "\n{ref}`nowhere`{claim}`nobody`{claim}`ours`\n"
MARKS = "{claim}`released`{claim}`asked`{claim}`told`{claim}`ours`"
CLAIMS = """
released: {says: x, pages: [first], release: torch 2.13.0, file: a.py, pattern: x, seen: null}
asked: {says: x, pages: [first], thread: 'https://example.org/"1"', seen: null}
told: {says: x, pages: [first], paper: vaswani2017, where: section 3, seen: null}
ours: {says: x, pages: [first], measured: first#sum, seen: null}
"""
ENGLISH = "Still in English."
SECOND = "(second)=\n# Second\n\n{}\n\n```{{bibliography}}\n```\n"
ASIDE_END = """
$$
\\text{{{text}}} = a + b + c + d + e + f + g + h + i + j + k + l + m
$$ (eq-first)

## {section} 2
"""
WORDS = {
    "en": ("First", "Section", "Words.", "Note", "Warning", "Exercise 1.1", "Solution"),
    "ko": ("첫째", "절", "말.", "참고", "경고", "연습문제 1.1", "풀이"),
    "zh": ("第一", "节", "词。", "备注", "警告", "练习 1.1", "解答"),
}


class CleanBuild(NamedTuple):
    said: str
    files: dict[str, bytes]


def notebook(language: str) -> str:
    title, section, text, *_ = WORDS[language]
    cells = [
        new_markdown_cell(f"(first)=\n# {title}", id="title"),
        new_code_cell(
            "1 + 1",
            id="sum",
            execution_count=1,
            metadata={"tags": ["hide-input"]},
            outputs=[new_output("execute_result", {"text/plain": "2"}, execution_count=1)],
        ),
        new_markdown_cell(BODY.format(section=section, text=text, claims=MARKS), id="body"),
        new_code_cell("x = 6 * 7", id="aside", execution_count=2),
        new_markdown_cell(ASIDE_END.format(section=section, text=text), id="aside-end"),
        new_markdown_cell("{ref}`first`" + text, id="fresh"),
        new_markdown_cell(f"## New {text}\n\nThis is {text}", id="new"),
        new_markdown_cell(f"And this is {text}", id="moved"),
    ]
    if language != "en":
        english = nbformat.reads(notebook("en"), as_version=4)
        for own, original in zip(cells, english.cells, strict=True):
            stale = language == "zh" and own.id in {"body", "moved"}
            own.metadata["i18n"] = {"source": source_hash("old" if stale else original.source)}
            if language == "zh" and own.id == "new":
                own.source = original.source
            if language == "zh" and own.id == "moved":
                own.source += "{ref}`a-label-that-is-gone`"
    return serialise(normalise(new_notebook(cells=cells)))


def index(language: str) -> str:
    """A start page, stamped with the English one."""
    stamp = source_hash("# en\n\n{doc}`second`")
    return f"---\ni18n: {{source: {stamp}}}\n---\n# {language}\n\n{{doc}}`second`\n"


@pytest.fixture(scope="module")
def small_book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    book = empty_book(tmp_path_factory.mktemp("book"))
    book.write("_toc.yml", TOC)
    for language in LANGUAGES:
        book.write(f"{language}/index.md", index(language))
    for language in WORDS:
        book.write(f"{language}/first.ipynb", notebook(language))
    book.write("en/second.md", SECOND.format(ENGLISH))
    book.write("claims.yml", CLAIMS)
    return book


@pytest.fixture(scope="module")
def built(small_book: Book) -> CleanBuild:
    done = small_book.build()
    assert done.returncode == 0, done.stdout + done.stderr
    return CleanBuild(done.stdout, contents(small_book.html))


@pytest.fixture(scope="module")
def broken(small_book: Book, built: CleanBuild) -> str:
    """What the next build says, of faults in Korean and in the list of chapters."""
    right = {"ko/index.md": index("ko"), "_toc.yml": TOC, "en/second.md": SECOND.format(ENGLISH)}
    small_book.write("ko/index.md", right["ko/index.md"] + FAULTS)
    small_book.write("_toc.yml", TOC + "      - file: third\n")
    small_book.write("en/second.md", SECOND.format("New words."))
    done = small_book.build()
    for name, text in right.items():
        small_book.write(name, text)
    assert done.returncode != 0
    return done.stderr


@pytest.fixture(scope="module")
def small_site(small_book: Book, built: CleanBuild) -> Iterator[str]:
    with served(small_book.html) as address:
        yield address


def test_the_build_lists_what_is_untranslated(built: CleanBuild) -> None:
    listed = dict(re.findall(r"edition (\w\w): .*; in English so far: (.*)", built.said))
    assert listed == {"vi": "first, second", "ko": "second", "zh": "second"}


@pytest.mark.parametrize(
    ("language", "notice"),
    [("vi", "chưa được dịch"), ("ko", "번역되지 않았습니다"), ("zh", "尚未翻译")],
)
def test_an_untranslated_chapter_stands_there_in_english(
    visit: Visit, small_site: str, language: str, notice: str
) -> None:
    page = visit(f"{small_site}/{language}/second.html")
    assert notice in page.locator(".attn-notice").inner_text()
    article = page.locator("article [lang=en]")
    assert ENGLISH in article.inner_text()
    assert notice not in article.inner_text()
    assert page.evaluate("document.documentElement.lang") != "en"


def test_launching_an_untranslated_notebook_opens_the_english_one(
    visit: Visit, small_site: str
) -> None:
    launch = visit(f"{small_site}/vi/first.html").locator(".dropdown-launch-buttons a")
    assert launch.first.get_attribute("href").endswith("lab/tree/book/en/first.ipynb")


def test_a_stale_passage_says_so_and_leads_to_the_english_one(
    visit: Visit, small_site: str
) -> None:
    page = visit(f"{small_site}/zh/first.html")
    notice = page.locator(".attn-passage").first
    assert "英文原文又有改动" in notice.inner_text()
    assert page.locator("h2 + .attn-passage + .admonition.note").count() == 1
    notice.locator("a").click()
    page.wait_for_url("**/en/first.html#passage-body")
    assert page.locator(":target").inner_text().split() == ["Note", "Words."]


def test_what_is_not_translated_stands_there_in_english(visit: Visit, small_site: str) -> None:
    """So does a stale passage that refers to what is gone: the strict build had no warning."""
    page = visit(f"{small_site}/zh/first.html")
    notices = page.locator(".attn-passage").all_inner_texts()
    assert [text for text in notices if "尚未翻译" in text] == notices[1:]
    assert len(notices) == 2
    english = page.locator("article [lang=en]").all_inner_texts()
    assert [text.strip("# \n") for text in english] == [
        "New Words.",
        "This is Words.",
        "And this is Words.",
    ]
    assert "passage" not in visit(f"{small_site}/ko/first.html").content()


@pytest.mark.parametrize("page", ["en/first.html", "en/second.html", "ko/first.html"])
def test_a_fresh_page_has_no_notice(visit: Visit, small_site: str, page: str) -> None:
    assert visit(f"{small_site}/{page}").locator(".attn-notice").count() == 0


@pytest.mark.parametrize("language", WORDS)
def test_words_inside_a_chapter_are_native(visit: Visit, small_site: str, language: str) -> None:
    _, _, _, note, warning, exercise, solution = WORDS[language]
    page = visit(f"{small_site}/{language}/first.html")
    titles = [
        title.strip()
        for title in page.locator("div.admonition > .admonition-title").all_inner_texts()
    ]
    assert [title.splitlines()[0] for title in titles] == [note, warning, exercise]
    assert page.locator("details.solution > summary").inner_text() == solution
    assert page.locator("a .std-numref").inner_text() == exercise


def test_hints_inside_a_chapter_are_native(visit: Visit, small_site: str) -> None:
    page = visit(f"{small_site}/ko/first.html")
    assert page.locator(".attn-program-copy").first.get_attribute("aria-label") == "복사"
    assert page.locator("details.attn-code summary").inner_text() == "코드"
    assert page.locator("details.hint > summary").inner_text() == "힌트"
    assert page.locator("h2 .headerlink").first.get_attribute("title") == "이 제목으로 가는 링크"


@pytest.mark.parametrize(("language", "said"), [("en", "evidence: "), ("ko", "근거: ")])
def test_a_claim_leads_to_its_evidence(
    small_book: Book, built: CleanBuild, language: str, said: str
) -> None:
    folder = small_book.html / language
    page, second = read(folder / "first.html"), read(folder / "second.html")
    marks = page.select("sup.attn-claim > a")
    assert {mark.get_text() for mark in marks} == {"\u2060†"}
    (listed,) = second.select("div.citation")
    assert [mark["href"] for mark in marks] == [
        "https://github.com/pytorch/pytorch/blob/v2.13.0/torch/a.py",
        'https://example.org/"1"',
        f"second.html#{listed['id']}",
        "#cell-sum",
    ]
    assert [mark["title"] for mark in marks] == [
        f"{said}torch 2.13.0, a.py",
        f'{said}example.org/"1"',
        f"{said}Vaswani 2017, section 3",
        f"{said}{WORDS[language][0]}",
    ]
    assert [mark["aria-label"] for mark in marks] == [mark["title"] for mark in marks]
    assert page.select_one("#cell-sum.cell pre").get_text().strip() == "1 + 1"


# Closed boxes


@pytest.fixture
def chapter(visit: Visit, small_site: str) -> Page:
    return visit(f"{small_site}/en/first.html", viewport={"width": 360, "height": 740})


def test_a_section_for_the_curious_is_closed_with_all_that_stands_in_it(chapter: Page) -> None:
    box = chapter.locator("details.curious")
    expect(box).to_have_count(1)
    expect(box.locator("summary h3")).to_contain_text("Section: ")
    for inside in ("p", ".cell_input", "#equation-eq-first"):
        expect(box.locator(inside).first).to_be_hidden()
    assert box.locator("h2").count() == 0, "the next section stands outside"
    expect(chapter.locator("h2", has_text="Section 2")).to_be_visible()


def test_a_box_opens_and_closes_by_keyboard(chapter: Page) -> None:
    box = chapter.locator("details.curious")
    box.locator("summary").focus()
    chapter.keyboard.press("Enter")
    expect(box.locator(".cell_input")).to_be_visible()
    outline = box.locator("summary").evaluate("e => getComputedStyle(e).outlineStyle")
    assert outline == "solid"
    chapter.keyboard.press("Space")
    expect(box.locator(".cell_input")).to_be_hidden()


@pytest.mark.parametrize("target", ["curious-first", "section-x", "equation-eq-first"])
def test_a_link_into_a_box_opens_it(visit: Visit, small_site: str, target: str) -> None:
    page = visit(f"{small_site}/en/first.html#{target}")
    expect(page.locator("details.curious .cell_input")).to_be_visible()
    expect(page.locator("details.solution p").first).to_be_hidden()


def test_a_link_opens_a_box_again_that_was_closed(chapter: Page) -> None:
    box = chapter.locator("details.curious")
    link = chapter.locator("article a[href='#curious-first']")
    for _ in range(2):
        link.click()
        expect(box).to_have_attribute("open", "")
        expect(box.locator("summary")).to_be_in_viewport()
        box.locator("summary").click()
        expect(box).not_to_have_attribute("open", "")


def test_a_section_for_the_curious_is_not_in_the_contents(chapter: Page) -> None:
    links = chapter.locator("nav.page-toc a").evaluate_all("all => all.map((a) => a.hash)")
    assert links == ["#section", "#section-2", "#new-words"]


def test_paper_shows_what_boxes_hold_and_the_screen_hides_it_again(chapter: Page) -> None:
    boxes = chapter.locator("details.attn-fold")
    for event, opened in (("beforeprint", 4), ("afterprint", 0)):
        chapter.evaluate(f"dispatchEvent(new Event('{event}'))")
        assert boxes.count() == 4
        assert chapter.locator("details.attn-fold[open]").count() == opened


def test_search_finds_what_a_box_holds(chapter: Page) -> None:
    chapter.keyboard.press("Control+k")
    chapter.locator("#pst-search-dialog input").fill("hexagon")
    found = chapter.locator("#pst-search-dialog .attn-results a[href*=first]")
    expect(found).to_be_visible()


def test_a_formula_wider_than_a_phone_scrolls_and_can_be_focused(chapter: Page) -> None:
    chapter.locator("details.curious summary").click()
    formula = chapter.locator("#equation-eq-first")
    expect(formula).to_have_attribute("tabindex", "0")
    expect(formula).to_have_attribute("role", "group")
    expect(formula).to_have_attribute("aria-label", "Formula")
    formula.focus()
    chapter.keyboard.press("ArrowRight")
    until(chapter, "document.activeElement.matches('.math[tabindex]')")
    until(chapter, "document.activeElement.scrollLeft > 0")
    chapter.set_viewport_size({"width": 1280, "height": 740})
    expect(formula).not_to_have_attribute("tabindex", "0")


def test_a_warning_in_one_edition_fails_the_build(broken: str) -> None:
    assert "nowhere" in broken
    assert "the claim 'nobody' has no entry in claims.yml" in broken
    assert "the entry 'ours' does not name the page index" in broken
    assert "third" in broken, "English has no such chapter"
    assert "editions failed: en, vi, ko, zh" in broken


def test_changed_pages_are_built_again_and_to_the_bytes_of_a_clean_build(
    small_book: Book, built: CleanBuild, broken: str
) -> None:
    changed = small_book.folder / "_build/editions/ko/html/second.html"
    assert "New words." in changed.read_text(encoding="utf-8")
    # A build that fails publishes nothing; as if one had that did not.
    shutil.copy2(changed, small_book.html / "ko/second.html")
    done = small_book.build()
    assert done.returncode == 0, done.stderr
    again = contents(small_book.html)
    assert again.keys() == built.files.keys()
    assert [name for name in again if again[name] != built.files[name]] == []


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
