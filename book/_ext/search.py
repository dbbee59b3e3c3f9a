"""The search index: Pagefind reads the finished site and keeps one index for each <html lang>.

The theme's own search would come from Sphinx, which knows neither Vietnamese nor Korean and finds
no Chinese word without a segmenter. `book/_static/search.js` asks this index.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from sphinx.errors import SphinxError

from book._ext.languages import EDITIONS

# Formulas and figures would fill the excerpts with TeX and digits.
EXCLUDED = "a.headerlink, .math, attn-explorer, .cell_output, .attn-notice"


def index(site: Path) -> None:
    """Write `<site>/pagefind`, an index of the articles of all editions.

    Raises:
        SphinxError: Pagefind failed.
    """
    shutil.rmtree(site / "pagefind", ignore_errors=True)  # of an earlier build, under other names
    editions = ",".join(edition.code for edition in EDITIONS)
    command = [
        *(sys.executable, "-m", "pagefind", "--quiet", "--keep-index-url", "--site", str(site)),
        *("--glob", f"{{{editions}}}/**/*.html"),
        *("--root-selector", "article.bd-article", "--exclude-selectors", EXCLUDED),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SphinxError(f"pagefind failed:\n{done.stdout}{done.stderr}")
    # It lists the languages in another order each time; the same book is to give the same bytes.
    entry = site / "pagefind" / "pagefind-entry.json"
    listed = json.loads(entry.read_text(encoding="utf-8"))
    entry.write_text(json.dumps(listed, sort_keys=True), encoding="utf-8")
