"""
One zip file is a small site: served from its own folder on any machine, it loads and judges.
"""

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.serving import folder, opened, serve
from weighbridge import Catalog, archive, bundle, cli

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def zipped(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("archive") / "new" / "weighbridge.zip"
    archive.write_archive(out, None, dist)
    return out


@pytest.fixture(scope="module")
def unpacked(zipped: Path) -> Path:
    with zipfile.ZipFile(zipped) as packed:
        packed.extractall(zipped.parent / "unpacked")
    return zipped.parent / "unpacked"


def test_it_holds_the_bundle_and_a_page_beside_it(unpacked: Path, dist: Path):
    manifest = bundle.verified(unpacked / archive.FOLDER)
    assert manifest == json.loads((dist / bundle.MANIFEST).read_text())
    inside = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*.*")}
    named = {f"{archive.FOLDER}/{name}" for name in (*manifest["files"], bundle.MANIFEST)}
    assert inside == {*named, "index.html", "index.js"}


def test_the_same_bundle_gives_the_same_bytes(zipped: Path, dist: Path, tmp_path: Path):
    again = tmp_path / "again.zip"
    archive.write_archive(again, None, dist)
    assert again.read_bytes() == zipped.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["again.zip"]


def test_its_page_loads_the_gate_under_a_strict_policy_and_says_so(
    browser: Browser, unpacked: Path
):
    site = folder("/tools/", unpacked)

    def index(path: str):
        return site("/tools/index.html") if path == "/tools/" else None

    with serve(index, site) as served, opened(browser, f"{served.url}/tools/") as seen:
        seen.page.get_by_text("Ready").wait_for()
        catalog = Catalog.bundled()
        assert seen.page.get_by_role("status").inner_text() == f"Ready: catalog {catalog.digest}."
        assert seen.page.get_by_role("listitem").all_inner_texts() == list(catalog.tools)
        assert seen.said == []


def test_its_page_names_the_file_that_was_changed_on_the_way(
    browser: Browser, unpacked: Path, tmp_path: Path
):
    shutil.copytree(unpacked, tmp_path / "site")
    inside = tmp_path / "site" / archive.FOLDER
    payload = inside / bundle.verified(inside)["assets"]["payload"]["file"]
    payload.write_bytes(payload.read_bytes()[:-1] + b"?")
    with serve(folder("/", tmp_path / "site")) as served:
        with opened(browser, f"{served.url}/index.html") as seen:
            seen.page.get_by_text("Cure").wait_for()
            assert payload.name in seen.page.get_by_role("status").inner_text()


def test_opened_as_a_file_it_says_what_to_do(browser: Browser, unpacked: Path):
    with opened(browser, (unpacked / "index.html").as_uri()) as seen:
        seen.page.wait_for_load_state("load")
        assert "python -m http.server" in seen.page.get_by_role("status").inner_text()


def test_the_command_writes_it_where_the_name_is_a_zip_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert cli.main(["web", str(tmp_path / "kit.zip")]) == 0
    assert "Unpack it" in capsys.readouterr().out
    with zipfile.ZipFile(tmp_path / "kit.zip") as packed:
        assert packed.testzip() is None
    (tmp_path / "folder.zip").mkdir()
    assert cli.main(["web", str(tmp_path / "folder.zip")]) == 2
    assert "is a folder. Name a file." in capsys.readouterr().err
