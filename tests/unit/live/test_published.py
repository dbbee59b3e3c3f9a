"""A figure in a notebook leads to the same state on its published page."""

import re
from email.message import Message
from importlib.metadata import PackageNotFoundError

import pytest

import attn_lib
from attn_lib.language import LANGUAGES, words
from attn_lib.live.figures import FIGURES, explore
from attn_lib.live.host import page, published

SITE = "https://book.example/"
LINK = re.compile(r'<a class="attn-button attn-published" ([^>]*)>([^<]*)</a>')


@pytest.fixture
def package(monkeypatch):
    """The installed package, which states two addresses."""
    stated = Message()
    stated["Project-URL"] = "Source, https://code.example/attention, really"
    stated["Project-URL"] = f"Homepage, {SITE}"
    monkeypatch.setattr(published, "metadata", lambda _name: stated)
    return stated


def link_of(explorer):
    """The attributes of the link in the widget, and its words; None where there is none."""
    found = LINK.search(explorer._figure_view.html)
    return found and (found[1], found[2])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_widget_leads_to_the_page_of_its_language_and_state(package, lang):
    attn_lib.set_language(lang)
    attributes, text = link_of(explore("mask", len=[0, 3], fill="1e6"))
    address = f"{SITE}{lang}/masked-softmax.html#mask?len=0,3&amp;fill=1e6"
    assert attributes == f'href="{address}" target="_blank" rel="noopener"'
    assert text == words("frame")["open_page"]


def test_the_page_itself_has_no_such_link(package):
    figure = FIGURES["mask"]
    html = page.render(figure, figure.state(), figure.compute(figure.state()))
    assert "attn-published" not in html
    assert SITE not in html


def test_without_an_address_there_is_no_link(package, monkeypatch):
    del package["Project-URL"]
    assert link_of(explore("mask")) is None

    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(published, "metadata", missing)
    assert published.site() is None
    assert link_of(explore("mask")) is None
