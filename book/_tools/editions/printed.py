"""The texts that a cell prints: the only strings of a program that a translation may change.

What a call of `print` says stands in its arguments: a string there, the letters of an f-string, the
strings between which `if`, `or`, `+` choose or which they join. A label is a text as well: a string
that a loop gives to a name which the cell only prints. Expressions, their order and format
specifications, all other keys, names and the arguments of other calls belong to the program, and so
do the numbers in a text.
"""

import ast
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from book._tools.editions.numerals import written_out

# The functions whose strings are words for the reader.
SPEAKERS = {"print"}
# Those of their keyword arguments that are printed.
PRINTED_KEYWORDS = {"sep", "end"}

Numbers = tuple[list[str], list[str]]

NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
# A word, as against the name of a quantity (d, T1), a unit (MiB), NaN, a Greek letter or the name
# of an argument: two small letters, or a letter that English has not.
WORD = re.compile(r"(?<!\w)[A-Za-z]?[a-z]{2,}(?![\w=])|[^\W\d_A-Za-z\u0370-\u03ff]")


@dataclass(frozen=True)
class Call:
    """One call of a speaker, or a label alone, as it stands in the source."""

    start: int  # in bytes of the source
    end: int
    source: str
    program: str  # its syntax tree without its texts
    texts: tuple[tuple[str, ...], ...]  # each text, cut where an f-string has an expression

    @property
    def words(self) -> str:
        """All that it says, with a blank for each expression."""
        return "\n".join(" ".join(pieces) for pieces in self.texts)


