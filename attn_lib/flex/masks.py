"""Which keys a query sees, each as a mask_mod."""

from __future__ import annotations

from torch import Tensor

from attn_lib.flex.inputs import check_lens
from attn_lib.flex.mods import MaskMod, Need, made_for, needs_of
from attn_lib.masking import documents_of
from attn_lib.validation import check_dense, check_positive_int, check_size, check_whole


def both(*mask_mods: MaskMod) -> MaskMod:
    """See what all of several mask_mods let see.

    Args:
        mask_mods: the functions.

    Returns:
        A mask_mod.

    Source:
        Dong et al. (2024), Flex Attention, section 3.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> mask_mod = flex.both(flex.causal(), flex.chunks(4))
        >>> at = torch.tensor([0, 0, 5, 3])  # example, head, query, key
        >>> mask_mod(*at)
        tensor(False)
    """

    def mask_mod(b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
        seen = q >= 0
        for allowed in mask_mods:
            seen = seen & allowed(b, h, q, k)
        return seen

    return made_for(mask_mod, *needs_of(*mask_mods))


def causal(*, first_query: int = 0) -> MaskMod:
    """See no later key: the lengths of `attn_lib.causal_lens`.

    Args:
        first_query: the place of the first query; step by step, the number of keys before it.

    Returns:
        A mask_mod.

    Raises:
        ValueError: first_query is below 0.
        TypeError: first_query is not an int.

    Source:
        Vaswani et al. (2017), Attention Is All You Need, section 3.2.3.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> flex.causal()(*torch.tensor([0, 0, 5, 6]))  # example, head, query, key
        tensor(False)
    """
    first = check_size("first_query", first_query, least=0)
    return lambda b, h, q, k: q + first >= k


def within(valid_lens: Tensor) -> MaskMod:
    """See the leading keys only, as many as a valid length says.

    Args:
        valid_lens: how many leading keys count, per example or per query.

    Shape:
        valid_lens (B,) or (B, Q).

    Returns:
        A mask_mod.

    Raises:
        ValueError: valid_lens have another shape, or a length is below 0.
        TypeError: valid_lens are not whole numbers.

    Source:
        Zhang, Lipton, Li, Smola: Dive into Deep Learning, section 11.3.2.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> mask_mod = flex.within(torch.tensor([2, 4]))
        >>> mask_mod(*torch.tensor([0, 0, 5, 2])), mask_mod(*torch.tensor([1, 0, 5, 2]))
        (tensor(False), tensor(True))
    """
    lens, need = check_lens("valid_lens", valid_lens)
    each = valid_lens.ndim == 2
    return made_for(lambda b, h, q, k: k < lens[b, q if each else q * 0], need)


def window(width: int, *, causal: bool = True, first_query: int = 0) -> MaskMod:
    """See the keys of a window around the query: `attn_lib.window_mask`.

    Args:
        width: how many keys a window has, the query's own place among them.
        causal: False opens the window on the other side too.
        first_query: the place of the first query; step by step, the number of keys before it.

    Returns:
        A mask_mod.

    Raises:
        ValueError: width is below 1, or first_query below 0.
        TypeError: a number is not an int.

    Source:
        Beltagy, Peters, Cohan (2020), Longformer: The Long-Document Transformer, section 3.1.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> mask_mod = flex.window(2)
        >>> [mask_mod(*torch.tensor([0, 0, 5, k])).item() for k in (3, 4, 5, 6)]
        [False, True, True, False]
    """
    width = check_positive_int("width", width)
    first = check_size("first_query", first_query, least=0)
    if causal:
        return lambda b, h, q, k: (q + first - k < width) & (q + first >= k)
    return lambda b, h, q, k: (q + first - k).abs() < width


def chunks(size: int, *, first_query: int = 0) -> MaskMod:
    """See the keys of the query's own chunk: `attn_lib.chunk_mask`.

    Args:
        size: how many places make a chunk.
        first_query: the place of the first query; step by step, the number of keys before it.

    Returns:
        A mask_mod.

    Raises:
        ValueError: size is below 1, or first_query below 0.
        TypeError: a number is not an int.

    Source:
        Child, Gray, Radford, Sutskever (2019), Generating Long Sequences with Sparse Transformers,
        section 4.3.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> mask_mod = flex.chunks(4)
        >>> [mask_mod(*torch.tensor([0, 0, 5, k])).item() for k in (3, 4, 7, 8)]
        [False, True, True, False]
    """
    size = check_positive_int("size", size)
    first = check_size("first_query", first_query, least=0)
    return lambda b, h, q, k: (q + first) // size == k // size


def documents(lens: Tensor) -> MaskMod:
    """See the keys of the query's own text among several that are packed: `document_mask`.

    Args:
        lens: how long each text is.

    Shape:
        lens (N,), or (B, N) for each sequence of a batch.

    Returns:
        A mask_mod.

    Raises:
        ValueError: lens have another shape, a length is below 0, or rows have different sums.
        TypeError: lens are not whole numbers.

    Source:
        Krell, Kosec, Perez, Fitzgibbon (2021), Efficient Sequence Packing without
        Cross-contamination, section 3.2.

    Example:
        >>> import torch
        >>> from attn_lib import flex
        >>> mask_mod = flex.documents(torch.tensor([2, 3]))
        >>> [mask_mod(*torch.tensor([0, 0, 2, k])).item() for k in (1, 2, 4)]
        [False, True, True]
    """
    check_dense("lens", lens)
    if lens.ndim not in (1, 2):
        raise ValueError(f"lens must have shape (N,) or (B, N). Got {tuple(lens.shape)}.")
    check_whole("lens", lens, least=0, limit=2**62)
    texts = documents_of(lens)  # (..., K)
    num_keys = texts.shape[-1]
    axes = {"K": num_keys} if texts.ndim == 1 else {"B": len(texts), "K": num_keys}
    need = Need("lens", most_queries=num_keys, **axes)
    if texts.ndim == 1:
        return made_for(lambda b, h, q, k: texts[q] == texts[k], need)
    return made_for(lambda b, h, q, k: texts[b, q] == texts[b, k], need)
