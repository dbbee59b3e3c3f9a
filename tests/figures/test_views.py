"""A live figure in a notebook, without the notebook: the script of its widget in a browser."""

import pytest
from playwright.sync_api import Browser, expect
from reader import until

from attn_lib.live.figures import FIGURES, explore
from attn_lib.live.host import bundle


# Those whose drawings have patterns, which go by a name.
@pytest.mark.parametrize("name", ["mask", "race", "sparse", "position"])
def test_two_views_share_no_id_and_ask_nothing_in_a_state_of_ones_own(
    chromium: Browser, name: str
) -> None:
    page = chromium.new_page()
    page.set_content("<div></div><div></div>")
    explorer = explore(name, **FIGURES[name].tries[0])
    script = bundle.widget(name).replace("export default", "window.widget =")
    page.add_script_tag(content=script, type="module")
    until(page, "window.widget !== undefined")
    page.evaluate(
        """(sent) => {
          const model = { get: (name) => sent[name], on() {}, off() {}, send() {} };
          for (const el of document.querySelectorAll("div")) window.widget.render({ model, el });
        }""",
        {"html": explorer._figure_view.html, "view": explorer._figure_view.view},
    )
    ids = page.locator("div [id]").evaluate_all("(all) => all.map(({ id }) => id)")
    assert len(ids) > 4
    assert len(ids) == len(set(ids))
    for view in page.locator("body > div").all():
        for points in ("aria-labelledby", "aria-describedby", "for"):
            for reference in view.locator(f"[{points}]").all():
                assert view.locator(f"[id='{reference.get_attribute(points)}']").count() == 1
        expect(view.locator(".attn-body")).to_be_visible()
        expect(view.locator(".attn-prediction")).to_be_hidden()
    page.close()
