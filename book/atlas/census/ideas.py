"""The ideas of the census, and how each shows in the syntax tree of causal text layers.

A rule says that the idea is in the layers, as code or as an option. It says neither that a known
checkpoint switches it on nor what lies in other files.
"""

import ast
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from book.atlas.census.model_file import (
    Attention,
    Code,
    TextLayers,
    attributes,
    called,
    callee,
    calls,
    chooses,
    meant,
    names,
    walk,
)

TURNS = re.compile("rotary|rope|rotate_every|rotate_half", re.IGNORECASE)
TABLE = re.compile("max_position|max_target_pos|n_positions|num_positions|n_ctx|max_seq|block_size")
KEY_HEADS = re.compile(r"num_(key_value|kv)_(heads|groups)|kv_n?_?heads|n_kv_head|multi_query")
WINDOW = re.compile("sliding_window|window_size")
# What a model hands to the layers that turn, and by what it withholds it from some.
GIVEN = re.compile("position_embeddings|rotary_emb")
WITHHELD = re.compile("position_embeddings|rotary_emb|use_rope")
# Queries and keys as attention names them, and the layers that make them.
QUERY_OR_KEY = re.compile(r"(q|k|query|key)((_|$)(states?|layer|proj)?|s?)$")
OUTPUT = re.compile(r"attn|attention|context|^out(put)?s?$")
SQUASHES = {"sigmoid", "silu", "softplus"}
SINK = re.compile(r"^(\w+_)?sinks?(_proj|_bias|_logits?|_weights?)?$|^s_aux$")
LEARNED_BIAS = re.compile(r"relative_(attention|position)_bias|rel_(logits|bias|pos_bias)")
DELTA = re.compile(r"delta_?(rule|net|attention)|lightning|linear_?attention", re.IGNORECASE)


class Idea(NamedTuple):
    """One line of the census."""

    name: str
    sign: str  # in the picture: what the field calls it in every language
    words: str  # in the table
    row: str
    stands_in: Callable[[TextLayers], bool]


def _has_table(layers: TextLayers) -> bool:
    """A learned table of places."""
    named = any(
        "Position" in name and "sin" not in called(code) for name, code in layers.tables.items()
    )
    return named or any(
        callee(call) == "Embedding" and any(map(TABLE.search, names(meant([call], method))))
        for method in layers.around
        for call in calls([method])
    )


def _has_alibi(layers: TextLayers) -> bool:
    return any("alibi" in name for name in called(_all(layers)))


def _subtracts(layers: TextLayers) -> bool:
    """A second softmax, times a learned λ, from the first."""
    return any({"lambda_q1", "lambda_k1"} <= names(one.own) for one in layers.attentions)


def _caps_scores(layers: TextLayers) -> bool:
    """A cap that the attention hands on; a function that would take one does not count."""
    return any(
        word.arg is not None
        and re.search("softcap|logit_cap", word.arg)
        and not isinstance(word.value, ast.Constant)
        for one in layers.attentions
        for call in calls(one.own)
        for word in call.keywords
    )


def _turns(layers: TextLayers) -> bool:
    """Queries and keys turned by their places."""
    return any(map(_rotary, layers.attentions))


def _has_key_heads(layers: TextLayers) -> bool:
    """A number of heads for the keys alone; where MLA makes them, each head has its own."""
    return any(
        any(map(KEY_HEADS.search, said)) and not _latent(one)
        for one in layers.attentions
        if (said := names(one.own))
    )


def _slides(layers: TextLayers) -> bool:
    """A window that moves with the query: in a mask, or handed to the attention."""
    if not any("window" in option for option in layers.options):
        return False
    masks = any("sliding_window" in name for name in names(layers.around))
    return masks or any(any(map(WINDOW.search, names(one.own))) for one in layers.attentions)


def _norms(layers: TextLayers) -> bool:
    """A norm of queries and keys."""
    return any(
        bool(QUERY_OR_KEY.match(_subject(call))) and _is_norm(call, one.code)
        for one in layers.attentions
        for call in calls(one.code)
    )


def _gates(layers: TextLayers) -> bool:
    """The output of an attention times a gate."""
    return any(
        _is_product_with_gate(node, function)
        for one in layers.attentions
        for function in one.code
        for node in ast.walk(function)
    )


def _is_latent(layers: TextLayers) -> bool:
    return any(map(_latent, layers.attentions))


def _lacks_places(layers: TextLayers) -> bool:
    """A layer in which nothing says where a key is: no kind of place, or a rotation left out."""
    if _has_table(layers) or _has_alibi(layers) or _has_bias(layers):
        return False
    if not _turns(layers):
        return "sin" not in called(layers.around)
    return any(_may_not_turn(one, layers.around) for one in layers.attentions)


def _has_sink(layers: TextLayers) -> bool:
    """A score without a key, learned or made from the query."""
    return any(any(map(SINK.match, names(one.own))) for one in layers.attentions)


def _has_indexer(layers: TextLayers) -> bool:
    """A part of the attention that scores keys by itself and chooses the best."""
    return any(any(map(chooses, one.helpers.values())) for one in layers.attentions)


def _scales_by_length(layers: TextLayers) -> bool:
    """The logarithm of a place or length beside the scores; buckets of distances apart."""
    code = [function for one in layers.attentions for function in one.code]
    code += [function for function in layers.around if not function.name.startswith("_")]
    return any(
        isinstance(call.func, ast.Attribute)
        and callee(call) in {"log", "log1p"}
        and ast.unparse(call.func.value) not in {"math", "np"}
        and any(re.search("pos|len|effective_n", name) for name in names(meant([call], function)))
        for function in code
        if "bucket" not in function.name
        for call in calls([function])
    )


