"""Eight published faults in attention code, and eight tests to catch them with.

An exhibit is attention with one fault; whatever it does not define itself comes from `DotProduct`
or `Additive`, which are right. A test builds small tensors, runs an attention on them, and reports
what it expected and what it got. Which test catches which fault is written down nowhere: `run`
finds out.
"""

import inspect
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor, nn

from attn_lib.masking import masked_softmax, sequence_mask
from attn_lib.scoring import additive_scores, dot_product_scores

# With this seed, dropout repeats the draw that a published notebook was saved with.
SEED = 1247


class DotProduct(nn.Module):
    """Scaled dot-product attention, right, in three steps that an exhibit may replace.

    After a call, ``attention_weights`` holds the weights (B, Q, K).

    Shape:
        queries (B, Q, D); keys (B, K, D); values (B, K, V); valid_lens (B,).

    Returns:
        Outputs (B, Q, V).

    Example:
        >>> import torch
        >>> from attn_lib import museum
        >>> queries, keys, values = torch.ones(1, 1, 2), torch.ones(1, 3, 2), torch.eye(3)[None]
        >>> museum.DotProduct()(queries, keys, values, torch.tensor([2]))
        tensor([[[0.5000, 0.5000, 0.0000]]])
    """

    # Test 4 by hand: the weights of key 1 and of each other key, in examples 1 and 2.
    by_hand = ((0.8044, 0.1956), (0.4513, 0.1097))

    attention_weights: Tensor

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Score (B, Q, K)."""
        return dot_product_scores(queries, keys)

    def weights(self, scores: Tensor, valid_lens: Tensor) -> Tensor:
        """Weigh (B, Q, K), by lengths (B,)."""
        return masked_softmax(scores, valid_lens)

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> Tensor:
        """Average the values: (B, Q, V)."""
        self.attention_weights = self.weights(self.scores(queries, keys), valid_lens)
        return torch.bmm(self.attention_weights, values)


class Additive(DotProduct):
    """Additive attention, right, with eight hidden units chosen by hand."""

    by_hand = ((0.9778, 0.0222), (0.8981, 0.0204))

    W_q = torch.tensor([[0.5, 0.5], [-0.5, -0.5]] * 4)
    W_k = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]] * 2)
    w_v = torch.tensor([-1.0, 2.0] * 4)

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Score (B, Q, K)."""
        return additive_scores(queries, keys, self.W_q, self.W_k, self.w_v)


# The exhibits. Readers see their code as `code` shows it, so each stays within 12 short lines.


class TanhBeforeSum(Additive):
    """The layers of queries and keys have their own tanh, and the sum has none."""

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Score (B, Q, K)."""
        q = torch.tanh(queries @ self.W_q.T)
        k = torch.tanh(keys @ self.W_k.T)
        hidden = q.unsqueeze(2) + k.unsqueeze(1)
        return hidden @ self.w_v


class DropoutLeftOn(DotProduct):
    """A new module is in training mode, and nobody calls eval()."""

    def __init__(self) -> None:
        super().__init__()
        self.dropout = nn.Dropout(0.5)

    def weights(self, scores: Tensor, valid_lens: Tensor) -> Tensor:
        """Weigh (B, Q, K)."""
        weights = masked_softmax(scores, valid_lens)
        return self.dropout(weights)


class MaskInPlace(DotProduct):
    """The fill is written through a view, into the caller's scores."""

    def weights(self, scores: Tensor, valid_lens: Tensor) -> Tensor:
        """Weigh (B, Q, K)."""
        B, Q, K = scores.shape
        rows = scores.reshape(B * Q, K)
        lens = valid_lens.repeat_interleave(Q)
        mask = torch.arange(K) < lens.unsqueeze(1)
        rows[~mask] = -1e6
        return torch.softmax(rows, dim=-1).reshape(B, Q, K)


class FilledWithAMillion(DotProduct):
    """A large negative number stands in for minus infinity."""

    def weights(self, scores: Tensor, valid_lens: Tensor) -> Tensor:
        """Weigh (B, Q, K)."""
        B, Q, K = scores.shape
        rows = scores.reshape(B * Q, K)
        lens = valid_lens.repeat_interleave(Q)
        rows = sequence_mask(rows, lens, value=-1e6)
        return torch.softmax(rows, dim=-1).reshape(B, Q, K)


