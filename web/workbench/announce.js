// Page side. One polite live region, spoken to rarely: what is said is the state after the person
// has paused, never each keystroke, and nothing twice in a row.
//   const say = announcer(element); say("verdict", "Refused: 2 findings.");

/** Milliseconds without a change before something is said. */
const PAUSE = 900;

/**
 * @param {HTMLElement} region an element with aria-live
 * @returns {(topic: string, text: string) => void} the newest text of each topic is what is said
 */
export function announcer(region) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  /** @type {Map<string, string>} */
  const pending = new Map();
  /** @type {Map<string, string>} */
  const said = new Map();
  return (topic, text) => {
    pending.set(topic, text);
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      // A send is an event and is told again; a state is told when it changes.
      const fresh = [...pending].filter(([about, words]) => about === "sent" || said.get(about) !== words);
      for (const [about, words] of fresh) said.set(about, words);
      pending.clear();
      if (fresh.length > 0) region.textContent = fresh.map(([, words]) => words).join(" ");
    }, PAUSE);
  };
}
