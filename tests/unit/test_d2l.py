"""Code as readers of D2L write it, of both eras: our own lines, their names and calls."""

import math
import re
import sys
from types import SimpleNamespace

import pytest
import torch
from torch import nn

import attn_lib
from attn_lib import d2l
from attn_lib.d2l import v017

LENS = torch.tensor([2, 6])


def toy(size=20):
    values = torch.arange(40.0).reshape(1, 10, 4).repeat(2, 1, 1)
    return torch.randn(2, 1, size), torch.ones(2, 10, 2), values


class Textbook(nn.Module):
    """What the book's formulas say, with lazy layers, to draw the same numbers."""

    def __init__(self, num_hiddens):
        super().__init__()
        self.W_k = nn.LazyLinear(num_hiddens, bias=False)
        self.W_q = nn.LazyLinear(num_hiddens, bias=False)
        self.w_v = nn.LazyLinear(1, bias=False)

    def forward(self, queries, keys, values, valid_lens):
        q, k = self.W_q(queries), self.W_k(keys)
        scores = self.w_v((q[:, :, None] + k[:, None]).tanh())[..., 0]
        hidden = torch.arange(keys.shape[1]) >= valid_lens[:, None, None]
        return scores.masked_fill(hidden, -1e6).softmax(-1) @ values


@pytest.mark.parametrize("lens", [LENS, LENS.float(), LENS.half(), LENS.to(torch.uint8)])
@pytest.mark.parametrize("era", ["1.0", "0.17"])
def test_the_scoring_chapter(era, lens):
    queries, keys, values = toy()
    if era == "1.0":
        attention = d2l.AdditiveAttention(num_hiddens=8, dropout=0.1)
    else:
        attention = v017.AdditiveAttention(key_size=2, query_size=20, num_hiddens=8, dropout=0.1)
    attention.eval()
    output = attention(queries, keys, values, lens)
    expected = torch.tensor([[[2.0, 3, 4, 5]], [[10.0, 11, 12, 13]]])
    torch.testing.assert_close(output, expected)
    weights = attention.attention_weights.reshape((1, 1, 2, 10))
    assert (weights[0, 0, 0, 2:] == 0).all()
    dot = (d2l if era == "1.0" else v017).DotProductAttention(dropout=0.5)
    dot.eval()
    torch.testing.assert_close(dot(torch.randn(2, 1, 2), keys, values, lens), expected)


def test_lazy_layers_draw_the_same_numbers():
    queries, keys, values = toy()
    torch.manual_seed(3)
    expected = Textbook(8)(queries, keys, values, LENS)
    torch.manual_seed(3)
    attention = d2l.AdditiveAttention(8, 0.0)
    assert torch.equal(attention(queries, keys, values, LENS), expected)
    assert type(attention.w_v) is nn.Linear
    torch.manual_seed(3)
    order = [nn.Linear(20, 8, bias=False), nn.Linear(2, 8, bias=False), nn.Linear(8, 1, bias=False)]
    for name, layer in zip(("W_q", "W_k", "w_v"), order, strict=True):
        assert torch.equal(getattr(attention, name).weight, layer.weight)


