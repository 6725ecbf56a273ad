// Page side. What stands in the editor when a tool is chosen for the first time: a sample that we
// wrote for our own tools, else the required fields and nothing more. Drafts live in memory only.
//   const text = drafts.textFor(tool);

import samples from "./samples.json";

/** @import { Schema, Tool } from "./types.js" */

/** Levels of a published schema that a skeleton follows; deeper ones are left to the reader. */
const DEEPEST = 6;

export class Drafts {
  /** @type {Map<string, string>} */
  #texts = new Map();

  /** @param {Tool} tool */
  textFor(tool) {
    return this.#texts.get(tool.name) ?? starter(tool);
  }

  /**
   * @param {string} tool
   * @param {string} text
   */
  keep(tool, text) {
    this.#texts.set(tool, text);
  }
}

/**
 * The first draft of a tool.
 * @param {Tool} tool
 * @returns {string}
 */
export function starter(tool) {
  const own = /** @type {Record<string, unknown>} */ (samples)[tool.name];
  const fits = own !== undefined && Object.keys(/** @type {object} */ (own)).every((key) => key in (tool.inputSchema.properties ?? {}));
  return JSON.stringify(fits ? own : skeleton(tool.inputSchema), null, 2);
}

/**
 * A value of the shape that a schema asks for, holding its required keys and nothing else. It
 * invents no content: texts are empty and numbers are the least allowed one.
 * @param {Schema | boolean} schema
 * @param {number} [depth]
 * @returns {unknown}
 */
export function skeleton(schema, depth = 0) {
  if (typeof schema === "boolean" || depth > DEEPEST) return {};
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "string") return "";
  if (type === "integer" || type === "number") return schema.minimum ?? 0;
  if (type === "boolean") return false;
  if (type === "null") return null;
  if (type === "array") {
    return Array.from({ length: Math.min(schema.minItems ?? 0, 1) }, () => skeleton(schema.items ?? {}, depth + 1));
  }
  /** @type {string[]} */
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.fromEntries(required.map((name) => [name, skeleton(schema.properties?.[name] ?? {}, depth + 1)]));
}
