"""Two look-ups: each word takes the word before it as its tag, and the last word finds a tag."""

import torch

from attn_lib import masked_softmax
from attn_lib.examples import four_words
from book.pictures.canvas import Canvas, show
from book.pictures.grammar import Plane, alpha, score_box, softmax

LEFT, STEP, HALF = 88, 72, 26
WORDS, TAGS = 46, 136  # the middles of the words and of their tags
BOX = 178


def draw() -> Canvas:
    """Draw the picture."""
    words = four_words.keys()[[0, 1, 2, 3, 0]]
    tags = torch.cat((torch.zeros(1, 2), words[:-1]))
    scored = (tags @ words[-1]).reshape(1, 1, 5)
    weights = masked_softmax(scored)[0, 0].tolist()
    assert scored[0, 0].tolist() == [0, 2, 0, 0, -2]
    assert [show(weight) for weight in weights] == ["0.10", "0.70", "0.10", "0.10", "0.01"]

    canvas = Canvas(328)
    columns = [LEFT + j * STEP for j in range(5)]
    edge = columns[-1] + STEP / 2
    canvas.symbol(34, WORDS, "v", fill="v", vector=True)
    canvas.symbol(34, TAGS, "k", fill="k", vector=True)
    for j, (x, word) in enumerate(zip(columns, words.tolist(), strict=True)):
        last = j == 4
        if not last:  # the first look-up: one place back, whatever stands there
            canvas.arrow(
                (x + 14, WORDS + HALF + 3), (x + STEP - 14, TAGS - HALF - 3), "flow", 5, 12
            )
        Plane(canvas, x, WORDS, HALF, 17, "q-tint" if last else "v-tint").vector(
            word, "q" if last else "v"
        )
    for j, (x, tag) in enumerate(zip(columns, tags.tolist(), strict=True)):
        plane = Plane(canvas, x, TAGS, HALF, 17, "k-tint")
        if j:
            plane.vector(tag, "k")
        else:
            canvas.circle(x, TAGS, 4, "k")  # nothing stands before the first word
        canvas.arrow((x, TAGS + HALF), (x, BOX - 1), "k")
    far = edge + 34
    canvas.line([(columns[-1] + HALF, WORDS), (far, WORDS), (far, BOX + 17)], "q")
    canvas.arrow((far, BOX + 17), (edge + 2, BOX + 17), "q")
    canvas.symbol(far, WORDS - 22, "q", fill="q", vector=True)
    left = columns[0] - STEP / 2
    score_box(canvas, left, BOX, edge - left, 34, columns)
    canvas.formula((left + edge) / 2, BOX + 17, "q:q", " · ", "k:k")
    canvas.symbol(34, 232, "a")
    softmax(canvas, (left + edge) / 2, 262, edge - left)
    alpha(canvas, 34, 302)
    for x, score, weight in zip(columns, scored[0, 0].tolist(), weights, strict=True):
        canvas.number(x, 232, show(score, 0))
        canvas.weight(x - 34, 288, 68, 28, weight)
    return canvas
