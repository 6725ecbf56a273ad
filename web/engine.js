// Page side. One worker from its first byte to its end, for as many gates as hold it.
//
// Every promise made here settles exactly once, whatever dies: the worker's own
// word, its error events, a lock that it holds while it lives, and deadlines.

import { fetchVerified } from "./assets.js";
import { WeighbridgeError, stopped } from "./errors.js";
import { spawn, watchPolicy } from "./spawn.js";

/** @import { Asset } from "./assets.js" */
/** @import { Phase } from "./errors.js" */
/** @import { Answer, Check, Compare, Question, Opened, Checked, Compared } from "./protocol.js" */

/** @typedef {"worker" | "wasm" | "payload" | "catalog"} Role */

/** Where each file of a build is. @typedef {Record<Role, string>} Places */

/**
 * Which files make up a build.
 *
 * @typedef {object} Manifest
 * @property {string} build one id for page, worker, wasm and payload
 * @property {string} version
 * @property {Record<Role, Asset>} assets
 */

/**
 * How far loading has come: a phase begins, or bytes have come. Bytes are those
 * of all files together, uncompressed; exactly one event has `loaded` equal to
 * `total`. Whoever joins a load on its way first hears where it stands.
 *
 * @typedef {{ type: "phase", phase: "fetch" | "compile" | "boot" | "open" | "ready" }
 *   | { type: "bytes", asset: Role, loaded: number, total: number }} Progress
 */

/** @typedef {(url: string) => Worker} MakeWorker */

/**
 * @typedef {object} Waiting
 * @property {Question} question
 * @property {Transferable[]} transfer
 * @property {(answer: any) => void} resolve
 * @property {(error: unknown) => void} reject
 */

export class Engine {
  /** Resolves when the worker can judge; rejects with the first cause. @type {Promise<Opened>} */
  ready;

  #manifest;
  #places;
  #makeWorker;
  #onEnd;
  #abort = new AbortController();
  #policy;
  /** @type {Worker | null} */
  #worker = null;
  #holders = 0;
  /** @type {WeighbridgeError | null} */
  #ended = null;
  /** @type {Set<(progress: Progress) => void>} */
  #listeners = new Set();
  /** @type {Map<Role, number>} */
  #loaded = new Map();
  /** @type {Phase | "ready"} */
  #phase = "start";
  /** @type {Waiting | null} */
  #asked = null;
  /** @type {Waiting[]} */
  #queue = [];
  #lastId = 0;
  #hello = deferred();
  #end = deferred();

