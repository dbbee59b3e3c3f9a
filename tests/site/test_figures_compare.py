"""Figure `compare`: the marker is dragged along the curves, and a press brings a line forward."""

from itertools import pairwise
from typing import Any

import pytest
from figures import LiveFigure, unasked
from playwright.sync_api import expect
from test_figures_grabbed import PHONE, Finger, Mouse

LINE_NAMES = ".attn-drawing text.attn-line-name"


def place(figure: LiveFigure, s: float) -> tuple[float, float]:
    """Return where the marker stands at s: the thumb of the slider below, somewhat higher."""
    stage = figure.element.locator(".attn-body .attn-stage")
    stage.evaluate("(e) => e.scrollIntoView({ block: 'center' })")
    box = stage.bounding_box()
    slider = figure.element.locator("input[type=range][data-key=s]").bounding_box()
    thumb = 20
    wide = slider["width"] - thumb
    return slider["x"] + thumb / 2 + (s + 8) / 16 * wide, box["y"] + box["height"] / 2


@pytest.mark.parametrize("by", ["mouse", "finger", "keys"])
def test_every_hand_reaches_the_same_link(show: Any, by: str) -> None:
    settings = PHONE if by == "finger" else {"viewport": {"width": 1280, "height": 900}}
    figure = show("compare", **settings).ready()
    if by == "keys":
        figure.element.locator("input[type=range][data-key=s]").focus()
        for _ in range(6):
            figure.page.keyboard.press("ArrowLeft")
    else:
        pointer = Mouse(figure) if by == "mouse" else Finger(figure)
        pointer.down(*place(figure, 1))
        pointer.move(*place(figure, -2))
        assert figure.page.evaluate("location.hash") == ""
        pointer.up()
    assert figure.state()["s"] == -2
    assert figure.page.evaluate("location.hash") == "#compare?s=-2"
    figure.check()


def test_escape_puts_the_marker_back(show: Any) -> None:
    figure = show("compare", viewport={"width": 1280, "height": 900}).ready()
    pointer = Mouse(figure)
    pointer.down(*place(figure, 1))
    pointer.move(*place(figure, 6))
    assert figure.state()["s"] == 6
    figure.page.keyboard.press("Escape")
    assert figure.state()["s"] == 1


def test_a_pressed_scorer_comes_forward(show: Any) -> None:
    figure = show("compare", viewport={"width": 1280, "height": 900}).ready()
    figure.element.locator(".attn-front label", has_text="Gaussian").click()
    assert figure.state()["f"] == "gauss"
    lit = figure.element.locator(".attn-lines > .attn-lit")
    assert lit.count() == 1
    # The last one is drawn over the others.
    assert lit.evaluate("(e) => e === e.parentElement.lastElementChild")
    figure.check()


def test_a_pressed_name_at_its_line_comes_forward(show: Any) -> None:
    figure = show("compare", viewport={"width": 1280, "height": 900}).ready()
    for s in (1, 8):  # also where the marker stands beside the names
        figure.go(f"#compare?s={s}")
        for name, text in (
            ("gauss", "Gauss"),
            ("cosine", "cosine"),
            ("sum", "= sum"),
            ("dot", "dot"),
        ):
            named = figure.element.locator(".attn-drawing").get_by_text(text, exact=True)
            named.click()
            assert (figure.state()["s"], figure.state()["f"]) == (s, name)


def test_a_tapped_name_brings_its_line_forward_in_sight(show: Any) -> None:
    figure = show("compare", **PHONE).ready()
    for name, text in (("gauss", "Gauss"), ("scaled", "scaled"), ("additive", "additive")):
        figure.element.locator(LINE_NAMES).get_by_text(text, exact=True).tap()
        assert (figure.state()["s"], figure.state()["f"]) == (1, name)


