"""What a Vietnamese page keeps on one line, and what may still break."""

import pytest

from book._ext.typography import _parts, tied


@pytest.mark.parametrize(
    "text",
    [
        "(B,~Q,~K)",
        "(0.5,~−2)",
        "khoảng 30~phút",
        "chiếm 16~MiB",
        "Bahdanau, mục~3.1",
        "chương~6",
        "phụ lục~A.1.2",
        "Q~=~K~=~512",
        "“mèo kêu~␣~␣”",
    ],
)
def test_what_is_read_as_one_thing_stays_on_one_line(text):
    assert tied(text.replace("~", " ")) == text.replace("~", "\u00a0")


@pytest.mark.parametrize(
    "text",
    ["(attention; d2l-vi gọi là khác)", "(cộng, tanh, nhân)", "chương sau", "2 và 6", "từ 0 đến 1"],
)
def test_other_words_may_break(text):
    assert tied(text) == text


def test_a_hyphened_word_and_a_date_are_spans_of_their_own():
    parts = _parts("mạng nơ-ron viết 2024-03-15.")
    assert [part.astext() for part in parts] == ["mạng ", "nơ-ron", " viết ", "2024-03-15", "."]
    assert [part["classes"] for part in parts[1::2]] == [["attn-unbroken"]] * 2
