"""The numbers and the sentences of the figure `dates`."""

import itertools
import random
import re
from datetime import datetime

import pytest
import torch

import attn_lib
from attn_lib.examples import dates
from attn_lib.examples.dates.__main__ import MODELS
from attn_lib.examples.dates.write import ALL_YEARS
from attn_lib.language import LANGUAGES, words
from attn_lib.live.figures.dates import (
    CANDIDATES,
    FIELDS,
    FIGURE,
    YEARS,
    _written_out,
    month_span,
)
from attn_lib.live.host import page
from attn_lib.live.host.controls import Line


def view(**settings):
    return FIGURE.compute(FIGURE.state(**settings))


def whole(**settings):
    """What is said with the hand at the last symbol: of the whole date."""
    return view(**settings, row=10)


def test_the_prediction_comes_true_and_its_row_is_divided():
    after = view(**FIGURE.prediction.after)
    assert after.slots["iso"] == CANDIDATES[FIGURE.prediction.right]
    month = after.parts["map"]["rows"][6]
    assert sorted(month)[-2] > 0.4
    assert after.slots["iso"] not in ("2024-03-04", "2024-04-03")
    assert FIGURE.sentences(after) == (
        "It writes 2024-03-03, least sure of symbol 7, the “3”: 0.55. Month and day look at"
        " “4” and “3”, about half each, and each decides alone."
    )
    # The question begins where the year is written, and nothing is said of what comes.
    before = view(**FIGURE.prediction.before)
    assert FIGURE.sentences(before).startswith("Symbol 4 reads “4”")
    assert "03" not in FIGURE.sentences(before)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_options_are_the_candidates_in_every_language(language):
    attn_lib.set_language(language)
    assert words("dates")["options"] == [candidate[5:] for candidate in CANDIDATES]
    attn_lib.set_language("en")


def test_candidates_that_fit_what_is_written_are_neighbours():
    iso = view(**FIGURE.prediction.after).slots["iso"]
    for end in range(len(iso) + 1):
        fit = [place for place, one in enumerate(CANDIDATES) if one.startswith(iso[:end])]
        assert fit == list(range(fit[0], fit[-1] + 1))
        assert FIGURE.prediction.right in fit


def test_what_the_page_knows_without_a_model_is_what_the_model_says():
    known, after = FIGURE.data()["known"], view(**FIGURE.prediction.after)
    part = after.parts["map"]
    assert (known["text"], known["iso"]) == (after.slots["text"], part["symbols"])
    torch.testing.assert_close(
        torch.tensor(known["weights"]), torch.tensor(part["rows"]), atol=1e-7, rtol=0
    )
    best = torch.tensor(known["chances"]).amax(dim=1)
    torch.testing.assert_close(best, torch.tensor(part["confidence"]), atol=1e-7, rtol=0)


def test_a_symbol_before_the_last_is_spoken_of_alone():
    for settings in ({}, {"m": 0}, {"temp": 5.0}, {"see": "_5 March 2024"}):
        for row in (1, 7, 9):
            shown = view(**settings, row=row)
            assert shown.summary == ("row",)
            assert FIGURE.sentences(shown).startswith(f"Symbol {row} reads ")


@pytest.mark.parametrize(
    ("text", "is_shared"),
    # In the third the fields are the same, in the last both decide for a field of their own.
    [("04/03/2024", True), ("05/07/2024", True), ("03/03/2024", False), ("15 May 2024", False)],
)
def test_month_and_day_share_what_they_look_at_only_where_both_do(text, is_shared):
    shown = whole(t=text)
    assert ("shared" in shown.summary) == is_shared
    month, day = (shown.parts["map"]["rows"][row] for row in (6, 9))
    for slot in ("one", "two") if is_shared else ():
        place = text.index(shown.slots[slot])
        assert 0.4 <= month[place] <= 0.6
        assert 0.4 <= day[place] <= 0.6


def test_the_figure_reads_as_the_library_does():
    part = view(t="２０２４年3月15日").parts["map"]
    reading = dates.read("2024年3月15日")
    assert (part["symbols"], "".join(part["letters"])) == (reading.iso, reading.text)
    torch.testing.assert_close(torch.tensor(part["rows"]), reading.weights, atol=1e-5, rtol=0)
    torch.testing.assert_close(
        torch.tensor(part["confidence"]), reading.confidence, atol=1e-5, rtol=0
    )


