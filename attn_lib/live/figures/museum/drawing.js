// Figure `museum`: a wall of lamps, exhibits by tests, and a beam in the reader's hand that runs the test on which it
// stands. A lamp that lights is a fault that was caught; beside the wall they are counted. In the fold the code itself with its
// faulty lines above the right ones, and what each test expected and got. A verdict is 1 (the test fails, so the fault is
// caught), 0 (it passes) or null (not run).

import { hand } from "../../front/grab.js";
import { fill } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { draw, lengthOf, px, reveal, setAttributes, several } from "../../front/svg.js";
import { setText } from "../../front/text.js";

const RAYS = 8; // of a lamp that is lit
const ASKED = 120; // pixels: on a phone what a test asks is broken into two lines

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const { sentences, controls } = words;
  const [{ options: exhibits }] = declaration.controls;
  const tests = controls.t.options;
  const short = (/** @type {number} */ test) => tests[test - 1].split(" ")[0];
  const fold = foldOf(figure, repaint);

  const made = picture(figure, () => {
    plan = planOf(made, exhibits.length, tests.length, named());
    layOut();
    repaint();
  });
  const { svg, back, stage } = made;
  const here = draw(svg, "rect", { class: "attn-museum-here" });
  const beams = draw(svg, "path", { class: "attn-museum-beam" });
  const beam = draw(svg, "rect", { class: "attn-museum-beam", rx: 8 });
  const rays = draw(svg, "path", { class: "attn-museum-rays" });
  const heads = tests.map((_, n) => cellOf(svg, short(n + 1), "attn-middle"));
  const names = exhibits.map(() => cellOf(svg, "", "attn-end"));
  const lamps = exhibits.map(() => several(tests.length, () => {
    const cell = draw(svg, "g", { class: "attn-museum-cell" });
    return { cell, room: draw(cell, "rect"), lamp: draw(cell, "circle") };
  }));
  const rail = draw(svg, "path", { class: "attn-axis-line" });
  const level = draw(svg, "rect", { class: "attn-museum-level" });
  const top = draw(svg, "circle", { class: "attn-museum-top", r: 8, "data-answer": "y" });
  const count = label(svg, "big", "", "attn-end attn-museum-count");
  const counted = label(svg, "soft", "", "attn-middle");
  const standing = label(svg, "num");
  const putBets = bets(made, "disc");
  let plan = planOf(made, exhibits.length, tests.length, 0);
  let now = /** @type {any} */ ({ t: [] }); // the state that is shown
  let spoken = "";

  const called = exhibits.map((/** @type {string} */ bug) => controls.bug.options[bug]);
  const named = () => {
    names.forEach(({ text }, i) => (text.textContent = called[i]));
    return Math.max(...names.map(({ text }) => lengthOf(text)));
  };
  const lastOf = (/** @type {any} */ { t }) => t.at(-1) ?? 0;
  const runs = (/** @type {number} */ place) => {
    const test = Math.min(tests.length, Math.max(0, Math.round(place)));
    return { t: test > 0 ? [test] : [] };
  };
  const withTest = (/** @type {number} */ test) => [...new Set([...now.t, test])].sort((a, b) => a - b);
  const without = (/** @type {number} */ test) => now.t.filter((/** @type {number} */ n) => n !== test);

  /** What stays where it is: names, heads, and the room of each lamp. */
  function layOut() {
    const { X, Y, Level, across, down, name, head, gauge, marks } = plan;
    back.replaceChildren();
    heads.forEach(({ room, text }, n) => {
      setAttributes(room, { x: px(X(n + 1) - across / 2), y: 0, width: px(across), height: px(Y(0) - down / 2) });
      setAttributes(text, { x: px(X(n + 1)), y: px(head) });
    });
    names.forEach(({ room, text }, i) => {
      setAttributes(room, { x: 0, y: px(Y(i) - down / 2), width: px(X(1) - across / 2), height: px(down) });
      setLines(text, called[i], name, Y(i) + 4.5, made.narrow ? plan.named : Infinity);
    });
    lamps.forEach((row, i) => row.forEach(({ room, lamp }, n) => {
      setAttributes(room, { x: px(X(n + 1) - across / 2), y: px(Y(i) - down / 2), width: px(across), height: px(down) });
      setAttributes(lamp, { cx: px(X(n + 1)), cy: px(Y(i)) });
    }));
    const ticks = marks.map((n) => `M${px(gauge - 5)} ${px(Level(n))}h10`);
    setAttributes(rail, { d: `M${px(gauge)} ${px(Level(0))}V${px(Level(exhibits.length))}${ticks.join("")}` });
  }

  function paintWall({ rows, at, ran }, { t }) {
    const { X, Y, across, down, radius, foot } = plan;
    setAttributes(here, { x: 0, y: px(Y(at) - down / 2), width: px(X(tests.length) + across / 2), height: px(down) });
    names.forEach(({ text }, i) => text.classList.toggle("attn-museum-chosen", i === at));
    heads.forEach(({ text }, n) => text.classList.toggle("attn-museum-chosen", ran[n]));
    const last = lastOf({ t });
    const box = (/** @type {number} */ test) => ({ x: X(test) - across / 2, y: 4, width: across, height: foot - 4 });
    reveal(beam, last > 0);
    setAttributes(beam, { ...box(last), x: px(box(last).x) });
    setAttributes(beams, { d: t.slice(0, -1).map((/** @type {number} */ n) => `M${px(box(n).x)} 4h${px(across)}V${px(foot - 30)}h-${px(across)}Z`).join("") });
    let lit = "";
    rows.forEach((row, i) => row.forEach((verdict, n) => {
      const look = verdict === 1 ? "lit" : verdict === 0 ? "passed" : ran[n] && t.length ? "unrun" : "off";
      setAttributes(lamps[i][n].lamp, { class: `attn-museum-${look}`, r: px(look === "off" ? radius / 3 : radius) });
      if (verdict === 1) lit += raysOf(X(n + 1), Y(i), radius);
    }));
    setAttributes(rays, { d: lit });
  }

  return {
    paint({ parts, slots }, state) {
      now = state;
      fold.paint(parts);
      const said = state.t.length === 1 ? tests[state.t[0] - 1] : state.t.map(short).join(", ");
      spoken = fill(sentences.spoken, { ...slots, tests: said || sentences.no_test });
      if (!made.width) return;
      paintWall(parts.matrix, state);
      const { X, Level, gauge, head, foot } = plan;
      const y = Level(Number(slots.counted));
      setAttributes(level, { x: px(gauge - 3), y: px(y), width: 6, height: px(Level(0) - y) });
      setAttributes(top, { cx: px(gauge), cy: px(y) });
      setText(count, slots.counted);
      setAttributes(count, { x: px(gauge - 16), y: px(y + 8) });
      setLines(counted, fill(sentences.tally, slots), made.narrow ? made.width - 6 : gauge, head, made.narrow ? 0 : Infinity);
      counted.classList.toggle("attn-end", made.narrow);
      // What the test asks, on that side of the hand where there is room.
      const x = X(lastOf(state));
      const isLeft = x > X(5);
      const asked = state.t.length === 1 ? sentences[`asks_${lastOf(state)}`] : "";
      setLines(standing, asked, isLeft ? x - 24 : x + 24, foot + 5.5, made.narrow ? ASKED : Infinity);
      standing.classList.toggle("attn-end", isLeft);
      putBets(declaration.bet.places.map(([n]) => [gauge, Level(n)]));
    },
    grabs: [
      hand(stage, "t", {
        keys: ["t"],
        value: lastOf,
        at: (state) => [plan.X(lastOf(state)), plan.foot],
        settings: (x) => runs(plan.atX(x)),
        step: (across, upwards, state) => runs(lastOf(state) + (across || upwards)),
        spoken: () => spoken,
      }),
    ],
    // A head runs its test or takes it back; a name chooses its exhibit, and its lamp runs the test as well.
    presses: [
      ...heads.map(({ cell }, n) => [cell, () => ({ t: now.t.includes(n + 1) ? without(n + 1) : withTest(n + 1) })]),
      ...names.map(({ cell }, i) => [cell, { bug: exhibits[i] }]),
      ...lamps.flatMap((row, i) => row.map(({ cell }, n) => [cell, () => ({ bug: exhibits[i], t: withTest(n + 1) })])),
    ],
  };
}

