"""Figure `museum`, to be pressed: nothing moves, and every way to choose is the same choice."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from attn_lib import museum
from attn_lib.language import words
from attn_lib.live.figures.museum import TESTS

WIDE = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
ALL = ",".join(map(str, range(1, 11)))


def press(place: Locator, how: dict[str, Any]) -> None:
    place.tap() if how is PHONE else place.click()


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["mouse", "finger"])
def test_a_head_runs_a_test_and_a_row_chooses_its_exhibit(show: Any, how: dict[str, Any]) -> None:
    figure = show("museum", **how).ready()
    matrix = figure.element.locator(".attn-body .attn-verdicts")
    head, rows = matrix.locator("thead th"), matrix.locator("tbody tr")
    address = lambda: figure.page.evaluate("location.hash")  # noqa: E731
    press(head.nth(4), how)
    assert address() == "#museum?t=1,5"
    assert figure.element.locator("[data-key=t]").nth(4).is_checked()
    press(head.nth(0), how)
    assert address() == "#museum?t=5"
    press(rows.nth(3).locator("th"), how)
    assert address() == "#museum?bug=fill&t=5"
    press(rows.nth(7).locator("td").nth(7), how)  # an exhibit and a test in one
    assert address() == "#museum?bug=repeat&t=5,8"
    figure.check()
    press(head.nth(4), how)
    press(head.nth(7), how)
    assert address() == "#museum?bug=repeat&t=none"
    figure.check()


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["wide", "phone"])
def test_nothing_moves_and_no_code_is_cut_whatever_is_chosen(
    show: Any, how: dict[str, Any]
) -> None:
    figure = show("museum", **how).ready()
    heights = set()
    for bug in museum.EXHIBITS:
        for link in (f"?bug={bug}&t=none", f"?bug={bug}&on=all&t={ALL}"):
            figure.go(f"#museum{link}")
            heights.add(round(figure.element.bounding_box()["height"]))
            listing = figure.element.locator(".attn-body .attn-listing")
            assert listing.evaluate("(e) => e.scrollWidth <= e.clientWidth")
    assert max(heights) - min(heights) <= 1  # lines are rounded one by one


def test_the_marked_lines_are_those_of_the_view(show: Any) -> None:
    figure = show("museum", fragment="#museum?bug=nan&t=9").ready()
    lines = figure.element.locator(".attn-body .attn-listing .attn-line").evaluate_all(
        "all => all.map((e) => [e.lastElementChild.textContent.trimEnd(), e.dataset.kind])"
    )
    assert lines == [["".join(said), kind] for said, kind in figure.check().parts["code"]["lines"]]
    figure.go("#museum?bug=nosqrt&t=none")
    kinds = figure.element.locator(".attn-body .attn-listing .attn-line").evaluate_all(
        "all => all.map((e) => e.dataset.kind)"
    )
    assert set(kinds) == {"same"}


def test_a_phone_shows_what_one_test_found(show: Any) -> None:
    figure = show("museum", fragment="#museum?bug=squeeze&t=1,7", **PHONE).ready()
    found = figure.element.locator(".attn-body .attn-evidence:visible")
    expect(found).to_have_count(1)
    expect(found).to_contain_text("T7")  # the first that fails
    tick = figure.element.locator('.attn-body input[type="checkbox"]').first
    tick.uncheck()
    expect(found).to_contain_text("T7")
    tick.check()  # who runs a test sees what it found
    expect(found).to_have_count(1)
    expect(found).to_contain_text("T1")


def test_a_pressed_verdict_shows_what_its_test_found(show: Any) -> None:
    figure = show("museum", fragment="#museum?bug=inplace&t=5,6", **PHONE).ready()
    found = figure.element.locator(".attn-body .attn-evidence:visible")
    expect(found).to_contain_text("T5")
    figure.element.locator(".attn-body .attn-findings .attn-verdict-cell").nth(5).tap()
    expect(found).to_have_count(1)
    expect(found).to_contain_text("T6")
    figure.element.locator(".attn-body .attn-verdicts tbody tr").nth(2).locator("td").nth(4).tap()
    expect(found).to_have_count(1)
    expect(found).to_contain_text("T5")
    assert figure.page.evaluate("location.hash") == "#museum?bug=inplace&t=5,6"


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_a_phone_shows_the_verdicts_and_the_exhibit_that_they_mark_in_one_view(
    show: Any, lang: str
) -> None:
    figure = show("museum", lang, **PHONE).ready()
    head = figure.element.locator(".attn-body .attn-verdicts thead").bounding_box()
    found = figure.element.locator(".attn-body .attn-evidence:visible div").first.bounding_box()
    code = figure.element.locator(".attn-body .attn-listing").bounding_box()
    ticks = figure.element.locator(".attn-body .attn-findings .attn-check").first.bounding_box()
    assert found["y"] - head["y"] <= 370
    assert found["y"] + found["height"] <= code["y"]
    assert code["y"] + code["height"] - head["y"] <= 710
    # Nothing but a legend and a caption parts the ticks from it.
    assert 0 < ticks["y"] - code["y"] - code["height"] <= 60


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_a_missed_fault_is_named_and_counted(show: Any, lang: str, how: dict[str, Any]) -> None:
    figure = show("museum", lang, **how).ready()
    table = figure.element.locator(".attn-body .attn-verdicts")
    name = (
        "(names) => names.map((e) => [e.offsetTop, e.offsetHeight, e.scrollWidth - e.clientWidth])"
    )
    fates = lambda: table.locator(".attn-fate").all_text_contents()  # noqa: E731
    missed, caught, unrun = json.loads(table.get_attribute("data-fates") or "")
    found = []
    for link, expected in (
        ("?t=none", [""] * 9),
        ("?t=10", [unrun, caught, missed, missed, caught, caught, missed, caught, missed]),
        ("?t=4,5,7,8,9", [caught] * 9),
        ("?bug=nan&on=one&t=1", [*[""] * 8, missed]),
        ("?bug=tanh&on=one&t=10", [unrun, *[""] * 8]),
    ):
        figure.go(f"#museum{link}")
        assert fates() == expected
        view = figure.check()
        tally = view.slots["counted"], view.slots["of"]
        # Where no fewer tests catch all, it counts them too, and says how many do not do.
        more = [view.slots[name] for name in ("ticked", "fewer") if link == "?t=4,5,7,8,9"]
        said = table.locator(".attn-tally")
        assert sorted(re.findall(r"\d+", said.text_content() or "")) == sorted([*tally, *more])
        # Of what was not run nothing is counted.
        assert said.is_visible() == (tally[1] != "0")
        found.append(table.locator("tbody th").evaluate_all(name))
    assert all(rows == found[0] for rows in found)  # no name moves
    assert all(too_wide <= 0 for *_, too_wide in found[0])
    heights = table.locator("tbody tr").evaluate_all("all => all.map((e) => e.offsetHeight)")
    assert max(heights) - min(heights) <= 1


def test_a_phone_marks_what_was_caught_as_well_as_what_was_missed(show: Any) -> None:
    figure = show("museum", fragment="#museum?t=10", **PHONE).ready()
    marks = figure.element.locator(".attn-body .attn-outcome").evaluate_all(
        "all => all.slice(1).map((e) => getComputedStyle(e, '::before').content)"
    )
    missed, caught = '"!"', '"●"'
    assert marks == ["none", caught, missed, missed, caught, caught, missed, caught, missed]


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["mouse", "finger"])
def test_a_fate_chooses_its_exhibit_and_runs_nothing(show: Any, how: dict[str, Any]) -> None:
    figure = show("museum", **how).ready()
    press(figure.element.locator(".attn-body .attn-verdicts .attn-outcome").nth(4), how)
    assert figure.page.evaluate("location.hash") == "#museum?bug=fill"


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_a_phone_shows_the_answer_and_all_verdicts_in_one_view(show: Any, lang: str) -> None:
    figure = show("museum", lang, **PHONE).ready()
    figure.bet(0)
    answer = figure.element.locator(".attn-told").bounding_box()
    verdicts = figure.element.locator(".attn-body .attn-verdicts").bounding_box()
    assert verdicts["y"] + verdicts["height"] - answer["y"] <= 740


def test_the_answer_compares_with_what_was_before(show: Any) -> None:
    figure = show("museum", **WIDE).ready()
    figure.go("#museum?t=4,5,7,8&ask=1")
    figure.rest()
    figure.bet(0)
    before, after = (
        figure.figure.compute(figure.figure.state(**settings))
        for settings in (figure.figure.prediction.before, figure.figure.prediction.after)
    )
    expect(figure.said).to_have_text(figure.figure.sentences(after, was=before.slots["caught"]))


def test_a_phone_shows_the_sentence_with_the_verdicts_that_it_sums_up(show: Any) -> None:
    figure = show("museum", **PHONE).ready()
    said = figure.said.bounding_box()
    verdicts = figure.element.locator(".attn-body .attn-verdicts").bounding_box()
    assert 0 < verdicts["y"] + verdicts["height"] - said["y"] <= 600


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_lines_of_the_test_pressed_last_are_shown(show: Any, how: dict[str, Any]) -> None:
    figure = show("museum", fragment="#museum?bug=inplace&t=1,5", **how).ready()
    shown = figure.element.locator(".attn-body .attn-test-code:visible")
    code = [museum.code(test) for test in museum.TESTS.values()]
    expect(shown).to_have_text(code[4])  # the first that fails
    heads = figure.element.locator(".attn-body .attn-verdicts thead th")
    press(heads.nth(5), how)
    expect(shown).to_have_text(code[5])
    press(figure.element.locator(".attn-body .attn-findings th").nth(6), how)
    expect(shown).to_have_text(code[6])
    figure.element.locator("[data-key=t]").nth(5).focus()  # as by the Tab key
    expect(shown).to_have_text(code[5])
    press(heads.nth(5), how)  # not run any more
    expect(shown).to_have_text(code[4])


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_the_lines_of_every_test_can_be_read_without_scrolling(
    show: Any, lang: str, how: dict[str, Any]
) -> None:
    figure = show("museum", lang, **how).ready()
    heights = set()
    for n in TESTS:
        figure.go(f"#museum?bug=nosqrt&t={n}&ask=0")
        shown = figure.element.locator(".attn-body .attn-test-code:visible")
        across, down = shown.evaluate(
            "(e) => [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight]"
        )
        assert (across, down) == (0, 0), n
        heights.add(round(figure.element.bounding_box()["height"]))
    assert len(heights) == 1


def test_paper_shows_what_every_test_found_and_no_lines(show: Any) -> None:
    figure = show("museum").ready()
    figure.page.emulate_media(media="print")
    assert figure.element.locator(".attn-test-code:visible").count() == 0
    expect(figure.element.locator(".attn-surprise .attn-evidence:visible")).to_have_count(10)


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["wide", "phone"])
def test_numbers_that_a_failing_test_did_not_expect_are_marked(
    show: Any, how: dict[str, Any]
) -> None:
    figure = show("museum", fragment="#museum?bug=inplace&t=6", **how).ready()
    marked = figure.element.locator(".attn-body .attn-evidence:visible .attn-differs")
    assert marked.all_text_contents() == ["−1e6", "−1e6"]
    figure.go("#museum?bug=inplace&t=4")  # it passes
    assert marked.count() == 0


def test_the_exhibit_lies_beside_the_matrix_and_what_a_test_found_beside_the_ticks(
    show: Any,
) -> None:
    figure = show("museum", **WIDE).ready()
    for n in TESTS:
        figure.go(f"#museum?bug=dropout&t={n}")
        listing, matrix, found, ticks = (
            figure.element.locator(f".attn-body .attn-{part}:visible").bounding_box()
            for part in ("listing", "verdicts", "evidence", "findings tbody")
        )
        assert listing["x"] + listing["width"] <= matrix["x"]
        assert matrix["y"] - 1 <= listing["y"]
        assert listing["y"] + listing["height"] <= found["y"]
        assert ticks["x"] + ticks["width"] <= found["x"]
        lines = figure.element.locator(".attn-body .attn-evidence:visible .attn-line")
        last = lines.last.bounding_box()
        assert last["y"] + last["height"] <= ticks["y"] + ticks["height"] + 8
        name, numbers = (
            figure.element.locator(f".attn-body .attn-evidence:visible {part}").bounding_box()
            for part in (".attn-listing-title", "div >> nth=0")
        )
        assert found["y"] <= name["y"] < numbers["y"]


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_a_test_that_was_not_run_on_an_exhibit_says_why(
    show: Any, lang: str, how: dict[str, Any]
) -> None:
    figure = show("museum", lang, fragment="#museum?t=10", **how).ready()
    why = figure.element.locator(".attn-body .attn-unrunnable")
    got = figure.element.locator(".attn-body .attn-shown .attn-evidence p b")
    expect(why).to_be_visible()
    expect(got.first).to_be_hidden()
    figure.go("#museum?bug=squeeze&t=10")
    expect(why).to_be_hidden()
    expect(got.first).to_be_visible()


def test_a_phone_counts_beside_the_ticks_as_in_the_matrix(show: Any) -> None:
    figure = show("museum", **PHONE).ready()
    matrix, below = (
        figure.element.locator(f".attn-body .attn-{table} caption .attn-tally")
        for table in ("verdicts", "findings")
    )
    for tick in (4, 8):
        figure.element.locator("[data-key=t]").nth(tick).check()
        expect(below).to_be_visible()
        expect(below).to_have_text(matrix.text_content() or "")
    figure.go("#museum?t=none")
    expect(below).to_be_hidden()


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_a_phone_keeps_the_name_of_a_choice_off_its_border(show: Any, lang: str) -> None:
    figure = show("museum", lang, **PHONE).ready()
    words, border = figure.element.locator(".attn-body .attn-segments").evaluate(
        """(choice) => {
          const words = document.createRange();
          words.selectNodeContents(choice.querySelector("legend"));
          return [words, choice].map((e) => e.getBoundingClientRect()).map((box, i) =>
            i ? box.left : box.right);
        }"""
    )
    assert border - words >= 6


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["mouse", "finger"])
def test_another_exhibit_keeps_the_test_that_was_chosen(show: Any, how: dict[str, Any]) -> None:
    figure = show("museum", fragment="#museum?t=1,4,10", **how).ready()
    rows = figure.element.locator(".attn-body .attn-verdicts tbody tr")
    shown = figure.element.locator(".attn-body .attn-test-code:visible")
    press(rows.nth(2).locator("td").nth(4), how)
    press(rows.nth(6).locator("th"), how)
    assert figure.page.evaluate("location.hash") == "#museum?bug=squeeze&t=1,4,5,10"
    expect(shown).to_have_text(museum.code(museum.TESTS[5]))


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_no_name_of_an_exhibit_touches_its_first_verdict(
    show: Any, lang: str, how: dict[str, Any]
) -> None:
    figure = show("museum", lang, fragment="#museum?t=1", **how).ready()
    # The filled mark of a test that fails.
    rooms = figure.element.locator(".attn-body .attn-verdicts tbody tr").evaluate_all(
        """rows => rows.map((row) => {
          const words = document.createRange();
          words.selectNodeContents(row.querySelector("th"));
          const mark = row.querySelector("td").getBoundingClientRect();
          return mark.left + 1 - words.getBoundingClientRect().right;
        })"""
    )
    assert min(rooms) >= 3, rooms


def test_rows_of_the_matrix_on_a_phone_keep_off_the_edges_of_the_figure(show: Any) -> None:
    figure = show("museum", **PHONE).ready()
    body = figure.element.locator(".attn-body").bounding_box()
    row = figure.element.locator(".attn-body .attn-verdicts tbody tr").first.bounding_box()
    left = row["x"] - body["x"]
    right = body["x"] + body["width"] - row["x"] - row["width"]
    assert 3 <= left <= 8
    assert abs(right - left) <= 1


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_a_head_says_what_its_test_is_about_and_keeps_its_size(
    show: Any, lang: str, how: dict[str, Any]
) -> None:
    figure = show("museum", lang, **how).ready()
    heads = figure.element.locator(".attn-body .attn-verdicts thead th")
    sizes = []
    for tests in ("none", ALL):
        figure.go(f"#museum?t={tests}")
        found = heads.evaluate_all(
            """heads => heads.map((head) => {
              const topic = head.querySelector(".attn-topic");
              const [inner, outer] = [topic, head].map((e) => e.getBoundingClientRect());
              const fits = inner.left >= outer.left && inner.right <= outer.right;
              return [topic.textContent, fits && inner.bottom <= outer.bottom + 0.5, outer.height];
            })"""
        )
        assert [topic for topic, *_ in found] == words("museum")["topics"]
        assert all(fits for _, fits, _ in found), found
        sizes.append([height for *_, height in found])
    assert sizes[0] == sizes[1]


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["wide", "phone"])
def test_code_is_broken_before_a_further_call_and_in_no_short_bracket(
    show: Any, how: dict[str, Any]
) -> None:
    figure = show("museum", **how).ready()
    served = figure.element.locator(".attn-body .attn-listing .attn-line").evaluate_all(
        "lines => lines.map((e) => e.lastElementChild.innerHTML)"
    )
    for bug in museum.EXHIBITS:
        figure.go(f"#museum?bug={bug}&t={ALL}")
        halves = figure.element.locator(".attn-body .attn-uncut:visible").evaluate_all(
            "all => all.filter((e) => e.getClientRects().length !== 1).map((e) => e.textContent)"
        )
        assert halves == [], bug
    figure.go("#museum?bug=tanh&t=1")  # painted as it was served
    lines = figure.element.locator(".attn-body .attn-listing .attn-line")
    assert served == lines.evaluate_all("lines => lines.map((e) => e.lastElementChild.innerHTML)")
    assert "<wbr>.unsqueeze" in served[2]


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_a_phone_explains_all_signs_in_one_line(show: Any, lang: str) -> None:
    figure = show("museum", lang, **PHONE).ready()
    tops = figure.element.locator(".attn-body .attn-signs > span").evaluate_all(
        "all => all.map((e) => e.getBoundingClientRect().bottom)"
    )
    assert len(tops) == 5
    assert max(tops) - min(tops) <= 6


@pytest.mark.parametrize("how", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_once_all_are_caught_the_count_asks_for_fewer_and_nothing_moves(
    show: Any, lang: str, how: dict[str, Any]
) -> None:
    figure = show("museum", lang, **how).ready()
    tallies = figure.element.locator(".attn-body .attn-tally:visible")
    expect(tallies).to_have_count(2 if how is PHONE else 1)
    words = figure.figure.declaration()["words"]["sentences"]
    places = []
    for tests, name in (
        ("4,5,7,8", "tally"),
        (ALL, "tally_all"),
        ("4,5,7,8,9,10", "tally_all"),
        ("4,5,7,8,9", "tally_least"),
    ):
        figure.go(f"#museum?t={tests}")
        view = figure.check()
        assert view.parts["matrix"]["tally"] == name
        for tally in tallies.all():
            expect(tally).to_have_text(words[name].format(**view.slots))
            inside = tally.evaluate(
                """(e) => {
                  const { left, right } = e.getBoundingClientRect();
                  const room = e.closest(".attn-museum").getBoundingClientRect();
                  return left >= room.left && right <= room.right + 0.5;
                }"""
            )
            assert inside
        places.append(
            [
                figure.element.locator(f".attn-body {part}").first.bounding_box()["y"]
                for part in (".attn-verdicts thead", ".attn-listing", ".attn-check")
            ]
        )
    assert all(place == places[0] for place in places)
