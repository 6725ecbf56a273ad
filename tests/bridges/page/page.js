// Page side. Every library that a bridge is for, with the bridge in front, as functions on `bridged`.

import { forceLinting, linter, forEachDiagnostic } from "@codemirror/lint";
import { EditorView } from "@codemirror/view";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { JsonForms } from "@jsonforms/react";
import { vanillaCells, vanillaRenderers } from "@jsonforms/vanilla-renderers";
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import Form from "@rjsf/core";
import rjsfValidator from "@rjsf/validator-ajv8";
import * as monaco from "monaco-editor/editor/editor.api.js";
import * as React from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import { useForm } from "react-hook-form";
import { diagnostics } from "../../../web/bridges/codemirror.js";
import { additionalErrors } from "../../../web/bridges/jsonforms.js";
import { markers } from "../../../web/bridges/monaco.js";
import { preflighted } from "../../../web/bridges/preflighted.js";
import { extraErrors } from "../../../web/bridges/rjsf.js";
import { standardSchema } from "../../../web/bridges/standard-schema.js";
import { approvalCard } from "../../../web/recipes/approval-card.js";
import { useVerdict } from "../../../web/recipes/use-verdict.js";

const { createElement: h, StrictMode } = React;
const { load } = await import("/weighbridge/weighbridge.js");
const gate = await load();

/** A fresh place to render into. */
function stage() {
  const place = document.createElement("div");
  document.getElementById("root").replaceChildren(place);
  return place;
}

function rendered(element) {
  const place = stage();
  const root = createRoot(place);
  flushSync(() => root.render(element));
  return { place, root };
}

/** Resolves once `read` gives something other than null, asked again at each change of the page. */
function seen(place, read) {
  return new Promise((resolve) => {
    const look = () => {
      const found = read();
      if (found === null) return;
      watch.disconnect();
      resolve(found);
    };
    const watch = new MutationObserver(look);
    watch.observe(place, { subtree: true, childList: true, attributes: true, characterData: true });
    look();
  });
}

const schemaOf = (tool) => gate.catalog.tools.find(({ name }) => name === tool).inputSchema;

async function rjsf(tool, formData) {
  const verdict = await gate.check(tool, formData);
  const { place } = rendered(
    h(Form, { schema: schemaOf(tool), validator: rjsfValidator, formData, noValidate: true, extraErrors: extraErrors(verdict), showErrorList: "top" }),
  );
  return {
    fields: Object.fromEntries([...place.querySelectorAll("[id$=__error]")].map((one) => [one.id, one.textContent])),
    list: [...place.querySelectorAll(".errors li")].map((one) => one.textContent),
  };
}

async function jsonForms(tool, data) {
  const verdict = await gate.check(tool, data);
  const { place } = rendered(
    h(JsonForms, { schema: schemaOf(tool), data, renderers: vanillaRenderers, cells: vanillaCells, validationMode: "NoValidation", additionalErrors: additionalErrors(verdict) }),
  );
  return Object.fromEntries(
    [...place.querySelectorAll(".control")].map((one) => [one.id.replace("#/properties/", ""), one.querySelector(".validation_error")?.textContent ?? ""]).filter(([, words]) => words),
  );
}

async function hookForm(tool, values) {
  const place = stage();
  const told = Promise.withResolvers();
  function Ask() {
    const { handleSubmit } = useForm({ values, resolver: standardSchemaResolver(standardSchema(gate, tool)) });
    React.useEffect(() => {
      handleSubmit((value) => told.resolve({ value }), (errors) => told.resolve({ errors }))();
    }, []);
    return null;
  }
  createRoot(place).render(h(Ask));
  const plain = (node) => (node && "message" in node ? node.message : Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, plain(inner)])));
  const { value, errors } = await told.promise;
  return errors ? { errors: plain(errors) } : { value };
}

const standard = (tool, value) => standardSchema(gate, tool)["~standard"].validate(value);

async function codeMirror(tool, doc) {
  const settled = Promise.withResolvers();
  const source = async (view) => {
    const found = diagnostics(await gate.check(tool, view.state.doc.toString()));
    queueMicrotask(() => setTimeout(settled.resolve));
    return found;
  };
  const view = new EditorView({ doc, parent: stage(), extensions: [linter(source)] });
  forceLinting(view);
  await settled.promise;
  const found = [];
  forEachDiagnostic(view.state, (one, from, to) => found.push([view.state.sliceDoc(from, to), one.severity, one.message]));
  view.destroy();
  return found;
}

async function monacoMarkers(tool, text) {
  const model = monaco.editor.createModel(text, "plaintext");
  monaco.editor.setModelMarkers(model, "weighbridge", markers(await gate.check(tool, model.getValue())));
  const found = monaco.editor.getModelMarkers({ resource: model.uri });
  const told = found.map((one) => [model.getValueInRange(one), one.severity === monaco.MarkerSeverity.Error, one.code, one.message, one.startLineNumber]);
  model.dispose();
  return told;
}

