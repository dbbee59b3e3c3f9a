"""What attention of any library can be asked, without knowing its parameters.

A trial calls an attention twice where one of the two answers is known, or both must be one. T1 to
T10 are the museum's tests in this form; P1 to P5 hold the promise that what an example gets
depends on that example alone. Failures say which known fault they look like.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from attn_lib.examples import four_words
from attn_lib.museum.adapters import Subject
from attn_lib.museum.finding import Finding
from attn_lib.museum.right import DotProduct

_TOLERANCE = 1e-4  # of the largest number expected, or of 1
_FAR = 300  # beyond 256, bfloat16 has no odd numbers


class NotAskedError(Exception):
    """A trial cannot ask this of the attention; the text says why."""


@dataclass(frozen=True)
class Trial:
    """One thing that is asked of an attention.

    Args:
        name: its number, such as ``"T5"``.
        ask: the trial itself.
        looks_like: the known faults that fail it.
    """

    name: str
    ask: Callable[[Subject], Finding]
    looks_like: str

    def run(self, subject: Subject) -> Finding:
        """Ask; an error of the attention is a failure.

        Raises:
            NotAskedError: The attention cannot be asked this.
        """
        try:
            return self.ask_alike(subject)
        except NotAskedError:
            raise
        except Exception as error:  # whatever somebody's attention raises
            return Finding(False, "an output", f"{type(error).__name__}: {error}")

    def ask_alike(self, subject: Subject) -> Finding:
        """Ask, always with the same numbers.

        Raises:
            NotAskedError: The attention cannot be asked this.
            Exception: Whatever the attention raises.
        """
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            return self.ask(subject)


def published_toy(subject: Subject) -> Finding:
    """T1: equal keys give the mean of the visible values."""
    _ask_without_places(subject)
    _ask_apart(subject)
    D = subject.size
    values = torch.arange(10.0 * D).reshape(1, 10, D).repeat(2, 1, 1) / D
    means = torch.stack([values[0, :2].mean(0), values[0, :6].mean(0)]).unsqueeze(1)
    queries = torch.ones(2, 1, D)
    output = subject.attend(queries, torch.ones(2, 10, D), values, _first(10, 2, 6))
    one = subject.attend(queries, torch.ones(2, 1, D), means, _first(1, 1, 1))
    return _same(one, output)


def rows_sum_to_one(subject: Subject) -> Finding:
    """T2: among equal visible tokens the answer is that of one of them."""
    queries, tokens, _ = _draw(subject)
    equal = torch.where(_first(5, 2, 4)[:, :, None], tokens[:, :1], tokens)
    output = subject.attend(queries, equal, equal, _first(5, 2, 4))
    one = equal[:, :1]
    return _same(subject.attend(queries, one, one, _first(1, 1, 1)), output)


def query_matters(subject: Subject) -> Finding:
    """T3: another query gives another answer."""
    queries, keys, values = _draw(subject)
    visible = _first(5, 5, 5)
    one, other = (subject.attend(q, keys, values, visible) for q in (queries, -3 * queries))
    gap = (one - other).abs().max().item()
    matters = gap > 1e-5  # what is less is rounding, another on another processor
    got = f"a difference of {gap:.1e}" if matters else "the same answer, but for rounding"
    return Finding(matters, "answers that differ", got)


def numbers_by_hand(subject: Subject) -> Finding:
    """T4: the four words get the weights that were computed by hand."""
    _ask_without_places(subject)
    _ask_known_formula(subject)
    keys, query = four_words.keys().unsqueeze(0), torch.ones(1, 1, 2)
    weights = subject.attend(query, keys, torch.eye(4).unsqueeze(0), _first(4, 4))
    return _same(torch.tensor([[DotProduct.by_hand]]), weights)


def length_zero(subject: Subject) -> Finding:
    """T5: a row that may see nothing shows no trace of what is hidden."""
    queries, keys, values = _draw(subject)
    visible = _first(5, 0, 3)
    output = subject.attend(queries, keys, values, visible)[:1]
    weights = getattr(subject.attention, "attention_weights", None)
    if isinstance(weights, Tensor) and len(weights) == len(visible) and weights[0].any():
        return Finding(False, "no weight", _text(weights[0]))
    other = subject.attend(queries, *_changed(keys, values, ~visible), visible)[:1]
    if not output.isfinite().all():
        return Finding(False, "numbers", _text(output))
    return _same(output, other)


def input_unchanged(subject: Subject) -> Finding:
    """T6: queries, keys, values and mask stay as they were."""
    given = (*_draw(subject), _first(5, 2, 3))
    before = [tensor.clone() for tensor in given]
    subject.attend(*given)
    names = ("queries", "keys", "values", "mask")
    changed = [
        name for name, a, b in zip(names, before, given, strict=True) if not torch.equal(a, b)
    ]
    return Finding(not changed, "nothing changed", ", ".join(changed) or "nothing changed")


def axes_kept(subject: Subject) -> Finding:
    """T7: one example, one query and one key are three axes still."""
    size = subject.attend(*_draw(subject), _first(5, 5, 5)).shape[-1]
    output = subject.attend(*_draw(subject, 1, 1, 1), _first(1, 1))
    expected = (1, 1, size)
    return Finding(output.shape == expected, str(expected), str(tuple(output.shape)))


def lengths_of_three_queries(subject: Subject) -> Finding:
    """T8: for all queries of an example the same keys are hidden, and no others."""
    queries, keys, values = _draw(subject)
    visible = _first(5, 1, 3)
    output = subject.attend(queries, keys, values, visible)
    hidden = _changed(keys, values, ~visible)
    found = _same(output, subject.attend(queries, *hidden, visible))
    if not found:
        return found
    last = visible & ~_first(5, 0, 2)  # the last visible key of each example
    moved = subject.attend(queries, *_changed(keys, values, last), visible)
    gaps = (moved - output).abs().amax(2)
    return Finding(bool((gaps > 1e-5).all()), "all queries see the last key", _text(gaps))


def nan_in_padding(subject: Subject) -> Finding:
    """T9: NaN in padding changes nothing."""
    queries, keys, values = _draw(subject)
    visible = _first(5, 2, 3)
    clean = subject.attend(queries, keys, values, visible)
    hidden = ~visible[:, :, None]
    dirty_keys = keys.masked_fill(hidden, math.nan)
    dirty = dirty_keys if values is keys else values.masked_fill(hidden, math.nan)
    return _same(clean, subject.attend(queries, dirty_keys, dirty, visible))


def agrees_with_torch(subject: Subject) -> Finding:
    """T10: on random numbers it is torch's scaled dot-product attention."""
    _ask_without_places(subject)
    _ask_known_formula(subject)
    q, k, v = torch.randn(2, 3, 6), torch.randn(2, 7, 6), torch.randn(2, 7, 6)
    visible = _first(7, 2, 5)
    wanted = scaled_dot_product_attention(q, k, v, attn_mask=visible[:, None])
    return _same(wanted, subject.attend(q, k, v, visible))


