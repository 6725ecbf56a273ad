// Page side. The workbench: choose a tool, edit a call, see the verdict, send it, see the server
// give the same one. Drafts and answers live in this page's memory and nowhere else.

import { whatSendingChanges } from "./advice.js";
import { announcer } from "./announce.js";
import { comparisonView, comparisonWords } from "./compare-view.js";
import { byId, copyButton, fill, h } from "./dom.js";
import { Drafts, skeleton, starter } from "./drafts.js";
import { ArgumentsEditor } from "./editor.js";
import { agreement, changeList, exchangeView } from "./exchange-view.js";
import { FieldTable } from "./field-table.js";
import { GateSeat } from "./gate-seat.js";
import { laidOut } from "./layout.js";
import { faultyRows, marksOf } from "./marks.js";
import { Meters, readings, utf8Bytes } from "./meters.js";
import { head, members, nodeAt, placesOfFinding, tokens } from "./places.js";
import { ServerSeat, officialClient } from "./server-seat.js";
import { ToolList } from "./tool-list.js";
import { VerdictView } from "./verdict-view.js";
import { visible, visibleText } from "./visible.js";

/** @import { Change } from "./advice.js" */
/** @import { Progress, SeatState } from "./gate-seat.js" */
/** @import { Field } from "./fields.js" */
/** @import { Finding, Tool, Trouble, Verdict } from "./types.js" */

/** Milliseconds between a keystroke and the question that it raises. */
const PAUSE = 140;

/** @type {Tool | null} */
let tool = null;
/** @type {Verdict | null} */
let verdict = null;
/** @type {Change[]} */
let changes = [];
let sending = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let settling;

const drafts = new Drafts();
const say = announcer(byId("live"));
const editor = new ArgumentsEditor(byId("editor"), { changed, send: () => void send() });
const meters = new Meters(byId("meters"), say);
const table = new FieldTable(byId("fields"), goToField);
const view = new VerdictView({ root: byId("verdict"), summary: byId("verdict-summary"), body: byId("verdict-body") }, goToFinding);
const list = new ToolList(
  { search: /** @type {HTMLInputElement} */ (byId("tool-search")), list: byId("tool-list"), count: byId("tool-count") },
  choose,
);
const gate = new GateSeat(bases(), gateChanged);
const address = /** @type {HTMLInputElement} */ (byId("address"));
let server = seatAt(new URL(meta("weighbridge-mcp"), document.baseURI).href);

address.value = server.address;
byId("send-form").addEventListener("submit", (event) => {
  event.preventDefault();
  void send().then((sent) => {
    if (sent) byId("exchange-title").focus();
    // What cannot be sent at all is explained by its verdict.
    else if (verdict?.refusal && asSent(editor.text) === null) byId("verdict-summary").focus();
  });
});
// Without a catalog here, another server may say what tools it has.
address.addEventListener("change", () => gate.gate ?? connected(byId("send-note")));
byId("compare").addEventListener("click", () => void compare());
byId("reset").addEventListener("click", () => tool && editor.replace(starter(tool)));
byId("format").addEventListener("click", format);
byId("digest").append(copyButton(() => byId("digest-text").textContent ?? "", "digest of the catalog"));
document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof Element && event.target.closest("input, textarea, [contenteditable='true']");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  byId("tool-search").focus();
});
void gate.start();

/**
 * @param {string} name
 * @returns {string}
 */
function meta(name) {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? "";
}

/** @returns {string[]} */
function bases() {
  return meta("weighbridge-base")
    .split(/\s+/)
    .filter(Boolean)
    .map((base) => new URL(base, document.baseURI).href);
}

// The gate

/** @param {SeatState} state */
function gateChanged(state) {
  const box = byId("gate");
  box.dataset.state = state.name;
  const bar = /** @type {HTMLProgressElement} */ (byId("gate-progress"));
  bar.hidden = state.name !== "loading";
  byId("trouble").hidden = state.name !== "failed";
  if (state.name === "loading") return showLoading(state.progress, bar);
  if (state.name === "failed") return void showTrouble(state.trouble);
  return showReady(state.gate, state.milliseconds);
}

/**
 * @param {Progress} progress
 * @param {HTMLProgressElement} bar
 */
