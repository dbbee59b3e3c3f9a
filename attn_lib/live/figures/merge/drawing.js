// Figure `merge`: a bar for each key, over the axis of values, and a cut between two blocks. Dashed, a bar on the scale of its
// own block; filled, what is added of it. Below, what each block answers alone, and strings from there to the merged output.

import { hand } from "../../front/grab.js";
import { fill, formatNumber } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { draw, px, reveal, setAttributes, several } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { compute, merge } from "./compute.js";

const TICKS = [20, 40, 60, 80];
const END = 90; // of the axis, which begins at 0

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words: { sentences }, repaint }) {
  const { data: { values }, data, bet } = declaration;
  const made = picture(figure, () => {
    plan = planOf(made);
    paintBack();
    repaint();
  });
  let plan = planOf(made);
  const { svg, back, stage } = made;
  const bars = values.map(() => draw(svg, "rect", { class: "attn-merge-bar" }));
  const own = values.map(() => draw(svg, "rect", { class: "attn-merge-own" }));
  const cut = draw(svg, "path", { class: "attn-merge-cut" });
  const scores = values.map(() => label(svg, "soft", "", "attn-middle"));
  const names = [label(svg, "num", ""), label(svg, "num", "", "attn-end")];
  const strings = several(2, () => draw(svg, "path", { class: "attn-merge-string" }));
  const dots = several(2, () => draw(svg, "circle", { class: "attn-merge-alone", r: 8 }));
  const numbers = [label(svg, "num", "", "attn-end attn-hue-value"), label(svg, "num", "", "attn-hue-value")];
  const book = draw(svg, "path", { class: "attn-book", d: "M-2 -18h4v36h-4Z" });
  const putBets = bets(made, "diamond");
  const front = draw(svg, "g", { class: "attn-hue-value" });
  const mark = draw(front, "path", { class: "attn-hue-fill", d: "M0 -13L13 0L0 13L-13 0Z", "data-answer": "" });
  const number = label(front, "word", "", "attn-middle");
  let spoken = "";

  function paintBack() {
    const { X, base, axis } = plan;
    back.replaceChildren();
    draw(back, "path", { class: "attn-axis-line", d: `M${px(X(5))} ${px(base)}H${px(X(END - 5))}` });
    draw(back, "path", { class: "attn-axis-line", d: `M${px(X(0))} ${px(axis)}H${px(X(END))}${values.map((value) => `M${px(X(value))} ${px(axis)}v6`).join("")}` });
    for (const value of TICKS) setAttributes(label(back, "soft", String(value), "attn-middle"), { x: px(X(value)), y: px(axis + 30) });
  }

  /** What multiplies the sums of each block, as logarithms; on the way to it from another state, or from none. */
  function logsNow({ parts: { bars: { logs } } }, { way }) {
    if (!way || logs.length === 0) return logs;
    const { logs: before } = compute(way.from, data).parts.bars;
    return logs.map((log, i) => (before[i] ?? 0) + (log - (before[i] ?? 0)) * way.share);
  }

  function paintBars(view, c, logs) {
    const { X, Y, base, wide, narrow } = plan;
    const { scores: row, own: heights } = view.parts.bars;
    heights.forEach((height, j) => {
      const x = px(X(values[j]) - wide / 2);
      const factor = Math.exp(logs[Number(j >= c)] ?? 0);
      setAttributes(bars[j], { x, y: px(Y(height * factor)), width: px(wide), height: px(base - Y(height * factor)) });
      setAttributes(own[j], { x, y: px(Y(height)), width: px(wide), height: px(base - Y(height)) });
      const score = formatNumber(row[j], null);
      setText(scores[j], j || narrow ? score : fill(sentences.score, { a: score }));
      setAttributes(scores[j], { x: px(X(values[j])), y: px(Y(height) - 6) });
    });
  }

  return {
    paint(view, state) {
      const { m, s, o, output } = view.parts;
      const logs = logsNow(view, state);
      const given = output.rows[0][2];
      spoken = fill(sentences[given === null ? "spoken_apart" : "spoken"], view.slots);
      if (!made.width) return;
      const { X, alone, axis, top, knob, left, right } = plan;
      // On its way the cut stands between two places.
      const c = Math.round(state.c);
      paintBars(view, c, logs);
      setAttributes(cut, { d: `M${px(X(10 * c + 5))} ${px(top)}V${px(knob)}` });
      [["left", left], ["right", right]].forEach(([side, x], i) => {
        setText(names[i], fill(sentences[side], view.slots));
        setAttributes(names[i], { x: px(x), y: px(plan.names) });
      });
      const blocks = [0, 1].map((i) => ({ m: m.rows[0][i], s: s.rows[0][i], o: o.rows[0][i] }));
      const merged = logs.length > 0 ? merge(blocks, logs) : null;
      const at = merged ? merged.o / merged.s : given;
      blocks.forEach((block, i) => {
        const value = output.rows[0][i];
        for (const one of [dots[i], numbers[i]]) reveal(one, value !== null);
        const share = merged ? (Math.exp(logs[i]) * block.s) / merged.s : 0;
        reveal(strings[i], share > 0);
        if (value === null) return;
        setAttributes(dots[i], { cx: px(X(value)), cy: px(alone) });
        setText(numbers[i], formatNumber(value, 2));
        setAttributes(numbers[i], { x: px(X(value) + (i ? 13 : -13)), y: px(alone + 5) });
        if (!merged) return;
        setAttributes(strings[i], { d: `M${px(X(value))} ${px(alone)}L${px(X(at))} ${px(axis)}` });
        strings[i].style.strokeWidth = `${(1 + 16 * share).toFixed(1)}px`;
      });
      for (const one of [mark, number]) reveal(one, at !== null);
      if (at !== null) {
        setAttributes(mark, { transform: `translate(${px(X(at))} ${px(axis)})` });
        setText(number, formatNumber(at, 2));
        setAttributes(number, { x: px(X(at)), y: px(axis + 54) });
      }
      const books = output.book?.rows[0][2];
      reveal(book, books !== undefined);
      if (books !== undefined) setAttributes(book, { transform: `translate(${px(X(books))} ${px(axis)})` });
      putBets(bet.places.map(([value]) => [X(value), axis]));
    },
    grabs: [
      hand(stage, "c", {
        keys: ["c"],
        at: ({ c }) => [plan.X(10 * c + 5), plan.knob],
        settings: (x) => ({ c: (plan.valueAt(x) - 5) / 10 }),
        spoken: () => spoken,
      }),
    ],
  };
}

/** Where everything lies, in pixels. @param {import("../../front/picture.js").Picture} picture */
function planOf({ width, height, narrow }) {
  const side = narrow ? 14 : 24;
  const long = Math.max(1, width - 2 * side);
  const axis = height - (narrow ? 62 : 68);
  const alone = axis - (narrow ? 42 : 48);
  const knob = alone - (narrow ? 36 : 40);
  const base = knob - 24;
  const top = narrow ? 26 : 34;
  const full = top + 18; // of the highest bar
  return {
    narrow, axis, alone, knob, base, top,
    names: narrow ? 14 : 20,
    left: narrow ? 4 : 16,
    right: width - (narrow ? 4 : 16),
    wide: (long / 9) * 0.56,
    X: (/** @type {number} */ value) => side + (long * value) / END,
    valueAt: (/** @type {number} */ x) => (END * (x - side)) / long,
    Y: (/** @type {number} */ height) => base - (base - full) * height,
  };
}
