"""Attention that is right, in steps that an exhibit may replace."""

import torch
from torch import Tensor, nn

from attn_lib.examples import four_words
from attn_lib.masking import masked_softmax, sequence_mask
from attn_lib.scoring import additive_scores, dot_product_scores


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
