"""Nine published faults in attention code, and nine tests to catch them with.

An exhibit is attention with one fault; whatever it does not define itself comes from `DotProduct`
or `Additive`, which are right. A test builds small tensors, runs an attention on them, and reports
what it expected and what it got. Which test catches which fault is written down nowhere: `run`
finds out. One more comparison, `agrees_with_torch`, stands outside the numbers.
"""

import inspect
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from attn_lib.examples import four_words
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

    # Tests 3 and 4: two queries to the four words, and by hand the weights of the first.
    asked: tuple[tuple[float, ...], ...] = ((1, 1), (1, -1))
    by_hand: tuple[float, ...] = (0.6471, 0.1573, 0.1573, 0.0382)

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
        # Padding may hold anything, and 0 times NaN is NaN.
        return torch.bmm(self.attention_weights, sequence_mask(values, valid_lens))


class Additive(DotProduct):
    """Additive attention, right, with the two hidden units of the running example.

    Its queries have three numbers, its keys two.
    """

    asked = ((1, 0, 1), (1, 0, 0))
    by_hand = (0.5847, 0.2816, 0.0486, 0.0850)

    W_q, W_k, w_v = four_words.additive_parameters()

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Score (B, Q, K)."""
        return additive_scores(queries, keys, self.W_q, self.W_k, self.w_v)


# The exhibits. Readers see their code as `code` shows it, so each stays within 12 short lines.


class TanhBeforeSum(Additive):
    """The layers of queries and keys have their own tanh, and the sum has none."""

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Score (B, Q, K)."""
        q = (queries @ self.W_q.T).unsqueeze(2)
        k = (keys @ self.W_k.T).unsqueeze(1)
        hidden = torch.tanh(q) + torch.tanh(k)
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
        hidden = torch.arange(K) >= lens.unsqueeze(1)
        rows[hidden] = -1e6
        weights = torch.softmax(rows, dim=-1)
        return weights.reshape(B, Q, K)


class FilledWithAMillion(DotProduct):
    """A large negative number stands in for minus infinity."""

    def weights(self, scores: Tensor, valid_lens: Tensor) -> Tensor:
        """Weigh (B, Q, K)."""
        B, Q, K = scores.shape
        rows = scores.reshape(B * Q, K)
        lens = valid_lens.repeat_interleave(Q)
        rows = sequence_mask(rows, lens, value=-1e6)
        weights = torch.softmax(rows, dim=-1)
        return weights.reshape(B, Q, K)


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
        lens = valid_lens.repeat(Q)
        return masked_softmax(scores, lens.reshape(B, Q))


class ZeroTimesNaN(DotProduct):
    """A weight of 0 is trusted to keep out whatever the padding holds."""

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> Tensor:
        """Average the values."""
        scores = self.scores(queries, keys)
        weights = self.weights(scores, valid_lens)
        self.attention_weights = weights
        return torch.bmm(weights, values)


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
    "nan": ZeroTimesNaN,
}

# Each exhibit repaired: the faulty lines, and what should stand there. The dropout is right where
# it stands; what is missing is a call.
REPAIRS: dict[str, tuple[str, str]] = {
    "tanh": (
        "hidden = torch.tanh(q) + torch.tanh(k)",
        "hidden = torch.tanh(q + k)",
    ),
    "dropout": (
        "attention = DropoutLeftOn()",
        "attention = DropoutLeftOn().eval()",
    ),
    "inplace": (
        "rows[hidden] = -1e6\nweights = torch.softmax(rows, dim=-1)",
        "rows = rows.masked_fill(hidden, -math.inf)\n"
        "weights = torch.softmax(rows, dim=-1).nan_to_num(0.0)",
    ),
    "fill": (
        "rows = sequence_mask(rows, lens, value=-1e6)\nweights = torch.softmax(rows, dim=-1)",
        "rows = sequence_mask(rows, lens, value=-math.inf)\n"
        "weights = torch.softmax(rows, dim=-1).nan_to_num(0.0)",
    ),
    "nosqrt": (
        "return torch.bmm(queries, keys.transpose(1, 2))",
        "dots = torch.bmm(queries, keys.transpose(1, 2))\nreturn dots / math.sqrt(keys.shape[2])",
    ),
    "dim": (
        "weights = torch.softmax(scores, dim=1)",
        "weights = torch.softmax(scores, dim=2)",
    ),
    "squeeze": (
        "return output.squeeze()",
        "return output",
    ),
    "repeat": (
        "lens = valid_lens.repeat(Q)",
        "lens = valid_lens.repeat_interleave(Q)",
    ),
    "nan": (
        "return torch.bmm(weights, values)",
        "values = sequence_mask(values, valid_lens)\nreturn torch.bmm(weights, values)",
    ),
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


def code(exhibit: type[DotProduct] | Callable[[DotProduct], Finding]) -> str:
    """Return the code of an exhibit or of a test as readers see it: without docstrings and types.

    Args:
        exhibit: one of `EXHIBITS`, or a test.

    Returns:
        Its lines. What a class does not define comes from the class in brackets.

    Example:
        >>> from attn_lib import museum
        >>> print(museum.code(museum.EXHIBITS["nosqrt"]))
        class NotScaled(DotProduct):
            def scores(self, queries, keys):
                return torch.bmm(queries, keys.transpose(1, 2))
    """
    without_docstrings = re.sub(r'(?s) +""".*?"""\n\n?', "", inspect.getsource(exhibit))
    return re.sub(r": (Tensor|DotProduct)| -> \w+", "", without_docstrings).rstrip()


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
