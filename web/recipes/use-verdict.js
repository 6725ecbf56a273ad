// Page side. A React hook: the verdict on a draft that is being edited, `const { verdict, isStale, error } = useVerdict(React, gate, tool, draft)`.
//
// Copy it and import React at its top instead of taking it. It asks once the draft
// has rested, the newest draft wins, and nothing is set once the component is gone.

/** @import { Verdict } from "../verdict.js" */

/** @typedef {{ check(tool: string, call?: unknown, options?: { signal?: AbortSignal }): Promise<Verdict> }} Judge a gate, or what answers like one */
/** @typedef {{ verdict: Verdict | null, isStale: boolean, error: unknown }} Seen `isStale`: the verdict is about an earlier draft */
/** @typedef {{ tool: string, draft: unknown, verdict: Verdict | null, error: unknown }} Answer */

/**
 * @param {{ useState: (initial: any) => any, useEffect: (effect: () => void | (() => void), of: unknown[]) => void }} React
 * @param {Judge | null} gate null while it loads
 * @param {string} tool
 * @param {unknown} draft JSON text, or an object that is replaced when it is edited
 * @param {number} [rest] milliseconds without an edit before the gate is asked
 * @returns {Seen}
 */
export function useVerdict({ useState, useEffect }, gate, tool, draft, rest = 200) {
  /** @type {[Answer | null, (answer: Answer) => void]} */
  const [answer, setAnswer] = useState(null);

  useEffect(() => {
    if (!gate) return;
    let isWanted = true;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      gate.check(tool, draft, { signal: stop.signal }).then(
        (verdict) => isWanted && setAnswer({ tool, draft, verdict, error: null }),
        (error) => isWanted && setAnswer({ tool, draft, verdict: null, error }),
      );
    }, rest);
    // Runs before the next draft is asked about, when the component goes, and in
    // StrictMode once more right away: an answer that comes later is nobody's.
    return () => {
      isWanted = false;
      clearTimeout(timer);
      stop.abort();
    };
  }, [gate, tool, draft, rest]);

  const isStale = answer === null || answer.tool !== tool || !Object.is(answer.draft, draft);
  return { verdict: answer?.verdict ?? null, isStale, error: answer?.error ?? null };
}
