"""The date reader: its dates, what it declines, how well it reads, and that it learns."""

import json
import random
import re
from calendar import monthrange

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_lib.examples import dates
from attn_lib.examples.dates import checkpoint, measure, write
from attn_lib.examples.dates.alphabet import END, LETTERS, check_text
from attn_lib.examples.dates.model import START, VALUES, make_attention

NAMES = ("additive", "dot", "none", "past", "recent", "states")


def held_out(language: str, count: int = 300) -> list[dates.WrittenDate]:
    """Dates of a seed that no model was trained on, without those that have two readings."""
    written = dates.write_dates(count, random.Random(2026), language)
    return [date for date in written if not date.ambiguous]


@pytest.mark.parametrize("language", dates.LANGUAGES)
def test_a_written_date_says_where_its_parts_stand(language: str) -> None:
    for date in dates.write_dates(400, random.Random(1), language):
        year, month, day = map(int, date.iso.split("-"))
        assert 1 <= day <= monthrange(year, month)[1]
        assert date.language == language
        assert set(date.spans) == {"year", "month", "day"}
        assert check_text(date.text) == dates.normalise(date.text) != ""
        for part, number in (("year", year), ("month", month), ("day", day)):
            first, end = date.spans[part]
            written = date.text[first:end]
            assert written == written.strip() != ""
            if written.isascii() and written.isdigit():
                short = part == "year" and len(written) == 2
                assert int(written) == (number % 100 if short else number)


def test_the_same_generator_state_writes_the_same_dates() -> None:
    assert dates.write_dates(50, random.Random(3)) == dates.write_dates(50, random.Random(3))
    assert dates.write_dates(50, random.Random(3)) != dates.write_dates(50, random.Random(4))


def test_years_keep_to_their_limits_and_favour_our_time() -> None:
    years = [int(d.iso[:4]) for d in dates.write_dates(2000, random.Random(0))]
    assert min(years) < 1100
    assert max(years) > 2900
    assert 0.5 < sum(1900 <= year <= 2099 for year in years) / 2000 < 0.6
    ours = dates.write_dates(500, random.Random(0), years=(1900, 2099))
    assert {date.iso[:2] for date in ours} == {"19", "20"}


@pytest.mark.parametrize("language", dates.LANGUAGES)
def test_two_digits_stand_for_the_years_1970_to_2069_and_for_no_other(language: str) -> None:
    short = {
        (digits, int(date.iso[:4]))
        for date in dates.write_dates(20_000, random.Random(2), language, years=(1900, 2099))
        if re.fullmatch("[0-9]{2}", digits := date.text[slice(*date.spans["year"])])
    }
    assert short == {(f"{year % 100:02}", year) for year in range(1970, 2070)}


def test_the_same_text_means_two_days_and_both_are_written() -> None:
    meant = {
        date.iso
        for language in ("en", "vi")
        for seed in range(3000)
        for month, day in ((4, 3), (3, 4))
        for date in [write.write_date(2024, month, day, language, random.Random(seed), 0)]
        if date.text == "03/04/2024"
    }
    assert meant == {"2024-04-03", "2024-03-04"}


@pytest.mark.parametrize(
    ("text", "ambiguous"), [("03/04/2024", True), ("04/04/2024", False), ("13/04/2024", False)]
)
def test_a_date_is_ambiguous_where_day_and_month_could_be_exchanged(
    text: str, ambiguous: bool
) -> None:
    day, month, year = text.split("/")
    assert dates.WrittenDate(text, f"{year}-{month}-{day}", "vi", {}).ambiguous == ambiguous


