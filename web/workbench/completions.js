// Page side. What could stand where the cursor is: keys that the object does not have yet, and
// values that the published schema lists. Offered, never put in by itself.
//   autocompletion({ override: [(context) => completions(context, schema)] })

import { syntaxTree } from "@codemirror/language";
import { decoded, members } from "./places.js";
import { fieldsOf } from "./fields.js";
import { skeleton } from "./drafts.js";

/** @import { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete" */
/** @import { EditorState } from "@codemirror/state" */
/** @import { SyntaxNode } from "@lezer/common" */
/** @import { Schema } from "./types.js" */

/**
 * @param {CompletionContext} context
 * @param {Schema} schema of the whole arguments object
 * @returns {CompletionResult | null}
 */
export function completions(context, schema) {
  const node = syntaxTree(context.state).resolveInner(context.pos, -1);
  const value = valueBefore(context, node);
  if (value) return valueCompletions(context.state, value.property, value.from, schema);
  const object = enclosingObject(node);
  if (!object) return null;
  const token = node.name === "PropertyName" ? node : null;
  if (!token && !context.explicit && !context.matchBefore(/"$/)) return null;
  const quote = token ? null : context.matchBefore(/"?\w*$/);
  const from = token ? token.from : (quote?.from ?? context.pos);
  return keyCompletions(context.state, object, from, token?.to ?? context.pos, schema);
}

/**
 * @param {EditorState} state
 * @param {SyntaxNode} object
 * @param {number} from
 * @param {number} to
 * @param {Schema} root
 * @returns {CompletionResult | null}
 */
function keyCompletions(state, object, from, to, root) {
  const schema = schemaAt(state, object, root);
  if (!schema?.properties) return null;
  const present = new Set(members(state, object).filter(({ key }) => key.from !== from).map(({ name }) => name));
  const rows = new Map(fieldsOf(schema).filter(({ depth }) => depth === 0).map((field) => [field.name, field]));
  // A key that already has its colon keeps it.
  const whole = /^\s*:/.test(state.sliceDoc(to, to + 20));
  // The closing quote that was put in with the opening one.
  const end = state.sliceDoc(to, to + 1) === '"' && state.sliceDoc(to - 1, to) !== '"' ? to + 1 : to;
  /** @type {Completion[]} */
  const options = Object.entries(schema.properties)
    .filter(([name]) => !present.has(name))
    .map(([name, child]) => {
      const row = rows.get(name);
      const start = JSON.stringify(skeleton(/** @type {Schema} */ (child)));
      return {
        label: JSON.stringify(name),
        apply: whole ? JSON.stringify(name) : `${JSON.stringify(name)}: ${start}`,
        detail: row?.required ? "required" : row?.type,
        info: row ? [row.description, row.bounds.join("; ")].filter(Boolean).join("\n") : undefined,
        boost: row?.required ? 1 : 0,
      };
    });
  return options.length > 0 ? { from, to: end, options, validFor: /^"?[^"]*"?$/ } : null;
}

/**
 * @param {EditorState} state
 * @param {SyntaxNode} property
 * @param {number} from
 * @param {Schema} root
 * @returns {CompletionResult | null}
 */
function valueCompletions(state, property, from, root) {
  const key = property.getChild("PropertyName");
  const object = property.parent;
  if (!key || object?.name !== "Object") return null;
  const schema = schemaAt(state, object, root)?.properties?.[decoded(state.sliceDoc(key.from, key.to))];
  if (!schema || typeof schema !== "object") return null;
  const types = [schema.type].flat();
  /** @type {unknown[]} */
  const values = [
    ...(Array.isArray(schema.enum) ? schema.enum : []),
    ...("const" in schema ? [schema.const] : []),
    ...(types.includes("boolean") ? [true, false] : []),
    ...(types.includes("null") ? [null] : []),
  ];
  if (values.length === 0) return null;
  return { from, options: values.map((value) => ({ label: JSON.stringify(value) })), validFor: /^"?[^"]*$/ };
}

/**
 * The property whose value the cursor stands in or right before.
 * @param {CompletionContext} context
 * @param {SyntaxNode} node
 */
function valueBefore(context, node) {
  const typed = context.matchBefore(/:\s*"?[\w./-]*$/);
  if (!typed) return null;
  let property = /** @type {SyntaxNode | null} */ (node);
  while (property && property.name !== "Property") property = property.parent;
  if (!property) return null;
  const from = typed.from + (/^:\s*/.exec(typed.text)?.[0].length ?? 0);
  return { property, from };
}

/** @param {SyntaxNode} node */
function enclosingObject(node) {
  let at = /** @type {SyntaxNode | null} */ (node);
  while (at && at.name !== "Object") {
    if (at.name === "String" || at.name === "Array") return null;
    at = at.parent;
  }
  return at;
}

/**
 * The published schema of an object in the text, reached by the keys and elements above it.
 * @param {EditorState} state
 * @param {SyntaxNode} object
 * @param {Schema} root
 * @returns {Schema | null}
 */
function schemaAt(state, object, root) {
  /** @type {("items" | string[])[]} */
  const path = [];
  for (let at = object.parent; at; at = at.parent) {
    if (at.name === "Array") path.unshift("items");
    if (at.name === "Property") {
      const key = at.getChild("PropertyName");
      if (key) path.unshift(["properties", decoded(state.sliceDoc(key.from, key.to))]);
    }
  }
  return path.flat().reduce((/** @type {any} */ schema, step) => schema?.[step], root) ?? null;
}
