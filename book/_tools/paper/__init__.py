"""The book on paper: each edition of the built site as one PDF.

    built pages ─ pages ──> one page with all chapters, its links pointing into itself
    live figures ─ stills ─> what a reader sees of them: the first state and the surprising case
    both ─ press ─────────> a PDF, printed twice: the first one gives the page numbers

`python -m book._tools.paper` makes all of it, as `make pdf` does.
"""
