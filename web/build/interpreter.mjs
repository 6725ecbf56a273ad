// Build side. Runs one Python file in the pinned interpreter, with a folder of this machine as /inside.
//
//   node interpreter.mjs FILE.py FOLDER
//
// A fixed hash seed makes what it writes the same on every run.

import { readFileSync, realpathSync } from "node:fs";
import { loadPyodide } from "pyodide";

const [file, folder] = process.argv.slice(2);
const pyodide = await loadPyodide({ env: { PYTHONHASHSEED: "0" } });
pyodide.mountNodeFS("/inside", realpathSync(folder));
try {
  pyodide.runPython(readFileSync(file, "utf8"), { filename: file });
} catch (error) {
  // Node would print the engine's one-line megabyte with it.
  console.error(error.message);
  process.exit(1);
}