def test_an_unknown_character_is_flagged_and_named():
    unread = view(t="廿三日")
    assert unread.summary == ("unknown",)
    assert unread.parts["map"]["flags"] == ["unknown", "", ""]
    assert unread.parts["map"]["rows"] == []
    assert "had “廿”, so" in FIGURE.sentences(unread)
    assert "had “@”, “#”, so" in FIGURE.sentences(view(t="@#"))
    # Of many unknown ones the first few are named.
    assert view(t="αβγδεζηθικλμ").slots["unknown"].count("“") == 8


def test_a_hidden_month_gets_no_weight():
    hidden = view(t="15 March 2024", m=0)
    assert hidden.parts["map"]["flags"][3:8] == ["hidden"] * 5
    assert all(weight == 0 for row in hidden.parts["map"]["rows"] for weight in row[3:8])
    # Some of the weight is not none.
    half = view(t="15 March 2024", m=0.3).parts["map"]
    assert half["flags"][3:8] == ["faded"] * 5
    assert any(weight > 0 for row in half["rows"] for weight in row[3:8])
    assert whole(t="15 March 2024", m=0.3).summary[1] == "faded"
    assert whole(t="2024", m=0.3).summary[1] == "no_month"


def test_a_hidden_character_gets_no_weight():
    hidden = whole(t="15 March 2024", see="_5 March 20__")
    part = hidden.parts["map"]
    assert [j for j, flag in enumerate(part["flags"]) if flag == "hidden"] == [0, 11, 12]
    assert part["seen"] == "_5 march 20__"
    assert all(row[j] == 0 for row in part["rows"] for j in (0, 11, 12))
    assert hidden.slots["hidden"] == "1…24"
    # With nothing to look at, the model writes all the same.
    blind = whole(t="15 March 2024", see="_" * 13)
    assert all(weight == 0 for row in blind.parts["map"]["rows"] for weight in row)
    assert blind.slots["hidden"] == "15␣march␣…"


@pytest.mark.parametrize("see", ["all", "__ March 2025", "__ March 202", "_", "15 March 2024"])
def test_what_was_hidden_in_another_text_is_hidden_in_no_other(see):
    shown = whole(see=see)
    assert shown.parts["map"] == view().parts["map"]
    assert shown.summary == ("sure", "press")


def test_a_hidden_character_and_a_faded_month_go_together():
    both = view(see="_5 m____ 2024", m=0.3).parts["map"]
    assert both["flags"] == ["hidden", "", "", "faded", *["hidden"] * 4, *[""] * 5]


def test_a_sure_answer_without_the_month_is_set_beside_that_of_the_whole_text():
    hidden = whole(t="2024년 10월 9일", m=0)
    assert FIGURE.sentences(hidden) == (
        "With “10” hidden it writes 2024-01-09, not 2024-10-09; its least sure symbol has 0.99. It"
        " can be sure and wrong: a map shows only where it looks."
    )
    # Where no symbol is less sure, all are spoken of.
    assert FIGURE.sentences(whole(t="4 May 1998", m=0)).startswith(
        "With “may” hidden it writes 1998-04-04, not 1998-05-04, each symbol with 1.00."
    )
    assert hidden.slots["whole"] == view(t="2024년 10월 9일").slots["iso"]
    # The same characters, whoever hides them.
    by_hand = whole(t="2024년 10월 9일", see="2024년 __월 9일")
    assert FIGURE.sentences(by_hand) == FIGURE.sentences(hidden)
    kept = whole(t="3 August 2020", m=0)
    assert kept.summary == ("reads", "kept")
    assert kept.slots["iso"] == kept.slots["whole"] == "2020-08-03"


