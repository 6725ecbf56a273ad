// Page side. Gets each file of the build whole, counted and checked against its hash before anything uses it.

import { WeighbridgeError, stopped } from "./errors.js";

/**
 * @typedef {object} Asset
 * @property {string} file its name in the folder, which holds part of its hash
 * @property {number} bytes its size, uncompressed
 * @property {string} integrity `sha384-` and base64
 */

/**
 * The bytes of `asset`, which are the bytes that were built.
 *
 * `counted` hears how many have come so far: bytes as they are after any
 * content coding, so that the sum is the manifest's whatever the server compresses.
 *
 * @param {Asset} asset
 * @param {string} url where it is, whatever it is called there
 * @param {AbortSignal} signal
 * @param {(loaded: number) => void} counted
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function fetchVerified(asset, url, signal, counted) {
  if (isBundled(asset, url)) return bundled(asset, url, signal, counted);
  try {
    // The name holds the hash, so a kept copy is the right one however old it is.
    return await verified(asset, url, await received(asset, url, signal, counted, "force-cache"));
  } catch (error) {
    // What was kept wrong, or kept as missing, would stay so: ask once past the cache.
    if (!(error instanceof WeighbridgeError) || !KEPT.has(error.code)) throw error;
    return verified(asset, url, await received(asset, url, signal, counted, "reload"));
  }
}

/**
 * Whether a bundler keeps `asset` among the page's own scripts, under a name of
 * its own. It may have minified it, as it does those, so it is what they are: as
 * good as the page, held to no hash, and told from another build by its id alone.
 *
 * @param {Asset} asset
 * @param {string} url
 */
function isBundled({ file }, url) {
  return file.endsWith(".js") && new URL(url).pathname.split("/").at(-1) !== file;
}

/**
 * @param {Asset} asset
 * @param {string} url
 * @param {AbortSignal} signal
 * @param {(loaded: number) => void} counted
 */
async function bundled(asset, url, signal, counted) {
  const response = await answer({ ...asset, integrity: "" }, url, signal, "default");
  try {
    const bytes = new Uint8Array(await response.arrayBuffer());
    counted(asset.bytes);
    return bytes;
  } catch (cause) {
    throw cut(asset, url, signal, 0, cause);
  }
}

/** Failures that a cache can go on repeating. @type {ReadonlySet<import("./errors.js").Code>} */
const KEPT = new Set(["hash-mismatch", "asset-missing", "html-instead"]);

/**
 * @param {Asset} asset
 * @param {string} url
 * @param {AbortSignal} signal
 * @param {(loaded: number) => void} counted
 * @param {RequestCache} cache
 */
async function received(asset, url, signal, counted, cache) {
  const response = await answer(asset, url, signal, cache);
  const bytes = new Uint8Array(asset.bytes);
  let loaded = 0;
  let added = 0;
  try {
    for await (const chunk of chunks(response)) {
      const built = chunk.subarray(0, bytes.length - loaded);
      const more = chunk.subarray(built.length);
      if (!isComment(asset, more, added)) throw mismatch(asset, url, "is longer than it was built");
      bytes.set(built, loaded);
      loaded += built.length;
      added += more.length;
      if (built.length) counted(loaded);
    }
  } catch (cause) {
    throw cut(asset, url, signal, loaded, cause);
  }
  return loaded === bytes.length ? bytes : bytes.slice(0, loaded);
}

/** How a development server begins the one line that it adds to a script. */
const COMMENT = "\n//# sourceMappingURL=";

/**
 * Whether `bytes`, the `at`-th and following ones past the end of a script, are of
 * a source map's comment: one line that a browser does not run.
 *
 * @param {Asset} asset
 * @param {Uint8Array} bytes
 * @param {number} at
 */
function isComment({ file }, bytes, at) {
  if (!file.endsWith(".js")) return bytes.length === 0;
  return bytes.every((byte, n) => (at + n < COMMENT.length ? byte === COMMENT.charCodeAt(at + n) : byte > 0x20 && byte < 0x7f));
}

/**
 * @param {Asset} asset
 * @param {string} url
 * @param {AbortSignal} signal
 * @param {number} loaded
 * @param {unknown} cause
 */
function cut(asset, url, signal, loaded, cause) {
  if (cause instanceof WeighbridgeError) return cause;
  if (signal.aborted) return stopped(signal, "fetch");
  const fact = `The connection ended inside ${asset.file}, after ${loaded} of ${asset.bytes} bytes.`;
  return new WeighbridgeError("network", fact, { phase: "fetch", url, cause });
}

/**
 * @param {Asset} asset
 * @param {string} url
 * @param {AbortSignal} signal
 * @param {RequestCache} cache
 */
async function answer(asset, url, signal, cache) {
  /** @type {RequestInit} */
  const asked = { signal, cache, credentials: "same-origin" };
  // Where the origin is not secure the page has no digest, and the browser's own check stands in.
  const isChecked = asset.integrity !== "" && !globalThis.crypto?.subtle;
  /** @type {Response} */
  let response;
  try {
    response = await fetch(url, isChecked ? { ...asked, integrity: asset.integrity } : asked);
  } catch (cause) {
    if (signal.aborted) throw stopped(signal, "fetch");
    // The browser does not say whether it was its check that failed; an answer without it does.
    const unchecked = isChecked ? await fetch(url, asked).catch(() => null) : null;
    if (unchecked?.ok) throw mismatch(asset, url, "does not have the hash it was built with");
    if (unchecked) throw missing(asset, url, unchecked);
    throw new WeighbridgeError("network", `${asset.file} could not be fetched.`, { phase: "fetch", url, cause });
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw missing(asset, url, response);
  }
  if (/^text\/html\b/i.test(response.headers.get("content-type") ?? "")) {
    await response.body?.cancel();
    throw new WeighbridgeError("html-instead", `${asset.file} was answered with a page.`, { phase: "fetch", url });
  }
  return response;
}

/**
 * @param {Response} response
 * @returns {AsyncGenerator<Uint8Array>}
 */
async function* chunks(response) {
  if (!response.body) return yield new Uint8Array(await response.arrayBuffer());
  // Not `for await` over the body itself: Safari's streams are not iterable.
  const reader = response.body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/**
 * @param {Asset} asset
 * @param {string} url
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function verified(asset, url, bytes) {
  if (bytes.length !== asset.bytes) throw mismatch(asset, url, `has ${bytes.length} bytes instead of ${asset.bytes}`);
  if (!globalThis.crypto?.subtle) return bytes;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-384", bytes));
  const integrity = `sha384-${btoa(String.fromCharCode(...digest))}`;
  if (integrity !== asset.integrity) throw mismatch(asset, url, "does not have the hash it was built with");
  return bytes;
}

/**
 * @param {Asset} asset
 * @param {string} url
 * @param {Response} response
 */
function missing(asset, url, { status }) {
  return new WeighbridgeError("asset-missing", `${asset.file} was answered with status ${status}.`, { phase: "fetch", url });
}

/**
 * @param {Asset} asset
 * @param {string} url
 * @param {string} how
 */
function mismatch(asset, url, how) {
  return new WeighbridgeError("hash-mismatch", `${asset.file} ${how}.`, { phase: "fetch", url });
}
