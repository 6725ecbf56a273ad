// Page side. One polite live region, spoken to rarely: what is said is the state after the person
// has paused, never each keystroke, and nothing twice in a row.
//   const say = announcer(element); say("Refused: 2 findings");

/** Milliseconds without a change before something is said. */
const PAUSE = 900;

/**
 * @param {HTMLElement} region an element with aria-live
 * @returns {(text: string) => void}
 */
export function announcer(region) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  let last = "";
  return (text) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (text === last) return;
      last = text;
      region.textContent = text;
    }, PAUSE);
  };
}