def calls(source: str) -> list[Call]:
    """The calls of speakers in a program, in their order; none if it is not Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    data = source.encode()
    starts = [0, *(place + 1 for place, byte in enumerate(data) if byte == ord("\n"))]
    return [_call(data, starts, node) for node in _nodes(tree)]


def silence(tree: ast.AST) -> None:
    """Empty, in place, all texts that a syntax tree prints."""
    for node in _nodes(tree):
        list(_silenced(node))


def passage(source: str) -> str:
    """The calls that say something, a line each: what is translated, and what it is said of."""
    return "\n".join(" ".join(call.source.split()) for call in calls(source) if call.texts)


def has_words(source: str) -> bool:
    """Whether a program prints more than names of quantities and numbers."""
    return any(WORD.search(call.words) for call in calls(source))


def pairs(english: str, own: str) -> Iterator[tuple[int, int]]:
    """Which call of one program is which of another, by number, where that can be told.

    Two calls are one if they differ in their texts only, and if both programs have as many of them.
    """
    programs = [[call.program for call in calls(source)] for source in (english, own)]
    for program in dict.fromkeys(programs[0]):
        places = [[i for i, other in enumerate(each) if other == program] for each in programs]
        if len(places[0]) == len(places[1]):
            yield from zip(*places, strict=True)


def differing_numbers(english: str, own: str, language: str) -> Iterator[Numbers]:
    """What `lost_numbers` finds in each call of a program and its translation."""
    for one, other in zip(calls(english), calls(own), strict=True):
        missing, extra = lost_numbers(one, other, language)
        if missing or extra:
            yield missing, extra


def lost_numbers(english: Call, own: Call, language: str) -> Numbers:
    """The numbers that the English call has and the other has not, and the reverse.

    A number up to twelve may be written out on either side, as in prose.
    """
    here, there = _numbers(own.words), _numbers(english.words)
    spoken, spelled = written_out(own.words, language), written_out(english.words, "en")
    missing, extra = (there - here).elements(), (here - there).elements()
    return sorted(set(missing) - spoken), sorted(set(extra) - spelled)


def exchanged(source: str, new: Mapping[int, str]) -> str:
    """A program with some of its calls, by number, exchanged for others."""
    data = source.encode()
    for number, call in reversed(list(enumerate(calls(source)))):
        if number in new:
            data = data[: call.start] + new[number].encode() + data[call.end :]
    return data.decode()


def dictionary(english: str, own: str) -> dict[str, str] | None:
    """What the letters that one program prints are in the other, which differs in them only.

    None if it cannot be told from a text alone: one piece has two translations, or a blank or
    nothing has become a word.
    """
    found: dict[str, str] = {}
    for one, other in zip(calls(english), calls(own), strict=True):
        for theirs, ours in zip(one.texts, other.texts, strict=True):
            for piece, translation in zip(theirs, ours, strict=True):
                if not piece.strip() and piece != translation:
                    return None
                if found.setdefault(piece, translation) != translation:
                    return None
    return {piece: translation for piece, translation in found.items() if piece.strip()}


def _numbers(text: str) -> Counter[str]:
    plain = unicodedata.normalize("NFKC", text)
    return Counter(match[0].replace(",", ".") for match in NUMBER.finditer(plain))


def _nodes(tree: ast.AST) -> list[ast.Call | ast.Constant]:
    """The calls of speakers, outermost ones only, and the labels, in the order of the source."""
    calls: list[ast.Call] = []
    open_nodes = [tree]
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) in SPEAKERS:
            calls.append(node)
        else:
            open_nodes += ast.iter_child_nodes(node)
    found: list[ast.Call | ast.Constant] = [*calls, *_labels(tree, calls)]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _labels(tree: ast.AST, calls: list[ast.Call]) -> Iterator[ast.Constant]:
    """The strings that loops give, one after the other, to names which are only printed."""
    shown = {id(node) for call in calls for argument in call.args for node in _shown(argument)}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    used = [name for name in names if isinstance(name.ctx, ast.Load)]
    kept = {name.id for name in used if id(name) not in shown}
    uses = Counter(name.id for name in used)
    sets = Counter(name.id for name in names if isinstance(name.ctx, ast.Store))
    lists = {
        node.targets[0].id: node.value  # a display that the cell names in order to loop over it
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if sets[node.targets[0].id] == uses[node.targets[0].id] == 1
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.For):
            for name, text in _given(node.target, node.iter, lists):
                if name not in kept and uses[name]:
                    yield text


def _shown(argument: ast.expr) -> list[ast.expr]:
    """An argument of a speaker, and what it shows if it is an f-string."""
    slots = argument.values if isinstance(argument, ast.JoinedStr) else []
    return [argument, *(slot.value for slot in slots if isinstance(slot, ast.FormattedValue))]


def _given(
    target: ast.expr, source: ast.expr, lists: Mapping[str, ast.expr]
) -> Iterator[tuple[str, ast.Constant]]:
    """The names of a loop with each string that they are set to, where the source shows it."""
    match target, source:
        case _, ast.Name(id=name) if name in lists:
            yield from _given(target, lists[name], {})
        case _, ast.Tuple(elts=given) | ast.List(elts=given):
            for one in given:
                yield from _set(target, one)
        case ast.Tuple(elts=[key, value]), ast.Call(func=ast.Attribute(value=table, attr="items")):
            table = lists.get(table.id, table) if isinstance(table, ast.Name) else table
            if isinstance(table, ast.Dict):
                yield from _given(key, ast.List([one for one in table.keys if one]), {})
                yield from _given(value, ast.List(table.values), {})
        case ast.Tuple(elts=targets), ast.Call(func=ast.Name(id="zip"), args=sources):
            for one, other in zip(targets, sources, strict=False):
                yield from _given(one, other, lists)


def _set(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.Constant]]:
    match target, value:
        case ast.Name(id=name), ast.Constant(value=str(text)) if text:
            yield name, value
        case ast.Tuple(elts=names), ast.Tuple(elts=values):
            for one, other in zip(names, values, strict=False):
                yield from _set(one, other)


def _call(data: bytes, starts: list[int], node: ast.Call | ast.Constant) -> Call:
    """A call or a label in a program, of whose lines it is known where they start."""
    start = starts[node.lineno - 1] + node.col_offset
    end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
    texts = tuple(_silenced(node))
    return Call(start, end, data[start:end].decode(), ast.dump(node), texts)


def _silenced(call: ast.Call | ast.Constant) -> Iterator[tuple[str, ...]]:
    """The texts of a call or a label, which are taken out of it."""
    if isinstance(call, ast.Constant):
        yield from _taken(call)
        return
    for argument in call.args:
        yield from _taken(argument)
    for word in call.keywords:
        if word.arg in PRINTED_KEYWORDS:
            yield from _taken(word.value)


def _taken(node: ast.expr) -> Iterator[tuple[str, ...]]:
    """The texts that an expression shows when it is printed. Only what is shown as it stands."""
    match node:
        case ast.Constant(value=str(text)) if text:  # an empty text stays one
            node.value = "text"
            yield (text,)
        case ast.JoinedStr(values=values):
            slots = [value for value in values if isinstance(value, ast.FormattedValue)]
            pieces = [""]
            for value in values:
                if isinstance(value, ast.Constant):
                    pieces[-1] += str(value.value)
                else:
                    pieces.append("")
            node.values = list(slots)
            yield tuple(pieces)
            for slot in slots:
                yield from _taken(slot.value)
        case ast.IfExp(body=one, orelse=other):
            yield from _taken(one)
            yield from _taken(other)
        case ast.BinOp(left=one, op=ast.Add() | ast.Mult(), right=other):
            yield from _taken(one)
            yield from _taken(other)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _taken(value)
        case ast.Starred(value=value) | ast.GeneratorExp(elt=value) | ast.ListComp(elt=value):
            yield from _taken(value)
