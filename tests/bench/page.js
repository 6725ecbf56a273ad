// Page side. What the benchmark asks of one page; times are milliseconds of this page's own clock.

/** The first verdict of our bundle, from the start of the navigation. */
export async function ours(tool, text) {
  const { load } = await import("/dist/weighbridge.js");
  globalThis.gate = await load();
  const { json } = await globalThis.gate.check(tool, text);
  return [performance.now(), json];
}

/** The same, the stock way. */
export function stock(wheels, tool, text) {
  return new Promise((resolve, reject) => {
    const worker = new Worker("/bench/stock.js", { type: "module" });
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve([performance.now(), data]);
    };
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage({ wheels: wheels.map((name) => new URL(name, location.origin).href), tool, text });
  });
}

/**
 * Round trips of each contender, in turns of ten, since a page's clock is a coarse one: the
 * milliseconds of one in each turn, and of our gate each by itself.
 */
export async function trips(tool, text, schema, rounds) {
  const { judge } = await import("/bench/ajv.js");
  const validate = judge(schema);
  const echo = new Worker("/bench/echo.js");
  const echoed = () =>
    new Promise((resolve) => {
      echo.onmessage = resolve;
      echo.postMessage(text);
    });
  const contenders = {
    gate: () => globalThis.gate.check(tool, text),
    "an empty round trip": echoed,
    "ajv, on the page": () => validate(text),
  };
  const turns = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  const single = [];
  for (let round = -1; round < rounds; round += 1) {
    for (const name of shuffled(Object.keys(contenders), round + 1)) {
      const count = name.startsWith("ajv") ? 1000 : 10;
      const begun = performance.now();
      for (let at = 0; at < count; at += 1) {
        const asked = performance.now();
        await contenders[name]();
        if (name === "gate" && round >= 0) single.push(performance.now() - asked);
      }
      if (round >= 0) turns[name].push((performance.now() - begun) / count);
    }
  }
  echo.terminate();
  return { turns, single };
}

function shuffled(names, round) {
  return names.map((_, at) => names[(at + round) % names.length]);
}

/** So many checks in a row. */
export async function many(tool, text, count) {
  for (let at = 0; at < count; at += 1) await globalThis.gate.check(tool, text);
}
