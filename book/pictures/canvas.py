"""What a picture is drawn on: marks, type and cells, 480 units wide, as text of an SVG file.

One unit is one pixel in the column of a page; on a phone 480 units fill the width. `x` and `y`
are the middle of a piece of text and the upper left corner of a rectangle.
"""

import math
from collections.abc import Sequence

from book.pictures.palette import styles

WIDTH = 480
SYMBOL, INDEX, NUMBER = 20, 15, 16  # sizes of type; nothing is smaller than an index
MINUS, INFINITY, ALPHA, SIGMA = "\u2212", "\u221e", "\u03b1", "\u03a3"
HALF, TIMES, DIVIDED = "\u00bd", "\u00d7", "\u00f7"

Point = tuple[float, float]


def show(value: float, places: int = 2) -> str:
    """A number as the figures print it; only an exact 0 or 1 is bare."""
    value = float(value) + 0.0  # no negative zero
    text = f"{value:.0f}" if value in (0, 1) else f"{value:.{places}f}"
    return text.replace("-", MINUS)


def short(value: float) -> str:
    """A weight in a narrow cell: .78."""
    return show(value).removeprefix("0") if 0 < value < 1 else show(value)


class Canvas:
    """A picture while it is drawn; `svg` is the file."""

    def __init__(self, height: float) -> None:
        self.height = height
        self.parts: list[str] = []

    # Marks

    def path(
        self,
        d: str,
        edge: str | None = "line",
        width: float = 1.5,
        fill: str | None = None,
        dash: str | None = None,
    ) -> None:
        """Draw a path of SVG."""
        self.parts.append(f'<path d="{d}"{_paint(edge, width, fill, dash)}/>')

    def line(
        self,
        points: Sequence[Point],
        edge: str | None = "line",
        width: float = 1.5,
        *,
        closed: bool = False,
        fill: str | None = None,
        dash: str | None = None,
    ) -> None:
        """Draw straight lines from point to point."""
        d = "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points) + ("z" if closed else "")
        self.path(d, edge, width, fill, dash)

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str | None = "page",
        edge: str | None = "line",
        stroke: float = 1,
        *,
        round: float = 0,
        dash: str | None = None,
    ) -> None:
        """Draw a rectangle."""
        size = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
        corner = f' rx="{_n(round)}"' if round else ""
        self.parts.append(f"<rect {size}{corner}{_paint(edge, stroke, fill, dash)}/>")

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        fill: str | None = "ink",
        edge: str | None = None,
        width: float = 1.5,
    ) -> None:
        """Draw a circle, or a dot."""
        where = f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"'
        self.parts.append(f"<circle {where}{_paint(edge, width, fill, None)}/>")

    def arrow(
        self, start: Point, end: Point, edge: str = "line", width: float = 1.5, head: float = 8
    ) -> None:
        """Draw an arrow whose tip lies at `end`."""
        (x1, y1), (x2, y2) = start, end
        angle = math.atan2(y2 - y1, x2 - x1)
        cos, sin = math.cos(angle), math.sin(angle)
        neck = (x2 - (head - 1) * cos, y2 - (head - 1) * sin)
        if math.hypot(x2 - x1, y2 - y1) > head:
            self.line([start, neck], edge, width)
        barbs = [
            (x2 - head * cos + side * 0.45 * head * sin, y2 - head * sin - side * 0.45 * head * cos)
            for side in (1, -1)
        ]
        self.line([end, *barbs], None, closed=True, fill=edge)

    # Type

    def number(
        self,
        x: float,
        y: float,
        text: float | str,
        fill: str = "ink",
        *,
        size: float = NUMBER,
        anchor: str = "middle",
        bold: bool = False,
    ) -> None:
        """Write a number, or another text in sans-serif; a float gets two decimals."""
        words = text if isinstance(text, str) else show(text)
        style = _style(size, NUMBER, anchor) + (' font-weight="600"' if bold else "")
        style = f' class="f-{fill}"{style}'
        self.parts.append(f'<text x="{_n(x)}" y="{_n(y + 0.35 * size)}"{style}>{words}</text>')

    def symbol(
        self,
        x: float,
        y: float,
        letter: str,
        index: str | int = "",
        above: str = "",
        fill: str = "ink",
        *,
        vector: bool = False,
        upright: bool = False,
        anchor: str = "middle",
        size: float = SYMBOL,
    ) -> None:
        """Write a letter of the notation: bold for vectors and matrices, light for numbers."""
        look = "m" + " b" * vector + " u" * upright
        style = f' class="{look} f-{fill}"{_style(size, SYMBOL, anchor)}'
        body = _letter(letter, index, above)
        self.parts.append(f'<text x="{_n(x)}" y="{_n(y + 0.3 * size)}"{style}>{body}</text>')

    def formula(self, x: float, y: float, *pieces: str, anchor: str = "middle") -> None:
        """Write pieces of a formula on one line.

        A piece is upright text, or a bold letter in the colour of its role, as in `q:q` or `k_1:k`.
        It ends with `^2` where a raised 2 follows.
        """
        spans, back = [], ""  # after an index, the next piece returns to the line
        for piece in pieces:
            words, _, role = piece.partition(":")
            words, _, above = words.partition("^")
            letter, _, index = words.partition("_")
            colour = f" f-{role}" if role else ""
            look = f"b{colour}" if role else "u"
            spans.append(f'<tspan class="{look}"{back}>{letter}</tspan>')
            back = ""
            for small, shift in ((index, 4), (above, -7)):
                if small:
                    spans.append(f'<tspan class="d{colour}" dy="{shift}">{small}</tspan>')
                    back = f' dy="{-shift}"'
        style = _style(SYMBOL, SYMBOL, anchor)
        start = f'<text x="{_n(x)}" y="{_n(y + 6)}" class="m f-ink"{style}>'
        self.parts.append(f"{start}{''.join(spans)}</text>")

    # Cells

    def cell(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        text: float | str,
        role: str = "",
        *,
        size: float = NUMBER,
        bold: bool = False,
    ) -> None:
        """Draw one number in a cell with the tint and edge of its role, plain for a score."""
        self.rect(x, y, width, height, f"{role}-tint" if role else "page", role or "line")
        if text != "":
            self.number(x + width / 2, y + height / 2, text, size=size, bold=bold)

    def matrix(
        self,
        x: float,
        y: float,
        rows: Sequence[Sequence[float]],
        role: str = "",
        *,
        width: float = 34,
        height: float = 28,
        places: int = 0,
    ) -> None:
        """Draw cells without gaps."""
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                at = (x + j * width, y + i * height)
                self.cell(*at, width, height, show(value, places), role)

    def weight(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        value: float,
        text: str | None = None,
        *,
        size: float = NUMBER,
        dash: str | None = None,
    ) -> None:
        """Draw a cell tinted by a weight, on the scale from 0 to 1."""
        tint = f"w{round(100 * float(value))}"
        self.rect(x, y, width, height, tint, "line", dash=dash)
        words = show(value) if text is None else text
        if words:
            self.number(x + width / 2, y + height / 2, words, f"on-{tint}", size=size)

    def share(self, x: float, y: float, width: float, height: float, percent: int) -> None:
        """Draw a cell with a share, which is no weight: grey, and plain where it is nothing."""
        tint = f"g{percent}"
        self.rect(x, y, width, height, tint if percent else "page", "line" if percent else "hair")
        words = f"on-{tint}" if percent else "muted"
        self.number(x + width / 2, y + height / 2, str(percent), words, size=INDEX)

    def masked(
        self, x: float, y: float, width: float, height: float, text: str = "0", gap: float = 7
    ) -> None:
        """Draw a cell of what is not small, but absent: hatched, with a dashed edge."""
        self.rect(x, y, width, height, "page", None)
        self.path(_hatching(x, y, width, height, gap), "hatch", 2)
        self.rect(x, y, width, height, None, "line", dash="4 3")
        if text:
            patch = 9 * len(text) + 7
            middle = (x + width / 2, y + height / 2)
            self.rect(middle[0] - patch / 2, middle[1] - 10, patch, 20, "page", None, round=3)
            self.number(*middle, text, "muted")

    # File

    def svg(self) -> str:
        """The file: both palettes inside, on its own ground."""
        ground = f'<rect width="{WIDTH}" height="{_n(self.height)}" rx="8" class="f-page"/>'
        body = "\n".join([ground, *self.parts])
        size = f'width="{WIDTH}" height="{_n(self.height)}"'
        box = f'viewBox="0 0 {WIDTH} {_n(self.height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" class="attn-picture" {size} {box}>'
        return f"{head}\n<style>{styles(body)}</style>\n{body}\n</svg>\n"


