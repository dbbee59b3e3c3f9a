"""The picture beside a shared link: a chapter's own, or the book's sign.

A picture speaks in the notation's letters, numbers and shapes, so one card serves every language;
the title beside it and the words for those who do not see it come from the page.
"""

import math
import re
from io import BytesIO
from pathlib import Path

import matplotlib as mpl
import resvg_py
from PIL import Image, ImageDraw, ImageFont

from book._ext.content import exhibits
from book._ext.editions.languages import BOOK
from book.pictures.palette import colours

PICTURES = BOOK / "pictures"
SIZE, MARGIN = (1200, 630), 24  # what previews ask for, in pixels
SHADES = 64
SIGN = "card.png"  # the card of what has no picture
# Those of matplotlib's, so that every machine draws the same letters.
FONTS = [
    str(Path(mpl.get_data_path()) / "fonts/ttf" / f"{name}.ttf")
    for name in (
        *("DejaVuSans", "DejaVuSans-Bold"),
        *("STIXGeneral", "STIXGeneralItalic", "STIXGeneralBol", "STIXGeneralBolIta"),
    )
]

CODE = Path(mpl.get_data_path()) / "fonts/ttf/DejaVuSansMono.ttf"
ADVANCE = 0.61  # of a letter of it, in its size


def of_page(page: str) -> str:
    """Where the card of a page lies in `_static`."""
    own = page in exhibits.PAGES or (PICTURES / f"{page}.svg").exists()
    return f"cards/{page}.png" if own else SIGN


def draw(static: Path, pages: list[str]) -> None:
    """Write the cards of these pages into the site's `_static`."""
    (static / "cards").mkdir(exist_ok=True)
    _sign().save(static / SIGN, optimize=True)
    for page in pages:
        if page in exhibits.PAGES:
            card = of_lines(*exhibits.changed(exhibits.PAGES[page]))
            card.save(static / of_page(page), optimize=True)
        elif (name := of_page(page)) != SIGN:
            of_picture(PICTURES / f"{page}.svg").save(static / name, optimize=True)


def words(page: str) -> str:
    """What the card of an exhibit shows, which its page says in code; "" for other pages."""
    if page not in exhibits.PAGES:
        return ""
    wrong, right = exhibits.changed(exhibits.PAGES[page])
    return " ".join([*(f"✗ {line}" for line in wrong), *(f"✓ {line}" for line in right)])


def of_lines(wrong: list[str], right: list[str]) -> Image.Image:
    """Lines of code that are wrong, and below them the right ones, as large as the card allows."""
    (bad, _), (good, _), (ink, _) = (colours(name) for name in ("bad", "ok", "ink"))
    lines = [*((bad, "✗", line) for line in wrong), *((good, "✓", line) for line in right)]
    longest = max(len(line) for _, _, line in lines) + 2
    size = min(44, int((SIZE[0] - 2 * MARGIN) / longest / ADVANCE))
    font = ImageFont.truetype(CODE, size)
    card = Image.new("RGB", SIZE, "white")
    pen = ImageDraw.Draw(card)
    lead = 2 * size
    top = (SIZE[1] - lead * len(lines)) // 2
    for row, (colour, sign, line) in enumerate(lines):
        y = top + lead * row
        tint = Image.blend(_plain("white", lead), _plain(colour, lead), 0.1)
        card.paste(tint, (0, y))
        pen.text((MARGIN, y + lead // 4), sign, colour, font)
        pen.text((MARGIN + pen.textlength("00", font), y + lead // 4), line, ink, font)
    return card.quantize(SHADES)


def _plain(colour: str, height: int) -> Image.Image:
    return Image.new("RGB", (SIZE[0], height), colour)


def causal_weights(length: int) -> list[list[float | None]]:
    """The book's sign: a causal softmax, None where a key is masked."""
    rows: list[list[float | None]] = []
    for query in range(length):
        exponentials = [math.exp(2 * math.cos(1.9 * (query - key))) for key in range(query + 1)]
        weights = [value / sum(exponentials) for value in exponentials]
        rows.append([*weights, *[None] * (length - query - 1)])
    return rows


def _sign() -> Image.Image:
    """The book's sign, in its colours."""
    size, light, dark, ground = 92, (244, 247, 251), (8, 48, 107), (195, 203, 212)
    card = Image.new("RGB", SIZE, "white")
    pen = ImageDraw.Draw(card)
    for row, weights in enumerate(causal_weights(6)):
        for column, weight in enumerate(weights):
            left, top = 324 + size * column, 39 + size * row
            box = (left, top, left + size - 8, top + size - 8)
            if weight is None:
                pen.rounded_rectangle(box, 10, outline=ground, width=3)
                continue
            pairs = zip(light, dark, strict=True)
            fill = tuple(round(a + (b - a) * weight) for a, b in pairs)
            pen.rounded_rectangle(box, 10, fill=fill)
    return card


def of_picture(path: Path) -> Image.Image:
    """A picture in its light palette, as high as the card allows."""
    # The painter knows no custom properties.
    svg = re.sub(
        r"var\(--p-([\w-]+)\)",
        lambda match: colours(match[1])[0],
        path.read_text(encoding="utf-8"),
    )
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        height=SIZE[1] - 2 * MARGIN,
        skip_system_fonts=True,
        font_files=FONTS,
        sans_serif_family="DejaVu Sans",
        serif_family="STIXGeneral",
    )
    picture = Image.open(BytesIO(png))
    card = Image.new("RGB", SIZE, "white")
    card.paste(picture, ((SIZE[0] - picture.width) // 2, MARGIN), picture)
    return card.quantize(SHADES)
