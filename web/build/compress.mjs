// Build side. Writes FILE.br and FILE.gz for each FILE given; big files cost half a minute, so results are kept by hash.
//
//   node compress.mjs CACHE FILE...

import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const brotli = (bytes) =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
const CODINGS = { br: brotli, gz: (bytes) => promisify(gzip)(bytes, { level: 9 }) };

const [cache, ...files] = process.argv.slice(2);
mkdirSync(cache, { recursive: true });
await Promise.all(files.flatMap((file) => Object.keys(CODINGS).map((coding) => compress(file, coding))));

async function compress(file, coding) {
  const bytes = readFileSync(file);
  const kept = join(cache, `${createHash("sha256").update(bytes).digest("hex")}.${coding}`);
  if (!existsSync(kept)) {
    writeFileSync(`${kept}.part`, await CODINGS[coding](bytes));
    renameSync(`${kept}.part`, kept);
  }
  copyFileSync(kept, `${file}.${coding}`);
}
