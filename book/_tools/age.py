"""Say when the built site is older than its sources, for whatever is about to look at it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ("book", "attn_lib", "_config.yml", "requirements.txt")
# What lies among the sources and is no part of a page.
NOT_BUILT = ("book/_tools/",)


def present(root: Path, *folders: str) -> list[str]:
    """Return the files of a tree that git has or would take, all or those in some folders."""
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *folders]
    names = subprocess.run(asked, cwd=root, check=True, capture_output=True, text=True).stdout
    return sorted(name for name in names.split("\0") if (root / name).is_file())


def newer(site: Path, root: Path = ROOT) -> list[str]:
    """Return the sources, tracked or new, that have changed since the site was built."""
    built = site.stat().st_mtime
    return [
        name
        for name in present(root, *SOURCES)
        if (root / name).stat().st_mtime > built and not name.startswith(NOT_BUILT)
    ]


def main() -> None:
    """Warn on the command line; the old site is still shown."""
    if changed := newer(ROOT / "_build/html/index.html"):
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        print(
            f"The site in _build/html is older than {changed[0]}{more}: what follows is about the "
            "old site. `make book` builds it anew.",
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()
