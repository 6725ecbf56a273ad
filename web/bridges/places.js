// Any side. Where a JSON Pointer lies in JSON text, in UTF-16 units, as editors count; no rule is applied here.
//   const places = placesIn(text); places.value("/labels/0"); places.key("", "tempo");
//
// Text that is not whole JSON has one place, the whole of it: half a text has no
// tree to point into. The walk goes down one path and skips the rest without recursion.

/**
 * @typedef {object} Place
 * @property {number} from UTF-16 units from the beginning
 * @property {number} to
 */

/**
 * @typedef {object} Places
 * @property {(pointer: string) => Place} value of the value, or of the deepest one on the way to it
 * @property {(pointer: string, name: string) => Place} key of that key's text, quotation marks included; of the object where it has no such key
 */

/**
 * @param {string} text
 * @returns {Places}
 */
export function placesIn(text) {
  const whole = { from: 0, to: text.length };
  if (!isJson(text)) return { value: () => whole, key: () => whole };
  /** @param {string} pointer */
  const start = (pointer) => {
    let at = blanks(text, 0);
    for (const token of tokensOf(pointer)) {
      const next = member(text, at, token)?.value ?? null;
      if (next === null) break;
      at = next;
    }
    return at;
  };
  /** @param {string} pointer */
  const value = (pointer) => {
    const from = start(pointer);
    return { from, to: end(text, from) };
  };
  return {
    value,
    key(pointer, name) {
      const at = start(pointer);
      const found = text[at] === "{" ? member(text, at, name) : null;
      return found ? { from: found.key, to: end(text, found.key) } : value(pointer);
    },
  };
}

/**
 * The tokens of a JSON Pointer.
 *
 * @param {string} pointer
 * @returns {string[]}
 */
export function tokensOf(pointer) {
  const tokens = pointer.split("/").slice(1);
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Where a member's value begins, and its key (in an array: the value again). Of
 * keys that are said twice the last, as JSON.parse has it.
 *
 * @param {string} text
 * @param {number} from the opening bracket
 * @param {string} token
 * @returns {{ key: number, value: number } | null}
 */
function member(text, from, token) {
  const isObject = text[from] === "{";
  if (!isObject && text[from] !== "[") return null;
  let found = null;
  let at = blanks(text, from + 1);
  for (let index = 0; text[at] !== "}" && text[at] !== "]"; index += 1) {
    const key = at;
    if (isObject) at = blanks(text, blanks(text, end(text, at)) + 1);
    const name = isObject ? () => JSON.parse(text.slice(key, end(text, key))) : () => String(index);
    if (name() === token) {
      found = { key, value: at };
      if (!isObject) return found;
    }
    at = blanks(text, end(text, at));
    if (text[at] === ",") at = blanks(text, at + 1);
  }
  return found;
}

/**
 * @param {string} text
 * @param {number} at
 */
function blanks(text, at) {
  while (at < text.length && " \t\n\r".includes(text[at])) at += 1;
  return at;
}

/**
 * Where the value that begins at `at` ends.
 *
 * @param {string} text
 * @param {number} at
 */
function end(text, at) {
  let depth = 0;
  do {
    const unit = text[at];
    if (unit === '"') at = endOfString(text, at);
    else if (unit === "{" || unit === "[") ((depth += 1), (at += 1));
    else if (unit === "}" || unit === "]") ((depth -= 1), (at += 1));
    else if (depth === 0) return endOfWord(text, at);
    else at += 1;
  } while (depth > 0);
  return at;
}

/**
 * @param {string} text
 * @param {number} at
 */
function endOfString(text, at) {
  at += 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/**
 * @param {string} text
 * @param {number} at
 */
function endOfWord(text, at) {
  while (at < text.length && !" \t\n\r,]}:".includes(text[at])) at += 1;
  return at;
}
