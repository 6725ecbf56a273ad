"""
What no tracked file may hold.
"""

import re
import subprocess
import tomllib

from tests.support.machine import ROOT

#: Where packages come from differs from machine to machine; a lock that names a
#: host works on one of them. Written in pieces, or this file would find itself.
HOSTS = re.compile(
    "|".join(
        (
            r"registry\.npmjs" + r"\.org",
            r"files\.python" + r"hosted\.org",
            r"py" + r"pi\.org/simple",
            r"deb\.debian" + r"\.org",
            r"index-" + r"url\s*[=:]",
            r"find-" + r"links",
        )
    )
)

#: A path that holds on one machine alone.
PATHS = re.compile(r"(?<![\w.])/(?:root/\.|home/\w+/|Users/\w+/|work/(?:main|shared)|opt/wheels)")


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [name for name in listed.stdout.split("\0") if name]


def texts() -> dict[str, str]:
    found = {}
    for name in tracked():
        path = ROOT / name
        if path.is_file() and not path.is_symlink():
            body = path.read_bytes()
            if b"\0" not in body:
                found[name] = body.decode("utf-8")
    return found


def test_no_tracked_file_names_a_registry_host():
    assert {name for name, text in texts().items() if HOSTS.search(text)} == set()


def test_no_tracked_file_holds_a_path_of_one_machine():
    found = {name: PATHS.search(text) for name, text in texts().items()}
    assert {name: match.group() for name, match in found.items() if match} == {}


def test_the_search_for_hosts_and_paths_can_find_one():
    assert HOSTS.search("https://registry.npmjs" + ".org/left-pad")
    assert PATHS.search("see /ro" + "ot/.cache")


def test_no_tracked_file_is_what_make_makes():
    made = ("dist/", "web/dist/", ".venv/", ".build/", "web/node_modules/")
    assert [name for name in tracked() if name.startswith(made)] == []


def test_every_pin_of_the_project_is_the_version_in_the_lock():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lock = (ROOT / ".ci" / "requirements.lock").read_text(encoding="utf-8")
    locked = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", lock, re.MULTILINE))
    pinned = dict(line.split("==") for line in project["dependency-groups"]["dev"])
    assert {name: locked.get(name) for name in pinned} == pinned
    assert project["build-system"]["requires"] == [f"hatchling=={locked['hatchling']}"]


def test_every_dependency_is_declared_with_its_reason():
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    declared = [
        number
        for number, line in enumerate(lines)
        if re.match(r'\s+"[a-z][\w.-]*(?:\[\w+\])?[=<>~\"]', line)
    ]
    assert len(declared) >= 15
    assert [lines[n] for n in declared if not lines[n - 1].lstrip().startswith("#")] == []


def test_every_make_target_that_a_text_names_is_in_the_makefile():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", text, re.MULTILINE))
    named = {
        (name, target)
        for name, text in texts().items()
        for target in re.findall(r"`make ([a-z-]+)[^`]*`", text)
    }
    assert len(named) >= 5
    assert {(name, target) for name, target in named if target not in targets} == set()


def test_every_target_of_the_makefile_is_told_by_its_help():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", text, re.MULTILINE)) - {"help"}
    told = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {line.split()[1] for line in told.stdout.splitlines()} == targets
