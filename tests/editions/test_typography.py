"""What no line may break, in pages and in figures, and nothing else."""

import pytest

from attn_lib.typography import JOINER, joined, kept_whole, tied
from book._ext.content.typography import unbroken


def whole(text: str, edition: str) -> list[str]:
    pieces = unbroken(text, edition)
    assert "".join(piece.astext() for piece in pieces) == text
    return [piece.astext() for piece in pieces if piece.tagname == "inline"]


@pytest.mark.parametrize("edition", ["en", "vi"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("形状为(B, Q, K)，即(2, 10, 8)。", ["(B, Q, K)", "(2, 10, 8)"]),
        ("“咬”是(−1, −1)", ["(−1, −1)"]),
        ("都变成2024-03-15。", ["2024-03-15"]),
        ("会产生64 MiB的张量，4.7 ms", ["64 MiB", "4.7 ms"]),
        ("Q = K = 512, U = 64", ["Q = K = 512", "U = 64"]),
        ("two words (see, for example), 3 small ones and (Q, K and V)", []),
    ],
)
def test_shapes_dates_units_and_equations_are_whole(text, expected, edition):
    assert whole(text, edition) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mạng nơ-ron, khoảng 30 phút", ["nơ-ron", "30 phút"]),
        ("Bahdanau, mục 3.1, phụ lục A.1.2", ["mục 3.1", "phụ lục A.1.2"]),
        ("xem chương 6 và dòng 2", ["chương 6", "dòng 2"]),
        ("“mèo kêu ␣ ␣”", ["kêu ␣ ␣"]),
        ("(attention; d2l-vi gọi là khác), chương sau, từ 0 đến 1", []),
    ],
)
def test_a_vietnamese_word_keeps_its_syllables_and_its_number(text, expected):
    assert whole(text, "vi") == expected
    assert whole(text, "en") == []


def test_a_korean_number_stays_with_what_it_names():
    assert whole("약 25분, 키 2와 쿼리 10, 새 2", "ko") == ["약 25", "키 2", "쿼리 10"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("‘고양이’의 값(value)과", "‘고양이’|의 값|(value)|과"),
        ("−∞이면 22~39%만 e⁻²⁰⁰까지", "−∞|이면 22~39%|만 e⁻²⁰⁰|까지"),
        ("나다라야-왓슨, 합·곱과 어텐션을", "나다라야-왓슨, 합·곱과 어텐션을"),
    ],
)
def test_a_korean_particle_stays_with_its_word(text, expected):
    assert joined(text).replace(JOINER, "|") == expected


def test_words_of_a_figure_keep_brackets_and_equations_together():
    text = kept_whole("(1, 0, t) or (2), such as (4, −2), o ÷ s = {page}").replace("\u00a0", "_")
    assert text == "(1,_0,_t) or (2), such as (4,_−2), o_÷_s_=_{page}"


def test_korean_words_of_a_figure_keep_what_is_one_thing():
    text = tied("키 2는 (1, −1)에서 d = 512, 0.50 MiB입니다").replace("\u00a0", "_")
    assert text.replace(JOINER, "|") == "키_2는 (1,_−1)|에서 d_=_512, 0.50_MiB입니다"
