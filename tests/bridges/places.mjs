// node places.mjs < [[text, pointer, name | null], ...]: what each place covers, as the text between its ends.

import { readFileSync } from "node:fs";
import { placesIn } from "../../web/bridges/places.js";

const covered = JSON.parse(readFileSync(0, "utf8")).map(([text, pointer, name]) => {
  const places = placesIn(text);
  const { from, to } = name === null ? places.value(pointer) : places.key(pointer, name);
  return [from, text.slice(from, to)];
});
process.stdout.write(JSON.stringify(covered));
