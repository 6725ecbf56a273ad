// Page side. A verdict as marks in the text: each finding at its place, a refusal without findings
// where the text shows its cause.
//   editor.mark(marksOf(verdict, editor.state, changes));

import { placeOfBreak, placesOfFinding } from "./places.js";

/** @import { EditorState } from "@codemirror/state" */
/** @import { Change } from "./advice.js" */
/** @import { Mark } from "./editor.js" */
/** @import { Range, Verdict } from "./types.js" */

/**
 * @param {Verdict} verdict
 * @param {EditorState} state
 * @param {Change[]} changes what sending would change, which shows what parsing hides
 * @returns {Mark[]}
 */
export function marksOf({ refusal }, state, changes) {
  if (!refusal) return [];
  const { code, limit, message, findings } = refusal;
  const start = { from: 0, to: Math.min(1, state.doc.length) };
  switch (code) {
    case "mismatch":
      return findings.map((finding) => ({ places: placesOfFinding(state, finding), severity: "error", title: finding.keyword, message: finding.message }));
    case "not-json":
      return [{ places: brokenPlaces(state, changes), severity: "error", title: code, message }];
    case "too-large":
      return [{ places: [start], severity: "error", title: `${code}: ${limit}`, message }];
    default:
      // The tool or its schema is at fault, and the text is not.
      return [];
  }
}

/**
 * The rows of the field table that a verdict speaks of.
 * @param {Verdict | null} verdict
 * @returns {Map<string, number[]>} pointers, with `*` for any element of an array, and which findings speak of each
 */
export function faultyRows(verdict) {
  /** @type {Map<string, number[]>} */
  const rows = new Map();
  for (const [index, { pointer, keyword, names }] of (verdict?.refusal?.findings ?? []).entries()) {
    const missing = keyword === "required" ? names.map((name) => `${pointer}/${name}`) : [];
    for (const row of [pointer, ...missing].map(rowOf)) rows.set(row, [...(rows.get(row) ?? []), index]);
  }
  return rows;
}

/** @param {string} pointer */
function rowOf(pointer) {
  return pointer.replace(/\/\d+(?=\/|$)/g, "/*");
}

/**
 * Where the text is not strict JSON: a broken place, else what parsing would hide.
 * @param {EditorState} state
 * @param {Change[]} changes
 * @returns {Range[]}
 */
function brokenPlaces(state, changes) {
  const broken = placeOfBreak(state);
  if (broken.to - broken.from < state.doc.length) return [broken];
  const hidden = changes.filter(({ kind, after }) => kind === "duplicate" || after === "null");
  return hidden.length > 0 ? hidden : [broken];
}