/** A text that can be pressed in all of its room. */
function cellOf(/** @type {Element} */ svg, /** @type {string} */ said, /** @type {string} */ anchor) {
  const cell = draw(svg, "g", { class: "attn-museum-cell" });
  return { cell, room: draw(cell, "rect"), text: label(cell, "soft", said, anchor) };
}

/** Where things lie, in pixels. @param {import("../../front/picture.js").Picture} picture @param {number} high @param {number} wide @param {number} longest */
function planOf({ width, height, narrow }, high, wide, longest) {
  const named = Math.min(longest, narrow ? 88 : 160); // room of the longest name
  const gauge = width - (narrow ? 24 : 152);
  const [first, last] = [named + (narrow ? 20 : 44), gauge - (narrow ? 46 : 62)];
  const across = Math.max(1, (last - first) / (wide - 1));
  const [from, foot] = narrow ? [42, height - 34] : [48, height - 44];
  const down = (foot - from - (narrow ? 8 : 10)) / high;
  const Y = (/** @type {number} */ i) => from + down * i;
  return {
    across, down, foot, gauge, named, Y,
    head: narrow ? 18 : 22,
    name: named + (narrow ? 6 : 16),
    radius: Math.max(1, Math.min(down / 2 - 7, across / 2 - 4.5)),
    marks: Array.from({ length: high + 1 }, (_, n) => n),
    X: (/** @type {number} */ test) => first + across * (test - 1),
    atX: (/** @type {number} */ x) => (x - first) / across + 1,
    // As high as so many rows.
    Level: (/** @type {number} */ n) => Y(high - n),
  };
}