def _n(value: float) -> str:
    """A coordinate: a tenth of a unit is less than anyone sees."""
    text = f"{float(value):.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _paint(edge: str | None, width: float, fill: str | None, dash: str | None) -> str:
    names = [f"f-{fill}"] * bool(fill) + [f"s-{edge}"] * bool(edge)
    stroke = f' stroke-width="{round(float(width), 2):g}"' if edge else ""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f' class="{" ".join(names)}"{stroke}{dashes}' + ("" if fill else ' fill="none"')


def _style(size: float, usual: float, anchor: str) -> str:
    rules = [f"font-size:{_n(size)}px"] * (size != usual)
    rules += [f"text-anchor:{anchor}"] * (anchor != "middle")
    return f' style="{";".join(rules)}"' if rules else ""


def _letter(letter: str, index: str | int, above: str) -> str:
    lower = f'<tspan class="d" dy="4">{index}</tspan>' if index != "" else ""
    look = "d u" if above == "T" else "d"
    upper = f'<tspan class="{look}" dy="-7">{above}</tspan>' if above else ""
    return letter + lower + upper


def _hatching(x: float, y: float, width: float, height: float, gap: float) -> str:
    """Lines from lower left to upper right, inside a rectangle: drawn, so that no id is needed."""
    lines = []
    step = gap * math.sqrt(2)
    across = step * (math.floor((x + y) / step) + 1)  # all cells of a picture share their lines
    while across < x + y + width + height:
        right = min(x + width, across - y)
        left = max(x, across - y - height)
        lines.append(f"M{_n(left)} {_n(across - left)}L{_n(right)} {_n(across - right)}")
        across += step
    return "".join(lines)
