"""The colours of the pictures, which are those of the live figures, in a light and a dark palette.

Blue means weight and nothing else. Orange asks, teal is asked, purple answers.
"""

import math
import re
from importlib.resources import files

from attn_lib.live.host.numbers import SHADES

# What the figures have under a name of their own in tokens.css, the pictures have under these.
_TOKENS = {"q": "query", "k": "key", "v": "value"} | {
    role: role for role in ("page", "panel", "ink", "muted", "line", "hair", "hatch", "ok", "bad")
}


def _token(name: str) -> tuple[str, str]:
    """A colour of the live figures: light, dark."""
    sheet = files("attn_lib.live").joinpath("front/tokens.css").read_text(encoding="utf-8")
    light, dark = re.findall(rf"--{name}: #([0-9a-f]+)", sheet)
    return _six(light), _six(dark)


def _six(digits: str) -> str:
    """#fff is #ffffff."""
    return "#" + (digits if len(digits) == 6 else "".join(2 * digit for digit in digits))


# A role: its colour in the light and in the dark palette.
ROLES = {role: _token(name) for role, name in _TOKENS.items()} | {
    "q-tint": ("#fbeee6", "#33261d"),
    "k-tint": ("#e3f3f1", "#16302f"),
    "v-tint": ("#f6eaf8", "#2f2335"),
    "on-k": ("#ffffff", "#0b1114"),
}
_W0, _W1 = _token("w0"), _token("w1")
RAMP = tuple(zip(_W0, _W1, strict=True))  # of weights, from 0 to 1: light, dark
# From this percentage on, a number on a weight changes its colour: light, dark.
DARK_FROM = math.ceil(100 * SHADES["high"]), math.ceil(100 * SHADES["middle"])
GREYS = (("#f3f5f7", "#3d4650"), ("#1d232b", "#c9d1da"))  # of shares that are no weights
GREY_FROM = (70, 52)
FLOW = 60  # every flow has the tint of this weight: its thickness alone says how much


def colours(role: str) -> tuple[str, str]:
    """A role's two colours; `w78` is the tint of the weight 0.78, `on-w78` a number on it.

    `g78` is the grey of a share of 78 percent, `on-g78` a number on that.
    """
    if role in ROLES:
        return ROLES[role]
    if role == "flow":
        return colours(f"w{FLOW}")
    name = role.removeprefix("on-")
    percent = int(name[1:])
    ramp, limits = (GREYS, GREY_FROM) if name.startswith("g") else (RAMP, DARK_FROM)
    if role.startswith("on-"):
        light, dark = (percent >= limit for limit in limits)
        return "#ffffff" if light else "#000000", "#000000" if dark else "#ffffff"
    return _mix(percent / 100, ramp[0]), _mix(percent / 100, ramp[1])


def styles(body: str) -> str:
    """The style sheet of a picture: both palettes, with only those roles that `body` uses.

    Every rule depends on nothing but the class `attn-picture`, and says the same in each picture.
    So pictures that stand on one page do not disturb each other.
    """
    used = sorted(set(re.findall(r"\b[fs]-([a-z0-9-]+)", body)) | {"page"})
    light, dark = (
        "".join(f"--p-{role}:{colours(role)[palette]};" for role in used) for palette in (0, 1)
    )
    rules = "".join(
        f".attn-picture .{kind}-{role}{{{name}:var(--p-{role})}}"
        for kind, name in (("f", "fill"), ("s", "stroke"))
        for role in used
        if re.search(rf"\b{kind}-{role}[ \"]", body)
    )
    return (
        f".attn-picture{{forced-color-adjust:none;{light}}}"
        f"\n@media(prefers-color-scheme:dark){{.attn-picture{{{dark}}}}}\n"
        f"{TYPE}{rules}"
    )


# Short lists: a browser looks for every font that is not there, at each size and weight.
TYPE = (
    ".attn-picture text{forced-color-adjust:none;text-anchor:middle;font:16px system-ui,sans-serif;"
    "font-variant-numeric:tabular-nums}"
    '.attn-picture .m{font:italic 20px "STIX Two Text","Times New Roman",serif}'
    ".attn-picture .m .d{font-size:15px;font-weight:400}"
    ".attn-picture .b{font-weight:700}"
    ".attn-picture .m.u,.attn-picture .m .u{font-style:normal;font-weight:400}"
    ".attn-picture path{stroke-linejoin:round}"
)

# OKLab, in which equal steps look equal: https://bottosson.github.io/posts/oklab/
_TO_LMS = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
_FROM_LAB = (
    (1, 0.3963377774, 0.2158037573),
    (1, -0.1055613458, -0.0638541728),
    (1, -0.0894841775, -1.2914855480),
)
_FROM_LMS = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)


def _mix(weight: float, ramp: tuple[str, str]) -> str:
    """What the page's `color-mix(in oklab, ...)` gives, as a hexadecimal colour."""
    start, end = (_to_oklab(colour) for colour in ramp)
    lab = [a + weight * (b - a) for a, b in zip(start, end, strict=True)]
    linear = _times(_FROM_LMS, [x**3 for x in _times(_FROM_LAB, lab)])
    return "#" + "".join(f"{round(255 * _to_srgb(min(1, max(0, x)))):02x}" for x in linear)


def _to_oklab(colour: str) -> list[float]:
    srgb = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in srgb]
    return _times(_TO_LAB, [x ** (1 / 3) for x in _times(_TO_LMS, linear)])


def _to_srgb(x: float) -> float:
    return 12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055


def _times(matrix: tuple[tuple[float, ...], ...], vector: list[float]) -> list[float]:
    return [sum(a * x for a, x in zip(row, vector, strict=True)) for row in matrix]
