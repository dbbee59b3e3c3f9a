"""What lets others find the book: descriptions, cards for shared links, a map of the site."""

import json
import math
import re
from pathlib import Path
from xml.sax.saxutils import quoteattr

from docutils import nodes
from PIL import Image, ImageDraw

from book._ext import translation
from book._ext.catalogues import words
from book._ext.languages import EDITIONS, Edition

LONGEST = 200  # characters; a search engine shows about as much
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
ENDS = (". ", "? ", "! ", "。", "？", "！")


def in_letters(text: str) -> str:
    """Formulas as one writes them without TeX: a root as √, other commands as their letters."""
    text = re.sub(r"\\sqrt\s*\{?(\w)\}?", r"√\1", text)
    return re.sub(r"\\[a-zA-Z]+\s?|[{}]", "", text)


def description(doctree: nodes.document) -> str:
    """The first sentences of a page's first paragraph, as many as a search engine shows."""
    paragraph = doctree.next_node(nodes.paragraph)
    text = " ".join(in_letters(paragraph.astext()).split()) if paragraph else ""
    if len(text) <= LONGEST:
        return text
    end = max(text.rfind(mark, 0, LONGEST) + len(mark.rstrip()) for mark in ENDS)
    return text[:end] if end > LONGEST // 4 else f"{text[: LONGEST - 1].rsplit(' ', 1)[0]}…"


def learning_resource(edition: Edition, title: str, summary: str, address: str, home: str) -> str:
    """JSON-LD about a page."""
    say = words(edition)
    about = {
        "@context": "https://schema.org",
        "@type": "LearningResource",
        "name": title,
        "description": summary,
        "url": address,
        "inLanguage": edition.tag,
        "license": LICENCE,
        "isAccessibleForFree": True,
        "learningResourceType": "interactive textbook",
        "isPartOf": {"@type": "Book", "name": say("Attention at Your Fingertips"), "url": home},
    }
    # "</" would end the element that it stands in.
    return json.dumps(about, ensure_ascii=False).replace("</", "<\\/")


def alternates(base: str, page: str) -> list[tuple[str, str]]:
    """(hreflang, address) of a page in each language that has it, and for all other readers."""
    there = [edition for edition in EDITIONS if translation.source(edition, page)]
    listed = [(edition.tag, f"{base}{edition.code}/{page}.html") for edition in there]
    return [*listed, ("x-default", f"{base}{EDITIONS[0].code}/{page}.html")]


def write_sitemap(site: Path, base: str) -> None:
    """Write `sitemap.xml`, which lists each page once in each language, and `robots.txt`."""
    entries = [_entry(base, None)]
    for page in translation.chapters():
        others = alternates(base, page)
        entries += [_entry(address, others) for tag, address in others if tag != "x-default"]
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        ' xmlns:xhtml="http://www.w3.org/1999/xhtml">\n' + "".join(entries) + "</urlset>\n"
    )
    (site / "sitemap.xml").write_text(text, encoding="utf-8")
    robots = f"User-agent: *\nAllow: /\nSitemap: {base}sitemap.xml\n"
    (site / "robots.txt").write_text(robots, encoding="utf-8")


def causal_weights(length: int) -> list[list[float | None]]:
    """The book's sign: a causal softmax, None where a key is masked."""
    rows: list[list[float | None]] = []
    for query in range(length):
        exponentials = [math.exp(2 * math.cos(1.9 * (query - key))) for key in range(query + 1)]
        weights = [value / sum(exponentials) for value in exponentials]
        rows.append([*weights, *[None] * (length - query - 1)])
    return rows


def draw_card(path: Path) -> None:
    """Draw the picture that stands beside a shared link: the book's sign, in its colours."""
    size, light, dark, ground = 92, (244, 247, 251), (8, 48, 107), (195, 203, 212)
    card = Image.new("RGB", (1200, 630), "white")
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
    card.save(path, optimize=True)


def _entry(address: str, others: list[tuple[str, str]] | None) -> str:
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{tag}" href={quoteattr(other)}/>'
        for tag, other in others or []
    )
    return f"<url><loc>{address}</loc>{links}</url>\n"
