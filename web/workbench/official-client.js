// Page side. The two parts of the official TypeScript client that a send needs, in a file of their
// own so that the bundle leaves the rest out.
export { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
