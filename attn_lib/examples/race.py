"""Networks that learn one task with different divisors of their scores; `scaling` races them.

A word has 16 features, each 1 or -1. A network sees 32 random words and a question: the first of
them, its features shuffled and some of them with the other sign, always in the same way. It has to
find the word by ``(W_q q)^T (W_k k) / c``, whose softmax is trained to be 1 at the right word. All
that is random comes from `mulberry32`, and scores are rounded to 1/65536 before the softmax: a last
bit, which differs between processors, then cannot grow into another race.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attn_lib.random_stream import mulberry32

DIVISORS = ("none", "sqrt", "d")
OPTIMIZERS = ("sgd", "adam")
FEATURES, WORDS, BATCH, TESTS, STEPS = 16, 32, 32, 64, 200
LARGEST = 512  # a network of size d is the first d rows of this one
GUESS = 1 - 1 / WORDS  # the loss of equal weights


@dataclass(frozen=True)
class Race:
    """What became of networks that differ in draw and learning rate.

    Args:
        losses: on the test words before training and after every `every` steps:
            (draws, rates, 1 + steps / every).
        found: how often the right word has the largest weight in the end: (draws, rates).
        largest: the median of the largest weights before training: (draws,).
    """

    losses: Tensor
    found: Tensor
    largest: Tensor


def divide_by(divisor: str, d: int) -> float:
    """Return the divisor of the scores of queries and keys of d entries."""
    return {"none": 1.0, "sqrt": math.sqrt(d), "d": float(d)}[divisor]


def train(
    d: int,
    divisor: str,
    rates: Sequence[float],
    *,
    optimizer: str = "sgd",
    draws: Sequence[int] = (1,),
    every: int = 10,
    teachers: tuple[float, float] = (0.0, 1.0),
) -> Race:
    """Train one network for each draw and learning rate, 200 steps each.

    Args:
        d: the entries of a query and of a key, at most 512.
        divisor: ``"none"``, ``"sqrt"`` or ``"d"``.
        rates: the learning rates.
        optimizer: ``"sgd"``, plain gradient descent, or ``"adam"``.
        draws: the seeds of first weights, task and words.
        every: so many steps lie between two looks at the loss.
        teachers: only queries whose largest weight lies between these two are learned from.

    Returns:
        what became of them.

    Example:
        >>> race = train(16, "sqrt", [1.0, 10.0])
        >>> race.losses[0, :, -1]
        tensor([0.0136, 0.0003], dtype=torch.float64)
    """
    c = divide_by(divisor, d)
    tasks = [_Task(seed) for seed in draws]
    # Each weight matrix (draws, rates, d, features).
    weights = [
        torch.stack([task.first[i][:d] for task in tasks])[:, None].repeat(1, len(rates), 1, 1)
        for i in range(2)
    ]
    step = _Step(optimizer, torch.tensor(rates, dtype=torch.float64).reshape(1, -1, 1, 1))
    test = torch.stack([task.test for task in tasks])
    losses = []
    for t in range(STEPS + 1):
        if t % every == 0:
            alpha = _weights(weights, _ask(tasks, test), test, c)
            losses.append((alpha - _RIGHT).square().sum(3).mean(2))
            if t == 0:
                largest = alpha[:, 0].amax(2).quantile(0.5, dim=1)
        if t < STEPS:
            keys = torch.stack([task.pool[t] for task in tasks])
            weights = step(weights, _gradients(weights, _ask(tasks, keys), keys, c, teachers))
    found = (alpha.argmax(3) == 0).double().mean(2)
    return Race(torch.stack(losses, dim=2), found, largest)


_RIGHT = torch.eye(WORDS, dtype=torch.float64)[0]


class _Task:
    """What one draw decides: the shuffle, the first weights, and all words."""

    def __init__(self, seed: int) -> None:
        place = FEATURES * LARGEST
        half = math.sqrt(3 / FEATURES)  # entries between -half and half have the variance 1/16
        self.first = [
            (2 * mulberry32(seed, place, start=start).reshape(LARGEST, FEATURES) - 1) * half
            for start in (0, place)
        ]
        self.order = mulberry32(seed, FEATURES, start=2 * place).argsort()
        self.sign = _words(seed, 1, start=2 * place + FEATURES)[0]
        self.pool = _words(seed + 1000, STEPS * BATCH * WORDS).reshape(STEPS, BATCH, WORDS, -1)
        self.test = _words(seed + 2000, TESTS * WORDS).reshape(TESTS, WORDS, -1)


def _words(seed: int, count: int, *, start: int = 0) -> Tensor:
    """Return random words (count, features): the upper bits of one number each."""
    numbers = (mulberry32(seed, count, start=start) * 2**FEATURES).long()
    bits = (numbers[:, None] >> torch.arange(FEATURES - 1, -1, -1)) & 1
    return 2 * bits.double() - 1


def _ask(tasks: list[_Task], keys: Tensor) -> Tensor:
    """Return the questions (draws, batch, features): the first word, shuffled."""
    return torch.stack([k[:, 0][:, t.order] * t.sign for t, k in zip(tasks, keys, strict=True)])


def _weights(weights: list[Tensor], queries: Tensor, keys: Tensor, c: float) -> Tensor:
    """Return the attention weights (draws, rates, batch, words)."""
    w_q, w_k = weights
    asked = queries[:, None] @ (w_q.mT @ w_k)  # (draws, rates, batch, features)
    scores = (asked[:, :, :, None] @ keys[:, None].mT)[:, :, :, 0] / c
    return ((scores * 65536 + 0.5).floor() / 65536).softmax(3)


def _gradients(
    weights: list[Tensor],
    queries: Tensor,
    keys: Tensor,
    c: float,
    teachers: tuple[float, float],
) -> list[Tensor]:
    """Return the gradients of the loss with respect to both matrices, written out."""
    w_q, w_k = weights
    alpha = _weights(weights, queries, keys, c)
    top = alpha.amax(3, keepdim=True)
    teaches = (top >= teachers[0]) & (top <= teachers[1])
    outer = 2 * (alpha - _RIGHT) / BATCH
    scores = teaches * alpha * (outer - (outer * alpha).sum(3, keepdim=True)) / c
    pulled = (scores[:, :, :, None] @ keys[:, None])[:, :, :, 0]
    between = queries[:, None].mT @ pulled  # for W_q^T W_k
    return [w_k @ between.mT, w_q @ between]


class _Step:
    """One step of an optimizer, for all rates at once; Adam has its usual settings."""

    def __init__(self, optimizer: str, rates: Tensor) -> None:
        self.adam, self.rates, self.t = optimizer == "adam", rates, 0
        self.means: list[Tensor | float] = [0.0, 0.0]
        self.squares: list[Tensor | float] = [0.0, 0.0]

    def __call__(self, weights: list[Tensor], gradients: list[Tensor]) -> list[Tensor]:
        self.t += 1
        return [
            w - self.rates * self._way(i, g)
            for i, (w, g) in enumerate(zip(weights, gradients, strict=True))
        ]

    def _way(self, i: int, gradient: Tensor) -> Tensor:
        if not self.adam:
            return gradient
        self.means[i] = mean = 0.9 * self.means[i] + 0.1 * gradient
        self.squares[i] = square = 0.999 * self.squares[i] + 0.001 * gradient.square()
        size = (square / (1 - 0.999**self.t)).sqrt() + 1e-8
        return mean / (1 - 0.9**self.t) / size
