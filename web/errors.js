// Page side. What can go wrong before a verdict, as data: `error.code` says what, `error.cure` what to do.
//
// A verdict is never one of these: a call that the gate refuses resolves. These
// say that nothing was judged, so nothing was admitted either.

/**
 * Where it happened. Loading goes through all but the last two, in this order.
 *
 * @typedef {"start" | "fetch" | "compile" | "boot" | "open" | "check" | "closed"} Phase
 */

/**
 * @typedef {"not-a-browser" | "not-built" | "bad-option" | "aborted" | "time-out"
 *   | "network" | "asset-missing" | "html-instead" | "hash-mismatch" | "build-mismatch"
 *   | "blocked-by-policy" | "worker-blocked" | "worker-failed" | "wasm-unsupported"
 *   | "out-of-memory" | "boot-failed" | "catalog-failed" | "interpreter-died"
 *   | "arguments-not-json" | "disposed"} Code
 */

/**
 * @typedef {object} Details
 * @property {Phase} phase
 * @property {string} [url] the file it is about
 * @property {unknown} [cause] the first cause, as it came
 * @property {string} [cure] what to do, where the general advice can be bettered
 */

/** What a person does about each, unless the place that failed knows better. @type {Record<Code, string>} */
const CURES = {
  "not-a-browser":
    "call load() in a browser; importing this module elsewhere is harmless, and on a server the Python package is the gate",
  "not-built": "this is the source; build it with `make web` and serve web/dist, or write a bundle with `weighbridge web OUT`",
  "bad-option": "see the options of load() and check()",
  aborted: "none needed: the caller's own signal asked for it",
  "time-out": "call load() again; raise `timeout` where the link is slow",
  network:
    "check that the machine is online, that the address is right, and that another origin sends Access-Control-Allow-Origin",
  "asset-missing": "serve the whole folder that `weighbridge web OUT` or `make web` wrote, at the address in `baseUrl`",
  "html-instead":
    "a page came where a file was expected, so the server answers unknown paths with a page (or asks for a login): exclude this path from its fallback",
  "hash-mismatch":
    "the file is not the one that was built: serve the bytes unchanged, and clear the cache of any proxy on the way",
  "build-mismatch": "the files come from two builds: reload the page, and serve the page script and its folder from one build",
  "blocked-by-policy":
    "allow it in the Content-Security-Policy: script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'",
  "worker-blocked":
    "serve the worker from the page's own origin as text/javascript, allow it in worker-src, or pass `worker: (url) => new Worker(...)`",
  "worker-failed": "call load() again; if it fails again, the browser lacks module workers (2023 and later have them)",
  "wasm-unsupported": "use a browser of 2023 or later; older ones lack WebAssembly that the interpreter needs",
  "out-of-memory": "close other pages and call load() again; the interpreter needs about 100 MB",
  "boot-failed": "call load() again; if it fails again, report it with the cause",
  "catalog-failed": "write the bundle anew with `weighbridge web OUT --catalog DIR`, which checks the catalog first",
  "interpreter-died": "call load() again; a new interpreter takes about a second",
  "arguments-not-json": "pass a plain object of strings, numbers, booleans, null, arrays and objects, or the JSON text itself",
  disposed: "the gate was closed; call load() for another",
};

/**
 * Why nothing was judged.
 */
export class WeighbridgeError extends Error {
  /**
   * @param {Code} code
   * @param {string} fact one sentence, without the caller's values
   * @param {Details} details
   */
  constructor(code, fact, { phase, url, cause, cure = CURES[code] }) {
    super(`${fact} Cure: ${cure}.`, cause === undefined ? undefined : { cause });
    this.name = "WeighbridgeError";
    /** What went wrong, to branch on. */
    this.code = code;
    /** Where it happened. */
    this.phase = phase;
    /** The file it is about, or null. */
    this.url = url ?? null;
    /** What to do about it. */
    this.cure = cure;
  }
}

/**
 * The error for a signal that has fired: the caller's own, or a deadline of ours.
 *
 * @param {AbortSignal} signal
 * @param {Phase} phase
 */
export function stopped(signal, phase) {
  const { reason } = signal;
  if (reason instanceof WeighbridgeError) return reason;
  if (reason instanceof Error && reason.name === "TimeoutError")
    return new WeighbridgeError("time-out", "The caller's signal ran out of time.", { phase, cause: reason });
  return new WeighbridgeError("aborted", "The caller's signal was aborted.", { phase, cause: reason });
}
