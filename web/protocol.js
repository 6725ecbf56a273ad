// Both sides. The messages between page and worker, as types; nothing here runs.
//
// Three questions, `open`, `check` and `compare`: text in, text out. The rest is what the
// worker says unasked: that it is there, how far it has come, that it is lost.

/**
 * Makes the worker ready, with bytes that the page has verified (they are
 * transferred, not copied).
 *
 * @typedef {object} Open
 * @property {"open"} type
 * @property {number} id
 * @property {ArrayBuffer} wasm
 * @property {ArrayBuffer} payload
 * @property {string} catalog the catalog asset, as text
 * @property {string | null} lock name of a lock to hold while the worker lives, where the browser has locks
 */

/**
 * Judges one call. `text` is the JSON text of the arguments, surrogates and all.
 *
 * @typedef {object} Check
 * @property {"check"} type
 * @property {number} id
 * @property {string} tool
 * @property {string} text
 * @property {boolean} advisory whether the verdict is to say so, as the last `compare` of this gate has it
 */

/**
 * Compares the catalog with the JSON text of a server's `tools/list` result.
 *
 * @typedef {object} Compare
 * @property {"compare"} type
 * @property {number} id
 * @property {string} text
 */

/** @typedef {Open | Check | Compare} Question */

/**
 * The worker's script runs; said once, before anything else.
 *
 * @typedef {object} Hello
 * @property {"hello"} type
 * @property {string} build
 */

/**
 * How far `open` has come.
 *
 * @typedef {object} Reached
 * @property {"reached"} type
 * @property {"compile" | "boot" | "open"} phase
 */

/**
 * @typedef {object} Opened
 * @property {"opened"} type
 * @property {number} id
 * @property {string} catalog what `Catalog.to_json()` says
 * @property {string} python the version that the interpreter gives of itself
 */

/**
 * @typedef {object} Checked
 * @property {"checked"} type
 * @property {number} id
 * @property {string} verdict what `Verdict.to_json()` says
 * @property {number} ms time in the gate, milliseconds
 */

/**
 * @typedef {object} Compared
 * @property {"compared"} type
 * @property {number} id
 * @property {string} comparison what `Comparison.to_json()` says
 */

/**
 * The question could not be answered, and the worker can answer no other.
 * `fact` holds no value of the caller's.
 *
 * @typedef {object} Lost
 * @property {"lost"} type
 * @property {number} id
 * @property {import("./errors.js").Code} code
 * @property {import("./errors.js").Phase} phase
 * @property {string} fact
 */

/** @typedef {Hello | Reached | Opened | Checked | Compared | Lost} Answer */

export {};
