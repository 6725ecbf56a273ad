// Page side. The arguments editor: CodeMirror with JSON, findings marked in the text and in the
// gutter, keys and values offered from the published schema.
//   const editor = new ArgumentsEditor(parent, { changed, send });

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { completions } from "./completions.js";
import { visibleText } from "./visible.js";

/** @import { Diagnostic } from "@codemirror/lint" */
/** @import { Range, Schema } from "./types.js" */

/**
 * A mark in the text with the words that explain it.
 * @typedef {{ places: Range[], severity: "error" | "warning", title: string, message: string }} Mark
 */

/** Characters a line, on average, up to which lines are wrapped. */
const LONGEST_WRAPPED = 2_000;

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, class: "json-key" },
  { tag: tags.string, class: "json-string" },
  { tag: tags.number, class: "json-number" },
  { tag: [tags.bool, tags.null], class: "json-word" },
  { tag: [tags.separator, tags.squareBracket, tags.brace], class: "json-punctuation" },
]);

// Only what the style sheet cannot say: CodeMirror's own rules are scoped, and win otherwise.
const THEME = EditorView.theme({
  "&": { backgroundColor: "var(--surface)", color: "var(--text)", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)", padding: "10px 0" },
  ".cm-content, .cm-gutter": { minHeight: "12.5rem" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--muted)", border: "none", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "var(--active)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--active)", color: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--selection)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)", color: "inherit" },
  ".cm-selectionMatch": { backgroundColor: "var(--active)" },
  ".cm-specialChar": { color: "var(--bad)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--sunken)", border: "1px solid var(--line)", color: "var(--muted)" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", color: "var(--text)", border: "1px solid var(--line-strong)", borderRadius: "6px", boxShadow: "var(--lift)", overflow: "hidden" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "0.8125rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionInfo": { maxWidth: "22rem", padding: "8px 10px", fontSize: "0.8125rem" },
  ".cm-diagnostic": { padding: "8px 12px", maxWidth: "34rem", fontFamily: "var(--sans)", fontSize: "0.8125rem", whiteSpace: "pre-wrap", overflowWrap: "anywhere" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--bad)" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--warn)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad) 1.5px", textUnderlineOffset: "3px", textDecorationSkipInk: "none", backgroundColor: "var(--bad-tint)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--warn) 1.5px", textUnderlineOffset: "3px", textDecorationSkipInk: "none" },
  ".cm-lint-marker": { width: "0.9em", height: "0.9em" },
  ".cm-lint-marker-error": { content: "none", borderRadius: "50%", backgroundColor: "var(--bad)" },
  ".cm-lint-marker-warning": { content: "none", borderRadius: "2px", backgroundColor: "var(--warn)", transform: "rotate(45deg) scale(0.8)" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--text)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "8px 10px", fontFamily: "var(--sans)", fontSize: "0.8125rem" },
  ".cm-panel.cm-search [name=close]": { cursor: "pointer", top: "4px", right: "6px" },
  ".cm-searchMatch": { backgroundColor: "var(--warn-tint)", outline: "1px solid var(--warn)" },
  ".cm-searchMatch.cm-searchMatch-selected": { backgroundColor: "var(--selection)" },
  ".cm-panel.cm-panel-lint ul [aria-selected]": { backgroundColor: "var(--selection)" },
  ".cm-panel input, .cm-panel button": { font: "inherit", color: "inherit" },
  ".cm-textfield": { backgroundColor: "var(--surface)", border: "1px solid var(--line-strong)" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--surface)", border: "1px solid var(--line-strong)" },
});

/**
 * Text typed over a selection, put in by us: left to the browser, it carries the old text's look
 * along as an inline style, which `style-src 'self'` reports as a violation.
 * @param {InputEvent} event
 * @param {EditorView} view
 * @returns {boolean} whether it was put in
 */
function typedOver(event, view) {
  const { main, ranges } = view.state.selection;
  const text = event.data;
  if (event.inputType !== "insertText" || text === null || event.isComposing || main.empty || ranges.length > 1) return false;
  const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
  const handled = view.state.facet(EditorView.inputHandler).some((handler) => handler(view, main.from, main.to, text, insert));
  if (!handled) view.dispatch(insert());
  event.preventDefault();
  return true;
}

