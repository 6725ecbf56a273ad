// Page side. The fields of the chosen tool as a table that knows the draft: what is in it, what is
// missing, and a way to each.
//   const table = new FieldTable(tbody, go); table.show(schema); table.mark(present, faulty);

import { h, fill } from "./dom.js";
import { fieldsOf } from "./fields.js";
import { visible } from "./visible.js";

/** @import { Schema } from "./types.js" */
/** @import { Field } from "./fields.js" */

export class FieldTable {
  #body;
  #go;
  /** @type {Map<string, HTMLElement>} */
  #rows = new Map();
  /** @type {Field[]} */
  fields = [];

  /**
   * @param {HTMLElement} body a tbody
   * @param {(field: Field) => void} go called when a field's name is pressed
   */
  constructor(body, go) {
    this.#body = body;
    this.#go = go;
  }

  /** @param {Schema} schema */
  show(schema) {
    this.fields = fieldsOf(schema);
    this.#rows = new Map(this.fields.map((field) => [field.pointer, this.#row(field)]));
    fill(this.#body, ...this.#rows.values());
  }

  /**
   * @param {(pointer: string) => boolean} present whether the draft holds the field
   * @param {Map<string, number[]>} faulty pointers that findings speak of, and which of them do
   */
  mark(present, faulty) {
    for (const field of this.fields) {
      const row = this.#rows.get(field.pointer);
      if (!row) continue;
      const here = present(field.pointer);
      const state = faulty.has(field.pointer) ? "faulty" : here ? "present" : "absent";
      row.dataset.state = state;
      const dot = /** @type {HTMLElement} */ (row.querySelector(".field-state"));
      const words = { faulty: "has a finding", present: "in the draft", absent: "not in the draft" }[state];
      dot.title = words;
      const button = /** @type {HTMLElement} */ (row.querySelector("button"));
      const told = faulty.get(field.pointer)?.map((index) => `finding-${index}`) ?? [];
      if (told.length > 0) button.setAttribute("aria-describedby", told.join(" "));
      else button.removeAttribute("aria-describedby");
      button.setAttribute("aria-label", `${field.pointer}, ${field.required ? "required, " : ""}${words}: ${here ? "go to it" : "add it"}`);
    }
  }

  /** @param {Field} field */
  #row(field) {
    const name = h(
      "button",
      { type: "button", class: "field-name", onclick: () => this.#go(field) },
      h("span", { class: "field-state", "aria-hidden": "true" }),
      h("span", {}, ...visible(field.name)),
    );
    name.style.marginInlineStart = `${field.depth * 1.1}rem`;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, name, field.required ? h("span", { class: "required" }, "required") : null),
      h("td", { class: "field-type" }, ...visible(field.type)),
      h("td", { class: "field-words" }, field.bounds.length > 0 ? h("p", { class: "field-bounds" }, ...field.bounds.flatMap(bound)) : null, field.description ? h("p", { class: "field-note" }, ...visible(field.description)) : null),
    );
  }
}

/**
 * @param {string} text
 * @param {number} index
 */
function bound(text, index) {
  const [, word, rest] = /^(pattern) (.*)$/s.exec(text) ?? [];
  const words = rest === undefined ? visible(text) : [document.createTextNode(`${word} `), h("code", {}, ...visible(rest))];
  return [index > 0 ? " \u00b7 " : null, ...words];
}
