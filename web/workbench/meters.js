// Page side. One meter a limit: what the call costs beside the most that it may.
//   const meters = new Meters(element, say); meters.show(readings(verdict, bytes, limits));

import { h, fill } from "./dom.js";
import { grouped } from "./fields.js";

/** @import { Verdict } from "./types.js" */

/**
 * Bytes of the body limit that are kept for the envelope around the arguments; the text door
 * judges arguments text against the rest.
 */
const ENVELOPE = 65_536;

/** Shares of a limit at which a meter is spoken of, in percent. */
const THRESHOLDS = [80, 100];

/** @type {Record<string, { label: string, unit: string, note: string }>} */
const METERS = {
  nesting: { label: "Nesting", unit: "levels", note: "The arguments object is level 1." },
  nodes: { label: "Nodes", unit: "keys and values", note: "Keys, values and elements alike." },
  rendered: { label: "Rendered", unit: "characters", note: "What the arguments cost when a handler's language prints them." },
  body: { label: "Body", unit: "bytes", note: "UTF-8 bytes of the text as it stands; the limit leaves room for the request around it." },
  work: { label: "Work", unit: "steps", note: "Counted while the schema is applied, and told only when it is passed." },
};

/**
 * @typedef {object} Reading
 * @property {string} name
 * @property {number | null} used null when it was not measured
 * @property {number} limit
 * @property {"within" | "passed" | "unknown"} state
 */

export class Meters {
  #root;
  #say;
  /** @type {Map<string, number>} */
  #spoken = new Map();

  /**
   * @param {HTMLElement} root
   * @param {(topic: string, text: string) => void} say
   */
  constructor(root, say) {
    this.#root = root;
    this.#say = say;
  }

  /** Forgets what was spoken of, for another tool. */
  reset() {
    this.#spoken.clear();
  }

  /** @param {Reading[]} readings */
  show(readings) {
    fill(this.#root, ...readings.map(row));
    for (const reading of readings) this.#speak(reading);
  }

  /** @param {Reading} reading */
  #speak({ name, used, limit, state }) {
    const percent = state === "passed" ? 101 : used === null ? 0 : (100 * used) / limit;
    const reached = THRESHOLDS.filter((threshold) => percent >= threshold).at(-1) ?? 0;
    const before = this.#spoken.get(name) ?? 0;
    this.#spoken.set(name, reached);
    if (reached <= before) return;
    const label = METERS[name]?.label ?? name;
    this.#say(name, state === "passed" ? `${label}: the limit is passed.` : `${label}: ${Math.floor(percent)} % of the limit.`);
  }
}

/**
 * What each limit's meter reads, in the order of the catalog's limits.
 * @param {Verdict | null} verdict null while nothing was judged
 * @param {number} bytes UTF-8 bytes of the text
 * @param {Record<string, number>} limits
 * @returns {Reading[]}
 */
export function readings(verdict, bytes, limits) {
  const charge = /** @type {Record<string, number> | null} */ (verdict?.charge ?? null);
  const over = verdict?.refusal?.code === "too-large" ? verdict.refusal.limit : null;
  return Object.keys(METERS).flatMap((name) => {
    const most = limits[name];
    if (typeof most !== "number") return [];
    const limit = name === "body" ? most - ENVELOPE : most;
    const used = name === "body" ? bytes : (charge?.[name] ?? null);
    const state = over === name || (used !== null && used > limit) ? "passed" : used !== null || (name === "work" && verdict?.admitted) ? "within" : "unknown";
    return [{ name, used, limit, state: /** @type {Reading["state"]} */ (state) }];
  });
}

/**
 * UTF-8 bytes of a text, without making a copy of it.
 * @param {string} text
 * @returns {number}
 */
export function utf8Bytes(text) {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // Two bytes up to U+07FF, three above; each half of a pair brings two of the four.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

/** @param {Reading} reading */
function row({ name, used, limit, state }) {
  const { label, unit, note } = METERS[name] ?? { label: name, unit: "", note: "" };
  const share = state === "passed" ? 1 : used === null ? 0 : Math.min(1, used / limit);
  const level = state === "passed" ? "passed" : share >= 0.8 ? "near" : "calm";
  const words =
    state === "passed"
      ? `${used !== null && used > limit ? grouped(used) : "more than"} / ${grouped(limit)}`
      : used !== null
        ? `${grouped(used)} / ${grouped(limit)}`
        : state === "within"
          ? `within ${grouped(limit)}`
          : `not measured / ${grouped(limit)}`;
  const bar = h("span", { class: "meter-fill" });
  bar.style.width = `${share === 0 ? 0 : Math.max(0.6, share * 100)}%`;
  return h(
    "div",
    { class: `meter ${level}`, title: note },
    h("span", { class: "meter-label" }, label),
    h(
      "span",
      {
        class: "meter-track",
        role: "meter",
        "aria-label": `${label}, ${unit}`,
        "aria-valuemin": 0,
        "aria-valuemax": limit,
        "aria-valuenow": used === null ? 0 : Math.min(used, limit),
        "aria-valuetext": words,
      },
      bar,
    ),
    h("span", { class: "meter-value" }, words, h("span", { class: "meter-unit" }, ` ${unit}`)),
  );
}
