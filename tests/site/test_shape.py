"""The limits of a chapter, and that what measures them can see.

A chapter is held to them if its notebook has a cell `picture`; `make measure` says for every page
whether it is.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from book._tools.browser import served
from book._tools.measure import Shape, is_limited, measure, table
from book._tools.notebooks import BOOK

LIMITED = [path.stem for path in sorted(BOOK.glob("en/*.ipynb")) if is_limited(path.stem)]

PAGE = """<!doctype html><html><body style="margin: 0"><style>pre { overflow: auto }</style>
<div style="height: 1000px"></div><article>
<h1>Three words here<a class="headerlink">#</a></h1>
<div class="question admonition"><p>About what? Time about 15 minutes</p></div>
<p>One <span class="math">\\(a + b\\)</span> – two, <code>print(x)</code>.</p>
<div class="math">\\[a + b\\]</div>
<div class="cell"><details class="attn-fold attn-code"><summary>Code</summary>
<div class="cell_input"><div class="highlight"><pre>import torch, or rather something long</pre>
</div></div></details></div>
<svg class="attn-picture"><text>seven</text></svg>
<attn-explorer style="display: block; width: 400px">Not a word</attn-explorer>
<div class="cell"><div class="cell_input"><div class="highlight"><pre>a = 1

b = 2
</pre></div></div>
<div class="cell_output"><div class="highlight"><pre>{long}</pre></div></div></div>
<div class="exercise"><p>Count words.</p></div>
<details class="solution attn-fold"><summary><span>Solution</span></summary><p>Two.</p></details>
<details class="curious attn-fold"><summary><h3>A proof</h3></summary><p>Read it.</p>
<div class="exercise"><p>More.</p></div>
<details class="solution attn-fold"><summary>Solution</summary><p>No more.</p></details>
<div class="highlight"><pre>c = 3</pre></div></details>
</article></body></html>
"""
GOOD = Shape(
    page="page",
    limited=True,
    core=1700,
    curious=400,
    answers=500,
    code=40,
    longest=76,
    exercises=4,
    stated=30,
    pixels=9000,
    figure=1500,
    pictures=1,
    sideways=0,
)


@pytest.fixture(scope="module")
def site_of_one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    (folder / "page.html").write_text(PAGE.replace("{long}", "x" * 100), encoding="utf-8")
    return folder


def test_a_page_is_measured_as_its_reader_meets_it(chromium: Browser, site_of_one: Path) -> None:
    with served(site_of_one) as site:
        shape = measure(chromium, site, "page", limited=False)
    assert shape.core == 3 + 6 + 4 + 2
    assert (shape.curious, shape.answers) == (5, 2 + 3)
    assert (shape.code, shape.longest, shape.exercises) == (2, 38, 1)
    assert (shape.stated, shape.minutes) == (15, 5)
    assert 1000 < shape.figure < shape.pixels
    assert (shape.pictures, shape.sideways) == (1, 40)


def test_minutes_are_rounded_up_to_five() -> None:
    assert GOOD.minutes == 30  # 10 for words, 5 for code, 12 for exercises
    assert replace(GOOD, core=170, code=0, exercises=3).minutes == 10
    assert replace(GOOD, core=180, code=0, exercises=3).minutes == 15


def test_a_chapter_within_the_limits_has_no_fault() -> None:
    assert GOOD.faults == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"core": 2451, "stated": 35}, "2451 words outside boxes; 2450 at most"),
        ({"pixels": 14_001}, "14001 px high at 1280; 14000 at most"),
        ({"figure": 1801}, "the figure begins at 1801 px; 1800 at most"),
        ({"figure": None}, "the figure begins at None px; 1800 at most"),
        ({"longest": 77}, "a line of code has 77 characters; 76 at most"),
        ({"pictures": 0}, "no picture"),
        ({"sideways": 40}, "40 px too wide for a phone of 360"),
        ({"stated": 25}, "the box says 25 minutes; they are 30"),
        ({"stated": None}, "the box says None minutes; they are 30"),
    ],
)
def test_each_limit_that_is_broken_is_named(change: dict[str, int], fault: str) -> None:
    broken = replace(GOOD, **change)
    assert broken.faults == [fault]
    assert table([broken]).splitlines()[-1] == f"page: {fault}"


@pytest.mark.parametrize("page", LIMITED)
def test_a_chapter_keeps_its_shape(chromium: Browser, site: str, page: str) -> None:
    assert measure(chromium, f"{site}/en", page, limited=True).faults == []
