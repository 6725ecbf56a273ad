// node issues.mjs < [[schema, text, verdict], ...]: of each, what verdict.issues says and what ajv says.
//
// Prints one JSON list of { issues, omitted, errors }; `errors` is null where ajv cannot compile the schema.

import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { verdictOf } from "../../web/verdict.js";

const validators = new Map();

function validatorOf(schema) {
  const key = JSON.stringify(schema);
  if (validators.has(key)) return validators.get(key);
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  addFormats(ajv);
  let validate = null;
  try {
    validate = ajv.compile(schema);
  } catch {
    // A schema that ajv has no answer to.
  }
  validators.set(key, validate);
  return validate;
}

function errorsOf(schema, text) {
  const validate = validatorOf(schema);
  if (validate === null) return null;
  return validate(JSON.parse(text)) ? [] : validate.errors;
}

const cases = JSON.parse(readFileSync(0, "utf8"));
const answers = cases.map(([schema, text, json]) => {
  const { issues, omitted } = verdictOf(json, text, { total: 0, gate: 0 });
  return { issues, omitted, errors: schema === null ? null : errorsOf(schema, text) };
});
process.stdout.write(JSON.stringify(answers));
