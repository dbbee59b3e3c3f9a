"""What a MyST text holds besides its words: labels, maths, links, references, numbers.

This is no parser of MyST. It knows the constructs that this book uses, and finds them by their
surface, so that two texts in two languages can be compared without comparing a single word.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache

FENCE = re.compile(r"^\s*(`{3,}|~{3,}|:{3,})(?:\{([\w:-]+)\})?(.*)$")
OPTION = re.compile(r"^\s*:([\w-]+):\s*(.*)$")
HEADING = re.compile(r"^(#{1,6})\s")
TARGET = re.compile(r"^\(([\w:-]+)\)=\s*$")
COMMENT = re.compile(r"^%")
# What to read in the reader's own language: such a line stands in one edition only.
OWN_READING = re.compile(r"^\*\*(?:Bằng tiếng Việt|한국어 자료|中文资料)[:：]\*\*")

DISPLAY_MATHS = re.compile(r"\$\$(.+?)\$\$(?:[ \t]*\(([\w:-]+)\))?", re.DOTALL)
INLINE_MATHS = re.compile(r"(?<![\\$])\$(?!\s)([^$]+?)(?<!\s)\$")
ROLE = re.compile(r"\{([\w:-]+)\}`([^`]+)`")
CODE_SPAN = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]*)(?:\s+\"[^\"]*\")?\)")
ADDRESS = re.compile(r"<?(https?://[^\s<>)\]]+)>?")
TAG = re.compile(r"</?[a-zA-Z][^>]*>")
TAG_LINK = re.compile(r"\b(?:href|src)=\"([^\"]*)\"")
NUMBER = re.compile(r"(?<![A-Za-z0-9_])\d+(?:[.,]\d+)?(?:e[+-]?\d+)?")
# A number whose digits stand in threes, between commas or narrow blanks: 2,048 and 25 459.
THREES = re.compile(r"(?<![\d.,])\d{1,3}(?:[,\u2009\u202f]\d{3})+(?!\d)")
# Chinese counts in ten thousands: 12.2万 is 122,000.
TEN_THOUSANDS = re.compile(r"(\d+(?:\.\d+)?)万")

# The names of the library that Sphinx describes on a page: the same lines in every language.
DESCRIPTIONS = re.compile(r"^```\{eval-rst\}\n.*?^```$", re.DOTALL | re.MULTILINE)

# What stands inside these is not prose.
LITERAL_DIRECTIVES = {
    "code",
    "code-block",
    "code-cell",
    "eval-rst",
    "literalinclude",
    "math",
    "raw",
}
# The argument of these is a label or a file; that of all others is a title.
LABEL_ARGUMENT = {"solution", "solution-start", "solution-end", "exercise-end", "step"}
FILE_ARGUMENT = {"figure", "image", "include", "literalinclude"}


# Roles that point at something; the content of all others is words.
REFERENCES = {
    "any",
    "cite",
    "doc",
    "download",
    "eq",
    "numref",
    "prf",
    "ref",
    "repository",
    "take-along",
    "term",
}


@dataclass
class Markup:
    """The language-free content of a text; most lists are sorted: word order is the language's."""

    structure: list[str] = field(default_factory=list)  # headings and directives, as they stand
    labels: list[str] = field(default_factory=list)
    maths: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)  # in their order: that of the sentences
    numbers: set[str] = field(default_factory=set)
    prose: str = ""


@cache
def parse(source: str) -> Markup:
    """Take a MyST text apart."""
    markup = Markup()
    text = _take_blocks(source, markup)
    text = _take_inline(text, markup)
    markup.prose = unicodedata.normalize("NFC", text)
    markup.numbers = {_number(match[0]) for match in NUMBER.finditer(_half_width(text))}
    for name in ("labels", "maths", "links", "references"):
        getattr(markup, name).sort()
    return markup


