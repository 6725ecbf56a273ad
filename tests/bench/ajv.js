// Page side. ajv's compiled validator of one schema, asked with the JSON text of each call.

import Ajv2020 from "ajv/dist/2020.js";

export function judge(schema) {
  const validate = new Ajv2020({ strict: false, validateFormats: false, unicodeRegExp: true, allErrors: true }).compile(schema);
  return (text) => validate(JSON.parse(text));
}
