"""
``weighbridge web`` writes a folder that is complete and verified, or says what to do.
"""

import gzip
import json
import shutil
from pathlib import Path

import pytest

from weighbridge import Catalog, CatalogError, bundle, cli

pytestmark = pytest.mark.browser


@pytest.fixture
def schemas(tmp_path: Path) -> Path:
    """
    A catalog of one tool, with limits of its own.
    """
    folder = tmp_path / "schemas"
    folder.mkdir()
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://example.org/greet-input.schema.json",
        "x-weighbridge-tool": "greet",
        "type": "object",
        "properties": {"name": {"type": "string", "description": "Grüße \U0001f44b"}},
        "additionalProperties": False,
    }
    (folder / "greet-input.schema.json").write_text(
        json.dumps(schema, ensure_ascii=False, indent="\t"), "utf-8"
    )
    (folder / "catalog.json").write_text(json.dumps({"limits": {"nodes": 50}}))
    (folder / "README.md").write_text("not part of it")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """
    Every file of a bundle, by name; the workbench beside it is none of it.
    """
    files = [path for path in folder.rglob("*") if path.is_file()]
    named = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
    return {name: data for name, data in named.items() if not name.startswith("workbench/")}


def test_without_a_catalog_it_is_the_built_folder(dist: Path, tmp_path: Path):
    bundle.write_bundle(tmp_path / "out", None, dist)
    assert contents(tmp_path / "out") == contents(dist)
    manifest = json.loads((dist / bundle.MANIFEST).read_text())
    assert manifest["catalog"]["digest"] == Catalog.bundled().digest


def test_with_a_catalog_only_the_catalog_the_entry_and_the_manifest_change(
    dist: Path, schemas: Path, tmp_path: Path
):
    before = contents(dist)
    manifest = bundle.write_bundle(tmp_path / "out", schemas, dist)
    after = contents(tmp_path / "out")
    changed = {name for name in after if after[name] != before.get(name)}
    name = manifest["assets"]["catalog"]["file"]
    entry = bundle.ENTRY
    assert changed == {name, f"{name}.gz", entry, f"{entry}.gz", bundle.MANIFEST}
    old = json.loads(before[bundle.MANIFEST])["assets"]["catalog"]["file"]
    assert set(before) - set(after) == {old, f"{old}.br", f"{old}.gz", f"{entry}.br"}
    assert gzip.decompress(after[f"{entry}.gz"]) == after[entry]
    assert manifest["catalog"]["digest"] == Catalog.read(schemas).digest
    assert bundle.verified(tmp_path / "out") == manifest
    assert set(manifest["files"]) == set(after) - {bundle.MANIFEST}


def test_the_packed_catalog_is_the_folders_schema_files_to_the_byte(schemas: Path):
    packed = json.loads(bundle.packed(schemas))
    assert packed["files"] == {
        path.name: path.read_text("utf-8") for path in schemas.glob("*.json")
    }


def test_writing_again_replaces_a_bundle_and_leaves_other_files_alone(
    dist: Path, schemas: Path, tmp_path: Path
):
    out = tmp_path / "out"
    bundle.write_bundle(out, schemas, dist)
    (out / "index.html").write_text("mine")
    bundle.write_bundle(out, None, dist)
    assert contents(out) == contents(dist) | {"index.html": b"mine"}


def test_a_folder_of_other_files_is_left_alone(dist: Path, tmp_path: Path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter.txt").write_text("dear")
    with pytest.raises(bundle.BundleError, match="Name a new or an empty folder"):
        bundle.write_bundle(tmp_path / "home", None, dist)
    assert contents(tmp_path / "home") == {"letter.txt": b"dear"}


def test_a_manifest_cannot_have_files_outside_the_folder_removed(dist: Path, tmp_path: Path):
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "precious.txt").write_text("kept")
    (out / bundle.MANIFEST).write_text(json.dumps({"files": {"../precious.txt": {}}}))
    bundle.write_bundle(out, None, dist)
    assert (tmp_path / "precious.txt").read_text() == "kept"


@pytest.mark.parametrize("how", ["changed", "missing"])
def test_assets_that_are_not_as_built_are_not_copied(dist: Path, tmp_path: Path, how: str):
    assets = tmp_path / "assets"
    shutil.copytree(dist, assets)
    manifest = json.loads((assets / bundle.MANIFEST).read_text())
    file = assets / manifest["assets"]["payload"]["file"]
    if how == "missing":
        file.unlink()
    else:
        data = bytearray(file.read_bytes())
        data[1000] ^= 1
        file.write_bytes(data)
    with pytest.raises(bundle.BundleError, match=f"{file.name}.*make web"):
        bundle.write_bundle(tmp_path / "out", None, assets)
    assert not (tmp_path / "out").exists()


def test_assets_of_another_version_are_not_mixed_with_this_package(dist: Path, tmp_path: Path):
    assets = tmp_path / "assets"
    shutil.copytree(dist, assets)
    manifest = json.loads((assets / bundle.MANIFEST).read_text())
    manifest["version"] = "9.9.9"
    (assets / bundle.MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(bundle.BundleError, match=r"9\.9\.9"):
        bundle.write_bundle(tmp_path / "out", None, assets)


def test_assets_of_this_version_made_of_other_modules_are_not_mixed_with_it(
    dist: Path, tmp_path: Path
):
    """
    One line changed between two builds of one version: both say 0.1.0, and may judge differently.
    """
    assets = tmp_path / "assets"
    shutil.copytree(dist, assets)
    manifest = json.loads((assets / bundle.MANIFEST).read_text())
    modules = bundle.own_modules()
    assert manifest["package"] == bundle.package_digest(modules)
    modules["weighbridge/gate.py"] += b"\n"
    manifest["package"] = bundle.package_digest(modules)
    (assets / bundle.MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(bundle.BundleError, match=r"made of other modules.*make web"):
        bundle.write_bundle(tmp_path / "out", None, assets)


def test_a_catalog_that_does_not_load_writes_nothing(dist: Path, schemas: Path, tmp_path: Path):
    (schemas / "greet-input.schema.json").write_text("{")
    with pytest.raises(CatalogError, match=r"greet-input\.schema\.json"):
        bundle.write_bundle(tmp_path / "out", schemas, dist)
    assert not (tmp_path / "out").exists()


def test_the_command_writes_it_and_says_what_it_wrote(
    dist: Path, schemas: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert cli.main(["web", str(tmp_path / "out"), "--catalog", str(schemas)]) == 0
    said = capsys.readouterr()
    assert Catalog.read(schemas).digest in said.out
    assert said.err == ""
    (tmp_path / "file").write_text("")
    assert cli.main(["web", str(tmp_path / "file")]) == 2
    said = capsys.readouterr()
    assert "is a file. Name a folder." in said.err
    assert said.out == ""


def test_where_nothing_is_built_the_cure_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """
    As in an installed package that came without the built page side.
    """
    monkeypatch.setattr(bundle, "__file__", str(tmp_path / "lib" / "weighbridge" / "bundle.py"))
    with pytest.raises(bundle.BundleError, match="make web"):
        bundle.built()
