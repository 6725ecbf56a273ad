"""
A bundle as one zip file, which is a small site: unpacked, served and opened, it says whether it is whole.

For machines without a network. The same input gives the same bytes.
"""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path
from typing import Any, Final

from weighbridge.bundle import CODINGS, BundleError, write_bundle

#: The page that shows it, beside the folder of the bundle.
PAGE: Final = Path(__file__).resolve().parent / "offline"

#: The folder of the bundle in the zip.
FOLDER: Final = "weighbridge"

#: The one date that a zip can begin with.
EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def write_archive(
    out: Path, catalog_dir: Path | None = None, assets: Path | None = None
) -> dict[str, Any]:
    """
    Write a bundle into the zip file ``out``, and return its manifest.

    The arguments and the errors are those of :func:`weighbridge.bundle.write_bundle`.
    A file that stands there is replaced once the new one is whole.
    """
    if out.is_dir():
        raise BundleError(str(out), "is a folder", "Name a file")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / FOLDER
        manifest = write_bundle(folder, catalog_dir, assets)
        files = {path.relative_to(scratch).as_posix(): path for path in folder.rglob("*")}
        files |= {path.name: path for path in PAGE.iterdir()}
        out.parent.mkdir(parents=True, exist_ok=True)
        part = out.with_name(f"{out.name}.part")
        with zipfile.ZipFile(part, "w") as archive:
            for name in sorted(files):
                if files[name].is_file():
                    archive.writestr(_entry(name), files[name].read_bytes())
        part.replace(out)
    return manifest


def _entry(name: str) -> zipfile.ZipInfo:
    found = zipfile.ZipInfo(name, EPOCH)
    is_packed = name.endswith(CODINGS)
    found.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
    # A file that its owner may write and anybody read.
    found.external_attr = 0o100644 << 16
    return found
