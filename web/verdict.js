// Page side. One call as JSON text on the way in, one verdict as an object on the way out; no rule is applied here.

import { WeighbridgeError } from "./errors.js";

const META_KEY = "dev.theurian.weighbridge/verdict";

/**
 * @typedef {object} Finding
 * @property {string} pointer
 * @property {boolean} exact
 * @property {string} keyword
 * @property {string} schemaPointer
 * @property {string} expected
 * @property {Record<string, unknown>} params
 * @property {string} received
 * @property {string[]} names
 * @property {number} omitted
 * @property {string | null} suggestion
 * @property {string} message
 */

/**
 * @typedef {object} Refusal
 * @property {"no-schema" | "not-json" | "too-large" | "mismatch" | "unusable-schema"} code
 * @property {"body" | "nesting" | "nodes" | "rendered" | "work" | null} limit
 * @property {string} message
 * @property {boolean} truncated
 * @property {Finding[]} findings
 */

/**
 * What `Verdict.to_json()` says, parsed. Logging or storing one shows nothing of
 * the caller's: the members that hold the call are not enumerable.
 *
 * @typedef {object} Judged
 * @property {boolean} admitted
 * @property {boolean} advisory
 * @property {string} tool
 * @property {{ contract: number, digest: string }} catalog
 * @property {{ nesting: number, nodes: number, rendered: number } | null} charge
 * @property {Refusal | null} refusal
 */

/**
 * @typedef {object} Beside
 * @property {string} json the verdict's own bytes, as the gate wrote them
 * @property {string} text the JSON text that was judged
 * @property {boolean} sendable whether `JSON.stringify(JSON.parse(text))` is `text`: a client that re-writes the call sends what was judged
 * @property {{ total: number, gate: number }} timing milliseconds: from `check()` to here, and inside the gate
 * @property {() => ToolResult | null} toResult the tool result that the server sends for this refusal; null when admitted
 */

/** @typedef {Judged & Readonly<Beside>} Verdict */

/**
 * @typedef {object} ToolResult
 * @property {{ type: "text", text: string }[]} content
 * @property {true} isError
 * @property {Record<string, Judged>} _meta
 */

/**
 * The JSON text to judge. A string is JSON text already; anything else is
 * stringified, once, and that text is both judged and shown.
 *
 * @param {unknown} call
 * @returns {string}
 */
export function textOf(call) {
  if (typeof call === "string") return call;
  if (call === null || call === undefined) return "{}";
  /** @type {string | undefined} */
  let text;
  try {
    text = JSON.stringify(call);
  } catch (cause) {
    throw notJson("The arguments cannot be written as JSON (a cycle, a BigInt, or nesting past the browser's stack).", cause);
  }
  if (text === undefined) throw notJson(`A ${typeof call} is not JSON.`);
  const odd = oddity(call);
  if (odd) throw notJson(`The arguments hold ${odd}, which JSON.stringify would replace by something else.`);
  return text;
}

/**
 * What in `call` JSON.stringify has replaced or dropped, or null. Ends, since
 * stringify did: where a `toJSON` hid a cycle, that object is met first.
 *
 * @param {unknown} call
 */
function oddity(call) {
  const rest = [call];
  while (rest.length) {
    const value = rest.pop();
    if (typeof value === "function") return "a function";
    if (typeof value === "symbol") return "a symbol";
    if (typeof value !== "object" || value === null) continue;
    if (typeof (/** @type {{ toJSON?: unknown }} */ (value).toJSON) === "function") return "an object with toJSON";
    for (const inner of Array.isArray(value) ? value : Object.values(value)) if (typeof inner !== "string") rest.push(inner);
  }
  return null;
}

/**
 * @param {string} fact
 * @param {unknown} [cause]
 */
function notJson(fact, cause) {
  return new WeighbridgeError("arguments-not-json", fact, { phase: "check", cause });
}

/**
 * @param {string} json
 * @param {string} text
 * @param {{ total: number, gate: number }} timing
 * @returns {Verdict}
 */
export function verdictOf(json, text, timing) {
  const judged = /** @type {Judged} */ (JSON.parse(json));
  /** @type {boolean | undefined} */
  let sendable;
  return /** @type {Verdict} */ (
    Object.defineProperties(judged, {
      json: { value: json },
      text: { value: text },
      timing: { value: timing },
      sendable: { get: () => (sendable ??= survives(text)) },
      toResult: { value: () => resultOf(judged) },
    })
  );
}

/** @param {string} text */
function survives(text) {
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

/**
 * @param {Judged} judged
 * @returns {ToolResult | null}
 */
function resultOf(judged) {
  if (judged.refusal === null) return null;
  return {
    content: [{ type: "text", text: judged.refusal.message }],
    isError: true,
    _meta: { [META_KEY]: structuredClone(judged) },
  };
}
