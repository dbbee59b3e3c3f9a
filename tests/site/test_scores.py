"""The page of all scores, as a reader looks for one of them."""

import pytest
from playwright.sync_api import expect
from reader import LANGUAGES, Visit

from book.atlas import CHANGES, KINDS, rows


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_can_be_linked_and_opens(visit: Visit, site: str, language: str) -> None:
    page = visit(f"{site}/{language}/scores.html#alibi")
    expect(page.locator(".attn-score")).to_have_count(len(rows()))
    assert page.evaluate("[...document.querySelectorAll('.attn-score')].map(row => row.id)") == [
        row.id for row in rows()
    ]
    row = page.locator("#alibi")
    expect(row).to_be_in_viewport()
    summary = row.locator("summary")
    summary.focus()
    summary.press("Enter")
    expect(row.locator("pre")).to_be_visible()


def test_without_a_script_all_rows_are_there_and_no_form(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/scores.html", java_script_enabled=False)
    expect(page.locator(".attn-score:visible")).to_have_count(len(rows()))
    expect(page.locator(".attn-choose-scores")).to_be_hidden()
    page.locator("#learned-sink summary").click()
    expect(page.locator("#learned-sink pre")).to_be_visible()


def test_a_reader_chooses_rows_by_the_form(visit: Visit, site: str) -> None:
    page = visit(f"{site}/en/scores.html")
    shown, form = page.locator(".attn-score:visible"), page.locator(".attn-choose-scores")
    words = form.get_by_label("Words")
    words.press_sequentially("gemma cap")
    expect(page.locator("#softcap")).to_be_visible()
    expect(page.locator("#alibi")).to_be_hidden()
    assert page.url.endswith("?words=gemma+cap")
    form.get_by_role("button").click()
    expect(shown).to_have_count(len(rows()))
    for kind in KINDS:
        form.get_by_label("Kind").select_option(kind)
        expect(shown).to_have_count(sum(row.kind == kind for row in rows()))
    form.get_by_label("Kind").select_option("")
    for change in CHANGES:
        form.get_by_label("The weights survive").select_option(change)
        expect(shown).to_have_count(sum(change in row.survives for row in rows()))
    form.get_by_role("button").click()
    form.get_by_label("Years").select_option("1964–2013")
    expect(shown).to_have_count(sum(row.year <= 2013 for row in rows()))
    expect(form.locator("output")).to_have_text(
        f"{sum(row.year <= 2013 for row in rows())} of {len(rows())} rows"
    )


def test_an_address_with_a_question_is_answered_and_a_link_goes_first(
    visit: Visit, site: str
) -> None:
    page = visit(f"{site}/en/scores.html?kind=places")
    expect(page.locator(".attn-kind:visible")).to_have_count(1)
    page.evaluate("location.hash = 'learned-sink'")
    expect(page.locator("#learned-sink")).to_be_in_viewport()
    expect(page.locator(".attn-kind:visible")).to_have_count(len(KINDS))


@pytest.mark.parametrize(
    ("words", "found"),
    [("kv cache", "#mla"), ("m-rope", "#mrope"), ("paged", "#elsewhere"), ("mamba", "#elsewhere")],
)
def test_the_words_that_people_use_lead_to_a_row_or_a_page(
    visit: Visit, site: str, words: str, found: str
) -> None:
    page = visit(f"{site}/en/scores.html")
    page.locator(".attn-choose-scores").get_by_label("Words").fill(words)
    expect(page.locator(found)).to_be_visible()
    expect(page.locator("#boxcar")).to_be_hidden()
    expect(page.locator(".attn-elsewhere > li:visible").filter(has_text="padding")).to_have_count(0)
