"""What makes an English chapter sound spoken, in numbers: `make measure` prints a table of them.

Counted is the main line, what stands open to be read: no headings, tables, formulas, code, texts of
figures and pictures, exercises or solutions. Words in closed boxes are a column of their own. The
table is a report and holds nobody to anything: numbers guard against relapse, they make no voice.
"""

import argparse
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from sphinx_external_toc.parsing import parse_toc_yaml

from book._tools.columns import columns
from book._tools.editions.read import read_cells
from book._tools.markup import FENCE, HEADING, OPTION, TARGET
from book._tools.notebooks import BOOK

# What each column should be, where somebody has said so.
AIMS = {
    "words": "2000",
    "mean": "14-16",
    "you": "12-20",
    ">30 %": "<= 2",
    ": ;": "<= 12",
    "two %": "<= 1",
    "?": "4-5",
    "that's": "<= 2",
    "but": ">= 5",
}
LONG, SHORT = 30, 8  # words of a sentence

YOU = re.compile(r"\b(you|your|yours|yourself|we|us|our|ours|let's)\b", re.IGNORECASE)
CONTRACTION = re.compile(
    r"\b\w+(?:n't|'re|'ve|'ll|'d|'m)\b"
    r"|\b(?:it|that|there|here|what|who|where|how|he|she|let|nobody|everybody)'s\b",
    re.IGNORECASE,
)
COLON = re.compile(r"[:;](?=\s|$)")
LINK = re.compile(r"\b(which|since|whereas|because)\b", re.IGNORECASE)
HINGE = re.compile(r"\b(which|since|whereas|because|although|so that)\b", re.IGNORECASE)
POINTING = re.compile(r"\W*(That's|It's|There's|Here's)\b")
JOINING = re.compile(r"\W*(But|So|And|Now|Then|Well|Yet|Or)\b")

CURIOUS = "For the curious"
WORD = re.compile(r"[\w'−√]+")
# A sentence ends where the next one begins with a capital, a digit, a quotation or a formula (X).
END = re.compile(r"(?<=[.!?])[\"”)]*\s+(?=[\"“(]?[A-Z0-9])")


@dataclass
class Lines:
    """A chapter's prose: the main line, the closed boxes, and the headings of the main line."""

    main: list[str] = field(default_factory=list)
    boxes: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    asked: int = 0  # questions of the box at the top


@dataclass(frozen=True)
class Voice:
    """What was counted in one chapter; numbers of words are per 1,000 where they are fractions."""

    page: str
    words: int
    boxes: int
    mean: float
    you: float
    contractions: float
    long: float  # percent of the sentences
    short: float
    colons: float
    links: float
    hinged: float  # percent of the sentences: two conjunctions that subordinate
    questions: int
    pointing: int  # sentences that open with That's, It's, ...
    joining: float  # sentences that open with But, So, ...


def read(texts: Iterable[str]) -> Lines:
    """Take the Markdown of a chapter, cell by cell, apart into prose."""
    lines = Lines()
    curious = 0  # the level of the heading whose section is a closed box
    solution = False
    open_fences: list[tuple[str, str]] = []  # the fence, and what becomes of its lines
    for text in texts:
        for line in re.sub(
            r"\$\$.*?\$\$(?:\s*\([\w-]+\))?", "", text, flags=re.DOTALL
        ).splitlines():
            fence, heading = FENCE.match(line), HEADING.match(line)
            if fence and open_fences and not (fence[2] or fence[3].strip()):
                open_fences.pop()
                _add(lines, "", curious or solution)
            elif fence:
                if fence[2] in {"solution-start", "solution-end"}:
                    solution = fence[2] == "solution-start"
                told = fence[2] in {"admonition", "note", "tip", "hint", "warning", "important"}
                open_fences.append((fence[1], "open" if told else "none"))
            elif open_fences and OPTION.match(line):
                if "dropdown" in line:
                    open_fences[-1] = (open_fences[-1][0], "box")
                elif "question" in line:
                    open_fences[-1] = (open_fences[-1][0], "question")
            elif solution or any(use == "none" for _, use in open_fences):
                continue
            elif heading:
                if CURIOUS in line:
                    curious = len(heading[1])
                elif len(heading[1]) <= curious:
                    curious = 0
                if not curious:
                    lines.headings.append(line)
                _add(lines, "", bool(curious))
            elif not (TARGET.match(line) or line.startswith(("|", "%", "!["))):
                uses = {use for _, use in open_fences}
                lines.asked += line.rstrip().endswith("?") and "question" in uses
                _add(lines, line, bool(curious) or "box" in uses)
        _add(lines, "", bool(curious))
    return lines


