"""Each edition as an EPUB, for readers of books: `make epub`.

Its source is that of the PDF, the built pages (`paper.pages`). Figures stand in it as the pictures
that the page itself saves, formulas as MathML, solutions at the end. Pandoc writes the file.
"""
