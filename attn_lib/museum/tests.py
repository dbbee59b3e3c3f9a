"""Nine tests of an attention, and what they find on the exhibits.

A test builds small tensors, runs an attention on them, and reports what it expected and what it
got. One more comparison, `agrees_with_torch`, stands outside the numbers. `trials` asks the same
of attention that has neither `scores` nor `weights`.
"""

import math
from collections.abc import Callable, Iterable
from functools import cache

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from attn_lib.examples import four_words
from attn_lib.masking import sequence_mask
from attn_lib.museum.faults import EXHIBITS
from attn_lib.museum.finding import Finding
from attn_lib.museum.right import DotProduct

# With this seed, dropout repeats the draw that a published notebook was saved with.
SEED = 1247


def published_toy(attention: DotProduct) -> Finding:
    """Test 1: ten equal keys, so the output is the mean of the first 2 and of the first 6 values.

    The published toy. It looks at the numbers, whatever the shape they come in.
    """
    output = attention(*_toy(attention), torch.tensor([2, 6]))
    return _compare(torch.tensor(_MEANS), output.reshape(2, -1), 1e-4)


def rows_sum_to_one(attention: DotProduct) -> Finding:
    """Test 2: the weights that the four words get sum to 1."""
    sums = _ask(attention).sum(1)
    return _compare(torch.ones(2), sums, 1e-4)


def query_matters(attention: DotProduct) -> Finding:
    """Test 3: another query gives other weights. Shown is the word whose weight changes most."""
    weights = _ask(attention)  # (Q, K)
    word = (weights[0] - weights[1]).abs().argmax()
    one, other = weights[:, word]
    differ = bool(abs(one - other) > 1e-3)
    sign = " ≠ " if differ else " = "
    return Finding(differ, "a ≠ b", _text(one) + sign + _text(other))


def numbers_by_hand(attention: DotProduct) -> Finding:
    """Test 4: the four words get the weights that were computed by hand."""
    expected = torch.tensor(attention.by_hand)
    return _compare(expected, _ask(attention)[0], 1e-4)


def length_zero(attention: DotProduct) -> Finding:
    """Test 5: of valid length 0, nothing gets weight."""
    attention(*_toy(attention, num_keys=4), torch.tensor([0, 3]))
    return _compare(torch.zeros(1, 4), attention.attention_weights[0], 0.0)


def input_unchanged(attention: DotProduct) -> Finding:
    """Test 6: the scores of the caller stay as they were."""
    queries, keys, _ = _toy(attention, num_keys=4)
    scores = attention.scores(queries, keys)
    before = scores.clone()
    attention.weights(scores, torch.tensor([2, 3]))
    same = torch.equal(before, scores)
    return Finding(same, _text(before[0]), _text(scores[0]))


def axes_kept(attention: DotProduct) -> Finding:
    """Test 7: values of size 1 give an output (B, Q, V)."""
    output = attention(*_toy(attention, num_keys=4, value_size=1), torch.tensor([2, 3]))
    return Finding(output.shape == (2, 1, 1), "(2, 1, 1)", str(tuple(output.shape)))


def lengths_of_three_queries(attention: DotProduct) -> Finding:
    """Test 8: lengths 1 and 3 hold for all three queries of their example."""
    attention(*_toy(attention, num_queries=3, num_keys=4), torch.tensor([1, 3]))
    expected = torch.tensor([[1.0] * 3, [3.0] * 3])
    return _compare(expected, (attention.attention_weights > 0).sum(2), 0.0)


def nan_in_padding(attention: DotProduct) -> Finding:
    """Test 9: the published toy with NaN in its padding has the same output."""
    queries, keys, values = _toy(attention)
    lens = torch.tensor([2, 6])
    output = attention(queries, keys, sequence_mask(values, lens, value=math.nan), lens)
    return _compare(torch.tensor(_MEANS), output.reshape(2, -1), 1e-4)


