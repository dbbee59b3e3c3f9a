"""The figure of the page at the site's root: its script draws and weighs as Python does."""

import random

import pytest
from node import run

import attn_lib
from attn_lib.examples import four_words
from book._ext.editions.languages import BOOK, EDITIONS
from book._ext.site import opening

SCRIPT = (BOOK / "_static/landing.js").read_text(encoding="utf-8")
# The script is a classic one: run without figures, it only defines its functions.
CALL = """(script, name, queries) => {
  const nothing = { querySelectorAll: () => [] };
  const called = new Function("document", `${script}; return ${name};`)(nothing);
  return queries.map((query) => called(query));
}"""


def queries() -> list[list[float]]:
    """Its start, its goal, the ends of its range and places between."""
    draw = random.Random(3)
    some = [[draw.uniform(-2, 2), draw.uniform(-2, 2)] for _ in range(200)]
    return [[1.5, 0.5], [-1.5, 0.5], [0, 0], [2, 2], [-2, 2], [0.25, -1.75], *some]


def test_weights_and_output_are_those_of_the_library() -> None:
    for query, found in zip(queries(), run(CALL, SCRIPT, "attend", queries()), strict=True):
        weights, output = opening.attend(query)
        assert found["weights"] == pytest.approx(weights, abs=1e-15)
        assert found["output"] == pytest.approx(output, abs=1e-15)


def test_weights_are_those_of_the_formula() -> None:
    weights, output = opening.attend([1.0, 1.0])
    assert weights == pytest.approx([0.7758, 0.1050, 0.1050, 0.0142], abs=5e-5)
    assert output == pytest.approx([0.7616, 0.7616], abs=5e-5)  # tanh 1


def test_the_script_draws_what_python_draws() -> None:
    for query, found in zip(queries(), run(CALL, SCRIPT, "marks", queries()), strict=True):
        assert found == opening.marks(query), query


def test_numbers_are_written_as_in_the_book() -> None:
    numbers = [0.125, -0.5, 0.0, -0.001, 0.9951, 1.5, -1.75]
    expected = [attn_lib.live.host.numbers.format_number(number, 2) for number in numbers]
    assert run(CALL, SCRIPT, "two", numbers) == expected


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.code)
def test_the_figure_speaks_the_readers_language(edition) -> None:
    figure = opening.figure(edition)
    attn_lib.set_language(edition.code)
    words = four_words.words()
    attn_lib.set_language("en")
    assert figure["words"] == words
    assert figure["weights"] == ["0.70", "0.26", "0.03", "0.01"]
    assert "(1.50" in figure["said"]
    assert "{" not in figure["said"]
