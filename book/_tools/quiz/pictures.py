"""What each figure asks about, as a picture with its options, for the question of its bet."""

from collections.abc import Iterator

from playwright.sync_api import Browser

from attn_lib.live.figures import FIGURES
from book._tools import reload
from book._tools.paper import stills
from book._tools.workbench import Pages, address

WIDTH, HEIGHT = 740, 1000  # pixels: a figure becomes no wider


def taken(browser: Browser, language: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name of each figure and its picture while it asks, as PNG, in a language."""
    with (
        reload.serving(Pages()) as server,
        browser.new_context(
            reduced_motion="reduce", viewport={"width": WIDTH, "height": HEIGHT}
        ) as context,
    ):
        page = context.new_page()
        for name in FIGURES:
            page.goto(server.address + address(name, language))
            ready = stills.READY.format(name)
            scene = page.locator(f'{ready} [data-phase="ask"] .attn-body .attn-scene')
            scene.wait_for(timeout=stills.TIMEOUT)
            page.evaluate(stills.DRAWN)
            yield name, scene.screenshot()