def same_again(subject: Subject) -> Finding:
    """T11: the same call gives the same answer, in evaluation mode."""
    given = (*_draw(subject), _first(5, 2, 3))
    return _same(subject.attend(*given), subject.attend(*given))


def alone(subject: Subject) -> Finding:
    """P1: an example gets the same without its neighbours, loud and empty ones."""
    queries, keys, values = _draw(subject, 3)
    loud = torch.tensor([1.0, 100.0, 1.0]).reshape(3, 1, 1)
    queries, visible = queries * loud, _first(5, 3, 5, 0)
    louder = keys * loud
    values = louder if values is keys else values
    together = subject.attend(queries, louder, values, visible)[:1]
    return _same(subject.attend(queries[:1], louder[:1], values[:1], visible[:1]), together)


def one_by_one(subject: Subject) -> Finding:
    """P2: queries get the same one by one and together."""
    _ask_without_places(subject)
    queries, keys, values = _draw(subject)
    visible = _first(5, 2, 3)
    single = [subject.attend(queries[:, i : i + 1], keys, values, visible) for i in range(3)]
    return _same(torch.cat(single, 1), subject.attend(queries, keys, values, visible))


def padded(subject: Subject) -> Finding:
    """P3: one more hidden key at the end changes nothing."""
    _ask_without_places(subject)
    queries, keys, values = _draw(subject)
    fewer, more = _first(4, 2, 4), _first(5, 2, 4)
    short = subject.attend(queries, keys[:, :4], values[:, :4], fewer)
    return _same(short, subject.attend(queries, keys, values, more))


def gradients(subject: Subject) -> Finding:
    """P4: hidden tokens get a gradient of 0, and no gradient is NaN beside an empty row."""
    queries, keys, values = _draw(subject)
    visible = _first(5, 0, 3)
    given = [queries, keys] if values is keys else [queries, keys, values]
    for tensor in given:
        tensor.requires_grad_()
    output = subject.attend(given[0], given[1], given[-1], visible)
    if not output.requires_grad:
        raise NotAskedError("it has no gradients")
    output.square().sum().backward()
    for name, tensor in zip(("queries", "keys", "values"), given, strict=False):
        gradient = torch.zeros(()) if tensor.grad is None else tensor.grad
        if not gradient.isfinite().all():
            return Finding(False, "numbers", f"NaN in the gradient of the {name}")
    hidden = torch.stack([t.grad[~visible].abs().max() for t in given[1:] if t.grad is not None])
    return _same(torch.zeros_like(hidden), hidden)


def shifted(subject: Subject) -> Finding:
    """P5: hidden keys in front change nothing, where only distances count."""
    if subject.call.lengths:
        raise NotAskedError("lengths cannot hide the first keys")
    queries, keys, values = _draw(subject)
    front = torch.randn(2, _FAR, subject.size)
    more = torch.cat([front, keys], 1)
    given = more if values is keys else torch.cat([front, values], 1)
    visible = torch.cat([torch.zeros(2, _FAR, dtype=torch.bool), _first(5, 5, 5)], 1)
    near = subject.attend(queries, keys, values, _first(5, 5, 5))
    return _same(near, subject.attend(queries, more, given, visible), tolerance=1e-3)


