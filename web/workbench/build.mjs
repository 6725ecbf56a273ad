// Build. Makes web/dist/workbench/: a page, a style sheet, scripts, nothing inline, so that
// `script-src 'self'; style-src 'self'` is enough.
//   node workbench/build.mjs [OUT]        (npm run build:workbench)

import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ? resolve(process.argv[2]) : join(here, "..", "dist", "workbench");

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
const { metafile } = await build({
  entryPoints: [join(here, "main.js"), join(here, "workbench.css")],
  outdir: out,
  bundle: true,
  format: "esm",
  splitting: true,
  chunkNames: "part-[hash]",
  minify: true,
  sourcemap: false,
  legalComments: "none",
  metafile: true,
  target: ["chrome120", "firefox121", "safari17.4"],
  plugins: [adoptedStyles],
  logLevel: "warning",
});
for (const file of ["index.html", "icon.svg"]) await cp(join(here, file), join(out, file));
await writeFile(join(out, "LICENSES.txt"), await licences(Object.keys(metafile.inputs)));

// A server that knows the suffixes sends a third of the bytes.
for (const file of await readdir(out)) {
  if (!/\.(js|css)$/.test(file)) continue;
  const bytes = await readFile(join(out, file));
  await writeFile(join(out, `${file}.br`), await promisify(brotliCompress)(bytes));
  await writeFile(join(out, `${file}.gz`), await promisify(gzip)(bytes, { level: 9 }));
}

/**
 * The licence of every package that a part of the bundle came from, each in full.
 * @param {string[]} inputs paths of sources
 * @returns {Promise<string>}
 */
async function licences(inputs) {
  const packages = new Set(inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  const texts = [];
  for (const folder of [...packages].sort()) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
    const text = file ? await readFile(join(folder, file), "utf8") : `${license}\n`;
    texts.push(`${name} ${version}\n\n${text.trim()}\n`);
  }
  return texts.join(`\n${"-".repeat(72)}\n\n`);
}
