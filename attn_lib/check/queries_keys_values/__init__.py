"""The exercises of the chapter on queries, keys and values."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from attn_lib.check.calls import Calls
from attn_lib.check.queries_keys_values import judge
from attn_lib.check.verdict import Verdict, came, hint, numbers, right, said, shape
from attn_lib.examples import four_words
from attn_lib.examples.surnames import KEYS, levenshtein


def exact_lookup(answer: Callable[[str, Sequence[str]], Any], seed: int = 0) -> Verdict:
    """Judge a function (query, keys) -> weights that looks up exactly.

    The weight is 1 on the key that equals the query, case ignored, and 0 elsewhere. Several equal
    keys share it; without a match all weights are 0.
    """
    return said("exact_lookup", judge.exact_lookup(answer, seed))


def words_output(answer: Callable[[Tensor], Any]) -> Verdict:
    """Judge a function query -> output of the four words, found without a softmax."""
    if not callable(answer):
        return hint("words_output", "function", got=type(answer).__name__)
    asked = [torch.tensor(query) for query in ((0.5, -2.0), (3.0, 0.25), (-1.0, 0.0))]
    given = []
    with Calls() as calls:
        for query in asked:
            try:
                answered = answer(query.clone())
            except Exception as error:  # whatever the reader's function raises
                return hint("words_output", "raises", error=f"{type(error).__name__}: {error}")
            output = numbers(answered)
            if output is None or output.numel() not in (1, 2, 4):
                return hint("words_output", "count", got=shape(answered))
            given.append(output.reshape(-1))
    name = _what(given, asked)
    if name:
        return hint("words_output", name)
    if any("softmax" in call for call in calls.names):
        return hint("words_output", "softmax")
    far = torch.tensor([1000.0, -2000.0])
    try:
        output = numbers(answer(far.clone()))
    except Exception:  # math.exp raises where torch.exp returns infinity
        output = None
    if output is None or output.numel() != 2 or not _close([output.reshape(-1)], [far.tanh()]):
        return hint("words_output", "overflow")
    return right("words_output")


def _what(given: list[Tensor], asked: list[Tensor]) -> str:
    """Name what these outputs are instead of the right ones; nothing if they are right."""
    keys, pages = four_words.keys(), four_words.pages()
    weights = [(keys @ query).softmax(0) for query in asked]
    known = {
        "": [query.tanh() for query in asked],
        "weights": weights,
        "page": [(row @ pages).reshape(1) for row in weights],
        "query": asked,
        "exchanged": [query.tanh().flip(0) for query in asked],
        "nearest": [query.sign() for query in asked],
        "sigmoid": [query.sigmoid() for query in asked],
    }
    return next((name for name, wanted in known.items() if _close(given, wanted)), "values")


def _close(given: list[Tensor], wanted: list[Tensor]) -> bool:
    pairs = list(zip(given, wanted, strict=True))
    return all(g.shape == w.shape and torch.allclose(g, w.double(), atol=1e-3) for g, w in pairs)


def halved_weight(answer: str) -> Verdict:
    """Judge a name for which, at temperature 0.1, two keys get half of the weight each."""
    if not (isinstance(answer, str) and answer.isalpha() and len(answer) <= 12):
        return hint("halved_weight", "word", got=came(answer))
    distance = {key: levenshtein(answer.lower(), key.lower()) for key in KEYS}
    nearest, second, *_ = sorted(KEYS, key=distance.__getitem__)
    ties = sum(d == distance[nearest] for d in distance.values())
    if ties == 2:
        return right("halved_weight")
    if ties > 2:
        return hint("halved_weight", "many", ties=ties, distance=distance[nearest])
    return hint(
        "halved_weight",
        "one",
        first=nearest,
        second=second,
        near=distance[nearest],
        far=distance[second],
    )


def projection(answer: Any, wanted: Sequence[int] = (2, 1, 4, 3)) -> Verdict:
    """Judge a matrix W_q of two rows and columns by which word each of the four finds.

    W_k leaves every word as it is. Word j, counted from 1, must give word ``wanted[j]`` more weight
    than any other. By default each word must find its partner: *cats* finds *purr*, and so on.

    >>> projection([[1.0, 0.0], [0.0, -1.0]]).right
    True
    >>> projection([[1.0, 0.0], [0.0, -1.0]], [3, 4, 1, 2]).right
    False
    """
    keys, words = four_words.keys().double(), four_words.words()
    asked = [*wanted] if isinstance(wanted, list | tuple) else []
    if len(asked) != len(words) or any(j not in range(1, len(words) + 1) for j in asked):
        return hint("projection", "wanted", got=came(wanted))
    W_q = numbers(answer)
    if W_q is None or W_q.shape != (2, 2):
        return hint("projection", "matrix", got=shape(answer))
    if not W_q.isfinite().all():
        return hint("projection", "infinite")
    found = _found(W_q, keys)
    if found == [[j] for j in asked]:
        return right("projection")
    if found == [[j] for j in range(1, len(words) + 1)]:
        return hint("projection", "itself")
    if _found(W_q.T, keys) == [[j] for j in asked]:
        return hint("projection", "transposed")
    word = next(j for j, wish in enumerate(asked) if found[j] != [wish])
    names = {"word": words[word], "wanted": words[asked[word] - 1]}
    if len(found[word]) > 1:
        return hint("projection", "tie", **names, count=len(found[word]))
    return hint("projection", "other", **names, found=words[found[word][0] - 1])


def _found(W_q: Tensor, keys: Tensor) -> list[list[int]]:
    """Which words, counted from 1, have the largest score in each row."""
    scores = keys @ W_q.T @ keys.T
    largest = scores.max(dim=1, keepdim=True).values
    same = 1e-9 * (1 + largest.abs())
    return [
        [j for j, first in enumerate(row, 1) if first] for row in (scores > largest - same).tolist()
    ]
