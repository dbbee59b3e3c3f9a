"""A sign for each chapter: the same before its question on the index, in its title, at its link.

A sign is a square of 48 units, drawn in lines of 2 in the colour of the text. Exactly one thing is
filled, in the colour of weight: what deserves attention in that chapter. What is dashed is absent.
There are no letters, so one sign serves every language, and no words, since it stands beside words.
"""

from collections.abc import Iterable
from math import cos, exp, radians, sin

SIZE = 48
MIDDLE = SIZE / 2


def svg(page: str) -> str:
    """The sign of a page as a part of another page, "" for a page without one."""
    if page not in SIGNS:
        return ""
    frame = f'class="attn-sign" viewBox="0 0 {SIZE} {SIZE}" aria-hidden="true"'
    return f"<svg {frame}>{SIGNS[page]}</svg>"


def _line(path: str, *, dashed: bool = False, width: float = 2) -> str:
    dash = ' stroke-dasharray="2 4"' if dashed else ""
    thick = "" if width == 2 else f' stroke-width="{width:g}"'
    return f'<path d="{path}"{dash}{thick}/>'


def _ring(x: float, y: float, radius: float) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'


def _weight(path: str) -> str:
    """The one thing that is filled."""
    return f'<path class="w" d="{path}"/>'


def _disc(x: float, y: float, radius: float) -> str:
    return f'<circle class="w" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'


def _box(x: float, y: float, width: float, height: float) -> str:
    """The path of a rectangle."""
    return f"M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}z"


def _through(points: Iterable[tuple[float, float]]) -> str:
    """The path through some points."""
    return "M" + "L".join(f"{x:.3g} {y:.3g}" for x, y in points)


def _around(x: float, y: float, radius: float, degrees: float) -> tuple[float, float]:
    """The point of a circle at an angle, counted from the right, against the clock."""
    return x + radius * cos(radians(degrees)), y - radius * sin(radians(degrees))


def _arrow() -> str:
    """A query, and below it a key that is only a line."""
    query = "M10 35L28 17l-4-4L41 7l-6 17-4-4L13 38z"
    return _weight(query) + _line("M4 43H38M33 39l5 4-5 4")


def _bell() -> str:
    """A kernel over its line, and the one place that it weighs most."""
    bell = [(x, 43 - 36 * exp(-(((x - MIDDLE) / 8) ** 2) / 2)) for x in range(4, 45, 2)]
    return _weight(_box(20.5, 16, 7, 27)) + _line(_through(bell) + "M4 43H44")


def _shadow() -> str:
    """A key and, along the query, how far it reaches."""
    key = _line("M7 36L31 8M31 8l-9 3.5M31 8l-1.5 9.5")
    query = _line("M34 39H44M40 35l4 4-4 4")
    return key + _line("M31 21V35", dashed=True) + _weight(_box(7, 36, 24, 6)) + query


def _root() -> str:
    """A root, and under it what is divided."""
    return _line("M4 27l6-3 8 18L28 7H45") + _disc(36.5, 26, 6.5)


def _curves() -> str:
    """Two curves of tanh, one moved along, and a key between them."""
    curves = "M4 38C17 38 13 10 26 10M22 38C35 38 31 10 44 10"
    return _line(curves) + _disc(24, 24, 5.5)


def _crown() -> str:
    """A crown for one of several."""
    return _line("M7 40H41L44 14 33 24 24 8 15 24 4 14z") + _disc(24, 32, 4.5)


def _dial() -> str:
    """A dial that was turned: what counts is the difference."""
    start, end = _around(24, 24, 17, 90), _around(24, 24, 17, 25)
    wedge = f"M24 24L{start[0]:.1f} {start[1]:.1f}A17 17 0 0 1 {end[0]:.1f} {end[1]:.1f}z"
    return _weight(wedge) + _ring(24, 24, 20) + _line(_through([start, (24, 24), end]))


def _knob() -> str:
    """The knob of a loudspeaker, and the end of its scale."""
    left, right = _around(24, 27, 19, 215), _around(24, 27, 19, -35)
    scale = f"M{left[0]:.1f} {left[1]:.1f}A19 19 0 1 1 {right[0]:.1f} {right[1]:.1f}"
    tip, back = _around(24, 27, 10, 135), _around(24, 27, 2, -45)
    aside = [_around(back[0], back[1], 3.5, angle) for angle in (45, 225)]
    pointer = _through([aside[0], tip, aside[1]]) + "z"
    return _ring(24, 27, 12.5) + _line(f"{scale}M24 3V7") + _weight(pointer)


