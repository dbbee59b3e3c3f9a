"""One script and one style sheet for a widget, which has no address to load more from.

Our modules are wrapped, each in a function that returns what it exports, and joined in the order
of their imports. So a widget asks a strict content policy for nothing but its own script.
"""

import re
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

_LIBRARY = files("attn_lib")
_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function |const |class )", re.MULTILINE)
_NAME = re.compile(r"^export (?:async )?(?:function|const|class) (\w+)", re.MULTILINE)


@cache
def script(figure: str) -> str:
    """Return the whole script of a figure's widget: `jupyter.js` and what draws the figure."""
    modules: dict[str, str] = {}
    host = _add("frontend/jupyter.js", modules)
    drawing = _add(f"figures/{figure}/drawing.js", modules) if has_drawing(figure) else "{}"
    return "\n".join([*modules.values(), f"export default {host}.widget({drawing}.mount);", ""])


@cache
def stylesheet() -> str:
    """Return the style sheet that figures share and what each has of its own."""
    figures = sorted(_LIBRARY.joinpath("figures").iterdir(), key=lambda folder: folder.name)
    own = [folder.joinpath("style.css") for folder in figures]
    sheets = [_LIBRARY.joinpath("frontend/explorer.css"), *(s for s in own if s.is_file())]
    return "".join(sheet.read_text(encoding="utf-8") for sheet in sheets)


def has_drawing(figure: str) -> bool:
    """Say whether a figure's folder has a `drawing.js`: something to draw or to grab."""
    return _LIBRARY.joinpath(f"figures/{figure}/drawing.js").is_file()


def _add(path: str, modules: dict[str, str]) -> str:
    """Add a module and, before it, all that it imports; return the name it has in the bundle."""
    name = "module_" + re.sub(r"\W", "_", path.removesuffix(".js"))
    if path in modules:
        return name
    source = _LIBRARY.joinpath(path).read_text(encoding="utf-8")

    def take(match: re.Match[str]) -> str:
        names, imported = match[1].replace(" as ", ": "), _resolve(path, match[2])
        return f"const {{{names}}} = {_add(imported, modules)};"

    body = _EXPORT.sub("", _IMPORT.sub(take, source))
    exports = ", ".join(_NAME.findall(source))
    modules[path] = f"const {name} = (() => {{\n{body}\nreturn {{ {exports} }};\n}})();"
    return name


def _resolve(path: str, imported: str) -> str:
    parts: list[str] = list(PurePosixPath(path).parent.parts)
    for part in imported.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