export class ArgumentsEditor {
  #view;
  #labels = new Compartment();
  #wrapping = new Compartment();
  #wraps = true;
  /** @type {Schema} */
  #schema = {};
  #label = "Arguments, JSON";
  #invalid = false;

  /**
   * @param {HTMLElement} parent
   * @param {{ changed: (text: string) => void, send: () => void }} on
   */
  constructor(parent, on) {
    this.#view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          foldGutter(),
          lintGutter({ hoverTime: 150 }),
          highlightActiveLineGutter(),
          highlightSpecialChars(),
          history(),
          drawSelection(),
          indentOnInput(),
          indentUnit.of("  "),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          autocompletion({ override: [(context) => completions(context, this.#schema)], icons: false }),
          json(),
          syntaxHighlighting(COLOURS),
          THEME,
          this.#wrapping.of(EditorView.lineWrapping),
          EditorView.domEventHandlers({ beforeinput: typedOver }),
          this.#labels.of([]),
          // Tab is left to the page, so that the keyboard can leave the editor.
          keymap.of([
            { key: "Mod-Enter", run: () => (on.send(), true) },
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...foldKeymap,
            ...completionKeymap,
            ...lintKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            this.#wrap();
            on.changed(update.state.doc.toString());
          }),
        ],
      }),
    });
    this.#relabel();
  }

  get state() {
    return this.#view.state;
  }

  get text() {
    return this.#view.state.doc.toString();
  }

  /**
   * Puts a whole new text in, as one step that undo takes back.
   * @param {string} text
   */
  replace(text) {
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text }, selection: { anchor: 0 } });
  }

  /**
   * @param {string} tool
   * @param {Schema} schema
   */
  speaksOf(tool, schema) {
    this.#schema = schema;
    this.#label = `Arguments of ${tool}, JSON`;
    this.#relabel();
  }

  /**
   * Marks the text. A mark without a place is left to the verdict beside it.
   * @param {Mark[]} marks
   */
  mark(marks) {
    const length = this.#view.state.doc.length;
    /** @type {Diagnostic[]} */
    const diagnostics = marks.flatMap(({ places, severity, title, message }) =>
      places
        .filter(({ from, to }) => from <= length && to <= length)
        .map(({ from, to }) => ({ from, to, severity, source: title, message: visibleText(message) })),
    );
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
    const invalid = marks.some(({ severity }) => severity === "error");
    if (invalid === this.#invalid) return;
    this.#invalid = invalid;
    this.#relabel();
  }

  /** @param {Range} place */
  focusAt({ from, to }) {
    const length = this.#view.state.doc.length;
    this.#view.dispatch({
      selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
      effects: EditorView.scrollIntoView(Math.min(from, length), { y: "center" }),
    });
    this.#view.focus();
  }

  /**
   * @param {number} at
   * @param {string} insert
   * @param {Range} selected the stretch of the inserted text to select, counted from `at`
   */
  insert(at, insert, selected) {
    this.#view.dispatch({ changes: { from: at, insert }, selection: { anchor: at + selected.from, head: at + selected.to }, scrollIntoView: true });
    this.#view.focus();
  }

  focus() {
    this.#view.focus();
  }

  /** Wraps lines, unless they are so long that a browser takes seconds to select in them. */
  #wrap() {
    const { doc } = this.#view.state;
    const wraps = doc.length / doc.lines < LONGEST_WRAPPED;
    if (wraps === this.#wraps) return;
    this.#wraps = wraps;
    // An update may not be dispatched from within another.
    queueMicrotask(() => this.#view.dispatch({ effects: this.#wrapping.reconfigure(wraps ? EditorView.lineWrapping : []) }));
  }

  #relabel() {
    const attributes = EditorView.contentAttributes.of({
      // A focusable thing inside what scrolls, also to tools that do not count contenteditable.
      tabindex: "0",
      "aria-label": this.#label,
      "aria-describedby": "verdict-summary editor-hint",
      "aria-invalid": String(this.#invalid),
    });
    this.#view.dispatch({ effects: this.#labels.reconfigure(attributes) });
  }
}