_NOT_SCALED = "no division by the square root of D; or another score, which may be meant"
_DROPOUT = "dropout that is on without training"
_LEAK = "masked scores filled with 0 or a small number, or weights zeroed after the softmax"
#: What is asked, in this order.
TRIALS: dict[str, Trial] = {
    name: Trial(name, ask, looks_like)
    for name, ask, looks_like in (
        ("T1", published_toy, f"{_LEAK}; a softmax over another axis; {_DROPOUT}"),
        ("T2", rows_sum_to_one, f"{_LEAK}; a softmax over another axis; {_DROPOUT}"),
        ("T3", query_matters, "a tanh before the sum, or a score that leaves the query out"),
        ("T4", numbers_by_hand, _NOT_SCALED),
        ("T5", length_zero, "−1e6 in place of −∞, so an empty row attends to padding; or 0/0"),
        ("T6", input_unchanged, "a mask written into the caller's tensors"),
        ("T7", axes_kept, "squeeze() without an axis"),
        ("T8", lengths_of_three_queries, f"{_LEAK}; lengths repeated in the wrong order"),
        ("T9", nan_in_padding, "a weight of 0 that is trusted to keep NaN out: 0 times NaN is NaN"),
        ("T10", agrees_with_torch, _NOT_SCALED),
        ("T11", same_again, _DROPOUT),
        ("P1", alone, "a number taken over the whole batch, such as its largest score"),
        ("P2", one_by_one, "a softmax over the queries"),
        ("P3", padded, _LEAK),
        ("P4", gradients, "−∞ added to the scores of an empty row, and NaN turned into 0 too late"),
        ("P5", shifted, "two layouts of rotary pairs, places in half precision, absolute places"),
    )
}


def examine(subject: Subject) -> dict[str, Finding | NotAskedError]:
    """Run all trials on an attention.

    Args:
        subject: the attention and how it is called; `attn_lib.examine.subject` finds both.

    Returns:
        What each trial found, by its name, or why it could not be asked.

    Example:
        >>> import attn_lib
        >>> from attn_lib.examine import CALLS, Subject, examine
        >>> found = examine(Subject(attn_lib.DotProductAttention(0.0), CALLS["lengths"], 8))
        >>> [name for name, finding in found.items() if not finding]
        []
    """
    found: dict[str, Finding | NotAskedError] = {}
    for name, trial in TRIALS.items():
        try:
            found[name] = trial.run(subject)
        except NotAskedError as reason:
            found[name] = reason
    return found


def _ask_without_places(subject: Subject) -> None:
    if subject.places:
        raise NotAskedError("its keys have places, and this changes them")


def _ask_apart(subject: Subject) -> None:
    if not subject.call.apart:
        raise NotAskedError("keys and values cannot be given apart")


def _ask_known_formula(subject: Subject) -> None:
    _ask_apart(subject)
    if not subject.parameterless:
        raise NotAskedError("it has parameters, so its numbers are not known beforehand")


def _draw(subject: Subject, B: int = 2, Q: int = 3, K: int = 5) -> tuple[Tensor, Tensor, Tensor]:
    """Return queries (B, Q, D), keys and values (B, K, D), one tensor where they are one."""
    D = subject.size
    generator = torch.Generator().manual_seed(1)
    queries, keys, values = (torch.randn(B, n, D, generator=generator) for n in (Q, K, K))
    return queries, keys, values if subject.call.apart else keys


def _first(num_keys: int, *lens: int) -> Tensor:
    """Return a mask (B, K) by which each example sees its first keys."""
    return torch.arange(num_keys) < torch.tensor(lens).unsqueeze(1)


def _changed(keys: Tensor, values: Tensor, where: Tensor) -> tuple[Tensor, Tensor]:
    """Return keys and values with other numbers at some places (B, K)."""
    new_keys = torch.where(where[:, :, None], keys.flip(2) * 2 + 1, keys)
    if values is keys:
        return new_keys, new_keys
    return new_keys, torch.where(where[:, :, None], values.flip(2) * 2 + 1, values)


def _same(expected: Tensor, got: Tensor, tolerance: float = _TOLERANCE) -> Finding:
    expected, got = expected.detach(), got.detach()
    size = max(1.0, expected.abs().max().item())
    same = got.shape == expected.shape and torch.allclose(
        got, expected, rtol=0, atol=tolerance * size, equal_nan=False
    )
    return Finding(same, _text(expected), _text(got))


def _text(tensor: Tensor) -> str:
    """Write the first numbers of a tensor."""
    numbers = tensor.reshape(-1)[:4].tolist()
    return " ".join(f"{number:.4g}" for number in numbers)
