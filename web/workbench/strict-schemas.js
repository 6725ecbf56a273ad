// Page side. Imported and called before the MCP client is imported: its schema library tries
// `new Function` to see whether it may, and a strict Content-Security-Policy reports the try.
import { config } from "zod";

export function withoutEval() {
  config({ jitless: true });
}
