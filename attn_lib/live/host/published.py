"""Where the book is published: a figure in a notebook leads to the same state on its page."""

from importlib.metadata import PackageNotFoundError, metadata

from attn_lib.language import get_language
from attn_lib.live.host.figure import Figure


def site() -> str | None:
    """Return the site's address as the installed package states it, None where none does.

    It stands in `_config.yml` alone; `setup.py` carries it into the package.
    """
    try:
        stated = metadata("attn-lib").get_all("Project-URL") or []
    except PackageNotFoundError:
        return None
    urls: dict[str, str] = dict(line.split(", ", 1) for line in stated)
    return urls.get("Homepage")


def page_of(figure: Figure) -> str | None:
    """Return the address of the figure's chapter in the current language, if a site is stated."""
    address = site()
    return address and f"{address}{get_language()}/{figure.chapter}.html"
