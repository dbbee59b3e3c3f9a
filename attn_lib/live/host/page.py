"""The page host: a figure as HTML, drawn already, which `front/page.js` brings to life.

The structure of a figure exists once, in its `body.html` and the templates that figures share. The
browser never builds it: it fills in numbers.
"""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from attn_lib.language import words
from attn_lib.live.host import numbers
from attn_lib.live.host.controls import State, Typed, active, idle
from attn_lib.live.host.figure import Figure, View

# What `digits` names where a number of decimals does not say how numbers are written.
_WRITERS: Mapping[Any, Callable[[float], str]] = {
    "output": numbers.format_output,
    "weight": numbers.format_weight,
    "fine": lambda weight: numbers.format_weight(weight, 3),
    "small": numbers.format_small,
}


def _written(value: Any, digits: Any) -> str:
    """Write a number of a table, as `front/heatmap.js` does."""
    writer = _WRITERS.get(digits)
    return writer(value) if writer else numbers.format_number(value, digits)


_templates = Environment(
    loader=ChoiceLoader(
        [PackageLoader("attn_lib.live.host"), PackageLoader("attn_lib.live", "figures")]
    ),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.filters |= {
    "weight": numbers.format_weight,
    "output": numbers.format_output,
    "written": _written,
    "number": numbers.format_number,
    "tone": numbers.tone,
    # Nine digits survive the last-bit differences between processors: stored outputs stay equal.
    "exact": lambda value: (
        "null" if value is None or math.isnan(value) else f"{value:.9g}".replace("inf", "Infinity")
    ),
    # A narrow column drops the leading zero.
    "cell": lambda text: (
        Markup('<span class="attn-zero">0</span>') + text[1:] if text.startswith("0.") else text
    ),
    "leaks_to": lambda row, masked: any(m and w > 0 for w, m in zip(row, masked, strict=True)),
    "json": lambda data: Markup(json.dumps(data, ensure_ascii=False).replace("</", "<\\/")),
}


def render(
    figure: Figure,
    state: State,
    view: View,
    *,
    with_controls: bool = True,
    published: str | None = None,
    instance: str = "",
) -> str:
    """Return the figure in `state` as HTML.

    Args:
        figure: the figure.
        state: its complete state, from `figure.state`.
        view: what `figure.compute` made of that state.
        with_controls: draw sliders, Reset and the buttons that copy. Jupyter has its own.
        published: the address of the page to link to; on that page itself there is none.
        instance: what tells the ids of this drawing from those of another one on the same page.
    """
    surprise, before, after = (
        figure.state(**settings)
        for settings in (figure.surprise, figure.prediction.before, figure.prediction.after)
    )
    return _templates.get_template("frame.html").render(
        figure=figure,
        state=state,
        view=view,
        surprise=surprise,
        surprise_view=figure.compute(surprise),
        before_view=figure.compute(before),
        after_view=figure.compute(after),
        settings=_settings(figure, surprise),
        active=active(figure.controls, state),
        typed=[control for control in figure.controls if isinstance(control, Typed)],
        with_controls=with_controls,
        published=published,
        # A chapter's label may have the figure's name.
        scope=f"figure-{figure.id}{instance}",
        frame=words("frame"),
        words=words(figure.id),
    )


def _settings(figure: Figure, state: State) -> str:
    """Return a state as readable text, for print, e.g. ``fill=1e6, len=0,3``."""
    _, _, pairs = figure.fragment(state).partition("?")
    return pairs.replace("&", ", ")


def labels(control_words: Mapping[str, Any], count: int) -> list[str]:
    """Return one label template for each of a control's values."""
    found = control_words.get("labels") or [control_words["label"]] * count
    return list(found)


def key_columns(count: int) -> list[Markup]:
    """Return the column headers k1, k2, ...; a narrow column drops the letter."""
    return [Markup(f'<span class="attn-zero">k</span>{i + 1}') for i in range(count)]


def blank(rows: list[str], columns: list[str]) -> dict[str, Any]:
    """Return a part of zeros, to draw a table that the state does not need yet."""
    return {"rows": [[0.0] * len(columns) for _ in rows]}


_templates.globals |= {
    "labels": labels,
    "key_columns": key_columns,
    "blank": blank,
    "idle": idle,
}
