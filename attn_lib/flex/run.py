"""The call of FlexAttention, and what a sink takes from its outputs."""

from __future__ import annotations

from functools import partial
from types import ModuleType

import torch
from torch import Tensor

from attn_lib.flex.inputs import check_heads
from attn_lib.flex.mods import MaskMod, ScoreMod, check_fit
from attn_lib.masking import Visible, blank_unseen
from attn_lib.spoilt import each_its_own
from attn_lib.validation import check_alike, check_finite, check_shape, check_tensor


def attend(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    *,
    score_mod: ScoreMod | None = None,
    mask_mod: MaskMod | None = None,
    sink: float | Tensor | None = None,
) -> Tensor:
    """Average the values by FlexAttention; put it into ``torch.compile`` to get the fused kernel.

    Keys and values that no query sees are cleared first, as everywhere in this library: 0 times
    NaN would be NaN. Outside of ``torch.compile``, NaN that some queries see stays with these.
    Keys and values have as many heads as queries: ``repeat_interleave`` those that are shared.

    Args:
        queries: the queries of each head.
        keys: the keys of each head, with as many features as the queries.
        values: one for every key.
        score_mod: what the scores become; None: they stay q . k / sqrt(D).
        mask_mod: which keys are seen; None: all.
        sink: the score of a key without value, one for all heads or one for each.

    Shape:
        queries (B, H, Q, D); keys (B, H, K, D); values (B, H, K, V); sink () or (H,).

    Returns:
        Outputs (B, H, Q, V); zeros where nothing may be seen.

    Raises:
        ImportError: this torch has no FlexAttention.
        ValueError: the shapes do not match, also those that score_mod or mask_mod were made for.
        TypeError: an argument is not a floating-point tensor, or the dtypes differ.

    Source:
        Dong et al. (2024), Flex Attention: A Programming Model for Generating Optimized Attention
        Kernels.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> same, values = torch.ones(1, 1, 3, 2), torch.tensor([[[[1.0], [3.0], [5.0]]]])
        >>> flex.attend(same, same, values, mask_mod=flex.causal())
        tensor([[[[1.],
                  [2.],
                  [3.]]]])
    """
    check_heads("queries", queries, "Q")
    batch, heads, num_queries, size = queries.shape
    check_heads("keys", keys, "K")
    check_shape("keys", keys, B=batch, H=heads, K=None, D=size)
    num_keys = keys.shape[2]
    check_alike("keys", keys, "queries", queries)
    check_tensor("values", values)
    check_shape("values", values, B=batch, H=heads, K=num_keys, V=None)
    check_alike("values", values, "keys", keys)
    for mod in (score_mod, mask_mod):
        check_fit(mod, B=batch, H=heads, Q=num_queries, K=num_keys)
    torch_flex = _torch_flex()
    if batch == 0 or heads == 0 or num_queries == 0 or num_keys == 0:
        return values.new_zeros(*queries.shape[:3], values.shape[3])
    block_mask = visible = None
    if mask_mod is not None:
        sizes = (batch, heads, num_queries, num_keys)
        pairs = torch_flex.create_mask(mask_mod, *sizes, device=str(queries.device))
        visible = Visible.of(pairs)
        queries, keys, values = blank_unseen(queries, keys, values, visible)
        block_mask = torch_flex.create_block_mask(mask_mod, *sizes, device=str(queries.device))
    run = partial(torch_flex.flex_attention, score_mod=score_mod, block_mask=block_mask)

    def compute(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor]:
        if sink is None:
            return (run(q, k, v),)
        if hasattr(torch_flex, "AuxRequest"):
            outputs, more = run(q, k, v, return_aux=torch_flex.AuxRequest(lse=True))
            return (with_sink(outputs, more.lse, sink),)
        outputs, lse = run(q, k, v, return_lse=True)  # before torch 2.9
        return (with_sink(outputs, lse, sink),)

    (outputs,) = each_its_own(compute, queries, keys, values, visible)
    assert outputs is not None
    return outputs


def with_sink(outputs: Tensor, lse: Tensor, sink: float | Tensor) -> Tensor:
    """Take from outputs what a sink would have got: o sigmoid(lse - z).

    A softmax with one more score z in its denominator is the softmax without it, times
    sigmoid(logsumexp(s) - z).

    Args:
        outputs: what FlexAttention returns.
        lse: the log-sum-exp of the scores of each query, which it returns with ``return_lse``.
        sink: z, one for all heads or one for each.

    Shape:
        outputs (B, H, Q, V); lse (B, H, Q); sink () or (H,).

    Returns:
        Outputs (B, H, Q, V).

    Raises:
        ValueError: the shapes do not match, or a sink that is a number is not finite.
        TypeError: an argument is not a floating-point tensor, or the sink is no number either.

    Source:
        OpenAI (2025), gpt-oss-120b and gpt-oss-20b Model Card, section 2.2 (the sinks); the
        identity follows from the definition of the softmax.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> flex.with_sink(torch.ones(1, 1, 2, 1), torch.tensor([[[0.0, -5.0]]]), 0.0)
        tensor([[[[0.5000],
                  [0.0067]]]])
    """
    check_tensor("outputs", outputs)
    check_tensor("lse", lse)
    check_shape("outputs", outputs, B=None, H=None, Q=None, V=None)
    check_shape("lse", lse, **dict(zip("BHQ", outputs.shape[:3], strict=True)))
    if isinstance(sink, Tensor):
        check_tensor("sink", sink)
        if sink.ndim:
            check_shape("sink", sink, H=outputs.shape[1])
            sink = sink.unsqueeze(1)  # (H,) -> (H, 1), for all queries
        # A sink of -inf takes nothing, nor does it where the sum, too, is that of no key.
        above = torch.where(sink == -torch.inf, torch.inf, lse - sink)
    else:
        above = lse - check_finite("sink", sink)
    share = torch.sigmoid(above).unsqueeze(-1)  # (B, H, Q, 1)
    return (outputs * share).to(outputs.dtype)


def _torch_flex() -> ModuleType:
    try:
        from torch.nn.attention import flex_attention
    except ImportError as error:
        raise ImportError(
            f"attn_lib.flex.attend needs FlexAttention, and torch {torch.__version__} has none. "
            "Try: pip install 'torch>=2.7'"
        ) from error
    return flex_attention