def test_number_at_the_marker_keeps_off_other_lines(show: Any) -> None:
    figure = show("compare", viewport={"width": 1280, "height": 900}).ready()
    for link, below in (("s=2&f=cosine", True), ("s=2", False), ("s=-8&f=additive", False)):
        figure.go(f"#compare?{link}")
        number = figure.element.locator(".attn-body .attn-stage text.attn-tag").last
        dot = figure.element.locator(".attn-lines > .attn-lit .attn-dot")
        middle = dot.evaluate("(e) => e.getBBox().y + e.getBBox().height / 2")
        assert (float(number.get_attribute("y")) > middle) == below, link


def test_a_press_beside_the_axis_moves_nothing(show: Any) -> None:
    figure = show("compare", viewport={"width": 1280, "height": 900}).ready()
    x, y = place(figure, 8)
    figure.page.mouse.click(x + 70, y + 40)
    assert figure.state()["s"] == 1


def test_a_bound_has_a_stroke_to_its_name(show: Any) -> None:
    figure = show("compare", viewport={"width": 1280, "height": 900}).ready()
    strokes = figure.element.locator(".attn-bound ~ text:not([class]) + .attn-axis-line")
    for link, shown in (("q=-2&s=-8", True), ("q=-2&s=-8&f=dot", False)):
        figure.go(f"#compare?{link}")
        visible = [stroke.get_attribute("visibility") == "visible" for stroke in strokes.all()]
        assert visible == [shown, shown]


def test_what_the_question_asks_about_is_not_drawn_before(show: Any) -> None:
    figure = show("compare", viewport={"width": 1280, "height": 900}).ready()
    drawn = figure.element.locator(".attn-drawing > svg")
    plot = figure.element.locator(".attn-drawing .attn-axis-line").first.bounding_box()
    stage = figure.element.locator(".attn-body .attn-stage").bounding_box()
    middle = plot["x"] - stage["x"] + plot["width"] / 2
    assert float(drawn.get_attribute("x")) == pytest.approx(middle, abs=2)
    figure.go("#compare?s=-8")
    assert float(drawn.get_attribute("x")) < plot["x"] - stage["x"]


def test_what_is_not_drawn_yet_is_veiled(show: Any) -> None:
    figure = show("compare", viewport={"width": 1280, "height": 900}).ready()
    veil = figure.element.locator(".attn-drawing .attn-veil")
    drawn = figure.element.locator(".attn-drawing > svg")
    mark = figure.element.locator(".attn-drawing .attn-name")
    for s in (1, -3, -6):
        figure.go(f"#compare?s={s}&ask=1")
        edge = float(veil.get_attribute("x")) + float(veil.get_attribute("width"))
        assert edge == pytest.approx(float(drawn.get_attribute("x")))
        assert mark.get_attribute("visibility") == "visible"
    figure.go("#compare?s=-8")
    assert float(veil.get_attribute("width")) == 0
    assert mark.get_attribute("visibility") == "hidden"


def test_marks_at_0_are_drawn_whole(show: Any) -> None:
    figure = show("compare", viewport={"width": 1280, "height": 900}).ready()
    figure.go("#compare?s=0&f=cosine")
    drawn = figure.element.locator(".attn-drawing > svg").get_attribute("x")
    for dot in figure.element.locator(".attn-lines .attn-dot").all():
        assert dot.evaluate("(e) => e.getBBox().x") >= float(drawn)


def test_points_on_one_another_share_a_name(show: Any) -> None:
    figure = show("compare", viewport={"width": 1280, "height": 900}).ready()
    names = figure.element.locator(".attn-why .attn-middle")
    for link, shown in (
        ("s=-8", ["cats, bark", "purr", "dogs", "q"]),
        ("s=1", ["cats", "purr", "dogs", "bark", "q"]),
    ):
        figure.go(f"#compare?{link}")
        assert [
            name.text_content()
            for name in names.all()
            if name.get_attribute("visibility") != "hidden"
        ] == shown


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
def test_a_phone_names_every_line_within_the_figure(show: Any, lang: str) -> None:
    figure = show("compare", lang, **PHONE).ready()
    edge = figure.element.bounding_box()
    for f in ("additive", "dot", "scaled", "cosine", "gauss", "sum"):
        figure.go(f"#compare?f={f}&s=-8")
        assert all(name.is_visible() for name in figure.element.locator(LINE_NAMES).all())
        for text in figure.element.locator(".attn-body .attn-stage text:visible").all():
            box = text.bounding_box()
            assert box["x"] + box["width"] < edge["x"] + edge["width"], text.text_content()
    value = figure.element.locator(".attn-ruler output")
    assert value.evaluate("(e) => e.scrollWidth <= e.clientWidth")


