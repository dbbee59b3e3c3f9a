"""Cuts a text into pieces: of all cuts, the one whose pieces are together the most probable."""

import unicodedata
from collections.abc import Mapping

LONGEST = 16  # letters of a piece
UNKNOWN = "<unk>"
_UNKNOWN_CHANCE = -30.0  # the log probability of a letter that no piece has


def cut(text: str, pieces: Mapping[str, tuple[int, float]]) -> list[str]:
    """Cut a text into pieces whose log probabilities have the largest sum.

    A piece that begins a word begins with ``▁``. The best cut of a text ends in some piece, and
    what is before that piece is cut best as well (Viterbi).

    Args:
        text: any text.
        pieces: each piece with its number and its log probability.

    Returns:
        the pieces in their order; a letter that no piece has is ``<unk>``.

    Source:
        Kudo (2018), Subword Regularization, section 3.2.

    Example:
        >>> cut("a cat", {"▁a": (0, -2.0), "▁": (1, -4.0), "c": (2, -5.0), "at": (3, -5.0)})
        ['▁a', '▁', 'c', 'at']
    """
    line = "▁" + "▁".join(unicodedata.normalize("NFKC", text).split())
    # For each length: the best sum, the last piece, and where it begins.
    best: list[tuple[float, str, int]] = [(0.0, "", 0)]
    for end in range(1, len(line) + 1):
        ways = []
        for start in range(max(0, end - LONGEST), end):
            piece = line[start:end]
            if piece in pieces:
                ways.append((best[start][0] + pieces[piece][1], piece, start))
            elif end - start == 1:
                ways.append((best[start][0] + _UNKNOWN_CHANCE, UNKNOWN, start))
        best.append(max(ways))
    found: list[str] = []
    end = len(line)
    while end:
        _, piece, end = best[end]
        found.append(piece)
    return found[::-1]
