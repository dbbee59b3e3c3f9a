"""What lets others find the book: descriptions, other languages, a map of the site."""

import json
import re
from itertools import islice
from pathlib import Path
from xml.sax.saxutils import quoteattr

from docutils import nodes

from book._ext.editions import translation
from book._ext.editions.catalogues import words
from book._ext.editions.languages import EDITIONS, Edition

LONGEST = 200  # characters; a search engine shows about as much
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
ENDS = (". ", "? ", "! ", "。", "？", "！")


def in_letters(text: str) -> str:
    """Formulas as one writes them without TeX: a root as √, other commands as their letters."""
    text = re.sub(r"\\sqrt\s*\{?(\w)\}?", r"√\1", text)
    return re.sub(r"\\[a-zA-Z]+\s?|[{}]", "", text)


def description(doctree: nodes.document) -> str:
    """The first sentences of a page's first paragraph, as many as a search engine shows.

    One that is stressed as a whole is a question over the next.
    """
    first = list(islice(doctree.findall(nodes.paragraph), 2))
    stressed = first and all(isinstance(child, nodes.strong) for child in first[0].children)
    paragraphs = (part.astext() for part in (first if stressed else first[:1]))
    text = " ".join(in_letters(" ".join(paragraphs)).split())
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
    there = [edition for edition in EDITIONS if translation.has(edition, page)]
    listed = [(edition.tag, f"{base}{edition.code}/{page}.html") for edition in there]
    return [*listed, ("x-default", f"{base}{EDITIONS[0].code}/{page}.html")]


def write_sitemap(site: Path, base: str) -> None:
    """Write `sitemap.xml`, which lists each page once in each language, and `robots.txt`."""
    entries = [_entry(base, None)]
    for page in translation.pages():
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


def _entry(address: str, others: list[tuple[str, str]] | None) -> str:
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{tag}" href={quoteattr(other)}/>'
        for tag, other in others or []
    )
    return f"<url><loc>{address}</loc>{links}</url>\n"
