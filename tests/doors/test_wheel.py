"""
What a person gets from ``pip install`` of the built wheel.
"""

import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from tests.support.environments import Environment, environment
from tests.support.machine import ROOT

#: jsonschema and referencing, and what these two ask for on a current CPython.
EXPECTED = {
    "attrs",
    "jsonschema",
    "jsonschema-specifications",
    "referencing",
    "rpds-py",
    "weighbridge",
}

SCHEMAS = sorted(path.name for path in (ROOT / "schemas" / "mcp").iterdir())

LISTED = """
import importlib.metadata
print(*sorted(d.name.lower().replace("_", "-") for d in importlib.metadata.distributions()))
"""

IMPORTED = """
import sys
before = set(sys.modules)
import weighbridge
names = {name.partition(".")[0] for name in set(sys.modules) - before}
names -= set(sys.stdlib_module_names)
print(*sorted(names))
print(*sorted(name for name in sys.modules if name.startswith("weighbridge.")))
"""


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Environment:
    """
    An environment that holds what installing the wheel brought, and no more.
    """
    return environment("wheel", sys.executable, (str(wheel),))


def test_the_wheel_brings_jsonschema_and_referencing_and_what_they_need_and_nothing_else(installed):
    names = set(installed.run("-I", "-c", LISTED).stdout.decode().split())
    assert names - {"pip"} - {"typing-extensions"} == EXPECTED


def test_importing_the_package_imports_no_adapter_and_no_third_package(installed):
    done = installed.run("-I", "-c", IMPORTED)
    assert done.stderr == b""
    others, ours = (set(line.split()) for line in done.stdout.decode().split("\n")[:2])
    allowed = {"attr", "attrs", "jsonschema", "jsonschema_specifications", "referencing", "rpds"}
    assert others - allowed - {"typing_extensions"} == {"weighbridge"}
    adapters = {"asgi", "bundle", "cli", "mcp", "reference"}
    assert {name for name in ours if name.split(".")[1] in adapters} == set()


def test_importing_the_package_where_mcp_is_installed_still_does_not_import_it():
    probe = "import sys, weighbridge; print([m for m in ('mcp', 'starlette', 'js', 'pyodide') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True)
    assert done.stdout == b"[]\n"


def test_the_bundled_catalog_of_an_installed_wheel_is_the_published_folder(installed):
    say = "import sys, weighbridge as w; print(w.Catalog.bundled().digest, w.Catalog.read(sys.argv[1]).digest)"
    first, second = installed.run("-I", "-c", say, str(ROOT / "schemas" / "mcp")).stdout.split()
    assert first == second
    assert first.startswith(b"sha256:")


def test_the_console_script_of_the_wheel_judges_a_call(installed):
    done = subprocess.run(
        [installed.script("weighbridge"), "check", "project.list"],
        input=b"{}",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_serving_without_the_extra_names_the_extra(installed):
    done = installed.run("-I", "-m", "weighbridge", "serve")
    assert done.returncode == 2
    assert b"pip install 'weighbridge[reference]'" in done.stderr
    assert b"Traceback" not in done.stderr


def test_the_schemas_in_the_wheel_are_real_files_with_the_published_bytes(wheel):
    with zipfile.ZipFile(wheel) as archive:
        found = {
            Path(entry.filename).name: archive.read(entry)
            for entry in archive.infolist()
            if entry.filename.startswith("weighbridge/schemas/")
        }
        # The upper half of external_attr is the mode; a link would be 0o120000.
        links = [e.filename for e in archive.infolist() if e.external_attr >> 28 == 0o12]
    assert links == []
    assert sorted(found) == SCHEMAS
    for name, body in found.items():
        assert body == (ROOT / "schemas" / "mcp" / name).read_bytes()


def test_the_source_archive_builds_the_same_wheel(wheel, tmp_path):
    build = [sys.executable, "-m", "build", "--no-isolation"]
    subprocess.run([*build, "--sdist", "--outdir", tmp_path, ROOT], check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        assert [member.name for member in tar if member.issym() or member.islnk()] == []
        tar.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    subprocess.run(
        [*build, "--wheel", "--outdir", tmp_path / "again", source], check=True, capture_output=True
    )
    (again,) = (tmp_path / "again").iterdir()
    assert again.read_bytes() == wheel.read_bytes()


def test_the_wheel_asks_for_the_extras_by_name_only(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(archive.read(name))
    always = [r for r in metadata.get_all("Requires-Dist") if "extra ==" not in r]
    assert sorted(r.partition("<")[0].partition(">")[0].strip() for r in always) == [
        "jsonschema",
        "referencing",
    ]
    assert set(metadata.get_all("Provides-Extra")) == {"mcp", "reference", "web"}