def _wall() -> str:
    """A key, a wall, and a key that is masked."""
    hidden = _line(_box(32, 16, 12, 16), dashed=True) + _line("M33 27l9-9M35 31l8-8", width=1.5)
    return _weight(_box(4, 16, 16, 16)) + _line("M26 5V43", width=4) + hidden


def _bin() -> str:
    """A bin, half full, for what nobody asked for."""
    outline = "M11 15l3 28H34l3-28M7 15H41M19 15V10H29V15"
    return _weight("M14 27H34L32.5 41h-17z") + _line(outline)


def _ballot() -> str:
    """A ballot half in its box."""
    return _weight("M17 5l15 3-2 14H14.5z") + _line("M10 22H6V43H42V22H38M10 22H38")


def _blocks() -> str:
    """Axes as blocks behind each other."""
    return _weight(_box(5, 19, 24, 24)) + _line("M12 15V12H36V36H33M19 8V5H43V29H40")


def _rows() -> str:
    """Two heads, each with a choice of its own."""
    rows = "M4 9H44V20H4zM4 28H44V39H4zM14 9V20M24 9V20M34 9V20M14 28V39M24 28V39M34 28V39"
    return _weight(_box(15, 10, 8, 9) + _box(35, 29, 8, 9)) + _line(rows)


def _die() -> str:
    """A die that shows five."""
    corners = "".join(_ring(x, y, 3) for x in (15, 33) for y in (15, 33))
    die = "M13 6H35a7 7 0 0 1 7 7V35a7 7 0 0 1-7 7H13a7 7 0 0 1-7-7V13a7 7 0 0 1 7-7z"
    return _line(die) + corners + _disc(24, 24, 5)


def _shared() -> str:
    """Three heads that look at one key."""
    heads = "".join(_ring(x, 9, 4) for x in (8, 24, 40))
    return heads + _line("M10 13L22 34M24 13V33M38 13L26 34") + _disc(24, 38, 5)


def _tile() -> str:
    """A tile that moves over a table which isn't there."""
    table = _line(_box(6, 6, 36, 36), dashed=True)
    return table + _weight(_box(6, 17, 14, 14)) + _line("M26 24H40M35 19l5 5-5 5")


def _calendar() -> str:
    """A day in a calendar."""
    days = "M12 29h2M19 29h2M12 36h2M19 36h2"
    return _line(f"M6 11H42V42H6zM6 20H42M15 6V13M33 6V13{days}") + _weight(_box(27, 26, 10, 10))


def _copy() -> str:
    """Two look-ups, one above the other: back by one place, and from the end to what came then."""
    lower = "M12 40C12 30 22 30 22 38M42 40C42 30 32 30 32 38"
    return (
        _line(f"M42 17C42 4 22 4 22 14M18.5 10.5l3.5 4 3.5-4{lower}")
        + _weight(_box(17, 19, 10, 9))
        + _line(_box(37, 19, 8, 9) + _box(7, 19, 6, 9))
    )


def _glass() -> str:
    """A magnifying glass over a table of weights."""
    table = _line("M13 13H27V27H13zM20 13V27M13 20H27", width=1.5)
    return _weight(_box(20, 20, 7, 7)) + table + _ring(20, 20, 15) + _line("M31 31L43 43", width=4)


def _beetle() -> str:
    """A beetle with one spot."""
    body = "M24 17C33 17 37 23 37 30S31 44 24 44 11 37 11 30 15 17 24 17V44"
    head = "M17.5 18C17.5 12 20 9.5 24 9.5S30.5 12 30.5 18M20 9.5L17 4M28 9.5L31 4"
    legs = "M11.5 25L5 21M11 32H4M13 38L7 43M36.5 25L43 21M37 32H44M35 38L41 43"
    return _line(body + head + legs) + _disc(30, 29, 3.5)


# In the order of the book. A chapter that does not exist yet has its sign ready.
SIGNS = {
    "queries-keys-values": _arrow(),
    "kernel-regression": _bell(),
    "dot-product-attention": _shadow(),
    "scaling": _root(),
    "masked-softmax": _wall(),
    "batched-products": _blocks(),
    "multi-head-attention": _rows(),
    "dropout": _die(),
    "additive-attention": _curves(),
    "choosing-a-scoring-function": _crown(),
    "position-in-the-score": _dial(),
    "many-keys": _knob(),
    "attention-sinks": _bin(),
    "beyond-softmax": _ballot(),
    "shared-keys": _shared(),
    "fast-attention": _tile(),
    "reading-dates": _calendar(),
    "a-model-that-writes": _copy(),
    "real-model": _glass(),
    "bug-museum": _beetle(),
}