function raysOf(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ radius) {
  return Array.from({ length: RAYS }, (_, i) => {
    const [c, s] = [Math.cos, Math.sin].map((turn) => turn((2 * Math.PI * i) / RAYS));
    return `M${px(x + (radius + 1.5) * c)} ${px(y + (radius + 1.5) * s)}L${px(x + (radius + 4) * c)} ${px(y + (radius + 4) * s)}`;
  }).join("");
}

/** A name in two lines where one is too long for its room. */
function setLines(/** @type {SVGTextElement} */ text, /** @type {string} */ said, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ room) {
  text.textContent = said;
  setAttributes(text, { x: px(x), y: px(y) });
  if (lengthOf(text) <= room + 1) return;
  const gaps = [...said.matchAll(/ /g)].map(({ index }) => index);
  if (!gaps.length) return;
  const cut = gaps.reduce((best, gap) => (Math.abs(gap - said.length / 2) < Math.abs(best - said.length / 2) ? gap : best));
  text.replaceChildren();
  draw(text, "tspan", { x: px(x), dy: "-0.5em" }, said.slice(0, cut));
  draw(text, "tspan", { x: px(x), dy: "1em" }, said.slice(cut + 1));
}

/** What the fold has: code, findings and the matrix in signs. */
function foldOf(/** @type {HTMLElement} */ figure, /** @type {() => void} */ repaint) {
  const body = figure.querySelector(".attn-body");
  const code = body.querySelector('[data-part="code"]');
  /** @type {HTMLTableElement[]} */
  const [findings, matrix] = ["findings", "matrix"].map((name) => body.querySelector(`[data-part="${name}"]`));
  /** @type {HTMLElement[]} */
  const panes = [...body.querySelectorAll(".attn-test")];
  /** @type {HTMLElement[]} */
  const ticks = [...body.querySelectorAll('[data-key="t"]')];
  // The lines that are shown are those of the tick in focus, or of the finding that was pressed.
  for (const type of ["focusin", "focusout"]) body.addEventListener(type, ({ target }) => ticks.includes(/** @type {any} */ (target)) && repaint());
  [...findings.tBodies[0].rows].forEach((row, n) => row.addEventListener("click", () => ticks[n]?.focus({ preventScroll: true })));
  return {
    paint(parts) {
      const focused = ticks.indexOf(/** @type {any} */ (document.activeElement));
      const at = focused < 0 ? parts.findings.at : focused;
      paintCode(code, parts.code);
      panes.forEach((pane, n) => (pane.inert = n !== at));
      paintFindings(findings, parts.findings, at);
      paintMatrix(matrix, parts.matrix);
    },
  };
}

