"""Citations speak the edition's language."""

import pytest
from pybtex.database import Entry, Person
from pybtex_docutils import Backend
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinxcontrib.bibtex.plugin import find_plugin
from sphinxcontrib.bibtex.style.referencing import format_references
from sphinxcontrib.bibtex.style.template import SphinxReferenceInfo

from book._ext.content import references

INFO = SphinxReferenceInfo(Builder, "page", "page", "id", "", "", "")
ONE, TWO, MANY = ["Rush"], ["Gal", "Ghahramani"], ["Bahdanau", "Cho", "Bengio"]


def cited(code: str, role: str, *works: list[str]) -> str:
    references.setup(Sphinx)
    style = find_plugin("sphinxcontrib.bibtex.style.referencing", references.style(code))()
    entries = [
        Entry("article", {"year": "2015"}, {"author": [Person(name) for name in names]})
        for names in works
    ]
    text = format_references(style, role, [(entry, None, INFO) for entry in entries])
    return "".join(node.astext() for node in text.render(Backend())).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ("en", ["Rush [2015]", "Gal and Ghahramani [2015]", "Bahdanau et al. [2015]"]),
        ("vi", ["Rush [2015]", "Gal và Ghahramani [2015]", "Bahdanau et al. [2015]"]),
        ("ko", ["Rush(2015)", "Gal·Ghahramani(2015)", "Bahdanau 외(2015)"]),
        ("zh", ["Rush（2015）", "Gal和Ghahramani（2015）", "Bahdanau等（2015）"]),
    ],
)
def test_a_citation_in_a_sentence(code, texts):
    assert [cited(code, "t", names) for names in (ONE, TWO, MANY)] == texts


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "[Bahdanau et al., 2015, Gal and Ghahramani, 2015]"),
        ("vi", "[Bahdanau et al., 2015, Gal và Ghahramani, 2015]"),
        ("ko", "[Bahdanau 외, 2015; Gal·Ghahramani, 2015]"),
        ("zh", "[Bahdanau等，2015；Gal和Ghahramani，2015]"),
    ],
)
def test_citations_in_brackets(code, text):
    assert cited(code, "p", MANY, TWO) == text
