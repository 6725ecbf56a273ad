// Page side. Where a JSON Pointer lies in the text: the syntax tree that the editor already
// keeps is read, so a text that is broken elsewhere still has its places.
//   const mark = placeOfFinding(doc, finding);

import { ensureSyntaxTree } from "@codemirror/language";

/** @import { EditorState } from "@codemirror/state" */
/** @import { SyntaxNode } from "@lezer/common" */
/** @import { Finding, Range } from "./types.js" */

/** Milliseconds that the tree of a long text may take before its places are given up. */
const PARSE_BUDGET = 400;

/** A value that is longer than this (UTF-16 units) is marked at its beginning only. */
const LONGEST_MARK = 400;

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

/**
 * The root value, or null while the text holds none or is too long to be read in time.
 * @param {EditorState} state
 * @returns {SyntaxNode | null}
 */
export function rootValue(state) {
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_BUDGET);
  return tree ? firstValue(tree.topNode) : null;
}

/**
 * The node at a pointer, or the deepest one on the way to it.
 * @param {EditorState} state
 * @param {string} pointer
 * @returns {{ node: SyntaxNode, reached: boolean } | null}
 */
export function nodeAt(state, pointer) {
  let node = rootValue(state);
  if (!node) return null;
  for (const token of tokens(pointer)) {
    /** @type {SyntaxNode | null} */
    const next = node.name === "Array" ? element(node, token) : member(state, node, token);
    if (!next) return { node, reached: false };
    node = next;
  }
  return { node, reached: true };
}

/**
 * The stretches to mark for a finding: the named keys where it speaks about keys that are there,
 * the opening bracket where it speaks about an object or array, else the value.
 * @param {EditorState} state
 * @param {Finding} finding
 * @returns {Range[]}
 */
export function placesOfFinding(state, finding) {
  const found = nodeAt(state, finding.pointer);
  if (!found) return [];
  if (!found.reached) return [head(found.node)];
  const missing = finding.keyword === "required" || finding.keyword === "dependentRequired";
  if (finding.names.length > 0 && !missing) {
    const keys = namedKeys(state, found.node, finding.names);
    if (keys.length > 0) return keys;
  }
  return [head(found.node)];
}

/**
 * Where the text stops being JSON, as far as the syntax tree can say: its first error, else
 * a key that stands twice in one object, else the whole text.
 * @param {EditorState} state
 * @returns {Range}
 */
export function placeOfBreak(state) {
  const whole = { from: 0, to: state.doc.length };
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_BUDGET);
  if (!tree) return whole;
  /** @type {Range | null} */
  let place = null;
  tree.iterate({
    enter(node) {
      if (place) return false;
      if (node.type.isError) place = { from: node.from, to: Math.max(node.to, Math.min(node.from + 1, state.doc.length)) };
      return undefined;
    },
  });
  return place ?? whole;
}

/**
 * The keys of an object node, with their text decoded, in the order of the text.
 * @param {EditorState} state
 * @param {SyntaxNode} object
 * @returns {{ name: string, property: SyntaxNode, key: SyntaxNode, value: SyntaxNode | null }[]}
 */
export function members(state, object) {
  const list = [];
  for (let child = object.firstChild; child; child = child.nextSibling) {
    if (child.name !== "Property") continue;
    const key = child.getChild("PropertyName");
    if (!key) continue;
    list.push({ name: decoded(state.sliceDoc(key.from, key.to)), property: child, key, value: firstValue(child) });
  }
  return list;
}

/**
 * A JSON Pointer as its tokens; `""` is the root.
 * @param {string} pointer
 * @returns {string[]}
 */
export function tokens(pointer) {
  if (pointer === "") return [];
  return pointer.slice(1).split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * @param {string} token
 * @returns {string}
 */
export function escapeToken(token) {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** @param {SyntaxNode} parent */
export function firstValue(parent) {
  for (let child = parent.firstChild; child; child = child.nextSibling) {
    if (VALUES.has(child.name)) return child;
  }
  return null;
}

/**
 * The text of a string token as its value; a token that is not whole stands for itself.
 * @param {string} token
 * @returns {string}
 */
export function decoded(token) {
  try {
    return JSON.parse(token);
  } catch {
    return token;
  }
}

/**
 * @param {SyntaxNode} array
 * @param {string} token
 */
function element(array, token) {
  let left = Number(token);
  for (let child = array.firstChild; child; child = child.nextSibling) {
    if (!VALUES.has(child.name)) continue;
    if (left === 0) return child;
    left -= 1;
  }
  return null;
}

/**
 * @param {EditorState} state
 * @param {SyntaxNode} object
 * @param {string} token
 */
function member(state, object, token) {
  // The last of two equal keys: the one that a parser would keep.
  return members(state, object).filter((entry) => entry.name === token).at(-1)?.value ?? null;
}

/**
 * The stretch of a node that is marked: a bracket for what can be long, else the value.
 * @param {SyntaxNode} node
 * @returns {Range}
 */
export function head(node) {
  if (node.name === "Object" || node.name === "Array") return { from: node.from, to: node.from + 1 };
  return { from: node.from, to: Math.min(node.to, node.from + LONGEST_MARK) };
}

/**
 * The keys that a finding names. A refusal writes a name escaped and cut, so a name that is no
 * key of the object is looked for by the part of it that stands before any escape or cut.
 * @param {EditorState} state
 * @param {SyntaxNode} object
 * @param {string[]} names
 * @returns {Range[]}
 */
function namedKeys(state, object, names) {
  const keys = members(state, object);
  const taken = new Set();
  /** @type {Range[]} */
  const places = [];
  for (const name of names) {
    const plain = /^[^\\\u2026]*/.exec(name)?.[0] ?? "";
    const match =
      keys.find((entry) => entry.name === name && !taken.has(entry)) ??
      keys.find((entry) => plain.length < name.length && entry.name.startsWith(plain) && !taken.has(entry));
    if (!match) continue;
    taken.add(match);
    places.push({ from: match.key.from, to: Math.min(match.key.to, match.key.from + LONGEST_MARK) });
  }
  return places;
}
