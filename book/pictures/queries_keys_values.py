"""A soft look-up: the query *cats* against four keys, and the average of their values."""

import torch

from attn_lib import dot_product_scores, masked_softmax
from attn_lib.examples import four_words
from book.pictures.canvas import Canvas, show
from book.pictures.grammar import Plane, alpha, flow, flows, score_box, softmax

COLUMNS = (142, 236, 330, 424)
LEFT, RIGHT = 96, 470
VALUES, TOP, OUTPUT = 260, 312, 166  # where the values stand, and the top and middle of the output


def draw() -> Canvas:
    """Draw the picture."""
    vectors = four_words.keys()
    queries = vectors[:1][None]
    scored = dot_product_scores(queries, vectors[None], scaled=False)
    attention = masked_softmax(scored)
    keys, query = vectors.tolist(), vectors[0].tolist()
    scores, weights = scored[0, 0].tolist(), attention[0, 0].tolist()
    output = (attention @ vectors)[0, 0].tolist()
    assert scores == [2, 0, 0, -2]
    assert [show(weight) for weight in weights] == ["0.78", "0.10", "0.10", "0.01"]
    assert torch.allclose(torch.tensor(output), vectors[0].tanh())  # the check with a pencil

    canvas = Canvas(420)
    middle = (LEFT + RIGHT) / 2
    # Ribbons lie below everything, so they come first.
    for x, weight in zip(COLUMNS, weights, strict=True):
        flow(canvas, (x, 240), (x, VALUES), weight)
    flows(canvas, COLUMNS, VALUES + 20, (OUTPUT, TOP + 1), weights)

    Plane(canvas, 48, 56, 28, 18, "q-tint").vector(query, "q")
    canvas.symbol(48, 14, "q", fill="q", vector=True)
    for j, (x, key) in enumerate(zip(COLUMNS, keys, strict=True), start=1):
        Plane(canvas, x, 56, 28, 18, "k-tint").vector(key, "k")
        canvas.symbol(x, 14, "k", j, fill="k", vector=True)
        canvas.arrow((x, 86), (x, 104), "k")
    canvas.line([(48, 86), (48, 123)], "q")
    canvas.arrow((48, 123), (LEFT - 2, 123), "q")
    score_box(canvas, LEFT, 105, RIGHT - LEFT, 36, COLUMNS)
    canvas.formula(middle, 123, "q:q", " · ", "k:k")

    canvas.symbol(48, 162, "a")
    softmax(canvas, middle, 194, RIGHT - LEFT)
    alpha(canvas, 48, 231)
    for x, score, weight in zip(COLUMNS, scores, weights, strict=True):
        canvas.number(x, 162, show(score, 0))
        canvas.weight(x - 36, 217, 72, 28, weight)

    # The values are the corners of a square, which no average of them can leave.
    plane = Plane(canvas, OUTPUT, TOP + 51, 51, 35)
    corners = [plane.at(key) for key in (keys[0], keys[1], keys[3], keys[2])]
    canvas.line(corners, "v", 1, closed=True, fill="v-tint")
    plane.vector(output, "ink", 3.5, head=12)
    for j, (x, value) in enumerate(zip(COLUMNS, keys, strict=True), start=1):
        canvas.rect(x - 17, VALUES - 1, 34, 26, "v-tint", "v", 1.5, round=6)
        canvas.symbol(x, VALUES + 11, "v", j, fill="v", vector=True)
        corner = plane.at(value)
        canvas.circle(*corner, 4.5, "v")
        side = 70 if value[0] > 0 else -70
        canvas.symbol(OUTPUT + side, corner[1], "v", j, fill="v", vector=True)
    canvas.symbol(OUTPUT + 142, TOP + 51, "o", vector=True)
    text = f"({show(output[0])}, {show(output[1])})"
    canvas.number(OUTPUT + 156, TOP + 52, text, anchor="start")
    return canvas
