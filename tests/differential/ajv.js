// Page side. ajv, asked whether each call's arguments hold: true, false, or the text of what it raised.
//
// Formats are left as annotations (ajv has them in another package), and patterns
// mean what `u` says, as ours do.

import Ajv2020 from "ajv/dist/2020.js";

export function judge(text) {
  const { schemas, calls } = JSON.parse(text);
  const judges = new Map(Object.entries(schemas).map(([tool, schema]) => [tool, compiled(schema)]));
  return JSON.stringify(calls.map(([tool, args]) => judges.get(tool)(args)));
}

function compiled(schema) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, unicodeRegExp: true, logger: false });
  const attempt = (work) => {
    try {
      return work();
    } catch (error) {
      return String(error).slice(0, 200);
    }
  };
  const validate = attempt(() => ajv.compile(schema));
  return (args) => (typeof validate === "string" ? validate : attempt(() => validate(JSON.parse(args))));
}
