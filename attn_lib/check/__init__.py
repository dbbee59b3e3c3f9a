"""Exercises that answer: ``attn_lib.check.<exercise>(answer)`` judges by value, not by text.

One folder per chapter: the exercises, and their hints in each language.
"""

from attn_lib.check.a_model_that_writes import cached
from attn_lib.check.additive_attention import additive_scores, modified_keys, query_cancels
from attn_lib.check.attention_sinks import sink_half, with_sink
from attn_lib.check.batched_products import batched_dot, one_batch
from attn_lib.check.beyond_softmax import lifted, rivals, sparsemax
from attn_lib.check.bug_museum import repair, smallest_suite
from attn_lib.check.choosing_a_scoring_function import matmul_scorer, vector_sum
from attn_lib.check.dot_product_attention import gaussian_from_dot, shifted_keys
from attn_lib.check.dropout import infer_mask, which_weights
from attn_lib.check.fast_attention import block_size, count_bytes, online_softmax
from attn_lib.check.kernel_regression import kernel_gap, loo_width
from attn_lib.check.many_keys import capped_leak, crowd_gain
from attn_lib.check.masked_softmax import average_ahead, causal_lens, masked_softmax
from attn_lib.check.multi_head_attention import repeat_lens, zero_feature
from attn_lib.check.position_in_the_score import alibi_page, slowest_turn
from attn_lib.check.queries_keys_values import (
    exact_lookup,
    halved_weight,
    projection,
    words_output,
)
from attn_lib.check.reading_dates import honest_map, span_share
from attn_lib.check.real_model import lead, two_back
from attn_lib.check.scaling import score_variance, which_d
from attn_lib.check.shared_keys import grouped_heads
from attn_lib.check.verdict import Verdict

__all__ = [
    "Verdict",
    "additive_scores",
    "alibi_page",
    "average_ahead",
    "batched_dot",
    "block_size",
    "cached",
    "capped_leak",
    "causal_lens",
    "count_bytes",
    "crowd_gain",
    "exact_lookup",
    "gaussian_from_dot",
    "grouped_heads",
    "halved_weight",
    "honest_map",
    "infer_mask",
    "kernel_gap",
    "lead",
    "lifted",
    "loo_width",
    "masked_softmax",
    "matmul_scorer",
    "modified_keys",
    "one_batch",
    "online_softmax",
    "projection",
    "query_cancels",
    "repair",
    "repeat_lens",
    "rivals",
    "score_variance",
    "shifted_keys",
    "sink_half",
    "slowest_turn",
    "smallest_suite",
    "span_share",
    "sparsemax",
    "two_back",
    "vector_sum",
    "which_d",
    "which_weights",
    "with_sink",
    "words_output",
    "zero_feature",
]
