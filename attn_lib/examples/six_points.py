"""Six points with a gap, and the widths to try: a figure fits them, and so does an exercise."""

#: The points (x, y), as figures and exercises fit them.
POINTS = ((0, 1), (1, 3), (2, 2), (3, 4), (7, 6), (8, 5))
WIDTHS = (0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 5, 10)
