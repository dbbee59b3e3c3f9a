"""The Sphinx extension that makes four editions, and a page to choose one, out of one book.

`jupyter-book build .` reads `_config.yml` twice over. In the root build (`attn_edition` is empty)
`landing` writes the page that offers four languages; when that build is finished, `editions` runs
one child build for each language and `search` indexes the finished site. In a child build
(`attn_edition` is "ko", say) `page` gives every page its language switcher and scripts, `passages`
a notice to what is not up to date, `glossary` writes the list of terms, `folds` the closed boxes,
`pictures` puts the drawn pictures into the page, `typography` says where no line may break.
`catalogues` holds all words of both builds, `assets` the files that pages load.
"""

from sphinx.application import Sphinx

from book._ext import (
    assets,
    catalogues,
    editions,
    folds,
    glossary,
    landing,
    page,
    passages,
    pictures,
    typography,
)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect each module to the events it needs."""
    app.add_config_value("attn_edition", "", "env", str)
    frame = page if app.config.attn_edition else landing
    for module in (
        catalogues,
        assets,
        folds,
        glossary,
        passages,
        pictures,
        typography,
        frame,
        editions,
    ):
        module.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
