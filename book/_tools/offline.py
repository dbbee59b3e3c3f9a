"""The library's wheel, and the finished site as one archive to carry away, with its checksum.

Unpacked, it opens from a disk: figures, navigation and the choice of a language work without a
server. The same site gives the same bytes.
"""

import hashlib
import shutil
import sys
import zipfile
from pathlib import Path

from book._ext.content import own_sentence
from book._ext.content.downloads import ARCHIVE, FOLDER, NAME, hold
from book._ext.editions.languages import ROOT
from book._tools import wheel

SITE = ROOT / "_build" / "html"
LEFT_OUT = {FOLDER, ".nojekyll"}  # what is downloaded alone, and what only a host needs
WEIGHTS = own_sentence.FILE.name  # no page from a disk may fetch them
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest time that the format can say


def pack(site: Path, archive: Path) -> str:
    """Write the archive of a site, and `<archive>.sha256`; return the checksum."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(site.rglob("*")):
            name = path.relative_to(site)
            left_out = name.parts[0] in LEFT_OUT and path.suffix != ".whl"
            if path.is_dir() or left_out or name.name == WEIGHTS:
                continue
            entry = zipfile.ZipInfo(f"{NAME}/{name.as_posix()}", LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, path.read_bytes())
    checksum = hashlib.sha256(archive.read_bytes()).hexdigest()
    # As `sha256sum --check` reads it.
    archive.with_name(f"{archive.name}.sha256").write_text(f"{checksum}  {archive.name}\n")
    return checksum


def main() -> int:
    """Pack the built site into its own folder `download`, which the hosted workflow publishes."""
    archive = SITE / FOLDER / ARCHIVE
    shutil.copy2(wheel.tried(), archive.parent)
    checksum = pack(SITE, archive)
    print(f"{archive.relative_to(ROOT)}: {archive.stat().st_size / 1e6:.1f} MB, sha256 {checksum}")
    hold(archive)
    return 0


if __name__ == "__main__":
    sys.exit(main())
