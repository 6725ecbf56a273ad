// Page side. Stands in for `style-mod` in the build: CodeMirror's own rules as constructed style
// sheets instead of a <style> element, so that `style-src 'self'` is enough.
import { StyleModule as Base } from "style-mod";

/** @type {WeakMap<object, CSSStyleSheet>} */
const sheets = new WeakMap();

export class StyleModule extends Base {
  /**
   * Later modules win over earlier ones, as with the original; CodeMirror passes all of an
   * editor's modules, in order, on every change.
   * @override
   * @param {Document | ShadowRoot} root
   * @param {Base | readonly Base[]} modules
   */
  static mount(root, modules) {
    const list = /** @type {readonly Base[]} */ (Array.isArray(modules) ? modules : [modules]);
    const wanted = list.map(sheetOf);
    const others = root.adoptedStyleSheets.filter((sheet) => !wanted.includes(sheet));
    // First of all: the page's own sheet is a <link>, and adopted sheets come after links. The
    // workbench's rules for the editor are an EditorView.theme and so part of `modules`.
    root.adoptedStyleSheets = [...wanted, ...others];
  }
}

/** @param {Base} module */
function sheetOf(module) {
  let sheet = sheets.get(module);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(module.getRules());
    sheets.set(module, sheet);
  }
  return sheet;
}
