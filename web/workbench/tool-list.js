// Page side. The tools to choose from: one radio group, so that arrow keys move through it, and a
// search over names, words and fields.
//   const list = new ToolList({ search, list, count }, chosen); list.show(tools, "knowledge.search");

import { h, fill } from "./dom.js";
import { visible, visibleText } from "./visible.js";
import { fieldsOf } from "./fields.js";

/** @import { Tool } from "./types.js" */

export class ToolList {
  #search;
  #list;
  #count;
  #chosen;
  /** @type {Tool[]} */
  #tools = [];
  /** @type {Map<string, string>} what each tool is found by */
  #words = new Map();
  #current = "";

  /**
   * @param {{ search: HTMLInputElement, list: HTMLElement, count: HTMLElement }} parts
   * @param {(tool: Tool) => void} chosen
   */
  constructor({ search, list, count }, chosen) {
    this.#search = search;
    this.#list = list;
    this.#count = count;
    this.#chosen = chosen;
    search.addEventListener("input", () => this.#render());
    search.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "Enter") return;
      event.preventDefault();
      const first = /** @type {HTMLInputElement | null} */ (list.querySelector("input:checked") ?? list.querySelector("input"));
      first?.focus();
      if (event.key === "Enter") first?.click();
    });
    list.addEventListener("change", (event) => {
      const name = /** @type {HTMLInputElement} */ (event.target).value;
      const tool = this.#tools.find((each) => each.name === name);
      if (!tool) return;
      this.#current = name;
      this.#chosen(tool);
    });
  }

  /**
   * @param {Tool[]} tools
   * @param {string} current
   */
  show(tools, current) {
    this.#tools = tools;
    this.#current = current;
    this.#words = new Map(tools.map((tool) => [tool.name, wordsOf(tool)]));
    this.#render();
  }

  #render() {
    const wanted = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.#tools.filter(({ name }) => wanted.every((word) => this.#words.get(name)?.includes(word)));
    fill(this.#list, ...grouped(found).flatMap(({ family, tools }) => [
      family ? h("div", { class: "tool-family", "aria-hidden": "true" }, ...visible(family)) : null,
      ...tools.map((tool) => this.#row(tool, family)),
    ]));
    if (found.length === 0) fill(this.#list, h("p", { class: "empty" }, this.#tools.length === 0 ? "No tools: there is no catalog here, and the server lists none." : "No tool matches."));
    this.#count.textContent = wanted.length === 0 ? `${this.#tools.length} tools` : `${found.length} of ${this.#tools.length} tools`;
  }

  /**
   * @param {Tool} tool
   * @param {string} family
   */
  #row(tool, family) {
    const short = family ? tool.name.slice(family.length + 1) : tool.name;
    const radio = h("input", { type: "radio", name: "tool", value: tool.name, checked: tool.name === this.#current, "aria-label": visibleText(tool.name) });
    return h("label", { class: "tool" }, radio, h("span", { class: "tool-name", title: visibleText(tool.name) }, ...visible(short)));
  }
}

/** @param {Tool} tool */
function wordsOf(tool) {
  const fields = fieldsOf(tool.inputSchema).map(({ name }) => name);
  return [tool.name, tool.description ?? "", ...fields].join(" ").toLowerCase();
}

/**
 * Tools under the part of their name before the first dot, where more than one shares it.
 * @param {Tool[]} tools
 */
function grouped(tools) {
  /** @type {Map<string, Tool[]>} */
  const families = new Map();
  for (const tool of tools) {
    const dot = tool.name.indexOf(".");
    const family = dot > 0 ? tool.name.slice(0, dot) : "";
    families.set(family, [...(families.get(family) ?? []), tool]);
  }
  return [...families].map(([family, members]) => ({ family, tools: members }));
}