def test_korean_and_vietnamese_numbers_follow_their_irregular_forms() -> None:
    rng = random.Random(0)
    assert [write.korean(n, "month") for n in (5, 6, 10, 12)] == ["오", "유", "시", "십이"]
    assert [write.korean(n, "year") for n in (1999, 2024, 1010)] == [
        "천구백구십구",
        "이천이십사",
        "천십",
    ]
    assert [write.vietnamese(n, "day", rng) for n in (5, 15, 21, 30)] == [
        "năm",
        "mười lăm",
        "hai mươi mốt",
        "ba mươi",
    ]
    assert write.vietnamese(4, "month", rng) == "tư"
    assert [write.chinese(n, "day", rng) for n in (5, 10, 15, 31)] == [
        "五",
        "十",
        "十五",
        "三十一",
    ]
    assert write.without_tones("ngày mười lăm, đêm") == "ngay muoi lam, dem"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: dates.write_dates(1, random.Random(0), "fr"),
            "language must be one of en, vi, ko",
        ),
        (lambda: dates.write_dates(1, random.Random(0), years=(2000, 1999)), "years must rise"),
        (lambda: dates.read(""), "text must have at least 1 character that is no space. Got ''."),
        (lambda: dates.read("  "), "at least 1 character"),
        (lambda: dates.read("1" * 65), "text must have at most 64 characters. Got 65."),
        (lambda: dates.read("廿三日"), "only characters of the training dates. Got '廿'."),
        (lambda: dates.read("15\n3 2024"), "Got '\\\\n'"),
        (lambda: dates.load("big"), "name must be one of additive, "),
        (lambda: dates.DateReader(score="cosine"), "score must be one of additive, dot, none. Got"),
        (lambda: dates.DateReader(values="keys"), "values must be one of letters, states, past"),
        (lambda: dates.read_all(["2024-03-15"], temperature=0), "temperature must be finite and"),
        (lambda: dates.read_all(["2024-03-15"], allow=[[1.0] * 9]), "allow must have 10 factors"),
        (lambda: dates.read_all(["2024-03-15"], allow=[]), "allow must have a row for each of"),
    ],
)
def test_bad_input_is_refused_by_name(call, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        call()


def test_a_text_must_be_a_string() -> None:
    with pytest.raises(TypeError, match=r"text must be a str\. Got int"):
        dates.read(20240315)


def test_what_looks_equal_is_encoded_equally() -> None:
    assert dates.normalise("15 March ’24") == dates.normalise("15 March ‘24") == "15 march '24"
    composed, lens = dates.encode(["Ngày 15 tháng 3 năm 2024"])
    for same in ("ngày 15 tháng 3 năm 2024", "ＮＧÀＹ １５ tháng 3 năm 2024 "):
        letters, length = dates.encode([same])
        torch.testing.assert_close(letters, composed)
        torch.testing.assert_close(length, lens)


@given(st.text(max_size=80) | st.text(alphabet=LETTERS[1:], max_size=70))
def test_any_text_is_read_or_refused(text: str) -> None:
    typed = dates.normalise(text).strip()
    if not typed or len(typed) > dates.LONGEST or dates.unknown_letters(typed):
        with pytest.raises(ValueError, match=r"^text must have "):
            dates.read(text)
    else:
        reading = dates.read(text)
        assert len(reading.iso) == 10
        assert reading.weights.shape == (10, len(typed))


def test_letters_hold_the_end_mark_once_and_every_unknown_letter_is_named() -> None:
    assert LETTERS[0] == END
    assert len(set(LETTERS)) == len(LETTERS)
    assert dates.unknown_letters("廿三日廿ß") == "廿ß".lower()


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("20240315", "2024-03-15"),
        ("3/15/24", "2024-03-15"),
        ("15/3/24", "2024-03-15"),
        ("ngày 15/3/24", "2024-03-15"),
        ("15-Mar-24", "2024-03-15"),
        ("15 March '24", "2024-03-15"),
        ("15 March ’24", "2024-03-15"),
        ("Mar 15, ’99", "1999-03-15"),
        ("24년 3월 15일", "2024-03-15"),
        ("‘24. 3. 15.", "2024-03-15"),
        ("24年3月15日", "2024-03-15"),
        ("first of May 2024", "2024-05-01"),
        ("the twenty-first of May 2024", "2024-05-21"),
        ("May third, 2024", "2024-05-03"),
        ("15/3/69", "2069-03-15"),
        ("15/3/70", "1970-03-15"),
    ],
)
@pytest.mark.parametrize("name", ["additive", "dot"])
def test_short_forms_are_read_by_their_convention(name: str, text: str, iso: str) -> None:
    assert dates.read(text, dates.load(name)).iso == iso


