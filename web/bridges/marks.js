// Any side. The issues of a verdict with their places in the judged text, for editors.

import { placesIn } from "./places.js";

/** @import { Verdict } from "../verdict.js" */

/**
 * @typedef {object} Mark
 * @property {number} from UTF-16 units of `verdict.text`
 * @property {number} to
 * @property {string} keyword
 * @property {string} message
 */

/**
 * One mark for each issue: at the key where a name is unknown, else at the value,
 * which is the object where a name is missing.
 *
 * @param {Verdict} verdict
 * @returns {Mark[]}
 */
export function marksOf(verdict) {
  if (verdict.admitted) return [];
  const places = placesIn(verdict.text);
  return verdict.issues.map(({ instancePath, keyword, params, message }) => {
    const name = params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
    const place = typeof name === "string" ? places.key(instancePath, name) : places.value(instancePath);
    return { ...place, keyword, message };
  });
}