const clients = {};
async function connected(generation, mode) {
  const key = `${generation} ${mode}`;
  if (clients[key]) return clients[key];
  const url = new URL("/mcp", location.href);
  const client = generation === "v1" ? new Client1({ name: "page", version: "1" }) : new Client2({ name: "page", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(generation === "v1" ? new Transport1(url) : new Transport2(url));
  return (clients[key] = client);
}

/** One call through the gate, with what went over the wire meanwhile. */
async function sent(generation, mode, params, options) {
  const client = await connected(generation, mode);
  const real = globalThis.fetch;
  const bodies = [];
  globalThis.fetch = (...words) => {
    if (words[1]?.body) bodies.push(JSON.parse(words[1].body));
    return real(...words);
  };
  try {
    const call = await preflighted(client, gate, options).prepare(params);
    if (params.arguments && typeof params.arguments === "object") params.arguments.query = "changed";
    const before = bodies.length;
    const answer = await Promise.all([call.send(), call.send()]).then(
      ([first, second]) => ({ result: first, isOnce: first === second }),
      (error) => ({ name: error.name, message: error.message, isVerdict: error.verdict === call.verdict, toResult: error.verdict.toResult() }),
    );
    const calls = bodies.filter(({ method }) => method === "tools/call").map(({ params }) => params.arguments);
    return { before, calls, answer, given: call.arguments, text: call.verdict.text, isFrozen: isDeepFrozen(call) && isDeepFrozen(call.arguments) };
  } finally {
    globalThis.fetch = real;
  }
}

const isDeepFrozen = (value) =>
  typeof value !== "object" || value === null || (Object.isFrozen(value) && (!Array.isArray(value) || value.every(isDeepFrozen)) && (value.verdict ? true : Object.values(value).every(isDeepFrozen)));

async function unguarded(generation, mode, params) {
  const [result, verdict] = await Promise.all([(await connected(generation, mode)).callTool(params), gate.check(params.name, params.arguments)]);
  return { result, toResult: verdict.toResult() };
}

async function card(params) {
  const told = [];
  const call = await preflighted(await connected("v2", "auto"), gate).prepare(params);
  const made = approvalCard(call, {
    onResult: (result) => told.push(["result", result.isError ?? false]),
    onReject: (result) => told.push(["reject", result.content[0].text]),
    onError: (error) => told.push(["error", String(error)]),
  });
  stage().append(made);
  globalThis.told = told;
}

/** Drafts one after another into the hook, in StrictMode; the verdicts it showed, and what it asked of the gate. */
async function hook(drafts) {
  const asked = [];
  const watched = { check: (tool, draft, options) => (asked.push(draft), gate.check(tool, draft, options)) };
  const shown = [];
  function Show({ draft }) {
    const { verdict, isStale, error } = useVerdict(React, watched, "project.list", draft, 0);
    const words = isStale ? "stale" : error ? `error ${error.code}` : verdict.admitted ? "admitted" : "refused";
    shown.push([draft, words]);
    return h("output", { "data-draft": draft }, words);
  }
  const place = stage();
  const root = createRoot(place);
  for (const draft of drafts) flushSync(() => root.render(h(StrictMode, null, h(Show, { draft }))));
  await seen(place, () => (place.textContent === "stale" ? null : true));
  const last = place.textContent;
  const settled = shown.filter(([, words]) => words !== "stale").map(([draft]) => draft);
  flushSync(() => root.render(h(StrictMode, null, h(Show, { draft: '{"late": 1}' }))));
  flushSync(() => root.unmount());
  const count = shown.length;
  await gate.check("project.list", "{}");
  return { asked, last, settled: [...new Set(settled)], isQuiet: shown.length === count };
}

/** Two drafts, where the gate's answer to the first comes after the second's is shown; what is shown then. */
async function overtaken(first, second) {
  const held = Promise.withResolvers();
  const wasAsked = Promise.withResolvers();
  const slow = {
    async check(tool, draft) {
      if (draft === first) {
        wasAsked.resolve();
        await held.promise;
      }
      return gate.check(tool, draft);
    },
  };
  function Show({ draft }) {
    const { verdict, isStale } = useVerdict(React, slow, "project.list", draft, 0);
    return h("output", null, isStale ? "stale" : String(verdict.admitted));
  }
  const place = stage();
  const root = createRoot(place);
  flushSync(() => root.render(h(StrictMode, null, h(Show, { draft: first }))));
  await wasAsked.promise;
  flushSync(() => root.render(h(StrictMode, null, h(Show, { draft: second }))));
  const before = await seen(place, () => (place.textContent === "stale" ? null : place.textContent));
  held.resolve();
  // The gate answers in order, so the late answer has come once this has.
  await gate.check("project.list", "{}");
  await new Promise((resolve) => setTimeout(resolve));
  const after = place.textContent;
  root.unmount();
  return [before, after];
}

/** Whether verdicts are advisory from now on: after a list of no tools they are, after the server's own they are not. */
async function advisory(list) {
  const listed = list === "empty" ? { tools: [] } : await (await connected("v2", "auto")).listTools();
  return (await gate.compare(listed)).advisory;
}

/** Runs a block of the documents: each name that it imports is this page's, and `gate` and `verdict` are there. */
async function run(body, tool, draft) {
  const client = await connected("v2", "auto");
  const verdict = await gate.check(tool, draft);
  const model = monaco.editor.createModel(draft, "plaintext");
  const scope = {
    ...{ Form, JsonForms, React, additionalErrors, approvalCard, diagnostics, extraErrors, linter, markers, monaco, preflighted, standardSchema, standardSchemaResolver, useForm, useVerdict },
    ...{ client, gate, verdict, model, tool, draft, schema: schemaOf(tool), formData: {}, validator: rjsfValidator, renderers: vanillaRenderers, cells: vanillaCells, place: stage() },
  };
  const script = body.replaceAll(/^import (.*) from ".*";$/gm, (_, names) => names.match(/\w+/g).map((name) => `if (typeof ${name} === "undefined") throw new Error("${name}");`).join(" "));
  const AsyncFunction = run.constructor;
  await new AsyncFunction(...Object.keys(scope), script)(...Object.values(scope));
  model.dispose();
  return scope.place.textContent;
}

globalThis.bridged = { rjsf, jsonForms, hookForm, standard, codeMirror, monacoMarkers, sent, unguarded, card, hook, overtaken, run, advisory };
document.documentElement.dataset.ready = "";