@pytest.mark.parametrize("language", dates.LANGUAGES)
@pytest.mark.parametrize(("name", "at_least"), [("additive", 0.99), ("dot", 0.98)])
def test_the_stored_models_read_dates_they_have_never_seen(
    language: str, name: str, at_least: float
) -> None:
    written = held_out(language)
    readings = dates.read_all([date.text for date in written], dates.load(name))
    assert measure.exact_share(readings, written) >= at_least
    assert measure.span_share(readings, written) > 0.9 > 3 * measure.chance_share(written)


def test_weights_are_rows_that_sum_to_one_and_reach_no_padding() -> None:
    readings = dates.read_all(["2024年3月15日", "ngày mười lăm tháng ba năm 2024"])
    for reading in readings:
        torch.testing.assert_close(reading.weights.sum(1), torch.ones(10))
        alone = dates.read(reading.text)
        assert alone.iso == reading.iso == "2024-03-15"
        torch.testing.assert_close(alone.weights, reading.weights, atol=1e-5, rtol=0)
        torch.testing.assert_close(alone.confidence, reading.confidence, atol=1e-5, rtol=0)


@pytest.mark.parametrize("name", NAMES)
def test_reading_step_by_step_agrees_with_one_call_of_the_model(name: str) -> None:
    model = dates.load(name)
    reading = dates.read("the 9th of November 1989", model)
    letters, lens = dates.encode([reading.text])
    symbols = [int(c) if c != "-" else 10 for c in reading.iso]
    with torch.no_grad():
        logits = model(letters, lens, torch.tensor([[START, *symbols[:-1]]]))
    probability, best = logits.softmax(2).max(2)
    assert best[0].tolist() == symbols
    torch.testing.assert_close(probability[0], reading.confidence, atol=1e-5, rtol=0)
    torch.testing.assert_close(
        model.attention.attention_weights[0, :, : len(reading.text)],
        reading.weights,
        atol=1e-5,
        rtol=0,
    )


def test_hidden_characters_get_no_weight() -> None:
    text = "15 March 2024"
    allow = [0.0 if 3 <= j < 8 else 1.0 for j in range(len(text))]
    hidden = dates.read_all([text], allow=[allow])[0]
    assert (hidden.weights[:, 3:8] == 0).all()
    torch.testing.assert_close(hidden.weights.sum(1), torch.ones(10))
    dark = dates.read_all([text], allow=[[0.0] * len(text)])[0]
    assert (dark.weights == 0).all()
    assert len(dark.iso) == 10


def test_a_high_temperature_makes_the_weights_equal() -> None:
    weights = dates.read_all(["2024-03-15"], temperature=1e6)[0].weights
    torch.testing.assert_close(weights, torch.full((10, 10), 0.1), atol=1e-4, rtol=0)


def test_what_a_month_hides_depends_on_the_values() -> None:
    written = [date for language in dates.LANGUAGES for date in held_out(language, 100)]
    share = {name: measure.hidden_month_share(written, dates.load(name)) for name in NAMES}
    assert share["additive"] < 0.2 < share["past"]
    for name in ("additive", "states", "past"):  # the control: hiding alone breaks no month
        assert measure.hidden_month_share(written, dates.load(name), "day") > 0.99


