import pytest
import torch
from textbook import DK, DQ, B, K, Q, V

import attn_lib

HIDDEN, HEADS = 6, 3


def torch_twin(ours, bias):
    """torch.nn.MultiheadAttention with the same weights."""
    twin = torch.nn.MultiheadAttention(
        HIDDEN, HEADS, bias=bias, kdim=DK, vdim=V, batch_first=True, dtype=torch.float64
    )
    with torch.no_grad():
        twin.q_proj_weight.copy_(ours.W_q.weight)
        twin.k_proj_weight.copy_(ours.W_k.weight)
        twin.v_proj_weight.copy_(ours.W_v.weight)
        twin.out_proj.weight.copy_(ours.W_o.weight)
        if bias:
            parts = [ours.W_q.bias, ours.W_k.bias, ours.W_v.bias]
            twin.in_proj_bias.copy_(torch.cat(parts))
            twin.out_proj.bias.copy_(ours.W_o.bias)
    return twin


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("need_weights", [False, True])
def test_parity_with_torch(bias, need_weights):
    ours = attn_lib.MultiHeadAttention(DK, HIDDEN, V, HIDDEN, HEADS, 0.0, bias=bias).double()
    theirs = torch_twin(ours, bias)
    queries, keys, values = (
        torch.randn(B, n, d).double() for n, d in [(Q, HIDDEN), (K, DK), (K, V)]
    )
    lens = torch.tensor([2, 5])
    padding = torch.arange(K) >= lens[:, None]  # torch: True hides
    expected, weights = theirs(
        queries, keys, values, key_padding_mask=padding, average_attn_weights=False
    )
    output = ours(queries, keys, values, lens, need_weights=need_weights)
    torch.testing.assert_close(output, expected)
    if need_weights:
        assert ours.attention_weights.shape == (B, HEADS, Q, K)
        torch.testing.assert_close(ours.attention_weights, weights)


def test_causal_parity_with_torch():
    ours = attn_lib.MultiHeadAttention(HIDDEN, HIDDEN, HIDDEN, HIDDEN, HEADS, 0.0).double()
    theirs = torch.nn.MultiheadAttention(
        HIDDEN, HEADS, bias=False, batch_first=True, dtype=torch.float64
    )
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.W_q.weight, ours.W_k.weight, ours.W_v.weight]))
        theirs.out_proj.weight.copy_(ours.W_o.weight)
    X = torch.randn(B, Q, HIDDEN).double()
    expected, _ = theirs(X, X, X, attn_mask=torch.ones(Q, Q).triu(1).bool())
    torch.testing.assert_close(ours(X, X, X, attn_lib.causal_lens(B, Q)), expected)


def test_lengths_per_query_belong_to_their_example():
    """repeat in place of repeat_interleave would give example 1 the lengths of example 2."""
    attention = attn_lib.MultiHeadAttention(DK, DQ, V, HIDDEN, HEADS, 0.0)
    lens = torch.tensor([[1, 2, 3], [4, 5, 1]])
    attention(torch.randn(B, Q, DQ), torch.randn(B, K, DK), torch.randn(B, K, V), lens)
    seen = (attention.attention_weights > 0).sum(3)
    assert torch.equal(seen, lens.unsqueeze(1).expand(B, HEADS, Q))


def test_inner_attention_keeps_the_folded_weights_of_d2l():
    attention = attn_lib.MultiHeadAttention(DK, DQ, V, HIDDEN, HEADS, 0.0)
    attention(torch.randn(B, Q, DQ), torch.randn(B, K, DK), torch.randn(B, K, V))
    folded = attention.attention.attention_weights
    assert folded.shape == (B * HEADS, Q, K)
    assert torch.equal(folded.reshape(B, HEADS, Q, K), attention.attention_weights)
