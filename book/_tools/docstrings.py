"""`make lint`: the docstrings of attn_lib are valid reStructuredText, as the reference needs them.

The pages api-* are made from docstrings. What docutils warns of there would fail `make book`,
minutes later; this reads the source alone, in seconds.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml
from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import roles
from docutils.utils import Reporter
from sphinx.ext.napoleon import Config
from sphinx.ext.napoleon.docstring import GoogleDocstring

ROOT = Path(__file__).resolve().parents[2]
# What Sphinx adds to docutils; where such a role leads, only a build can tell.
SPHINX_ROLES = ("attr", "class", "data", "doc", "exc", "func", "meth", "mod", "ref")
Documented = ast.Module | ast.ClassDef | ast.FunctionDef


def main() -> int:
    """Print what is wrong, one message a line; 1 if anything is."""
    for role in SPHINX_ROLES:
        roles.register_generic_role(role, nodes.literal)
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    config = Config(
        **{
            name: value
            for name, value in settings["sphinx"]["config"].items()
            if name.startswith("napoleon_")
        }
    )
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}: {message}"
        for path in sorted((ROOT / "attn_lib").rglob("*.py"))
        for name, line, text in public_docstrings(path)
        for message in messages(text, config)
    ]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


def public_docstrings(path: Path) -> Iterator[tuple[str, int, str]]:
    """(Name, line, docstring) of a module and of what is public in it."""
    if not path.stem.startswith("_") or path.stem == "__init__":
        module = ast.parse(path.read_text(encoding="utf-8"))
        yield from _docstrings(module, path.stem)


def _docstrings(node: Documented, name: str) -> Iterator[tuple[str, int, str]]:
    text = ast.get_docstring(node)
    if text:
        yield name, node.body[0].lineno, text
    for part in node.body:
        if isinstance(part, ast.ClassDef | ast.FunctionDef) and not part.name.startswith("_"):
            yield from _docstrings(part, part.name)


def messages(docstring: str, config: Config) -> list[str]:
    """What docutils warns of in a docstring in Google's style."""
    text = str(GoogleDocstring(docstring, config))  # type: ignore[arg-type]  # as it documents
    silent = Reporter.SEVERE_LEVEL + 1
    settings = {"report_level": silent, "halt_level": silent}
    tree = publish_doctree(text, settings_overrides=settings)
    noted = [*tree.findall(nodes.system_message), *tree.transform_messages]
    warnings = [note for note in noted if note["level"] >= Reporter.WARNING_LEVEL]
    return list(dict.fromkeys(nodes.Element.astext(note).splitlines()[0] for note in warnings))


if __name__ == "__main__":
    sys.exit(main())
