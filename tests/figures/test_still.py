"""The picture of a figure's state as a file: SVG that stands alone, PNG at twice its size."""

import re
import xml.etree.ElementTree as ElementTree
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from figures import LiveFigure, unasked
from hands import PHONE
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import expect

from attn_lib.language import LANGUAGES, words
from attn_lib.live.figures import FIGURES

SVG = "{http://www.w3.org/2000/svg}"
# What a program for slides may not read, or what would load something.
FOREIGN = {"foreignObject", "style", "script", "use"}
URL = r"url\(#(.+?)\)"
# A screenshot of a scene that begins within a pixel would be blurred.
ON_A_PIXEL = """(figure) => {
  const { y } = figure.querySelector(".attn-scene").getBoundingClientRect();
  figure.style.paddingTop = `${Math.ceil(y) - y}px`;
}"""
DENSE = {"device_scale_factor": 2, "viewport": {"width": 1000, "height": 1400}}


def saved(figure: LiveFigure, kind: str) -> Path:
    """Press the button for a kind of file; where the browser has put it."""
    button = figure.open_fold().element.locator(f'[data-save="{kind}"]')
    with figure.page.expect_download() as download:
        button.click()
    expect(button).to_have_text(words("frame")["picture_saved"])
    file: Path = download.value.path()
    return file.rename(file.with_name(download.value.suggested_filename))


def texts(svg: ElementTree.Element) -> str:
    """All texts, each once: a halo is a copy of its text."""
    every = ["".join(node.itertext()) for node in svg.iter(f"{SVG}text")]
    return " ".join(" ".join(dict.fromkeys(every)).split())


def after(name: str) -> str:
    return unasked(FIGURES[name].fragment(FIGURES[name].prediction.after))


@pytest.mark.parametrize("name", FIGURES)
def test_the_picture_is_what_the_page_shows_and_stands_alone(show: Any, name: str) -> None:
    figure = show(name, fragment=after(name), **DENSE).ready()
    figure.element.locator(".attn-figure").dispatch_event("pointerdown")  # nothing invites to it
    svg = ElementTree.parse(saved(figure, "svg")).getroot()
    stands_alone(svg)
    said = "".join(texts(svg).split())
    link = figure.page.url.partition("?")[0]
    for part in (words(name)["question"], figure.summary, "CC BY 4.0", link):
        assert "".join(part.split()) in said

    file = Image.open(saved(figure, "png")).convert("RGB")
    assert file.size == tuple(2 * int(svg.get(side, 0)) for side in ("width", "height"))
    figure.page.mouse.move(0, 0)
    scene = figure.element.locator(".attn-body .attn-scene")
    figure.element.evaluate(ON_A_PIXEL)
    shown = Image.open(BytesIO(scene.screenshot(animations="disabled"))).convert("RGB")
    # Where the drawing lies in the file, and how far down it reaches.
    (group,) = (node for node in svg if node.get("clip-path"))
    left, top = (2 * int(n) for n in re.findall(r"\d+", group.get("transform", "")))
    (clip,) = svg.find(f"{SVG}clipPath") or ()
    end = 2 * sum(float(clip.get(name, 0)) for name in ("y", "height"))
    shown = shown.crop((0, 0, shown.width, min(shown.height, int(end))))
    part = file.crop((left, top, left + shown.width, top + shown.height))
    assert gap(part, shown) < 1
    assert gap(Image.new("RGB", shown.size, "white"), shown) > 2  # there is something to see


def gap(one: Image.Image, other: Image.Image) -> float:
    """How far two pictures are apart, of 255, on the average."""
    return float(ImageStat.Stat(ImageChops.difference(one, other).convert("L")).mean[0])


def stands_alone(svg: ElementTree.Element) -> None:
    """Fail where a file needs a style sheet, HTML or anything from elsewhere."""
    assert FOREIGN & {node.tag.removeprefix(SVG) for node in svg.iter()} == set()
    ids, named = set(), set()
    for node in svg.iter():
        assert {"class", "style"} & set(node.keys()) == set()
        assert node.get("href", "data:").startswith("data:")
        for paint in (node.get("fill", "none"), node.get("stroke", "none")):
            assert re.fullmatch(r"#[0-9a-f]{6}|none|url\(#\S+\)", paint), paint
        ids.add(node.get("id"))
        named |= {name for value in node.attrib.values() for name in re.findall(URL, value)}
    assert named <= ids


@pytest.mark.parametrize("name", ["mask", "model", "choose", "museum"])
def test_a_dark_page_gives_the_same_picture_and_stays_dark(show: Any, name: str) -> None:
    found = []
    for scheme in ("light", "dark"):
        figure = show(name, fragment=after(name), color_scheme=scheme).ready()
        file = saved(figure, "svg").read_text(encoding="utf-8")
        found.append(re.sub(r"http://127\.0\.0\.1:\d+", "", file))
        assert figure.page.evaluate("document.documentElement.dataset.theme") == scheme
    assert found[0] == found[1]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_question_is_saved_with_its_bets_and_without_its_answer(show: Any, lang: str) -> None:
    for options in ({}, PHONE):
        figure = show("arrows", lang, **options).ready()
        file = saved(figure, "svg")
        assert (
            file.name
            == f"attention-arrows-{figure.page.evaluate('document.documentElement.lang')}.svg"
        )
        own, said = words("arrows"), texts(ElementTree.parse(file).getroot())
        joined = "".join(said.split())
        for letter, option in zip("ABC", own["options"], strict=True):
            assert "".join(f"{letter}{option}".split()) in joined
            assert f" {letter} " in said  # the bet's place in the picture
        assert "".join(own["predict"].split()) in joined
        right = own["replies"][FIGURES["arrows"].prediction.right]
        assert "".join(right.split())[:12] not in joined


def test_the_script_comes_with_the_first_press_and_the_keyboard_presses_as_well(
    show: Any, visit: Any
) -> None:
    figure = show("mask", new=True, viewport={"width": 1000, "height": 800}).ready().open_fold()
    loaded = [address for address in visit.requests if address.endswith("/still.js")]
    assert loaded == []
    button = figure.element.locator('[data-save="svg"]')
    button.focus()
    with figure.page.expect_download():
        figure.page.keyboard.press("Enter")
    assert [address for address in visit.requests if address.endswith("/still.js")] != []


def test_a_script_that_does_not_come_is_told_and_asked_for_again(show: Any, visit: Any) -> None:
    figure = show("mask", new=True, viewport={"width": 1000, "height": 800}).ready().open_fold()
    figure.page.route("**/still.js", lambda route: route.abort())
    button = figure.element.locator('[data-save="svg"]')
    button.click()
    expect(button).to_have_text(words("frame")["picture_failed"])
    expect(figure.element.locator(".attn-announcement")).to_have_text(
        words("frame")["picture_failed"]
    )
    visit.errors.clear()  # the browser logs the request that failed
    figure.page.unroute("**/still.js")
    saved(figure, "svg")
