// Page side. A verdict as Monaco markers: `monaco.editor.setModelMarkers(model, "weighbridge", markers(await gate.check(tool, model.getValue())))`.

import { marksOf } from "./marks.js";

/** @import { Verdict } from "../verdict.js" */

/** Of monaco.MarkerSeverity. */
const WARNING = 4;
const ERROR = 8;

/**
 * @typedef {object} Marker
 * @property {number} severity a warning where the verdict is advisory
 * @property {string} source
 * @property {string} code the keyword, or the refusal's code
 * @property {string} message
 * @property {number} startLineNumber from 1
 * @property {number} startColumn from 1, in UTF-16 units
 * @property {number} endLineNumber
 * @property {number} endColumn
 */

/**
 * @param {Verdict} verdict
 * @returns {Marker[]} empty exactly when admitted
 */
export function markers(verdict) {
  const marks = marksOf(verdict);
  if (marks.length === 0) return [];
  const starts = lineStarts(verdict.text);
  const severity = verdict.advisory ? WARNING : ERROR;
  return marks.map(({ from, to, keyword, message }) => {
    const first = lineOf(starts, from);
    const last = lineOf(starts, to);
    return {
      ...{ severity, source: "weighbridge", code: keyword, message },
      ...{ startLineNumber: first + 1, startColumn: from - starts[first] + 1 },
      ...{ endLineNumber: last + 1, endColumn: to - starts[last] + 1 },
    };
  });
}

/**
 * Where each line begins, with the line breaks that Monaco knows.
 *
 * @param {string} text
 */
function lineStarts(text) {
  return [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), (found) => found.index + found[0].length)];
}

/**
 * The last line that begins at or before `at`.
 *
 * @param {number[]} starts
 * @param {number} at
 */
function lineOf(starts, at) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle] <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
