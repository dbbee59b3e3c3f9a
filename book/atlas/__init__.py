"""The rows of the page `scores`: every attention score that the book has met, as data.

One file in `rows/` for each kind, with English texts;
`book/_locale/<language>/LC_MESSAGES/atlas.po` has them in the other languages.
`book/_ext/content/scores.py` writes the page of them. What a row says of itself is held by
`tests/unit/test_atlas.py`: its code, its formula, what leaves its weights as they are, its
costs and the numbers of its surprising fact.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent

# The kinds in the order of the page, and what it calls them.
KINDS = {
    "kernels": "Distances and kernels",
    "additive": "Additive",
    "products": "Dot products and their scale",
    "lengths": "Lengths taken out",
    "matrices": "Matrices between query and key",
    "places": "Places in the score",
    "after": "After the score",
    "weights": "Instead of softmax",
    "layer": "The whole layer",
}

# What may happen to queries and keys; a row lists what leaves its weights as they are. The last two
# look at the other keys when one of them has changed.
CHANGES = {
    "moved": "all places moved by the same",
    "shifted": "the same added to all scores of a query",
    "longer-query": "each query twice as long",
    "longer-keys": "each key longer or shorter by a factor of its own",
    "keys-plus": "one vector added to all keys",
    "both-plus": "one vector added to queries and keys",
    "turned": "queries and keys turned together",
    "shuffled": "keys shuffled, places kept: each weight follows its key",
    "ratios": "one key exchanged: the ratios of the other weights",
    "rivals": "one key exchanged: the other weights themselves",
}

# What the weights of a query sum to.
SUMS = {
    "one": "1",
    "at-most-one": "at most 1",
    "one-minus-lambda": "1 − λ",
    "free": "any number",
}

COSTS = {
    "products": "products",
    "special": "exp, tanh, sin and the like",
    "params": "parameters",
    "largest": "numbers in the largest tensor",
}

# What costs are compared at: 1,024 queries and keys of 64 entries, and usual sizes of the rest.
SIZES = {"Q": 1024, "K": 1024, "d": 64, "e": 64, "h": 64, "r": 16, "c": 4, "H": 8, "feat": 256}


@dataclass(frozen=True)
class Use:
    """A model that uses a score: the file that says so, and what stands in the line."""

    model: str
    file: str = ""  # in transformers/models; "" where nothing was counted
    pattern: str = ""


@dataclass(frozen=True)
class Row:
    """One score. Its code sees q (Q, d), k (K, e) and their places i, j, and makes s and w."""

    id: str
    kind: str
    name: str
    year: int
    formula: str
    range: str
    ignores: str
    survives: tuple[str, ...]
    score: str
    cost: Mapping[str, str]
    sources: tuple[str, ...]  # keys of references.bib, the first source first
    fact: str  # a number that surprised us
    take: str  # when somebody would choose it today, or "not today: …"
    synonyms: tuple[str, ...]
    chapters: tuple[str, ...]
    weights: str = "w = s.softmax(-1)"
    given: str = ""  # what training finds, P(shape), and what the data bring, D(shape)
    library: str = (
        ""  # the same by attn_lib, which takes a batch: queries = q[None], keys = k[None]
    )
    meaningless: tuple[str, ...] = ()  # changes that cannot happen to it
    sum: str = "one"
    negative: bool = False
    heads: bool = False  # q and k are (H, Q, d) and (H, K, d)
    key_size: int = 0  # e, where it is not d
    used_by: tuple[Use, ...] = ()
    searched: str = ""  # a pattern that no model file of the census' release has
    claims: tuple[str, ...] = ()  # entries of the ledger of claims: what its fact and notes rest on
    source_note: str = ""
    wrong: str = ""  # how it went wrong once
    thread: str = ""  # where that was told
    note: str = ""

    @property
    def code(self) -> str:
        """The lines from queries and keys to weights."""
        return f"{self.score}\n{self.weights}"

    @property
    def other_names(self) -> str:
        """Its synonyms, as one text: a language adds the names that its readers know."""
        return ", ".join(self.synonyms)

    def sentences(self) -> list[str]:
        """All of its texts that a language translates."""
        texts = [self.name, self.range, self.ignores, self.fact, self.take, self.source_note]
        texts += [self.wrong, self.note, *(use.model for use in self.used_by)]
        return [text for text in texts if text]

    def times(self, what: str) -> float:
        """A cost at `SIZES`, as a multiple of the dot product's."""
        sizes = SIZES | ({"e": 8 * SIZES["d"]} if self.key_size else {})
        plain = sizes["Q"] * sizes["K"] * (sizes["d"] if what == "products" else 1)
        return value(self.cost[what], sizes) / (plain * (sizes["H"] if self.heads else 1))


def value(cost: str, sizes: Mapping[str, int]) -> float:
    """What a cost such as Q*K*d comes to."""
    return float(eval(cost, {"__builtins__": {}, "max": max}, dict(sizes)))


@cache
def rows() -> tuple[Row, ...]:
    """All rows, in the order of the page."""
    return tuple(
        _row(name, kind, said)
        for kind in KINDS
        for name, said in yaml.load(
            path(kind).read_text(encoding="utf-8"), yaml.CSafeLoader
        ).items()
    )


def files_with(pattern: str, models: Path) -> list[str]:
    """The model files in `transformers/models` that have a pattern."""
    return [
        str(path.relative_to(models))
        for path in sorted(models.glob("*/modeling_*.py"))
        if re.search(pattern, path.read_text(encoding="utf-8"))
    ]


def path(kind: str) -> Path:
    """The file with the rows of a kind."""
    return FOLDER / "rows" / f"{kind}.yml"


def _row(name: str, kind: str, said: dict[str, Any]) -> Row:
    unknown = set(said) - {one.name for one in fields(Row)}
    if unknown:
        raise ValueError(f"{path(kind).name}: {name} has no field {', '.join(sorted(unknown))}.")
    uses = (Use(use) if isinstance(use, str) else Use(**use) for use in said.pop("used_by", ()))
    lists = {key: tuple(entry) for key, entry in said.items() if isinstance(entry, list)}
    return Row(id=name, kind=kind, used_by=tuple(uses), **(said | lists))
