// Build side. Makes the worker's one script: ours, the engine's loader and the engine, with nothing left to import.
//
//   node worker.mjs OUT
//
// A bundler that keeps the file under another name breaks no import in it, and a
// development server that rewrites imports finds none to rewrite, so the bytes that
// the page verifies are the bytes that were built.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const web = fileURLToPath(new URL("../", import.meta.url));
const [out] = process.argv.slice(2);

await build({
  absWorkingDir: web,
  entryPoints: [join(web, "worker.js")],
  outfile: out,
  bundle: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  charset: "utf8",
  legalComments: "inline",
  minifyWhitespace: true,
  logLevel: "warning",
  // What the engine asks of Node it never asks in a worker.
  external: ["node:*", "ws"],
  supported: { "dynamic-import": false },
  // A folder of no place: nothing is fetched from it, every byte is handed over.
  define: { "import.meta.url": JSON.stringify("file:///weighbridge/worker.js") },
});
