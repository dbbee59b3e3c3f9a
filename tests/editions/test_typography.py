"""book._ext.typography finds what no line may break, and nothing else."""

import pytest

from book._ext.typography import unbroken


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
