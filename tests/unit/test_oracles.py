"""attn_lib against values that MXNet, TensorFlow and PyTorch computed (see oracles/README.md)."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

import attn_lib

ORACLES = Path(__file__).parent / "oracles"
ARRAYS = np.load(ORACLES / "oracles.npz")
CASES = json.loads((ORACLES / "cases.json").read_text())
TOLERANCE = {"float64": {"rtol": 0, "atol": 1e-12}, "float32": {"rtol": 1e-5, "atol": 2e-6}}


def separate_tanh_attention(queries, keys, values, valid_lens, W_q, W_k, w_v):
    """The fault of seed 004, built from attn_lib's parts: tanh before the sum, not after it."""
    query_part = torch.tanh(queries @ W_q.T) @ w_v.T  # (B, Q, 1)
    key_part = torch.tanh(keys @ W_k.T) @ w_v.T  # (B, K, 1)
    weights = attn_lib.masked_softmax(query_part + key_part.transpose(1, 2), valid_lens)
    return attn_lib.batched_dot(weights, values), weights


def compute(case, inputs):
    if case["function"] == "sequence_mask":
        return {"output": attn_lib.sequence_mask(**inputs, value=case["args"]["value"])}
    if case["function"] == "masked_softmax":
        return {"output": attn_lib.masked_softmax(**inputs)}
    if case["function"] == "batched_dot":
        return {"output": attn_lib.batched_dot(**inputs)}
    call = [inputs[name] for name in ("queries", "keys", "values", "valid_lens")]
    state = {name: value for name, value in inputs.items() if name.endswith(".weight")}
    if case["function"] == "MLPAttentionSeparateTanh":
        output, weights = separate_tanh_attention(*call, *state.values())
        return {"output": output, "attention_weights": weights}
    if case["function"] == "AdditiveAttention":
        attention = attn_lib.AdditiveAttention(**case["args"], dropout=0.5).to(call[0].dtype)
        attention.load_state_dict(state)
    else:
        attention = attn_lib.DotProductAttention(dropout=0.5)
    output = attention.eval()(*call)
    return {"output": output, "attention_weights": attention.attention_weights}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["expected"]["output"])
def test_oracle(case):
    def load(key):
        if key is None:
            return None
        tensor = torch.from_numpy(ARRAYS[key])
        return tensor.to(getattr(torch, case["dtype"])) if tensor.is_floating_point() else tensor

    computed = compute(case, {name: load(key) for name, key in case["inputs"].items()})
    assert case["expected"]
    for name, key in case["expected"].items():
        torch.testing.assert_close(computed[name].detach(), load(key), **TOLERANCE[case["dtype"]])


def test_all_cases_are_there():
    assert len(CASES) == 98
