"""Stands for `typing` on the page, whose Python reads no annotations."""

Any = object
