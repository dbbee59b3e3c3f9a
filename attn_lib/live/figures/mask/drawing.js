// Figure `mask`: the weights of two queries in two examples as bars, and a wall behind the last key that counts. How far the
// wall stands to the right is the length, how high it is the score of what lies behind it.

import { paintNumber } from "../../front/cell.js";
import { paintOnScreen } from "../../front/deferred.js";
import { hand } from "../../front/grab.js";
import { eachCell } from "../../front/heatmap.js";
import { fill, formatWeight } from "../../front/numbers.js";
import { bets, label, pattern, picture } from "../../front/picture.js";
import { draw, lengthOf, px, reveal, setAttributes, several, tint } from "../../front/svg.js";
import { hide, setText } from "../../front/text.js";

// How high the wall is for each score behind it; the hand reaches the first three.
const LEVELS = { inf: 1, "1e6": 0.74, zero: 0.1, after: 1 };
const REACHED = ["zero", "1e6", "inf"];
const [ROWS, KEYS] = [4, 4];

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const { sentences, controls } = words;
  const made = picture(figure, repaint);
  const { svg, stage } = made;
  const [lines, behind] = pattern(figure, svg, "behind", { width: 7, height: 7, patternTransform: "rotate(45)" });
  draw(lines, "path", { class: "attn-behind-line", d: "M1 0V7" });
  const rows = several(ROWS, () => rowOf(svg, behind));
  const names = several(2 * KEYS, () => label(svg, "word", "", "attn-middle"));
  const queries = several(2, () => label(draw(svg, "g", { class: "attn-hue-query" }), "word"));
  const examples = [1, 2].map((E) => label(svg, "soft", fill(sentences.example, { E: String(E) })));
  const height = label(svg, "word");
  const putBets = bets(made, "disc");
  const [exps, shares] = ["exps", "weights"].map((part) => [...figure.querySelectorAll(`.attn-body [data-part="${part}"]`)]);
  const hands = [0, 1, 2, 3].map((row) => stage.querySelector(`[data-handle="row${row + 1}"]`));
  let plan = planOf(made);
  let slots = {};

  const wallAt = (state, row) => [plan.X(row, lensOf(state)[row]), plan.base(row) - plan.wall * LEVELS[state.fill]];

  /** One query in one example: bars, the wall, and what is behind it. */
  function paintRow(row, { weights, scores }, state) {
    const { X, cell, bar, most, wall } = plan;
    const { bars, gone, books, numbers, behind, stone, told, ground } = rows[row];
    const [base, length] = [plan.base(row), lensOf(state)[row]];
    const [masked, deleted] = [weights.masked[row], weights.deleted[row]];
    setAttributes(ground, { d: `M${px(X(row, 0))} ${px(base)}H${px(X(row, KEYS))}` });
    setAttributes(behind, { x: px(X(row, length)), y: px(base - wall - 4), width: px(X(row, KEYS) - X(row, length)), height: px(wall + 4) });
    weights.rows[row].forEach((weight, j) => {
      const [x, tall] = [X(row, j) + cell / 2, most * Math.max(0, Math.min(1, weight ?? 0))];
      const isLeak = masked[j] && weight > 0;
      setAttributes(bars[j], { x: px(x - bar / 2), y: px(base - tall), width: px(bar), height: px(tall) });
      bars[j].classList.toggle("attn-leaking", isLeak);
      tint(bars[j], weight ?? 0);
      setAttributes(gone[j], { x: px(x - bar / 2), y: px(base - most * deleted[j]), width: px(bar), height: px(most * deleted[j]) });
      reveal(gone[j], deleted[j] > 0);
      // A row without a key misses nothing.
      gone[j].classList.toggle("attn-unmissed", !slots[`missing${row + 1}`]);
      const book = weights.book?.rows[row][j] ?? null;
      setText(numbers[j], masked[j] || weight === 0 ? "" : formatWeight(weight));
      setAttributes(books[j], { x: px(x - bar / 2 - 3), y: px(base - most * book - 2), width: px(bar + 6), height: 4 });
      reveal(books[j], book !== null);
      // Above the book's line too, but for one far away.
      const line = most * book < tall + 20 ? most * book : 0;
      setAttributes(numbers[j], { x: px(x), y: px(base - Math.max(tall, line) - 6) });
    });
    const high = wall * (scores.sunk === undefined ? LEVELS[state.fill] : LEVELS.inf + (LEVELS.zero - LEVELS.inf) * scores.sunk);
    setAttributes(stone, { x: px(X(row, length) - 3), y: px(base - high), width: 6, height: px(high) });
    // The number stands beside the place that is bet on, or above a higher bar.
    const leak = weights.rows[row].some((weight, j) => masked[j] && weight > 0);
    const tops = masked.map((isMasked, j) => (isMasked ? most * Math.max(weights.rows[row][j] ?? 0, deleted[j]) : 0));
    setText(told, slots[`missing${row + 1}`] || (leak ? slots[`leak${row + 1}`] : ""));
    setAttributes(told, { x: px((X(row, length) + X(row, KEYS)) / 2), y: px(base - Math.max(plan.beside - 6, ...tops.map((top) => top + 8))) });
    return high;
  }

  function paintNames(view) {
    names.forEach((name, place) => {
      const word = view.slots[`w${place + 1}`];
      setText(name, word);
      name.classList.toggle("attn-padding", word === "␣");
      fit(name, plan.X(2 * Math.floor(place / KEYS), place % KEYS) + plan.cell / 2, plan.names, plan.cell - 3);
    });
    queries.forEach((query, i) => {
      setText(query, fill(sentences.asks, { query: view.slots[`q${i + 1}`] }));
      if (made.narrow) fit(query, plan.X(0, 0), plan.base(i) - plan.wall - 10, 150);
      else fit(query, 12, plan.base(i) - 20, plan.X(0, 0) - 24);
    });
    examples.forEach((example, i) => setAttributes(example, { x: px(plan.X(2 * i, 0)), y: px(plan.names + 20) }));
  }

  return {
    paint(view, state) {
      const { parts } = view;
      slots = view.slots;
      exps.forEach((row) => paintExps(row, parts.exps, words.frame));
      // By the table, as the row itself waits for its numbers.
      shares.forEach((row, i) => paintOnScreen(row.closest("table"), () => paintDeleted(row, parts.weights.deleted[i])));
      hands.forEach((one, row) => hide(one, state.dim === "1" && row % 2 === 1));
      if (!made.width) return;
      plan = planOf(made);
      const highs = rows.map((_, row) => paintRow(row, parts, state));
      // What is asked about is the row where most leaks.
      const behind = (row) => parts.weights.rows[row].reduce((sum, weight, j) => sum + (parts.weights.masked[row][j] ? weight : 0), 0);
      const most = behind(1) > behind(0) ? 1 : 0;
      rows[1 - most].told.removeAttribute("data-answer");
      setAttributes(rows[most].told, { "data-answer": "y" });
      paintNames(view);
      // Above a low wall, beside a high one: behind it, but for the number of a leak; then nothing stands before it.
      const [x, y] = [plan.X(0, lensOf(state)[0]), plan.base(0) - highs[0]];
      const isHigh = LEVELS[state.fill] > 0.5;
      const isPlain = parts.scores.sunk === undefined && state.fill !== "after";
      setText(height, isPlain ? controls.fill.options[state.fill] : "");
      const leaks = isHigh && isPlain && behind(0) > 0;
      const isBefore = leaks && x - 22 > plan.X(0, 0) + lengthOf(height);
      setAttributes(height, { x: px(x + (isBefore ? -22 : isHigh ? 22 : 0)), y: px(isHigh ? y + 5 : y - 22) });
      height.classList.toggle("attn-middle", !isHigh);
      height.classList.toggle("attn-end", isBefore);
      if (leaks && !isBefore) {
        const { told } = rows[0];
        const beyond = x + 26 + lengthOf(height) + lengthOf(told) / 2;
        setAttributes(told, { x: px(Math.max((x + plan.X(0, KEYS)) / 2, beyond)) });
      }
      putBets(declaration.bet.places.map(([at]) => [plan.X(0, KEYS) + plan.gap / 2, plan.base(0) - plan.beside + at * plan.apart]));
    },
    grabs: hands.map((_, row) => {
      const item = (/** @type {any} */ state) => (state.dim === "2" ? row : row >> 1);
      return hand(stage, `row${row + 1}`, {
        keys: (state) => [["len", item(state)]],
        at: (state) => wallAt(state, row),
        settings(x, y, state) {
          const high = (plan.base(row) - y) / plan.wall;
          const near = (/** @type {string} */ one) => Math.abs(LEVELS[one] - high);
          const level = REACHED.reduce((best, one) => (near(one) < near(best) ? one : best));
          // As high as it was, it is what it was.
          return {
            len: state.len.with(item(state), (x - plan.X(row, 0)) / plan.cell),
            fill: LEVELS[level] === LEVELS[state.fill] ? state.fill : level,
          };
        },
        step(across, upwards, state) {
          const at = REACHED.indexOf(state.fill);
          const level = Math.max(0, Math.min(REACHED.length - 1, (at < 0 ? REACHED.length - 1 : at) + upwards));
          const length = Math.max(0, Math.min(KEYS, state.len[item(state)] + across));
          return { len: state.len.with(item(state), length), fill: upwards ? REACHED[level] : state.fill };
        },
        spoken(state) {
          const { valuetext } = controls[state.dim === "2" ? "len_query" : "len"];
          const said = fill(valuetext[item(state)], { ...slots, value: String(state.len[item(state)]) });
          return `${said}. ${controls.fill.label}: ${controls.fill.options[state.fill]}`;
        },
      });
    }),
  };
}

