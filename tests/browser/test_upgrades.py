"""
A bundle is replaced under a running site: every visit ends in a right verdict or in an error that says so.

The headers are those that the docs ask for: names that hold a hash are kept for
ever, the entry is asked about each time; and everything travels as brotli.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.serving import (
    Answer,
    Seen,
    folder,
    importing,
    opened,
    page,
    serve,
    verdict_or_error,
)
from tests.support.site import Site
from weighbridge import Catalog, bundle

pytestmark = pytest.mark.browser

#: The entry and the manifest keep their names; everything else is named by content.
FOREVER = "public, max-age=31536000, immutable"


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    The next release's catalog: one tool, of the same name as one of today's.
    """
    folder = tmp_path_factory.mktemp("schemas")
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://example.org/list-input.schema.json",
        "x-weighbridge-tool": "project.list",
        "type": "object",
        "properties": {"page": {"type": "integer"}},
        "required": ["page"],
        "additionalProperties": False,
    }
    (folder / "list-input.schema.json").write_text(json.dumps(schema))
    return folder


@pytest.fixture(scope="module")
def releases(
    dist: Path, schemas: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """
    Today's bundle, and the next one, of the same build.
    """
    out = tmp_path_factory.mktemp("next")
    bundle.write_bundle(out, schemas, dist)
    return dist, out


@pytest.fixture(scope="module")
def verdicts(schemas: Path) -> tuple[str, str]:
    """
    What each release says of ``project.list`` without arguments.
    """
    both = (Catalog.bundled(), Catalog.read(schemas))
    today, following = (catalog.check_text("project.list", "{}") for catalog in both)
    assert (today.admitted, following.admitted) == (True, False)
    return today.to_json(), following.to_json()


class Deployed:
    """
    A site whose bundle can be replaced.
    """

    def __init__(self, release: Path) -> None:
        self.release = release

    def __call__(self, path: str) -> Answer | None:
        files = folder("/kit/", self.release)
        answer, packed = files(path), files(f"{path}.br")
        if answer is not None and packed is not None:
            answer = replace(packed, headers={**answer.headers, "Content-Encoding": "br"})
        kept = "no-cache" if path.endswith((bundle.ENTRY, bundle.MANIFEST)) else FOREVER
        return answer and answer.with_headers(cache_control=kept)


@contextmanager
def visited(browser: Browser, deployed: Deployed) -> Iterator[tuple[Site, Seen]]:
    with serve(page(importing("/kit/weighbridge.js")), deployed) as served:
        with opened(browser, served.url) as seen:
            yield served, seen


def names(release: Path, *roles: str) -> set[str]:
    assets = json.loads((release / bundle.MANIFEST).read_text())["assets"]
    return {f"/kit/{assets[role]['file']}" for role in roles or assets}


def test_a_first_visit_fetches_each_file_once_and_a_second_one_none(
    browser: Browser, releases: tuple[Path, Path], verdicts: tuple[str, str]
):
    """
    The page and the worker ask for the same script, and the second of them is answered by the cache.
    """
    with visited(browser, Deployed(releases[0])) as (served, seen):
        assert verdict_or_error(seen.page) == verdicts[0]
        first = [path for path in served.requests if path.startswith("/kit/")]
        assert len(first) == len(set(first))
        assert names(releases[0]) <= set(first)
        before = len(served.requests)
        seen.page.reload()
        assert verdict_or_error(seen.page) == verdicts[0]
        again = [path for path in served.requests[before:] if path.startswith("/kit/")]
        assert again == ["/kit/weighbridge.js"]


def test_the_visit_after_a_release_judges_by_it_and_fetches_only_what_changed(
    browser: Browser, releases: tuple[Path, Path], verdicts: tuple[str, str]
):
    deployed = Deployed(releases[0])
    with visited(browser, deployed) as (served, seen):
        assert verdict_or_error(seen.page) == verdicts[0]
        deployed.release = releases[1]
        before = len(served.requests)
        seen.page.reload()
        assert verdict_or_error(seen.page) == verdicts[1]
        asked = {path for path in served.requests[before:] if path.startswith("/kit/")}
        assert asked == {"/kit/weighbridge.js", *names(releases[1], "catalog")}


def test_a_page_that_stays_open_over_a_release_goes_on_with_the_files_it_has(
    browser: Browser, releases: tuple[Path, Path], verdicts: tuple[str, str]
):
    """
    Its verdicts carry the old digest, by which the server knows them.
    """
    deployed = Deployed(releases[0])
    with visited(browser, deployed) as (_, seen):
        assert verdict_or_error(seen.page) == verdicts[0]
        deployed.release = releases[1]
        assert verdict_or_error(seen.page) == verdicts[0]


def test_a_page_opened_before_a_release_that_loads_after_it_says_that_it_is_old(
    browser: Browser, releases: tuple[Path, Path]
):
    """
    It has the old entry and none of the files, and the old catalog is gone.
    """
    deployed = Deployed(releases[0])
    with visited(browser, deployed) as (_, seen):
        deployed.release = releases[1]
        error = verdict_or_error(seen.page)
    (old,), (new,) = (names(release, "catalog") for release in releases)
    assert error["code"] == "build-mismatch"
    assert error["message"].startswith(
        f"The page script asks for {Path(old).name}, and the folder, of the same build, "
        f"has {Path(new).name}. Cure: the files come from two builds: reload the page"
    )


def test_a_page_script_kept_too_long_by_a_cache_still_judges_by_its_own_files(
    browser: Browser, releases: tuple[Path, Path], verdicts: tuple[str, str]
):
    """
    A host that says of everything, the entry too, that it may be kept for ever.
    """
    deployed = Deployed(releases[0])

    def forever(path: str) -> Answer | None:
        answer = deployed(path)
        return answer and answer.with_headers(cache_control=FOREVER)

    with serve(page(importing("/kit/weighbridge.js")), forever) as served:
        with opened(browser, served.url) as seen:
            assert verdict_or_error(seen.page) == verdicts[0]
            deployed.release = releases[1]
            seen.page.goto(f"{served.url}/?again")
            assert verdict_or_error(seen.page) == verdicts[0]


def test_two_bundles_of_one_build_on_one_page_judge_each_by_its_own_catalog(
    browser: Browser, releases: tuple[Path, Path], verdicts: tuple[str, str]
):
    """
    Nothing is shared by name: two folders are two workers, whatever lies in them.
    """
    load = """async (entries) => {
      const modules = await Promise.all(entries.map((entry) => import(entry)));
      const gates = await Promise.all(modules.map(({ load }) => load()));
      const told = await Promise.all(gates.map((gate) => gate.check("project.list")));
      await Promise.all(gates.map((gate) => gate.close()));
      return told.map(({ json }) => json);
    }"""
    both = (folder("/kit/", releases[0]), folder("/next/", releases[1]))
    with serve(page(""), *both) as served, opened(browser, served.url) as seen:
        entries = [f"{served.url}/{name}/weighbridge.js" for name in ("kit", "next")]
        assert seen.page.evaluate(load, entries) == list(verdicts)
