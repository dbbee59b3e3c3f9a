"""The exhibits: attention with one published fault each, and how each is repaired.

Readers see their code as `attn_lib.museum.code` shows it, so each stays within 12 short lines.
What a class does not define comes from `DotProduct` or `Additive`, which are right.
"""

import math

import torch
from torch import Tensor, nn

from attn_lib.masking import masked_softmax, sequence_mask
from attn_lib.museum.right import Additive, DotProduct


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


# By the names that the figure has in its links.
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
