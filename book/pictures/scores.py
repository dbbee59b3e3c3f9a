"""What became of each idea: the share of model files that have it, by the year of the file.

Grey, because these are shares of files and no attention weights. An idea has the short name by
which it goes in every language; its words stand in the table of the page.
"""

from book.atlas.census import IDEAS, YEARS, stored
from book.pictures.canvas import INDEX, Canvas

TOP, LEFT, WIDTH, HEIGHT = 46, 118, 70, 22


def draw() -> Canvas:
    """One row an idea, one column a year."""
    census = stored()
    sizes = census.sizes()
    canvas = Canvas(TOP + HEIGHT * len(IDEAS) + 6)
    for column, (year, size) in enumerate(zip(YEARS, sizes, strict=True)):
        middle = LEFT + (column + 0.5) * WIDTH
        canvas.number(middle, 13, year, bold=True, size=INDEX)
        canvas.number(middle, 33, str(size), "muted", size=INDEX)
    canvas.number(LEFT - 12, 33, "n =", "muted", size=INDEX, anchor="end")
    for row, idea in enumerate(IDEAS):
        y = TOP + row * HEIGHT
        canvas.number(LEFT - 12, y + HEIGHT / 2, idea.sign, size=INDEX, anchor="end")
        for column, (count, size) in enumerate(zip(census.counts(idea.name), sizes, strict=True)):
            at = (LEFT + column * WIDTH, y)
            canvas.share(*at, WIDTH, HEIGHT, round(100 * count / size))
    return canvas
