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
 * One thing wrong, in the shape of ajv's error objects.
 *
 * @typedef {object} Issue
 * @property {string} instancePath the finding's pointer; of the object where a name is missing or unknown
 * @property {string} schemaPath the finding's schemaPointer as a URI fragment
 * @property {string} keyword the schema's keyword, or the refusal's code where no schema was reached
 * @property {Record<string, unknown>} params
 * @property {string} message
 */

/**
 * What the issues leave out, since a verdict is bounded.
 *
 * @typedef {object} Omitted
 * @property {number} names missing or unknown names that no issue has
 * @property {boolean} more whether findings, or words of the refusal's message, were left out
 */

/**
 * @typedef {object} Beside
 * @property {string} json the verdict's own bytes, as the gate wrote them
 * @property {string} text the JSON text that was judged
 * @property {boolean} sendable whether `JSON.stringify(JSON.parse(text))` is `text`: a client that re-writes the call sends what was judged
 * @property {{ total: number, gate: number }} timing milliseconds: from `check()` to here, and inside the gate
 * @property {Issue[]} issues empty exactly when admitted; yours to change
 * @property {Omitted} omitted
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
  /** @type {Issue[] | undefined} */
  let issues;
  return /** @type {Verdict} */ (
    Object.defineProperties(judged, {
      json: { value: json },
      text: { value: text },
      timing: { value: timing },
      sendable: { get: () => (sendable ??= survives(text)) },
      issues: { get: () => (issues ??= issuesOf(judged.refusal)) },
      omitted: { get: () => omittedBy(judged.refusal) },
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

/** Keywords whose findings sit on an object and list names: the param that ajv gives one name in. @type {Record<string, string>} */
const NAMED = {
  required: "missingProperty",
  dependentRequired: "missingProperty",
  dependencies: "missingProperty",
  additionalProperties: "additionalProperty",
  unevaluatedProperties: "unevaluatedProperty",
  propertyNames: "propertyName",
};

/** How ajv spells a comparison, beside its limit. @type {Record<string, string>} */
const COMPARISONS = { maximum: "<=", minimum: ">=", exclusiveMaximum: "<", exclusiveMinimum: ">" };

/**
 * @param {Refusal | null} refusal
 * @returns {Issue[]}
 */
function issuesOf(refusal) {
  if (refusal === null) return [];
  // Whoever counts issues must not take a refusal without findings for an admission.
  if (refusal.findings.length === 0) {
    const params = refusal.limit === null ? {} : { limit: refusal.limit };
    return [{ instancePath: "", schemaPath: "#", keyword: refusal.code, params, message: refusal.message }];
  }
  return structuredClone(refusal.findings).flatMap(issuesAt);
}

/**
 * @param {Finding} finding
 * @returns {Issue[]}
 */
function issuesAt({ pointer, keyword, schemaPointer, params, names, expected, suggestion }) {
  const place = { instancePath: pointer, schemaPath: `#${fragmentOf(schemaPointer)}`, keyword };
  const param = NAMED[keyword];
  if (!param || names.length === 0) {
    const comparison = COMPARISONS[keyword];
    return [{ ...place, params: comparison ? { comparison, ...params } : params, message: `expected ${expected}` }];
  }
  return names.map((name) => ({ ...place, params: { [param]: name }, message: about(name, param, names.length === 1 ? suggestion : null) }));
}

/**
 * @param {string} name
 * @param {string} param
 * @param {string | null} suggestion
 */
function about(name, param, suggestion) {
  if (param === "missingProperty") return `"${name}" is missing`;
  return suggestion === null ? `"${name}" is not a name that is allowed here` : `"${name}" is not a name that is allowed here; "${suggestion}" is`;
}

/** @param {string} pointer */
function fragmentOf(pointer) {
  const tokens = pointer.split("/");
  return tokens.map((token) => encodeURIComponent(token.replace(/\p{Surrogate}/gu, "\ufffd"))).join("/");
}

/**
 * @param {Refusal | null} refusal
 * @returns {Omitted}
 */
function omittedBy(refusal) {
  const names = (refusal?.findings ?? []).reduce((sum, { omitted }) => sum + omitted, 0);
  return { names, more: refusal?.truncated ?? false };
}