def test_lines_that_run_on_one_another_share_their_end(show: Any) -> None:
    figure = show("compare", viewport={"width": 1280, "height": 900}).ready()
    strokes = figure.element.locator(".attn-drawing .attn-line-name + .attn-axis-line")
    hidden = [stroke.get_attribute("visibility") == "hidden" for stroke in strokes.all()]
    assert hidden == [False] * 5 + [True]  # the vector sum's


def test_every_line_has_its_name_at_its_end(show: Any) -> None:
    figure = show("compare", viewport={"width": 1280, "height": 900}).ready()
    texts = figure.element.locator(LINE_NAMES)
    names = sorted(texts.all_text_contents())
    # At q = 1 the vector sum of cats is its dot product.
    assert names == [
        "= sum",
        "Gauss",
        "additive",
        "cosine",
        "dot",
        "scaled",
    ]
    for link in ("s=8", "s=-8&q=-2", "q=0&f=sum", "q=2&f=gauss"):
        figure.go(f"#compare?{link}")
        boxes = sorted((box.bounding_box() for box in texts.all()), key=lambda box: box["y"])
        assert all(b["y"] - a["y"] >= 12 for a, b in pairwise(boxes))
        edge = figure.element.bounding_box()
        assert max(box["x"] + box["width"] for box in boxes) < edge["x"] + edge["width"]
        lit = figure.element.locator(".attn-drawing text.attn-line-name.attn-lit")
        assert lit.count() == 1
    figure.go("#compare?q=0")
    assert {"dot", "= scaled"} < set(texts.all_text_contents())


@pytest.mark.parametrize("settings", [PHONE, {"viewport": {"width": 1280, "height": 900}}])
def test_what_is_wrong_with_typed_vectors_moves_nothing(
    show: Any, settings: dict[str, Any]
) -> None:
    figure = show("compare", **settings).ready()
    figure.element.locator(".attn-own summary").click()
    field = figure.element.locator(".attn-own input")
    heights = []
    for text in ("", "[[1, 1], [2]]", "[[1, 1], [2, 99]]", "[[1, 2]]"):
        field.fill(text)
        field.press("Enter")
        # What holds the figure follows it a frame later.
        heights.append(figure.element.evaluate("(e) => e.querySelector('figure').offsetHeight"))
    assert len(set(heights)) == 1


@pytest.mark.parametrize("lang", ["en", "vi"])
def test_scores_of_key_1_stand_beside_its_weights(show: Any, lang: str) -> None:
    figure = show("compare", lang, **PHONE).ready()
    for link, scores in (
        ("s=-8", ["−0.24", "−16.0", "−11.3", "−1.00", "−81.0", "−14.0"]),
        ("s=-8&own=[[10,10],[10,10]]", ["0.00", "−1600", "−1131", "−1.00", "−8100", "−140"]),
    ):
        figure.go(f"#compare?{link}")
        cells = figure.element.locator(".attn-body td.attn-score")
        assert cells.all_text_contents() == scores
        for cell in cells.all():
            assert cell.evaluate("(e) => e.scrollWidth <= e.clientWidth"), link


STATES = [
    f"#compare?f={f}&s={s}&q={q}{own}"
    for f in ("additive", "dot", "scaled", "cosine", "gauss", "sum")
    for s, q in ((1, 1), (-8, 2), (0, 0))
    for own in ("", "&own=[[10,-10],[3,0.5]]")
]


