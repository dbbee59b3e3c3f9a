"""Right, wrong and odd answers to the exercises on a real model."""

import math

from attn_lib import check
from tests.unit.check.hints import answered

test_two_back = answered(
    check.two_back,
    ("4.7", "right"),
    (4.7, "right"),
    ("3.6", "from_zero"),
    ("7.4", "exchanged"),
    ("1.3", "one_back"),
    ("3.7", "ahead"),
    ("12.1", "other"),
    ("", "form"),
    ((4, 7), "form"),
)


test_lead = answered(
    check.lead,
    (math.log(14 * 99), "right"),
    (7.23, "right"),
    (math.log(99), "one_other"),
    (math.log(15 * 99), "itself_too"),
    (14 * 99, "no_log"),
    (8.4, "other"),
    (None, "number"),
    ([1, 2], "number"),
)
