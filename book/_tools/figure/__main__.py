"""`make figure NAME=sharp CHAPTER=scaling`."""

import argparse
import sys

from book._tools.figure import start
from book._tools.notebooks import BOOK


def main() -> int:
    """Write the folder and say what comes next."""
    parser = argparse.ArgumentParser(prog="make figure", description=__doc__)
    parser.add_argument("name")
    parser.add_argument("chapter")
    arguments = parser.parse_args()
    try:
        done = start(arguments.name, arguments.chapter, BOOK.parent)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print(*done, sep="\n")
    page = f"book/en/{arguments.chapter}.ipynb"
    print(f'It works: attn_lib.explore("{arguments.name}"). Show it in a cell of {page}, then')
    print(*(f"  make {target} FILES={page}" for target in ("notebooks", "sync", "page")), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
