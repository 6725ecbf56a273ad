// Page side. What came of a send: the verdict of this page and the answer of the server, side by
// side, with a plain mark whether their bytes agree.
//   fill(section, exchangeView(exchange));

import { h } from "./dom.js";
import { canonical, readable, verdictOnly } from "./canonical.js";
import { grouped } from "./fields.js";
import { differingLines, jsonView } from "./json-view.js";
import { textOf } from "./server-seat.js";
import { headline, icon, messageBlock } from "./verdict-view.js";
import { visible } from "./visible.js";

/** @import { Change } from "./advice.js" */
/** @import { Trouble, Verdict } from "./types.js" */
/** @import { Exchange } from "./server-seat.js" */

/**
 * @typedef {object} Sent
 * @property {string} tool
 * @property {string} text what was judged and sent: JSON.stringify(JSON.parse(draft))
 * @property {Change[]} changes
 * @property {{ verdict: Verdict } | { trouble: Trouble }} here
 * @property {Exchange} there
 */

/**
 * Whether two seats agree, and why.
 * @typedef {{ sign: "same" | "differ" | "none", words: string }} Agreement
 */

/**
 * Compares bytes with bytes; a call that this page admits and the server serves agrees too.
 * @param {Sent["here"]} here
 * @param {Exchange} there
 * @returns {Agreement}
 */
export function agreement(here, there) {
  if (there.kind === "failed") return { sign: "none", words: "No answer to compare" };
  if ("trouble" in here) return { sign: "none", words: "Not checked here" };
  const { verdict } = here;
  if (there.kind === "refused") {
    const [mine, theirs] = [canonical(verdictOnly(verdict)), canonical(there.verdict)];
    if (mine === theirs && there.message !== there.verdict.refusal?.message) return { sign: "differ", words: "The verdicts agree, but the text beside the server\u2019s says something else" };
    if (mine === theirs) return { sign: "same", words: `Same bytes (${grouped(mine.length)})` };
    if (verdict.catalog.digest !== there.verdict?.catalog?.digest) return { sign: "differ", words: "The bytes differ: the two catalogs are not the same" };
    return { sign: "differ", words: "The bytes differ" };
  }
  if (verdict.admitted) return { sign: "same", words: "Admitted here, served there" };
  return { sign: "differ", words: "Refused here, served there" };
}

/**
 * @param {Sent} sent
 * @returns {Node[]}
 */
export function exchangeView(sent) {
  const { here, there } = sent;
  const agreed = agreement(here, there);
  const mine = "verdict" in here ? readable(verdictOnly(here.verdict)) : "";
  const theirs = there.kind === "refused" ? readable(there.verdict) : "";
  const lines = mine && theirs ? differingLines(mine, theirs) : { left: new Set(), right: new Set() };
  return [
    h("h2", { id: "exchange-title", tabindex: -1 }, there.sent === null ? "Not sent: " : "Sent ", h("code", {}, ...visible(sent.tool))),
    h("p", { class: "exchange-facts" }, [there.server, there.bytes === null ? "the call did not leave the page" : `request of ${grouped(there.bytes)} bytes`, `${Math.round(there.milliseconds)} ms`].filter(Boolean).join(" \u00b7 ")),
    h("p", { class: "agreement", "data-sign": agreed.sign }, h("span", { class: "sign", "aria-hidden": "true" }, { same: "=", differ: "\u2260", none: "?" }[agreed.sign]), h("span", {}, agreed.words)),
    rewriting(sent),
    h(
      "div",
      { class: "seats" },
      h("section", { class: "seat", "aria-label": "This page" }, h("h3", {}, "This page"), ...pageSide(here, mine, lines.left)),
      h("section", { class: "seat", "aria-label": "The server" }, h("h3", {}, "The server"), ...serverSide(there, theirs, lines.right)),
    ),
  ].filter((node) => node !== null);
}

