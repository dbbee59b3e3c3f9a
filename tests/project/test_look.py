"""One look: the sizes of type, seven spaces, and a blue that is weight or the ring of focus."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FRONTEND = ROOT / "attn_lib/live/front"
TOKENS = (FRONTEND / "tokens.css").read_text(encoding="utf-8")
# The page that offers four languages stands alone and has no tokens.
ALONE = {"landing.css"}
SHEETS = [
    path
    for folder in ("attn_lib", "book/_static")
    for path in sorted((ROOT / folder).rglob("*.css"))
    if path.name not in ALONE
]
# In units of a drawing that is as wide as its figure; on the screen they are the smallest size.
DRAWN = {"9.5px", "6.4px"}
DECLARATION = re.compile(r"(?<![\w-])([\w-]+)\s*:\s*([^;{}]+)(?=[;}])")
SIZE = re.compile(r"var\(--[\w-]+\)(?=/)|[\d.]+(?:px|rem|pt)|clamp\([^)]*\)")


def declarations(style: str) -> list[tuple[str, str]]:
    """Return each property with its value."""
    bare = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    return [(name, value.strip()) for name, value in DECLARATION.findall(bare)]


def scale() -> dict[str, str]:
    return {
        name: value for name, value in declarations(TOKENS) if re.fullmatch(r"--t[\dq]", name)
    } | dict.fromkeys(["--t4"], "1.125rem")  # Hangul and Han are set a little smaller


def roles() -> dict[str, str]:
    """The names that figures have for the sizes, each a size of the scale."""
    style = (FRONTEND / "figure.css").read_text(encoding="utf-8")
    return {name: value for name, value in declarations(style) if name.startswith("--size-")}


def sizes(style: str) -> set[str]:
    """Return the sizes of type, but for those relative to the text around, as of a superscript."""
    found = set()
    for name, value in declarations(style):
        if name == "font-size":
            found.add(value)
        elif name == "font" and value != "inherit":
            found.update(SIZE.findall(value.partition("/")[0] + "/"))
    for size in sorted(found):
        named = re.fullmatch(r"var\((--[\w-]+)\)", size)
        if named and named[1] in roles():
            found = found - {size} | {roles()[named[1]]}
        elif re.fullmatch(r"[\d.]+(em|%)|0|inherit", size):
            found.remove(size)
    return found


def rem(size: str) -> str:
    return f"{float(size.removesuffix('px')) / 16:g}rem" if size.endswith("px") else size


def strangers(style: str) -> set[str]:
    """Return the sizes of type that are not on the scale."""
    known = {f"var({name})" for name in scale()} | set(scale().values())
    return {size for size in sizes(style) - DRAWN if rem(size) not in known}


def painted(style: str) -> list[str]:
    """Return the properties that have the colour of the ring, and are no ring."""
    return [
        f"{name}: {value}"
        for name, value in declarations(style)
        if re.search(r"var\(--focus\)|#0b57d0|#8ab8ff", value)
        and name not in {"outline", "outline-color", "--focus"}
    ]


def test_there_are_seven_sizes_and_seven_spaces() -> None:
    assert len(scale()) == 7
    spaces = {name for name, _ in declarations(TOKENS) if re.fullmatch(r"--s\d", name)}
    assert len(spaces) == 7
    assert set(roles().values()) <= {f"var({name})" for name in scale()}


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_style_has_the_sizes_and_the_blue_of_all(path: Path) -> None:
    style = path.read_text(encoding="utf-8")
    assert strangers(style) == set()
    assert painted(style) == []


def test_a_size_or_a_blue_of_its_own_is_found() -> None:
    style = """
    a { font-size: 0.78rem; color: var(--focus); outline: 3px solid var(--focus); }
    b { font: 600 13px/1.2 serif; font-size: var(--size-cell); border-left: 2px solid #0b57d0 }
    c { font: 700 var(--t2)/1 serif; font-size: 14px; } sup { font-size: 0.9em; }
    d { font: var(--t9)/1 serif; font-size: clamp(1rem, 2vw, 3rem); }
    """
    assert strangers(style) == {"0.78rem", "13px", "var(--t9)", "clamp(1rem, 2vw, 3rem)"}
    assert painted(style) == ["color: var(--focus)", "border-left: 2px solid #0b57d0"]


def colours(style: str) -> set[str]:
    return {f"{name}: {value}" for name, value in declarations(style) if value.startswith("#")}


def test_the_landing_page_repeats_colours_of_the_tokens() -> None:
    landing = (ROOT / "book/_static/landing.css").read_text(encoding="utf-8")
    own = {"--low", "--middle", "--high"}  # numbers on a weight: `.attn-figure` mixes these
    repeated = {line for line in colours(landing) if line.split(":")[0] not in own}
    assert len(repeated) > 15
    assert repeated - colours(TOKENS) == set()
    assert colours("a { --query: #123; }") - colours(TOKENS)


def test_the_icon_has_the_blue_of_the_ring() -> None:
    icon = (ROOT / "book/_static/favicon.svg").read_text(encoding="utf-8")
    assert set(re.findall(r'fill="(#\w+)"', icon)) - {"#fff"} <= {
        value for name, value in declarations(TOKENS) if name == "--focus"
    }