function paintCode(code, { lines }) {
  const kinds = JSON.parse(code.dataset.kinds);
  while (code.children.length > lines.length) code.lastElementChild.remove();
  while (code.children.length < lines.length) code.append(code.firstElementChild.cloneNode(true));
  lines.forEach(([pieces, kind], i) => {
    const line = code.children[i];
    const [spoken, said] = [line.querySelector(":scope > .attn-sr"), line.querySelector(":scope > :not(.attn-sr)")];
    line.dataset.kind = kind;
    setText(spoken, kinds[kind]);
    if (said.textContent !== `${pieces.join("")}\n`) said.replaceChildren(...pieces.flatMap(broken), "\n");
  });
}

/** A piece of a line, as in body.html: every other one is not broken, and before a point a line may be. */
function broken(piece, i) {
  if (!piece || i % 2 === 0) return piece.startsWith(".") ? [document.createElement("wbr"), piece] : [piece];
  const whole = document.createElement("span");
  whole.className = "attn-uncut";
  whole.append(piece);
  return [whole];
}

function paintFindings(table, { rows, expected, got }, at) {
  [...table.tBodies[0].rows].forEach((row, i) => {
    const [verdict] = rows[i];
    row.classList.toggle("attn-shown", i === at);
    paintVerdict(table, row.querySelector("[data-value]"), verdict);
    const said = verdict === null ? (expected[i] ? "" : table.dataset.unrunnable) : got[i];
    paintNumbers(row.querySelector(".attn-got"), said, expected[i], verdict);
    setText(row.querySelector(".attn-expected"), expected[i]);
  });
}

/** What a test got: where it fails, numbers that are not the expected ones are marked. */
function paintNumbers(node, got, expected, verdict) {
  const wanted = expected.split(" ");
  const differs = (piece, i) => verdict === 1 && piece !== wanted[i];
  const pieces = got.split(" ");
  const marks = pieces.filter(differs).length;
  if (node.textContent === got && node.children.length === marks) return;
  node.replaceChildren(
    ...pieces.flatMap((piece, i) => {
      const text = document.createElement("span");
      text.className = "attn-differs";
      text.append(piece);
      return [i ? " " : "", differs(piece, i) ? text : piece];
    }),
  );
}

/** Rows are exhibits, columns tests. */
function paintMatrix(table, { rows, at, fates }) {
  const words = JSON.parse(table.dataset.fates);
  [...table.tBodies[0].rows].forEach((row, i) => {
    row.classList.toggle("attn-here", i === at);
    row.dataset.fate = String(fates[i]);
    setText(row.querySelector(".attn-fate"), words[fates[i]] ?? "");
    row.querySelectorAll("[data-value]").forEach((cell, n) => paintVerdict(table, cell, rows[i][n]));
  });
}

/** The sign for the eye; for the ear the words that the table carries, for 0, 1 and null. */
function paintVerdict(table, cell, verdict) {
  const which = verdict ?? 2;
  const [sign, spoken] = [cell.querySelector(".attn-sign"), cell.querySelector(".attn-sr")];
  // A style that named the value of a cell would have every cell of every figure looked at again.
  cell.dataset.value = cell.dataset.found = String(verdict);
  setText(sign, "✓✗·"[which]);
  setText(spoken, JSON.parse(table.dataset.verdicts)[which]);
}