@pytest.mark.parametrize("bias", [False, True])
def test_multi_head_attention_of_both_eras(bias):
    X, Y = torch.ones((2, 4, 100)), torch.randn((2, 6, 30))
    lazy = d2l.MultiHeadAttention(100, 5, 0.5, bias=bias).eval()
    assert list(lazy.state_dict()) == list(
        v017.MultiHeadAttention(30, 100, 30, 100, 5, 0.5, bias=bias).state_dict()
    )
    torch.manual_seed(3)
    output = lazy(X, Y, Y, torch.tensor([3, 2]))
    assert output.shape == (2, 4, 100)
    torch.manual_seed(3)
    sizes = {"W_q": 100, "W_k": 30, "W_v": 30, "W_o": 100}
    for name, size in sizes.items():
        assert torch.equal(getattr(lazy, name).weight, nn.Linear(size, 100, bias=bias).weight)
    told = v017.MultiHeadAttention(30, 100, 30, 100, 5, 0.5, bias=bias).eval()
    told.load_state_dict(lazy.state_dict())
    assert torch.equal(told(X, Y, Y, torch.tensor([3.0, 2.0])), output)
    other = d2l.MultiHeadAttention(100, 5, 0.5, bias=bias).eval()
    other.load_state_dict(lazy.state_dict())
    assert torch.equal(other(X, Y, Y, torch.tensor([3, 2])), output)
    assert told.attention.attention_weights.shape == (10, 4, 6)
    folded = lazy.transpose_qkv(X)
    assert torch.equal(folded, v017.transpose_qkv(X, 5))
    assert torch.equal(lazy.transpose_output(folded), X)
    assert torch.equal(v017.transpose_output(folded, 5), X)


def test_self_attention_with_lengths_of_the_decoder():
    X = torch.randn(2, 4, 100)
    lens = torch.arange(1, 5).repeat(2, 1)
    attention = d2l.MultiHeadAttention(100, 5, 0.0)
    before = attention(X, X, X, lens)
    changed = torch.cat([X[:, :3], torch.randn(2, 1, 100)], 1)
    torch.testing.assert_close(attention(changed, changed, changed, lens)[:, :3], before[:, :3])


class Decoder(nn.Module):
    """A recurrent decoder that attends at each step to what the encoder has said."""

    def __init__(self, attention, vocab_size=9, num_hiddens=16):
        super().__init__()
        self.attention = attention
        self.embedding = nn.Embedding(vocab_size, 8)
        self.rnn = nn.GRU(8 + num_hiddens, num_hiddens)
        self.dense = nn.LazyLinear(vocab_size)

    def forward(self, X, state):
        outputs, hidden, valid_lens = state
        steps = []
        for x in self.embedding(X).permute(1, 0, 2):
            query = hidden[-1].unsqueeze(1)
            context = self.attention(query, outputs, outputs, valid_lens)
            x = torch.cat((context, x.unsqueeze(1)), dim=-1)
            out, hidden = self.rnn(x.permute(1, 0, 2), hidden)
            steps.append(out)
        return self.dense(torch.cat(steps)).permute(1, 0, 2)


def test_windows_and_a_bias_are_added():
    queries, keys, values = (torch.randn(4, 3, size) for size in (6, 6, 2))
    window = torch.randn(2, 3, 3)
    whole = window.repeat(2, 1, 1)
    for bias in (torch.randn(3, 3), torch.tensor([0.0, -math.inf, 1.0])):
        dot, strict = d2l.DotProductAttention(0.0), attn_lib.DotProductAttention(0.0)
        output = dot(queries, keys, values, None, window, score_bias=bias)
        torch.testing.assert_close(output, strict(queries, keys, values, score_bias=whole + bias))
        heads = v017.MultiHeadAttention(6, 6, 2, 8, 2, 0.0)
        output = heads(queries, keys, values, None, window, score_bias=bias)
        both = whole.unsqueeze(1) + bias
        torch.testing.assert_close(output, heads(queries, keys, values, score_bias=both))
    with pytest.raises(ValueError, match="score_bias must be broadcastable to"):
        dot(queries, keys, values, None, window, score_bias=torch.zeros(5))


