// Page side. A verdict for JSON Forms: `<JsonForms validationMode="ValidateAndHide" additionalErrors={additionalErrors(verdict)} ... />`.
//
// JSON Forms drops errors of some keywords, since its own ajv tells them twice, and
// looks for a missing name under two keywords only. Here each is told once, so those
// keywords get a name under which it is shown.

/** @import { Issue, Verdict } from "../verdict.js" */

/** @type {Record<string, string>} */
const SHOWN_AS = {
  additionalProperties: "weighbridge:additionalProperties",
  allOf: "weighbridge:allOf",
  anyOf: "weighbridge:anyOf",
  oneOf: "weighbridge:oneOf",
  dependentRequired: "dependencies",
};

/**
 * The issues as JSON Forms shows them: a missing name at its own control, an
 * unknown name at the object's, anything else at the value's. What is about the
 * whole of the arguments has no control; show `verdict.refusal.message` beside the form.
 *
 * @param {Verdict} verdict
 * @returns {Issue[]} empty exactly when admitted
 */
export function additionalErrors(verdict) {
  return verdict.issues.map((issue) => ({ ...issue, keyword: SHOWN_AS[issue.keyword] ?? issue.keyword }));
}
