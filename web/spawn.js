// Page side. Makes the module worker on whatever page this is: same origin, another origin, Trusted Types.

/** @type {{ createScriptURL: (url: string) => any } | null | undefined} */
let policy;

/**
 * A module worker that runs the script at `url`.
 *
 * A worker's script must be of the page's own origin. Where it is not, a one-line
 * script of the page's own imports it; origins are compared, since some browsers
 * tell of the refusal only later.
 *
 * @param {string} url
 * @returns {Worker}
 */
export function spawn(url) {
  if (new URL(url).origin === location.origin) return new Worker(trusted(url), { type: "module", name: "weighbridge" });
  const shim = URL.createObjectURL(new Blob([`import ${JSON.stringify(url)};`], { type: "text/javascript" }));
  const worker = new Worker(trusted(shim), { type: "module", name: "weighbridge" });
  const done = () => URL.revokeObjectURL(shim);
  worker.addEventListener("message", done, { once: true });
  worker.addEventListener("error", done, { once: true });
  return worker;
}

/**
 * `url` as a page under `require-trusted-types-for 'script'` wants it, where the
 * page allows a policy of our name.
 *
 * @param {string} url
 * @returns {string}
 */
function trusted(url) {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  if (!trustedTypes) return url;
  if (policy === undefined)
    try {
      policy = trustedTypes.createPolicy("weighbridge", { createScriptURL: (/** @type {string} */ script) => script });
    } catch {
      policy = null;
    }
  return policy ? policy.createScriptURL(url) : url;
}

/**
 * Notes what the page's Content-Security-Policy forbids from now on. `found`
 * answers with the directive that forbade something under `prefix`, if any did.
 *
 * @param {string} prefix
 */
export function watchPolicy(prefix) {
  /** @type {string | null} */
  let directive = null;
  /** @param {SecurityPolicyViolationEvent} event */
  const note = (event) => {
    const aboutUs = event.blockedURI.startsWith(prefix) || event.blockedURI === "blob" || /^(trusted-types|require-trusted-types)/.test(event.effectiveDirective);
    if (aboutUs && event.disposition === "enforce") directive = event.effectiveDirective;
  };
  const page = globalThis.document;
  page?.addEventListener("securitypolicyviolation", note);
  return {
    // Told in a task of its own, so it may come after the failure that it explains.
    found: () => new Promise((resolve) => setTimeout(() => resolve(directive), 0)),
    end: () => page?.removeEventListener("securitypolicyviolation", note),
  };
}
