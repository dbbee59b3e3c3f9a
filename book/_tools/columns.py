"""Columns for reports that a terminal shows."""


def columns(rows: list[list[str]]) -> list[str]:
    """Lay out a table: the first column begins at its left, the others end at their right.

    >>> columns([["page", "words"], ["scaling", "12"]])
    ['page     words', 'scaling     12']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [row[0].ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        ).rstrip()
        for row in rows
    ]
