// Worker side. Python, and nothing else: the gate answers here, and only here.
//
// The page hands over bytes that it has verified, so this worker asks the network
// for nothing, and its policy may say `connect-src 'none'`.

// The build puts both into this one script, which the page has verified.
import { loadPyodide } from "pyodide";
// @ts-expect-error: it has no types; all it does is be handed on
import createPyodideModule from "pyodide/pyodide.asm.mjs";

/** @import { Open, Check, Compare, Question, Answer } from "./protocol.js" */

// The build writes its id here; the page and the payload carry the same one.
const BUILD = "source";

/**
 * The two questions of `seat.py`; null before it is there, and once it has failed.
 *
 * @type {{ check: (tool: string, text: string, advisory: boolean) => string, compare: (text: string) => string } | null}
 */
let seat = null;

addEventListener("message", ({ data }) => {
  const question = /** @type {Question} */ (data);
  if (question.type === "check") check(question);
  else if (question.type === "compare") compare(question);
  else
    open(question).catch((error) => {
      const { code, phase, fact } = error instanceof Failed ? error : new Failed("boot-failed", "boot", kind(error));
      lost(question.id, code, phase, fact);
    });
});

say({ type: "hello", build: BUILD });

/** @param {Check} question */
function check({ id, tool, text, advisory }) {
  const started = performance.now();
  asked(id, (judge) => {
    const verdict = judge.check(tool, text, advisory);
    return { type: "checked", id, verdict, ms: performance.now() - started };
  });
}

/** @param {Compare} question */
function compare({ id, text }) {
  asked(id, (judge) => ({ type: "compared", id, comparison: judge.compare(text) }));
}

/**
 * @param {number} id
 * @param {(judge: NonNullable<typeof seat>) => Answer} answer
 */
function asked(id, answer) {
  try {
    if (!seat) throw new Error("a question came before open");
    say(answer(seat));
  } catch (error) {
    // The gate never raises: whatever came, this interpreter can no longer be believed.
    seat = null;
    lost(id, "interpreter-died", "check", kind(error));
  }
}

/** @param {Open} question */
async function open({ id, wasm, payload, catalog, lock }) {
  await hold(lock);
  say({ type: "reached", phase: "compile" });
  const module = await compiled(wasm);

  say({ type: "reached", phase: "boot" });
  const pyodide = await booted(module, payload);

  say({ type: "reached", phase: "open" });
  const found = pyodide.pyimport("weighbridge_seat");
  if (found.BUILD !== BUILD)
    throw new Failed("build-mismatch", "open", `The worker is of build ${BUILD}, the payload of build ${found.BUILD}`);
  /** @type {string} */
  let published;
  try {
    published = found.open_catalog(catalog);
  } catch (error) {
    throw new Failed("catalog-failed", "open", /** @type {Error} */ (error).message.trim().split("\n").at(-1) ?? "");
  }
  seat = { check: found.check, compare: found.compare };
  say({ type: "opened", id, catalog: published, python: found.PYTHON });
}

/**
 * Holds a lock for as long as this worker lives: the page waits for the same
 * lock, and so hears of a death that no event tells.
 *
 * @param {string | null} lock
 */
function hold(lock) {
  return new Promise((held) => {
    if (lock === null) held(undefined);
    else navigator.locks.request(lock, () => new Promise(() => held(undefined))).catch(held);
  });
}

/** @param {ArrayBuffer} wasm */
async function compiled(wasm) {
  try {
    return await WebAssembly.compile(wasm);
  } catch (error) {
    throw refused(error, "compile");
  }
}

/**
 * An interpreter made of the verified bytes.
 *
 * Its loader insists on fetching, and waits for ever when a fetch or the start of
 * the machine fails. So for the length of the boot `fetch` answers with what was
 * handed over, and the start of the machine is watched.
 *
 * @param {WebAssembly.Module} module
 * @param {ArrayBuffer} payload
 */
async function booted(module, payload) {
  const base = new URL("./", import.meta.url).href;
  const library = `${base}payload`;
  self.fetch = async (asked) => {
    const url = String(asked);
    if (url === library) return new Response(payload);
    if (url === `${base}pyodide.asm.wasm`) return new Response();
    throw new TypeError("the worker fetches nothing");
  };
  const failed = new Promise((_, reject) => {
    WebAssembly.instantiateStreaming = async (_source, imports) => {
      try {
        return { module, instance: await WebAssembly.instantiate(module, imports) };
      } catch (error) {
        reject(refused(error, "boot"));
        throw error;
      }
    };
  });
  return /** @type {import("pyodide").PyodideAPI} */ (
    await Promise.race([
      failed,
      loadPyodide({
        indexURL: base,
        stdLibURL: library,
        packageBaseUrl: base,
        lockFileContents: { info: LOCK_INFO, packages: {} },
        // What Python prints could hold what a caller wrote.
        stdin: () => null,
        stdout: () => {},
        stderr: () => {},
        createPyodideModule,
      }),
    ])
  );
}

// The build writes here what the engine's own lock file says of it.
const LOCK_INFO = /** @type {any} */ (null);

/** @type {(error: unknown, phase: "compile" | "boot") => Failed} */
function refused(error, phase) {
  const message = error instanceof Error ? error.message : "";
  if (/embedder|content.security.policy|unsafe-eval|csp/i.test(message)) return new Failed("blocked-by-policy", phase, "The policy forbids WebAssembly here");
  if (error instanceof RangeError || /memory/i.test(message)) return new Failed("out-of-memory", phase, "There is no memory for the interpreter");
  return new Failed("wasm-unsupported", phase, `The browser did not take the interpreter: ${kind(error)}`);
}

class Failed extends Error {
  /**
   * @param {import("./errors.js").Code} code
   * @param {import("./errors.js").Phase} phase
   * @param {string} fact
   */
  constructor(code, phase, fact) {
    super(fact);
    this.code = code;
    this.phase = phase;
    this.fact = fact;
  }
}

/**
 * The kind of an error, never its message: a message may quote the caller.
 *
 * @param {unknown} error
 */
function kind(error) {
  if (!(error instanceof Error)) return typeof error;
  const { type } = /** @type {{ type?: unknown }} */ (error);
  return typeof type === "string" ? type : error.name;
}

/**
 * The page ends this worker when it hears so; closing here could overtake the message.
 *
 * @param {number} id
 * @param {import("./errors.js").Code} code
 * @param {import("./errors.js").Phase} phase
 * @param {string} fact
 */
function lost(id, code, phase, fact) {
  say({ type: "lost", id, code, phase, fact });
}

/** @param {Answer} answer */
function say(answer) {
  postMessage(answer);
}
