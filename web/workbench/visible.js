// Page side. Text that another party wrote, made safe to look at: a character that would hide,
// reorder or break what stands around it is shown as its code point instead.
//   element.append(...visible(refusal.message));

// Controls, soft hyphen, zero-width and bidi characters, line and paragraph separators,
// interlinear and tag characters, and surrogates that stand alone. A newline is legible
// as itself and stays.
const HIDDEN =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}\u{d800}-\u{dfff}]/gu;

/**
 * The text as nodes: plain stretches as text nodes, hidden characters as marked code points.
 * @param {string} text
 * @returns {Node[]}
 */
export function visible(text) {
  /** @type {Node[]} */
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > end) nodes.push(document.createTextNode(text.slice(end, match.index)));
    const mark = document.createElement("span");
    mark.className = "hidden-character";
    mark.title = "a character that cannot be seen";
    mark.textContent = codePoint(match[0]);
    nodes.push(mark);
    end = match.index + match[0].length;
  }
  if (end < text.length) nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

/**
 * The same as one string, for attributes and for the live region.
 * @param {string} text
 */
export function visibleText(text) {
  return text.replaceAll(HIDDEN, codePoint);
}

/** @param {string} character */
function codePoint(character) {
  const point = /** @type {number} */ (character.codePointAt(0));
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}
