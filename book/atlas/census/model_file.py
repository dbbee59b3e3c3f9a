"""The causal text attention in a model file of transformers, found in its syntax tree.

A file counts if a class in it embeds a vocabulary and holds an attention that lets no token see
a later one and keeps earlier keys in a cache. Comments, docstrings and types are no part of the
tree that is read, and neither are classes that this attention's model does not make: vision and
audio towers, or functions that were copied along and are never called.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cached_property

Code = list[ast.FunctionDef]

# Functions that make a mask; a variable of such a name says nothing.
MASKS = re.compile(r"(create|make|prepare|update)_\w*causal\w*mask|create_masks_for_generate")
CACHE = re.compile("cache|past|state|mem")


@dataclass(frozen=True)
class Attention:
    """One class of attention: its methods, and the functions and classes it is made of."""

    name: str
    own: Code  # its methods, and the functions that they call
    helpers: dict[str, Code]  # the classes that it makes

    @property
    def code(self) -> Code:
        """All of it but what only chooses keys."""
        chosen = [code for code in self.helpers.values() if not chooses(code)]
        return [*self.own, *(function for code in chosen for function in code)]


@dataclass(frozen=True)
class TextLayers:
    """The causal layers over tokens: their attentions, and the model around these."""

    attentions: list[Attention]
    around: Code
    classes: set[str]  # names of all classes that the model makes
    tables: dict[str, Code]  # those of them that are a table of vectors
    options: set[str]  # names in the configuration


class ModelFile:
    """The classes, functions and tables of a file."""

    def __init__(self, text: str, configuration: str = "") -> None:
        body = _Bare().visit(ast.parse(text)).body
        self.options = names([_Bare().visit(ast.parse(configuration))])
        self.functions = {
            node.name: node for node in _everywhere(body) if isinstance(node, ast.FunctionDef)
        }
        self.tables = {
            target.id: node.value
            for node in body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        classes = [node for node in body if isinstance(node, ast.ClassDef)]
        self.bases = {node.name: {ast.unparse(base) for base in node.bases} for node in classes}
        self.methods: dict[str, Code] = {}  # of each class, inherited ones included
        for node in classes:
            self.methods[node.name] = self._with_inherited(node)
        self.makes = {name: self._named(_making(code)) for name, code in self.methods.items()}
        self.attentions = set(filter(self._is_attention, self.methods))
        self.embeddings = set(filter(self._embeds_vocabulary, self.methods))
        self.tables_of_vectors = {
            name for name, bases in self.bases.items() if "nn.Embedding" in bases
        }
        # Models in the model that keep no keys: towers for images or sound, and encoders.
        self.towers = {
            name
            for name, bases in self.bases.items()
            if any(base.endswith("PreTrainedModel") for base in bases)
            and not self._made_of(name) & self.attentions
        }

    @cached_property
    def text_layers(self) -> TextLayers | None:
        """The causal text layers, or None where the file has none."""
        found = {name for name in self.methods if self._is_text_model(name)}
        # Of a model and what wraps it only the model: the wrapper makes a vision tower as well.
        models = {one for one in found if not found & (self._made_of(one) - {one})}
        if not models:
            return None
        classes = {name for model in models for name in self._made_of(model, self.towers)}
        attentions = sorted(classes & self.attentions)
        parts = {part for name in attentions for part in self._made_of(name)}
        return TextLayers(
            [self._attention(name) for name in attentions],
            self._code(sorted(classes - parts)),
            classes,
            {name: self.methods[name] for name in classes & self.tables_of_vectors},
            self.options,
        )

    def _is_text_model(self, name: str) -> bool:
        made = self._made_of(name)
        if not (made & self.attentions and made & self.embeddings):
            return False
        causal = any(map(_says_causal, self._code(made & self.attentions)))
        return causal or any(map(_hides_later, self._code(made)))

    def _is_attention(self, name: str) -> bool:
        """Whether a class keeps keys and values; what attends to another sequence is left out."""
        return "Cross" not in name and any(map(_keeps_keys, self.methods[name]))

    def _embeds_vocabulary(self, name: str) -> bool:
        return any(
            callee(call).endswith(("Embedding", "Embeddings"))
            and any("vocab" in one for one in names(meant([call], method)))
            for method in _making(self.methods[name])
            for call in calls([method])
        )

    def _attention(self, name: str) -> Attention:
        helpers = {one: self._code([one]) for one in sorted(self._made_of(name) - {name})}
        return Attention(name, self._code([name]), helpers)

    def _code(self, classes: Iterable[str]) -> Code:
        """The methods of some classes and the functions that they call."""
        methods = [method for name in classes for method in self.methods[name]]
        found: set[str] = set()
        new = self.functions.keys() & _loaded(methods)
        while new:
            found |= new
            new = self.functions.keys() & _loaded(self.functions[one] for one in new)
            new -= found
        return [*methods, *(self.functions[name] for name in sorted(found))]

    def _made_of(self, name: str, without: Set[str] = frozenset()) -> set[str]:
        """A class and all classes that its instances are made of."""
        made: set[str] = set()
        new = {name}
        while new:
            made |= new
            new = {part for one in new for part in self.makes[one]} - made - without
        return made

    def _named(self, code: Code) -> set[str]:
        """The classes that code names, or that stand in a table which it names."""
        said = _loaded(code)
        said |= _loaded(self.tables[one] for one in said & self.tables.keys())
        return said & self.methods.keys()

    def _with_inherited(self, node: ast.ClassDef) -> Code:
        own = [one for one in node.body if isinstance(one, ast.FunctionDef)]
        overridden = {method.name for method in own if method.name != "__init__"}
        inherited = [
            method
            for base in node.bases
            if isinstance(base, ast.Name) and not base.id.endswith("PreTrainedModel")
            for method in self.methods.get(base.id, [])
            if method.name not in overridden
        ]
        return [*inherited, *(method for method in own if method.name != "_init_weights")]


class _Bare(ast.NodeTransformer):
    """Takes out types and decorators, whose names do nothing to a score."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.decorator_list, node.returns = [], None
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.Assign:
        value = node.value or ast.Constant(None)
        return ast.copy_location(ast.Assign([node.target], value), node)


