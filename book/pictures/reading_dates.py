"""A trained reader in the middle of a date: characters in, one symbol out, and where it looked."""

from attn_lib.examples import dates
from book.pictures.canvas import Canvas, short, show
from book.pictures.grammar import alpha, curve, flow, flows, score_box, softmax

TEXT, STEP = "15 May 2024", 6  # the symbol of this step is the second digit of the month
LEFT, CELL = 36, 34
BETWEEN = 40  # from one state of the decoder to the next
READ, KEYS, SCORE, SOFT, WEIGHTS, VALUES, STATES, WRITTEN = 14, 66, 112, 168, 190, 242, 338, 368


def draw() -> Canvas:
    """Draw the picture."""
    reading = dates.read(TEXT)
    weights = reading.weights[STEP].tolist()
    assert reading.iso == "2024-05-15"
    assert [show(weights[j]) for j in (4, 5)] == ["0.55", "0.43"]
    assert [show(w) for w in weights if w > 0.02] == ["0.55", "0.43"]

    canvas = Canvas(412)
    count = len(TEXT)
    middles = [LEFT + (j + 0.5) * CELL for j in range(count)]
    states = [LEFT + 20 + t * BETWEEN for t in range(len(reading.iso))]
    centre, width = LEFT + count * CELL / 2, count * CELL

    for x, weight in zip(middles, weights, strict=True):
        flow(canvas, (x, WEIGHTS + 28), (x, VALUES + 4), weight)
    flows(canvas, middles, VALUES + 24, (states[STEP], STATES - 17), weights)
    for x, letter, weight in zip(middles, TEXT, weights, strict=True):
        canvas.rect(x - CELL / 2, READ, CELL, 30)
        canvas.rect(x - CELL / 2 + 3, KEYS, CELL - 6, 26, "k-tint", "k", 1.5, round=6)
        canvas.rect(x - CELL / 2 + 3, VALUES, CELL - 6, 26, "v-tint", "v", 1.5, round=6)
        if letter != " ":
            canvas.number(x, READ + 15, letter, bold=True)
            canvas.number(x, VALUES + 13, letter, "v")
        canvas.arrow((x, READ + 31), (x, KEYS - 1), "k")
        canvas.arrow((x, KEYS + 27), (x, SCORE - 1), "k", 1, 6)
        canvas.weight(
            x - CELL / 2, WEIGHTS, CELL, 28, weight, short(weight) if weight > 0.02 else ""
        )
    end = LEFT + count * CELL
    canvas.masked(end, READ, CELL, 30, "")
    canvas.masked(end + 3, KEYS, CELL - 6, 26, "")
    canvas.masked(end, WEIGHTS, CELL, 28)
    canvas.masked(end + 3, VALUES, CELL - 6, 26, "")
    for x in (*middles[1:], end + CELL / 2):  # the encoder reads in both directions
        for y in (KEYS + 9, KEYS + 17):
            canvas.line([(x - CELL / 2 - 3, y), (x - CELL / 2 + 3, y)], "k", 1.5)

    score_box(canvas, centre - width / 2, SCORE, width, 34, middles)
    curve(canvas, centre, SCORE + 17, 15, 11)
    softmax(canvas, centre, SOFT, width)

    for t, x in enumerate(states):
        done = t <= STEP
        if t:
            canvas.arrow(
                (states[t - 1] + 12, STATES),
                (x - (18 if t == STEP else 13), STATES),
                "q" if done else "hair",
            )
        if t == STEP:
            canvas.circle(x, STATES, 17, "q", "q")
            canvas.symbol(x, STATES, "q", fill="page", vector=True)
        else:
            canvas.circle(x, STATES, 12, "q-tint" if done else "page", "q" if done else "hair")
        edge = "ink" if t == STEP else "line" if done else "hair"
        canvas.rect(x - 16, WRITTEN, 32, 30, "page", edge, 2 if t == STEP else 1)
        if done:
            canvas.number(x, WRITTEN + 15, reading.iso[t], bold=t == STEP)
    # The query goes up the right side to the score.
    rail, x = end + CELL + 20, states[STEP]
    canvas.line(
        [(x + 14, STATES - 10), (x + 30, STATES - 26), (rail, STATES - 26), (rail, SCORE + 17)],
        "q",
        2,
    )
    canvas.arrow((rail, SCORE + 17), (end + 2, SCORE + 17), "q", 2)

    canvas.symbol(18, KEYS + 13, "k", fill="k", vector=True)
    alpha(canvas, 18, WEIGHTS + 14)
    canvas.symbol(18, VALUES + 13, "v", fill="v", vector=True)
    return canvas
