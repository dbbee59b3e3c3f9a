"""Train a date reader on dates that are written for the purpose."""

from __future__ import annotations

import random
from collections.abc import Callable

import torch
from torch import Tensor, nn

from attn_lib.examples.dates.alphabet import SYMBOLS, encode
from attn_lib.examples.dates.model import START, DateReader
from attn_lib.examples.dates.write import ALL_YEARS, WrittenDate, write_dates


def batch(dates: list[WrittenDate]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Turn dates into letters (B, K), lens (B,), written (B, 10) and the symbols to write."""
    letters, lens = encode([date.text for date in dates])
    symbols = torch.tensor([[SYMBOLS.index(c) for c in date.iso] for date in dates])
    start = torch.full((len(dates), 1), START)
    return letters, lens, torch.cat((start, symbols[:, :-1]), dim=1), symbols


def train(
    model: DateReader,
    steps: int = 2000,
    seed: int = 0,
    years: tuple[int, int] = ALL_YEARS,
    batch_size: int = 128,
    progress: Callable[[int, float], object] | None = None,
) -> DateReader:
    """Train a model on dates written for the purpose, new ones at every step.

    Args:
        model: what is trained, in place.
        steps: how many batches it sees.
        seed: of the dates; the model's parameters were drawn before.
        years: first and last year of the dates.
        batch_size: dates a step.
        progress: called after each step with its number and its loss.

    Example:
        >>> import torch
        >>> from attn_lib.examples.dates import DateReader, train
        >>> losses = []
        >>> _ = torch.manual_seed(0)
        >>> _ = train(DateReader(), steps=3, progress=lambda step, loss: losses.append(loss))
        >>> len(losses), losses[2] < losses[0]
        (3, True)
    """
    rng = random.Random(seed)
    optimiser = torch.optim.Adam(model.parameters())
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=0.01, total_steps=steps)
    model.train()
    for step in range(1, steps + 1):
        letters, lens, written, symbols = batch(write_dates(batch_size, rng, years=years))
        logits = model(letters, lens, written)  # (B, 10, 11)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), symbols.flatten())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimiser.step()
        schedule.step()
        if progress:
            progress(step, loss.item())
    return model.eval()
