// Build. Makes web/dist/workbench/: a page, a style sheet, scripts, nothing inline, so that
// `script-src 'self'; style-src 'self'` is enough.
//   node workbench/build.mjs        (npm run build:workbench)

import { cp, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "dist", "workbench");

/**
 * CodeMirror asks for `style-mod`; ours adopts sheets instead of inlining them, and is made from it.
 * @type {import("esbuild").Plugin}
 */
const adoptedStyles = {
  name: "adopted-styles",
  setup({ onResolve }) {
    onResolve({ filter: /^style-mod$/ }, ({ importer }) =>
      importer.endsWith("adopted-styles.js") ? undefined : { path: join(here, "adopted-styles.js") },
    );
  },
};

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await build({
  entryPoints: [join(here, "main.js"), join(here, "workbench.css")],
  outdir: out,
  bundle: true,
  format: "esm",
  splitting: true,
  chunkNames: "part-[hash]",
  minify: true,
  sourcemap: false,
  legalComments: "linked",
  target: ["chrome120", "firefox121", "safari17.4"],
  plugins: [adoptedStyles],
  logLevel: "warning",
});
for (const file of ["index.html", "icon.svg"]) await cp(join(here, file), join(out, file));
