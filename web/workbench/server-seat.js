// Page side. The server behind an address, through the official TypeScript client: one call out,
// one outcome back, and the bytes that went. It decides nothing about the arguments.
//   const outcome = await new ServerSeat(url).call("knowledge.search", text);

import { utf8Bytes } from "./meters.js";

/** @import { Client } from "@modelcontextprotocol/client" */
/** @import { Tool, Trouble, Verdict } from "./types.js" */

/** Where a gate puts its verdict in a refusal. */
const VERDICT_KEY = "dev.theurian.weighbridge/verdict";

/** Milliseconds that a call may take before this page gives up on it. */
const PATIENCE = 60_000;

/**
 * What became of a call.
 * @typedef {{ kind: "refused", verdict: Verdict, message: string } // the server's gate refused it
 *   | { kind: "served", result: any }                               // the handler ran and answered
 *   | { kind: "declined", result: any, message: string }            // the handler ran and said no
 *   | { kind: "failed", trouble: Trouble }} Outcome                 // no tool result came back
 * @typedef {Outcome & { milliseconds: number, sent: string | null, bytes: number | null, server: string }} Exchange
 */

export class ServerSeat {
  #address;
  #listChanged;
  /** @type {Promise<Client> | null} */
  #client = null;
  /** @type {string | null} */
  #lastCall = null;

  /**
   * @param {string} address of the Streamable HTTP endpoint
   * @param {() => void} [listChanged] called when the server says that its tools are other ones
   */
  constructor(address, listChanged = () => undefined) {
    this.#address = address;
    this.#listChanged = listChanged;
  }

  get address() {
    return this.#address;
  }

  /**
   * Sends JSON.parse(text) as the arguments. A new connection is made when the last one broke.
   * @param {string} tool
   * @param {string} text JSON
   * @returns {Promise<Exchange>}
   */
  async call(tool, text) {
    const begun = performance.now();
    this.#lastCall = null;
    /** @type {Outcome} */
    let outcome;
    let server = "";
    try {
      const client = await this.#connected();
      server = nameOf(client);
      const result = await client.callTool({ name: tool, arguments: JSON.parse(text) }, { timeout: PATIENCE });
      outcome = outcomeOf(result);
    } catch (error) {
      this.#client = null;
      outcome = { kind: "failed", trouble: troubleOfCall(error, this.#address) };
    }
    const sent = /** @type {string | null} */ (this.#lastCall);
    return { ...outcome, milliseconds: performance.now() - begun, sent, bytes: sent === null ? null : utf8Bytes(sent), server };
  }

  /**
   * The server's own list, for when there is no catalog in the page.
   * @returns {Promise<Tool[]>}
   */
  async tools() {
    const { tools } = await this.list();
    return tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  }

  /**
   * The result of `tools/list`, as the server answers it, its pages joined by the client.
   */
  async list() {
    const client = await this.#connected();
    return client.listTools();
  }

  async close() {
    const client = this.#client;
    this.#client = null;
    await client?.then((open) => open.close()).catch(() => undefined);
  }

  #connected() {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect() {
    const { Client, StreamableHTTPClientTransport } = await officialClient();
    const client = new Client({ name: "weighbridge-workbench", version: "0.1.0" }, {
      versionNegotiation: { mode: "auto" },
      listChanged: { tools: { autoRefresh: false, onChanged: () => this.#listChanged() } },
    });
    const transport = new StreamableHTTPClientTransport(new URL(this.#address), {
      fetch: (url, init) => {
        if (typeof init?.body === "string" && init.body.includes('"tools/call"')) this.#lastCall = init.body;
        return fetch(url, init);
      },
    });
    try {
      await client.connect(transport);
    } catch (error) {
      this.#client = null;
      throw error;
    }
    return client;
  }
}

/** The client's code, which nobody needs before the first send. */
export async function officialClient() {
  const { withoutEval } = await import("./strict-schemas.js");
  withoutEval();
  return import("./official-client.js");
}

/** @param {Client} client */
function nameOf(client) {
  const version = client.getServerVersion();
  const protocol = client.getNegotiatedProtocolVersion() ?? "";
  return [version ? `${version.name} ${version.version}` : "a server without a name", protocol].filter(Boolean).join(", MCP ");
}

/**
 * @param {any} result
 * @returns {Outcome}
 */
function outcomeOf(result) {
  const verdict = result?._meta?.[VERDICT_KEY];
  const message = textOf(result);
  if (verdict && typeof verdict === "object") return { kind: "refused", verdict, message };
  if (result?.isError) return { kind: "declined", result, message };
  return { kind: "served", result };
}

/**
 * The text blocks of a result, one after the other.
 * @param {any} result
 * @returns {string}
 */
export function textOf(result) {
  const content = Array.isArray(result?.content) ? result.content : [];
  return content
    .filter((/** @type {any} */ block) => block?.type === "text")
    .map((/** @type {any} */ block) => String(block.text))
    .join("\n");
}

/**
 * @param {any} error
 * @param {string} address
 * @returns {Trouble}
 */
function troubleOfCall(error, address) {
  const status = /** @type {number | undefined} */ (error?.data?.status ?? error?.status);
  const code = String(status ?? error?.code ?? "network");
  const message = String(error?.message ?? error);
  return { code, message, cure: cureOf(error, status, address), url: address };
}

/**
 * @param {any} error
 * @param {number | undefined} status
 * @param {string} address
 */
function cureOf(error, status, address) {
  const foreign = new URL(address).origin !== location.origin;
  if (status === 413) return "The transport refuses a body this large before any gate sees it. Send less.";
  if (status === 401 || status === 403) return "The server wants authorisation, which this page does not carry.";
  if (status === 404 || status === 405) return "There is no MCP endpoint at this address. Look at the path; it often ends in /mcp.";
  if (typeof error?.code === "number") return "The server answered with a protocol error: the request did not reach a tool.";
  if (foreign) return "Look at the address. A server on another origin has to allow this page by CORS, and this page's Content-Security-Policy has to list it under connect-src.";
  return "Look whether the server runs and whether the address is right, then send again.";
}