def _is_linear(layers: TextLayers) -> bool:
    """A layer with linear attention or a delta rule; Mamba apart."""
    said = layers.classes | called(layers.around)
    return any(map(DELTA.search, said))


def _has_bias(layers: TextLayers) -> bool:
    """A learned bias for each distance."""
    return any(map(LEARNED_BIAS.search, attributes(_all(layers))))


IDEAS = (
    Idea("learned_abs", "x + p", "learned table of places", "absolute", _has_table),
    Idea("alibi", "ALiBi", "ALiBi", "alibi", _has_alibi),
    Idea("diff", "DIFF", "differential", "differential", _subtracts),
    Idea("attn_softcap", "softcap", "soft cap on the scores", "softcap", _caps_scores),
    Idea("rope", "RoPE", "RoPE", "rope", _turns),
    Idea("gqa", "GQA", "the field num_key_value_heads (GQA, MQA)", "gqa", _has_key_heads),
    Idea("sliding", "SWA", "sliding window", "window", _slides),
    Idea("qknorm", "QK-norm", "QK-norm", "qknorm_gain", _norms),
    Idea("outgate", "gate", "output gate", "gate", _gates),
    Idea("mla", "MLA", "latent keys and values (MLA)", "mla", _is_latent),
    Idea("nope", "NoPE", "layers without places (NoPE)", "nope", _lacks_places),
    Idea("sinks", "sink", "learned sink", "learned-sink", _has_sink),
    Idea("topk_index", "indexer", "indexer: a second, cheap score", "indexer", _has_indexer),
    Idea("temp_by_len", "log n", "temperature by length or place", "logn", _scales_by_length),
    Idea("linear", "delta rule", "linear and delta-rule layers", "delta", _is_linear),
    Idea("t5bias", "T5", "learned relative bias (T5’s kind)", "t5", _has_bias),
)


def found(layers: TextLayers) -> list[str]:
    """The names of the ideas that stand in some layers."""
    return [idea.name for idea in IDEAS if idea.stands_in(layers)]


def _all(layers: TextLayers) -> Code:
    return [*layers.around, *(function for one in layers.attentions for function in one.code)]


def _latent(attention: Attention) -> bool:
    return "kv_lora_rank" in names(attention.own)


def _rotary(attention: Attention) -> bool:
    return any(map(TURNS.search, called(attention.code)))


def _subject(call: ast.Call) -> str:
    """What a call works on: q_proj in norm(self.q_proj(x).view(shape))."""
    node: ast.AST | None = call.args[0] if call.args else None
    while node is not None:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                return name
            case ast.Call(func=ast.Attribute(value=inner)) | ast.Subscript(value=inner):
                node = inner
            case ast.Name(id=name) | ast.Attribute(attr=name):
                return name
            case _:
                return ""
    return ""


def _is_norm(call: ast.Call, code: Code) -> bool:
    """Whether a call is of a norm: a function of such a name, or a part made by such a class."""
    if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "self":
        made = {
            callee(one)
            for node in walk(code)
            if isinstance(node, ast.Assign)
            and any(ast.unparse(target) == f"self.{call.func.attr}" for target in node.targets)
            for one in calls([node.value])
        }
        return any(re.search("norm", name, re.IGNORECASE) for name in made)
    return bool(re.search("norm(alize)?$", callee(call)))


def _is_product_with_gate(node: ast.AST, function: ast.FunctionDef) -> bool:
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            sides = [left, right]
        case ast.AugAssign(target=left, op=ast.Mult(), value=right):
            sides = [left, right]
        case _:
            return False
    return any(
        any(map(OUTPUT.search, names([output])))
        and SQUASHES & called(made := meant([gate], function))
        and not any(map(SINK.match, names(made)))  # a sink, taken off afterwards
        for gate, output in (sides, sides[::-1])
    )


def _may_not_turn(attention: Attention, around: Code) -> bool:
    """Whether an attention has a way past its rotation that its model takes."""
    conditions = [
        test
        for method in attention.own
        if method.name == "forward"
        for test in _ways_past(method.body)
    ]
    for test in conditions:
        said = ast.unparse(test)
        if "cross" in said or "alibi" in said:
            continue
        if not GIVEN.search(said) or _withholds(around):
            return True
    return False


def _ways_past(body: list[ast.stmt]) -> list[ast.expr]:
    """The conditions on which statements do without a rotation that others have; [] if none."""
    if any(map(_always_turns, body)):
        return []
    return [
        test
        for node in body
        if isinstance(node, ast.If) and any(map(TURNS.search, called([node])))
        for test in [node.test]
    ]


def _always_turns(node: ast.stmt) -> bool:
    if isinstance(node, ast.If):
        return any(map(_always_turns, node.body)) and any(map(_always_turns, node.orelse))
    return any(map(TURNS.search, called([node])))


def _withholds(code: Code) -> bool:
    """Whether a model gives some layers no rotation."""
    return any(
        isinstance(one, ast.Constant) and one.value in (None, False)
        for target, value in _settings(code)
        if WITHHELD.search(target)
        for one in _branches(value)
    )


def _branches(value: ast.expr) -> Iterable[ast.expr]:
    """What a value may be."""
    match value:
        case ast.IfExp(body=one, orelse=other):
            return [*_branches(one), *_branches(other)]
        case ast.DictComp(value=one):
            return _branches(one)
    return [value]


def _settings(code: Code) -> Iterable[tuple[str, ast.expr]]:
    """What is put under a name: by an assignment or a keyword."""
    for node in walk(code):
        if isinstance(node, ast.Assign):
            yield from ((ast.unparse(target), node.value) for target in node.targets)
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg, node.value
