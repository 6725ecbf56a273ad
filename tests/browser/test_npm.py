"""
What ``npm pack`` makes of ``web/`` is a package that bundlers, Node and compilers read without a word.
"""

import json
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.browser.building import packed, unpacked
from tests.support import machine
from weighbridge import __version__, bundle

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def tarball(dist: Path) -> Path:
    return packed()


@pytest.fixture(scope="module")
def project(tarball: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    A folder with the package installed in it, and nothing else.
    """
    folder = tmp_path_factory.mktemp("project")
    unpacked(tarball, folder)
    return folder


def node(script: str, folder: Path) -> object:
    """
    What a module in ``folder`` prints as JSON; a word on standard error is a failure.
    """
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_it_holds_the_built_folder_less_the_codings_and_the_workbench(tarball: Path, dist: Path):
    with tarfile.open(tarball) as archive:
        inside = {member.name.removeprefix("package/") for member in archive if member.isfile()}
    names = json.loads((dist / bundle.MANIFEST).read_text())["files"]
    plain = {f"dist/{name}" for name in names if not name.endswith(bundle.CODINGS)}
    bridges = {f"bridges/{path.name}" for path in (machine.ROOT / "web/bridges").glob("*.js")}
    assert inside == {*plain, *bridges, f"dist/{bundle.MANIFEST}", "package.json", "README.md"}


def test_its_version_is_the_wheels_and_the_builds(project: Path):
    said = json.loads((project / "node_modules/weighbridge/package.json").read_text())
    built = json.loads((project / f"node_modules/weighbridge/dist/{bundle.MANIFEST}").read_text())
    assert {said["version"], built["version"], built["build"].split("+")[0]} == {__version__}


def test_it_asks_for_no_other_package_and_no_script_of_it_runs_at_install(project: Path):
    said = json.loads((project / "node_modules/weighbridge/package.json").read_text())
    asked = ("dependencies", "peerDependencies", "optionalDependencies", "bundleDependencies")
    assert [key for key in asked if key in said] == []
    assert {"preinstall", "install", "postinstall", "prepare"} & set(said["scripts"]) == set()
    assert said["sideEffects"] is False


def test_importing_it_in_node_does_nothing_and_loading_says_where_it_belongs(project: Path):
    script = """
      const before = Reflect.ownKeys(globalThis).length;
      const { load, canRun, VERSION, WeighbridgeError } = await import("weighbridge");
      const error = await load().catch((error) => error);
      const added = Reflect.ownKeys(globalThis).length - before;
      console.log(JSON.stringify([error instanceof WeighbridgeError, error.code, canRun(), VERSION, added]));
    """
    can = {"ok": False, "code": "not-a-browser"}
    assert node(script, project) == [True, "not-a-browser", can, __version__, 0]


def test_each_bridge_is_found_by_name_and_asks_for_nothing_else(project: Path):
    names = sorted(path.stem for path in (machine.ROOT / "web/bridges").glob("*.js"))
    script = f"""
      const names = {json.dumps(names)};
      for (const name of names) if (!Object.keys(await import(`weighbridge/bridges/${{name}}`)).length) throw name;
      console.log(JSON.stringify(names.length));
    """
    assert node(script, project) == len(names)


def test_the_folder_to_host_is_found_by_name(project: Path):
    """
    For those who copy it: a script of theirs asks Node where it is.
    """
    script = """
      const manifest = import.meta.resolve("weighbridge/dist/manifest.json");
      const { default: { version } } = await import(manifest, { with: { type: "json" } });
      console.log(JSON.stringify(version));
    """
    done = subprocess.run(
        ["node", "--no-warnings", "--input-type=module", "--eval", script],
        cwd=project,
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout) == __version__


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("publint", "run", "--strict"), id="publint"),
        pytest.param(("attw", "--profile", "esm-only", "--no-emoji"), id="are-the-types-wrong"),
    ],
)
def test_the_linters_of_packages_find_nothing(root: Path, tarball: Path, command: tuple[str, ...]):
    program = root / "web" / "node_modules" / ".bin" / command[0]
    done = subprocess.run(
        [program, *command[1:], tarball], cwd=tarball.parent, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()


#: A caller's file, with every name that the docs speak of.
CALLER = """
import { canRun, load, VERSION, WeighbridgeError } from "weighbridge";
import { preflighted } from "weighbridge/bridges/preflighted";
import { extraErrors } from "weighbridge/bridges/rjsf";
import type { Catalog, Code, Finding, Gate, LoadOptions, Phase, Progress, Verdict } from "weighbridge";

const options: LoadOptions = {
  baseUrl: new URL("https://example.org/"),
  onProgress(progress: Progress) {
    const told: number | string = progress.type === "bytes" ? progress.loaded / progress.total : progress.phase;
    return void told;
  },
  signal: AbortSignal.timeout(1000),
  timeout: 5000,
  worker: (url) => new Worker(url, { type: "module" }),
};

export async function judged(): Promise<Finding[]> {
  if (!canRun().ok) return [];
  const gate: Gate = await load(options);
  try {
    const catalog: Catalog = gate.catalog;
    const verdict: Verdict = await gate.check(catalog.tools[0].name, { a: 1 }, { timeout: 10 });
    const client = { callTool: async (params: { name: string }, patience?: number) => [params.name, patience] as const };
    const call = await preflighted(client, gate).prepare({ name: "t", arguments: {} });
    const sent: readonly [string, number | undefined] = await call.send(5);
    const shown: [string[] | undefined, string | undefined] = [extraErrors(verdict).__errors, verdict.issues[0]?.instancePath];
    void [sent, shown];
    return verdict.refusal?.findings ?? [];
  } catch (error) {
    if (!(error instanceof WeighbridgeError)) throw error;
    const told: [Code, Phase, string | null, string] = [error.code, error.phase, error.url, error.cure];
    throw new Error(VERSION + told.join());
  } finally {
    await gate.close();
  }
}
"""


@pytest.mark.parametrize(
    ("resolution", "name"),
    [
        ("bundler", "weighbridge"),
        ("nodenext", "weighbridge"),
        ("bundler", "./node_modules/weighbridge/dist/weighbridge.js"),
    ],
)
def test_a_callers_typescript_is_checked_against_its_types(
    root: Path, project: Path, resolution: str, name: str
):
    """
    Strictly, and the declarations themselves too; a call of what is not there fails.
    """
    module = {"bundler": "esnext", "nodenext": "nodenext"}[resolution]
    settings = {
        "strict": True,
        "noEmit": True,
        "target": "es2022",
        "lib": ["es2022", "dom"],
        "types": [],
        "module": module,
        "moduleResolution": resolution,
        "skipLibCheck": False,
    }
    (project / "package.json").write_text('{"type": "module"}')
    caller = CALLER.replace('"weighbridge"', f'"{name}"')
    (project / "good.ts").write_text(caller)
    (project / "bad.ts").write_text(caller.replace("gate.check(", "gate.chekc("))
    found = {}
    for file in ("good", "bad"):
        config = {"compilerOptions": settings, "files": [f"{file}.ts"]}
        (project / "tsconfig.json").write_text(json.dumps(config))
        done = subprocess.run(
            ["node", root / "web/node_modules/typescript/bin/tsc", "--project", project],
            capture_output=True,
            text=True,
            check=False,
        )
        found[file] = [line for line in done.stdout.splitlines() if "error" in line]
    assert found["good"] == []
    assert len(found["bad"]) == 1
    assert "chekc" in found["bad"][0]
