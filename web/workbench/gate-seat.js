// Page side. The gate in this page: loaded from the bundle, the newest question winning. What cannot be judged is told as trouble and never as a verdict.
//   const seat = new GateSeat(bases, render); void seat.start(); await seat.ask(tool, text);

/** @import { Gate, Trouble, Verdict } from "./types.js" */

/**
 * @typedef {{ phase: string, loaded: number, total: number }} Progress bytes, over all files together
 * @typedef {{ name: "loading", progress: Progress }
 *   | { name: "ready", gate: Gate, milliseconds: number }
 *   | { name: "failed", trouble: Trouble }} SeatState
 * @typedef {{ verdict: Verdict, milliseconds: number } | { trouble: Trouble }} Answer
 */

/** @type {Progress} */
const NOTHING_YET = { phase: "start", loaded: 0, total: 0 };

/** @type {Trouble} */
const NOT_READY = { code: "loading", message: "The gate is still loading.", cure: "Wait until it is ready" };

export class GateSeat {
  #bases;
  #changed;
  /** @type {AbortController} */
  #newest = new AbortController();
  /** @type {SeatState} */
  #state = { name: "loading", progress: NOTHING_YET };

  /**
   * @param {string[]} bases addresses of folders that may hold weighbridge.js, the likely one first
   * @param {(state: SeatState) => void} changed called at every change of state
   */
  constructor(bases, changed) {
    this.#bases = bases;
    this.#changed = changed;
  }

  /** The gate, or null while there is none. */
  get gate() {
    return this.#state.name === "ready" ? this.#state.gate : null;
  }

  /** Loads the gate; called again after trouble, it tries again from nothing. */
  async start() {
    this.#become({ name: "loading", progress: NOTHING_YET });
    const begun = performance.now();
    /** @type {SeatState} */
    const state = await this.#load()
      .then((gate) => ({ name: /** @type {const} */ ("ready"), gate, milliseconds: performance.now() - begun }))
      .catch((error) => ({ name: /** @type {const} */ ("failed"), trouble: troubleOf(error) }));
    this.#become(state);
  }

  /**
   * Asks. Only the newest question is answered: an older one is taken back, and its answer
   * dropped, however late it comes.
   * @param {string} tool
   * @param {string} text
   * @returns {Promise<Answer | null>} null when a newer one was asked meanwhile
   */
  async ask(tool, text) {
    this.#newest.abort();
    this.#newest = new AbortController();
    const { signal } = this.#newest;
    const answer = await this.judge(tool, text, signal);
    return signal.aborted ? null : answer;
  }

  /**
   * Judges, beside whatever else is being asked.
   * @param {string} tool
   * @param {string} text
   * @param {AbortSignal} [signal] takes the question back
   * @returns {Promise<Answer>}
   */
  async judge(tool, text, signal) {
    const { gate } = this;
    if (!gate) return { trouble: this.#state.name === "failed" ? this.#state.trouble : NOT_READY };
    try {
      const verdict = await gate.check(tool, text, { signal });
      return { verdict, milliseconds: verdict.timing.total };
    } catch (error) {
      const trouble = troubleOf(error);
      // A gate that failed answers nothing any more; a question that was taken back says nothing.
      if (!signal?.aborted && this.gate === gate) this.#become({ name: "failed", trouble });
      return { trouble };
    }
  }

  /** @returns {Promise<Gate>} */
  async #load() {
    const { load } = await import(await entryOf(this.#bases));
    return load({ onProgress: (/** @type {import("../weighbridge.js").Progress} */ event) => this.#progress(event) });
  }

  /** @param {import("../weighbridge.js").Progress} event */
  #progress(event) {
    if (this.#state.name !== "loading" || (event.type === "phase" && event.phase === "ready")) return;
    const { progress } = this.#state;
    const next = event.type === "phase" ? { ...progress, phase: event.phase } : { ...progress, loaded: event.loaded, total: event.total };
    this.#become({ name: "loading", progress: next });
  }

  /** @param {SeatState} state */
  #become(state) {
    this.#state = state;
    this.#changed(state);
  }
}

/**
 * The first folder that really holds the bundle. A static host may answer anything with a page,
 * so the media type is looked at too.
 * @param {string[]} bases
 * @returns {Promise<string>}
 */
async function entryOf(bases) {
  const entries = bases.map((base) => new URL("weighbridge.js", base).href);
  for (const entry of entries.slice(0, -1)) {
    const answer = await fetch(entry, { method: "HEAD" }).catch(() => null);
    if (answer?.ok && /javascript/.test(answer.headers.get("content-type") ?? "")) return entry;
  }
  return /** @type {string} */ (entries.at(-1));
}

/**
 * Whatever was thrown, as something a person can act on.
 * @param {any} error
 * @returns {Trouble}
 */
function troubleOf(error) {
  // What carries no code of the gate's came before the gate: its entry could not be imported.
  const cure = String(error?.cure ?? "build the bundle with `make web`, serve it beside this page, and try again");
  return {
    code: String(error?.code ?? "asset-missing"),
    // The gate's errors end with their cure, which the page shows in a place of its own.
    message: String(error?.message ?? error).replace(` Cure: ${cure}.`, ""),
    cure,
    phase: error?.phase ?? undefined,
    url: error?.url ?? undefined,
  };
}
