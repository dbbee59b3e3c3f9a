"""Our modules as classic scripts, and the style sheets.

Each module is wrapped in a function that returns what it exports, and they are joined in the order
of their imports. A widget gets all it needs in one script, because it has no address to load more
from. A page gets what figures share, which stays in the reader's cache, and each figure's own part
when the figure is there; classic scripts, because a browser loads no module into a page that was
opened from a disk or stands in a sandboxed frame.
"""

import json
import re
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePosixPath

from attn_lib.live.host.numbers import SHADES

_LIBRARY = files("attn_lib.live")
_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)
_JSON = re.compile(r'^import (\w+) from "([^"]+)" with \{ type: "json" \};$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function |const |class )", re.MULTILINE)
_UNKNOWN = re.compile(r"^\s*(?:import|export)\b(?!\().*", re.MULTILINE)
_NAME = re.compile(r"^export (?:async )?(?:function|const|class) (\w+)", re.MULTILINE)
_PAGE, _WIDGET, _STILL = "front/page.js", "front/widget.js", "front/still.js"


@cache
def widget(figure: str) -> str:
    """Return the whole script of a figure's widget: `jupyter.js` and what draws the figure.

    It brings the tokens and the styles that figures share, too: a notebook needs them once, before
    any figure's own, whereas anywidget would add them again with each figure.
    """
    modules: dict[str, str] = {}
    host = _add(_WIDGET, modules)
    drawing = _add(f"figures/{figure}/drawing.js", modules) if has_drawing(figure) else "{}"
    sheets = tokens() + stylesheet() + _read("front/widget.css")
    styles = json.dumps(sheets, ensure_ascii=False)
    call = f"export default {host}.widget({drawing}.mount, {styles});"
    return "\n".join([*modules.values(), call, ""])


def shared() -> str:
    """Return the script of every page with a figure: what figures share."""
    return "\n".join([*_shared().values(), ""])


def part(figure: str) -> str:
    """Return what a page needs for one figure, after `shared`: its computation and its drawing.

    It is a block, because a module that two figures need comes with each of them.
    """
    return _beside_shared(f"figures/{figure}", _entries(figure))


def still() -> str:
    """Return what saves the picture of a figure, after `shared`: only who asks for one needs it."""
    return _beside_shared("still", [_STILL])


def _beside_shared(name: str, entries: list[str]) -> str:
    modules = dict(_shared())
    own = ", ".join(f"...{_add(path, modules)}" for path in entries)
    sources = [source for path, source in modules.items() if path not in _shared()]
    return "\n".join(["{", *sources, f"{registration(name, f'{{ {own} }}')}}}", ""])


def registration(name: str, value: str) -> str:
    """Return the line by which a script registers what it brings with `front/loader.js`."""
    return f'{_variable("front/loader.js")}.register("{name}", {value});\n'


@cache
def _shared() -> dict[str, str]:
    """What a page with a figure needs whichever it is, and what more than two figures need."""
    modules: dict[str, str] = {}
    _add(_PAGE, modules)
    needed: Counter[str] = Counter()
    for figure in sorted(folder.name for folder in _LIBRARY.joinpath("figures").iterdir()):
        own: dict[str, str] = {}
        for path in _entries(figure):
            _add(path, own)
        needed.update(path for path in own if path.startswith("front/"))
    for path in (path for path, figures in needed.items() if figures > 2):
        _add(path, modules)
    return modules


def _entries(figure: str) -> list[str]:
    """The scripts by which a figure takes part, of those that its folder has."""
    folder = _LIBRARY.joinpath("figures", figure)
    names = [name for name in ("compute.js", "drawing.js") if folder.joinpath(name).is_file()]
    return [f"figures/{figure}/{name}" for name in names]


def forget() -> None:
    """Read all scripts and styles again when they are next asked for."""
    widget.cache_clear()
    _shared.cache_clear()


def times() -> dict[str, int]:
    """Return when each script and style of the library was saved."""
    folders = [_LIBRARY.joinpath("front"), *_LIBRARY.joinpath("figures").iterdir()]
    return {
        str(file): Path(str(file)).stat().st_mtime_ns
        for folder in folders
        if folder.is_dir()
        for file in folder.iterdir()
        if file.name.endswith((".js", ".css"))
    }


def tokens() -> str:
    """Return the colours, sizes and spaces that all styles are written in."""
    return _read("front/tokens.css")


def stylesheet(figure: str | None = None) -> str:
    """Return the styles that a figure has of its own, if any; without a name, the shared ones."""
    if figure:
        own = _LIBRARY.joinpath(f"figures/{figure}/style.css")
        return own.read_text(encoding="utf-8") if own.is_file() else ""
    # The classes of `hundredth` in front/svg.js.
    steps = int(SHADES["steps"])
    hundredths = [f".attn-w{i} {{ --w: {i / steps}; }}" for i in range(steps + 1)]
    shared = [_read(f"front/{name}.css") for name in ("figure", "hand")]
    return "\n".join([*shared, *hundredths, ""])


def has_drawing(figure: str) -> bool:
    """Say whether a figure's folder has a `drawing.js`: something to draw or to grab."""
    return _LIBRARY.joinpath(f"figures/{figure}/drawing.js").is_file()


def _add(path: str, modules: dict[str, str]) -> str:
    """Add a module and, before it, all that it imports; return the name it has in the bundle."""
    name = _variable(path)
    if path in modules:
        return name
    source = _read(path)

    def take(match: re.Match[str]) -> str:
        names, imported = match[1].replace(" as ", ": "), _resolve(path, match[2])
        return f"const {{{names}}} = {_add(imported, modules)};"

    def inline(match: re.Match[str]) -> str:
        return f"const {match[1]} = {_read(_resolve(path, match[2])).strip()};"

    body = _EXPORT.sub("", _IMPORT.sub(take, _JSON.sub(inline, source)))
    if unknown := _UNKNOWN.search(body):
        raise ValueError(
            f"{path} has a form of import or export that the bundler does not know: "
            f"{unknown[0].strip()!r}. It knows `import {{ a, b as c }} from`, "
            '`import a from ... with { type: "json" }`, and `export` before const, function, class.'
        )
    exports = ", ".join(_NAME.findall(source))
    modules[path] = f"const {name} = (() => {{\n{body}\nreturn {{ {exports} }};\n}})();"
    return name


def _read(path: str) -> str:
    return _LIBRARY.joinpath(path).read_text(encoding="utf-8")


def _variable(path: str) -> str:
    """The name by which a module's exports are known in a bundle."""
    return "module_" + re.sub(r"\W", "_", path.removesuffix(".js"))


def _resolve(path: str, imported: str) -> str:
    parts: list[str] = list(PurePosixPath(path).parent.parts)
    for part in imported.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
