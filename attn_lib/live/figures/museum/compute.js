// Figure `museum`: which test would have caught it? The browser's port of __init__.py.
// The tests cannot run here: the declaration carries what they found when Python ran them.

/** @typedef {(number | null)[]} Verdicts */
/**
 * @typedef {object} Exhibit
 * @property {[string[], string][]} lines what it says, in pieces, and whether it is "same", "faulty" or "right"
 * @property {Verdicts} verdicts @property {string[]} expected @property {string[]} got
 */

/**
 * @param {Record<string, any>} state
 * @param {Record<string, Exhibit>} exhibits
 */
export function compute({ bug, t: ticked, on }, exhibits) {
  const everywhere = on === "all";
  const names = Object.keys(exhibits);
  const { lines, verdicts, expected, got } = exhibits[bug];
  const tests = verdicts.map((_, i) => i + 1);
  const found = (name) => tests.map((n) => (ticked.includes(n) ? exhibits[name].verdicts[n - 1] : null));
  const caughtBy = (name) => ticked.filter((n) => exhibits[name].verdicts[n - 1]);
  const short = (n) => (n === tests.length ? "R" : `T${n}`);
  const run = ticked.filter((n) => verdicts[n - 1] !== null);
  const caught = caughtBy(bug);
  const isCaught = caught.length > 0;
  const named = (isCaught ? caught : run).map(short);

  const all = names.map(found);
  const caughtAll = all.filter((verdicts) => verdicts.includes(1)).length;
  const missed = all.filter((verdicts) => verdicts.includes(0) && !verdicts.includes(1)).length;
  // The matrix gives nothing of the other exhibits away where the tests are not run on them.
  const shown = everywhere ? names : [bug];
  let summary = [everywhere ? "none" : "none_one"];
  if (ticked.length > 0) {
    summary = run.length === 0 ? ["no_reference"] : [bug, outcome(run.length, caught.length)];
    if (run.length > 0 && run.length < ticked.length) summary.push("without_reference");
    if (everywhere) summary.unshift(suite(ticked.length, missed, names.length - caughtAll - missed, exhibits));
  }
  return {
    parts: {
      code: {
        lines: lines
          .filter(([, kind]) => isCaught || kind !== "right")
          .map(([pieces, kind]) => [pieces, isCaught ? kind : "same"]),
      },
      findings: {
        rows: found(bug).map((verdict) => [verdict]),
        expected,
        got,
        at: (caught[0] ?? run.at(-1) ?? ticked.at(-1) ?? 0) - 1,
      },
      matrix: {
        rows: names.map((name) => (everywhere || name === bug ? found(name) : tests.map(() => null))),
        at: names.indexOf(bug),
        ran: tests.map((n) => ticked.includes(n)),
        fates: names.map((name) => (ticked.length > 0 && shown.includes(name) ? fate(found(name)) : null)),
      },
    },
    slots: {
      failed: String(caught.length),
      run: String(run.length),
      list: named.slice(0, -1).join(", "),
      last: named.at(-1) ?? "",
      caught: String(caughtAll),
      missed: String(missed),
      ticked: String(ticked.length),
      fewer: String(ticked.length - 1),
      counted: String(shown.filter((name) => caughtBy(name).length > 0).length),
      of: String(everywhere ? caughtAll + missed : Number(run.length > 0)),
    },
    summary,
  };
}

/** The sentence that says how many exhibits the ticked tests catch. */
function suite(ticked, missed, others, exhibits) {
  if (others > 0) return "suite_reference"; // R alone, which is not run on all
  if (missed > 0) return ticked > 1 ? "suite" : "suite_one";
  // Once all are caught, it asks for fewer tests, until no fewer catch them.
  return ticked === fewest(exhibits) ? "suite_least" : "suite_all";
}

/**
 * How many tests it takes to catch all exhibits. A bit stands for a test, in the sets of tests that catch an exhibit
 * and in the suites, of which the smallest that meets all of them counts.
 * @param {Record<string, Exhibit>} exhibits
 */
function fewest(exhibits) {
  const catching = Object.values(exhibits).map(({ verdicts }) =>
    verdicts.reduce((bits, verdict, i) => (verdict ? bits | (1 << i) : bits), 0),
  );
  const [{ verdicts }] = Object.values(exhibits);
  let least = verdicts.length;
  for (let tests = 1; tests < 1 << verdicts.length; tests++) {
    const size = verdicts.filter((_, i) => tests & (1 << i)).length;
    if (size < least && catching.every((bits) => bits & tests)) least = size;
  }
  return least;
}

/** 1: one test caught the fault; 0: all let it pass; 2: none of them was run on it. */
function fate(found) {
  return found.includes(1) ? 1 : found.includes(0) ? 0 : 2;
}

/** The sentence that says which tests fail. */
function outcome(run, caught) {
  if (caught === 1) return run > 1 ? "by_one" : "by_only";
  if (caught > 1) return "by";
  return run > 1 ? "unnoticed" : "unnoticed_one";
}
