"""What the library refuses, and in which words."""

import re

import pytest
import torch

import attn_lib

QUERIES, KEYS, VALUES = torch.ones(2, 3, 7), torch.ones(2, 5, 7), torch.ones(2, 5, 4)
SCORES = torch.zeros(2, 3, 5)
ADDITIVE = attn_lib.AdditiveAttention(key_size=11, query_size=7, num_hiddens=13, dropout=0.0)
DOT = attn_lib.DotProductAttention(dropout=0.0)
HEADS = attn_lib.MultiHeadAttention(7, 7, 4, num_hiddens=6, num_heads=2, dropout=0.0)
W = torch.ones(13, 7)


def lens(*values):
    return torch.tensor(values)


# A call, and below it the error with its whole message.
REFUSED = r"""
# lengths
masked_softmax(SCORES, lens(2, -1))
    ValueError: valid_lens must lie between 0 and K=5. Got -1.
masked_softmax(SCORES, lens(2, 6))
    ValueError: valid_lens must lie between 0 and K=5. Got 6.
masked_softmax(SCORES, lens(2, 255).to(torch.uint8))
    ValueError: valid_lens must lie between 0 and K=5. Got 255.
masked_softmax(SCORES, lens(2.5, 3.0))
    ValueError: valid_lens must have an integer dtype. Got torch.float32.
masked_softmax(SCORES, lens(2.0, torch.nan))
    ValueError: valid_lens must have an integer dtype. Got torch.float32.
masked_softmax(SCORES, lens(True, False))
    ValueError: valid_lens must have an integer dtype. Got torch.bool. A mask goes to mask=.
HEADS(QUERIES, KEYS, VALUES, torch.ones(3, 5).bool())
    ValueError: valid_lens must have an integer dtype. Got torch.bool. A mask goes to mask=.
sequence_mask(torch.ones(2, 3), torch.ones(2, 3).bool())
    ValueError: valid_len must have an integer dtype. Got torch.bool.
    Of a mask with 1 at each key that counts, the lengths are mask.sum(1).
DOT(QUERIES, KEYS, VALUES, torch.ones(2, 5).long())
    ValueError: valid_lens must have shape (B=2,) or (B=2, Q=3). Got (2, 5).
    Of a mask with 1 at each key that counts, the lengths are mask.sum(1).
DOT(QUERIES, KEYS, VALUES, mask=torch.zeros(3, 5))
    TypeError: mask must have dtype torch.bool, True where seen. Got torch.float32.
    What is added to scores goes to score_bias=.
DOT(QUERIES, KEYS, VALUES, mask=torch.ones(3, 5).long())
    TypeError: mask must have dtype torch.bool, True where seen. Got torch.int64.
    If 1 is seen and 0 is not: mask.bool().
DOT(QUERIES, KEYS, VALUES, score_bias=torch.ones(3, 5).bool())
    TypeError: score_bias must have a floating-point dtype. Got torch.bool. A mask goes to mask=.
HEADS(QUERIES, KEYS, VALUES, mask=torch.ones(2, 5).bool())
    ValueError: mask must be broadcastable to (B=2, H=2, Q=3, K=5). Got (2, 5).
    With all axes: mask[:, None, None].
MultiHeadAttention(7, 7, 4, 6, 2, 0.0, sink=torch.zeros(3))
    ValueError: sink must have shape (H=2,). Got (3,).
MultiHeadAttention(7, 7, 4, 6, 2, 0.0, sink=torch.nn.Parameter(W[:2, :1]))
    ValueError: sink must have shape (H=2,). Got (2, 1).
KernelAttention(width=torch.ones(2))
    ValueError: width must be a number or a tensor with one element. Got one of shape (2,).
causal_lens(2, 3, first_query=-1)
    ValueError: first_query must be at least 0. Got -1.
alibi_bias(2, 3, torch.ones(2), first_query=0.5)
    TypeError: first_query must be an int. Got float.
causal_lens(1, 1, torch.tensor([9]), first_query=7)
    ValueError: valid_lens must lie between 0 and K=8. Got 9.
masked_softmax(SCORES, [2, 3])
    TypeError: valid_lens must be a torch.Tensor. Got list.
masked_softmax(SCORES, lens(1, 2, 3))
    ValueError: valid_lens must have shape (B=2,) or (B=2, Q=3). Got (3,).
masked_softmax(SCORES, torch.ones(2, 1, dtype=torch.int64))
    ValueError: valid_lens must have shape (B=2,) or (B=2, Q=3). Got (2, 1).
masked_softmax(SCORES, torch.tensor(2))
    ValueError: valid_lens must have shape (B=2,) or (B=2, Q=3). Got ().
masked_softmax(SCORES, torch.ones(2, 3, 5, dtype=torch.int64))
    ValueError: valid_lens must have shape (B=2,) or (B=2, Q=3). Got (2, 3, 5).
masked_softmax(torch.zeros(2, 4, 3, 5), torch.ones(8).long())
    ValueError: valid_lens must have shape (B=2,) or (B=2, Q=3). Got (8,).
DOT(QUERIES, KEYS, VALUES, lens(2, 6))
    ValueError: valid_lens must lie between 0 and K=5. Got 6.
DOT(QUERIES, KEYS, VALUES, lens(2, -3), need_weights=False)
    ValueError: valid_lens must lie between 0 and K=5. Got -3.
HEADS(QUERIES, KEYS, VALUES, lens(1, 2, 1, 2))
    ValueError: valid_lens must have shape (B=2,) or (B=2, Q=3). Got (4,).
HEADS(QUERIES, KEYS, VALUES, torch.ones(2, dtype=torch.int64, device='meta'))
    ValueError: valid_lens must be on cpu. Got meta.
masked_softmax(SCORES, lens(2, 3).to_sparse())
    TypeError: valid_lens must be a dense tensor. Got torch.sparse_coo.
masked_softmax(SCORES, lens(2, 60000).to(torch.uint16))
    ValueError: valid_lens must lie between 0 and K=5. Got 60000.

# masked_softmax and sequence_mask
masked_softmax(torch.zeros(3, 5))
    ValueError: X must have shape (B, Q, K) or (B, H, Q, K). Got (3, 5).
masked_softmax(SCORES.long())
    TypeError: X must have a floating-point dtype. Got torch.int64.
masked_softmax([[[1.0]]])
    TypeError: X must be a torch.Tensor. Got list.
masked_softmax(SCORES.to_sparse())
    TypeError: X must be a dense tensor. Got torch.sparse_coo.
masked_softmax(torch.nested.nested_tensor([SCORES[0], SCORES[1, :2]]))
    TypeError: X must be a dense tensor. Got a nested one.
masked_softmax(SCORES.to(torch.float8_e5m2))
    TypeError: X must have at least 16 bits a number. Got torch.float8_e5m2.
sequence_mask(torch.ones(2, 3), lens(1, 2), '0')
    TypeError: value must be a number. Got str.
sequence_mask(torch.ones(2, 3).half(), lens(1, 2), value=-1000000.0)
    ValueError: value must be a number that torch.float16 can hold. Got -1000000.0.
sequence_mask(torch.ones(2, 3).long(), lens(1, 2), value=torch.nan)
    ValueError: value must be a number that torch.int64 can hold. Got nan.
sequence_mask(torch.ones(2, 3).long(), lens(1, 2), value=0.5)
    ValueError: value must be a number that torch.int64 can hold. Got 0.5.
sequence_mask(torch.ones(2, 3).byte(), lens(1, 2), value=-1)
    ValueError: value must be a number that torch.uint8 can hold. Got -1.
sequence_mask(torch.ones(3), lens(1, 2, 3))
    ValueError: X must have shape (N, K) or (N, K, ...). Got (3,).
sequence_mask([[1.0]], lens(1))
    TypeError: X must be a torch.Tensor. Got list.
sequence_mask(torch.ones(2, 3), torch.ones(2, 3).long())
    ValueError: valid_len must have shape (N=2,). Got (2, 3).
    Of a mask with 1 at each key that counts, the lengths are mask.sum(1).
sequence_mask(torch.ones(2, 3), lens(1, 4))
    ValueError: valid_len must lie between 0 and K=3. Got 4.
causal_lens(2, 0)
    ValueError: num_queries must be at least 1. Got 0.
causal_lens(2.0, 3)
    TypeError: batch_size must be an int. Got float.
causal_lens(2, 3, [1, 2])
    TypeError: valid_lens must be a torch.Tensor. Got list.

# queries, keys, values
DOT(torch.ones(2, 3, 8), KEYS, VALUES)
    ValueError: keys must have shape (B=2, K, D=8). Got (2, 5, 7).
ADDITIVE(torch.ones(2, 3, 6), torch.ones(2, 5, 11), VALUES)
    ValueError: queries must have shape (B, Q, query_size=7). Got (2, 3, 6).
ADDITIVE(QUERIES, KEYS, VALUES)
    ValueError: keys must have shape (B=2, K, key_size=11). Got (2, 5, 7).
DOT(torch.ones(3, 7), KEYS, VALUES)
    ValueError: queries must have shape (B, Q, D). Got (3, 7).
DOT(QUERIES, torch.ones(1, 5, 7), VALUES)
    ValueError: keys must have shape (B=2, K, D). Got (1, 5, 7).
DOT(QUERIES, KEYS, torch.ones(2, 6, 4))
    ValueError: values must have shape (B=2, K=5, V). Got (2, 6, 4).
DOT(QUERIES, KEYS, torch.ones(2, 6, 4), need_weights=False)
    ValueError: values must have shape (B=2, K=5, V). Got (2, 6, 4).
DOT(QUERIES, KEYS, torch.ones(2, 4, 4), need_weights=False)
    ValueError: values must have shape (B=2, K=5, V). Got (2, 4, 4).
DOT(QUERIES, KEYS, torch.ones(5, 4))
    ValueError: values must have shape (B=2, K=5, V). Got (5, 4).
DOT(QUERIES, KEYS, torch.ones(1, 5, 4))
    ValueError: values must have shape (B=2, K=5, V). Got (1, 5, 4).
HEADS(QUERIES, KEYS, torch.ones(2, 5, 3))
    ValueError: values must have shape (B=2, K=5, value_size=4). Got (2, 5, 3).
dot_product_scores(torch.ones(2, 3, 0), torch.ones(2, 5, 0))
    ValueError: queries must have at least 1 feature. Got (2, 3, 0).
DOT(QUERIES.long(), KEYS, VALUES)
    TypeError: queries must have a floating-point dtype. Got torch.int64.
DOT(QUERIES, KEYS.numpy(), VALUES)
    TypeError: keys must be a torch.Tensor. Got ndarray.
DOT(QUERIES, KEYS, None)
    TypeError: values must be a torch.Tensor. Got NoneType.
DOT(QUERIES, KEYS.double(), VALUES)
    TypeError: keys must have dtype torch.float32 like queries. Got torch.float64.
DOT(QUERIES, KEYS, VALUES.half())
    TypeError: values must have dtype torch.float32 like keys. Got torch.float16.
DOT(QUERIES, KEYS.to('meta'), VALUES)
    ValueError: keys must be on cpu like queries. Got meta.
DOT(QUERIES, KEYS, VALUES.to('meta'))
    ValueError: values must be on cpu like keys. Got meta.
HEADS(QUERIES.double(), KEYS.double(), VALUES.double())
    TypeError: queries must have dtype torch.float32 like W_q.weight. Got torch.float64.
ADDITIVE(QUERIES.double(), torch.ones(2, 5, 11).double(), VALUES.double())
    TypeError: queries must have dtype torch.float32 like W_q.weight. Got torch.float64.
BilinearAttention(7, 7, 0.0)(*(X.double() for X in (QUERIES, KEYS, VALUES)))
    TypeError: keys must have dtype torch.float32 like M.weight. Got torch.float64.
BilinearAttention(7, 7, 0.0, rank=2)(QUERIES.half(), KEYS.half(), VALUES.half())
    TypeError: keys must have dtype torch.float32 like W_k.weight. Got torch.float16.

# batched_dot and scores
batched_dot(torch.ones(2, 3, 5), torch.ones(2, 4, 7))
    ValueError: Y must have shape (B=2, M=5, K). Got (2, 4, 7).
batched_dot(torch.ones(3, 5), torch.ones(2, 5, 7))
    ValueError: X must have shape (B, N, M). Got (3, 5).
batched_dot(torch.ones(1, 1, 1).int(), torch.ones(1, 1, 1))
    TypeError: X must have a floating-point dtype. Got torch.int32.
additive_scores(QUERIES, KEYS, W.T, W, torch.ones(13))
    ValueError: W_q must have shape (U, Dq=7). Got (7, 13).
additive_scores(QUERIES, KEYS, W, torch.ones(12, 7), torch.ones(13))
    ValueError: W_k must have shape (U=13, Dk=7). Got (12, 7).
additive_scores(QUERIES, KEYS, W, W, torch.ones(12))
    ValueError: w_v must have shape (U=13,). Got (12,).
additive_scores(QUERIES, KEYS, W, W, torch.ones(13, 1))
    ValueError: w_v must have shape (U=13,). Got (13, 1).
additive_scores(QUERIES, KEYS, W, W, torch.ones(13).double())
    TypeError: w_v must have dtype torch.float32 like queries. Got torch.float64.
bilinear_scores(QUERIES, torch.ones(2, 5, 11), torch.ones(11, 7))
    ValueError: M must have shape (Dq=7, Dk=11). Got (11, 7).
gaussian_scores(QUERIES, KEYS, width=0.0)
    ValueError: width must be finite and above 0. Got 0.0.
gaussian_scores(QUERIES, KEYS, width=torch.tensor(torch.nan))
    ValueError: width must be finite and above 0. Got nan.
gaussian_scores(QUERIES, KEYS, width='1')
    TypeError: width must be a number. Got str.
cosine_scores(QUERIES, torch.ones(2, 5, 6))
    ValueError: keys must have shape (B=2, K, D=7). Got (2, 5, 6).

# constructors
DotProductAttention(1.5)
    ValueError: dropout must lie between 0 and 1. Got 1.5.
DotProductAttention(torch.nan)
    ValueError: dropout must lie between 0 and 1. Got nan.
DotProductAttention(None)
    TypeError: dropout must be a number. Got NoneType.
AdditiveAttention(2, 3, 0, 0.1)
    ValueError: num_hiddens must be at least 1. Got 0.
AdditiveAttention(True, 3, 4, 0.1)
    TypeError: key_size must be an int. Got bool.
BilinearAttention(2, 3, 0.1, rank=-1)
    ValueError: rank must be at least 1. Got -1.
MultiHeadAttention(4, 4, 4, num_hiddens=6, num_heads=4, dropout=0.1)
    ValueError: num_heads must divide num_hiddens=6. Got 4.
MultiHeadAttention(4, 4, 4, num_hiddens=6, num_heads=0, dropout=0.1)
    ValueError: num_heads must be at least 1. Got 0.
KernelAttention('cosine')
    ValueError: kernel must be one of gaussian, boxcar, triangular, epanechnikov. Got 'cosine'.
KernelAttention('boxcar', width=-1)
    ValueError: width must be finite and above 0. Got -1.
mulberry32(1, -1)
    ValueError: count and start must be at least 0. Got -1 and 0.
normals(1, -1)
    ValueError: count and start must be at least 0. Got -1 and 0.
normals(1, 2.5)
    TypeError: count must be an int. Got float.
mulberry32(1, 2, start=None)
    TypeError: start must be an int. Got NoneType.
mulberry32('1', 2)
    TypeError: seed must be an int. Got str.

# heatmaps
show_heatmaps(torch.ones(1, 3, 5), 'Keys', 'Queries')
    ValueError: matrices must have shape (rows, cols, Q, K). Got (1, 3, 5).
show_heatmaps(torch.ones(0, 1, 3, 5), 'Keys', 'Queries')
    ValueError: matrices must not be empty. Got (0, 1, 3, 5).
show_heatmaps(torch.ones(1, 2, 3, 5), 'Keys', 'Queries', ['one'])
    ValueError: titles must have one entry per column, cols=2. Got 1.
show_heatmaps(torch.ones(1, 2, 3, 5), 'Keys', 'Queries', xticks=['a', 'b'])
    ValueError: xticks must have one entry per key, K=5. Got 2.
show_heatmaps(torch.ones(1, 1, 2, 5), 'Keys', 'Queries', yticks=[0, 1])
    TypeError: yticks: each entry must be a str. Got int.
show_heatmaps(torch.ones(1, 1, 2, 5), 'Ke\x07ys', 'Queries')
    ValueError: xlabel must have no control characters. Got 'Ke\x07ys'.
show_heatmaps(torch.ones(1, 2, 3, 5), 'Keys', 'Queries', 'ab')
    TypeError: titles must be a sequence of str. Got str.
show_heatmaps(torch.ones(1, 2, 3, 5), 'Keys', None)
    TypeError: ylabel must be a str. Got NoneType.
show_heatmaps(torch.ones(1, 1, 3, 5), 'Keys', 'Queries', figsize=3)
    ValueError: figsize must have a width and a height. Got 3.
show_heatmaps(torch.ones(1, 1, 3, 5), 'Keys', 'Queries', figsize=(0, 2))
    ValueError: figsize must be finite and above 0. Got 0.
show_heatmaps(torch.ones(1, 1, 3, 5), 'Keys', 'Queries', cmap='Rods')
    ValueError: cmap must name a colour map of matplotlib. Got 'Rods'.
show_heatmaps(torch.ones(1, 1, 3, 5), 'Keys', 'Queries', cmap=['red'])
    TypeError: cmap must be a str or a Colormap. Got list.

# scores and weights of today
rotate(QUERIES)
    ValueError: X must have an even number of features. Got (2, 3, 7).
rotary_scores(QUERIES, KEYS)
    ValueError: queries must have an even number of features. Got (2, 3, 7).
rotate(torch.ones(3, 8))
    ValueError: X must have shape (B, N, D) or (B, H, N, D). Got (3, 8).
rotate(torch.ones(2, 3, 8), layout='pairs')
    ValueError: layout must be one of halves, interleaved. Got 'pairs'.
rotate(torch.ones(2, 3, 8), base=0.0)
    ValueError: base must be finite and above 0. Got 0.0.
rotate(torch.ones(2, 3, 8), lens(0, 1))
    ValueError: places must have shape (N=3,) or (B=2, N=3). Got (2,).
rotary_scores(torch.ones(2, 3, 8), torch.ones(2, 5, 8), places_k=torch.ones(3, 5))
    ValueError: places_k must have shape (N=5,) or (B=2, N=5). Got (3, 5).
rotate(torch.ones(2, 3, 8), [0, 1, 2])
    TypeError: places must be a torch.Tensor. Got list.
rotate(torch.ones(2, 3, 8), torch.ones(3).bool())
    TypeError: places must have an integer or floating-point dtype. Got torch.bool.
rotate(torch.ones(2, 3, 8), torch.ones(3, device='meta'))
    ValueError: places must be on cpu. Got meta.
alibi_slopes(0)
    ValueError: num_heads must be at least 1. Got 0.
alibi_bias(3, -1, torch.ones(2))
    ValueError: num_keys must be at least 0. Got -1.
alibi_bias(3, 5, [0.5])
    TypeError: slopes must be a torch.Tensor. Got list.
bucket_distances(3, 5, num_buckets=3)
    ValueError: num_buckets must be at least 4. Got 3.
bucket_distances(3, 5, max_distance=16, causal=True)
    ValueError: max_distance must be above 16. Got 16.
bucket_bias(bucket_distances(3, 5), torch.ones(17, 2))
    ValueError: distances must lie between 0 and 16. Got 20.
bucket_bias(torch.ones(3, 5), torch.ones(32))
    TypeError: distances must have an integer dtype. Got torch.float32.
bucket_bias(torch.zeros(3, 5).long(), torch.ones(2, 2, 2))
    ValueError: table must have shape (buckets,) or (buckets, H). Got (2, 2, 2).
relative_scores(QUERIES, KEYS, torch.ones(4, 7))
    ValueError: table must have an odd number of rows, 2c + 1. Got 4.
normed_scores(QUERIES, KEYS, torch.nan)
    ValueError: gain must be finite. Got nan.
normed_scores(QUERIES, KEYS, '1')
    TypeError: gain must be a number. Got str.
soft_cap(SCORES, -50)
    ValueError: cap must be finite and above 0. Got -50.
length_scaled(SCORES, 5, trained_keys=1)
    ValueError: trained_keys must be finite and above 1. Got 1.
length_scaled(SCORES, lens(2, 6), trained_keys=2)
    ValueError: num_keys must lie between 0 and K=5. Got 6.
length_scaled(torch.zeros(3, 5), 5, trained_keys=2)
    ValueError: scores must have shape (B, Q, K) or (B, H, Q, K). Got (3, 5).
sparsemax(SCORES, lens(2, -1))
    ValueError: valid_lens must lie between 0 and K=5. Got -1.
entmax15(torch.zeros(3, 5))
    ValueError: X must have shape (B, Q, K) or (B, H, Q, K). Got (3, 5).
sparsemax(SCORES, mask=torch.ones(3, 5))
    TypeError: mask must have dtype torch.bool, True where seen. Got torch.float32.
entmax15(SCORES, mask=torch.ones(4, 5).bool())
    ValueError: mask must be broadcastable to (B=2, Q=3, K=5). Got (4, 5).
sigmoid_weights(SCORES, bias=torch.ones(4))
    ValueError: bias must be broadcastable to (B=2, Q=3). Got (4,).
relative_scores(QUERIES, KEYS, torch.ones(3, 6))
    ValueError: table must have shape (rows, D=7). Got (3, 6).
indexer_scores(torch.ones(2, 4, 3, 7), KEYS, torch.ones(3))
    ValueError: weights must have shape (H=4,). Got (3,).
sigmoid_weights(SCORES.long())
    TypeError: X must have a floating-point dtype. Got torch.int64.
"""
CASES = re.findall(r"^(\w.*)\n((?: {4}.*\n)+)", REFUSED, re.MULTILINE)


@pytest.mark.parametrize(("call", "said"), CASES, ids=[call for call, _ in CASES])
def test_refuses(call, said):
    with pytest.raises((TypeError, ValueError)) as caught:
        eval(call, globals() | {name: getattr(attn_lib, name) for name in attn_lib.__all__})
    error = f"{type(caught.value).__name__}: {caught.value}"
    assert error == " ".join(line.strip() for line in said.splitlines())


def test_autocast_may_mix_dtypes():
    with torch.autocast("cpu", dtype=torch.bfloat16):
        output = DOT(QUERIES.bfloat16(), KEYS, VALUES)
    torch.testing.assert_close(output.float(), torch.ones(2, 3, 4))
