"""The shadows of four keys on the direction of the query, and what a distance adds to them."""

from attn_lib import dot_product_scores, gaussian_scores
from attn_lib.examples import four_words
from book.pictures.canvas import HALF, MINUS, Canvas, show
from book.pictures.grammar import Plane

TABLE, CELL = 254, 54
RULER = 1.5  # how far the ruler lies beside the plane's diagonal, along and across


def draw() -> Canvas:
    """Draw the picture."""
    vectors = four_words.keys()
    query = vectors[:1][None]
    dots = dot_product_scores(query, vectors[None], scaled=False)[0, 0].tolist()
    gaussian = gaussian_scores(query, vectors[None])[0, 0].tolist()
    key_terms = (-vectors.square().sum(1) / 2).tolist()
    query_term = key_terms[0]  # the query is the first key
    assert dots == [2, 0, 0, -2]
    assert gaussian == [0, -2, -2, -4]
    assert gaussian == [a + b + query_term for a, b in zip(dots, key_terms, strict=True)]

    canvas = Canvas(292)
    _shadows(canvas, vectors.tolist(), dots)

    for j in range(4):
        canvas.symbol(TABLE + (j + 0.5) * CELL, 16, "k", j + 1, fill="k", vector=True)
    rows = (
        (gaussian, "", (f"{MINUS}{HALF} ||", "q:q", f" {MINUS} ", "k_j:k", "||^2")),
        (dots, "", ("=  ", "q:q", " · ", "k_j:k")),
        (key_terms, "k", (f"{MINUS}  {HALF} ||", "k_j:k", "||^2")),
    )
    for i, (values, role, pieces) in enumerate(rows):
        canvas.formula(TABLE, 46 + 64 * i, *pieces, anchor="start")
        canvas.matrix(TABLE, 60 + 64 * i, [values], role, width=CELL, height=28)
    # One cell for all keys: whatever it holds, the softmax removes it.
    canvas.formula(TABLE, 238, f"{MINUS}  {HALF} ||", "q:q", "||^2", anchor="start")
    canvas.cell(TABLE, 252, 4 * CELL, 28, "", "q")
    canvas.line([(TABLE - 3, 246), (TABLE + 76, 229)], "bad", 3)
    canvas.line([(TABLE + 8, 276), (TABLE + 4 * CELL - 8, 256)], "bad", 3)
    canvas.rect(TABLE + 2 * CELL - 18, 255, 36, 22, "q-tint", None)
    canvas.number(TABLE + 2 * CELL, 266, show(query_term, 0))
    return canvas


def _shadows(canvas: Canvas, keys: list[list[float]], dots: list[float]) -> None:
    """Keys throw shadows on a ruler that lies along the query, in units of the score."""
    plane = Plane(canvas, 120, 148, 112, 49, "panel", (-40, -40))
    query = keys[0]
    ends = [(RULER + t, t - RULER) for t in (-1.3, 1.3)]
    canvas.line([plane.at(end) for end in ends], "q", 2.5)
    for x, y in keys:
        along = (x + y) / 2
        foot = (RULER + along, along - RULER)
        canvas.line([plane.at((x, y)), plane.at(foot)], "line", 1.25, dash="4 3")
    for j, key in enumerate(keys, start=1):
        plane.vector(key, "k", 2.5)
        tip = plane.at(key)
        beside = ((13, -13), (16, -10), (4, -16), (-8, 17))[j - 1]
        canvas.symbol(tip[0] + beside[0], tip[1] + beside[1], "k", j, fill="k", vector=True)
    plane.vector([0.62 * x for x in query], "q", 4, head=13)
    middle = plane.at([0.3, 0.3])
    canvas.symbol(middle[0] - 14, middle[1] - 12, "q", fill="q", vector=True)
    for along, score in {key[0] + key[1]: dot for key, dot in zip(keys, dots, strict=True)}.items():
        foot = plane.at((RULER + along / 2, along / 2 - RULER))
        canvas.line([(foot[0] - 5, foot[1] - 5), (foot[0] + 5, foot[1] + 5)], "q", 2.5)
        canvas.number(foot[0] + 13, foot[1] + 15, show(score, 0), bold=True)
