// node ask.mjs GENERATION MODE TARGET CALLS: what one TypeScript client makes of a guarded server.
//
// GENERATION is v1 or v2, MODE legacy or auto, TARGET a URL or a JSON list of a command and its
// arguments, CALLS a JSON list of [tool, arguments]. Prints one JSON object: what the server is
// capable of, the whole list with its _meta, what each call gave, and which listed schemas a
// strict ajv refuses to compile.

import { createRequire } from "node:module";

const [generation, mode, target, calls] = process.argv.slice(2);
const require = createRequire(import.meta.url);

const v1 = async () => ({
  ...(await import("@modelcontextprotocol/sdk/client/index.js")),
  ...(await import("@modelcontextprotocol/sdk/client/streamableHttp.js")),
  ...(await import("@modelcontextprotocol/sdk/client/stdio.js")),
});
const v2 = async () => ({
  ...(await import("@modelcontextprotocol/client")),
  ...(await import("@modelcontextprotocol/client/stdio")),
});

const { Client, StreamableHTTPClientTransport, StdioClientTransport } = await (generation === "v1" ? v1() : v2());
const options = generation === "v1" ? {} : { versionNegotiation: { mode } };
const client = new Client({ name: "ask", version: "1" }, options);

const command = target.startsWith("[") ? JSON.parse(target) : null;
const transport = command
  ? new StdioClientTransport({ command: command[0], args: command.slice(1), env: process.env, stderr: "ignore" })
  : new StreamableHTTPClientTransport(new URL(target));
await client.connect(transport);

const listed = [];
let meta;
for (let cursor; ; ) {
  const page = await client.listTools(cursor ? { cursor } : undefined);
  listed.push(...page.tools);
  meta = page._meta ?? null;
  cursor = page.nextCursor;
  if (!cursor) break;
}

const results = [];
for (const [name, given] of JSON.parse(calls)) results.push(await client.callTool({ name, arguments: given }));

const Ajv = require("ajv/dist/2020.js");
const ajv = new Ajv({ strict: true, allErrors: true, logger: false });
require("ajv-formats")(ajv);
const unusable = {};
for (const tool of listed) {
  try {
    ajv.compile(tool.inputSchema);
  } catch (error) {
    unusable[tool.name] = String(error);
  }
}

console.log(JSON.stringify({ capabilities: client.getServerCapabilities(), tools: listed, meta, results, unusable }));
await client.close();
