"""Minifies the pages' scripts: comments and blank space go.

A page's script is the module as it stands in the tree, without its comments and its indentation:
two fifths of its bytes, compressed. Names and line breaks stay, so that what a browser reports can
be found again.
"""

from pygments.lexers.javascript import JavascriptLexer
from pygments.token import Comment, String

_LEXER = JavascriptLexer()


def without_comments(script: str) -> str:
    """The script less its comments and what is blank beside a line break or another blank."""
    kept = ["\n"]
    for _, kind, text in _LEXER.get_tokens_unprocessed(script):
        if kind not in Comment and (kind in String or text.strip()):
            kept.append(text)
        elif "\n" in text and kept[-1].isspace():
            kept[-1] = "\n"
        elif text and not kept[-1].isspace():
            kept.append("\n" if "\n" in text else " ")
    return "".join(kept).lstrip()
