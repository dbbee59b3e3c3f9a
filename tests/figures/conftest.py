"""Live figures in a Chromium, on the bare pages of `make workbench`: no book is built for them."""

import inspect
import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browsing import *  # noqa: F403 - fixtures
from figures import LiveFigure
from hands import PHONE, Finger, Mouse
from reader import Contexts, Visit

import attn_lib
from attn_lib.live.figures import FIGURES
from book._tools import reload
from book._tools.proved import SEVERAL
from book._tools.workbench import Pages, address

USUAL = {"width": 1280, "height": 720}  # Playwright's own


def about(test: pytest.Function) -> str:
    """The figure that a test looks at, and no other; "" if there are several, or none."""
    names = set(re.findall(r'\b(?:show|pointer)\("(\w+)"', inspect.getsource(test.function)))
    params = test.callspec.params if hasattr(test, "callspec") else {}
    linked = str(params.get("link")).removeprefix("#").partition("?")[0]
    names |= {params.get("name"), linked, test.path.stem.removeprefix("test_")} & FIGURES.keys()
    return names.pop() if len(names) == 1 else ""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Function]) -> None:
    """Leave out figures that are proved (`book._tools.proved`); group the others' tests.

    With `--dist loadgroup` the tests of a figure follow one another, and its page stays open.
    """
    proved = os.environ.get("PROVED", "").split()
    left_out = [test for test in items if (about(test) or SEVERAL) in proved]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [test for test in items if test not in left_out]
    for test in items:
        test.add_marker(pytest.mark.xdist_group(about(test) or test.path.stem))


@pytest.fixture(scope="session")
def bench() -> Iterator[str]:
    """The address of the bare pages."""
    with reload.serving(Pages()) as server:
        yield server.address


@pytest.fixture(scope="module")
def stay(contexts: Contexts) -> Iterator[Callable[..., Visit]]:
    """Readers whose pages stay open from test to test: loading them is most of a test's time.

    `stay(**options)` is the one whose browser has these options.
    """
    visits: dict[str, Visit] = {}

    def reader(**options: Any) -> Visit:
        return visits.setdefault(json.dumps(options, sort_keys=True), Visit(contexts))

    yield reader
    for visit in visits.values():
        visit.close()


@pytest.fixture
def show(
    request: pytest.FixtureRequest, stay: Callable[..., Visit], visit: Visit, bench: str
) -> Iterator[Any]:
    """Open a figure: `show("mask", "ko", "#mask?len=0,3", **PHONE)`; options are the browser's.

    Where its page is open already, only the figure is made anew; with `new=True` a reader opens it
    who has just come, and `visit` tells what she has asked for.
    """
    only = about(request.node)  # whether it is proved depends on no other figure
    shown: list[Visit] = []

    def show(
        name: str, lang: str = "en", fragment: str = "", *, new: bool = False, **options: Any
    ) -> LiveFigure:
        assert only in ("", name), f"the test is filed under {only} and looks at {name}"
        attn_lib.set_language(lang)
        page = bench + address(name, lang)
        if new:
            return LiveFigure(visit(page + fragment, **options), FIGURES[name]).unfold()
        reader = stay(**options)
        shown.append(reader)
        if reader.page and reader.page.url.partition("#")[0] == page:
            reader.page.set_viewport_size(options.get("viewport", USUAL))
            return LiveFigure(reader.page, FIGURES[name]).unfold().arrive(fragment)
        return LiveFigure(reader.turn(page + fragment, **options), FIGURES[name]).unfold()

    yield show
    for reader in shown:
        reader.check()


@pytest.fixture(params=["mouse", "finger"])
def pointer(request: pytest.FixtureRequest, show: Any) -> Any:
    """Open a figure for a mouse or finger: `figure, pointer = pointer("mask", "#mask?q=1")`."""

    def open_(name: str, fragment: str = "") -> tuple[LiveFigure, Mouse | Finger]:
        if request.param == "mouse":
            figure = show(name, fragment=fragment, viewport={"width": 1280, "height": 900})
            return figure.ready(), Mouse(figure)
        figure = show(name, fragment=fragment, **PHONE)
        return figure.ready(), Finger(figure)

    return open_