def walk(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes below some."""
    for node in nodes:
        yield from ast.walk(node)


def names(nodes: Iterable[ast.AST]) -> set[str]:
    """All names in code: variables, attributes, keywords."""
    said = set()
    for node in walk(nodes):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                said.add(name)
    return said


def calls(nodes: Iterable[ast.AST]) -> Iterator[ast.Call]:
    """All calls in code."""
    return (node for node in walk(nodes) if isinstance(node, ast.Call))


def callee(call: ast.Call) -> str:
    """The last name of what is called: softmax, of nn.functional.softmax."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def called(nodes: Iterable[ast.AST]) -> set[str]:
    """The names of all that code calls."""
    return {callee(call) for call in calls(nodes)}


def attributes(nodes: Iterable[ast.AST]) -> set[str]:
    """The names of all that code reads from an object or puts there."""
    return {node.attr for node in walk(nodes) if isinstance(node, ast.Attribute)}


def meant(nodes: Iterable[ast.AST], method: ast.FunctionDef) -> list[ast.AST]:
    """Expressions, and what the method has put into the variables that they name."""
    found = list(nodes)
    said = {ast.unparse(node) for node in walk(found) if isinstance(node, ast.Name | ast.Attribute)}
    for node in ast.walk(method):
        if isinstance(node, ast.Assign) and any(ast.unparse(one) in said for one in node.targets):
            found.append(node.value)
    return found


def chooses(code: Code) -> bool:
    """Whether code picks the best of the keys that a cache keeps; a router picks experts."""
    return "topk" in called(code) and "cache" in names(code)


def _making(methods: Code) -> Code:
    """Of the methods of a class those that make its parts: __init__ and what it calls."""
    inits = [method for method in methods if method.name == "__init__"]
    said = called(inits)
    return [*inits, *(method for method in methods if method.name in said - {"__init__"})]


def _loaded(nodes: Iterable[ast.AST]) -> set[str]:
    return {
        node.id
        for node in walk(nodes)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _everywhere(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a file, also those behind an `if` or `try`."""
    for node in body:
        yield node
        yield from _everywhere(
            getattr(node, "body", []) if isinstance(node, ast.If | ast.Try) else []
        )


def _keeps_keys(method: ast.FunctionDef) -> bool:
    """Whether a method hands keys and values to a cache."""
    return any(
        callee(call) == "update" and len(call.args) >= 2 and CACHE.search(ast.unparse(call.func))
        for call in calls([method])
    )


def _hides_later(function: ast.FunctionDef) -> bool:
    """Whether a function asks for a causal mask, or compares places to make one."""
    said = _loaded([function]) | called([function])
    if any(map(MASKS.search, said)) or said & {"tril", "triu"}:
        return True
    return any(
        isinstance(node, ast.Compare)
        and all("arange" in called([side]) for side in (node.left, node.comparators[0]))
        for node in ast.walk(function)
    )


def _says_causal(function: ast.FunctionDef) -> bool:
    """Whether a function sets `is_causal = True`."""
    return any(
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and node.value.value is True
        and any(ast.unparse(one) == "self.is_causal" for one in node.targets)
        for node in ast.walk(function)
    )
