// Figure `museum`: which test would have caught it? The twin of __init__.py.
// The tests cannot run here: the declaration carries what they found when Python ran them.

/** @typedef {(number | null)[]} Verdicts */
/**
 * @typedef {object} Exhibit
 * @property {string} code @property {string} faulty @property {string} right
 * @property {Verdicts} verdicts @property {string[]} expected @property {string[]} got
 */

/**
 * @param {Record<string, any>} state
 * @param {Record<string, Exhibit>} exhibits
 */
export function compute({ bug, t: ticked, on }, exhibits) {
  const everywhere = on === "all";
  const names = Object.keys(exhibits);
  const { code, faulty, right, verdicts, expected, got } = exhibits[bug];
  const tests = verdicts.map((_, i) => i + 1);
  const found = (name) => tests.map((n) => (ticked.includes(n) ? exhibits[name].verdicts[n - 1] : null));
  const caughtBy = (name) => ticked.filter((n) => exhibits[name].verdicts[n - 1]);
  const short = (n) => (n === tests.length ? "R" : `T${n}`);
  const run = found(bug).filter((verdict) => verdict !== null);
  const caught = caughtBy(bug);

  let summary = ["none"];
  if (ticked.length > 0) {
    summary = run.length === 0 ? ["no_reference"] : [bug, caught.length > 0 ? "by" : "unnoticed"];
    if (everywhere) summary.push("suite");
  }
  return {
    parts: {
      code: { text: code },
      line: caught.length > 0 ? { faulty, right } : null,
      findings: { rows: found(bug).map((verdict) => [verdict]), expected, got },
      matrix: {
        rows: names.map((name) => (everywhere || name === bug ? found(name) : tests.map(() => null))),
        at: names.indexOf(bug),
        ran: tests.map((n) => ticked.includes(n)),
      },
    },
    slots: {
      passed: String(run.length - caught.length),
      run: String(run.length),
      list: caught.map(short).join(", "),
      caught: String(names.filter((name) => caughtBy(name).length > 0).length),
    },
    summary,
    main: everywhere ? "caught" : "passed",
  };
}
