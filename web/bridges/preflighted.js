// Page side. The official TypeScript client with the gate in front, in two steps, since a person stands between:
//   const gated = preflighted(client, gate);
//   const call = await gated.prepare({ name: "knowledge.search", arguments: { projectId: "demo", query: "retry" } });
//   show(call.verdict, call.arguments);   // then, once it is approved:
//   const result = await call.send();
//
// What was judged, what is shown and what is sent are one frozen object. An edit is
// a new prepare().

/** @import { Verdict } from "../verdict.js" */

/** @typedef {{ check(tool: string, call?: unknown): Promise<Verdict> }} Judge a gate, or what answers like one */

/**
 * What is asked of a client; those of both generations have it.
 *
 * @template {any[]} Rest
 * @template Result
 * @typedef {{ callTool(params: any, ...rest: Rest): Promise<Result> }} Caller
 */

/** @typedef {{ name: string, arguments?: unknown, [more: string]: unknown }} CallParams */

/**
 * Why a call was not sent: the gate refused it.
 */
export class RefusedCall extends Error {
  /** @param {Verdict} verdict */
  constructor(verdict) {
    super(verdict.refusal?.message);
    this.name = "RefusedCall";
    /** Its `toResult()` is the answer for the model. */
    this.verdict = verdict;
  }
}

/**
 * @template {any[]} Rest
 * @template Result
 * @param {Caller<Rest, Result>} client
 * @param {Judge} gate
 * @param {{ sendAdvisory?: boolean }} [options] `sendAdvisory`: whether a refusal that is advisory is sent all the same, for the server to decide; false by default
 */
export function preflighted(client, gate, { sendAdvisory = false } = {}) {
  return {
    /**
     * Judges one call. Later changes to `params` change nothing.
     *
     * @param {CallParams} params what callTool() takes; `arguments` may also be the JSON text that a model wrote
     */
    async prepare(params) {
      const { name, arguments: given, ...others } = params;
      const rest = structuredClone(others);
      const verdict = await judged(gate, name, given);
      const frozen = deepFrozen(argumentsIn(verdict));
      const isSendable = verdict.admitted || (verdict.advisory && sendAdvisory && frozen !== undefined);
      /** @type {Promise<Result> | undefined} */
      let sent;
      return Object.freeze({
        name,
        verdict,
        /** What was judged and what is sent; undefined where the text was no JSON. */
        arguments: frozen,
        /** Whether send() sends. */
        isSendable,
        /**
         * Sends exactly `arguments`, once: a second press gets the answer of the first.
         *
         * @param {Rest} options what callTool() takes after its first
         * @returns {Promise<Result>}
         * @throws {RefusedCall} where the gate refused the call
         */
        send(...options) {
          if (!isSendable) return Promise.reject(new RefusedCall(verdict));
          return (sent ??= client.callTool({ ...rest, name, arguments: frozen }, ...options));
        },
      });
    },
  };
}

/**
 * The verdict on the text that a client will send. Text that a client would spell
 * otherwise is judged as it stands, and if admitted once more as it will be spelt.
 *
 * @param {Judge} gate
 * @param {string} name
 * @param {unknown} given
 */
async function judged(gate, name, given) {
  const verdict = await gate.check(name, given);
  if (!verdict.admitted || verdict.sendable) return verdict;
  return gate.check(name, JSON.parse(verdict.text) ?? {});
}

/**
 * @param {Verdict} verdict
 * @returns {any}
 */
function argumentsIn({ text }) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return undefined;
  }
}

/**
 * @template Value
 * @param {Value} value JSON
 * @returns {Value}
 */
function deepFrozen(value) {
  /** @type {unknown[]} */
  const rest = [value];
  while (rest.length) {
    const here = rest.pop();
    if (typeof here !== "object" || here === null) continue;
    Object.freeze(here);
    for (const inner of Object.values(here)) rest.push(inner);
  }
  return value;
}
