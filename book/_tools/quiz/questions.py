"""What is asked: the bet of each figure, and numbers to compute, with a reply to each answer.

A question stands alone: a bet has the figure's picture and sentence, as they are where it asks, and
a link to that state. The replies quote numbers; they are computed here as the page computes them.
"""

import html
from dataclasses import dataclass

from attn_lib.check.quantity import QUANTITIES, Quantity, written
from attn_lib.language import words as words_of
from attn_lib.live.figures import FIGURES
from attn_lib.live.host.figure import Figure
from book._ext.editions.translation import chapters

PICTURE = "PICTURE"  # stands for where the picture lies

# The exercises whose answer is one number, with slips to tell it from.
ASKED = [
    quantity
    for quantity in QUANTITIES.values()
    if len(known := quantity.known(**quantity.cases[0])) > 1
    and all(isinstance(value, int | float) for value in known.values())
]


@dataclass(frozen=True)
class Answer:
    """An answer that may be given, what is replied to it, and the number that it is, if any."""

    text: str
    reply: str
    is_right: bool
    number: float | None = None


@dataclass(frozen=True)
class Question:
    """A question in HTML; `after` is shown to everybody who has answered.

    Where it says `PICTURE`, it has a picture of its own name; each format says where that lies.
    """

    chapter: str
    name: str
    text: str
    answers: tuple[Answer, ...]
    after: str
    within: float | None = None  # how far a number may be off, relative to its size


def questions(site: str, seed: int) -> list[Question]:
    """Return all questions in the current language, in the order of the chapters."""
    asked = [bet(figure, f"{site}{figure.chapter}.html") for figure in FIGURES.values()]
    asked += [number(quantity, seed, site) for quantity in ASKED]
    order = list(chapters())
    return sorted(asked, key=lambda question: order.index(question.chapter))


def bet(figure: Figure, page: str) -> Question:
    """Return a figure's bet, with links into its chapter, whose address is `page`."""
    bet, words = figure.prediction, words_of(figure.id)
    before, after = (figure.compute(figure.state(**s)) for s in (bet.before, bet.after))
    pairs = zip(words["options"], words["replies"], strict=True)
    state = html.escape(words["before"].format(**before.slots))
    text = [
        _text(words["question"]),
        f'<img src="{PICTURE}" alt="{state}">',
        _text(figure.sentences(before)),
        f"<strong>{_text(words['predict'])}</strong>",
        _link(page + figure.fragment(bet.before), words_of("frame")["open_page"]),
    ]
    return Question(
        chapter=figure.chapter,
        name=figure.id,
        text="".join(map(_paragraph, text)),
        answers=tuple(
            Answer(_text(option), _text(reply.format(**after.slots)), i == bet.right)
            for i, (option, reply) in enumerate(pairs)
        ),
        after=_paragraph(
            _link(page + figure.fragment(bet.after), words["after"].format(**after.slots))
        ),
    )


def number(asked: Quantity, seed: int, site: str) -> Question:
    """Return an exercise with the numbers of a seed; the smallest answer comes first."""
    numbers = asked.drawn(seed)
    words, slots = words_of("check")[asked.exercise], asked.slots(numbers)
    known = sorted(asked.known(**numbers).items(), key=lambda pair: pair[1])
    chapter = asked.known.__module__.rpartition(".")[2].replace("_", "-")
    return Question(
        chapter=chapter,
        name=asked.exercise,
        text=_paragraph(_text(asked.ask(numbers))),
        answers=tuple(
            Answer(written(value), _text(words[name].format(**slots)), name == "right", value)
            for name, value in known
        ),
        after=_paragraph(_link(f"{site}{chapter}.html", words_of("frame")["open_page"])),
        within=asked.within,
    )


def _text(text: str) -> str:
    # Canvas shows an escaped quotation mark of an answer as it is written.
    return html.escape(text, quote=False)


def _link(address: str, text: str) -> str:
    return f'<a href="{html.escape(address)}">{_text(text)}</a>'


def _paragraph(content: str) -> str:
    return f"<p>{content}</p>"
