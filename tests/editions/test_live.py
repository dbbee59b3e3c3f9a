"""A figure that a notebook keeps by name and state is drawn by the build."""

from types import SimpleNamespace

import pytest
from myst_nb.core.render import get_mime_priority, load_mime_renders

import attn_lib
from attn_lib.language import speaking
from attn_lib.live.figures import FIGURES
from attn_lib.live.host import page
from attn_lib.live.host.stored import MIME, stored
from book._ext.content import live


@pytest.fixture
def environment():
    read = []
    return SimpleNamespace(note_dependency=read.append, read=read)


def handled(environment, mime, content):
    renderer = SimpleNamespace(renderer=SimpleNamespace(sphinx_env=environment))
    return live.FigureOutput.handle_mime(
        renderer, SimpleNamespace(mime_type=mime, content=content), False
    )


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_a_notebook_keeps_is_the_figure_on_its_page(environment, language):
    mask = FIGURES["mask"]
    state = mask.state(len=[0, 3], fill="zero")
    with speaking(language):
        kept = stored(mask, state, mask.compute(state))[MIME]
        expected = page.render(mask, state, mask.compute(state))
    [drawn] = handled(environment, MIME, kept)
    assert drawn.astext() == expected
    assert 'data-start="#mask?len=0,3&amp;fill=zero"' in expected
    assert attn_lib.get_language() == "en"


def test_the_page_is_read_again_when_the_figure_changes(environment):
    live.draw("mask", {}, "en", environment)
    names = {path.rpartition("attn_lib/live/")[2] for path in environment.read}
    assert {
        "figures/mask/__init__.py",
        "figures/mask/ko.json",
        "figures/mask/body.html",
        "host/page.py",
        "host/templates/frame.html",
        "words/en.json",
    } <= names
    assert not any("figures/heads" in name or name.endswith(".js") for name in names)


def test_other_outputs_are_left_alone_and_the_figure_comes_first(environment):
    assert handled(environment, "text/html", "<b>1</b>") is None
    for _ in range(2):
        live.setup(SimpleNamespace(add_directive=lambda *_: None))
    assert load_mime_renders().count(live.FigureOutput) == 1
    assert get_mime_priority("html", [])[0] == MIME
