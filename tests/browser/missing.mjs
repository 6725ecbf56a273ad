// Runs one Python file with the built payload as the interpreter's whole library.
//
//   node missing.mjs PYODIDE PAYLOAD FILE.py FOLDER
//
// FOLDER is /inside there. What the file assigns to `answer` is printed.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [engine, payload, file, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${engine}/pyodide.mjs`).href);
const pyodide = await loadPyodide({ stdLibURL: payload });
pyodide.mountNodeFS("/inside", folder);
try {
  pyodide.runPython(readFileSync(file, "utf8"), { filename: file });
  console.log(pyodide.globals.get("answer"));
} catch (error) {
  // Node would print the engine's one-line megabyte with it.
  console.error(error.message);
  process.exit(1);
}
