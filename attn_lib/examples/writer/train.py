"""Train a writer to say at every letter which one comes next."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

from attn_lib.examples.writer.alphabet import alphabet
from attn_lib.examples.writer.model import Writer
from attn_lib.examples.writer.parties import training_text

STEPS = 1500  # from nothing
FURTHER = 800  # from the layers of the English model
LETTERS = 2048  # a batch has as many texts as fit into so many letters
POOL = 512  # texts that are sorted by their length at a time
NOTHING = -100  # what stands behind the end of a shorter text; cross_entropy leaves it out


def text_groups(language: str, rng: random.Random) -> Iterator[list[str]]:
    """Write training texts without end, the texts of one step at a time.

    Texts of similar length stand together, so that little is filled up.
    """
    while True:
        texts = sorted((training_text(language, rng) for _ in range(POOL)), key=len)
        groups: list[list[str]] = [[]]
        for text in texts:
            if (len(groups[-1]) + 1) * len(text) > LETTERS:
                groups.append([])
            groups[-1].append(text)
        rng.shuffle(groups)
        yield from groups


def batches(language: str, rng: random.Random) -> Iterator[Tensor]:
    """Number the letters of the texts of each step: (B, N), filled up with -100."""
    number = {letter: i for i, letter in enumerate(alphabet(language))}
    for texts in text_groups(language, rng):
        rows = [torch.tensor([number[c] for c in text]) for text in texts]
        yield pad_sequence(rows, batch_first=True, padding_value=NOTHING)


def train(
    model: Writer,
    language: str,
    steps: int = STEPS,
    seed: int = 0,
    progress: Callable[[int, float], object] | None = None,
) -> Writer:
    """Train a model on texts that are written for the purpose, new ones at every step.

    Args:
        model: what is trained, in place; its table must have the letters of the language.
        language: ``en``, ``vi``, ``ko`` or ``zh``.
        steps: how many batches it sees, of about 2,000 letters each.
        seed: of the texts; the model's parameters were drawn before.
        progress: called after each step with its number and its loss.

    Returns:
        The same model.

    Raises:
        ValueError: there is no such language.

    Example:
        >>> import torch
        >>> from attn_lib.examples import writer
        >>> losses = []
        >>> _ = torch.manual_seed(0)
        >>> model = writer.Writer(len(writer.alphabet("en")))
        >>> _ = writer.train(model, "en", 3, progress=lambda step, loss: losses.append(loss))
        >>> len(losses), losses[2] < losses[0]
        (3, True)
    """
    data = batches(language, random.Random(seed))
    optimiser = torch.optim.Adam(model.parameters(), lr=0.006, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: warm_and_cool(step, steps))
    model.train()
    for step in range(1, steps + 1):
        text = next(data)
        logits = model(text[:, :-1].clamp(min=0)).logits  # (B, N, letters)
        loss = F.cross_entropy(logits.flatten(0, 1), text[:, 1:].flatten(), ignore_index=NOTHING)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimiser.step()
        schedule.step()
        if progress:
            progress(step, loss.item())
    return model.eval()


def warm_and_cool(step: int, steps: int) -> float:
    """Return the share of the learning rate: up for 100 steps, down along a cosine."""
    return min(1, (step + 1) / 100) * (0.51 + 0.49 * math.cos(math.pi * step / steps))


def steps_for(language: str) -> int:
    """Return how many batches the stored model of a language has seen in that language."""
    return STEPS if language == "en" else FURTHER
