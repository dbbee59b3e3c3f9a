"""Static heatmaps of attention weights, drawn as SVG that is the same on every run."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from torch import Tensor

from attn_lib.validation import check_positive, check_shape, check_tensor

# matplotlib turns a colour bar with many steps into an embedded PNG; this many stay paths.
_BAR_STEPS = 32


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
) -> HeatmapFigure:
    """Draw a grid of attention weight matrices on one colour scale, fixed from 0 to 1.

    Args:
        matrices: the weights, arranged as a grid of matrices.
        xlabel: what the columns of a matrix are; written below the last row of the grid.
        ylabel: what the rows of a matrix are; written beside the first column of the grid.
        titles: one title for each column of the grid.
        figsize: width and height in inches.
        cmap: a matplotlib colour map. Numbers outside 0...1 take its end colours, and the
            colour bar then ends in an arrow.

    Shape:
        matrices (rows, cols, Q, K).

    Returns:
        A matplotlib figure, made without pyplot, that a notebook displays as SVG.

    Raises:
        ValueError: matrices does not have four axes, or one of them is empty, or the number
            of titles is not the number of columns, or a size is not above 0, or there is no
            such colour map.
        TypeError: matrices is not a floating-point tensor, or another argument is not of the
            type it is declared with.

    Source:
        Zhang, Lipton, Li, Smola: Dive into Deep Learning, section 11.1.3.

    Example:
        >>> import torch, attn_lib
        >>> figure = attn_lib.show_heatmaps(torch.eye(4).reshape(1, 1, 4, 4), "Keys", "Queries")
        >>> [axes.get_xlabel() for axes in figure.axes]
        ['Keys', '']
    """
    return draw_heatmaps(matrices, xlabel, ylabel, titles, figsize, cmap, (0.0, 1.0))


def draw_heatmaps(
    matrices: Tensor,
    xlabel: str,
    ylabel: str,
    titles: Sequence[str] | None,
    figsize: tuple[float, float],
    cmap: str | Colormap,
    limits: tuple[float, float],
) -> HeatmapFigure:
    """Draw a grid of matrices on one colour scale with these limits."""
    check_tensor("matrices", matrices)
    check_shape("matrices", matrices, rows=None, cols=None, Q=None, K=None)
    if matrices.numel() == 0:
        raise ValueError(f"matrices must not be empty. Got {tuple(matrices.shape)}.")
    rows, cols = matrices.shape[:2]
    _check_words(xlabel, ylabel, titles, cols)
    if not isinstance(figsize, Sequence) or len(figsize) != 2:
        raise ValueError(f"figsize must have a width and a height. Got {figsize!r}.")
    for size in figsize:
        check_positive("figsize", size)

    colours = _colours(cmap)
    weights = matrices.detach().double().cpu().numpy()
    figure = HeatmapFigure(figsize=figsize, facecolor="white", layout="constrained")
    figure.set_label(f"{ylabel} × {xlabel}")  # read out as the title of the SVG
    grid = figure.subplots(rows, cols, sharex=True, sharey=True, squeeze=False)
    for (row, col), axes in np.ndenumerate(grid):
        _draw_matrix(axes, weights[row, col], colours, limits)
        if row == rows - 1:
            axes.set_xlabel(xlabel)
        if col == 0:
            axes.set_ylabel(ylabel)
        if titles is not None:
            axes.set_title(titles[col])
    scale = ScalarMappable(Normalize(*limits), colours.resampled(_BAR_STEPS))
    figure.colorbar(scale, ax=grid, shrink=0.6, extend=_extend(weights, limits))
    with _drawing():
        # The layout improves with every drawing; one round, then frozen, keeps the SVG the same.
        figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return figure


def _check_words(xlabel: object, ylabel: object, titles: object, cols: int) -> None:
    for name, words in (("xlabel", xlabel), ("ylabel", ylabel)):
        if not isinstance(words, str):
            raise TypeError(f"{name} must be a str. Got {type(words).__name__}.")
    if titles is None:
        return
    if not isinstance(titles, Sequence) or isinstance(titles, str):
        raise TypeError(f"titles must be a sequence of str. Got {type(titles).__name__}.")
    if len(titles) != cols:
        raise ValueError(f"titles must have one entry per column, cols={cols}. Got {len(titles)}.")


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
    # A mesh is paths, sharp at any zoom; imshow would embed a PNG in the SVG.
    num_queries, num_keys = matrix.shape
    x, y = np.arange(num_keys + 1) - 0.5, np.arange(num_queries + 1) - 0.5
    norm = Normalize(*limits)
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
    style = mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "attn_lib"})
    with style, warnings.catch_warnings():
        # matplotlib measures text with its own font; the reader's browser draws it.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield
