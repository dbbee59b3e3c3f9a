"""Count again which score changes today's models use, for the page `scores`: `make census`.

Takes the unpacked source of a release of transformers, reads its model files and stores what it
finds in `book/atlas/census.json`. Prints what has moved since the last time, of new models the
lines that look like a change of the score, to be read by hand, and how often it agrees with the
labels.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from book.atlas import census
from book.atlas.census import labels


def main(arguments: list[str] | None = None) -> int:
    """Take the census named on the command line."""
    parser = argparse.ArgumentParser(prog="make census", description=__doc__.splitlines()[0])
    parser.add_argument("models", type=Path, help="a folder transformers/models")
    parser.add_argument("release", help="the release that it is of, such as 'transformers 5.24.0'")
    given = parser.parse_args(arguments)
    if not list(given.models.glob("*/modeling_*.py")):
        parser.error(f"{given.models} has no model files. Unpack a wheel of transformers there.")
    old = census.stored() if census.STORED.exists() else None
    try:
        new = census.taken(given.models, given.release)
    except (OSError, ValueError) as error:
        print(f"The rows of the atlas do not fit this release: {error}", file=sys.stderr)
        return 1
    for line in census.differences(old, new, given.models) if old else ():
        print(line)
    for line in _agreement(new):
        print(line)
    census.STORED.write_text(new.json(), encoding="utf-8")
    print(f"{len(new.files)} model files; stored in {census.STORED.name}. Next: make pictures")
    return 0


def _agreement(counted: census.Census) -> Iterator[str]:
    """Precision and recall against the labels, and what differs."""
    for half, questions in counted.checked.items():
        for question, (right, wrong, missed) in questions.items():
            precision, recall = f"{right}/{right + wrong}", f"{right}/{right + missed}"
            yield f"labels {half}: {question}: precision {precision}, recall {recall}"
    answers = {name: file["ideas"] for name, file in counted.files.items()}
    for name, differ in labels.errors(answers, labels.labels()).items():
        yield f"labels: {name}: {', '.join(sorted(differ))}"


if __name__ == "__main__":
    sys.exit(main())
