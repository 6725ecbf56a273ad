"""
The ``weighbridge web`` command: a bundle as a folder or as a zip file, and one line on what was written.
"""

import sys
from pathlib import Path

from weighbridge.archive import write_archive
from weighbridge.bundle import ENTRY, BundleError, write_bundle


def main(out: Path, folder: Path | None) -> int:
    """
    Write a bundle, say what was written; 0, or 2 with the cure on standard error.

    ``out`` is a folder, or a zip file where its name ends in ``.zip``.
    """
    is_zip = out.suffix == ".zip"
    try:
        manifest = (write_archive if is_zip else write_bundle)(out, folder)
    except BundleError as error:
        print(f"weighbridge: {error}", file=sys.stderr)
        return 2
    size = sum(asset["bytes"] for asset in manifest["assets"].values())
    use = (
        "Unpack it, serve what it holds, and open its index.html"
        if is_zip
        else f"Serve the folder anywhere; a page imports {ENTRY} from it"
    )
    print(
        f"wrote {out}: build {manifest['build']}, catalog {manifest['catalog']['digest']}, "
        f"{size:,} bytes to load (less when compressed). {use}."
    )
    return 0
