"""The exercises of the bug museum."""

from collections.abc import Callable, Collection
from functools import cache
from itertools import chain, combinations
from typing import Any

import torch

from attn_lib import museum
from attn_lib.check.judging import raised
from attn_lib.check.quantity import Found, Numbers, quantity
from attn_lib.check.verdict import Verdict, came, hint, numbers, right, shape


@cache
def _smallest(without: tuple[str, ...]) -> list[int]:
    suites = chain.from_iterable(combinations(museum.TESTS, n) for n in range(1, 10))
    return list(next(suite for suite in suites if not _missed(suite, without)))


def _missed(tests: Collection[int], without: tuple[str, ...]) -> list[str]:
    caught = {*museum.caught_by(tests), *without}
    return [name for name in museum.EXHIBITS if name not in caught]


def _chosen(answered: Any, without: tuple[str, ...]) -> Found:
    chosen = numbers(list(answered) if isinstance(answered, set | frozenset) else answered)
    given = set() if chosen is None else set(chosen.reshape(-1).tolist())
    if not given or not given <= set(museum.TESTS):
        return "numbers", {"got": came(answered)}
    tests = sorted(int(n) for n in given)
    if missed := _missed(tests, without):
        return "missed", {"missed": ", ".join(missed), "count": len(missed)}
    if len(tests) == len(_smallest(without)):
        return "right", {}
    spare = [n for n in tests if not _missed({*tests} - {n}, without)]
    return "larger", {"count": len(tests), "spare": ", ".join(map(str, spare))}


# Without the drawn exhibits fewer tests are enough than for all nine.
PAIRS = (("squeeze", "nan"), ("inplace", "fill"), ("repeat", "nan"), ("squeeze", "repeat"))


@quantity(
    numbers=(((),), *((pair,) for pair in PAIRS)),
    shown=lambda without: {"size": len(_smallest(without)), "left_out": ", ".join(without)},
    within=0,
    unknown=_chosen,
)
def smallest_suite(without: tuple[str, ...]) -> Numbers:
    """Judge the numbers of tests that together catch all exhibits but those `without`."""
    return {"right": _smallest(without)}


def repair(answer: Callable[[], museum.DotProduct]) -> Verdict:
    """Judge an exhibit repaired: a class that derives from it, or an object made from it.

    All nine tests must pass, and on other numbers it must agree with attention that is right.
    """
    with torch.random.fork_rng(devices=[]):  # a class may draw the parameters of its layers
        return _judge_repair(answer)


def _judge_repair(answer: Any) -> Verdict:
    make: Callable[[], Any] | None
    make = answer if callable(answer) and not isinstance(answer, torch.nn.Module) else None
    try:
        example = make() if make else answer
    except Exception as error:  # whatever the reader's class raises
        return hint("repair", "raises", error=raised(error))
    exhibits = tuple(museum.EXHIBITS.values())
    if not isinstance(example, exhibits):
        return hint("repair", "derive", got=type(example).__name__)
    failed = {
        number: finding
        for number, test in museum.TESTS.items()
        if not (finding := museum.run(test, make or (lambda: example)))
    }
    if failed:
        number, finding = next(iter(failed.items()))
        if not finding.expected:  # the test met an error
            return hint("repair", "raises", error=finding.got)
        slots = {"number": number, "expected": finding.expected, "got": finding.got}
        same = any(
            isinstance(example, exhibit) and set(failed) == _failed_by(name)
            for name, exhibit in museum.EXHIBITS.items()
        )
        return hint("repair", "unchanged" if same else "fails", **slots)
    return _compare_elsewhere(example)


def _failed_by(name: str) -> set[int]:
    return {number for number, finding in museum.findings()[name].items() if not finding}


def _compare_elsewhere(attention: museum.DotProduct) -> Verdict:
    """Compare with attention that is right, on numbers and sizes that no test has."""
    generator = torch.Generator().manual_seed(0)
    additive = isinstance(attention, museum.Additive)
    model, query_size, key_size = (museum.Additive, 3, 2) if additive else (museum.DotProduct, 3, 3)
    queries, keys, values = (
        torch.randn(3, size, features, generator=generator)
        for size, features in ((5, query_size), (7, key_size), (7, 4))
    )
    lens = torch.tensor([0, 7, 4])
    with torch.no_grad():
        expected: Any = model()(queries, keys, values, lens)
        try:
            inputs = (queries, keys, values, lens)
            given = [tensor.clone() for tensor in inputs]
            answered = attention(*given)
        except Exception as error:  # whatever the reader's class raises
            return hint("repair", "raises", error=raised(error))
    got = numbers(answered)
    if got is None or got.shape != expected.shape:
        return hint("repair", "shape", wanted=tuple(expected.shape), got=shape(answered))
    if not torch.allclose(got, expected.double(), atol=1e-5):
        return hint("repair", "elsewhere", error=f"{(got - expected).abs().max().item():.4f}")
    if not all(torch.equal(*pair) for pair in zip(given, inputs, strict=True)):
        return hint("repair", "changed")
    return right("repair")