def _add(lines: Lines, line: str, boxed: object) -> None:
    (lines.boxes if boxed else lines.main).append(line)


def plain(text: str) -> str:
    """Prose without its markup: X for a formula, a piece of code, a bare reference."""
    text = re.sub(r"\{(?:cite:?\w*|claim)\}`[^`]*`", "", text)
    text = re.sub(r"\{[\w:-]+\}`([^`<]+?)\s*<[^`]*>`", r"\1", text)
    text = re.sub(r"(?:\{[\w:-]+\})?(`+).+?\1", "X", text)
    text = re.sub(r"\$[^$]+\$", "X", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return text.replace("*", "").replace("’", "'").replace("[", "").replace("]", "")


def sentences(text: str) -> list[str]:
    """The sentences of a plain text; an item of a list is one or more of its own."""
    text = re.sub(r"(\d)[.,](\d)", r"\1_\2", text)
    text = re.sub(r"\b(vs|cf|e\.g|i\.e)\.", r"\1", text)
    text = re.sub(r"^\s*(?:\d+\.|-)\s", "\n\n", text, flags=re.MULTILINE)
    found = [
        sentence
        for paragraph in re.split(r"\n\s*\n", text)
        for sentence in END.split(" ".join(paragraph.split()))
    ]
    return [sentence for sentence in found if _words(sentence) > 1]


def _words(sentence: str) -> int:
    return len(WORD.findall(sentence))


def count(page: str, texts: Iterable[str]) -> Voice:
    """Count a chapter, given the Markdown of its cells."""
    lines = read(texts)
    text = plain("\n".join(lines.main))
    told = sentences(text)
    lengths = list(map(_words, told))
    words, number = max(1, sum(lengths)), max(1, len(told))

    def often(pattern: re.Pattern[str]) -> float:
        return 1000 * len(pattern.findall(text)) / words

    def percent(chosen: Iterable[bool]) -> float:
        return 100 * sum(chosen) / number

    asking = [line for line in [*told, *lines.headings] if line.rstrip('"”) ').endswith("?")]
    return Voice(
        page=page,
        words=sum(lengths),
        boxes=sum(map(_words, sentences(plain("\n".join(lines.boxes))))),
        mean=sum(lengths) / number,
        you=often(YOU),
        contractions=often(CONTRACTION),
        long=percent(length > LONG for length in lengths),
        short=percent(length < SHORT for length in lengths),
        colons=often(COLON),
        links=often(LINK),
        hinged=percent(len(HINGE.findall(sentence)) > 1 for sentence in told),
        questions=len(asking) - lines.asked,
        pointing=sum(POINTING.match(sentence) is not None for sentence in told),
        joining=1000 * sum(JOINING.match(sentence) is not None for sentence in told) / words,
    )


def table(voices: list[Voice]) -> str:
    """The counts, a page a line, below what they should be."""
    heads = [
        *("page", "words", "boxes", "mean", "you", "contr.", ">30 %", "<8 %", ": ;", "which"),
        *("two %", "?", "that's", "but"),
    ]
    rows = [
        [f"{value:.1f}" if isinstance(value, float) else str(value) for value in vars(v).values()]
        for v in voices
    ]
    aims = ["aim", *(AIMS.get(head, "") for head in heads[1:])]
    return "\n".join(columns([heads, aims, *rows]))


def chapter(path: Path) -> Voice:
    """Count a notebook."""
    cells = [c for c in read_cells(path) if c.kind == "markdown" and c.id != "picture"]
    return count(path.stem, [cell.source for cell in cells])


def main() -> None:
    """Count the chapters that are named, or all English ones."""
    parser = argparse.ArgumentParser(
        description="Count what makes an English chapter sound spoken."
    )
    parser.add_argument("pages", nargs="*", help="for example masked-softmax; default: all")
    options = parser.parse_args()
    names = options.pages or list(parse_toc_yaml(BOOK / "_toc.yml"))
    paths = [path for name in names if (path := BOOK / "en" / f"{name}.ipynb").exists()]
    print(table([chapter(path) for path in paths]))


if __name__ == "__main__":
    main()
