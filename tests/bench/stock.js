// Worker side. The same gate the stock way: Pyodide's own loader, wheels, then a first verdict.

import { loadPyodide } from "/pyodide/pyodide.mjs";

addEventListener("message", async ({ data: { wheels, tool, text } }) => {
  try {
    const python = await loadPyodide({ indexURL: "/pyodide/" });
    await python.loadPackage(wheels, { messageCallback: () => {} });
    const check = python.runPython(`
import sys
import pyrsistent_as_rpds.pure
sys.modules["rpds"] = pyrsistent_as_rpds.pure
import weighbridge
weighbridge.Catalog.bundled().check_text
`);
    postMessage(check(tool, text).to_json());
  } catch (error) {
    // A promise that nobody waits for tells no one: thrown again where a page can hear it.
    setTimeout(() => {
      throw error;
    });
  }
});
