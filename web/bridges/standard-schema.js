// Page side. A tool of a gate as a Standard Schema (v1), for every library that takes one: `standardSchema(gate, "knowledge.search")`.

import { tokensOf } from "./places.js";

/** @import { Verdict } from "../verdict.js" */

/** @typedef {{ check(tool: string, call?: unknown): Promise<Verdict> }} Judge a gate, or what answers like one */
/** @typedef {{ message: string, path: (string | number)[] }} PlacedIssue */
/** @typedef {{ value: unknown, issues?: undefined } | { issues: PlacedIssue[] }} Outcome */

/**
 * Answers asynchronously, always. A value is the arguments themselves: a string
 * is a string, and is no object. The value given back is what was judged.
 *
 * @param {Judge} gate
 * @param {string} tool
 */
export function standardSchema(gate, tool) {
  return {
    "~standard": {
      version: /** @type {const} */ (1),
      vendor: "weighbridge",
      /**
       * @param {unknown} value
       * @returns {Promise<Outcome>}
       */
      async validate(value) {
        const verdict = await gate.check(tool, typeof value === "string" ? JSON.stringify(value) : value);
        const judged = parsed(verdict.text);
        if (verdict.admitted) return { value: judged };
        return { issues: verdict.issues.map(({ instancePath, params, message }) => ({ message, path: pathOf(judged, instancePath, params) })) };
      },
    },
  };
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return undefined;
  }
}

/**
 * The steps to a value, or to the name that is missing; an index of an array is a number.
 *
 * @param {unknown} judged
 * @param {string} pointer
 * @param {Record<string, unknown>} params
 */
function pathOf(judged, pointer, { missingProperty }) {
  /** @type {(string | number)[]} */
  const path = [];
  let here = /** @type {any} */ (judged);
  for (const token of tokensOf(pointer)) {
    path.push(Array.isArray(here) ? Number(token) : token);
    here = here?.[token];
  }
  return typeof missingProperty === "string" ? [...path, missingProperty] : path;
}
