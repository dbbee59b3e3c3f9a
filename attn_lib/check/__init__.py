"""Exercises that answer: ``attn_lib.check.<exercise>(answer)`` judges by value, not by text.

One module per chapter; the hints are in ``labels/<lang>.json``, section ``check``.
"""

from attn_lib.check.queries_keys_values import exact_lookup, halved_weight
from attn_lib.check.verdict import Verdict

__all__ = ["Verdict", "exact_lookup", "halved_weight"]
