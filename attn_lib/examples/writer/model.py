"""A decoder of two layers that are attention and nothing else."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attn_lib.masking import causal_lens, masked_softmax
from attn_lib.places import alibi_bias, alibi_slopes, rotate
from attn_lib.scoring import dot_products, scaled_products
from attn_lib.validation import check_positive_int

SIZE = 64  # numbers in the vector of a letter
HEADS = 4
LAYERS = 2
PLACES = ("rope", "alibi", "learned", "none")
PARTS = ("queries", "keys", "values")
# The models that the book compares: what each has that the first has not.
KINDS: dict[str, dict[str, Any]] = {
    "rope": {},
    "alibi": {"places": "alibi"},
    "learned": {"places": "learned"},
    "none": {"places": "none"},
    "one": {"layers": 1},
    "shared": {"kv_heads": 1},
    "unscaled": {"scaled": False},
    "sink": {"sink": True},
}
LEARNED = 128  # places that have a vector of their own where places are learned
EPS = 1e-6  # keeps a vector of zeros from being divided by zero

# A head by its layer and its number in it, both from 0; of one layer, its keys and values so far.
Head = tuple[int, int]
KeysValues = tuple[Tensor, Tensor]


def norm(X: Tensor) -> Tensor:
    """Divide each vector by the root of its mean square: all get one length."""
    return F.rms_norm(X, X.shape[-1:], eps=EPS)


class Layer(nn.Module):
    """Causal attention of four heads, whose queries and keys have one length."""

    def __init__(self, places: str, kv_heads: int, scaled: bool, sink: bool) -> None:
        super().__init__()
        self.places = places
        self.score = scaled_products if scaled else dot_products
        shared = kv_heads * SIZE // HEADS
        self.W_q, self.W_k, self.W_v = (nn.Linear(SIZE, size) for size in (SIZE, shared, shared))
        self.W_o = nn.Linear(SIZE, SIZE, bias=False)
        self.sink = nn.Parameter(torch.zeros(HEADS)) if sink else None
        self.gain = nn.Parameter(torch.full((HEADS,), 2.0))

    def forward(
        self,
        X: Tensor,
        past: KeysValues | None,
        on: Tensor,
        less: tuple[str, Tensor] | None = None,
    ) -> tuple[Tensor, KeysValues, Tensor]:
        """Let every new letter look back.

        Args:
            X: the new letters, (B, N, 64).
            past: keys and values of what stands before them, each (B, G, P, 16); None: nothing.
            on: (H,), 1 for a head that works and 0 for one that is switched off.
            less: ``queries``, ``keys`` or ``values``, and what they, and they alone, are made
                without, (B, N, 64).

        Returns:
            What the heads add to X, (B, N, 64); keys and values (B, G, P + N, 16), the past with
            them, G of them for all H heads; weights (B, H, N, P + N).
        """
        B, N, _ = X.shape
        first = 0 if past is None else past[0].shape[2]
        made_of = dict.fromkeys(PARTS, norm(X))
        if less is not None:
            made_of[less[0]] = norm(X - less[1])
        queries, keys, values = (
            heads_of(W(made_of[part]))
            for part, W in zip(PARTS, (self.W_q, self.W_k, self.W_v), strict=True)
        )
        queries, keys = norm(queries) * self.gain[:, None, None], norm(keys)  # (B, H, N, 16)
        queries, keys = self.placed(queries, keys, first)
        if past is not None:
            keys, values = torch.cat((past[0], keys), 2), torch.cat((past[1], values), 2)
        scores = self.score(queries, keys)  # (B, H, N, P + N); keys that are shared are (B, 1, ...)
        if self.places == "alibi":
            slopes = alibi_slopes(HEADS).to(scores.dtype)
            scores = scores + alibi_bias(N, first + N, slopes, first_query=first)
        weights = masked_softmax(scores, self.seen(B, N, first), sink=self.sink)
        outputs = weights @ values * on[:, None, None]  # (B, H, N, 16)
        return self.W_o(outputs.transpose(1, 2).flatten(2)), (keys, values), weights

    def placed(self, queries: Tensor, keys: Tensor, first: int) -> tuple[Tensor, Tensor]:
        """Tell new queries and keys, of which the first stands at `first`, where they stand."""
        if self.places != "rope":
            return queries, keys
        stands = torch.arange(first, first + queries.shape[2])
        return rotate(queries, stands), rotate(keys, stands)

    def seen(self, B: int, N: int, first: int) -> Tensor:
        """Return how many keys each new query sees: those up to its own place."""
        return causal_lens(B, N, first_query=first)


def heads_of(X: Tensor) -> Tensor:
    """Give each head its share of the features: (B, H, N, 16) from (B, N, H 16)."""
    return X.unflatten(2, (-1, SIZE // HEADS)).transpose(1, 2)


class Look(NamedTuple):
    """What a writer makes of letters.

    Args:
        logits: (B, N, letters), one for each letter that may follow.
        cache: keys and values of all letters so far, a pair for each layer.
        weights: (B, H, N, P + N) for each layer.
    """

    logits: Tensor
    cache: list[KeysValues]
    weights: list[Tensor]


class Writer(nn.Module):
    """A causal decoder: a table of letters, layers of attention, and the same table again.

    It has no feed-forward network: whatever it does, attention does.

    Args:
        letters: how many letters its alphabet has.
        places: how it knows where a letter stands: ``rope`` turns queries and keys, ``alibi`` makes
            far keys lose, ``learned`` adds a vector of its own to each of the first 128 places
            (later ones share the last), ``none`` leaves it out.
        layers: how many layers, 1 or more.
        kv_heads: 4, or 1: all heads share one key and one value of each letter.
        scaled: False leaves out the division of the scores by the root of the size.
        sink: each head has one more key, without a value, whose score it learns.

    Shape:
        letters (B, N), whole numbers.

    Returns:
        A `Look`: logits (B, N, letters), the cache, the weights.

    Raises:
        ValueError: a number is below 1, there are no such places, kv_heads is neither 1 nor 4, or a
            head to switch off is none of the model's.
        TypeError: a number is not an int.

    Source:
        Elhage et al. (2021), A Mathematical Framework for Transformer Circuits: models of
        attention only; Olsson et al. (2022), In-context Learning and Induction Heads.

    Example:
        >>> import torch
        >>> from attn_lib.examples.writer import Writer
        >>> model = Writer(letters=53)
        >>> look = model(torch.zeros(2, 7, dtype=torch.long))
        >>> look.logits.shape, len(look.cache), look.weights[0].shape
        (torch.Size([2, 7, 53]), 2, torch.Size([2, 4, 7, 7]))
    """

    def __init__(
        self,
        letters: int,
        places: str = "rope",
        layers: int = LAYERS,
        *,
        kv_heads: int = HEADS,
        scaled: bool = True,
        sink: bool = False,
    ) -> None:
        super().__init__()
        if places not in PLACES:
            raise ValueError(f"places must be one of {', '.join(PLACES)}. Got {places!r}.")
        if kv_heads not in (1, HEADS):
            raise ValueError(f"kv_heads must be 1 or {HEADS}. Got {kv_heads!r}.")
        self.places = places
        self.letters = nn.Embedding(check_positive_int("letters", letters), SIZE)
        self.stands = nn.Embedding(LEARNED, SIZE) if places == "learned" else None
        layers = check_positive_int("layers", layers)
        self.layers = nn.ModuleList(Layer(places, kv_heads, scaled, sink) for _ in range(layers))
        self.setting = {
            "places": places,
            "layers": layers,
            "kv_heads": kv_heads,
            "scaled": scaled,
            "sink": sink,
        }
        self.loud = nn.Parameter(torch.ones(()))  # how much the likeliest letter stands out
        for name, parameter in self.named_parameters():
            if parameter.ndim == 2:
                size = {"letters": 0.15, "stands": 0.15}.get(name.split(".")[0], SIZE**-0.5)
                nn.init.normal_(parameter, std=size / 2 if "W_o" in name else size)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)

    def forward(
        self,
        letters: Tensor,
        cache: list[KeysValues] | None = None,
        off: Collection[Head] = (),
        unheard: tuple[Head, str] | None = None,
    ) -> Look:
        """Score every letter that may follow each of these.

        Args:
            letters: (B, N), what is read now.
            cache: what an earlier call returned for the letters before them; None: there are none.
            off: heads whose output is left out, each as (layer, head), both from 0.
            unheard: a head, and ``queries``, ``keys`` or ``values``: in the layer after this head's
                they are made without its output, and all else with it.
        """
        if unheard is not None and unheard[1] not in PARTS:
            raise ValueError(f"unheard must name one of {', '.join(PARTS)}. Got {unheard[1]!r}.")
        X = self.letters(letters)  # (B, N, 64)
        if self.stands is not None:
            first = cache[0][0].shape[2] if cache else 0
            X = X + self.stands(torch.arange(first, first + X.shape[1]).clamp(max=LEARNED - 1))
        kept, seen, less = [], [], None
        for number, (layer, on) in enumerate(zip(self.layers, self.switches(off), strict=True)):
            past = cache[number] if cache else None
            added, pair, weights = layer(X, past, on, less)
            less = None
            if unheard is not None and unheard[0][0] == number:
                others = [head for head in heads(self) if head != unheard[0]]
                alone, _, _ = layer(X, past, self.switches([*off, *others])[number])
                less = unheard[1], alone
            X = X + added
            kept.append(pair)
            seen.append(weights)
        return Look(self.loud * norm(X) @ self.letters.weight.T, kept, seen)

    def switches(self, off: Collection[Head]) -> Tensor:
        """Return 1 for each head that works and 0 for each that is off: (layers, H)."""
        on = torch.ones(len(self.layers), HEADS, dtype=self.loud.dtype)
        for layer, head in off:
            if not (0 <= layer < len(self.layers) and 0 <= head < HEADS):
                raise ValueError(
                    f"off must hold heads (layer, head) from (0, 0) to "
                    f"({len(self.layers) - 1}, {HEADS - 1}). Got ({layer}, {head})."
                )
            on[layer, head] = 0
        return on


def heads(model: Writer) -> list[Head]:
    """Return all heads of a model, each as (layer, head), both from 0."""
    return [(layer, head) for layer in range(len(model.layers)) for head in range(HEADS)]
