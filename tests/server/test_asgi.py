from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.reference.serving import fetch, serve
from weighbridge import asgi

WASM = b"\0asm\1\0\0\0" + b"\0" * 4096


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    Two folders to serve, and a secret beside them.
    """
    tmp_path = tmp_path_factory.mktemp("static")
    bundle, page = tmp_path / "bundle", tmp_path / "page"
    bundle.mkdir()
    page.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "bundle-secret.txt").write_text("secret")
    (bundle / "weighbridge.js").write_text("export {};")
    (bundle / "core.0123456789abcdef.wasm").write_bytes(WASM)
    (bundle / "core.0123456789abcdef.wasm.gz").write_bytes(gzip.compress(WASM, mtime=0))
    (bundle / "core.0123456789abcdef.wasm.br").write_bytes(b"not really brotli")
    (bundle / "link.txt").symlink_to(tmp_path / "secret.txt")
    (page / "index.html").write_text("<!doctype html><title>page</title>")
    (page / "part-AJJ3ULMT.js").write_text("export {};")
    (page / "sub").mkdir()
    (page / "sub" / "with space.css").write_text("a{}")
    return tmp_path


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    """
    The bundle below ``/weighbridge/``, the page at ``/``.
    """
    app = asgi.files({"/": folder / "page", "/weighbridge/": folder / "bundle"})
    with serve(app) as port:
        yield port


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/index.html", "text/html; charset=utf-8"),
        ("/sub/with%20space.css", "text/css; charset=utf-8"),
        ("/weighbridge/weighbridge.js", "text/javascript; charset=utf-8"),
        ("/weighbridge/core.0123456789abcdef.wasm", "application/wasm"),
    ],
)
def test_a_file_is_served_with_the_type_that_a_browser_needs(port: int, path: str, kind: str):
    got = fetch(port, path)

    assert (got.status, got.headers["content-type"]) == (200, kind)


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/", "no-cache"),
        ("/weighbridge/weighbridge.js", "no-cache"),
        ("/part-AJJ3ULMT.js", "public, max-age=31536000, immutable"),
        ("/weighbridge/core.0123456789abcdef.wasm", "public, max-age=31536000, immutable"),
    ],
)
def test_only_a_name_that_changes_with_its_content_is_kept_for_good(
    port: int, path: str, kept: str
):
    assert fetch(port, path).headers["cache-control"] == kept


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip;q=0.8", "gzip"),
        ("GZIP", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("gzip;q=0.0", None),
        ("identity", None),
        ("", None),
    ],
)
def test_an_encoding_is_used_if_the_client_takes_it(port: int, accepted: str, encoding: str | None):
    path = "/weighbridge/core.0123456789abcdef.wasm"
    got = fetch(port, path, headers={"accept-encoding": accepted})
    sent = {"br": b"not really brotli", "gzip": gzip.compress(WASM, mtime=0), None: WASM}

    assert got.headers.get("content-encoding") == encoding
    assert got.headers["content-type"] == "application/wasm"
    assert got.headers["vary"] == "accept-encoding"
    assert got.body == sent[encoding]


def test_a_file_that_is_still_the_same_is_not_sent_again(port: int):
    first = fetch(port, "/weighbridge/weighbridge.js")
    again = fetch(
        port, "/weighbridge/weighbridge.js", headers={"if-none-match": first.headers["etag"]}
    )

    assert (again.status, again.body) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]


def test_a_file_that_changed_is_sent_again(port: int, folder: Path):
    (folder / "page" / "edited.js").write_text("export {};")
    first = fetch(port, "/edited.js")
    (folder / "page" / "edited.js").write_text("export const changed = 1;")
    again = fetch(port, "/edited.js", headers={"if-none-match": first.headers["etag"]})

    assert (again.status, again.body) == (200, b"export const changed = 1;")


def test_each_encoding_has_a_tag_of_its_own(port: int):
    path = "/weighbridge/core.0123456789abcdef.wasm"
    tags = {
        fetch(port, path, headers={"accept-encoding": one}).headers["etag"]
        for one in ("br", "gzip", "identity")
    }

    assert len(tags) == 3


@pytest.mark.parametrize(
    "path",
    [
        "/none.html",
        "/weighbridge/",
        "/weighbridge/none.js",
        "/sub",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/weighbridge/..%2fsecret.txt",
        "/weighbridge/../secret.txt",
        "/weighbridge/..%2fbundle-secret.txt",
        "/weighbridge//etc/hostname",
        "//etc/hostname",
        "/%2fetc/hostname",
        "/weighbridge/link.txt",
        "/%00",
        "/" + "a" * 5000,
    ],
)
def test_what_is_not_a_file_of_the_folder_is_not_found(port: int, path: str):
    got = fetch(port, path)

    assert (got.status, b"secret" in got.body) == (404, False)


@pytest.mark.parametrize("path", ["/", "/none", "/weighbridge/weighbridge.js"])
def test_every_answer_carries_the_policy_that_lets_a_page_run_the_gate_and_little_else(
    port: int, path: str
):
    headers = fetch(port, path).headers
    policy = dict(
        part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";")
    )

    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert policy["connect-src"] == policy["worker-src"] == "'self'"
    assert headers["x-content-type-options"] == "nosniff"


def test_head_is_answered_like_get_without_the_content(port: int):
    got, head = fetch(port, "/"), fetch(port, "/", method="HEAD")

    assert (head.status, head.body) == (200, b"")
    assert head.headers["content-length"] == str(len(got.body))


def test_nothing_can_be_written(port: int):
    got = fetch(port, "/", method="POST", body=b"x")

    assert (got.status, got.headers["allow"]) == (405, "GET, HEAD")
