// Page side. A verdict for react-jsonschema-form: `<Form noValidate extraErrors={extraErrors(verdict)} extraErrorsBlockSubmit ... />`.

import { tokensOf } from "./places.js";

/** @import { Verdict } from "../verdict.js" */

/** @typedef {{ [name: string]: ErrorSchema | string[] | undefined, __errors?: string[] }} ErrorSchema */

/**
 * The tree of errors that the form shows: a missing name at its own field, an
 * unknown name at the object that holds it, anything else at the value.
 *
 * @param {Verdict} verdict
 * @returns {ErrorSchema} `{}` exactly when admitted
 */
export function extraErrors(verdict) {
  /** @type {ErrorSchema} */
  const root = {};
  for (const { instancePath, params, message } of verdict.issues) {
    const missing = typeof params.missingProperty === "string" ? [params.missingProperty] : [];
    const here = [...tokensOf(instancePath), ...missing].reduce(below, root);
    own(here, "__errors", (/** @type {string[] | undefined} */ told) => [...(told ?? []), message]);
  }
  return root;
}

/**
 * @param {ErrorSchema} node
 * @param {string} token
 * @returns {ErrorSchema}
 */
function below(node, token) {
  // A field of that name would be taken for the errors themselves.
  if (token === "__errors") return node;
  return own(node, token, (found) => found ?? {});
}

/**
 * Sets a member whatever its name is, `__proto__` too, and gives it.
 *
 * @param {ErrorSchema} node
 * @param {string} name
 * @param {(found: any) => any} make
 */
function own(node, name, make) {
  const value = make(Object.hasOwn(node, name) ? node[name] : undefined);
  Object.defineProperty(node, name, { value, enumerable: true, configurable: true, writable: true });
  return value;
}
