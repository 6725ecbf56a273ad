// Page side, for `<script src="weighbridge.classic.js"></script>`: `const { load } = await globalThis.weighbridge;`
//
// A classic script knows its own address only while it runs, so it is read here.
/** @type {any} */ (globalThis).weighbridge = import(new URL("weighbridge.js", /** @type {HTMLScriptElement} */ (document.currentScript).src).href);