# By number.
TESTS: dict[int, Callable[[DotProduct], Finding]] = dict(
    enumerate(
        (
            published_toy,
            rows_sum_to_one,
            query_matters,
            numbers_by_hand,
            length_zero,
            input_unchanged,
            axes_kept,
            lengths_of_three_queries,
            nan_in_padding,
        ),
        start=1,
    )
)


def agrees_with_torch(attention: DotProduct) -> Finding:
    """Compare dot-product attention with torch's own, on random numbers."""
    q, k = torch.randn(2, 3, 2), torch.randn(2, 7, 2)
    v, lens = torch.randn(2, 7, 4), torch.tensor([2, 5])
    mask = torch.arange(7) < lens.reshape(2, 1, 1)
    wanted = scaled_dot_product_attention(q, k, v, attn_mask=mask)
    output = attention(q, k, v, lens)
    gap = torch.tensor(math.inf)
    if output.shape == wanted.shape:
        gap = (output - wanted).abs().max()
    return _compare(torch.zeros(()), gap, 1e-5)


def run(test: Callable[[DotProduct], Finding], attention: Callable[[], DotProduct]) -> Finding:
    """Run a test on an attention made for it, always with the same random numbers.

    Args:
        test: one of `TESTS`, or your own function of an attention.
        attention: one of `EXHIBITS`, `DotProduct`, `Additive` or your own class.

    Returns:
        What the test found; an error inside the attention counts as a failed test.

    Example:
        >>> from attn_lib import museum
        >>> museum.run(museum.published_toy, museum.TanhBeforeSum)
        ✓ expected 2 3 4 5 / 10 11 12 13, got 2 3 4 5 / 10 11 12 13
        >>> museum.run(museum.query_matters, museum.TanhBeforeSum)
        ✗ expected a ≠ b, got 0.4365 = 0.4365
    """
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(SEED)
        try:
            return test(attention())
        except Exception as error:  # whatever a reader's attention raises
            return Finding(False, "", f"{type(error).__name__}: {error}")


@cache
def findings() -> dict[str, dict[int, Finding]]:
    """Run all tests on all exhibits: findings by exhibit and number of the test."""
    return {
        name: {number: run(test, exhibit) for number, test in TESTS.items()}
        for name, exhibit in EXHIBITS.items()
    }


def caught_by(tests: Iterable[int]) -> list[str]:
    """Name the exhibits that fail at least one of these tests, in the museum's order."""
    chosen = list(tests)
    return [name for name, found in findings().items() if not all(found[n] for n in chosen)]


# The output of the published toy: the mean of the first 2 and of the first 6 rows of values.
_MEANS = ((2.0, 3.0, 4.0, 5.0), (10.0, 11.0, 12.0, 13.0))


def _toy(
    attention: DotProduct, *, num_queries: int = 1, num_keys: int = 10, value_size: int = 4
) -> tuple[Tensor, Tensor, Tensor]:
    """Return two examples: queries and keys of ones, values that count up from 0."""
    queries = torch.ones(2, num_queries, len(attention.asked[0]))
    values = torch.arange(float(num_keys * value_size)).reshape(1, num_keys, value_size)
    return queries, torch.ones(2, num_keys, 2), values.repeat(2, 1, 1)


def _ask(attention: DotProduct) -> Tensor:
    """Return the weights (2, K) that the four words get from the two queries, an example each."""
    queries = torch.tensor(attention.asked, dtype=torch.float32).unsqueeze(1)
    keys = four_words.keys().expand(2, 4, 2)
    attention(queries, keys, keys, torch.tensor([4, 4]))
    return attention.attention_weights[:, 0]


def _compare(expected: Tensor, got: Tensor, tolerance: float) -> Finding:
    close = got.shape == expected.shape and torch.allclose(
        got.to(expected), expected, rtol=0, atol=tolerance
    )
    return Finding(close, _text(expected), _text(got))


def _text(tensor: Tensor) -> str:
    """Write numbers as short as four decimals allow; rows are parted by a slash."""
    rows = tensor.reshape(-1, tensor.shape[-1] if tensor.ndim else 1).tolist()
    text = " / ".join(" ".join(f"{round(x, 4):g}" for x in row) for row in rows)
    return text.replace("e+0", "e")