class NotScaled(DotProduct):
    """The division by the square root of D is missing."""

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Score (B, Q, K)."""
        return torch.bmm(queries, keys.transpose(1, 2))


class WrongAxis(DotProduct):
    """The softmax runs over the queries; NaN of empty columns is turned into 0."""

    def weights(self, scores: Tensor, valid_lens: Tensor) -> Tensor:
        """Weigh (B, Q, K)."""
        keys = torch.arange(scores.shape[2])
        masked = keys >= valid_lens.reshape(-1, 1, 1)
        scores = scores.masked_fill(masked, -math.inf)
        weights = torch.softmax(scores, dim=1)
        return weights.nan_to_num(0.0)


class SqueezedAway(DotProduct):
    """All axes of size 1 go, not only the one that was meant."""

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> Tensor:
        """Average the values."""
        output = super().forward(queries, keys, values, valid_lens)
        return output.squeeze()


class RepeatedInTheWrongOrder(DotProduct):
    """One length per query, but in the order 1, 3, 1, 3 in place of 1, 1, 3, 3."""

    def weights(self, scores: Tensor, valid_lens: Tensor) -> Tensor:
        """Weigh (B, Q, K)."""
        B, Q = scores.shape[:2]
        lens = valid_lens.repeat(Q).reshape(B, Q)
        return masked_softmax(scores, lens)


#: The exhibits, by the names that the figure has in its links.
EXHIBITS: dict[str, type[DotProduct]] = {
    "tanh": TanhBeforeSum,
    "dropout": DropoutLeftOn,
    "inplace": MaskInPlace,
    "fill": FilledWithAMillion,
    "nosqrt": NotScaled,
    "dim": WrongAxis,
    "squeeze": SqueezedAway,
    "repeat": RepeatedInTheWrongOrder,
}


@dataclass(frozen=True)
class Finding:
    """What a test found out; true if the test passed.

    Args:
        passed: whether the attention did what the test expects.
        expected: the numbers that the test expects.
        got: the numbers that it got, or the error that it met.

    Example:
        >>> from attn_lib import museum
        >>> museum.Finding(2 + 2 == 5, expected="5", got="4")
        ✗ expected 5, got 4
    """

    passed: bool
    expected: str
    got: str

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return f"{'✓' if self.passed else '✗'} expected {self.expected}, got {self.got}"


def published_toy(attention: DotProduct) -> Finding:
    """Test 1: ten equal keys, so the output is the mean of the first 2 and of the first 6 values.

    The published toy. It looks at the numbers, whatever the shape they come in.
    """
    output = attention(*_toy(), torch.tensor([2, 6]))
    expected = torch.tensor([[2.0, 3, 4, 5], [10, 11, 12, 13]])
    return _compare(expected, output.reshape(2, -1), 1e-4)


def rows_sum_to_one(attention: DotProduct) -> Finding:
    """Test 2: the weights of each query sum to 1."""
    attention(*_toy(key_1=(3, 1)), torch.tensor([2, 6]))
    return _compare(torch.ones(2, 1), attention.attention_weights.sum(2), 1e-4)


def query_matters(attention: DotProduct) -> Finding:
    """Test 3: the opposite query gives key 1 of example 2 another weight."""
    weights = []
    for sign in (1, -1):
        queries, keys, values = _toy(key_1=(3, 1))
        attention(sign * queries, keys, values, torch.tensor([2, 6]))
        weights.append(attention.attention_weights[1, 0, 0])
    differ = abs(weights[0] - weights[1]) > 1e-3
    pair = f" {'≠' if differ else '='} ".join(_text(weight) for weight in weights)
    return Finding(bool(differ), "a ≠ b", pair)


def numbers_by_hand(attention: DotProduct) -> Finding:
    """Test 4: key 1 is (3, 1), and the weights are those computed by hand."""
    attention(*_toy(key_1=(3, 1)), torch.tensor([2, 6]))
    expected = torch.tensor(attention.by_hand)  # (example, key 1 or another)
    return _compare(expected, attention.attention_weights[:, 0, :2], 1e-4)


def length_zero(attention: DotProduct) -> Finding:
    """Test 5: of valid length 0, nothing gets weight."""
    attention(*_toy(num_keys=4), torch.tensor([0, 3]))
    return _compare(torch.zeros(1, 4), attention.attention_weights[0], 0.0)


def input_unchanged(attention: DotProduct) -> Finding:
    """Test 6: the scores of the caller stay as they were."""
    queries, keys, _ = _toy(num_keys=4)
    scores = attention.scores(queries, keys)
    before = scores.clone()
    attention.weights(scores, torch.tensor([2, 3]))
    return Finding(torch.equal(before, scores), _text(before[0]), _text(scores[0]))


def axes_kept(attention: DotProduct) -> Finding:
    """Test 7: values of size 1 give an output (B, Q, V)."""
    output = attention(*_toy(num_keys=4, value_size=1), torch.tensor([2, 3]))
    return Finding(output.shape == (2, 1, 1), "(2, 1, 1)", str(tuple(output.shape)))


def lengths_of_three_queries(attention: DotProduct) -> Finding:
    """Test 8: lengths 1 and 3 hold for all three queries of their example."""
    attention(*_toy(num_queries=3, num_keys=4), torch.tensor([1, 3]))
    expected = torch.tensor([[1.0] * 3, [3.0] * 3])
    return _compare(expected, (attention.attention_weights > 0).sum(2), 0.0)


#: The tests, by number.
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
        ),
        start=1,
    )
)


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
        ✗ expected a ≠ b, got 0.2419 = 0.2419
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


def code(exhibit: type[DotProduct]) -> str:
    """Return an exhibit's code as readers see it: without docstrings and types.

    Args:
        exhibit: one of `EXHIBITS`.

    Returns:
        The lines of the class. What they do not define comes from the class in brackets.

    Example:
        >>> from attn_lib import museum
        >>> print(museum.code(museum.EXHIBITS["nosqrt"]))
        class NotScaled(DotProduct):
            def scores(self, queries, keys):
                return torch.bmm(queries, keys.transpose(1, 2))
    """
    without_docstrings = re.sub(r'(?s) +""".*?"""\n\n?', "", inspect.getsource(exhibit))
    return re.sub(r": Tensor| -> \w+", "", without_docstrings).rstrip()


def _toy(
    *,
    num_queries: int = 1,
    num_keys: int = 10,
    value_size: int = 4,
    key_1: tuple[float, float] = (1, 1),
) -> tuple[Tensor, Tensor, Tensor]:
    """Return two examples: queries and keys of ones, values that count up from 0."""
    keys = torch.ones(2, num_keys, 2)
    keys[:, 0] = torch.tensor(key_1)
    values = torch.arange(float(num_keys * value_size)).reshape(1, num_keys, value_size)
    return torch.ones(2, num_queries, 2), keys, values.repeat(2, 1, 1)


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
