// Page side. `const gate = await load(); const verdict = await gate.check("a.tool", { key: "value" });`
//
// Importing this does nothing and asks the network for nothing, anywhere. load()
// starts a worker that holds the same gate as the server; a check resolves to that
// gate's verdict, or rejects because nothing was judged. It never admits for want
// of a judge.

import { Engine } from "./engine.js";
import { WeighbridgeError, stopped } from "./errors.js";
import { spawn } from "./spawn.js";
import { textOf, verdictOf } from "./verdict.js";

/** @import { Manifest, Places, Role } from "./engine.js" */
/** @import { Opened } from "./protocol.js" */

/** @typedef {import("./engine.js").Progress} Progress */
/** @typedef {import("./engine.js").MakeWorker} MakeWorker */
/** @typedef {import("./errors.js").Code} Code */
/** @typedef {import("./errors.js").Phase} Phase */
/** @typedef {import("./verdict.js").Verdict} Verdict */
/** @typedef {import("./verdict.js").Refusal} Refusal */
/** @typedef {import("./verdict.js").Finding} Finding */
/** @typedef {import("./verdict.js").ToolResult} ToolResult */

export { WeighbridgeError };

// The build, and `weighbridge web`, write the manifest here: hashes stand in the
// entry, so that whoever trusts the entry trusts every file.
const MANIFEST = /** @type {Manifest | null} */ (null);

// And here where each file lies beside this one, in words that a bundler reads as a file to keep.
const BESIDE = /** @type {Record<Role, () => URL> | null} */ (null);

/** The version of this module, of the Python package in it, and of the contract's keeper on the server. */
export const VERSION = MANIFEST?.version ?? "source";

/** Milliseconds: the page's patience with a slow link, and with one verdict. */
const LOAD_TIMEOUT = 120_000;
const CHECK_TIMEOUT = 60_000;

/**
 * @typedef {object} LoadOptions
 * @property {string | URL} [baseUrl] the folder of the files; by default the one this module came from
 * @property {(progress: Progress) => void} [onProgress]
 * @property {AbortSignal} [signal] gives this load up
 * @property {number} [timeout] milliseconds until this load is given up; 120,000 by default
 * @property {MakeWorker} [worker] makes the worker, where the page's policy or a bundler wants to; such a worker is not shared
 */

/**
 * @typedef {object} CheckOptions
 * @property {AbortSignal} [signal] gives this call up
 * @property {number} [timeout] milliseconds; 60,000 by default
 */

/**
 * What the bundle publishes: `Catalog.to_json()`, parsed.
 *
 * @typedef {object} Catalog
 * @property {number} contract
 * @property {string} version
 * @property {string} digest
 * @property {string} shapeDigest
 * @property {string[]} bookkeeping keys that are taken off every call before it is judged
 * @property {boolean} advisory
 * @property {Record<"nesting" | "nodes" | "rendered" | "work" | "body" | "fragment" | "refusal", number>} limits
 * @property {{ name: string, description?: string, inputSchema: Record<string, unknown>, digest: string, limits: Record<string, number> }[]} tools
 * @property {Record<string, string>} unusable
 */

/**
 * What `Comparison.to_json()` says, parsed.
 *
 * @typedef {object} Comparison
 * @property {"same" | "text differs" | "differs" | "unknown"} outcome
 * @property {boolean} advisory whether verdicts of this gate may not be the server's
 * @property {string[]} added tools that the server lists and this catalog has not
 * @property {string[]} removed tools that this catalog has and the server does not list
 * @property {string[]} changed tools that take other arguments there
 * @property {number} omitted names left out of these three
 * @property {string[]} others what else is not the same: `limits`, `bookkeeping`, `contract`, `version`, `shapeDigest`
 */

/** Workers that run, by where their files are. @type {Map<string, Engine>} */
const engines = new Map();