def test_a_share_of_all_digits_hides_the_rows_of_the_month() -> None:
    written = [date for language in dates.LANGUAGES for date in held_out(language, 100)]
    readings = dates.read_all([date.text for date in written], dates.load("past"))
    parts = {part: measure.span_share(readings, written, [part]) for part in measure.ROWS}
    rows = [row for part in measure.ROWS for row in measure.sourced_rows(written[0], [part])]
    assert sorted(rows) == sorted(measure.sourced_rows(written[0]))
    assert parts["month"] < 0.7 < measure.span_share(readings, written) < 0.9 < parts["year"]


def test_without_attention_a_model_reads_worse() -> None:
    written = held_out("en")
    texts = [date.text for date in written]
    blind = measure.exact_share(dates.read_all(texts, dates.load("none")), written)
    assert blind < 0.9
    uniform = measure.exact_share(dates.read_all(texts, temperature=1e6), written)
    assert uniform < 0.02


def test_a_model_of_our_time_moves_another_year_into_it() -> None:
    for text in ("14 July 1789", "1789-07-14", "1789年7月14日"):
        moved = dates.read(text, dates.load("recent"))
        assert moved.iso[:2] in ("19", "20")
        assert moved.iso[3:] == "9-07-14"
        assert dates.read(text).iso == "1789-07-14"


@pytest.mark.slow
@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("score", ["additive", "dot", "none"])
def test_a_short_training_lowers_the_loss(score: str, values: str) -> None:
    torch.manual_seed(0)
    losses: list[float] = []
    model = dates.DateReader(score, values)
    dates.train(model, 12, batch_size=32, progress=lambda _, loss: losses.append(loss))
    assert sum(losses[-3:]) < 0.9 * sum(losses[:3])
    assert not model.training


def test_a_stored_model_is_the_rounded_one(tmp_path) -> None:
    torch.manual_seed(0)
    model = dates.DateReader("dot", "past")
    checkpoint.save(model, tmp_path / "dot.json")
    again = checkpoint.load_file(tmp_path / "dot.json")
    assert (again.score, again.values) == ("dot", "past")
    for (name, was), now in zip(
        model.state_dict().items(), again.state_dict().values(), strict=True
    ):
        half_a_step = was.abs().max().item() / 127 / 2
        torch.testing.assert_close(now, was, atol=half_a_step * 1.001, rtol=0, msg=name)
    checkpoint.save(again, tmp_path / "again.json")
    third = checkpoint.load_file(tmp_path / "again.json")
    for now, then in zip(again.state_dict().values(), third.state_dict().values(), strict=True):
        torch.testing.assert_close(now, then)


def test_a_model_of_another_alphabet_is_refused(tmp_path) -> None:
    stored = json.loads((checkpoint.FOLDER / "additive.json").read_text(encoding="utf-8"))
    path = tmp_path / "old.json"
    path.write_text(json.dumps(stored | {"letters": "abc"}), encoding="utf-8")
    with pytest.raises(ValueError, match=r"old\.json must know the"):
        checkpoint.load_file(path)


def test_no_attention_weighs_all_keys_alike() -> None:
    attention = make_attention("none")
    keys = torch.randn(2, 5, 48)
    attention(torch.randn(2, 3, 48), keys, keys, torch.tensor([5, 2]))
    assert attention.attention_weights[0].unique().tolist() == pytest.approx([0.2])
    assert attention.attention_weights[1, 0].tolist() == [0.5, 0.5, 0, 0, 0]


def test_a_hyphen_and_a_filling_zero_have_no_source() -> None:
    date = dates.WrittenDate("3 May 2024", "2024-05-03", "en", {"month": (2, 5), "day": (0, 1)})
    assert list(measure.sourced_rows(date)) == [(6, (2, 5)), (9, (0, 1))]
    assert measure.chance_share([date]) == pytest.approx((0.3 + 0.1) / 2)
    assert measure.hide(date, "month") == [1, 1, 0, 0, 0, 1, 1, 1, 1, 1]
