"""multilingual-e5-small, a model that other people trained and use, read by attn_lib's attention.

``excerpt`` reads the stored weights, ``cut`` cuts a text into pieces, ``model`` is the network,
``bugs`` breaks it on purpose, ``changed`` lets it weigh otherwise, ``search`` has eighty sentences,
which look for their translations.

The weights are no part of this package: they lie in the book's repository, under ``book/models``.

    >>> from attn_lib.examples import e5
    >>> len(e5.sentences("ko")), e5.BUGS
    (20, ('places', 'scale', 'pad', 'cut'))

Source:
    Wang et al. (2024), Multilingual E5 Text Embeddings: A Technical Report.
"""

from attn_lib.examples.e5.bugs import BUGS, planted
from attn_lib.examples.e5.changed import changed
from attn_lib.examples.e5.cut import cut
from attn_lib.examples.e5.excerpt import Excerpt
from attn_lib.examples.e5.model import E5, load
from attn_lib.examples.e5.search import LANGUAGES, search, sentences, translations_found

__all__ = [
    "BUGS",
    "E5",
    "LANGUAGES",
    "Excerpt",
    "changed",
    "cut",
    "load",
    "planted",
    "search",
    "sentences",
    "translations_found",
]
