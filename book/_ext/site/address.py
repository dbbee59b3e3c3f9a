"""Where the site is published: one address, from which all others derive."""

from urllib.parse import urlsplit

from sphinx.config import Config


def of_site(config: Config) -> str:
    """At `html.baseurl` of `_config.yml`, else on the repository's Pages; ends with a slash."""
    given = config.html_baseurl or on_pages(config.html_theme_options["repository_url"])
    return f"{given.rstrip('/')}/"


def on_pages(repository: str) -> str:
    """The address at which GitHub publishes a repository."""
    owner, name = urlsplit(repository).path.strip("/").split("/")[:2]
    return f"https://{owner}.github.io/{name}/"
