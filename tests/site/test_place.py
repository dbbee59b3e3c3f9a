"""A reader comes back: only who asks for it is remembered, and one press forgets."""

from playwright.sync_api import expect
from reader import Visit

STORED = "localStorage.getItem('attn-place')"


def test_nothing_is_kept_unless_a_reader_asks(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/masked-softmax.html")
    page.locator("section[id]").last.scroll_into_view_if_needed()
    page.goto(f"{site}/en/index.html")
    assert page.evaluate(STORED) is None
    expect(page.locator(".attn-place")).to_be_hidden()


def test_a_reader_continues_where_she_was_and_is_forgotten(visit: Visit, site: str) -> None:
    page = visit(f"{site}/ko/masked-softmax.html")
    keep, done = page.locator(".attn-place input").all()
    expect(done).to_be_hidden()
    keep.check()
    done.check()
    marks = page.locator(".bd-links .attn-done")
    expect(marks).to_have_count(1)
    section = page.locator(".bd-article section section[id]").nth(2)
    section.evaluate("part => part.scrollIntoView()")
    name = section.get_attribute("id")
    page.goto(f"{site}/ko/index.html")
    link = page.locator(".attn-place a")
    expect(link).to_be_visible()
    expect(marks).to_have_count(1)
    link.click()
    page.wait_for_url(f"**/ko/masked-softmax.html#{name}")
    expect(page.locator(".attn-place input").last).to_be_checked()
    page.goto(f"{site}/ko/index.html")
    page.locator(".attn-place button").click()
    expect(page.locator(".attn-place")).to_be_hidden()
    assert page.evaluate(STORED) is None
    expect(marks).to_have_count(0)