  /**
   * @param {Manifest} manifest
   * @param {Places} places
   * @param {MakeWorker} makeWorker
   * @param {() => void} onEnd called once, when this engine can judge no more
   */
  constructor(manifest, places, makeWorker, onEnd) {
    this.#manifest = manifest;
    this.#places = places;
    this.#makeWorker = makeWorker;
    this.#onEnd = onEnd;
    this.#policy = watchPolicy(new URL(places.worker).origin);
    // A death in the middle of the start is the answer to the start.
    this.ready = Promise.race([this.#open(), this.#end.promise]);
    this.ready.then(
      () => this.#reach("ready"),
      (error) => this.#finish(error),
    );
  }

  /** Of what it ended, or null while it lives. */
  get ended() {
    return this.#ended;
  }

  /** What is being waited for, said to whoever runs out of time. */
  get waitingFor() {
    if (this.#phase !== "fetch") return `phase ${this.#phase}`;
    const missing = Object.entries(this.#manifest.assets)
      .map(([role, { file, bytes }]) => ({ file, bytes, loaded: this.#loaded.get(/** @type {Role} */ (role)) ?? 0 }))
      .filter(({ bytes, loaded }) => loaded < bytes)
      .map(({ file, bytes, loaded }) => `${file} (${loaded} of ${bytes} bytes)`);
    return `phase fetch: ${missing.join(", ") || "the worker to start"}`;
  }

  /** @returns {Phase} */
  get phase() {
    return this.#phase === "ready" ? "check" : this.#phase;
  }

  /** @param {(progress: Progress) => void} listener */
  listen(listener) {
    this.#listeners.add(listener);
    if (this.#phase === "start") return;
    tell(listener, { type: "phase", phase: "fetch" });
    if (this.#loaded.size) tell(listener, this.#bytes("wasm"));
    if (this.#phase !== "fetch") tell(listener, { type: "phase", phase: /** @type {"boot"} */ (this.#phase) });
  }

  /** @param {(progress: Progress) => void} listener */
  unlisten(listener) {
    this.#listeners.delete(listener);
  }

  hold() {
    this.#holders += 1;
  }

  /** The last one to let go ends the worker. */
  release() {
    this.#holders -= 1;
    if (this.#holders === 0) this.#finish(new WeighbridgeError("disposed", "The gate is closed.", { phase: "closed" }));
  }

  /**
   * Asks for one verdict, in turn.
   *
   * @param {Omit<Check, "type" | "id">} call
   * @param {number} timeout
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<Checked>}
   */
  check(call, timeout, signal) {
    return this.#ask((id) => ({ type: "check", id, ...call }), timeout, signal);
  }

  /**
   * Asks for one comparison, in turn.
   *
   * @param {Omit<Compare, "type" | "id">} list
   * @param {number} timeout
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<Compared>}
   */
  compare(list, timeout, signal) {
    return this.#ask((id) => ({ type: "compare", id, ...list }), timeout, signal);
  }

  /**
   * Asks one question, in turn. After `timeout` milliseconds one that is
   * still in line is dropped, and one that is being judged ends the worker, since
   * nothing else can stop it. An aborted call is dropped, or its verdict is.
   *
   * @param {(id: number) => Question} question
   * @param {number} timeout
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<any>}
   */
  async #ask(question, timeout, signal) {
    if (this.#ended) throw this.#ended;
    if (signal?.aborted) throw stopped(signal, "check");
    const waiting = this.#line(question(++this.#lastId), []);
    const drop = () => {
      const place = this.#queue.indexOf(waiting);
      if (place >= 0) this.#queue.splice(place, 1);
    };
    const abort = () => {
      drop();
      waiting.reject(stopped(/** @type {AbortSignal} */ (signal), "check"));
    };
    const timer = setTimeout(() => {
      const error = new WeighbridgeError("time-out", `No answer came within ${timeout} ms.`, { phase: "check" });
      drop();
      waiting.reject(error);
      if (this.#asked === waiting) this.#finish(error);
    }, timeout);
    signal?.addEventListener("abort", abort);
    try {
      return await waiting.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** @returns {Promise<Opened>} */
  async #open() {
    try {
      return await this.#opened();
    } catch (error) {
      throw await this.#explained(error);
    }
  }

  /** @returns {Promise<Opened>} */
  async #opened() {
    const { assets, build } = this.#manifest;
    await null; // Whoever made this engine listens before the first event.
    this.#reach("fetch");
    /** @param {Role} role */
    const fetched = (role) => {
      const file = fetchVerified(assets[role], this.#places[role], this.#abort.signal, (loaded) => this.#count(role, loaded));
      file.catch(() => {}); // Awaited below; the first to fail is the news.
      return file;
    };
    // The biggest first; the worker reads its script while they come.
    const [wasm, payload, worker, catalog] = /** @type {const} */ (["wasm", "payload", "worker", "catalog"]).map(fetched);
    await worker;
    const greeting = this.#start(this.#places.worker);
    const [said, wasmBytes, payloadBytes, catalogBytes] = await Promise.all([greeting, wasm, payload, catalog]);
    if (said !== build)
      throw new WeighbridgeError("build-mismatch", `The page script is of build ${build}, the worker of build ${said}.`, { phase: "start" });
    const { promise } = this.#line(
      {
        type: "open",
        id: ++this.#lastId,
        wasm: wasmBytes.buffer,
        payload: payloadBytes.buffer,
        catalog: new TextDecoder().decode(catalogBytes),
        lock: globalThis.navigator?.locks ? (this.#lock = `weighbridge ${crypto.randomUUID()}`) : null,
      },
      [wasmBytes.buffer, payloadBytes.buffer],
    );
    return promise;
  }

  /** @type {string | null} */
  #lock = null;

  /**
   * @param {string} url
   * @returns {Promise<string>} the build that the worker says it is of
   */
  async #start(url) {
    // Given up while its script came: a worker made now would have no end.
    if (this.#ended) throw this.#ended;
    try {
      this.#worker = this.#makeWorker(url);
    } catch (cause) {
      throw new WeighbridgeError("worker-blocked", "The browser refused to make the worker.", { phase: "start", url, cause });
    }
    this.#worker.addEventListener("message", ({ data }) => this.#hear(data));
    this.#worker.addEventListener("messageerror", (cause) =>
      this.#finish(new WeighbridgeError("worker-failed", "A message of the worker could not be read.", { phase: this.phase, cause })),
    );
    this.#worker.addEventListener("error", (cause) => {
      cause.preventDefault();
      // Before its greeting the script did not run: it was verified, so it was not let.
      this.#hello.reject(new WeighbridgeError("worker-blocked", "The worker did not start.", { phase: "start", url, cause }));
      if (this.#greeted) this.#finish(new WeighbridgeError("interpreter-died", "The worker failed.", { phase: this.phase, url, cause }));
    });
    return this.#hello.promise;
  }

  #greeted = false;

  /** @param {Answer} answer */
  #hear(answer) {
    if (answer.type === "hello") {
      this.#greeted = true;
      this.#hello.resolve(answer.build);
    } else if (answer.type === "reached") {
      if (this.#lock) this.#watch(this.#lock);
      this.#lock = null;
      this.#reach(answer.phase);
    } else if (answer.type === "lost") {
      const { code, phase, fact } = answer;
      const said = code === "interpreter-died" ? `The interpreter died inside a check: ${fact}.` : `${fact}.`;
      this.#finish(new WeighbridgeError(code, said, { phase }));
    } else if (this.#asked && answer.id === this.#asked.question.id) {
      this.#asked.resolve(answer);
      this.#asked = null;
      this.#next();
    }
  }

  /**
   * The worker holds `lock` while it lives, so to get it is to hear of its death,
   * even where no event tells: killed from outside, or by the system.
   *
   * @param {string} lock
   */
  #watch(lock) {
    navigator.locks
      .request(lock, { signal: this.#abort.signal }, () =>
        this.#finish(new WeighbridgeError("interpreter-died", "The worker is gone.", { phase: this.phase })),
      )
      .catch(() => {}); // Aborted, since this engine has ended already.
  }

  /**
   * @param {Question} question
   * @param {Transferable[]} transfer
   */
  #line(question, transfer) {
    const waiting = { question, transfer, ...deferred() };
    this.#queue.push(waiting);
    this.#next();
    return waiting;
  }

  #next() {
    if (this.#asked || !this.#worker) return;
    this.#asked = this.#queue.shift() ?? null;
    if (this.#asked) this.#worker.postMessage(this.#asked.question, this.#asked.transfer);
  }

  /** @param {"fetch" | "compile" | "boot" | "open" | "ready"} phase */
  #reach(phase) {
    this.#phase = phase;
    this.#tell({ type: "phase", phase });
  }

  /**
   * @param {Role} role
   * @param {number} loaded
   */
  #count(role, loaded) {
    if (loaded <= (this.#loaded.get(role) ?? 0)) return;
    this.#loaded.set(role, loaded);
    this.#tell(this.#bytes(role));
  }

  /**
   * @param {Role} asset
   * @returns {Progress}
   */
  #bytes(asset) {
    const sum = (/** @type {Iterable<number>} */ sizes) => [...sizes].reduce((a, b) => a + b, 0);
    const total = sum(Object.values(this.#manifest.assets).map(({ bytes }) => bytes));
    return { type: "bytes", asset, loaded: sum(this.#loaded.values()), total };
  }

  /** @param {Progress} progress */
  #tell(progress) {
    for (const listener of this.#listeners) tell(listener, progress);
  }

  /**
   * The same failure, with what the page's policy or the folder's own manifest
   * says about why.
   *
   * @param {unknown} error
   */
  async #explained(error) {
    if (!(error instanceof WeighbridgeError)) return new WeighbridgeError("boot-failed", "Loading failed.", { phase: this.phase, cause: error });
    const { code, phase, url, cause } = error;
    if (code === "network" || code === "worker-blocked") {
      const directive = await this.#policy.found();
      if (directive)
        return new WeighbridgeError("blocked-by-policy", `The page's policy forbade it (${directive}).`, { phase, url: url ?? undefined, cause });
    }
    if (code === "asset-missing" || code === "html-instead") {
      const fact = await this.#replaced();
      if (fact) return new WeighbridgeError("build-mismatch", fact, { phase, url: url ?? undefined, cause: error });
    }
    return error;
  }

  /**
   * What the folder's own manifest says of having been replaced since this script
   * came, or null: by another build, or by another catalog of the same one.
   *
   * @returns {Promise<string | null>}
   */
  async #replaced() {
    try {
      const { build, assets } = this.#manifest;
      const response = await fetch(new URL("manifest.json", this.#places.worker), { cache: "no-store", signal: this.#abort.signal });
      const there = await response.json();
      if (there.build !== build) return `The page script is of build ${build}, the folder of build ${there.build}.`;
      const [mine, its] = [assets.catalog.file, there.assets.catalog.file];
      return mine === its ? null : `The page script asks for ${mine}, and the folder, of the same build, has ${its}.`;
    } catch {
      return null;
    }
  }

  /** @param {WeighbridgeError} error */
  #finish(error) {
    if (this.#ended) return;
    this.#ended = error;
    this.#worker?.terminate();
    this.#policy.end();
    this.#end.reject(error);
    this.#hello.reject(error);
    for (const { reject } of [this.#asked, ...this.#queue].filter((waiting) => waiting !== null)) reject(error);
    this.#asked = null;
    this.#queue = [];
    this.#abort.abort(error);
    this.#onEnd();
  }
}

/**
 * A listener that throws is told about as any other script's error, and stops nothing.
 *
 * @param {(progress: Progress) => void} listener
 * @param {Progress} progress
 */
function tell(listener, progress) {
  try {
    listener(progress);
  } catch (error) {
    reportError(error);
  }
}

/**
 * A promise with its two ends; a rejection that nobody waits for is not an error.
 */
function deferred() {
  /** @type {(value: any) => void} */
  let resolve = () => {};
  /** @type {(error: unknown) => void} */
  let reject = () => {};
  /** @type {Promise<any>} */
  const promise = new Promise((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
