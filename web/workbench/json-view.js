// Page side. JSON to look at: indented, coloured, every part a text node, with a way to copy it.
//   parent.append(jsonView(text, "Verdict JSON"));

import { copyButton, h } from "./dom.js";
import { visible } from "./visible.js";

/** Characters beyond which the view is one plain text: a thousand spans help no reader. */
const COLOURED = 40_000;

/** Characters that are shown at all. */
const SHOWN = 400_000;

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/**
 * @param {string} text indented JSON
 * @param {{ label: string, lines?: Set<number> }} options `lines` are marked as different, from 0
 * @returns {HTMLElement}
 */
export function jsonView(text, { label, lines = new Set() }) {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}\n\u2026 ${text.length - SHOWN} more characters` : text;
  const code = h("code");
  shown.split("\n").forEach((line, i, all) => {
    const parts = shown.length > COLOURED ? visible(line) : coloured(line);
    const end = i < all.length - 1 ? "\n" : "";
    code.append(...(lines.has(i) ? [h("mark", { class: "differs" }, ...parts)] : parts), end);
  });
  return h("div", { class: "json-view" }, copyButton(() => text, label), h("pre", { tabindex: 0, role: "region", "aria-label": label }, code));
}

/**
 * @param {string} line
 * @returns {Node[]}
 */
function coloured(line) {
  /** @type {Node[]} */
  const nodes = [];
  let end = 0;
  for (const match of line.matchAll(TOKENS)) {
    if (match.index > end) nodes.push(document.createTextNode(line.slice(end, match.index)));
    const [, string, colon, number, word] = match;
    if (string !== undefined) {
      nodes.push(h("span", { class: colon === undefined ? "json-string" : "json-key" }, ...visible(string)));
      if (colon !== undefined) nodes.push(document.createTextNode(colon));
    } else {
      nodes.push(h("span", { class: number === undefined ? "json-word" : "json-number" }, number ?? word));
    }
    end = match.index + match[0].length;
  }
  if (end < line.length) nodes.push(...visible(line.slice(end)));
  return nodes;
}

/**
 * The lines of two texts that are not in the other at the same place from the top or the bottom.
 * @param {string} left
 * @param {string} right
 * @returns {{ left: Set<number>, right: Set<number> }}
 */
export function differingLines(left, right) {
  const a = left.split("\n");
  const b = right.split("\n");
  const shared = Math.min(a.length, b.length);
  let top = 0;
  while (top < shared && a[top] === b[top]) top += 1;
  let bottom = 0;
  while (bottom < shared - top && a[a.length - 1 - bottom] === b[b.length - 1 - bottom]) bottom += 1;
  const span = (/** @type {number} */ length) => new Set(Array.from({ length: Math.max(0, length - bottom - top) }, (_, i) => top + i));
  return { left: span(a.length), right: span(b.length) };
}
