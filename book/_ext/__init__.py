"""The Sphinx extension that makes four editions, and a page to choose one, out of one book.

`jupyter-book build .` reads `_config.yml` twice over. In the root build (`attn_edition` is empty)
`landing` writes the page that offers four languages; when that build is finished, `builds` runs
one child build for each language and `search` indexes the finished site. Three folders:

- `editions/`, the languages: `catalogues` holds all words of both builds, `translation` lays out
  the pages of an edition, `passages` gives a notice to what is not up to date.
- `content/`, what stands on a page: `maths` sets formulas, `ids` keeps each id once, `folds` makes
  the closed boxes, `exercises` lays out the titles of exercises, `judged` gives some a field for
  code, `colours` writes code, `pictures` puts the drawn pictures into the page, `live` a figure,
  `lessons` makes the plan of a lesson and its slides, `exhibits` the pages of the bug museum,
  `own_sentence` a field for the real model,
  `questions` gives the chapters their signs and the first page its list of them, `tabs` shows one
  of several, `glossary` writes the list of terms, `names` that of the library's names, `scores` the
  atlas of all scores, `citation` how to cite the book, `claims` leads from a sentence to its
  evidence, `downloads` leads to its PDF, its archive and its library, `references` cites others as
  each language does, `typography` says where no line may break, `promise` which half of a title
  stands on a line of its own.
- `site/`, what is around it: `page` gives every page its language switcher and its words, `assets`
  puts the editions together to a site, with one style sheet (`styles`), the letters it needs
  (`fonts`), `scripts`, and `judges` with a Python; `anywhere` gives readers notebooks that
  need no repository; `findable` and `cards` say to others what is there, `address` where, and
  `texts` gives the book as Markdown and flash cards.
"""

from sphinx.application import Sphinx

from book._ext.content import (
    citation,
    claims,
    colours,
    downloads,
    exercises,
    exhibits,
    folds,
    glossary,
    ids,
    judged,
    lessons,
    live,
    maths,
    names,
    own_sentence,
    pictures,
    promise,
    questions,
    references,
    scores,
    tabs,
    typography,
)
from book._ext.editions import builds, catalogues, passages
from book._ext.site import anywhere, assets, landing, page


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect each module to the events it needs."""
    app.add_config_value("attn_edition", "", "env", str)
    frame = page if app.config.attn_edition else landing
    written = (folds, glossary, names, citation, claims, references, scores, tabs)
    blocks = (
        *written,
        colours,
        downloads,
        exercises,
        exhibits,
        judged,
        lessons,
        live,
        own_sentence,
        pictures,
    )
    text = (passages, typography, promise, questions)
    for module in (catalogues, assets, anywhere, maths, ids, *blocks, *text, frame, builds):
        module.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
