"""The pictures of bets for learning platforms: each figure while it asks, with its options."""

from io import BytesIO

from PIL import Image
from playwright.sync_api import Browser

from attn_lib.live.figures import FIGURES
from book._tools.quiz.pictures import taken


def test_every_figure_is_taken_while_it_asks(chromium: Browser) -> None:
    shown = dict(taken(chromium, "ko"))
    assert list(shown) == list(FIGURES)
    for name, picture in shown.items():
        image = Image.open(BytesIO(picture))
        assert image.format == "PNG"
        assert image.width > 600, name
        assert len(image.convert("RGB").getcolors(1 << 24)) > 20, name  # something is drawn
