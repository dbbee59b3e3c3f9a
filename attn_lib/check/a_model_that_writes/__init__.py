"""The exercise of the chapter on a model that writes."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.judging import raised
from attn_lib.check.verdict import Verdict, came, hint, one_number, right
from attn_lib.masking import causal_lens, masked_softmax
from attn_lib.places import rotate
from attn_lib.scoring import scaled_products

LETTERS, SIZE = 12, 8
# Keys and values so far, and how many letters the first part had.
Cache = tuple[Tensor, Tensor, int]

# What each mistake is told by, the plainest first.
MISTAKES = ("zero", "corner", "small", "twice", "ahead")


class Decoder:
    """A causal decoder of one layer with random weights, right or with one mistake in its cache.

    At every letter it gives that letter again the highest logit, so no mistake shows in what it
    would write: only the logits tell.
    """

    def __init__(self, mistake: str = "") -> None:
        generator = torch.Generator().manual_seed(7)
        self.mistake = mistake
        self.letters = torch.randn(LETTERS, SIZE, generator=generator)
        self.letters /= self.letters.norm(dim=1, keepdim=True)
        self.W = torch.randn(3, SIZE, SIZE, generator=generator)

    def __call__(self, text: Tensor, cache: Cache | None = None) -> tuple[Tensor, Cache]:
        """Return the logits of the letters that may follow, (B, N, letters), and the cache."""
        X = self.letters[text]  # (B, N, D)
        B, N, _ = X.shape
        queries, keys, values = (X @ W for W in self.W)
        past, prompt = (0, N) if cache is None else (cache[0].shape[1], cache[2])
        stands = torch.arange(N) + self.first(past, prompt)
        queries, keys = rotate(queries, stands), rotate(keys, stands)
        if cache is not None:
            keys, values = torch.cat((cache[0], keys), 1), torch.cat((cache[1], values), 1)
        seen = causal_lens(B, N, first_query=0 if self.mistake == "corner" else past)
        if self.mistake == "ahead" and past:
            seen = torch.full_like(seen, past + N)
        weights = masked_softmax(scaled_products(queries, keys), seen)  # (B, N, P + N)
        logits = (10 * X + weights @ values) @ self.letters.T
        return logits, (keys, values, prompt)

    def first(self, past: int, prompt: int) -> int:
        """Return the place of the first new letter, where so many stand before it."""
        match self.mistake:
            case "zero":
                return 0
            case "small":
                return max(past - 1, 0)
            case "twice" if past > prompt:
                return past + prompt - 1
        return past


def cached(answer: Callable[[Decoder, Tensor], Any]) -> Verdict:
    """Judge a test (model, text) -> whether the cache gives the logits of the whole text.

    The test gets a model that is right and five with a mistake. Each is called as
    ``model(text, cache)``, with letters (B, N) and what the call before returned, or None; it
    returns logits (B, N, letters) and the cache.
    """
    if not callable(answer):
        return hint("cached", "function", got=type(answer).__name__)
    text = torch.randint(LETTERS, (1, 14), generator=torch.Generator().manual_seed(3))
    passed = []
    for mistake in ("", *MISTAKES):
        try:
            answered = answer(Decoder(mistake), text.clone())
        except Exception as error:  # whatever the reader's function raises
            return hint("cached", "raises", error=raised(error))
        says = one_number(answered)
        if says not in (0, 1):
            return hint("cached", "truth", got=came(answered))
        if says:
            passed.append(mistake)
    if "" not in passed:
        return hint("cached", "strict")
    if len(passed) > len(MISTAKES):
        return hint("cached", "letters")
    return hint("cached", passed[1]) if len(passed) > 1 else right("cached")
