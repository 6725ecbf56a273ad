// Page side. The shapes that the workbench reads: what the gate answers and what it publishes.
// Types only; nothing here runs. `@import { Verdict } from "./types.js"`.

/**
 * What a call costs, in the units of the catalog's limits.
 * @typedef {{ nesting: number, nodes: number, rendered: number }} Charge
 */

/**
 * One place where the arguments miss the published schema.
 * @typedef {object} Finding
 * @property {string} pointer JSON Pointer into the arguments
 * @property {boolean} exact false when the pointer ends before the place
 * @property {string} keyword
 * @property {string} schemaPointer
 * @property {string | null} expected
 * @property {Record<string, unknown> | null} params
 * @property {string | null} received the JSON type that came
 * @property {string[]} names the keys it speaks about, escaped and cut
 * @property {number} omitted how many names were left out
 * @property {string | null} suggestion
 * @property {string} message
 */

/**
 * @typedef {object} Refusal
 * @property {string} code
 * @property {string | null} limit
 * @property {string} message
 * @property {boolean} truncated
 * @property {Finding[]} findings
 */

/**
 * The verdict contract's object: every key is always present.
 * @typedef {object} Verdict
 * @property {boolean} admitted
 * @property {boolean} advisory
 * @property {string} tool
 * @property {{ contract: number, digest: string }} catalog
 * @property {Charge | null} charge null unless the walk finished
 * @property {Refusal | null} refusal
 */

/**
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} [description]
 * @property {Schema} inputSchema
 * @property {string} [digest]
 * @property {Record<string, number>} [limits] narrower ones of its own
 */

/** @typedef {Record<string, any>} Schema a JSON Schema object, as published */

/**
 * @typedef {object} Catalog
 * @property {string} digest
 * @property {string} [shapeDigest]
 * @property {number} contract
 * @property {string} [version]
 * @property {Record<string, number>} limits
 * @property {Tool[]} tools
 * @property {boolean} [advisory]
 */

/**
 * @typedef {object} Gate
 * @property {Catalog} catalog
 * @property {(tool: string, argumentsOrText: unknown, options?: object) => Promise<Verdict>} check
 * @property {() => Promise<void>} close
 */

/**
 * Why something of ours could not run, in words a person can act on.
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
