// Page side. A verdict for a person: the answer in one word, the refusal as text, the findings as a
// list that leads into the editor, and the JSON that was answered.
//   new VerdictView(parts, go).show(verdict, milliseconds);

import { h, fill } from "./dom.js";
import { jsonView } from "./json-view.js";
import { readable, verdictOnly } from "./canonical.js";
import { visible } from "./visible.js";

/** @import { Finding, Verdict } from "./types.js" */

/** What each code means for the reader, beside the message of the refusal. */
export const CODES = {
  "no-schema": "the catalog publishes no schema for this tool",
  "not-json": "the text is not strict JSON",
  "too-large": "a limit is passed",
  mismatch: "the published schema refuses the arguments",
  "unusable-schema": "the schema could not be applied: the operator's fault, not yours",
};

export class VerdictView {
  #root;
  #summary;
  #body;
  #go;

  /**
   * @param {{ root: HTMLElement, summary: HTMLElement, body: HTMLElement }} parts
   * @param {(finding: Finding) => void} go leads to a finding's place in the text
   */
  constructor({ root, summary, body }, go) {
    this.#root = root;
    this.#summary = summary;
    this.#body = body;
    this.#go = go;
  }

  /** The text was changed and is not judged yet: what is shown is no longer about it. */
  stale() {
    this.#root.dataset.stale = "true";
    this.#root.setAttribute("aria-busy", "true");
  }

  /**
   * @param {Verdict} verdict
   * @param {number} milliseconds
   */
  show(verdict, milliseconds) {
    this.#settle(verdict.admitted ? "admitted" : "refused");
    fill(this.#summary, headline(verdict));
    const open = this.#body.querySelector("details")?.open ?? false;
    const { refusal } = verdict;
    fill(
      this.#body,
      h("p", { class: "verdict-note" }, `Judged in ${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms.`, verdict.advisory ? " Advisory: the catalog is not known to be the server\u2019s." : ""),
      refusal ? messageBlock(refusal.message) : null,
      refusal && refusal.findings.length > 0 ? this.#findings(refusal.findings) : null,
      h("details", { open }, h("summary", {}, "Verdict JSON"), jsonView(readable(verdictOnly(verdict)), { label: "Verdict JSON" })),
    );
  }

  /** @param {boolean} loading whether the gate is on its way */
  showUnchecked(loading) {
    this.#settle("unchecked");
    fill(this.#summary, h("span", { class: "answer" }, icon("unchecked"), "Not checked"));
    const words = loading ? "The gate is loading." : "The gate cannot run in this page, so nothing here says whether the call is valid. It can still be sent: the server judges it.";
    fill(this.#body, h("p", { class: "verdict-note" }, words));
  }

  /** @param {string} state */
  #settle(state) {
    this.#root.dataset.answer = state;
    delete this.#root.dataset.stale;
    this.#root.removeAttribute("aria-busy");
  }

  /** @param {Finding[]} findings */
  #findings(findings) {
    return h(
      "section",
      { class: "findings", "aria-label": "Findings" },
      h("h3", {}, findings.length === 1 ? "1 finding" : `${findings.length} findings`),
      h("ol", {}, ...findings.map((finding, index) => h("li", { id: `finding-${index}` }, this.#finding(finding)))),
    );
  }

  /** @param {Finding} finding */
  #finding(finding) {
    return h(
      "button",
      { type: "button", class: "finding", onclick: () => this.#go(finding) },
      h("span", { class: "finding-place" }, h("code", {}, ...visible(finding.pointer || "the arguments")), finding.exact ? null : " and deeper", h("span", { class: "finding-keyword" }, finding.keyword)),
      h(
        "span",
        { class: "finding-words" },
        "expected ",
        ...visible(finding.expected),
        h("span", { class: "finding-received" }, `, received ${finding.received}`),
      ),
      finding.names.length > 0 ? h("span", { class: "finding-names" }, keyWords(finding), ...finding.names.flatMap((name, i) => [i > 0 ? ", " : " ", h("code", {}, ...visible(name))]), finding.omitted > 0 ? ` and ${finding.omitted} more` : null) : null,
      finding.suggestion ? h("span", { class: "finding-suggestion" }, "did you mean ", h("code", {}, ...visible(finding.suggestion)), "?") : null,
    );
  }
}

/** @param {Finding} finding */
function keyWords({ keyword, names }) {
  if (keyword === "required" || keyword === "dependentRequired") return "missing:";
  return names.length === 1 ? "key:" : "keys:";
}

/**
 * The answer in a word, with the code of a refusal.
 * @param {Verdict} verdict
 * @returns {HTMLElement}
 */
export function headline(verdict) {
  if (verdict.admitted) return h("span", { class: "answer" }, icon("admitted"), "Admitted");
  const code = verdict.refusal?.code ?? "";
  const limit = verdict.refusal?.limit;
  return h(
    "span",
    { class: "answer" },
    icon("refused"),
    "Refused",
    h("span", { class: "code", title: /** @type {Record<string, string>} */ (CODES)[code] ?? "" }, limit ? `${code}: ${limit}` : code),
  );
}

/**
 * A refusal's message, as text and nothing else.
 * @param {string} message
 * @returns {HTMLElement}
 */
export function messageBlock(message) {
  return h("p", { class: "message", dir: "ltr" }, ...visible(message));
}

const SHAPES = {
  admitted: "M4 8.5l2.8 2.8L12.2 5",
  refused: "M5 5l6 6M11 5l-6 6",
  unchecked: "M8 4.6v4.2M8 11.2v.2",
};

/**
 * A sign that does not need its colour to be told apart.
 * @param {keyof typeof SHAPES} kind
 * @returns {Element}
 */
export function icon(kind) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", `icon ${kind}`);
  svg.setAttribute("aria-hidden", "true");
  const circle = document.createElementNS(space, "circle");
  for (const [name, value] of Object.entries({ cx: "8", cy: "8", r: "7.25" })) circle.setAttribute(name, value);
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", SHAPES[kind]);
  svg.append(circle, path);
  return svg;
}
