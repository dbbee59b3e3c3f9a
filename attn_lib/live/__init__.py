"""The live figures: a picture that answers the reader's hand, on a page and in Jupyter.

`figures` has them, a folder each; `host` is what they share in Python and `front` what they share
in the browser, its modules called as their twins in `host`; `words` are those around every figure.
"""
