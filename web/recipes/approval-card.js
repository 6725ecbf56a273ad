// Page side. An approval card: what a call is, what the gate says of it, and two buttons; `document.body.append(approvalCard(call, { onResult, onReject }))`.
//
// Everything is a text node, with invisible and direction-changing characters shown
// as escapes, so that no argument can pass itself off as part of the card.

/** @import { Verdict } from "../verdict.js" */

/** @typedef {{ name: string, verdict: Verdict, arguments: unknown, isSendable: boolean, send(): Promise<unknown> }} Call what prepare() gives */

/**
 * @typedef {object} Answers
 * @property {(result: unknown) => void} onResult what the server answered to an approved call
 * @property {(toolResult: unknown) => void} onReject for the model: the gate's refusal, or the person's
 * @property {(error: unknown) => void} onError the call could not be sent
 */

let cards = 0;

/**
 * @param {Call} call
 * @param {Answers} answers
 * @returns {HTMLElement}
 */
export function approvalCard(call, { onResult, onReject, onError }) {
  const id = `approval-card-${(cards += 1)}`;
  const { verdict } = call;
  const card = element("section", { "aria-labelledby": `${id}-title`, class: "approval-card" });
  const title = element("h2", { id: `${id}-title` }, shown(`Run ${call.name}?`));
  const given = element("pre", { tabindex: "0", "aria-label": "Arguments" }, shown(JSON.stringify(call.arguments, null, 2) ?? verdict.text));
  const summary = element("p", { id: `${id}-summary`, tabindex: "-1", role: verdict.admitted ? "status" : "alert" }, shown(verdict.refusal?.message ?? "The arguments match the published schema."));
  const list = element("ul", {});
  for (const { instancePath, message } of verdict.issues) list.append(element("li", {}, shown(`${instancePath || "arguments"}: ${message}`)));
  const approve = element("button", { type: "button", "aria-describedby": `${id}-summary` }, "Run it");
  const reject = element("button", { type: "button" }, "Do not run it");

  const settle = () => {
    for (const button of [approve, reject]) button.setAttribute("disabled", "");
  };
  approve.addEventListener("click", () => {
    // The button stays in reach of the keyboard: what is refused is explained, not greyed out.
    if (!call.isSendable) return summary.focus();
    settle();
    call.send().then(onResult, onError);
  });
  reject.addEventListener("click", () => {
    settle();
    onReject(verdict.toResult() ?? { content: [{ type: "text", text: "The person did not approve this call." }], isError: true });
  });
  approve.setAttribute("aria-disabled", String(!call.isSendable));
  card.append(title, given, summary, ...(verdict.issues.length ? [list] : []), approve, reject);
  return card;
}

/**
 * Text in which control, format and direction characters, but for the line breaks
 * of our own layout, are escapes that can be read.
 *
 * @param {string} text
 */
export function shown(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (one) => (one === "\n" ? one : `\\u{${/** @type {number} */ (one.codePointAt(0)).toString(16)}}`));
}

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {string} [text]
 */
function element(name, attributes, text) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.append(text);
  return made;
}
