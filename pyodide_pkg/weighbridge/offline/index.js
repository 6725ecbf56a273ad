// Page side. Shows that the folder beside it is whole: loads the gate, names its tools, has one call refused.

import { load } from "./weighbridge/weighbridge.js";

const status = /** @type {HTMLElement} */ (document.querySelector("[role=status]"));
try {
  const gate = await load({
    onProgress: (progress) => {
      status.textContent = progress.type === "phase" ? `Loading: ${progress.phase}.` : `Loading: ${progress.loaded} of ${progress.total} bytes.`;
    },
  });
  for (const { name } of gate.catalog.tools) {
    const item = document.createElement("li");
    item.textContent = name;
    document.querySelector("ul")?.append(item);
  }
  const verdict = await gate.check("", {});
  await gate.close();
  status.textContent = verdict.refusal?.code === "no-schema" ? `Ready: catalog ${gate.catalog.digest}.` : "The gate gave another answer than it must.";
} catch (error) {
  status.textContent = /** @type {Error} */ (error).message;
}
