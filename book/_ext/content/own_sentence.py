"""The directive `own-sentence`: a field that shows what a real model looks at in a typed sentence.

The script `_static/sentence/sentence.js` shows the field and fetches the weights when its button is
pressed. What the directive holds stands below the field, and alone where there is no script, as
in Jupyter and on a page from a disk.
"""

import json
from html import escape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from attn_lib.examples.e5.excerpt import NAME
from attn_lib.language import speaking
from attn_lib.language import words as words_of
from book._ext.editions.languages import BOOK

FILE = BOOK / "models" / NAME
FIELD = """
<div class="attn-own-sentence" data-own-sentence data-weights="{file}"
 data-bytes="{bytes}" data-words="{words}" hidden>
<form>
<label for="own-sentence">{label}</label>
<input id="own-sentence" name="text" maxlength="200" autocomplete="off" placeholder="{example}">
<button>{read}</button>
</form>
<progress max="1" aria-label="{label}" hidden></progress>
<button type="button" class="attn-stop" hidden>{stop}</button>
<p role="status"></p>
<div class="attn-reading" hidden>
<div class="attn-all-heads"><canvas role="img" aria-label="{maps}"></canvas></div>
<div>
<label>{layer} <input type="range" min="1" max="12" value="3"></label>
<label>{head} <input type="range" min="1" max="12" value="7"></label>
<p aria-live="polite"></p>
<ol></ol>
</div>
</div>
</div>
"""


class OwnSentence(SphinxDirective):
    """The field, and its content below."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Make the field in the language of the edition."""
        with speaking(self.config.attn_edition):
            figure = words_of("model")
        words = figure["own"]
        said = {
            **{name: escape(text) for name, text in words.items()},
            "layer": figure["controls"]["l"]["label"],
            "head": figure["controls"]["h"]["label"],
        }
        size = FILE.stat().st_size
        html = FIELD.format(
            **said | {"read": said["read"].format(size=round(size / 1e6))},
            file=NAME,
            bytes=size,
            words=escape(json.dumps(words, ensure_ascii=False)),
        )
        return [nodes.raw("", html, format="html"), *self.parse_content_to_nodes()]


def setup(app: Sphinx) -> None:
    """Add the directive."""
    app.add_directive("own-sentence", OwnSentence)
