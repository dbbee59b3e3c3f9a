"""Record that a translation follows the English text as it stands now."""

from pathlib import Path

from book._tools import notebooks
from book._tools.editions.read import (
    ENGLISH,
    join_front_matter,
    page,
    read_cells,
    source_hash,
    split_front_matter,
)


def stamp(path: Path, cells: set[str] | None = None) -> list[str]:
    """Record that texts of a translated page follow the present English ones.

    Args:
        path: The translated page.
        cells: The ids of the cells to stamp; all of them if None.

    Returns:
        The ids of the cells whose stamp has changed.

    Raises:
        ValueError: The page is the English one, or has no cell of a name in `cells`.
    """
    english = page(ENGLISH, path.name)
    if path.resolve() == english.resolve():
        raise ValueError(f"path must be a translated page. Got {path}, the source of the others.")
    own = {cell.id: cell.stamp for cell in read_cells(path)}
    if unknown := (cells or set()) - own.keys():
        raise ValueError(
            f"cells must be ids of cells in {path}. It has no {', '.join(sorted(unknown))}."
        )
    current = {
        cell.id: source_hash(cell.passage)
        for cell in read_cells(english)
        if (cell.has_words if cell.kind == "code" else cell.passage)
        and (cells is None or cell.id in cells)
    }
    stamped = [name for name, old in own.items() if current.get(name, old) != old]
    if not stamped:
        return []
    if path.suffix == ".md":
        front, body = split_front_matter(path.read_text(encoding="utf-8"))
        text = join_front_matter(front | {"i18n": {"source": current["page"]}}, body)
    else:
        notebook = notebooks.read(path)
        for cell in notebook.cells:
            if cell.id in current:
                cell.metadata["i18n"] = {"source": current[cell.id]}
        text = notebooks.serialise(notebook)
    path.write_text(text, encoding="utf-8")
    return stamped
