"""Figure `sparse`: the query slid along the keys, posts that sum to 1, the rivals in the fold."""

from typing import Any

import pytest
from figures import OVERLAPPING, TOUCHED, LiveFigure, centred, hundredths
from hands import LOOKS, WIDE, Window

from attn_lib.live.figures import FIGURES

SPARSE = FIGURES["sparse"]
# How far each post stands out of the water, its key and the water's level, in units of the scale.
POSTS = """(figure) => {
  const at = (one) => figure.querySelector(`.attn-scene .attn-sparse-${one}`);
  const { y: level } = at("surface").getBBox();
  const { height: unit } = at("scale").getBBox();
  const drawn = at("posts").getAttribute("d").split("M").slice(1);
  return {
    heights: drawn.map((post) => (level - Number(post.split("V")[1])) / unit),
    places: drawn.map((post) => Number(post.split(" ")[0])),
    keys: [...figure.querySelectorAll(".attn-scene .attn-sparse-key")]
      .map((key) => Number(key.getAttribute("x"))),
  };
}"""


def check_posts(figure: LiveFigure) -> None:
    """Check that a post stands out for each weight above 0, as high as the weight."""
    (weights, _), drawn = figure.check().parts["weights"]["rows"], figure.element.evaluate(POSTS)
    standing = [weight for weight in weights if weight > 0]
    assert drawn["heights"] == pytest.approx(standing, abs=0.01)
    keys = [x for x, weight in zip(drawn["keys"], weights, strict=True) if weight > 0]
    assert drawn["places"] == pytest.approx(keys)


def test_the_query_is_slid_and_the_water_leaves_posts_that_sum_to_one(pointer: Any) -> None:
    figure, pointer = pointer("sparse")
    box = centred(figure.element.locator(".attn-hand"))
    x, y = box["x"] + 22, box["y"] + 22
    first, second = figure.element.evaluate(POSTS)["keys"][:2]
    pointer.down(x, y)
    for query in (3.5, 5, 5.25, 9):
        pointer.move(x + (query - 2) * (second - first), y)
        assert figure.state()["x"] == query
        check_posts(figure)
    pointer.up()
    assert figure.page.evaluate("location.hash") == "#sparse?x=9"
    for alpha in (1, 1.5):
        figure.go(SPARSE.fragment({"x": 5.25, "a": alpha}))
        check_posts(figure)


def test_rivals_are_set_in_the_fold_and_told_there(show: Any) -> None:
    figure = show("sparse", **WIDE).ready().open_fold()
    slider = figure.element.locator("[data-key=n]")
    for _ in range(4):
        slider.press("ArrowRight")
    assert figure.state()["n"] == 16
    figure.check()
    assert "0.32" in figure.element.locator(".attn-body [data-sentence=crowd]").inner_text()
    # Softmax: e² / (e² + 16) = 0.32; sparsemax leaves the best alone.
    dots = figure.element.locator(".attn-body .attn-sparse-runner").all()
    painted = [*map(hundredths, dots)]
    assert {min(painted), max(painted)} == {32, 100}


def test_an_exact_zero_is_hatched_and_a_small_weight_is_not(show: Any) -> None:
    figure = show("sparse", **WIDE).ready().open_fold()
    cells = figure.element.locator(".attn-body [data-part=weights] .attn-weight")
    hatched = [
        "repeating" in cell.evaluate("(e) => getComputedStyle(e).backgroundImage")
        for cell in cells.all()
    ]
    assert hatched == [True, False, False, False, True, True] + 6 * [False]


@LOOKS
def test_words_lie_on_nothing(show: Any, lang: str, window: Window) -> None:
    figure = show("sparse", lang, **window).ready()
    scene = figure.element.locator(".attn-scene")
    marks = ", ".join(f".attn-sparse-{mark}" for mark in ("hill", "bell", "posts", "drowned"))
    marks += ", .attn-dot:not([visibility=hidden])"
    for x in (-1, 0.5, 2, 3.75, 4, 5.25, 6.5, 9):
        for alpha in (1, 1.2, 2):
            figure.go(SPARSE.fragment({"x": x, "a": alpha}))
            assert scene.evaluate(OVERLAPPING, "text") == [], (x, alpha)
            touched = scene.evaluate(TOUCHED, [".attn-soft, .attn-num", marks])
            assert touched == [], (x, alpha)
