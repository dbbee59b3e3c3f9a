"""Ask every host that the built site links to whether the page is still there: `make links`.

The site's own links are held by the gate, without a network. This is for the others, once a week.
Sphinx's own link check sees what stands in the sources only, in one edition, and takes a 403 for a
dead link, which publishers answer to every program; hence this one, on top of urllib3's retries.
Each address is asked once, hosts side by side, one address of a host after the other.
"""

import argparse
import itertools
import sys
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import urllib3
import yaml
from bs4 import BeautifulSoup

from book._ext.editions.languages import ROOT
from book._ext.site import address

SITE = ROOT / "_build" / "html"
HEADERS = {
    "User-Agent": "Mozilla/5.0 (compatible; attn-links; weekly check of a book's references)",
    "Accept": "text/html,*/*;q=0.8",
}
GONE = {404, 410}
PASSING = {429, 500, 502, 503, 504}  # asked again, after what the host's Retry-After says


class Fate(Enum):
    """What became of a link."""

    DEAD = "dead"  # nobody is there, or says that the page is gone
    UNKNOWN = "unknown"  # refused to programs, too slow or out of order: look by hand
    MOVED = "moved"  # for good: the link should be changed some day
    ALIVE = "alive"


@dataclass(frozen=True)
class Answer:
    """What a host said about one address."""

    link: str
    fate: Fate
    status: str


def collect(site: Path, own: Collection[str] = ()) -> dict[str, list[str]]:
    """The pages, by each external address that they link to; addresses of `own` are left out."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in sorted(site.rglob("*.html")):
        page = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for tag in page.select("a[href]"):
            link = urldefrag(str(tag["href"])).url
            if link.startswith(("http://", "https://")) and not link.startswith(tuple(own)):
                found[link].add(path.relative_to(site).as_posix())
    return {link: sorted(pages) for link, pages in sorted(found.items())}


def own_addresses() -> list[str]:
    """What is not asked for: this repository, held by the gate, and what would run a notebook."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    repository = config["repository"]["url"]
    hosts = [config["launch_buttons"][f"{host}_url"] for host in ("binderhub", "colab")]
    return [repository, published(), *hosts]


def published() -> str:
    """Where the site is published; ends with a slash."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    return address.of(config["html"].get("baseurl"), config["repository"]["url"])


def check(links: Iterable[str], pause: float = 1.0, retries: int = 3) -> list[Answer]:
    """Ask for every link; `pause` seconds lie between two questions to one host."""
    hosts = [list(of) for _, of in itertools.groupby(sorted(links, key=_host), key=_host)]
    again = urllib3.Retry(
        total=retries + 10,
        connect=retries,
        read=retries,
        status=retries,
        redirect=10,
        backoff_factor=pause,
        status_forcelist=PASSING,
        raise_on_status=False,
    )
    pool = urllib3.PoolManager(
        headers=HEADERS, retries=again, timeout=urllib3.Timeout(connect=15, read=30)
    )

    def ask_host(of: list[str]) -> Iterator[Answer]:
        for place, link in enumerate(of):
            if place:
                time.sleep(pause)
            yield ask(pool, link)

    with ThreadPoolExecutor(8) as workers:
        return [
            answer
            for answers in workers.map(lambda of: [*ask_host(of)], hosts)
            for answer in answers
        ]


def _host(link: str) -> str:
    return urlsplit(link).netloc


def ask(pool: urllib3.PoolManager, link: str) -> Answer:
    """Ask by HEAD; where that is refused, as a reader's browser would, by GET."""
    try:
        answer = pool.request("HEAD", link, preload_content=False)
        if answer.status >= 400:
            answer.release_conn()
            answer = pool.request("GET", link, preload_content=False)
        answer.release_conn()
    except urllib3.exceptions.MaxRetryError as error:
        if isinstance(error.reason, urllib3.exceptions.NewConnectionError):
            return Answer(link, Fate.DEAD, "no such host, or nobody answers")
        return Answer(link, Fate.UNKNOWN, type(error.reason or error).__name__)
    except urllib3.exceptions.HTTPError as error:
        return Answer(link, Fate.UNKNOWN, type(error).__name__)
    if answer.status in GONE:
        return Answer(link, Fate.DEAD, str(answer.status))
    if answer.status >= 400:
        return Answer(link, Fate.UNKNOWN, str(answer.status))
    steps = [
        step
        for step in (answer.retries.history if answer.retries else ())
        if step.redirect_location
    ]
    if steps and all(step.status in {301, 308} for step in steps):
        return Answer(link, Fate.MOVED, f"{steps[0].status} to {_end(link, steps)}")
    return Answer(link, Fate.ALIVE, str(answer.status))


def _end(link: str, steps: Iterable[urllib3.util.retry.RequestHistory]) -> str:
    for step in steps:
        link = urljoin(link, step.redirect_location or "")
    return link


def report(pages: dict[str, list[str]], answers: Iterable[Answer]) -> str:
    """A table in Markdown of all links that somebody should look at, the dead ones first."""
    order = list(Fate)
    lines = ["| fate | link | answer | on |", "|:--|:--|:--|:--|"]
    for answer in sorted(answers, key=lambda a: (order.index(a.fate), a.link)):
        if answer.fate is Fate.ALIVE:
            continue
        first, *others = pages[answer.link]
        where = f"{first} and {len(others)} more" if others else first
        lines.append(f"| {answer.fate.value} | <{answer.link}> | {answer.status} | {where} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Check the built site; print the table. The status is 1 if a link is dead."""
    parser = argparse.ArgumentParser(prog="python -m book._tools.links", description=__doc__)
    parser.add_argument("--site", type=Path, default=SITE)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two questions")
    options = parser.parse_args()
    pages = collect(options.site, own_addresses())
    answers = check(pages, options.pause)
    print(report(pages, answers), end="")
    counts = {fate: sum(answer.fate is fate for answer in answers) for fate in Fate}
    print("\n" + ", ".join(f"{count} {fate.value}" for fate, count in counts.items()))
    return int(counts[Fate.DEAD] > 0)


if __name__ == "__main__":
    sys.exit(main())
