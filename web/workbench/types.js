// Page side. The shapes that the workbench reads: the gate's own, and the few it adds.
// Types only; nothing here runs. `@import { Verdict } from "./types.js"`.

/** @typedef {import("../weighbridge.js").Gate} Gate */
/** @typedef {import("../weighbridge.js").Catalog} Catalog */
/** @typedef {import("../verdict.js").Judged} Verdict */
/** @typedef {import("../verdict.js").Refusal} Refusal */
/** @typedef {import("../verdict.js").Finding} Finding */

/** @typedef {Record<string, any>} Schema a JSON Schema object, as published */

/**
 * A tool as the catalog publishes it, or as a server lists it.
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} [description]
 * @property {Schema} inputSchema
 * @property {string} [digest]
 * @property {Record<string, number>} [limits] narrower ones of its own
 */

/**
 * Why something could not run, in words a person can act on.
 * @typedef {object} Trouble
 * @property {string} code
 * @property {string} message
 * @property {string} cure
 * @property {string} [phase]
 * @property {string} [url]
 */

/**
 * A stretch of the text, in UTF-16 units.
 * @typedef {{ from: number, to: number }} Range
 */

export {};
