"""Static heatmaps of attention weights, drawn as SVG that is the same on every run."""

from __future__ import annotations

import io
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, Normalize
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath
from matplotlib.ticker import MaxNLocator
from torch import Tensor

from attn_lib.validation import check_positive, check_shape, check_tensor

# matplotlib turns a colour bar with many steps into an embedded PNG; this many stay paths.
_BAR_STEPS = 32
_ROUNDS = 3
# A mesh of more cells than this for each side makes files of megabytes.
_LARGEST_MESH = 64
# A picture is dark on white, whatever style is chosen for other plots.
_ON_WHITE: dict[Any, str] = {
    "text.color": "black",
    "axes.labelcolor": "black",
    "axes.edgecolor": "black",
    "axes.titlecolor": "auto",
    "axes.facecolor": "white",
    "xtick.color": "black",
    "ytick.color": "black",
    "xtick.labelcolor": "inherit",
    "ytick.labelcolor": "inherit",
    "savefig.facecolor": "white",
    "savefig.edgecolor": "white",
}


class HeatmapFigure(Figure):
    """A matplotlib figure that notebooks show as one deterministic SVG."""

    def _repr_svg_(self) -> str:
        target = io.StringIO()
        metadata = {"Title": self.get_label(), "Date": None, "Creator": None}
        with _drawing():
            self.savefig(target, format="svg", metadata=metadata)
        return target.getvalue()

    def _ipython_display_(self) -> None:
        # Once pyplot is imported, IPython would add a PNG of every Figure beside the SVG.
        from IPython.display import display

        display({"image/svg+xml": self._repr_svg_(), "text/plain": repr(self)}, raw=True)


def show_heatmaps(
    matrices: Tensor,
    xlabel: str,
    ylabel: str,
    titles: Sequence[str] | None = None,
    figsize: tuple[float, float] = (2.5, 2.5),
    cmap: str | Colormap = "Blues",
    *,
    xticks: Sequence[str] | None = None,
    yticks: Sequence[str] | None = None,
) -> HeatmapFigure:
    """Draw a grid of attention weight matrices on one colour scale, fixed from 0 to 1.

    Words are written as they are: a dollar sign begins no formula.

    Args:
        matrices: the weights, arranged as a grid of matrices.
        xlabel: what the columns of a matrix are; written below the last row of the grid.
        ylabel: what the rows of a matrix are; written beside the first column of the grid.
        titles: one title for each column of the grid.
        figsize: width and height in inches, without the words of the ticks.
        cmap: a matplotlib colour map. Numbers outside 0...1 take its end colours, and the
            colour bar then ends in an arrow.
        xticks: a word for each key, in place of its number.
        yticks: a word for each query, in place of its number.

    Shape:
        matrices (rows, cols, Q, K).

    Returns:
        A matplotlib figure, made without pyplot, that a notebook displays as SVG. A matrix with
        more than 64 queries or keys is an image in it, a smaller one consists of paths.

    Raises:
        ValueError: matrices does not have four axes, or one of them is empty, or the number
            of titles is not the number of columns, or that of words not the number of keys or
            queries, or a text has a control character, or a size is not above 0, or there is no
            such colour map.
        TypeError: matrices is not a floating-point tensor, or another argument is not of the
            type it is declared with.

    Source:
        Zhang, Lipton, Li, Smola: Dive into Deep Learning, section 11.1.3.

    Example:
        >>> import torch, attn_lib
        >>> weights = torch.eye(2).reshape(1, 1, 2, 2)
        >>> figure = attn_lib.show_heatmaps(weights, "Keys", "Queries", yticks=["cats", "purr"])
        >>> [axes.get_xlabel() for axes in figure.axes]
        ['Keys', '']
        >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
        ['cats', 'purr']
    """
    words = (xticks, yticks)
    return draw_heatmaps(matrices, xlabel, ylabel, titles, figsize, cmap, (0.0, 1.0), words)


def draw_heatmaps(
    matrices: Tensor,
    xlabel: str,
    ylabel: str,
    titles: Sequence[str] | None,
    figsize: tuple[float, float],
    cmap: str | Colormap,
    limits: tuple[float, float],
    words: tuple[Sequence[str] | None, Sequence[str] | None] = (None, None),
) -> HeatmapFigure:
    """Draw a grid of matrices on one colour scale with these limits."""
    check_tensor("matrices", matrices)
    check_shape("matrices", matrices, rows=None, cols=None, Q=None, K=None)
    if matrices.numel() == 0:
        raise ValueError(f"matrices must not be empty. Got {tuple(matrices.shape)}.")
    rows, cols, num_queries, num_keys = matrices.shape
    _check_text("xlabel", xlabel)
    _check_text("ylabel", ylabel)
    titles = _texts("titles", titles, cols, "per column, cols")
    xwords = _texts("xticks", words[0], num_keys, "per key, K")
    ywords = _texts("yticks", words[1], num_queries, "per query, Q")
    width, height = _size(figsize)

    colours = _colours(cmap)
    weights = matrices.detach().double().cpu().numpy()
    with _drawing():
        figure = HeatmapFigure(
            # The words of the ticks get room of their own: the matrices keep their size.
            figsize=(width + _room(ywords), height + _room(xwords)),
            facecolor="white",
            layout="constrained",
        )
        figure.set_label(f"{ylabel} × {xlabel}")  # read out as the title of the SVG
        grid = figure.subplots(rows, cols, sharex=True, sharey=True, squeeze=False)
        for (row, col), axes in np.ndenumerate(grid):
            _draw_matrix(axes, weights[row, col], colours, limits)
            if row == rows - 1:
                axes.set_xlabel(xlabel, parse_math=False)
            if col == 0:
                axes.set_ylabel(ylabel, parse_math=False)
            if titles is not None:
                axes.set_title(titles[col], parse_math=False)
        _write_ticks(grid, xwords, ywords)
        scale = ScalarMappable(Normalize(*limits), colours.resampled(_BAR_STEPS))
        figure.colorbar(scale, ax=grid, shrink=0.6, extend=_extend(weights, limits))
        # The layout improves with every drawing; some rounds, then frozen, keep the SVG the same.
        for _ in range(_ROUNDS):
            figure.draw_without_rendering()
        figure.set_layout_engine("none")
    return figure


