"""The definitions, written as plainly as possible and in float64: what attn_lib is held against."""

import inspect

import torch

# A different prime for every axis: a swapped or transposed axis cannot pass.
B, Q, K, DQ, DK, H, V = 2, 3, 5, 7, 11, 13, 17


def weights(scores, valid_lens=None):
    """Softmax over the first entries of each row, one row at a time: (B, Q, K)."""
    result = torch.zeros_like(scores, dtype=torch.float64)
    for b in range(scores.shape[0]):
        for q in range(scores.shape[1]):
            length = scores.shape[2]
            if valid_lens is not None:
                length = int(valid_lens[b] if valid_lens.ndim == 1 else valid_lens[b, q])
            result[b, q, :length] = torch.softmax(scores[b, q, :length].double(), 0)
    return result


def pairwise(score, queries, keys):
    """Apply score(query, key) to each pair, or score(query, key, i, j) with places: (B, Q, K)."""
    if len(inspect.signature(score).parameters) == 2:
        return pairwise(lambda q, k, i, j: score(q, k), queries, keys)
    return torch.stack(
        [
            torch.stack(
                [
                    torch.stack([score(q, k, i, j) for j, k in enumerate(ks)])
                    for i, q in enumerate(qs)
                ]
            )
            for qs, ks in zip(queries.double(), keys.double(), strict=True)
        ]
    )
