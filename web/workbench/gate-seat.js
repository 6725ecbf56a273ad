// Page side. The gate in this page: loaded from the bundle, asked once per pause, the newest
// question winning. What cannot be judged is told as trouble and never as a verdict.
//   const seat = new GateSeat(bases, render); seat.start(); seat.ask(tool, text, answer);

/** @import { Gate, Trouble, Verdict } from "./types.js" */

/** Milliseconds between a keystroke and its question. */
const PAUSE = 140;

/**
 * @typedef {{ phase: string, loaded: number, total: number, unit: string }} Progress
 * @typedef {{ name: "loading", progress: Progress | null }
 *   | { name: "ready", gate: Gate, milliseconds: number }
 *   | { name: "failed", trouble: Trouble }} SeatState
 * @typedef {{ verdict: Verdict, milliseconds: number } | { trouble: Trouble }} Answer
 */

export class GateSeat {
  #bases;
  #changed;
  #newest = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #waiting;
  /** @type {SeatState} */
  #state = { name: "loading", progress: null };

  /**
   * @param {string[]} bases addresses of folders that may hold weighbridge.js, the likely one first
   * @param {(state: SeatState) => void} changed called at every change of state
   */
  constructor(bases, changed) {
    this.#bases = bases;
    this.#changed = changed;
  }

  get state() {
    return this.#state;
  }

  /** The gate, or null while there is none. */
  get gate() {
    return this.#state.name === "ready" ? this.#state.gate : null;
  }

  /** Loads the gate; called again after trouble, it tries again from nothing. */
  async start() {
    this.#become({ name: "loading", progress: null });
    const begun = performance.now();
    /** @type {SeatState} */
    const state = await this.#load()
      .then((gate) => ({ name: /** @type {const} */ ("ready"), gate, milliseconds: performance.now() - begun }))
      .catch((error) => ({ name: /** @type {const} */ ("failed"), trouble: troubleOf(error) }));
    this.#become(state);
  }

  /** @returns {Promise<Gate>} */
  async #load() {
    const { load } = await import(await entryOf(this.#bases));
    return load({ onProgress: (/** @type {any} */ event) => this.#progress(event) });
  }

  /**
   * Asks after a pause. Only the newest question is answered; the answer to an older one is
   * dropped, whenever it comes.
   * @param {string} tool
   * @param {string} text
   * @param {(answer: Answer) => void} answer
   */
  ask(tool, text, answer) {
    this.#newest += 1;
    const mine = this.#newest;
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(async () => {
      const result = await this.judge(tool, text);
      if (mine === this.#newest) answer(result);
    }, PAUSE);
  }

  /**
   * Judges now, beside whatever else is being asked.
   * @param {string} tool
   * @param {string} text
   * @returns {Promise<Answer>}
   */
  async judge(tool, text) {
    const { gate } = this;
    if (!gate) return { trouble: this.#state.name === "failed" ? this.#state.trouble : NOT_READY };
    const begun = performance.now();
    try {
      const verdict = await gate.check(tool, text);
      return { verdict, milliseconds: performance.now() - begun };
    } catch (error) {
      const trouble = troubleOf(error);
      // A gate that failed once answers nothing any more: the page says so until it is retried.
      if (this.gate === gate) this.#become({ name: "failed", trouble });
      return { trouble };
    }
  }

  /** @param {any} event */
  #progress(event) {
    if (this.#state.name !== "loading") return;
    this.#become({ name: "loading", progress: progressOf(event) });
  }

  /** @param {SeatState} state */
  #become(state) {
    this.#state = state;
    this.#changed(state);
  }
}

/** @type {Trouble} */
const NOT_READY = { code: "loading", message: "The gate is still loading.", cure: "Wait until it is ready." };

/**
 * The first folder that really holds the bundle. A static host may answer anything with a page,
 * so the type is looked at too.
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
 * @param {any} event
 * @returns {Progress}
 */
function progressOf(event) {
  return {
    phase: String(event?.phase ?? "starting"),
    loaded: Number(event?.loaded ?? 0),
    total: Number(event?.total ?? 0),
    unit: String(event?.unit ?? "bytes"),
  };
}

/**
 * Whatever was thrown, as something a person can act on.
 * @param {any} error
 * @returns {Trouble}
 */
export function troubleOf(error) {
  return {
    code: String(error?.code ?? "asset-missing"),
    message: String(error?.message ?? error),
    cure: String(error?.cure ?? "Build the bundle with `make web`, serve it beside this page, and try again."),
    phase: error?.phase === undefined ? undefined : String(error.phase),
    url: error?.url === undefined ? undefined : String(error.url),
  };
}