/**
 * Starts the gate, or joins one that this page has started from the same folder.
 *
 * @param {LoadOptions} [options]
 * @returns {Promise<Gate>}
 * @throws {WeighbridgeError} always of that type
 */
export async function load({ baseUrl, onProgress, signal, timeout = LOAD_TIMEOUT, worker } = {}) {
  if (typeof Worker !== "function" || typeof WebAssembly !== "object" || typeof location !== "object")
    throw new WeighbridgeError("not-a-browser", "There is no Worker or no WebAssembly here.", { phase: "start" });
  if (!MANIFEST) throw new WeighbridgeError("not-built", "This module has not been through the build.", { phase: "start" });
  if (signal?.aborted) throw stopped(signal, "start");
  const patience = milliseconds(timeout, "start");
  const engine = engineFor(MANIFEST, places(MANIFEST, baseUrl), worker);
  engine.hold();
  if (onProgress) engine.listen(onProgress);
  try {
    const opened = await patient(engine, patience, signal);
    return new Gate(engine, opened);
  } catch (error) {
    engine.release();
    throw error;
  } finally {
    if (onProgress) engine.unlisten(onProgress);
  }
}

/**
 * Whether this place lets WebAssembly run at all, told at once and without a
 * request. Where it does not (frames whose policy lacks `'wasm-unsafe-eval'`),
 * load() can only fail, unless the worker is served with a policy of its own.
 *
 * @returns {{ ok: true } | { ok: false, code: "not-a-browser" | "blocked-by-policy" }}
 */
export function canRun() {
  if (typeof Worker !== "function" || typeof WebAssembly !== "object" || typeof location !== "object") return { ok: false, code: "not-a-browser" };
  try {
    // The smallest module there is: its magic number and version.
    new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
    return { ok: true };
  } catch {
    return { ok: false, code: "blocked-by-policy" };
  }
}

/**
 * The gate of one catalog: lookup, text, charge, schema, as on the server.
 */
export class Gate {
  /** @type {Catalog} */
  #catalog;
  /** @type {Engine | null} */
  #engine;
  #python;
  #advisory = false;
  #turn = 0;

  /**
   * @param {Engine} engine
   * @param {Opened} opened
   */
  constructor(engine, opened) {
    this.#engine = engine;
    this.#catalog = JSON.parse(opened.catalog);
    this.#python = opened.python;
  }

  /** Digest, contract, version, limits, and the tools with their published schemas. */
  get catalog() {
    return this.#catalog;
  }

