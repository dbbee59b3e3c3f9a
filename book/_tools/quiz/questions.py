"""What is asked: the bet of each figure, and numbers to compute, with a reply to each answer.

The replies quote numbers; they are computed here as the page computes them.
"""

import html
from dataclasses import dataclass

from attn_lib.check.quantity import QUANTITIES, Quantity, written
from attn_lib.language import words as words_of
from attn_lib.live.figures import FIGURES
from attn_lib.live.host.figure import Figure
from book._ext.editions.translation import chapters

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
    """A question in HTML; `after` is shown to everybody who has answered."""

    chapter: str
    name: str
    text: str
    answers: tuple[Answer, ...]
    after: str = ""
    within: float | None = None  # how far a number may be off, relative to its size


def questions(site: str, seed: int) -> list[Question]:
    """Return all questions in the current language, in the order of the chapters."""
    asked = [bet(figure, f"{site}{figure.chapter}.html") for figure in FIGURES.values()]
    asked += [number(quantity, seed) for quantity in ASKED]
    order = list(chapters())
    return sorted(asked, key=lambda question: order.index(question.chapter))


def bet(figure: Figure, page: str) -> Question:
    """Return a figure's bet, with links into its chapter, whose address is `page`."""
    bet, words = figure.prediction, words_of(figure.id)
    states = {"before": bet.before, "after": bet.after}
    slots = {name: figure.compute(figure.state(**states[name])).slots for name in states}
    before, after = (
        f'<p><a href="{html.escape(page + figure.fragment(settings))}">'
        f"{html.escape(words[name].format(**slots[name]))}</a></p>"
        for name, settings in states.items()
    )
    pairs = zip(words["options"], words["replies"], strict=True)
    return Question(
        chapter=figure.chapter,
        name=figure.id,
        text="".join(_paragraph(words[name]) for name in ("question", "predict")) + before,
        answers=tuple(
            Answer(html.escape(option), html.escape(reply.format(**slots["after"])), i == bet.right)
            for i, (option, reply) in enumerate(pairs)
        ),
        after=after,
    )


def number(asked: Quantity, seed: int) -> Question:
    """Return an exercise with the numbers of a seed; the smallest answer comes first."""
    numbers = asked.drawn(seed)
    words, slots = words_of("check")[asked.exercise], asked.slots(numbers)
    known = sorted(asked.known(**numbers).items(), key=lambda pair: pair[1])
    return Question(
        chapter=asked.__module__.rpartition(".")[2].replace("_", "-"),
        name=asked.exercise,
        text=_paragraph(asked.ask(numbers)),
        answers=tuple(
            Answer(written(value), html.escape(words[name].format(**slots)), name == "right", value)
            for name, value in known
        ),
        within=asked.within,
    )


def _paragraph(text: str) -> str:
    return f"<p>{html.escape(text)}</p>"