# The texts of the plane that leave it by more than the halo of a letter.
OUTSIDE = """(e) => {
  const plane = e.querySelector(".attn-body .attn-why").getBoundingClientRect();
  return [...e.querySelectorAll(".attn-why text")]
    .filter((text) => text.getAttribute("visibility") !== "hidden")
    .filter((text) => {
      const box = text.getBoundingClientRect();
      return box.left < plane.left - 2 || box.right > plane.right + 2;
    })
    .map((text) => text.textContent);
}"""


def test_plane_has_the_points_that_python_computes(show: Any) -> None:
    figure = show("compare").ready()
    total = figure.element.locator(".attn-why text.attn-sum")
    for link in STATES:
        figure.go(link)
        view, plane = figure.check(), figure.element.evaluate("(e) => e.view.parts.plane")
        for name, expected in view.parts["plane"].items():
            assert flat(plane[name]) == pytest.approx(flat(expected), abs=1e-9), (link, name)
        sign = "=" if "f=sum" in link else "≈"  # of rounded numbers
        expect(total).to_have_text(f"{view.slots['measure']} {sign} {view.slots['score']}")


def flat(numbers: Any) -> list[float]:
    """Return all numbers of a list of any depth."""
    return [x for part in numbers for x in flat(part)] if isinstance(numbers, list) else [numbers]


def seen(figure: LiveFigure, selector: str) -> bool:
    node = figure.element.locator(f".attn-why {selector}")
    return node.get_attribute("visibility") != "hidden" and bool(node.get_attribute("d"))


def test_plane_shows_what_the_scorer_in_front_measures(show: Any) -> None:
    figure = show("compare").ready()
    # A shadow has a stroke at each end that is seen, a sum has one for each of its numbers.
    for link, lines in (
        ("f=dot", 3),
        ("f=scaled", 3),
        ("f=gauss&s=2", 3),
        ("f=gauss", 0),
        ("f=gauss&s=8", 2),
        ("f=cosine", 1),
        ("f=sum", 2),
        ("f=additive", 2),
        ("f=dot&q=0", 0),
    ):
        figure.go(f"#compare?{link}")
        path = figure.element.locator(".attn-why .attn-measured").get_attribute("d") or ""
        assert path.count("M") == lines, link
        square = figure.element.locator(".attn-why .attn-squared")
        assert (square.get_attribute("visibility") == "visible") == (link == "f=additive")


def test_a_torn_arrow_goes_on(show: Any) -> None:
    figure = show("compare").ready()
    for s, goes_on in ((1, False), (2, False), (3, True), (-8, True)):
        figure.go(f"#compare?f=dot&s={s}")
        assert seen(figure, ".attn-hue-key .attn-torn") == goes_on, s
        assert not seen(figure, ".attn-hue-query .attn-torn")


# Whether no two names of the plane lie on one another, and none on the outline of key 1's arrow.
APART = """(e) => {
  const rests = ({ left, right, top, bottom }) => [left + 2, right - 2, top + 3, bottom - 3];
  const names = [...e.querySelectorAll(".attn-why svg text")]
    .filter((text) => text.getAttribute("visibility") !== "hidden")
    .map((text) => rests(text.getBoundingClientRect()));
  const meet = ([a, b, c, d], [p, q, r, s]) => a < q && p < b && c < s && r < d;
  const shaft = e.querySelector(".attn-why .attn-hue-key polygon");
  const long = shaft.getTotalLength();
  const outline = Array.from({ length: 50 }, (_, i) => shaft.getPointAtLength((i / 50) * long))
    .map((point) => point.matrixTransform(shaft.getScreenCTM()))
    .map(({ x, y }) => [x, x, y, y]);
  const others = (i) => [...names.slice(0, i), ...outline];
  return names.every((one, i) => !others(i).some((other) => meet(one, other)));
}"""


