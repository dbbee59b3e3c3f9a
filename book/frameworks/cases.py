"""The cases that every framework is held to; `python -m book.frameworks.cases` writes them.

Inputs are the four words and the published toy; what is expected comes from attn_lib in float64,
so this file needs PyTorch and `cases.json` needs nothing.
"""

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

import attn_lib
from attn_lib.examples import four_words

FILE = Path(__file__).with_name("cases.json")


def cases() -> dict[str, dict[str, Any]]:
    """Return the cases by name: a function, its arguments and what it returns."""
    keys, pages = (
        four_words.padded_keys(),
        four_words.padded_pages()[:, :, None],
    )
    queries = four_words.keys()[[0, 3]].expand(2, 2, 2)  # cats and bark ask in both sentences
    scores = queries @ keys.mT
    lens = four_words.valid_lens()
    W_q, W_k, w_v = four_words.additive_parameters()
    features = four_words.features()[None]
    one_sentence = (
        four_words.keys()[None],
        four_words.pages()[None, :, None],
    )
    toy_values = torch.arange(40.0).reshape(1, 10, 4).repeat(2, 1, 1)
    toy = torch.ones(2, 1, 20), torch.ones(2, 10, 2), toy_values
    random = torch.Generator().manual_seed(0)
    toy_parameters = [torch.randn(8, size, generator=random) for size in (20, 2, 1)]
    return {
        "lengths of examples": softmax(scores, lens),
        "lengths of queries": softmax(scores, torch.tensor([[1, 3], [2, 4]])),
        "no lengths": softmax(scores, None),
        "an empty row": softmax(scores, torch.tensor([0, 3])),
        "float16": softmax(scores, lens, dtype="float16"),
        "scores of a million": softmax(scores - 3e6, lens),
        "additive": additive(
            torch.tensor([[[1.0, 0, 1], [1, 0, 0]]]),
            *one_sentence,
            W_q,
            W_k,
            w_v,
        ),
        "published toy": additive(
            *toy,
            *toy_parameters[:2],
            toy_parameters[2][:, 0],
            torch.tensor([2, 6]),
        ),
        "scaled dot product": dot_product(queries, keys, pages, lens),
        "features": dot_product(features[:, :1], features, one_sentence[1]),
    }


def softmax(scores: Tensor, lens: Tensor | None, dtype: str = "float32") -> dict[str, Any]:
    """Return a case of masked_softmax."""
    weights = attn_lib.masked_softmax(scores.double(), lens)
    return case("masked_softmax", (scores,), lens, {"weights": weights}, dtype)


def additive(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    W_q: Tensor,
    W_k: Tensor,
    w_v: Tensor,
    lens: Tensor | None = None,
) -> dict[str, Any]:
    """Return a case of additive_attention."""
    given = queries, keys, values, W_q, W_k, w_v
    scores = attn_lib.additive_scores(*(X.double() for X in (queries, keys, W_q, W_k, w_v)))
    weights = attn_lib.masked_softmax(scores, lens)
    expected = {"outputs": weights @ values.double(), "weights": weights}
    return case("additive_attention", given, lens, expected)


def dot_product(
    queries: Tensor, keys: Tensor, pages: Tensor, lens: Tensor | None = None
) -> dict[str, Any]:
    """Return a case of dot_product_attention."""
    scores = attn_lib.dot_product_scores(queries.double(), keys.double())
    weights = attn_lib.masked_softmax(scores, lens)
    expected = {"outputs": weights @ pages.double(), "weights": weights}
    return case("dot_product_attention", (queries, keys, pages), lens, expected)


def case(
    function: str,
    given: tuple[Tensor, ...],
    lens: Tensor | None,
    expected: dict[str, Tensor],
    dtype: str = "float32",
) -> dict[str, Any]:
    """Return a case as plain lists, expected numbers to nine digits."""
    return {
        "function": function,
        "dtype": dtype,
        "given": [tensor.tolist() for tensor in given],
        "valid_lens": None if lens is None else lens.tolist(),
        "expected": {name: rounded(tensor.tolist()) for name, tensor in expected.items()},
    }


def rounded(numbers: Any) -> Any:
    """Round nested lists to nine digits, so that every machine writes the same file."""
    if isinstance(numbers, list):
        return [rounded(number) for number in numbers]
    return float(f"{numbers:.9g}")


def text() -> str:
    """Return the file's content, one case a line."""
    lines = [f'"{name}": {json.dumps(one)}' for name, one in cases().items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
