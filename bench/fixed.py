"""What attn_lib costs however small the call: its import, and a forward beside the bare formula.

CPU time of one thread, the least of many rounds in which all forms take turns: on a busy machine
trust the ratios.
"""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn

import attn_lib

ROOT = Path(__file__).resolve().parents[1]
BATCH, QUERIES, KEYS, SIZE, HEADS = 32, 1, 10, 32, 4
IMPORTS = ("import torch", "import torch, attn_lib", "import torch, attn_lib; attn_lib.explore")


def textbook_weights(scores: Tensor, lens: Tensor) -> Tensor:
    """Mask with -1e6, row by row, as textbooks do."""
    rows = scores.reshape(-1, scores.shape[-1])
    limits = lens.repeat_interleave(scores.shape[1])
    hidden = torch.arange(rows.shape[1])[None, :] >= limits[:, None]
    rows[hidden] = -1e6
    return torch.softmax(rows.reshape(scores.shape), dim=-1)


class TextbookDot(nn.Module):
    """Scaled dot-product attention without a single check."""

    def __init__(self) -> None:
        super().__init__()
        self.dropout = nn.Dropout(0.0)

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, lens: Tensor) -> Tensor:
        """Score, weigh, average."""
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(queries.shape[-1])
        self.attention_weights = textbook_weights(scores, lens)
        return torch.bmm(self.dropout(self.attention_weights), values)


class TextbookAdditive(nn.Module):
    """Additive attention without a single check."""

    def __init__(self) -> None:
        super().__init__()
        self.W_q, self.W_k = (nn.Linear(SIZE, SIZE, bias=False) for _ in range(2))
        self.w_v = nn.Linear(SIZE, 1, bias=False)
        self.dropout = nn.Dropout(0.0)

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, lens: Tensor) -> Tensor:
        """Score, weigh, average."""
        pairs = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
        self.attention_weights = textbook_weights(self.w_v(pairs).squeeze(-1), lens)
        return torch.bmm(self.dropout(self.attention_weights), values)


class TextbookHeads(nn.Module):
    """Multi-head attention without a single check."""

    def __init__(self) -> None:
        super().__init__()
        self.W_q, self.W_k, self.W_v, self.W_o = (
            nn.Linear(SIZE, SIZE, bias=False) for _ in range(4)
        )
        self.attention = TextbookDot()

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, lens: Tensor) -> Tensor:
        """Split, attend, join."""
        heads = (
            X.unflatten(2, (HEADS, -1)).transpose(1, 2).flatten(0, 1)
            for X in (self.W_q(queries), self.W_k(keys), self.W_v(values))
        )
        outputs = self.attention(*heads, lens.repeat_interleave(HEADS))
        return self.W_o(outputs.unflatten(0, (-1, HEADS)).transpose(1, 2).flatten(2))


def least_seconds(calls: list[Callable[[], object]], rounds: int = 200) -> list[float]:
    """CPU time of each call, the calls taking turns."""
    best = [math.inf] * len(calls)
    for _ in range(rounds):
        for i, call in enumerate(calls):
            start = time.thread_time()
            for _ in range(10):
                call()
            best[i] = min(best[i], (time.thread_time() - start) / 10)
    return best


def print_fixed_cost() -> None:
    """Print what a small call costs, forward and with the backward pass."""
    shapes = ((BATCH, QUERIES, SIZE), (BATCH, KEYS, SIZE), (BATCH, KEYS, SIZE))
    inputs = [torch.randn(shape, requires_grad=True) for shape in shapes]
    lens = torch.randint(1, KEYS + 1, (BATCH,))
    pairs = {
        "dot product": (attn_lib.DotProductAttention(0.0), TextbookDot()),
        "additive": (attn_lib.AdditiveAttention(SIZE, SIZE, SIZE, 0.0), TextbookAdditive()),
        "multi-head": (attn_lib.MultiHeadAttention(*[SIZE] * 4, HEADS, 0.0), TextbookHeads()),
    }
    print(f"\nA small call, B = {BATCH}, Q = {QUERIES}, K = {KEYS}, D = {SIZE}: µs")
    print(f"{'':24}{'attn_lib':>10}{'textbook':>10}{'ratio':>8}")
    for name, modules in pairs.items():
        with torch.no_grad():
            forward = least_seconds([lambda m=m: m(*inputs, lens) for m in modules])
        both = least_seconds(
            [lambda m=m: torch.autograd.grad(m(*inputs, lens).sum(), inputs) for m in modules], 50
        )
        for mode, (ours, bare) in ((", forward", forward), (", with backward", both)):
            print(f"{name + mode:24}{ours * 1e6:>10.0f}{bare * 1e6:>10.0f}{ours / bare:>8.2f}")


def print_imports() -> None:
    """Print what importing costs, each in a process of its own."""
    print("\nCPU seconds, the least of three")
    for code in IMPORTS:
        timed = f"import time; {code}; print(time.process_time())"
        runs = [
            subprocess.run(
                [sys.executable, "-c", timed], cwd=ROOT, check=True, capture_output=True, text=True
            ).stdout
            for _ in range(3)
        ]
        print(f"{min(map(float, runs)):6.2f}  {code}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print_imports()
    print_fixed_cost()
