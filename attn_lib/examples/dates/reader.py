"""Reading with a trained model: what it writes, how sure it is, and where it looked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attn_lib.examples.dates.alphabet import SYMBOLS, encode, normalise
from attn_lib.examples.dates.checkpoint import load
from attn_lib.examples.dates.model import START, DateReader
from attn_lib.masking import masked_softmax
from attn_lib.validation import check_positive

ISO_LENGTH = 10  # yyyy-mm-dd


@dataclass(frozen=True)
class Reading:
    """What a model made of one text.

    Args:
        text: what it read, normalised.
        iso: the ten symbols it wrote.
        weights: (10, number of characters), where each symbol looked.
        chances: (10, 11), the probability of each of ``SYMBOLS`` where one was written.
    """

    text: str
    iso: str
    weights: Tensor
    chances: Tensor

    @property
    def confidence(self) -> Tensor:
        """The probability that the model gave to each symbol it wrote: (10,)."""
        return self.chances.amax(dim=1)


def read(text: str, model: DateReader | None = None) -> Reading:
    """Read one date.

    Args:
        text: a date as people write it, at most 64 characters.
        model: a trained model; None: the stored one.

    Raises:
        TypeError: text is not a string.
        ValueError: text is empty, too long, or has a character that no training date has.

    Example:
        >>> from attn_lib.examples import dates
        >>> dates.read("15 March 2024").iso
        '2024-03-15'
    """
    return read_all([text], model)[0]


@torch.no_grad()
def read_all(
    texts: Sequence[str],
    model: DateReader | None = None,
    allow: Sequence[Sequence[float]] | None = None,
    temperature: float = 1.0,
) -> list[Reading]:
    """Read several dates at once, always going on from the likeliest symbol.

    Args:
        texts: the dates.
        model: a trained model; None: the stored one.
        allow: for each text one number a character, by which its weights are multiplied before
            they are divided by their sum; 0 hides the character from attention.
        temperature: the scores are divided by it; large: the weights become equal.
    """
    check_positive("temperature", temperature)
    model = model or load()
    letters, lens = encode(texts)
    keys, values = model.encode(letters, lens)
    allowed = values.new_ones(letters.shape)  # (B, K)
    if allow is not None:
        check_allow(allow, lens - 1)
        for row, numbers in zip(allowed, allow, strict=True):
            row[: len(numbers)] = row.new_tensor(numbers)
    state, last = None, torch.full((len(texts), 1), START)
    symbols, rows, chances = [], [], []
    for _ in range(ISO_LENGTH):
        queries, state = model.decoder(model.write(last), state)  # (B, 1, 48)
        scores = model.attention.scores(queries, keys) / temperature  # (B, 1, K)
        weights = masked_softmax(scores + allowed.log().unsqueeze(1), lens - 1)
        weights = weights.nan_to_num(0)  # where every character is hidden, nothing is taken
        logits = model.output(torch.cat((queries, weights @ values), dim=2))
        chances.append(logits.softmax(dim=2))  # (B, 1, 11)
        last = chances[-1].argmax(dim=2)  # (B, 1)
        symbols.append(last)
        rows.append(weights)
    return [
        Reading(
            text=normalise(text).strip(),
            iso="".join(SYMBOLS[i] for i in written),
            weights=looked[:, : n - 1],
            chances=likely,
        )
        for text, n, written, looked, likely in zip(
            texts,
            lens.tolist(),
            torch.cat(symbols, 1).tolist(),
            torch.cat(rows, 1),
            torch.cat(chances, 1),
            strict=True,
        )
    ]


def check_allow(allow: Sequence[Sequence[float]], lens: Tensor) -> None:
    """Require one row of factors for each text, and in it one for each character."""
    if len(allow) != len(lens):
        raise ValueError(f"allow must have a row for each of {len(lens)} texts. Got {len(allow)}.")
    for factors, length in zip(allow, lens.tolist(), strict=True):
        if len(factors) != length:
            raise ValueError(
                f"allow must have {length} factors for {length} characters. Got {len(factors)}."
            )
        if min(factors) < 0:
            raise ValueError(f"allow must have no factor below 0. Got {min(factors)}.")
