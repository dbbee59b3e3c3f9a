"""Write packages.json: numbers that other packages compute, for tests to compare attn_lib with.

Run once in an environment of its own, after `pip install torch transformers x-transformers entmax`:
`python tests/unit/oracles/packages.py`. The versions are stored with the numbers.
"""

import json
from importlib.metadata import version
from pathlib import Path

import entmax
import torch
from transformers import GPTJConfig, LlamaConfig
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.gptj import modeling_gptj as gptj
from transformers.models.llama import modeling_llama as llama
from transformers.models.t5.modeling_t5 import T5Attention
from x_transformers import x_transformers

PLACES = [0, 1, 2, 5, 100, 1000]
HEADS = [1, 2, 3, 5, 6, 8, 12, 16, 20, 40]
BUCKETS = [
    {"num_buckets": 32, "max_distance": 128, "causal": False},
    {"num_buckets": 32, "max_distance": 128, "causal": True},
    {"num_buckets": 16, "max_distance": 64, "causal": False},
    {"num_buckets": 10, "max_distance": 50, "causal": True},
]


def rotary():
    X = torch.randn(1, 1, len(PLACES), 8)  # (B, H, N, D)
    places = torch.tensor([PLACES])
    turned = []
    for base in (10_000.0, 500_000.0):
        config = LlamaConfig(
            hidden_size=8,
            num_attention_heads=1,
            rope_parameters={"rope_type": "default", "rope_theta": base},
        )
        cos, sin = llama.LlamaRotaryEmbedding(config)(X, places)
        halves, _ = llama.apply_rotary_pos_emb(X, X, cos, sin)
        turned.append(["transformers llama", "halves", base, halves[0, 0].tolist()])
    angles = gptj.GPTJRotaryEmbedding(GPTJConfig(n_positions=2048, rotary_dim=8))
    sin, cos = angles(X, places)
    pairs = gptj.apply_rotary_pos_emb(X.transpose(1, 2), sin, cos).transpose(1, 2)
    turned.append(["transformers gptj", "interleaved", 10_000.0, pairs[0, 0].tolist()])
    freqs, scale = x_transformers.RotaryEmbedding(8, base=500_000)(places[0])
    pairs = x_transformers.apply_rotary_pos_emb(X, freqs, scale)
    turned.append(["x-transformers", "interleaved", 500_000.0, pairs[0, 0].tolist()])
    return {"X": X[0, 0].tolist(), "places": PLACES, "turned": turned}


def slopes():
    row = torch.ones(1, 2)  # the bias of place 1 is the slope itself
    bloom = [build_alibi_tensor(row, heads, torch.float32)[:, 0, 1].tolist() for heads in HEADS]
    # The paper's own code, as x-transformers has it.
    paper = [x_transformers.AlibiPositionalBias._get_slopes(heads) for heads in HEADS]
    return {"transformers bloom": bloom, "x-transformers": paper}


def buckets():
    """Buckets of the distances j - i from -200 to 200."""
    distances = torch.arange(-200, 201)
    of = T5Attention._relative_position_bucket
    return [
        {
            **settings,
            "buckets": of(
                distances,
                bidirectional=not settings["causal"],
                num_buckets=settings["num_buckets"],
                max_distance=settings["max_distance"],
            ).tolist(),
        }
        for settings in BUCKETS
    ]


def sparse():
    """Weights of rows of scores, and the gradient that an upstream gradient becomes."""
    X = 2 * torch.randn(6, 9, dtype=torch.float64)
    X[4] = torch.tensor([1.0, 1, 1, 0.5, 0.5, 0, 0, -1, 3])  # ties
    X[5] = 0.25
    upstream = torch.randn_like(X)
    result = {"X": X.tolist(), "upstream": upstream.tolist()}
    for name in ("sparsemax", "entmax15"):
        asked = X.clone().requires_grad_()
        weights = getattr(entmax, name)(asked, dim=-1)
        (grad,) = torch.autograd.grad(weights, asked, upstream)
        result[name] = {"weights": weights.tolist(), "grad": grad.tolist()}
    return result


def main():
    torch.manual_seed(0)
    packages = ("torch", "transformers", "x-transformers", "entmax")
    numbers = {
        "versions": {name: version(name) for name in packages},
        "rotary": rotary(),
        "slopes": {"heads": HEADS, **slopes()},
        "buckets": buckets(),
        "sparse": sparse(),
    }
    path = Path(__file__).with_name("packages.json")
    path.write_text(json.dumps(numbers) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
