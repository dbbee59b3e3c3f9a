"""`python -m book.pictures` writes every picture; with `--check` it only compares them."""

import sys

from book.pictures import FOLDER, NAMES, draw


def main(check: bool) -> int:
    """Write the pictures, or name those that differ from what their modules draw."""
    drawn = {FOLDER / f"{name}.svg": draw(name).svg() for name in NAMES}
    different = [
        path
        for path, svg in drawn.items()
        if not path.exists() or path.read_text(encoding="utf-8") != svg
    ]
    orphans = sorted(set(FOLDER.glob("*.svg")) - set(drawn))
    for path in different:
        if not check:
            path.write_text(drawn[path], encoding="utf-8")
        print(f"{path.name}: {'differs; run make pictures' if check else 'written'}")
    for path in orphans:
        print(f"{path.name}: no module draws it")
    return int(bool(orphans or (check and different)))


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv[1:]))
