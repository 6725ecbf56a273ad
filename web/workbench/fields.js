// Page side. A published input schema as rows a person can read: name, type, bounds, words.
//   const rows = fieldsOf(tool.inputSchema);

import { escapeToken } from "./places.js";

/** @import { Schema } from "./types.js" */

/**
 * @typedef {object} Field
 * @property {string} pointer where its value stands in the arguments; `/*` for an element of an array
 * @property {string} name
 * @property {number} depth 0 for a field of the call itself
 * @property {boolean} required
 * @property {string} type
 * @property {string[]} bounds
 * @property {string} description
 */

/** Levels that are shown; what lies deeper is one row that says `object`. */
const DEEPEST = 4;

/** Values of an `enum` that are listed. */
const LISTED = 16;

/**
 * The fields of an object schema and of the objects inside it, the required ones first.
 * @param {Schema} root
 * @returns {Field[]}
 */
export function fieldsOf(root) {
  return below(root, root, "", 0);
}

/**
 * @param {Schema} root
 * @param {Schema} schema
 * @param {string} pointer
 * @param {number} depth
 * @returns {Field[]}
 */
function below(root, schema, pointer, depth) {
  if (depth >= DEEPEST) return [];
  /** @type {string[]} */
  const required = (Array.isArray(schema.required) ? schema.required : []).filter((name) => Object.hasOwn(schema.properties ?? {}, name));
  // A catalog's canonical form sorts its properties; its list of required names keeps the author's order.
  const names = [...new Set([...required, ...Object.keys(schema.properties ?? {})])];
  return names.flatMap((name) => {
    const own = resolved(root, schema.properties[name]);
    const place = `${pointer}/${escapeToken(name)}`;
    /** @type {Field} */
    const field = {
      pointer: place,
      name,
      depth,
      required: required.includes(name),
      type: typeOf(root, own),
      bounds: boundsOf(root, own),
      description: typeof own.description === "string" ? own.description : "",
    };
    const items = resolved(root, own.items);
    return [field, ...below(root, own, place, depth + 1), ...below(root, items, `${place}/*`, depth + 1)];
  });
}

/**
 * Follows a reference inside the same document; one that leads elsewhere is shown as it is.
 * @param {Schema} root
 * @param {unknown} schema
 * @returns {Schema}
 */
function resolved(root, schema) {
  let here = /** @type {any} */ (schema);
  for (let hops = 0; hops < 8 && typeof here?.$ref === "string" && here.$ref.startsWith("#/"); hops += 1) {
    const { $ref, ...beside } = here;
    const target = $ref
      .slice(2)
      .split("/")
      .reduce((/** @type {any} */ at, /** @type {string} */ token) => at?.[decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~")], root);
    if (target === undefined) break;
    here = { ...target, ...beside };
  }
  return here !== null && typeof here === "object" ? here : {};
}

/**
 * @param {Schema} root
 * @param {Schema} schema
 * @param {number} [depth] of arrays in arrays: a schema may refer to itself
 * @returns {string}
 */
function typeOf(root, schema, depth = 0) {
  if ("const" in schema) return "constant";
  const types = Array.isArray(schema.type) ? schema.type : schema.type ? [schema.type] : [];
  if (types.length === 0) return schema.enum ? "one of" : schema.anyOf || schema.oneOf ? "alternatives" : "any";
  return types
    .map((type) => {
      if (type !== "array") return type;
      const items = resolved(root, schema.items);
      return items.type && depth < DEEPEST ? `array of ${typeOf(root, items, depth + 1)}` : "array";
    })
    .join(" or ");
}

/**
 * What a value must keep to, in words; the numbers are the schema's.
 * @param {Schema} root
 * @param {Schema} schema
 * @param {number} [depth]
 * @returns {string[]}
 */
function boundsOf(root, schema, depth = 0) {
  /** @type {(string | null)[]} */
  const list = [
    "const" in schema ? `exactly ${JSON.stringify(schema.const)}` : null,
    Array.isArray(schema.enum) ? oneOf(schema.enum) : null,
    between(schema.minLength, schema.maxLength, "character", "characters"),
    schema["x-maxBytes"] === undefined ? null : `at most ${grouped(schema["x-maxBytes"])} UTF-8 bytes`,
    between(schema.minimum, schema.maximum, "", ""),
    schema.exclusiveMinimum === undefined ? null : `more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum === undefined ? null : `less than ${schema.exclusiveMaximum}`,
    schema.multipleOf === undefined ? null : `a multiple of ${schema.multipleOf}`,
    between(schema.minItems, schema.maxItems, "element", "elements"),
    schema.uniqueItems ? "no element twice" : null,
    between(schema.minProperties, schema.maxProperties, "key", "keys"),
    typeof schema.pattern === "string" ? `pattern ${schema.pattern}` : null,
    typeof schema.format === "string" ? `format ${schema.format}` : null,
    itemBounds(root, schema, depth),
  ];
  return list.filter((bound) => bound !== null);
}

/**
 * @param {Schema} root
 * @param {Schema} schema
 * @param {number} depth
 */
function itemBounds(root, schema, depth) {
  const items = resolved(root, schema.items);
  if (items.properties || !schema.items || depth >= DEEPEST) return null;
  const bounds = boundsOf(root, items, depth + 1);
  return bounds.length > 0 ? `each ${bounds.join(", ")}` : null;
}

/** @param {unknown[]} values */
function oneOf(values) {
  const listed = values.slice(0, LISTED).map((value) => JSON.stringify(value));
  const more = values.length - listed.length;
  return `one of ${listed.join(", ")}${more > 0 ? ` and ${grouped(more)} more` : ""}`;
}

/**
 * @param {number | undefined} least
 * @param {number | undefined} most
 * @param {string} one
 * @param {string} many
 */
function between(least, most, one, many) {
  if (least === undefined && most === undefined) return null;
  const unit = (/** @type {number} */ count) => (many ? ` ${count === 1 ? one : many}` : "");
  if (least === undefined || least === 0) return most === undefined ? null : `at most ${grouped(most)}${unit(most)}`;
  if (most === undefined) return `at least ${grouped(least)}${unit(least)}`;
  return `${grouped(least)} to ${grouped(most)}${unit(most)}`;
}

/**
 * A number with its thousands apart, the same in every locale.
 * @param {number} count
 * @returns {string}
 */
export function grouped(count) {
  return Number.isInteger(count) ? count.toLocaleString("en-US") : String(count);
}
