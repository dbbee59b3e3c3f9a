"""Every documented form of every argument of every module: it works, and says what it should.

Forms in one list say the same: their outputs agree. A new argument without a row here fails.
"""

import inspect
from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import nn

import attn_lib

B, H, Q, K, D = 2, 2, 3, 4, 6
MASK = torch.ones(Q, K).tril().bool()
LENS = torch.tensor([3, 1])
BIAS = torch.linspace(-1, 1, Q * K).reshape(Q, K)

CALL = {  # of each attention
    "queries": [[torch.randn(B, Q, D)]],
    "keys": [[torch.randn(B, K, D)]],
    "values": [[torch.randn(B, K, D)]],
    "valid_lens": [
        [None],
        [LENS, LENS.to(torch.uint8), LENS.int(), LENS[:, None].expand(B, Q)],
        [attn_lib.causal_lens(B, Q)],
    ],
    "mask": [
        [None, torch.tensor(True), torch.ones(1, K).bool(), torch.ones(Q, 1).bool()],
        [MASK, MASK[None], MASK.expand(B, Q, K)],
    ],
    "score_bias": [
        [None, torch.tensor(0.0), torch.zeros(Q, K), torch.zeros(1, 1)],
        [BIAS, BIAS.double(), BIAS.expand(B, Q, K), nn.Parameter(BIAS)],
        [torch.zeros(Q, K).where(MASK, -torch.inf), torch.zeros(1, Q, K).where(MASK, -torch.inf)],
    ],
    "need_weights": [[True, False]],
}
SINK = [
    [None, torch.tensor(-torch.inf)],
    [0, 0.0, np.float32(0), torch.tensor(0.0), "learned", nn.Parameter(torch.zeros(()))],
    [1.5, torch.tensor(1.5), torch.tensor(1.5).double()],
]
SINKS = [  # of heads
    [*SINK[1], torch.zeros(H), nn.Parameter(torch.zeros(H))],
    [*SINK[2], torch.full((H,), 1.5)],
    [torch.tensor([-1.0, 2.0]), nn.Parameter(torch.tensor([-1.0, 2.0]))],
]
SIZE, DROPOUT = [[D, np.int64(D)]], [[0.0, 0, np.float64(0)]]
FORMS = {
    attn_lib.DotProductAttention: {"dropout": DROPOUT, "sink": SINK},
    attn_lib.AdditiveAttention: {
        "key_size": SIZE,
        "query_size": SIZE,
        "num_hiddens": [[5, np.int32(5)]],
        "dropout": DROPOUT,
    },
    attn_lib.BilinearAttention: {
        "key_size": SIZE,
        "query_size": SIZE,
        "dropout": DROPOUT,
        "rank": [[None], [2, np.int8(2)]],
    },
    attn_lib.KernelAttention: {
        "kernel": [["gaussian"], ["boxcar"], ["triangular"], ["epanechnikov"]],
        "width": [[3, 3.0, np.float32(3), torch.tensor(3.0), nn.Parameter(torch.tensor([3.0]))]],
        "dropout": DROPOUT,
    },
    attn_lib.MultiHeadAttention: {
        "key_size": SIZE,
        "query_size": SIZE,
        "value_size": SIZE,
        "num_hiddens": [[8, np.int64(8)]],
        "num_heads": [[H, np.int64(H)]],
        "dropout": DROPOUT,
        "bias": [[False], [True]],
        "num_kv_heads": [[None, H, np.int64(H)], [1]],
        "sink": [SINK[0], *SINKS],
        "mask": [CALL["mask"][0], [MASK, MASK[None], MASK.expand(B, H, Q, K), MASK[None, None]]],
    },
}
CASES = [(module, name) for module in FORMS for name in FORMS[module] | CALL]


def arguments(function):
    kinds = inspect.signature(function).parameters
    return [name for name in kinds if name != "self"]


@pytest.mark.parametrize("module", FORMS)
def test_no_argument_is_missing(module):
    names = arguments(module.__init__) + arguments(module.forward)
    assert set(names) == set(FORMS[module] | CALL)


@pytest.mark.parametrize(("module", "name"), CASES, ids=lambda x: getattr(x, "__name__", x))
def test_forms_that_say_the_same(module, name):
    forms = CALL | FORMS[module]
    first = {argument: groups[0][0] for argument, groups in forms.items()}

    def output(form):
        given = first | {name: form}
        torch.manual_seed(2)
        made = module(**{n: given[n] for n in arguments(module.__init__)})
        again = module(**{n: given[n] for n in arguments(module.__init__)})
        again.load_state_dict(made.state_dict())
        call = {n: given[n] for n in arguments(module.forward)}
        result = made(**call)
        assert torch.equal(again(**call), result)
        return result

    found = [[output(form) for form in group] for group in forms[name]]
    for group in found:
        for one in group:
            assert one.isfinite().all()
            torch.testing.assert_close(one, group[0], rtol=1e-5, atol=1e-5)
    for one, other in pairwise(found):  # none is ignored
        assert not torch.allclose(one[0], other[0])
