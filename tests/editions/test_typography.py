"""What a Vietnamese page keeps on one line, and what may still break."""

import pytest

from book._ext.typography import tied


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
