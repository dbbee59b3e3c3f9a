"""What bench.py measures: mechanisms as textbooks, as attn_lib and as torch have them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attn_lib
from attn_lib import flex

BATCH, SIZE = 8, 128


class Call(NamedTuple):
    """A function, its arguments, and what to differentiate for."""

    function: Callable[..., Tensor]
    inputs: list[Tensor]
    wanted: list[Tensor]


#: What makes a call: from the size, the device and the type of numbers.
Prepare = Callable[[int, str, torch.dtype], Call]


class TextbookAdditive(nn.Module):
    """Additive attention as the formula reads, through a tensor (B, Q, K, hidden)."""

    def __init__(self) -> None:
        super().__init__()
        self.W_k = nn.Linear(SIZE, SIZE, bias=False)
        self.W_q = nn.Linear(SIZE, SIZE, bias=False)
        self.w_v = nn.Linear(SIZE, 1, bias=False)

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        """Score every pair, normalise, average."""
        pairs = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
        return torch.bmm(torch.softmax(self.w_v(pairs).squeeze(3), -1), values)


class TextbookInBlocks(TextbookAdditive):
    """The same with its own tanh, but four queries at a time: what blocks alone are worth."""

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        """Do the whole of it for four queries of one example, then for the next four."""
        parent = super().forward
        return torch.cat(
            [
                torch.cat([parent(block, k, v) for block in q.split(4, 1)], 1)
                for q, k, v in zip(queries.split(1), keys.split(1), values.split(1), strict=True)
            ]
        )


def textbook_dot_product(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """Scaled dot-product attention as the formula reads."""
    scores = torch.bmm(queries, keys.transpose(1, 2)) / SIZE**0.5
    return torch.bmm(torch.softmax(scores, -1), values)


def torch_dot_product(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """Torch's fused kernel, with the heads axis that its fast path asks for."""
    heads = (X.unsqueeze(1) for X in (queries, keys, values))
    return F.scaled_dot_product_attention(*heads).squeeze(1)


def textbook_masked_softmax(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Fill hidden scores with -1e6, as textbooks do."""
    visible = torch.arange(X.shape[2], device=X.device) < valid_lens[:, None, None]
    return torch.softmax(X.masked_fill(~visible, -1e6), -1)


def bare_softmax(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Softmax without a mask."""
    return torch.softmax(X, -1)


def on_sequences(make: Callable[[], Callable[..., Tensor]]) -> Prepare:
    """Prepare queries, keys and values (B, size, SIZE) for what make returns."""

    def prepare(size: int, device: str, dtype: torch.dtype) -> Call:
        torch.manual_seed(0)
        function = make()
        parameters = []
        if isinstance(function, nn.Module):
            parameters = list(function.to(device, dtype).parameters())
        options = {"device": device, "dtype": dtype, "requires_grad": True}
        inputs = [torch.randn(BATCH, size, SIZE, **options) for _ in range(3)]
        return Call(function, inputs, [*inputs, *parameters])

    return prepare


def on_scores(function: Callable[..., Tensor]) -> Prepare:
    """Prepare scores (B, size, size) and lengths for a softmax."""

    def prepare(size: int, device: str, dtype: torch.dtype) -> Call:
        torch.manual_seed(0)
        options = {"device": device, "dtype": dtype, "requires_grad": True}
        scores = torch.randn(BATCH, size, size, **options)
        lens = torch.randint(1, size + 1, (BATCH,), device=device)
        return Call(function, [scores, lens], [scores])

    return prepare


def additive() -> nn.Module:
    """attn_lib's module."""
    return attn_lib.AdditiveAttention(SIZE, SIZE, SIZE, dropout=0.0)


def additive_compiled() -> Callable[..., Tensor]:
    """attn_lib's module, compiled."""
    return torch.compile(additive())


def textbook_compiled() -> Callable[..., Tensor]:
    """The textbook form, compiled."""
    return torch.compile(TextbookAdditive())


def dot_product() -> nn.Module:
    """attn_lib's module, keeping the weights."""
    return attn_lib.DotProductAttention(dropout=0.0)


def dot_product_without_weights() -> Callable[..., Tensor]:
    """attn_lib's module on torch's kernel."""
    attention = attn_lib.DotProductAttention(dropout=0.0)
    return lambda *inputs: attention(*inputs, need_weights=False)


class FlexAdditive(TextbookAdditive):
    """Additive attention as a score_mod of torch's FlexAttention."""

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        """Let FlexAttention score, normalise and average."""
        q, k, v = (X.unsqueeze(1) for X in (queries, keys, values))
        score_mod = flex.additive(q, k, self.W_q.weight, self.W_k.weight, self.w_v.weight[0])
        return flex.attend(q, k, v, score_mod=score_mod).squeeze(1)


def flex_dot_product(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """Scaled dot-product attention by FlexAttention."""
    q, k, v = (X.unsqueeze(1) for X in (queries, keys, values))
    return flex.attend(q, k, v).squeeze(1)


def flex_additive_compiled() -> Callable[..., Tensor]:
    """The additive score in FlexAttention, compiled."""
    return torch.compile(FlexAdditive())


def flex_dot_product_compiled() -> Callable[..., Tensor]:
    """The dot product in FlexAttention, compiled."""
    return torch.compile(flex_dot_product)


# FlexAttention has no gradient on a CPU.
GPU_FORMS: dict[str, dict[str, Prepare]] = {
    "additive attention": {"FlexAttention, compiled": on_sequences(flex_additive_compiled)},
    "dot-product attention": {"FlexAttention, compiled": on_sequences(flex_dot_product_compiled)},
}

# In each table the first form is compared with the second.
FORMS: dict[str, dict[str, Prepare]] = {
    "additive attention": {
        "textbook": on_sequences(TextbookAdditive),
        "attn_lib": on_sequences(additive),
        "textbook, in blocks": on_sequences(TextbookInBlocks),
        "attn_lib, compiled": on_sequences(additive_compiled),
        "textbook, compiled": on_sequences(textbook_compiled),
    },
    "dot-product attention": {
        "attn_lib, no weights": on_sequences(dot_product_without_weights),
        "torch": on_sequences(lambda: torch_dot_product),
        "attn_lib": on_sequences(dot_product),
        "textbook": on_sequences(lambda: textbook_dot_product),
    },
    "masked softmax": {
        "attn_lib": on_scores(attn_lib.masked_softmax),
        "torch, no mask": on_scores(bare_softmax),
        "textbook": on_scores(textbook_masked_softmax),
    },
}


def bytes_of_direct(table: str, form: str, mode: str, size: int) -> int:
    """Estimate what the textbook's additive form takes; nothing else is large."""
    if table != "additive attention" or not form.startswith("textbook"):
        return 0
    tensors = 2 if mode == "forward" else 4
    return tensors * 4 * BATCH * size * size * SIZE