def _take_blocks(source: str, markup: Markup) -> str:
    """Move fences, options, targets and comments into `markup`; return the remaining lines."""
    prose: list[str] = []
    literal: tuple[str, str, list[str]] | None = None  # its fence, its kind, its lines
    options = False  # only the lines right after a directive's first are options
    for line in source.splitlines():
        fence = FENCE.match(line)
        if literal:
            opening, kind, body = literal
            if options and (option := OPTION.match(line)):
                _take_option(option[1], option[2], markup, prose)
            elif fence and fence[1].startswith(opening) and not (fence[2] or fence[3].strip()):
                if kind == "math":
                    markup.maths.append(_maths("\n".join(body)))
                elif kind == "eval-rst":
                    markup.structure.extend(body)
                literal = None
            else:
                options = False
                body.append(line)
        elif fence and (fence[2] or fence[3].strip()):
            kind, argument = fence[2] or "code", fence[3].strip()
            options = True
            markup.structure.append(kind if fence[2] else f"code {argument}")
            if kind in LABEL_ARGUMENT:
                markup.references.append(argument)
            elif kind in FILE_ARGUMENT:
                markup.links.append(argument)
            elif kind not in LITERAL_DIRECTIVES:
                prose.append(argument)
            if kind in LITERAL_DIRECTIVES:
                literal = fence[1], kind, []
        elif fence:
            options = False  # the end of a directive with prose in it
        elif options and (option := OPTION.match(line)):
            _take_option(option[1], option[2], markup, prose)
        elif target := TARGET.match(line):
            markup.labels.append(target[1])
        elif not (COMMENT.match(line) or OWN_READING.match(line)):
            options = False
            if heading := HEADING.match(line):
                markup.structure.append(heading[1])
            prose.append(line)
    return "\n".join(prose)


def _take_option(name: str, value: str, markup: Markup, prose: list[str]) -> None:
    """An option of a directive: a label, words for the reader, or a setting."""
    if name in {"label", "name"}:
        markup.labels.append(value)
    elif name in {"alt", "caption"}:
        prose.append(value)
    else:
        markup.structure.append(f":{name}: {value}")


def _take_inline(text: str, markup: Markup) -> str:
    """Move maths, roles, links and code out of the lines; a blank stays where they stood."""

    def role(match: re.Match[str]) -> str:
        name, content = match[1], match[2]
        family = name.partition(":")[0]  # cite:p and cite:t differ by the sentence around them
        if family == "math":
            markup.maths.append(_maths(content))
            return " "
        if family == "claim":
            markup.claims.append(content)
            return ""
        if family not in REFERENCES:
            return content
        title, _, target = content.rpartition("<") if content.endswith(">") else ("", "", content)
        markup.references.extend(
            f"{family} {part.strip()}" for part in target.rstrip(">").split(",")
        )
        return title or " "

    def display(match: re.Match[str]) -> str:
        markup.maths.append(_maths(match[1]))
        if match[2]:
            markup.labels.append(match[2])
        return " "

    def inline(match: re.Match[str]) -> str:
        markup.maths.append(_maths(match[1]))
        return " "

    def link(match: re.Match[str]) -> str:
        markup.links.append(match[2])
        return match[1]

    def address(match: re.Match[str]) -> str:
        markup.links.append(match[1].rstrip(".,;"))
        return " "

    def tag(match: re.Match[str]) -> str:
        markup.links.extend(TAG_LINK.findall(match[0]))
        return " "

    text = ROLE.sub(role, text)
    text = CODE_SPAN.sub(" ", text)
    text = DISPLAY_MATHS.sub(display, text)
    text = INLINE_MATHS.sub(inline, text)
    text = LINK.sub(link, text)
    text = ADDRESS.sub(address, text)
    return TAG.sub(tag, text)


def _maths(source: str) -> str:
    r"""A formula without blanks, closing punctuation and the words inside \text{...}.

    A language sets the digits of a long number apart in its own way: 102{,}400 or 102\,400.
    """
    source = re.sub(r"\\text(?:bf|it|rm)?\{[^{}]*\}", r"\\text{}", source)
    source = re.sub(r"(?<=\d)(?:\{,\}|\\,)(?=\d{3})", "", source)
    return re.sub(r"\s", "", source).rstrip(".,;。，；")


def _half_width(text: str) -> str:
    """Full-width digits and signs as plain ones, numbers in one piece, the minus as a hyphen."""
    text = THREES.sub(lambda match: re.sub(r"\D", "", match[0]), text)
    text = TEN_THOUSANDS.sub(lambda match: str(round(float(match[1]) * 10_000)), text)
    return unicodedata.normalize("NFKC", text).replace("−", "-")


def _number(digits: str) -> str:
    """A number whatever its decimal sign: Vietnamese writes 0,5 where English writes 0.5."""
    return digits.replace(",", ".")
