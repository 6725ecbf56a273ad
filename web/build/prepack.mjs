// Build side. Stops `npm pack` where web/dist is missing or of another version.

import { existsSync, readFileSync } from "node:fs";

/** @param {string} name */
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));

/** @param {string} fact */
function stop(fact) {
  console.error(`web: ${fact}; run: make web`);
  process.exit(1);
}

if (!existsSync(new URL("../dist/manifest.json", import.meta.url))) stop("web/dist is not built");
const { version } = read("../package.json");
const manifest = read("../dist/manifest.json");
if (manifest.version !== version) stop(`web/dist is of version ${manifest.version}, and this package of ${version}`);