def _size(figsize: object) -> tuple[float, float]:
    if isinstance(figsize, np.ndarray):
        figsize = figsize.tolist()
    if not isinstance(figsize, Sequence) or len(figsize) != 2:
        raise ValueError(f"figsize must have a width and a height. Got {figsize!r}.")
    for size in figsize:
        check_positive("figsize", size)
    return figsize[0], figsize[1]


def _texts(name: str, texts: object, count: int, each: str) -> list[str] | None:
    """Return a text for each of `count` things, as a list."""
    if texts is None:
        return None
    if isinstance(texts, np.ndarray):
        texts = texts.tolist()
    if not isinstance(texts, Sequence) or isinstance(texts, str):
        raise TypeError(f"{name} must be a sequence of str. Got {type(texts).__name__}.")
    if len(texts) != count:
        raise ValueError(f"{name} must have one entry {each}={count}. Got {len(texts)}.")
    for text in texts:
        _check_text(f"{name}: each entry", text)
    return list(texts)


def _check_text(name: str, text: object) -> None:
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str. Got {type(text).__name__}.")
    if any(unicodedata.category(letter) == "Cc" and letter != "\n" for letter in text):
        # An SVG with one is no XML.
        raise ValueError(f"{name} must have no control characters. Got {text!r}.")


def _room(words: Sequence[str] | None) -> float:
    """Return the inches that the widest of these words needs."""
    font = FontProperties(size=mpl.rcParams["xtick.labelsize"])
    drawn = [TextPath((0, 0), word, prop=font) for word in words or () if word.strip()]
    return max((path.get_extents().width for path in drawn), default=0.0) / 72


def _write_ticks(grid: np.ndarray, xwords: list[str] | None, ywords: list[str] | None) -> None:
    """Name the keys below the last row of the grid and the queries beside the first column."""
    for axes in grid[-1] if xwords else ():
        axes.set_xticks(range(len(xwords or ())), xwords, parse_math=False)
        # Anchored at its end: the reader's font may be wider than the one that is measured.
        for label in axes.get_xticklabels():
            label.set(rotation=90, rotation_mode="anchor", ha="right", va="center")
    for axes in grid[:, 0] if ywords else ():
        axes.set_yticks(range(len(ywords or ())), ywords, parse_math=False)


def _colours(cmap: object) -> Colormap:
    if isinstance(cmap, Colormap):
        return cmap
    if not isinstance(cmap, str):
        raise TypeError(f"cmap must be a str or a Colormap. Got {type(cmap).__name__}.")
    if cmap not in mpl.colormaps:
        raise ValueError(f"cmap must name a colour map of matplotlib. Got {cmap!r}.")
    return mpl.colormaps[cmap]


def _draw_matrix(
    axes: Axes, matrix: np.ndarray, colours: Colormap, limits: tuple[float, float]
) -> None:
    num_queries, num_keys = matrix.shape
    norm = Normalize(*limits)
    if max(num_queries, num_keys) > _LARGEST_MESH:
        axes.imshow(matrix, cmap=colours, norm=norm, interpolation="none")  # one pixel a cell
    else:
        # A mesh is paths, sharp at any zoom; an image would be a PNG in the SVG.
        x, y = np.arange(num_keys + 1) - 0.5, np.arange(num_queries + 1) - 0.5
        axes.pcolormesh(x, y, matrix, cmap=colours, norm=norm, edgecolors="face", linewidth=0.2)
    axes.set_aspect("equal")
    axes.set_ylim(num_queries - 0.5, -0.5)  # the first query is on top
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True, min_n_ticks=1))
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True, min_n_ticks=1))


def _extend(weights: np.ndarray, limits: tuple[float, float]) -> str:
    """Name the ends of the colour bar beyond which some number lies."""
    ends = {(False, False): "neither", (True, False): "min", (False, True): "max"}
    return ends.get((bool((weights < limits[0]).any()), bool((weights > limits[1]).any())), "both")


@contextmanager
def _drawing() -> Iterator[None]:
    # Text stays text, so the reader's own fonts draw Hangul and Han; the salt fixes the ids.
    style = mpl.rc_context({**_ON_WHITE, "svg.fonttype": "none", "svg.hashsalt": "attn_lib"})
    with style, warnings.catch_warnings():
        # matplotlib measures text with its own font; the reader's browser draws it.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield
