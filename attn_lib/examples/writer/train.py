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
from attn_lib.examples.writer.checkpoint import FOLDER, load_file
from attn_lib.examples.writer.model import KINDS, Writer
from attn_lib.examples.writer.parties import BYE, HELLO, training_text

STEPS = 4000  # of the models with RoPE
SHORT = 1500  # of models that are compared
TEXTS = 40  # in a batch
POOL = 12  # batches whose texts are sorted by their length together
NOTHING = -100  # what stands behind the end of a shorter text; cross_entropy leaves it out


def text_groups(language: str, rng: random.Random) -> Iterator[list[str]]:
    """Write training texts without end, the texts of one step at a time.

    Texts of similar length stand together, so that little is filled up.
    """
    while True:
        texts = sorted((training_text(language, rng) for _ in range(TEXTS * POOL)), key=len)
        groups = [texts[at : at + TEXTS] for at in range(0, len(texts), TEXTS)]
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
        steps: how many batches it sees, of 40 texts each.
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


def beginner(language: str, kind: str, seed: int) -> Writer:
    """Draw the first parameters of a model.

    A language other than English begins with the layers of the stored English model, and with its
    vectors of the letters that both have. Looking for what stood there before is the same skill in
    all of them, and from nothing it is found late or never where an alphabet is large. The letters
    before the spaces that end *hello* and *bye* begin as the English ones too: whoever reads them
    knows whether a guest comes or leaves. Without that the Korean model took leave of one guest
    again and again.
    """
    torch.manual_seed(seed)
    model = Writer(len(alphabet(language)), **KINDS[kind])
    if language != "en":
        english = load_file(FOLDER / f"en-{kind}.json").float()
        model.layers.load_state_dict(english.layers.state_dict())
        as_in_english = {c: c for c in alphabet(language) if c in alphabet("en")}
        for said in (HELLO, BYE):
            if said[language].endswith(" "):
                as_in_english.setdefault(said[language][-2], said["en"][-2])
        with torch.no_grad():
            for ours, theirs in as_in_english.items():
                vector = english.letters.weight[alphabet("en").index(theirs)]
                model.letters.weight[alphabet(language).index(ours)] = vector
            model.loud.copy_(english.loud)
    return model


def warm_and_cool(step: int, steps: int) -> float:
    """Return the share of the learning rate: up for 100 steps, down along a cosine."""
    return min(1, (step + 1) / 100) * (0.51 + 0.49 * math.cos(math.pi * step / steps))