  /** What judges: one build, and the Python that says so of itself. */
  get engine() {
    return { build: /** @type {Manifest} */ (MANIFEST).build, version: VERSION, python: this.#python };
  }

  /**
   * The verdict on one call. A string is the JSON text of the arguments; an object
   * is stringified, once, here; null and undefined are no arguments, `{}`.
   *
   * @param {string} tool
   * @param {unknown} [call]
   * @param {CheckOptions} [options]
   * @returns {Promise<Verdict>}
   * @throws {WeighbridgeError} where nothing was judged
   */
  async check(tool, call, { signal, timeout = CHECK_TIMEOUT } = {}) {
    const started = performance.now();
    if (!this.#engine) throw new WeighbridgeError("disposed", "The gate is closed.", { phase: "closed" });
    if (typeof tool !== "string") throw new WeighbridgeError("bad-option", "A tool's name is a string.", { phase: "check" });
    const text = textOf(call);
    const { verdict, ms } = await this.#engine.check({ tool, text, advisory: this.#advisory }, milliseconds(timeout, "check"), signal);
    return verdictOf(verdict, text, { total: performance.now() - started, gate: ms });
  }

  /**
   * Whether a server judges by this very catalog, from the result of its
   * `tools/list` (an object, or its JSON text; the pages joined). Call it again on
   * `notifications/tools/list_changed`. Where the answer is advisory, every later
   * verdict of this gate says `advisory` too, until another answer is not.
   *
   * @param {unknown} toolsListResult
   * @param {CheckOptions} [options]
   * @returns {Promise<Comparison>}
   * @throws {WeighbridgeError} where nothing was compared
   */
  async compare(toolsListResult, { signal, timeout = CHECK_TIMEOUT } = {}) {
    if (!this.#engine) throw new WeighbridgeError("disposed", "The gate is closed.", { phase: "closed" });
    const text = textOf(toolsListResult);
    const turn = ++this.#turn;
    const { comparison } = await this.#engine.compare({ text }, milliseconds(timeout, "check"), signal);
    const told = /** @type {Comparison} */ (JSON.parse(comparison));
    // Of two that were asked for at once the later list is the one in force.
    if (turn === this.#turn) this.#advisory = told.advisory;
    return told;
  }

  /** Lets go of the worker; the last gate to do so ends it, and its waiting calls reject. */
  async close() {
    const engine = this.#engine;
    this.#engine = null;
    engine?.release();
  }

  async [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    await this.close();
  }
}

/**
 * A deadline that a timer can hold: past 2^31 - 1 it would fire at once.
 *
 * @param {number} timeout
 * @param {"start" | "check"} phase
 */
function milliseconds(timeout, phase) {
  if (typeof timeout !== "number" || !(timeout >= 0))
    throw new WeighbridgeError("bad-option", "`timeout` is a number of milliseconds.", { phase });
  return Math.min(timeout, 2 ** 31 - 1);
}

/**
 * Where the files are: in the folder that was named, or beside this module, as
 * whatever name a bundler has kept them.
 *
 * @param {Manifest} manifest
 * @param {string | URL | undefined} baseUrl
 * @returns {Places}
 */
function places({ assets }, baseUrl) {
  const roles = /** @type {Role[]} */ (Object.keys(assets));
  try {
    if (baseUrl === undefined) return record(roles, (role) => new URL(/** @type {NonNullable<typeof BESIDE>} */ (BESIDE)[role]().href, location.href).href);
    const base = new URL(baseUrl, location.href);
    if (!base.pathname.endsWith("/")) base.pathname += "/";
    return record(roles, (role) => new URL(assets[role].file, base).href);
  } catch (cause) {
    const fact = baseUrl === undefined ? "This script does not know its own address, so `baseUrl` is needed." : "`baseUrl` is not an address.";
    throw new WeighbridgeError("bad-option", fact, { phase: "start", cause });
  }
}

/**
 * @param {Role[]} roles
 * @param {(role: Role) => string} address
 */
function record(roles, address) {
  return /** @type {Places} */ (Object.fromEntries(roles.map((role) => [role, address(role)])));
}

/**
 * @param {Manifest} manifest
 * @param {Places} places
 * @param {MakeWorker | undefined} worker
 */
function engineFor(manifest, places, worker) {
  if (worker) return new Engine(manifest, places, worker, () => {});
  const key = Object.values(places).join("\n");
  const running = engines.get(key);
  if (running) return running;
  const engine = new Engine(manifest, places, spawn, () => {
    if (engines.get(key) === engine) engines.delete(key);
  });
  engines.set(key, engine);
  return engine;
}

/**
 * @param {Engine} engine
 * @param {number} timeout
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Opened>}
 */
async function patient(engine, timeout, signal) {
  /** @type {(error: unknown) => void} */
  let giveUp = () => {};
  const given = new Promise((_, reject) => {
    giveUp = reject;
  });
  const abort = () => giveUp(stopped(/** @type {AbortSignal} */ (signal), engine.phase));
  const timer = setTimeout(
    () => giveUp(new WeighbridgeError("time-out", `Not ready after ${timeout} ms, in ${engine.waitingFor}.`, { phase: engine.phase })),
    timeout,
  );
  signal?.addEventListener("abort", abort);
  try {
    return await /** @type {Promise<Opened>} */ (Promise.race([engine.ready, given]));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
