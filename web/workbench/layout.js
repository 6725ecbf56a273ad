// Page side. JSON text laid out anew, token for token: numbers keep their spelling, keys their
// order, and a key that stands twice still stands twice.
//   const text = laidOut('{"a":1.0}');

const TOKEN = /"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/gs;

/**
 * Two spaces a level, one member a line, empty brackets closed on the spot.
 * @param {string} text JSON
 * @returns {string}
 */
export function laidOut(text) {
  const tokens = text.match(TOKEN) ?? [];
  /** @type {string[]} */
  const out = [];
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  tokens.forEach((token, i) => {
    const closes = tokens[i + 1] === "}" || tokens[i + 1] === "]";
    if (token === "{" || token === "[") {
      out.push(token);
      depth += 1;
      if (!closes) out.push(line());
    } else if (token === "}" || token === "]") {
      depth -= 1;
      const empty = tokens[i - 1] === "{" || tokens[i - 1] === "[";
      out.push(empty ? token : line() + token);
    } else if (token === ",") {
      out.push(token + line());
    } else {
      out.push(token === ":" ? ": " : token);
    }
  });
  return out.join("");
}
