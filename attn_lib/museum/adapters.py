"""One call for attention of any library: queries, keys, values and which keys may be seen."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import torch
from torch import Tensor, nn

#: What calls an attention: from (B, Q, D), (B, K, D), (B, K, V) and (B, K) to (B, Q, any).
Attend = Callable[[Any, Tensor, Tensor, Tensor, Tensor], Any]


@dataclass(frozen=True)
class Call:
    """One order of arguments that libraries use.

    Args:
        attend: calls the attention in this order.
        named: parameters that tell the order; a signature that has them all is called so.
        says: the order, for the help text.
        apart: keys and values can be given apart from each other.
        lengths: only the first keys can be seen, so a mask must begin with them.
    """

    attend: Attend
    named: tuple[str, ...]
    says: str
    apart: bool = True
    lengths: bool = False


def _plain(attention: Any, q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Any:
    return attention(q, k, v, visible)


def _lengths(attention: Any, q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Any:
    return attention(q, k, v, visible.sum(1))


def _fused(attention: Any, q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Any:
    one_head = (tensor.unsqueeze(1) for tensor in (q, k, v))
    return attention(*one_head, attn_mask=visible[:, None, None]).squeeze(1)


def _torch(attention: Any, q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Any:
    if not getattr(attention, "batch_first", True):
        q, k, v = (tensor.transpose(0, 1) for tensor in (q, k, v))
    output = attention(q, k, v, key_padding_mask=~visible)[0]
    return output if getattr(attention, "batch_first", True) else output.transpose(0, 1)


def _mask(attention: Any, q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Any:
    return attention(q, k, v, visible[:, None])


def _context(attention: Any, q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Any:
    return attention(q, k, context_mask=visible)


def _keras(attention: Any, q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Any:
    return attention(q, v, key=k, attention_mask=visible[:, None].expand(-1, q.shape[1], -1))


def _hidden_states(attention: Any, q: Tensor, k: Tensor, v: Tensor, visible: Tensor) -> Any:
    # Self-attention: the queries follow the keys, as tokens that nobody may see.
    tokens = torch.cat([k, q], 1)
    seen = torch.cat([visible, visible.new_zeros(q.shape[:2])], 1)
    bias = torch.zeros(seen.shape, dtype=q.dtype).masked_fill(~seen, torch.finfo(q.dtype).min)
    return _first(attention(tokens, attention_mask=bias[:, None, None]))[:, k.shape[1] :]


#: The orders of arguments, by the name that ``--attn-museum-call`` has for them.
CALLS: dict[str, Call] = {
    "torch": Call(_torch, ("key_padding_mask",), "nn.MultiheadAttention"),
    "fused": Call(_fused, ("attn_mask",), "f(query, key, value, attn_mask), (B, H, N, D)"),
    "lengths": Call(
        _lengths, ("valid_lens",), "f(queries, keys, values, valid_lens), as in D2L", lengths=True
    ),
    "context": Call(
        _context,
        ("context_mask",),
        "f(x, context, context_mask), as in x-transformers",
        apart=False,
    ),
    "hidden_states": Call(
        _hidden_states,
        ("hidden_states", "attention_mask"),
        "f(hidden_states, attention_mask), as in Transformers",
        apart=False,
    ),
    "keras": Call(_keras, ("value", "attention_mask"), "layer(query, value, key, attention_mask)"),
    "mask": Call(_mask, ("mask",), "f(query, key, value, mask), mask (B, 1, K), True may be seen"),
    "plain": Call(_plain, ("visible",), "f(queries, keys, values, visible), visible (B, K)"),
}


@dataclass(frozen=True)
class Subject:
    """An attention under examination.

    Args:
        attention: the object or function itself.
        call: how it is called.
        size: the number of features of its inputs, D.
        places: its scores depend on where queries and keys stand.

    Shape:
        `attend` takes queries (B, Q, D), keys (B, K, D), values (B, K, D) and visible (B, K), and
        returns (B, Q, any).

    Example:
        >>> import torch
        >>> from torch.nn.functional import scaled_dot_product_attention
        >>> from attn_lib.examine import CALLS, Subject
        >>> fused = Subject(scaled_dot_product_attention, CALLS["fused"], 2)
        >>> keys = torch.eye(2)[None]
        >>> fused.attend(keys[:, :1], keys, keys, torch.tensor([[True, False]]))
        tensor([[[1., 0.]]])
    """

    attention: Any
    call: Call
    size: int
    places: bool = False

    def attend(self, queries: Tensor, keys: Tensor, values: Tensor, visible: Tensor) -> Tensor:
        """Call the attention and return its outputs."""
        return _first(self.call.attend(self.attention, queries, keys, values, visible))

    @property
    def parameterless(self) -> bool:
        """Say whether it has no parameters, so that its outputs are known beforehand."""
        if isinstance(self.attention, nn.Module):
            return not any(True for _ in self.attention.parameters())
        return inspect.isroutine(self.attention)


def subject(named: str, call: str | None = None, size: int = 8, *, places: bool = False) -> Subject:
    """Import an attention and find out how it is called.

    Args:
        named: ``module:name``, or ``module:name(arguments)`` with numbers, texts and truth values
            as arguments. A class is made, without arguments if none are given.
        call: one of `CALLS`; None: told from the names of the parameters.
        size: the number of features of its inputs, D.
        places: its scores depend on where queries and keys stand.

    Raises:
        ValueError: the text is of another form, or the parameters do not tell the call.
        ImportError: there is no such module.
        AttributeError: the module has no such name.
        TypeError: a class needs other arguments.

    Example:
        >>> from attn_lib.examine import subject
        >>> subject("torch.nn:MultiheadAttention(8, 2, batch_first=True)").call.says
        'nn.MultiheadAttention'
    """
    module, colon, expression = named.partition(":")
    if not (module and colon and expression):
        raise ValueError(f"--attn-museum must have the form module:name. Got {named!r}.")
    attention = _made(import_module(module), expression, named)
    if isinstance(attention, nn.Module):
        attention = attention.eval()
    if call is not None and call not in CALLS:
        raise ValueError(f"--attn-museum-call must be one of {', '.join(CALLS)}. Got {call!r}.")
    return Subject(attention, CALLS[call] if call else _told(attention, named), size, places)


def _made(module: Any, expression: str, named: str) -> Any:
    """Return the object that `name` or `name(arguments)` is in a module; nothing is evaluated."""
    problem = ValueError(
        "--attn-museum must be module:name or module:name(arguments), with numbers, texts and "
        f"truth values as arguments. Got {named!r}."
    )
    try:
        tree = ast.parse(expression, mode="eval").body
        call = tree if isinstance(tree, ast.Call) else None
        given = [ast.literal_eval(argument) for argument in call.args] if call else []
        options = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords} if call else {}
    except (SyntaxError, ValueError) as error:
        raise problem from error
    found: Any = module
    for name in ast.unparse(call.func if call else tree).split("."):
        found = getattr(found, name)
    if not call and not inspect.isclass(found):
        return found
    try:
        inspect.signature(found).bind(*given, **options)
    except TypeError as error:
        raise TypeError(
            f"{named} cannot be made: {error}. Arguments may follow its name, as in "
            "torch.nn:MultiheadAttention(8, 2, batch_first=True)."
        ) from error
    except ValueError:  # a class of C has no signature
        pass
    return found(*given, **options)


def _told(attention: Any, named: str) -> Call:
    """Tell the order of arguments from the names of the parameters."""
    called = getattr(attention, "forward", None) or getattr(attention, "call", None) or attention
    try:
        names = set(inspect.signature(called).parameters)
    except ValueError:  # a function of C has none; torch's fused one is the best known
        names = {"attn_mask"} if "attn_mask" in (called.__doc__ or "") else set()
    for call in CALLS.values():
        if names.issuperset(call.named):
            return call
    orders = "; ".join(f"{name}: {call.says}" for name, call in CALLS.items())
    raise ValueError(
        f"How {named} is called cannot be told from its parameters. Name the order by "
        f"--attn-museum-call, one of {orders}. Or wrap it in a function that has the last one."
    )


def _first(output: Any) -> Tensor:
    """Return the outputs, where weights or a cache come with them."""
    first = output[0] if isinstance(output, tuple | list) else output
    if not isinstance(first, Tensor):
        raise TypeError(f"An attention must return a tensor first. Got {type(first).__name__}.")
    return first
