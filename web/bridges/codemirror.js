// Page side. A verdict as CodeMirror 6 diagnostics: `linter(async (view) => diagnostics(await gate.check(tool, view.state.doc.toString())))`.
//
// Judge the text that `doc.toString()` gives: an editor that was filled from text
// with CRLF counts each line break as one.

import { marksOf } from "./marks.js";

/** @import { Verdict } from "../verdict.js" */

/**
 * @typedef {object} Diagnostic
 * @property {number} from
 * @property {number} to
 * @property {"error" | "warning"} severity a warning where the verdict is advisory
 * @property {string} source
 * @property {string} message
 */

/**
 * @param {Verdict} verdict
 * @returns {Diagnostic[]} empty exactly when admitted
 */
export function diagnostics(verdict) {
  const severity = verdict.advisory ? "warning" : "error";
  return marksOf(verdict).map(({ from, to, message }) => ({ from, to, severity, source: "weighbridge", message }));
}
