"""What is around the pages: their frame, addresses, styles, letters, previews and the search."""
