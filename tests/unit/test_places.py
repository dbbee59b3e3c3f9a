"""What a score learns of places; that the scores follow their formulas is in test_scoring.py."""

import json
from pathlib import Path

import pytest
import torch

import attn_lib

NUMBERS = json.loads((Path(__file__).parent / "oracles/packages.json").read_text(encoding="utf-8"))
LAYOUTS = ("halves", "interleaved")


def test_rotations_of_other_packages():
    case = NUMBERS["rotary"]
    X, places = torch.tensor([case["X"]]), torch.tensor(case["places"])
    for package, layout, base, turned in case["turned"]:
        found = attn_lib.rotate(X, places, base=base, layout=layout)
        # Their angles are float32 numbers, here of up to 1,000.
        message = f"{package}, {layout}"
        assert (found[0] - torch.tensor(turned)).abs().max() < 3e-4, message
        near = places <= 5
        assert (found[0] - torch.tensor(turned))[near].abs().max() < 2e-6, message


@pytest.mark.parametrize("layout", LAYOUTS)
def test_only_the_distance_counts_however_far_out(layout):
    queries, keys = torch.randn(2, 3, 8).double(), torch.randn(2, 5, 8).double()
    near = attn_lib.rotary_scores(queries, keys, layout=layout)
    for dtype, tolerance in ((torch.float64, 1e-9), (torch.float32, 2e-6), (torch.bfloat16, 0.05)):
        far = attn_lib.rotary_scores(
            queries.to(dtype),
            keys.to(dtype),
            places_q=torch.arange(3) + 1_000_000,
            places_k=(torch.arange(5) + 1_000_000).repeat(2, 1),
            layout=layout,
        )
        assert (far.double() - near).abs().max() < tolerance * near.abs().max(), dtype
    mixed = (
        attn_lib.rotate(queries, layout=layout)
        @ attn_lib.rotate(keys, layout=LAYOUTS[layout == LAYOUTS[0]]).mT
    )
    assert (mixed / 8**0.5 - near).abs().max() > 0.1


def test_neighbours_beyond_256_stay_apart_in_half_precision():
    X = torch.ones(1, 300, 2, dtype=torch.bfloat16)
    turned = attn_lib.rotate(X)
    assert turned.dtype == X.dtype
    exact = attn_lib.rotate(X.double())
    assert (turned.double() - exact).abs().max() < 0.01
    assert not torch.equal(turned[0, 256], turned[0, 257])


def test_rotate_heads_places_and_gradients():
    X = torch.randn(2, 3, 5, 4, dtype=torch.float64, requires_grad=True)
    places = torch.tensor([[0, 1, 2, 3, 4], [7, 7, -2, 0, 1]])
    turned = attn_lib.rotate(X, places)
    for h in range(3):
        assert torch.equal(turned[:, h], attn_lib.rotate(X[:, h], places))
    assert torch.equal(turned[0], attn_lib.rotate(X)[0])
    torch.testing.assert_close(turned.norm(dim=-1), X.norm(dim=-1))
    # The inverse turns back; half a place is half an angle.
    torch.testing.assert_close(attn_lib.rotate(turned, -places), X)
    half = attn_lib.rotate(attn_lib.rotate(X, places / 2), places / 2)
    torch.testing.assert_close(half, turned, rtol=1e-6, atol=1e-6)
    assert torch.autograd.gradcheck(lambda X: attn_lib.rotate(X, places), X)
    compiled = torch.compile(attn_lib.rotate, backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(compiled(X, places), turned)


def test_slopes_of_other_packages():
    case = NUMBERS["slopes"]
    for package in ("transformers bloom", "x-transformers"):
        for heads, slopes in zip(case["heads"], case[package], strict=True):
            found = attn_lib.alibi_slopes(heads)
            assert torch.allclose(found, torch.tensor(slopes), rtol=1e-6, atol=0), (package, heads)


def test_alibi_bias():
    bias = attn_lib.alibi_bias(2, 3, torch.tensor([0.5, 2.0]))
    assert bias.tolist() == [[[0, 0.5, 1], [-0.5, 0, 0.5]], [[0, 2, 4], [-2, 0, 2]]]
    # Far away in half precision: the distance itself is beyond float16, the bias is not.
    far = attn_lib.alibi_bias(1, 100_001, torch.tensor([2**-4], dtype=torch.float16))
    assert far[0, 0, -1] == 6250


def test_buckets_of_t5():
    for case in NUMBERS["buckets"]:
        expected = case["buckets"]
        settings = {name: value for name, value in case.items() if name != "buckets"}
        after = attn_lib.bucket_distances(1, 201, **settings)
        before = attn_lib.bucket_distances(201, 1, **settings)
        assert after[0].tolist() == expected[200:], settings
        assert before[:, 0].flip(0).tolist() == expected[:201], settings
        square = attn_lib.bucket_distances(7, 5, **settings)
        for i in range(7):
            assert square[i].tolist() == expected[200 - i : 205 - i], settings


def test_biases_of_buckets_per_head():
    distances = attn_lib.bucket_distances(3, 4, causal=True)
    table = torch.randn(32, 2, dtype=torch.float64, requires_grad=True)
    bias = attn_lib.bucket_bias(distances, table)
    assert bias.shape == (2, 3, 4)
    for i in range(3):
        for j in range(4):
            assert torch.equal(bias[:, i, j], table[max(i - j, 0)])
    assert torch.equal(attn_lib.bucket_bias(distances.to(torch.uint8), table), bias)
    assert torch.autograd.gradcheck(lambda table: attn_lib.bucket_bias(distances, table), table)


def test_relative_scores_with_a_table_for_every_distance_are_a_toeplitz_bias():
    """With queries of one feature, 1, the table's rows are the bias of their distance."""
    keys = torch.zeros(1, 5, 1)
    table = torch.arange(-4.0, 5).unsqueeze(1)
    scores = attn_lib.relative_scores(torch.ones(1, 5, 1), keys, table, scaled=False)
    assert torch.equal(scores[0], torch.arange(5.0) - torch.arange(5.0)[:, None])
    one_row = attn_lib.relative_scores(torch.ones(1, 5, 1), keys, torch.tensor([[7.0]]))
    assert (one_row == 7).all()


def test_sizes_may_be_open_while_torch_exports():
    class Module(torch.nn.Module):
        def forward(self, X):
            n = X.shape[1]
            bias = attn_lib.alibi_bias(n, n, attn_lib.alibi_slopes(2))
            return attn_lib.rotate(X).sum() + bias, attn_lib.bucket_distances(n, n)

    size = torch.export.Dim("n", min=2, max=100)
    exported = torch.export.export(
        Module(), (torch.ones(1, 5, 4),), dynamic_shapes=({1: size},), strict=False
    ).module()
    for number in (5, 9):
        X = torch.randn(1, number, 4)
        for found, expected in zip(exported(X), Module()(X), strict=True):
            torch.testing.assert_close(found, expected)
