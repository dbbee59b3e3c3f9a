// Figure `museum`: which test would have caught it? The twin of __init__.py.
// The tests cannot run here: the declaration carries what they found when Python ran them.

/** @typedef {{ code: string, verdicts: number[], expected: string[], got: string[] }} Exhibit */

/**
 * @param {Record<string, any>} state
 * @param {Record<string, Exhibit>} exhibits
 */
export function compute({ bug, t: ran, on }, exhibits) {
  const everywhere = on === "all";
  const names = Object.keys(exhibits);
  const { code, verdicts, expected, got } = exhibits[bug];
  const tests = verdicts.map((_, i) => i + 1);
  const caughtBy = (name) => ran.filter((n) => exhibits[name].verdicts[n - 1]);
  const found = (name) => tests.map((n) => (ran.includes(n) ? exhibits[name].verdicts[n - 1] : null));

  const summary = ran.length === 0 ? ["none"] : [bug, caughtBy(bug).length > 0 ? "by" : "unnoticed"];
  if (ran.length > 0 && everywhere) summary.push("suite");
  return {
    parts: {
      code: { text: code },
      findings: { rows: found(bug).map((verdict) => [verdict]), expected, got },
      matrix: {
        rows: names.map((name) => (everywhere || name === bug ? found(name) : tests.map(() => null))),
        at: names.indexOf(bug),
        ran: tests.map((n) => ran.includes(n)),
      },
    },
    slots: {
      passed: String(ran.length - caughtBy(bug).length),
      run: String(ran.length),
      list: caughtBy(bug).map((n) => `T${n}`).join(", "),
      caught: String(names.filter((name) => caughtBy(name).length > 0).length),
    },
    summary,
    main: everywhere ? "caught" : "passed",
  };
}
