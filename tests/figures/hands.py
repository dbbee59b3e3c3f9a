"""What a reader has at hand: a window or a phone, a mouse or a finger."""

from dataclasses import dataclass
from typing import Any

import pytest
from figures import LiveFigure
from playwright.sync_api import CDPSession
from reader import LANGUAGES

Window = dict[str, Any]
WIDE: Window = {"viewport": {"width": 1280, "height": 900}}
PHONE: Window = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
WINDOWS = pytest.mark.parametrize("window", [WIDE, PHONE], ids=["wide", "phone"])
# Where words need room: each language on a phone, and wide, where there is more, the longest one.
LOOKS = pytest.mark.parametrize(
    ("lang", "window"),
    [("vi", WIDE), *((lang, PHONE) for lang in LANGUAGES)],
    ids=["vi-wide", *(f"{lang}-phone" for lang in LANGUAGES)],
)


@dataclass
class Mouse:
    figure: LiveFigure

    def down(self, x: float, y: float) -> None:
        self.figure.page.mouse.move(x, y)
        self.figure.page.mouse.down()

    def move(self, x: float, y: float) -> None:
        self.figure.page.mouse.move(x, y, steps=4)

    def up(self) -> None:
        self.figure.page.mouse.up()


class Finger:
    """Touches as the browser gets them from a screen: it may decide to scroll instead."""

    def __init__(self, figure: LiveFigure) -> None:
        self.page = figure.page
        self.session: CDPSession = figure.page.context.new_cdp_session(figure.page)
        self.at = (0.0, 0.0)

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
        # The browser hands touches to the page once a frame.
        self.page.wait_for_timeout(40)

    def down(self, x: float, y: float) -> None:
        self.at = (x, y)
        self._send("touchStart", self.at)

    def move(self, x: float, y: float) -> None:
        fromx, fromy = self.at
        for share in (0.1, 0.25, 0.5, 0.75, 1):
            self._send("touchMove", (fromx + share * (x - fromx), fromy + share * (y - fromy)))
        self.at = (x, y)

    def up(self) -> None:
        self._send("touchEnd")
