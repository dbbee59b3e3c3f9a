"""Nine published faults in attention code, and nine tests to catch them with.

An exhibit is attention with one fault. Which test catches which is written down nowhere: `run`
finds out. `trials` asks the same of attention that somebody else wrote, which `adapters` calls;
`today` has faults of today's attention, by which the trials are tested. The door to these three is
`attn_lib.examine`.
"""

from attn_lib.museum import faults, tests
from attn_lib.museum.faults import (
    REPAIRS,
    DropoutLeftOn,
    FilledWithAMillion,
    MaskInPlace,
    NotScaled,
    RepeatedInTheWrongOrder,
    SqueezedAway,
    TanhBeforeSum,
    WrongAxis,
    ZeroTimesNaN,
)
from attn_lib.museum.finding import Finding
from attn_lib.museum.listing import code
from attn_lib.museum.right import Additive, DotProduct
from attn_lib.museum.tests import (
    SEED,
    agrees_with_torch,
    axes_kept,
    caught_by,
    findings,
    input_unchanged,
    length_zero,
    lengths_of_three_queries,
    nan_in_padding,
    numbers_by_hand,
    published_toy,
    query_matters,
    rows_sum_to_one,
    run,
)

#: The exhibits, by the names that the figure has in its links.
EXHIBITS = faults.EXHIBITS

#: The tests, by number.
TESTS = tests.TESTS

__all__ = [
    "EXHIBITS",
    "REPAIRS",
    "SEED",
    "TESTS",
    "Additive",
    "DotProduct",
    "DropoutLeftOn",
    "FilledWithAMillion",
    "Finding",
    "MaskInPlace",
    "NotScaled",
    "RepeatedInTheWrongOrder",
    "SqueezedAway",
    "TanhBeforeSum",
    "WrongAxis",
    "ZeroTimesNaN",
    "agrees_with_torch",
    "axes_kept",
    "caught_by",
    "code",
    "findings",
    "input_unchanged",
    "length_zero",
    "lengths_of_three_queries",
    "nan_in_padding",
    "numbers_by_hand",
    "published_toy",
    "query_matters",
    "rows_sum_to_one",
    "run",
]