@pytest.mark.parametrize(
    "make",
    [
        lambda: d2l.AdditiveAttention(16, 0.0),
        lambda: v017.AdditiveAttention(16, 16, 16, 0.0),
        lambda: d2l.DotProductAttention(0.0),
        lambda: d2l.MultiHeadAttention(16, 4, 0.0),
        lambda: v017.MultiHeadAttention(16, 16, 16, 16, 4, 0.0),
    ],
)
def test_training_a_translator(make):
    """To say what it hears; lengths of 5 in sentences cut to 4 steps, as predict_seq2seq has it."""
    torch.manual_seed(0)
    encoder, decoder = nn.GRU(9, 16), Decoder(make())
    X, lens = torch.randint(0, 9, (8, 4)), torch.tensor([4, 3, 2, 5, 4, 1, 3, 5])
    onehot = nn.functional.one_hot(X, 9).float()

    def loss():
        outputs, hidden = encoder(onehot.permute(1, 0, 2))
        logits = decoder(X, (outputs.permute(1, 0, 2), hidden, lens))
        seen = d2l.sequence_mask(torch.ones(8, 4), lens)
        each = nn.functional.cross_entropy(logits.permute(0, 2, 1), X, reduction="none")
        return (each * seen).sum() / seen.sum()

    first = loss().item()
    parameters = [*encoder.parameters(), *decoder.parameters()]
    trainer = torch.optim.Adam(parameters, lr=0.02)
    for _ in range(40):
        trainer.zero_grad()
        value = loss()
        value.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1)
        trainer.step()
    assert loss().item() < first / 4
    assert all(p.grad is not None for p in decoder.attention.parameters())


@pytest.mark.parametrize("era", [d2l, v017])
def test_functions(era):
    X = torch.randn(2, 2, 4)
    weights = era.masked_softmax(X, torch.tensor([2.0, 9.0]))
    assert torch.equal(weights, attn_lib.masked_softmax(X, torch.tensor([2, 4])))
    assert torch.equal(era.masked_softmax(X, None), X.softmax(-1))
    rows = torch.tensor([[1, 3], [2, 4]])
    assert torch.equal(era.masked_softmax(X, rows), attn_lib.masked_softmax(X, rows))
    masked = era.sequence_mask(torch.tensor([[1, 2, 3], [4, 5, 6]]), torch.tensor([1, 7]), value=-1)
    assert masked.tolist() == [[1, -1, -1], [4, 5, 6]]


@pytest.mark.parametrize(
    ("lens", "message"),
    [
        (torch.tensor([2.5, 3.0]), "valid_lens must be whole numbers. Got 2.5."),
        (torch.tensor([2.0, math.nan]), "valid_lens must be whole numbers. Got nan."),
        (torch.tensor([2, -1]), "valid_lens must lie between 0 and K=10. Got -1."),
        (torch.tensor([-3.0, 1.0]), "valid_lens must lie between 0 and K=10. Got -3."),
        (
            torch.tensor([True, False]),
            "valid_lens must have an integer dtype. Got torch.bool. "
            "Of a mask with 1 at each key that counts, the lengths are mask.sum(1).",
        ),
    ],
)
def test_lengths_that_are_refused(lens, message):
    queries, keys, values = toy()
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        d2l.AdditiveAttention(8, 0.1)(queries, keys, values, lens)


def test_shifted_windows():
    """Two images of three windows: the mask of a window is added to all its scores and heads."""
    heads, windows = 2, 3
    X = torch.randn(2 * windows, 4, 8)
    mask = torch.zeros(windows, 4, 4)
    mask[1, :, 2:], mask[2, 1] = -100.0, torch.linspace(-1, 1, 4)
    attention = d2l.MultiHeadAttention(8, heads, 0.0).eval()
    output = attention(X, X, X, None, mask)
    for n in range(2 * windows):
        one = [split(X[n : n + 1]) for split in (attention.W_q, attention.W_k, attention.W_v)]
        q, k, v = (attention.transpose_qkv(Y) for Y in one)  # (H, 4, D)
        weights = (q @ k.transpose(1, 2) / 2 + mask[n % windows]).softmax(-1)
        expected = attention.W_o(attention.transpose_output(weights @ v))
        torch.testing.assert_close(output[n : n + 1], expected)
        torch.testing.assert_close(attention.attention_weights[n], weights)
    folded = [attention.transpose_qkv(W(X)) for W in (attention.W_q, attention.W_k, attention.W_v)]
    plain = d2l.DotProductAttention(0.0, heads)(*folded, None, mask)
    torch.testing.assert_close(attention.W_o(attention.transpose_output(plain)), output)
    with pytest.raises(ValueError, match=r"divides the batch, B=6\. Got 4\."):
        attention(X, X, X, None, torch.zeros(4, 4, 4))
    with pytest.raises(
        ValueError, match=re.escape("have shape (windows, Q=4, K=4). Got (3, 4, 5).")
    ):
        attention(X, X, X, None, torch.zeros(3, 4, 5))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_lengths_in_narrow_types(dtype):
    """bfloat16 has no 257, and neither type has 70000."""
    for num_keys, length in ((257, 512.0), (257, math.inf), (70000, math.inf)):
        lens = torch.tensor([length], dtype=dtype)
        weights = d2l.masked_softmax(torch.zeros(1, 1, num_keys), lens)
        assert (weights > 0).all()