/** How many keys count for each query. */
function lensOf({ dim, len }) {
  return dim === "2" ? len : [len[0], len[0], len[1], len[1]];
}

/** What is drawn of one query in one example. */
function rowOf(svg, behind) {
  const row = draw(svg, "g");
  return {
    behind: draw(row, "rect", { fill: behind }),
    bars: several(KEYS, () => draw(row, "rect", { class: "attn-tint attn-pot" })),
    gone: several(KEYS, () => draw(row, "rect", { class: "attn-erased" })),
    ground: draw(row, "path", { class: "attn-sill" }),
    books: several(KEYS, () => draw(row, "rect", { class: "attn-book" })),
    stone: draw(row, "rect", { class: "attn-stone", rx: 2 }),
    numbers: several(KEYS, () => label(row, "num", "", "attn-middle")),
    told: label(row, "big", "", "attn-middle attn-hue-bad attn-behind-wall"),
  };
}

/** Put a text to its place, pressed together where it is longer than its room. */
function fit(text, x, y, room) {
  setAttributes(text, { x: px(x), y: px(y), lengthAdjust: "spacingAndGlyphs" });
  text.removeAttribute("textLength");
  if (lengthOf(text) > room) setAttributes(text, { textLength: px(room) });
}

/** Where things lie, in pixels. */
function planOf({ width, height, narrow }) {
  const [left, gap] = narrow ? [8, 24] : [100, 42];
  const cell = Math.max(4, (width - left - gap - (narrow ? 8 : 24)) / (2 * KEYS));
  const low = height - (narrow ? 60 : 62);
  const high = Math.round(low * (narrow ? 0.478 : 0.435));
  const wall = high - (narrow ? 30 : 20);
  return {
    X: (/** @type {number} */ row, /** @type {number} */ keys) => left + (row >> 1) * (KEYS * cell + gap) + keys * cell,
    base: (/** @type {number} */ row) => (row % 2 ? low : high),
    cell,
    gap,
    wall,
    bar: cell * 0.64,
    most: wall * 0.86,
    // How far above its ground a row is bet on.
    beside: wall * 0.8,
    apart: low - high,
    names: height - 38,
  };
}

/** Above the 0 in a cell, struck out, what was there before it was deleted. */
function paintDeleted(row, deleted) {
  row.querySelectorAll(".attn-weight").forEach((cell, j) => {
    cell.classList.toggle("attn-deleted", deleted[j] > 0);
    setAttributes(cell, { "data-deleted": deleted[j] > 0 ? formatWeight(deleted[j]) : "" });
  });
}

function paintExps(row, part, words) {
  eachCell(row, part, (cell, value, masked) => {
    paintNumber(cell, value, formatWeight(value));
    return masked ? words.masked : "";
  });
  setText(row.querySelector(".attn-total > .attn-number"), part.notes[row.dataset.first]);
}
