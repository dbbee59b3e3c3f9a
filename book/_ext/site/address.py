"""Where the site is published: one address, from which all others derive."""

from urllib.parse import urlsplit

from sphinx.config import Config


def of_site(config: Config) -> str:
    """At `html.baseurl` of `_config.yml`, else on the repository's Pages; ends with a slash."""
    return of(config.html_baseurl, config.html_theme_options["repository_url"])


def of(given: str | None, repository: str) -> str:
    """The address that is given, else that of the repository's Pages; ends with a slash."""
    return f"{(given or on_pages(repository)).rstrip('/')}/"


def on_pages(repository: str) -> str:
    """The address at which GitHub publishes a repository."""
    owner, name = urlsplit(repository).path.strip("/").split("/")[:2]
    return f"https://{owner}.github.io/{name}/"
