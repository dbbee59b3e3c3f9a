"""The examples that run through the book."""
