// Page side. Whether the server judges by the catalog of this page, in words; the gate has compared.
//   fill(element, ...comparisonView(comparison));

import { h } from "./dom.js";
import { visible } from "./visible.js";

/** @import { Comparison } from "../weighbridge.js" */

/** @type {Record<Comparison["outcome"], string>} */
const WORDS = {
  same: "The server judges by the same catalog.",
  "text differs": "The server judges by the same rules; some descriptions are other ones.",
  differs: "The server judges by another catalog: verdicts here are advice.",
  unknown: "The server does not say which catalog it judges by: verdicts here are advice.",
};

/**
 * One sentence, for the live region too.
 * @param {Comparison} comparison
 */
export function comparisonWords(comparison) {
  return WORDS[comparison.outcome];
}

/**
 * @param {Comparison} comparison
 * @returns {Node[]}
 */
export function comparisonView(comparison) {
  const { added, removed, changed, omitted, others } = comparison;
  const rows = /** @type {const} */ ([
    ["Other arguments there", changed],
    ["Only there", added],
    ["Only here", removed],
    ["Also not the same", others],
  ]).filter(([, names]) => names.length > 0);
  return [
    h("p", { class: "comparison-words", "data-outcome": comparison.outcome }, comparisonWords(comparison)),
    ...rows.map(([what, names]) =>
      h("p", { class: "comparison-names" }, `${what}: `, ...names.flatMap((name, at) => [at ? ", " : "", h("code", {}, ...visible(name))]), "."),
    ),
    ...(omitted > 0 ? [h("p", { class: "comparison-names" }, `and ${omitted} more names.`)] : []),
  ];
}