def test_summary_names_the_least_sure_symbol_where_there_is_one():
    unsure = whole(t="03/04/2024")
    place = unsure.parts["map"]["least"]
    confidence = unsure.parts["map"]["confidence"]
    assert confidence[place] == min(confidence)
    said = FIGURE.sentences(unsure)
    assert f"least sure of symbol {place + 1}, the “{unsure.slots['iso'][place]}”: " in said
    sure = whole(t="31 February 2024")
    assert (sure.summary, sure.parts["map"]["least"]) == (("sure", "no_such_day"), None)
    assert "each symbol with probability 1.00" in FIGURE.sentences(sure)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"t": "31 February 2024"},
            "The calendar has no 2024-02-31: every date of the training exists, so nothing taught"
            " it to check.",
        ),
        # What has not even the form of a date is missing in no calendar.
        *(
            (
                {"t": text},
                "That is not even the form of a date: the model writes ten symbols, whatever it"
                " reads.",
            )
            for text in ("may of", "a")
        ),
        (
            {"t": "2150-07-14", "model": "recent"},
            "Trained on 1900 to 2099, it makes 2050 of 2150; 4 of 4 symbols look most at their own"
            " digit.",
        ),
        (
            {"t": "二〇二四年三月十五日", "temp": 5.0},
            "Temperature 5 makes the weights more equal; at 1 the answer is the same.",
        ),
        (
            {"t": "04/03/2024", "temp": 100.0},
            "Temperature 100 makes the weights more equal; at 1 the model writes 2024-03-03.",
        ),
        (
            {"t": "04/03/2024", "temp": 0.5},
            "Temperature 0.5 makes the weights sharper; at 1 the answer is the same.",
        ),
        (
            {"t": "ngày năm tháng năm năm 2005"},
            "“năm” occurs 3 times: symbol 7 (month) looks most at number 2, symbol 10 (day) at"
            " number 1.",
        ),
    ],
)
def test_the_sentence_says_what_is_odd_about_a_text_or_its_setting(settings, said):
    assert FIGURE.sentences(whole(**settings)).endswith(f" {said}")


def test_each_link_to_try_has_a_sentence_of_its_own():
    told = {view(**settings).summary[1:] for settings in FIGURE.tries}
    assert len(told) == len(FIGURE.tries)
    assert ("press",) not in told


def test_the_years_are_those_of_the_training():
    for model, years in YEARS.items():
        _, trained_on = MODELS[model]
        assert years == trained_on.get("years", ALL_YEARS)


@pytest.mark.parametrize("settings", [{}, {"model": "recent"}, {"model": "dot", "temp": 2.0}])
def test_what_is_said_of_any_text_is_true(settings):
    random_years = random.Random(3)
    for written in dates.write_dates(15, random.Random(5)):
        year = f"{random_years.randint(0, 9999):04}"
        text = written.text.replace(written.iso[:4], year)
        shown = whole(t=text, **settings)
        plain = view(t=text, **settings | {"temp": 1.0})
        told, slots = shown.summary[1:], shown.slots
        first, last = YEARS[settings.get("model", "additive")]
        try:
            datetime.strptime(slots["iso"], "%Y-%m-%d")
            exists = True
        except ValueError:
            exists = False
        has_form = re.fullmatch(r"\d{4}-\d\d-\d\d", slots["iso"])
        if told == ("no_date",):
            assert not has_form
        if "no_such_day" in told:
            assert has_form
            assert not exists
        if told in (("copied",), ("replaced",)):
            assert slots["year"] in shown.slots["text"]
            assert not first <= int(slots["year"]) <= last
            assert (told == ("copied",)) == slots["iso"].startswith(slots["year"])
        if "other_at_1" in told:
            assert slots["plain"] == plain.slots["iso"] != slots["iso"]
        if "same_at_1" in told:
            assert plain.slots["iso"] == slots["iso"]
        if told == ("press",):
            assert exists


def test_a_single_character_has_no_weights_to_even_out():
    assert "evened" not in whole(t="5", temp=5.0).summary


def test_a_row_explains_itself_only_where_it_copies_no_character():
    # The digits are copied, the 6 is made of a j, and a hyphen of weights everywhere.
    said = [said_of_row(view(t="15 Jun 2024", row=row)) for row in (9, 7, 8)]
    assert said[0] == "Symbol 9 reads “1” 0.99. It writes “1” (1.00), not “0” (0.00)."
    assert said[1].endswith("not “7” (0.00), from “j” and the decoder's state.")
    assert said[2].endswith(", from the average of what it reads.")


def test_a_row_names_its_two_likeliest_symbols():
    likely, which = dates.read("04/03/2024").chances[6].topk(2)
    assert which.tolist() == [3, 4]
    assert [f"{chance:.2f}" for chance in likely] == ["0.55", "0.44"]
    said = said_of_row(view(t="04/03/2024"))
    assert "It writes “3” (0.55), not “4” (0.44), from the average of what it reads." in said
    # March and May both have an a.
    assert "It writes “5” (0.98), not “3” (" in said_of_row(view(t="15 May 2024"))


