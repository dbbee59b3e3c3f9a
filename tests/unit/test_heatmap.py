import warnings
import xml.etree.ElementTree as ET

import matplotlib.style
import numpy as np
import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from matplotlib.figure import Figure

import attn_lib

SVG = "{http://www.w3.org/2000/svg}"
WEIGHTS = torch.softmax(torch.arange(2 * 3 * 5 * 7).reshape(2, 3, 5, 7) % 4 / 2, 3)


def draw(**options):
    return attn_lib.show_heatmaps(WEIGHTS, "Keys", "Queries", **options)


def test_one_axes_for_each_matrix_on_one_scale():
    figure = draw(titles=["a", "b", "c"])
    meshes = [axes.collections[0] for axes in figure.axes[:6]]
    for mesh, matrix in zip(meshes, WEIGHTS.reshape(6, 5, 7), strict=True):
        torch.testing.assert_close(torch.tensor(mesh.get_array()).float(), matrix)
        assert mesh.get_clim() == (0, 1)
    assert [axes.get_title() for axes in figure.axes[:6]] == ["a", "b", "c"] * 2
    assert [axes.get_xlabel() for axes in figure.axes[:6]] == [""] * 3 + ["Keys"] * 3
    assert [axes.get_ylabel() for axes in figure.axes[:6]] == ["Queries", "", ""] * 2
    assert figure.axes[0].yaxis_inverted()


def test_svg_is_the_same_every_time():
    figure = draw()
    svg = figure._repr_svg_()
    assert svg == figure._repr_svg_() == draw()._repr_svg_()


def test_svg_is_text_and_paths():
    root = ET.fromstring(draw()._repr_svg_())
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert "Keys" in texts
    assert not list(root.iter(f"{SVG}image"))
    assert root.find(f"{SVG}title").text == "Queries × Keys"


def test_hangul_and_han_are_left_to_the_reader_s_fonts():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = attn_lib.show_heatmaps(WEIGHTS, "키", "查询", titles=["ㄱ", "ㄴ", "ề"])
        svg = figure._repr_svg_()
    assert all(f">{word}<" in svg for word in ("키", "查询", "ㄱ", "ề"))


def test_a_notebook_shows_svg_and_no_png():
    shell = InteractiveShell.instance()
    png = shell.display_formatter.formatters["image/png"]
    png.for_type(Figure, lambda figure: b"png")  # as importing pyplot does
    try:
        with capture_output() as shown:
            data, _ = shell.display_formatter.format(draw())
    finally:
        png.pop(Figure)
        InteractiveShell.clear_instance()
    assert data == {}  # the figure shows itself, once
    assert [set(output.data) for output in shown.outputs] == [{"image/svg+xml", "text/plain"}]


@pytest.mark.parametrize(
    ("low", "high", "extend"),
    [(0.0, 1.0, "neither"), (-0.1, 1, "min"), (0, 1.5, "max"), (-0.1, 1.5, "both")],
)
def test_the_colour_bar_tells_what_the_scale_cannot_show(low, high, extend):
    figure = attn_lib.show_heatmaps(torch.tensor([[[[low, high]]]]), "Keys", "Queries")
    assert figure.axes[-1]._colorbar.extend == extend


def test_weights_may_come_from_a_graph_and_in_half_precision():
    weights = torch.full((1, 1, 2, 2), 0.5, dtype=torch.bfloat16, requires_grad=True)
    figure = attn_lib.show_heatmaps(weights, "Keys", "Queries", cmap="Reds", figsize=(3, 2))
    assert figure.get_size_inches().tolist() == [3, 2]


def test_ticks_name_whole_queries_and_keys():
    axes = attn_lib.show_heatmaps(torch.zeros(1, 1, 1, 3), "Keys", "Queries").axes[0]
    for ticks, limits in ((axes.get_yticks(), (-0.5, 0.5)), (axes.get_xticks(), (-0.5, 2.5))):
        shown = [tick for tick in ticks if limits[0] <= tick <= limits[1]]
        assert shown == list(range(round(limits[1] + 0.5)))


def test_a_picture_is_dark_on_white_whatever_the_style():
    with matplotlib.style.context("dark_background"):
        dark = draw(titles=["a", "b", "c"])._repr_svg_()
    assert dark == draw(titles=["a", "b", "c"])._repr_svg_()


def test_words_name_the_keys_and_queries_and_nothing_is_cut_off():
    words = ["Aufmerksamkeit", "ist", "notwendigerweise", "주의", "very"]
    keys = [*words, "an extraordinarily long word", "ok"]
    figure = draw(titles=["a", "b", "c"], figsize=(5, 3), xticks=keys, yticks=words)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == words
    assert [label.get_text() for label in figure.axes[3].get_xticklabels()] == keys
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fonts without Hangul
        box = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    assert -0.01 <= box.x0 < box.x1 <= width + 0.01
    assert -0.01 <= box.y0 < box.y1 <= height + 0.01
    square = draw(titles=["a", "b", "c"], figsize=(5, 3)).axes[0].get_window_extent()
    assert figure.axes[0].get_window_extent().width >= 0.9 * square.width


def test_texts_are_written_as_they_are():
    svg = draw(titles=["price $5 & $6", "$\\frac{1}{$", "c"])._repr_svg_()
    texts = [text.text for text in ET.fromstring(svg).iter(f"{SVG}text")]
    assert {"price $5 & $6", "$\\frac{1}{$"} <= set(texts)


def test_a_large_matrix_is_one_image():
    weights = torch.softmax(torch.arange(512 * 512).reshape(1, 1, 512, 512) % 7 / 2, 3)
    svg = attn_lib.show_heatmaps(weights, "Keys", "Queries")._repr_svg_()
    assert len(svg) < 2_000_000
    assert "<image" in svg
    assert svg == attn_lib.show_heatmaps(weights, "Keys", "Queries")._repr_svg_()


def test_arrays_of_numpy_are_taken_for_titles_and_size():
    figure = draw(titles=np.array(["a", "b", "c"]), figsize=np.array([3.0, 2.0]))
    assert figure.axes[2].get_title() == "c"
    assert figure.get_size_inches().tolist() == [3, 2]
