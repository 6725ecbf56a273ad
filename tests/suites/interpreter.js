// Worker side. The bundle's own interpreter and payload, asked to run a test's Python.
//
// It boots as the bundle's worker does, from the same engine and payload; what it runs is
// the package in the payload, and one file of tests beside it.

addEventListener("message", async ({ data: { id, open, call } }) => {
  try {
    postMessage({ id, answer: open ? await start(open) : ask(call) });
  } catch (error) {
    postMessage({ id, error: String(error) });
  }
});

let module = null;

async function start({ base, lock, source }) {
  const bytes = async (role) => (await fetch(new URL(assets[role].file, base))).arrayBuffer();
  const { assets } = await (await fetch(new URL("manifest.json", base))).json();
  const [wasm, payload] = await Promise.all([bytes("wasm"), bytes("payload")]);
  const compiled = await WebAssembly.compile(wasm);
  const { loadPyodide } = await import("/engine/pyodide.mjs");
  const { default: createPyodideModule } = await import("/engine/pyodide.asm.mjs");
  WebAssembly.instantiateStreaming = async (_source, imports) => ({ module: compiled, instance: await WebAssembly.instantiate(compiled, imports) });
  const library = `${base}payload`;
  self.fetch = async (asked) => new Response(String(asked) === library ? payload : undefined);
  const pyodide = await loadPyodide({
    indexURL: base,
    stdLibURL: library,
    packageBaseUrl: base,
    lockFileContents: { info: lock, packages: {} },
    createPyodideModule,
  });
  pyodide.FS.mkdir("/tests");
  pyodide.FS.writeFile("/tests/apply.py", source);
  pyodide.runPython("import sys; sys.path.append('/tests')");
  module = pyodide.pyimport("apply");
  return pyodide.runPython("import weighbridge; weighbridge.__file__");
}

function ask({ function: name, text }) {
  return module[name](text);
}