def test_the_heaviest_weight_may_lie_on_another_digit_than_the_row_writes():
    read = view(t="01/08/2024")
    row = read.parts["map"]["rows"][6]
    assert read.slots["text"][row.index(max(row))] == "8" != read.slots["iso"][6]
    assert said_of_row(read).startswith("Symbol 7 reads “1” 0.48 ")
    assert said_of_row(read).endswith(", from the average of what it reads.")


def test_the_largest_weights_of_a_row_are_written_out_in_the_order_of_the_text():
    read = view(t="04/03/2024", temp=2.0)
    # They add up to 1 as they are written.
    assert said_of_row(read).startswith(
        "Symbol 7 reads “4” (no. 1) 0.39 · “3” 0.39 · others 0.22. "
    )
    # Less than 0.05 is left out, also what is left of it all, and no more than three are named.
    assert said_of_row(view(t="15 March 2024", row=9)).startswith("Symbol 9 reads “1” 0.97. ")
    # A space is seen, and told from the other one.
    assert said_of_row(view(t="15 March 2024", row=8)).startswith(
        "Symbol 8 reads “1” 0.23 · “␣” (no. 2) 0.49 · “0” 0.09 · others 0.19. "
    )


def test_characters_that_are_equal_are_told_apart_in_every_language():
    said = {"en": "“a” (no. 3)", "vi": "“a” (thứ 3)", "ko": "3번째 “a”", "zh": "第3个“a”"}
    for language in LANGUAGES:
        attn_lib.set_language(language)
        looked = _written_out("abaxa", [0.1, 0.0, 0.2, 0.0, 0.7])
        plain = looked.replace("\N{NO-BREAK SPACE}", " ").replace("\N{WORD JOINER}", "")
        assert plain.endswith(f" · {said[language]} 0.70")
    attn_lib.set_language("en")


def test_a_row_with_no_weight_to_speak_of_names_no_character():
    said = said_of_row(view(t="ngày năm tháng năm năm 2005", temp=100.0))
    assert " reads no character with a weight of 0.05 or more. " in said
    assert said.endswith(", from the average of what it reads.")
    said = said_of_row(view(t="march", m=0))
    assert " reads no character. " in said
    assert said.endswith(", from the decoder's state alone.")


def test_only_a_sure_model_is_said_to_be_sure():
    for settings, said in (
        ({"see": "15 m__ch 2024"}, "It can be sure and wrong"),
        ({"see": "15 _arch 2024", "temp": 100.0}, "Here it is unsure as well"),
        ({"see": "_" * 13}, "Here it is unsure as well"),
    ):
        assert said in FIGURE.sentences(whole(**settings))


def said_of_row(shown):
    said = words("dates")["sentences"]["row"].format(**shown.slots)
    return said.replace("\N{NO-BREAK SPACE}", " ")


def test_every_symbol_has_its_part_of_the_date_in_every_language():
    assert [len(list(run)) for _, run in itertools.groupby(FIELDS)] == [4, 1, 2, 1, 2]
    for language in LANGUAGES:
        attn_lib.set_language(language)
        page_of = page.render(FIGURE, FIGURE.state(), view(), with_controls=False)
        body = page_of[: page_of.index("attn-surprise")]
        own = words("dates")["sentences"]
        shown = re.findall(r'<span class="attn-field" style="--rows:(\d)">([^<]+) </span>', body)
        assert shown == [("4", own["year"]), ("2", own["month"]), ("2", own["day"])]
    attn_lib.set_language("en")


@pytest.mark.parametrize("language", dates.LANGUAGES)
def test_the_month_is_found_where_it_was_written(language):
    for date in dates.write_dates(500, random.Random(8), language):
        # 05/05/2024: either field may be meant.
        if not date.ambiguous and date.iso[5:7] != date.iso[8:]:
            assert month_span(dates.normalise(date.text)) == date.spans["month"], date.text


@pytest.mark.parametrize("text", ["", "  ", "x" * 65, "1\n2"])
def test_a_line_of_the_wrong_length_is_no_setting(text):
    with pytest.raises(ValueError, match="t must be 1 to 64 characters"):
        FIGURE.state(t=text)


def test_a_link_carries_any_line():
    assert isinstance(FIGURE.controls[0], Line)
    assert FIGURE.fragment({"t": "3/4, (5)"}) == "#dates?t=3%2F4%2C%20(5)"
