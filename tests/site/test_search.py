"""The search finds the pages that have a word, whatever the language and the way it is written."""

import csv
import inspect
import re
from functools import lru_cache
from pathlib import Path

import pytest
from built import read
from reader import LANGUAGES, ROOT, Visit

import attn_lib

# A cut that only the index has.
CUT = re.compile(r"\u2063|\w+ \.[a-z]\w+", re.IGNORECASE)
# What no excerpt can show.
NOT_INDEXED = "script, style, a.headerlink, .math, attn-explorer, .cell_output, .attn-notice"

# Ask the field of search.html one thing after the other, without its pause for those who type.
ASK = """async (queries) => {
  const input = document.querySelector(".attn-search-page input");
  const results = document.querySelector(".attn-search-page .attn-results");
  const status = results.querySelector(".attn-results__status");
  const wait = window.setTimeout;
  window.setTimeout = (act) => wait(act, 0);
  const type = (words) => { input.value = words; input.dispatchEvent(new Event("input")); };
  const found = {};
  for (const query of queries) {
    type("");
    type(query);
    for (let tries = 0; tries < 1000 && !status.textContent; tries += 1)
      await new Promise((resolve) => wait(resolve, 5));
    const links = [...results.querySelectorAll("a")];
    found[query] = {
      pages: links.map((link) => link.pathname.split("/").at(-1)),
      excerpts: [...results.querySelectorAll("li p")].map((excerpt) => excerpt.textContent),
    };
  }
  return found;
}"""


@lru_cache
def texts(folder: Path) -> dict[str, str]:
    """The prose and code of each page of an edition."""
    found = {}
    for path in folder.glob("*.html"):
        article = read(path).select_one("article.bd-article")
        for hidden in article.select(NOT_INDEXED):
            hidden.decompose()
        found[path.name] = " ".join(article.get_text().split())
    return found


def cuts(excerpts: list[str], texts: dict[str, str]) -> list[str]:
    """What looks like a cut in the excerpts and is no page's own."""
    own = " ".join(texts.values())
    return [cut for excerpt in excerpts for cut in CUT.findall(excerpt) if cut not in own]


def pages_with(term: str, texts: dict[str, str], flags: re.RegexFlag = re.IGNORECASE) -> set[str]:
    """The pages that have a term as a word or at the beginning of one; Chinese has no spaces."""
    if re.search(r"[\u4e00-\u9fff]", term):
        letters = [re.escape(letter) for letter in term if not letter.isspace()]
        begins = re.compile(r"\s?".join(letters), flags)
    else:
        begins = re.compile(rf"(?<![^\W_]){re.escape(term)}", flags)
    return {name for name, text in texts.items() if begins.search(text)}


@pytest.mark.parametrize("language", ["en", "zh"])  # words of letters, and without blanks
def test_a_public_name_finds_its_reference_and_the_chapters_that_use_it(
    visit: Visit, site: str, site_folder: Path, language: str
) -> None:
    names = [name for name in attn_lib.__all__ if not inspect.ismodule(getattr(attn_lib, name))]
    found = visit(f"{site}/{language}/search.html").evaluate(ASK, names)
    written = texts(site_folder / language)
    described = {
        name: path.name
        for path in (site_folder / language).glob("api-*.html")
        for name in re.findall(r'<dt [^>]*id="attn_lib\.(\w+)"', path.read_text(encoding="utf-8"))
    }
    failures = []
    for name in names:
        if described[name] not in found[name]["pages"][:2]:
            failures.append(f"{name}: {described[name]} is not among {found[name]['pages'][:2]}")
        if cut := cuts(found[name]["excerpts"], written):
            failures.append(f"{name}: shown as {cut}")
        if missed := pages_with(name, written, re.NOFLAG) - {*found[name]["pages"]}:
            failures.append(f"{name}: missed {sorted(missed)}")
    assert failures == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_agreed_term_finds_the_pages_that_have_it(
    visit: Visit, site: str, site_folder: Path, language: str
) -> None:
    with (ROOT / "book/terminology.csv").open(encoding="utf-8", newline="") as table:
        terms = [row[language] for row in csv.DictReader(table)]
    found = visit(f"{site}/{language}/search.html").evaluate(ASK, terms)
    written = texts(site_folder / language)
    failures = []
    for term in terms:
        expected = pages_with(term, written)
        assert expected, term
        if cut := cuts(found[term]["excerpts"], written):
            failures.append(f"{term}: shown as {cut}")
        missed = expected - {*found[term]["pages"]}
        if len(missed) > 0.05 * len(expected):
            failures.append(f"{term}: missed {len(missed)} of {len(expected)}: {sorted(missed)}")
    assert failures == []
