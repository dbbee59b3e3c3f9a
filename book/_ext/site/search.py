"""The search index: Pagefind reads the finished site and keeps one index for each <html lang>.

The theme's own search would come from Sphinx, which knows neither Vietnamese nor Korean and finds
no Chinese word without a segmenter. `book/_static/search.js` asks this index.

Pagefind finds words by their beginning, and long ones not always. `attn_lib.masked_softmax(X)` is
one word to it, which does not begin with `masked_softmax`; and where a Chinese word ends, Pagefind
and the browser, which cuts the question, do not always agree. So it reads a copy of each page that
is cut before the dot inside a name and the bracket behind it, and on both sides of each Chinese
character. `search.js` cuts questions in the same way, and joins again what it shows.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from sphinx.errors import SphinxError

from book._ext.editions.languages import EDITIONS

# Formulas and figures would fill the excerpts with TeX and digits.
EXCLUDED = "a.headerlink, .math, attn-explorer, .cell_output, .attn-notice, .attn-claim"
CUT = " \u2063"  # a space that `search.js` can tell from those of the page
TEXT = r"(?![^<]*>)"  # not inside a tag
SPANS = "(?:</?span[^>]*>)*"  # around each part of a name in code
NAME_ENDS = re.compile(rf"(?<=\w)({SPANS})(?=(?:\.{SPANS}[A-Za-z_]|\()){TEXT}")
# With its punctuation, which would join what it stands between to one word, as a tag does.
CHINESE = "[\u3000-\u303f\u4e00-\u9fff\uff01-\uffee]"
CHARACTER_ENDS = re.compile(rf"(?:(?<={CHINESE})(?=\S)|(?<=\S)(?={CHINESE})){TEXT}")
UNDETERMINED = "und"  # what Pagefind takes for Chinese it cuts into words itself
DESCRIBED = re.compile(r'<dt [^>]*id="attn_lib\.(\w+)"')


def index(site: Path) -> None:
    """Write `<site>/pagefind`, an index of the articles of all editions.

    Raises:
        SphinxError: Pagefind failed.
    """
    shutil.rmtree(site / "pagefind", ignore_errors=True)  # of an earlier build, under other names
    with TemporaryDirectory() as copies:
        folder = Path(copies)
        for edition in EDITIONS:
            for path in (site / edition.code).rglob("*.html"):
                copy = folder / path.relative_to(site)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(in_words(path.read_text(encoding="utf-8")), encoding="utf-8")
        command = [
            *(sys.executable, "-m", "pagefind", "--quiet", "--keep-index-url", "--site", copies),
            *("--output-path", str(site / "pagefind")),
            *("--root-selector", "article.bd-article", "--exclude-selectors", EXCLUDED),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SphinxError(f"pagefind failed:\n{done.stdout}{done.stderr}")
    entry = site / "pagefind" / "pagefind-entry.json"
    listed = json.loads(entry.read_text(encoding="utf-8"))
    listed["languages"]["zh-cn"] = listed["languages"].pop(UNDETERMINED)
    # It lists the languages in another order each time; the same book is to give the same bytes.
    entry.write_text(json.dumps(listed, sort_keys=True), encoding="utf-8")


def in_words(page: str) -> str:
    """The HTML of a page, cut between any two words that can be asked for.

    Of the names that it describes it says so, for `search.js` to show it before all others.
    """
    head, tag, article = page.partition("<article")
    names = f' data-pagefind-meta="names:{" ".join(DESCRIBED.findall(article))}"'
    head = head.replace(' lang="zh-CN"', f' lang="{UNDETERMINED}"')
    return head + tag + names + CHARACTER_ENDS.sub(CUT, NAME_ENDS.sub(rf"\1{CUT}", article))
