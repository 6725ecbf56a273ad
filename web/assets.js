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
 * @param {URL} base
 * @param {AbortSignal} signal
 * @param {(loaded: number) => void} counted
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function fetchVerified(asset, base, signal, counted) {
  const url = new URL(asset.file, base).href;
  try {
    // The name holds the hash, so a kept copy is the right one however old it is.
    return await verified(asset, url, await received(asset, url, signal, counted, "force-cache"));
  } catch (error) {
    // What was kept wrong, or kept as missing, would stay so: ask once past the cache.
    if (!(error instanceof WeighbridgeError) || !KEPT.has(error.code)) throw error;
    return verified(asset, url, await received(asset, url, signal, counted, "reload"));
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
  try {
    for await (const chunk of chunks(response)) {
      if (loaded + chunk.length > bytes.length) throw mismatch(asset, url, "is longer than it was built");
      bytes.set(chunk, loaded);
      loaded += chunk.length;
      counted(loaded);
    }
  } catch (cause) {
    if (cause instanceof WeighbridgeError) throw cause;
    if (signal.aborted) throw stopped(signal, "fetch");
    throw new WeighbridgeError("network", `The connection ended inside ${asset.file}, after ${loaded} of ${asset.bytes} bytes.`, {
      phase: "fetch",
      url,
      cause,
    });
  }
  return loaded === bytes.length ? bytes : bytes.slice(0, loaded);
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
  const isChecked = !globalThis.crypto?.subtle;
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