/** @param {Sent} sent */
function rewriting({ changes, text, there }) {
  const unfaithful = there.sent !== null && !there.sent.includes(`"arguments":${text}`);
  return h(
    "div",
    { class: "rewriting" },
    changes.length > 0 ? [h("p", {}, "The client re-wrote the text. Both answers are about the text as sent:"), changeList(changes, null)] : null,
    unfaithful ? h("p", { class: "send-note" }, "The client put other arguments on the wire than the ones judged here.") : null,
    h("details", {}, h("summary", {}, "The arguments as sent"), h("div", { class: "as-sent" }, jsonView(text, { label: "The arguments as sent" }))),
  );
}

/**
 * Places that a JavaScript client changes, as a small difference.
 * @param {Change[]} changes
 * @param {((change: Change) => void) | null} go leads to the place, where there is still one
 * @returns {HTMLElement}
 */
export function changeList(changes, go) {
  return h(
    "ul",
    { class: "changes" },
    ...changes.map((change) => {
      const words = [
        h("code", { class: "change-place" }, ...visible(change.pointer || "the arguments")),
        " ",
        h("del", {}, ...visible(change.before)),
        h("span", { class: "arrow" }, " \u2192 "),
        h("ins", {}, ...visible(change.after)),
        h("span", { class: "change-why" }, change.why),
      ];
      return h("li", {}, go ? h("button", { type: "button", class: "change", onclick: () => go(change) }, ...words) : h("div", { class: "change" }, ...words));
    }),
  );
}

/**
 * @param {Sent["here"]} here
 * @param {string} json
 * @param {Set<number>} lines
 */
function pageSide(here, json, lines) {
  if ("trouble" in here) {
    return [h("p", { class: "seat-answer" }, h("span", { class: "answer" }, icon("unchecked"), "Not checked")), h("p", { class: "seat-note" }, ...visible(here.trouble.message))];
  }
  const { refusal } = here.verdict;
  return [h("p", { class: "seat-answer" }, headline(here.verdict)), refusal ? messageBlock(refusal.message) : null, jsonView(json, { label: "Verdict of this page", lines })].filter((node) => node !== null);
}

/**
 * @param {Exchange} there
 * @param {string} json
 * @param {Set<number>} lines
 */
function serverSide(there, json, lines) {
  if (there.kind === "failed") {
    const { code, message, cure } = there.trouble;
    return [h("p", { class: "seat-answer" }, h("span", { class: "answer" }, icon("unchecked"), "No answer", h("span", { class: "code" }, ...visible(code)))), h("p", { class: "message" }, ...visible(message)), h("p", { class: "seat-note" }, ...visible(cure))];
  }
  if (there.kind === "refused") {
    return [h("p", { class: "seat-answer" }, headline(there.verdict)), messageBlock(there.message), jsonView(json, { label: "Verdict of the server", lines })];
  }
  if (there.kind === "declined") {
    return [
      h("p", { class: "seat-answer" }, h("span", { class: "answer" }, icon("admitted"), "Served", h("span", { class: "code" }, "the tool said no"))),
      h("p", { class: "seat-note" }, "The call reached its handler, and the handler declined it for a reason of its own."),
      messageBlock(there.message),
    ];
  }
  return [h("p", { class: "seat-answer" }, h("span", { class: "answer" }, icon("admitted"), "Served")), ...resultOf(there.result)];
}

/**
 * A tool's result: its structure where it has one, else its text blocks, JSON indented.
 * @param {any} result
 */
function resultOf(result) {
  const structured = result?.structuredContent;
  if (structured !== undefined) return [jsonView(JSON.stringify(structured, null, 2), { label: "Result of the tool" })];
  const text = textOf(result);
  const others = (Array.isArray(result?.content) ? result.content : []).filter((/** @type {any} */ block) => block?.type !== "text");
  return [
    text ? textBlock(text) : null,
    ...others.map((/** @type {any} */ block) => h("p", { class: "seat-note" }, ...visible(`a block of type ${block?.type}, ${block?.mimeType ?? "no media type"}`))),
    !text && others.length === 0 ? h("p", { class: "seat-note" }, "The result is empty.") : null,
  ].filter((node) => node !== null);
}

/** @param {string} text */
function textBlock(text) {
  try {
    return jsonView(JSON.stringify(JSON.parse(text), null, 2), { label: "Result of the tool" });
  } catch {
    return h("pre", { class: "plain", tabindex: 0, role: "region", "aria-label": "Result of the tool" }, ...visible(text));
  }
}
