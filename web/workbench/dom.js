// Page side. Elements from plain data, every text a text node, so that nothing a caller
// wrote is ever read as markup: `h("p", { class: "note" }, "five findings")`.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element with attributes, listeners (`onclick: fn`) and children. An attribute that is
 * `false`, null or undefined is left out; `true` is written as an empty attribute.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") {
      element.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    } else {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  element.append(...nodes(children));
  return element;
}

/**
 * Replaces what an element holds.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * The element with this id; a page without it is a build fault.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element with the id ${id}`);
  return element;
}

/**
 * A button that copies a text and says that it did.
 * @param {() => string} text
 * @param {string} label what is copied, for those who do not see where the button stands
 * @returns {HTMLButtonElement}
 */
export function copyButton(text, label) {
  const button = h("button", { type: "button", class: "quiet copy", "aria-label": `Copy: ${label}` }, "Copy");
  button.addEventListener("click", async () => {
    // Absent outside of secure contexts, and a person may refuse it.
    const copied = await navigator.clipboard?.writeText(text()).then(() => true, () => false);
    button.textContent = copied ? "Copied" : "Not copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return button;
}

/**
 * @param {(Child | Child[])[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return children
    .flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}
