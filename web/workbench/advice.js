// Page side. What a JavaScript client would change on the way: the difference between the text
// and JSON.stringify(JSON.parse(text)), place by place. Advice beside the verdict, never part
// of it.
//   const { changes, omitted } = whatSendingChanges(state);

import { rootValue, escapeToken, decoded } from "./places.js";

/** @import { EditorState } from "@codemirror/state" */
/** @import { SyntaxNode } from "@lezer/common" */

/**
 * One place that a JavaScript client writes differently.
 * @typedef {object} Change
 * @property {"duplicate" | "number" | "order" | "escape"} kind
 * @property {number} from UTF-16 units
 * @property {number} to
 * @property {string} pointer
 * @property {string} before as it stands in the text, cut
 * @property {string} after as it would be sent, cut; "" when it would not be sent at all
 * @property {string} why
 */

/** More places than a person would read through. */
const MOST_CHANGES = 20;

/** Characters of a token that are shown. */
const LONGEST_TOKEN = 60;

/** Above this many characters the places are not looked for: the page has to keep up with the keys. */
const LONGEST_TEXT = 400_000;

/**
 * The changes in the order of the text. Nothing is said of white space, which no reader of JSON
 * sees.
 * @param {EditorState} state a document whose text JSON.parse accepts
 * @returns {{ changes: Change[], omitted: number, looked: boolean }}
 */
export function whatSendingChanges(state) {
  const root = state.doc.length <= LONGEST_TEXT ? rootValue(state) : null;
  if (!root) return { changes: [], omitted: 0, looked: false };
  /** @type {Change[]} */
  const changes = [];
  let omitted = 0;
  /** @param {Change} change */
  const note = (change) => {
    if (changes.length < MOST_CHANGES) changes.push(change);
    else omitted += 1;
  };
  walk(state, root, note);
  changes.sort((left, right) => left.from - right.from);
  return { changes, omitted, looked: true };
}

/**
 * Depth-first without recursion: a text may nest deeper than this page's stack.
 * @param {EditorState} state
 * @param {SyntaxNode} root
 * @param {(change: Change) => void} note
 */
function walk(state, root, note) {
  /** @type {{ node: SyntaxNode, pointer: string }[]} */
  const waiting = [{ node: root, pointer: "" }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, pointer } = next;
    if (node.name === "Number") number(state, node, pointer, note);
    else if (node.name === "String") string(state, node, pointer, note);
    else if (node.name === "Array") waiting.push(...elements(node, pointer));
    else if (node.name === "Object") waiting.push(...object(state, node, pointer, note));
  }
}

/**
 * @param {SyntaxNode} array
 * @param {string} pointer
 */
function elements(array, pointer) {
  const list = [];
  for (let child = array.firstChild; child; child = child.nextSibling) {
    if (/^[A-Z]/.test(child.name)) list.push({ node: child, pointer: `${pointer}/${list.length}` });
  }
  return list;
}

/**
 * @param {EditorState} state
 * @param {SyntaxNode} node
 * @param {string} pointer
 * @param {(change: Change) => void} note
 */
function object(state, node, pointer, note) {
  /** @type {Map<string, { name: string, from: number, to: number, value: SyntaxNode | null }>} */
  const last = new Map();
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name !== "Property") continue;
    const key = child.firstChild;
    if (key?.name !== "PropertyName") continue;
    const token = state.sliceDoc(key.from, key.to);
    const name = decoded(token);
    const earlier = last.get(name);
    if (earlier) {
      note({
        kind: "duplicate",
        from: earlier.from,
        to: earlier.to,
        pointer: `${pointer}/${escapeToken(name)}`,
        before: cut(`${JSON.stringify(name)} twice`),
        after: "the last one",
        why: "JSON.parse keeps the last of two equal keys; the earlier value is lost",
      });
    }
    last.set(name, { name, from: key.from, to: key.to, value: child.lastChild });
  }
  const written = [...last.keys()];
  const sent = [...written.filter(isIndex).sort((a, b) => Number(a) - Number(b)), ...written.filter((name) => !isIndex(name))];
  const moved = written.findIndex((name, i) => name !== sent[i]);
  if (moved >= 0) {
    note({
      kind: "order",
      from: node.from,
      to: node.from + 1,
      pointer,
      before: cut(written.slice(moved).map((name) => JSON.stringify(name)).join(", ")),
      after: cut(sent.slice(moved).map((name) => JSON.stringify(name)).join(", ")),
      why: "keys that look like array indices are sent first, in rising order",
    });
  }
  return [...last.values()].flatMap(({ name, value }) =>
    value && value.name !== "PropertyName" ? [{ node: value, pointer: `${pointer}/${escapeToken(name)}` }] : [],
  );
}

/**
 * @param {EditorState} state
 * @param {SyntaxNode} node
 * @param {string} pointer
 * @param {(change: Change) => void} note
 */
function number(state, node, pointer, note) {
  const token = state.sliceDoc(node.from, node.to);
  const after = JSON.stringify(Number(token));
  if (after === token) return;
  note({ kind: "number", from: node.from, to: node.to, pointer, before: cut(token), after, why: whyNumber(token, after) });
}

/**
 * @param {string} token
 * @param {string} after
 */
function whyNumber(token, after) {
  if (after === "null") return "too large for a double: it is sent as null";
  if (/^-0(\.0*)?([eE].*)?$/.test(token)) return "minus zero loses its sign";
  if (/^-?\d+$/.test(token)) return "past 2^53 a double no longer holds every integer: another number is sent";
  if (/^-?\d+$/.test(after) && Number(token) === Number(after)) return "the same number, sent as an integer";
  return "the same double, written another way";
}

/**
 * @param {EditorState} state
 * @param {SyntaxNode} node
 * @param {string} pointer
 * @param {(change: Change) => void} note
 */
function string(state, node, pointer, note) {
  const token = state.sliceDoc(node.from, node.to);
  if (!token.includes("\\")) return;
  const after = JSON.stringify(decoded(token));
  if (after === token) return;
  note({ kind: "escape", from: node.from, to: node.to, pointer, before: cut(token), after: cut(after), why: "the same text, escaped another way" });
}

/**
 * Whether JavaScript orders this key as an array index (0 to 2^32 - 2).
 * @param {string} name
 */
function isIndex(name) {
  return /^(0|[1-9]\d{0,9})$/.test(name) && Number(name) < 4_294_967_295;
}

/** @param {string} text */
function cut(text) {
  return text.length <= LONGEST_TOKEN ? text : `${text.slice(0, LONGEST_TOKEN)}\u2026`;
}
