// Page side. A verdict as the bytes that parity compares: ASCII JSON, keys sorted by code
// point, compact. It only carries what a seat answered; nothing is decided here.
//   canonical(serverVerdict) === canonical(pageVerdict)

/** The keys of a verdict, which the page's object holds beside members of its own. */
const VERDICT_KEYS = ["admitted", "advisory", "catalog", "charge", "refusal", "tool"];

/**
 * @param {unknown} value JSON values only
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const record = /** @type {Record<string, unknown>} */ (value);
    const pairs = Object.keys(record)
      .sort(byCodePoint)
      .map((key) => `${ascii(JSON.stringify(key))}:${canonical(record[key])}`);
    return `{${pairs.join(",")}}`;
  }
  return ascii(JSON.stringify(value));
}

/**
 * The verdict alone, without what the page's object carries beside it.
 * @param {Record<string, any>} verdict
 * @returns {Record<string, unknown>}
 */
export function verdictOnly(verdict) {
  return Object.fromEntries(VERDICT_KEYS.map((key) => [key, verdict[key]]));
}

/**
 * The canonical form, broken into lines for a person. Same order, same escapes.
 * @param {unknown} value
 * @param {string} [indent]
 * @returns {string}
 */
export function readable(value, indent = "") {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item) => inner + readable(item, inner)).join(",\n")}\n${indent}]`;
  }
  if (value !== null && typeof value === "object") {
    const record = /** @type {Record<string, unknown>} */ (value);
    const keys = Object.keys(record).sort(byCodePoint);
    if (keys.length === 0) return "{}";
    const lines = keys.map((key) => `${inner}${ascii(JSON.stringify(key))}: ${readable(record[key], inner)}`);
    return `{\n${lines.join(",\n")}\n${indent}}`;
  }
  return ascii(JSON.stringify(value));
}

/**
 * Array.prototype.sort compares UTF-16 units, which puts astral characters before U+E000.
 * @param {string} left
 * @param {string} right
 */
function byCodePoint(left, right) {
  const a = Array.from(left);
  const b = Array.from(right);
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    if (a[i] !== b[i]) return /** @type {number} */ (a[i].codePointAt(0)) - /** @type {number} */ (b[i].codePointAt(0));
  }
  return a.length - b.length;
}

/** @param {string} json */
function ascii(json) {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