def test_the_strict_classes_stay_strict():
    with pytest.raises(ValueError, match="Got 11"):
        attn_lib.DotProductAttention(0.0)(*toy(2), torch.tensor([2, 11]))


def test_heatmaps_show_at_once(monkeypatch):
    from IPython import display

    shown = []
    monkeypatch.setattr(display, "display", lambda figure: shown.append(figure))
    encoding = torch.sin(torch.arange(12.0)).reshape(1, 1, 3, 4).requires_grad_()
    assert d2l.show_heatmaps(encoding, xlabel="Column", ylabel="Row", figsize=(3.5, 4)) is None
    (mesh,) = shown[0].axes[0].collections
    assert (mesh.norm.vmin, mesh.norm.vmax) == (encoding.min().item(), encoding.max().item())
    assert mesh.get_cmap().name == "Reds"
    d2l.show_heatmaps(torch.rand(2, 2, 3, 4), "Keys", "Queries", ["Head 1", "Head 2"], cmap="Blues")
    assert shown[1].axes[0].collections[0].get_cmap().name == "Blues"


@pytest.mark.parametrize(
    ("matrix", "limits"),
    [
        ([[0, 3]], (0, 3)),
        ([[False, True]], (0, 1)),
        ([[0.5, math.nan, -2.0]], (-2, 0.5)),
        ([[0.5, math.inf, 1.0]], (0.5, 1)),
        ([[math.nan]], (0, 1)),
    ],
)
@pytest.mark.filterwarnings("error")
def test_heatmaps_of_any_numbers(monkeypatch, matrix, limits):
    from IPython import display

    shown = []
    monkeypatch.setattr(display, "display", lambda figure: shown.append(figure))
    matrices = torch.tensor(matrix).expand(1, 2, 1, -1)
    d2l.show_heatmaps(matrices, "Keys", "Queries", titles=["Head 1", "Head 2", "Head 3"])
    first, second, _ = shown[0].axes
    (mesh,) = first.collections
    assert (mesh.norm.vmin, mesh.norm.vmax) == limits
    assert [axes.get_title() for axes in (first, second)] == ["Head 1", "Head 2"]
    d2l.show_heatmaps(matrices, "Keys", "Queries", titles=[])
    assert shown[1].axes[0].get_title() == ""
    assert "<svg" in shown[0]._repr_svg_()


@pytest.mark.parametrize("era", [d2l, v017])
def test_the_rest_comes_from_d2l(monkeypatch, era):
    monkeypatch.setitem(sys.modules, "d2l", None)
    with pytest.raises(AttributeError, match="install d2l"):
        era.Trainer  # noqa: B018
    package = SimpleNamespace(Trainer=nn.Module)
    monkeypatch.setitem(sys.modules, "d2l", SimpleNamespace(torch=package, __path__=[]))
    monkeypatch.setitem(sys.modules, "d2l.torch", package)
    assert era.Trainer is nn.Module