@pytest.mark.parametrize("settings", [PHONE, {"viewport": {"width": 1280, "height": 900}}])
def test_names_keep_off_a_torn_arrow(show: Any, settings: dict[str, Any]) -> None:
    figure = show("compare", **settings).ready()
    for f in ("additive", "dot", "scaled", "cosine", "gauss", "sum"):
        for s in (-8, -6.5, 3, 8):
            figure.go(f"#compare?f={f}&s={s}")
            assert figure.element.evaluate(APART), (f, s)


def test_a_bold_line_that_goes_on_is_torn_within_the_plane(show: Any) -> None:
    figure = show("compare").ready()
    bold = figure.element.locator(".attn-why .attn-measured")
    for link, goes_on in (("f=gauss&s=2", False), ("f=gauss&s=8", True), ("f=sum&s=-8", True)):
        figure.go(f"#compare?{link}")
        assert seen(figure, ".attn-measured + .attn-torn") == goes_on, link
        if "gauss" in link:
            box, plane = (
                bold.bounding_box(),
                figure.element.locator(".attn-why rect").first.bounding_box(),
            )
            assert box["x"] + box["width"] < plane["x"] + plane["width"]


@pytest.mark.parametrize("lang", ["en", "vi", "ko", "zh"])
@pytest.mark.parametrize("settings", [PHONE, {"viewport": {"width": 1280, "height": 900}}])
def test_nothing_in_the_plane_leaves_it_and_no_height_moves(
    show: Any, lang: str, settings: dict[str, Any]
) -> None:
    figure = show("compare", lang, **settings).ready()
    heights = set()
    for link in STATES:
        figure.go(unasked(link))
        assert figure.element.evaluate(OUTSIDE) == [], link
        heights.add(figure.element.evaluate("(e) => e.querySelector('.attn-figure').offsetHeight"))
    assert len(heights) == 1


@pytest.mark.parametrize("settings", [PHONE, {"viewport": {"width": 1280, "height": 900}}])
def test_curve_slider_plane_and_sentence_share_a_window(
    show: Any, settings: dict[str, Any]
) -> None:
    figure = show("compare", **settings).ready()
    stage, scorers, plane, said = (
        figure.element.locator(f".attn-body {part}").bounding_box()
        for part in (".attn-stage", ".attn-front", ".attn-why", ".attn-summary")
    )
    # A scorer is chosen beside all that its choice changes.
    assert stage["y"] + stage["height"] <= scorers["y"]
    if settings == PHONE:
        assert scorers["y"] + scorers["height"] <= plane["y"]
    else:
        assert stage["x"] + stage["width"] <= plane["x"]
    foot = plane["y"] + plane["height"]
    assert foot - stage["y"] <= 560
    assert said["y"] + said["height"] - stage["y"] <= 705


def test_a_line_comes_forward_while_its_row_is_pointed_at(show: Any) -> None:
    figure = show("compare", viewport={"width": 1280, "height": 1400}).ready()
    near = figure.element.locator(".attn-lines > .attn-near")
    expect(near).to_have_count(0)
    for node in (
        ".attn-body [data-scorer=gauss] th",
        ".attn-drawing .attn-line-name >> text=Gauss",
    ):
        figure.element.locator(node).hover()
        expect(near).to_have_count(1)
        assert figure.state()["f"] == "additive"
        figure.element.locator(".attn-question").hover()
        expect(near).to_have_count(0)


def test_the_table_marks_as_many_first_keys_as_the_sentence_counts(show: Any) -> None:
    figure = show("compare").ready()
    first = figure.element.locator(".attn-body .attn-by-scorer td.attn-score + .attn-heaviest")
    for link in ("", "?f=dot&q=0", "?s=-8&q=-2", "?s=-0.5&f=gauss&q=-2", "?s=-8"):
        figure.go(f"#compare{link}")
        assert str(first.count()) == figure.check().slots["first"], link