function showLoading({ phase, loaded, total }, bar) {
  view.showUnchecked(true);
  const bytes = total > 0 ? `, ${megabytes(loaded)} of ${megabytes(total)}` : "";
  byId("gate-words").textContent = `Loading the gate: ${phase}${bytes}`;
  if (total > 0) bar.value = loaded / total;
  else bar.removeAttribute("value");
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/**
 * @param {import("./types.js").Gate} ready
 * @param {number} milliseconds
 */
function showReady({ catalog }, milliseconds) {
  const version = catalog.version ? ` ${catalog.version}` : "";
  byId("gate-words").textContent = `Gate${version} ready in ${(milliseconds / 1000).toFixed(1)} s, contract ${catalog.contract}`;
  byId("digest").hidden = false;
  byId("digest-text").textContent = catalog.digest;
  byId("digest-text").title = catalog.digest;
  say("gate", `The gate is ready. ${catalog.tools.length} tools.`);
  // Ahead of the first send, behind everything else; a send that needs it waits for it.
  setTimeout(() => void officialClient().catch(() => undefined), 500);
  showTools(catalog.tools);
}

/** @param {Trouble} trouble */
async function showTrouble(trouble) {
  const { code, message, cure, phase, url } = trouble;
  byId("gate-words").textContent = `Not checked: ${code}`;
  fill(
    byId("trouble"),
    h("p", { class: "trouble-title" }, "Calls are not checked in this page ", h("code", {}, code)),
    h("p", {}, ...visible(message), phase ? ` (while: ${phase})` : null, url ? [" ", h("code", {}, ...visible(url))] : null),
    h("p", {}, "What to do: ", ...visible(cure), "."),
    h("button", { type: "button", onclick: () => void gate.start() }, "Try again"),
  );
  verdict = null;
  view.showUnchecked(false);
  editor.mark([]);
  fill(byId("meters"));
  sendLabel();
  if (!tool) await listFromServer();
}

/** Without a catalog in the page, the server says which tools there are. */
async function listFromServer() {
  const tools = await server.tools().catch(() => []);
  if (!gate.gate && (tools.length > 0 || !tool)) showTools(tools);
}

/** @param {Tool[]} tools */
function showTools(tools) {
  const wanted = tool?.name ?? "knowledge.search";
  const chosen = tools.find(({ name }) => name === wanted) ?? tools[0];
  list.show(tools, chosen?.name ?? "");
  if (chosen) choose(chosen);
}

// The call

/** @param {Tool} chosen */
function choose(chosen) {
  const again = tool?.name === chosen.name;
  tool = chosen;
  document.title = `${visibleText(chosen.name)} \u00b7 Weighbridge workbench`;
  fill(byId("tool-title"), ...visible(chosen.name));
  fill(byId("tool-words"), ...visible(chosen.description ?? "No description."));
  table.show(chosen.inputSchema);
  byId("fields-section").hidden = false;
  byId("fields-empty").hidden = table.fields.length > 0;
  const frame = /** @type {HTMLElement} */ (byId("fields").closest(".table-scroll"));
  frame.hidden = table.fields.length === 0;
  editor.speaksOf(chosen.name, chosen.inputSchema);
  meters.reset();
  if (!again) byId("exchange").hidden = true;
  verdict = null;
  const text = drafts.textFor(chosen);
  if (text === editor.text) changed(text);
  else editor.replace(text);
}

/** @param {string} text */
function changed(text) {
  if (!tool) return;
  drafts.keep(tool.name, text);
  byId("send-note").textContent = "";
  if (gate.gate) view.stale();
  clearTimeout(settling);
  settling = setTimeout(() => void settled(), PAUSE);
}

/** What is done about a text once the keys rest: the advice, the verdict, the marks. */
async function settled() {
  if (!tool) return;
  const { text } = editor;
  showAdvice(text);
  showPresence();
  if (!gate.gate) return;
  const asked = tool;
  const answer = await gate.ask(asked.name, text);
  // Two tools may have the same draft: an answer about the other one is no answer.
  if (!answer || "trouble" in answer || !gate.gate || text !== editor.text || asked !== tool) return;
  verdict = answer.verdict;
  view.show(verdict, answer.milliseconds);
  editor.mark(marksOf(verdict, editor.state, changes));
  meters.show(readings(verdict, utf8Bytes(text), { ...gate.gate.catalog.limits, ...tool.limits }));
  showPresence();
  sendLabel();
  say("verdict", spoken(verdict));
}

/** @param {Verdict} judged */
function spoken(judged) {
  if (judged.admitted) return "Admitted.";
  const count = judged.refusal?.findings.length ?? 0;
  return count > 0 ? `Refused: ${count === 1 ? "1 finding" : `${count} findings`}. F8 goes to the first.` : `Refused: ${judged.refusal?.code}${judged.refusal?.limit ? `, ${judged.refusal.limit}` : ""}.`;
}

/** The table's marks: what the draft holds, and what a finding speaks of. */
function showPresence() {
  table.mark(isPresent, faultyRows(verdict));
}

/** @param {string} pointer of a row; an array's row counts its first element */
function isPresent(pointer) {
  return nodeAt(editor.state, pointer.replaceAll("/*", "/0"))?.reached ?? false;
}

/** @param {Finding} finding */
function goToFinding(finding) {
  const [place] = placesOfFinding(editor.state, finding);
  if (place) editor.focusAt(place);
  else editor.focus();
}

/**
 * To a field's place in the draft; a field that is not there yet is added to the object that
 * would hold it, if that is there.
 * @param {Field} field
 */
function goToField(field) {
  const pointer = field.pointer.replaceAll("/*", "/0");
  const found = nodeAt(editor.state, pointer);
  if (found?.reached) return editor.focusAt(head(found.node));
  const path = tokens(pointer);
  const name = /** @type {string} */ (path.at(-1));
  const holder = nodeAt(editor.state, pointer.slice(0, pointer.lastIndexOf("/")));
  if (!holder?.reached || holder.node.name !== "Object") return editor.focus();
  const last = members(editor.state, holder.node).at(-1);
  const line = editor.state.doc.lineAt(last ? last.property.from : holder.node.from);
  const indent = last ? /^\s*/.exec(line.text)?.[0] ?? "" : `${/^\s*/.exec(line.text)?.[0] ?? ""}  `;
  const value = JSON.stringify(skeleton(schemaOf(field) ?? {}));
  const at = last ? last.property.to : holder.node.from + 1;
  const key = `${last ? "," : ""}\n${indent}${JSON.stringify(name)}: `;
  const tail = last ? "" : `\n${indent.slice(2)}`;
  const inner = /^["[{]/.test(value) ? 1 : 0;
  return editor.insert(at, key + value + tail, { from: key.length + inner, to: key.length + value.length - inner });
}

/** @param {Field} field */
function schemaOf({ pointer }) {
  const steps = tokens(pointer).flatMap((token) => (token === "*" ? ["items"] : ["properties", token]));
  return steps.reduce((/** @type {any} */ schema, step) => schema?.[step], tool?.inputSchema);
}

function format() {
  if (asSent(editor.text) !== null) return editor.replace(laidOut(editor.text));
  byId("send-note").textContent = "The text is not JSON yet, so it was left as it is.";
  return undefined;
}

// Advice

/** @param {string} text */
function showAdvice(text) {
  const panel = byId("advice");
  changes = [];
  if (asSent(text) === null) {
    panel.hidden = true;
    return;
  }
  const found = whatSendingChanges(editor.state);
  changes = found.changes;
  panel.hidden = changes.length === 0;
  if (changes.length === 0) return;
  fill(
    byId("advice-body"),
    changeList(changes, (change) => editor.focusAt(change)),
    found.omitted > 0 ? h("p", {}, `and ${found.omitted} more places.`) : null,
    h("p", { class: "advice-note" }, "The verdict is about the text as it stands. Send judges the text on the right of each arrow, as JSON.stringify writes it."),
  );
}

/**
 * The text that a JavaScript client puts on the wire, or null where it cannot.
 * @param {string} text
 * @returns {string | null}
 */
function asSent(text) {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return null;
  }
}

// Send

function sendLabel() {
  const anyway = gate.gate && verdict && !verdict.admitted && asSent(editor.text) !== null;
  byId("send").textContent = sending ? "Sending\u2026" : anyway ? "Send anyway" : "Send";
}

/**
 * Judges the text as a client would write it, sends that text, shows both answers.
 * @returns {Promise<boolean>} whether there is something new to read
 */
async function send() {
  if (sending) return false;
  const note = byId("send-note");
  if (!tool) {
    note.textContent = "Nothing was sent: there is no tool to call yet.";
    return false;
  }
  const text = asSent(editor.text);
  if (text === null) {
    note.textContent = "Nothing was sent: the text is not JSON that JSON.parse reads, and a JavaScript client sends nothing else.";
    return false;
  }
  if (!connected(note)) return false;
  sending = true;
  note.textContent = "";
  sendLabel();
  const { name } = tool;
  const { changes: rewritten } = whatSendingChanges(editor.state);
  const here = await gate.judge(name, text);
  const there = await server.call(name, text);
  sending = false;
  sendLabel();
  const section = byId("exchange");
  section.hidden = false;
  fill(section, ...exchangeView({ tool: name, text, changes: rewritten, here, there }));
  const { words } = agreement(here, there);
  say("sent", `Sent. ${words}.`);
  section.scrollIntoView({ block: "nearest" });
  if (there.kind !== "failed" && byId("comparison").childElementCount === 0) void compare();
  return true;
}

// Compare

/** @param {string} at the address of a server */
function seatAt(at) {
  return new ServerSeat(at, () => void compare());
}

/**
 * Asks the server for its list, and the gate whether it is of the same catalog. Every verdict
 * from then on says whether it is advice, the one that is shown included.
 */
async function compare() {
  const box = byId("comparison");
  if (!connected(byId("send-note"))) return;
  if (!gate.gate) {
    box.textContent = "Nothing was compared: the gate is not ready.";
    return;
  }
  const asked = server;
  box.setAttribute("aria-busy", "true");
  try {
    const comparison = await gate.gate.compare(await asked.list());
    if (asked !== server) return;
    fill(box, ...comparisonView(comparison));
    say("compared", comparisonWords(comparison));
    await settled();
  } catch {
    if (asked === server) box.textContent = "Nothing was compared: the server did not list its tools.";
  } finally {
    box.removeAttribute("aria-busy");
  }
}

/**
 * Whether there is an address to send to; a changed one gets a connection of its own.
 * @param {HTMLElement} note
 */
function connected(note) {
  if (address.value === server.address) return true;
  if (!URL.canParse(address.value)) {
    note.textContent = "Nothing was sent: the address of the server is not a URL.";
    address.focus();
    return false;
  }
  void server.close();
  server = seatAt(new URL(address.value).href);
  byId("comparison").replaceChildren();
  address.value = server.address;
  if (!gate.gate) void listFromServer();
  return true;
}

