// Figure `sink`: all weight as a bar that is cut among the words, and below it the same bar where a bin has its part. Beside
// them the bin: its level is its score, and on its wall each word is marked at the height of its own.

import { hand, tip } from "../../front/grab.js";
import { fill, formatWeight, tone } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { spread } from "../../front/spread.js";
import { draw, lengthOf, path, px, reveal, setAttributes, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { planeOf } from "./plane.js";

const HIGHEST = 6; // score, upwards and downwards
const APART = 17; // pixels between names on the wall of the bin

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words: { sentences }, repaint }) {
  const { data, bet } = declaration;
  const made = picture(figure, () => {
    plan = planOf(made);
    repaint();
  });
  let plan = planOf(made);
  const { svg, stage } = made;
  const wedge = draw(svg, "path", { class: "attn-sink-silent" });
  const strips = data.words.map(() => draw(svg, "path", { class: "attn-tint attn-sink-strip" }));
  const [upper, lower] = [0, 1].map(() => barOf(svg, data.words, sentences.bin));
  const books = data.words.map(() => draw(svg, "rect", { class: "attn-book", width: 4 }));
  const paintBin = binOf(svg, data.words);
  const ends = draw(svg, "g", { class: "attn-sink-ends" });
  const [course, end] = [draw(ends, "path"), draw(ends, "path", { "data-answer": "x" })];
  const heading = label(svg, "soft", sentences.without);
  const brace = draw(svg, "path", { class: "attn-axis-line" });
  const said = label(svg, "word", "", "attn-hue-weight");
  const putBets = bets(made, "disc", { aside: true });
  /** @type {HTMLElement} */
  const field = figure.querySelector(".attn-body [data-plane]");
  const plane = planeOf(field, data, repaint);
  let spoken = "";

  /** Both bars, and what each word keeps from one to the other. */
  function paintBars({ rows: [row], without, book }) {
    const { X, above, below, tall, right } = plan;
    const [before, after] = [[...without, 0], row].map((weights) => edgesOf(weights).map(X));
    const [from, to] = [above + tall, below];
    strips.forEach((strip, j) => {
      setAttributes(strip, { d: `${path([[before[j], from], [before[j + 1], from], [after[j + 1], to], [after[j], to]])}Z` });
      tint(strip, without[j]);
    });
    upper([...without, 0], before, { top: above, tall, right, names: above - 8 });
    lower(row, after, { top: below, tall, right, names: below + tall + 17 });
    const words = after.at(-2);
    // Where a piece ends in the book, if the reader's function makes it of another length.
    const cuts = edgesOf(row.map((weight, j) => book?.rows[0][j] ?? weight)).map(X);
    books.forEach((cut, j) => {
      setAttributes(cut, { x: px(cuts[j + 1] - 2), y: px(to - 10), height: 15 });
      reveal(cut, Boolean(book?.rows[0].slice(0, j + 1).some((weight) => weight !== undefined)));
    });
    setAttributes(wedge, { d: `${path([[right, from], [right, to], [words, to]])}Z` });
    setAttributes(course, { d: path([[before[1], above], [before[1], from], [after[1], to]]) });
    setAttributes(end, { d: path([[after[1], to], [after[1], to + tall]]) });
    const under = to + tall + (made.narrow ? 22 : 26);
    setAttributes(brace, { d: `M${px(X(0))} ${px(under)}v5H${px(words)}v-5` });
    setAttributes(said, { x: px(X(0)), y: px(under + (made.narrow ? 20 : 23)) });
  }

  return {
    paint(view, state) {
      const { scores, weights } = view.parts;
      const isOn = state.bin === "on";
      spoken = fill(sentences[isOn ? "spoken" : "spoken_off"], view.slots);
      plane.paint(view.parts, isOn);
      if (!made.width) return;
      setText(said, fill(sentences.said, view.slots));
      setAttributes(heading, { x: px(plan.X(0)), y: made.narrow ? 13 : 19 });
      paintBars(weights);
      paintBin(plan, scores.rows[0], isOn, fill(sentences[isOn ? "level" : "empty"], view.slots));
      putBets(bet.places.map(([share]) => [plan.X(share), plan.below - 11]));
    },
    grabs: [
      // Whoever takes hold of the bin's level has a bin.
      hand(stage, "s", {
        keys: ["s"],
        at: ({ s }) => [plan.wall, plan.level(s)],
        settings: (_, y) => ({ bin: "on", s: plan.atLevel(y) }),
        step: (across, upwards, { s }) => ({ bin: "on", s: s + (across || upwards) / 2 }),
        spoken: () => spoken,
      }),
      tip(plane.chart, "q", ["x", "y"], () => spoken),
    ],
  };
}

/** Where pieces of a bar begin, and the end of the last. */
function edgesOf(/** @type {number[]} */ weights) {
  const edges = [0];
  for (const weight of weights) edges.push(edges.at(-1) + weight);
  return edges;
}

/** A bar with a piece for each word and one for the bin; names without room in their piece stand outside of it. */
function barOf(svg, words, bin) {
  const pieces = [...words, bin].map((name, j) => {
    const group = draw(svg, "g", { class: j < words.length ? "attn-hue-key" : "" });
    return {
      piece: draw(group, "rect", { class: j < words.length ? "attn-tint attn-dot" : "attn-sink-silent attn-sink-own" }),
      tie: draw(group, "path", { class: "attn-axis-line" }),
      name: label(group, "word", name, "attn-middle attn-sink-name"),
      number: label(group, "num", "", "attn-middle attn-sink-name"),
    };
  });
  return (weights, edges, { top, tall, right, names }) => {
    const middles = weights.map((_, j) => (edges[j] + edges[j + 1]) / 2);
    const outside = /** @type {number[]} */ ([]);
    pieces.forEach(({ piece, tie, name, number }, j) => {
      const wide = edges[j + 1] - edges[j];
      setAttributes(piece, { x: px(edges[j]), y: px(top), width: px(Math.max(0, wide)), height: px(tall) });
      if (j < words.length) tint(piece, weights[j]);
      setText(number, formatWeight(weights[j]));
      const isInside = wide > Math.max(lengthOf(name), lengthOf(number)) + 4;
      const isThere = weights[j] > 0;
      reveal(piece, isThere);
      reveal(name, isThere);
      for (const [text, down] of /** @type {const} */ ([[name, -4], [number, 15]])) {
        if (isInside) setAttributes(text, { x: px(middles[j]), y: px(top + tall / 2 + down), "data-tone": j < words.length ? tone(weights[j]) : "low" });
        else text.removeAttribute("data-tone");
      }
      reveal(number, isInside);
      reveal(tie, isThere && !isInside);
      if (isThere && !isInside) outside.push(j);
    });
    const room = Math.max(0, ...outside.map((j) => lengthOf(pieces[j].name)));
    const wished = outside.map((j) => Math.max(edges[0] + room / 2, middles[j]));
    spread(wished, room + 7, right - room / 2).forEach((x, i) => {
      const { name, tie } = pieces[outside[i]];
      setAttributes(name, { x: px(x), y: px(names) });
      const edge = names < top ? [names + 3, top] : [names - 12, top + tall];
      setAttributes(tie, { d: path([[x, edge[0]], [middles[outside[i]], edge[1]]]) });
    });
  };
}

/** The bin with its level, and on its wall the words. */
function binOf(svg, words) {
  const water = draw(svg, "rect", { class: "attn-sink-silent" });
  const surface = draw(svg, "path", { class: "attn-sink-surface" });
  const can = draw(svg, "path", { class: "attn-sink-can" });
  const hue = draw(svg, "g", { class: "attn-hue-key" });
  const marks = words.map(() => draw(hue, "path", { class: "attn-hue-line attn-sink-score" }));
  const names = words.map((word) => label(hue, "word", word, "attn-sink-level"));
  const title = label(svg, "word", "", "attn-middle attn-sink-title");
  return ({ near, wall, rim, floor, level, narrow }, /** @type {number[]} */ scores, /** @type {boolean} */ isOn, /** @type {string} */ said) => {
    setAttributes(can, { d: path([[near, rim], [near, floor], [wall, floor], [wall, rim]]), "stroke-dasharray": isOn ? "none" : "1 7" });
    for (const node of [water, surface]) reveal(node, isOn);
    setText(title, said);
    setAttributes(title, { x: px((near + wall) / 2), y: px(rim - (narrow ? 13 : 17)) });
    if (isOn) {
      const top = level(scores.at(-1));
      setAttributes(water, { x: px(near), y: px(top), width: px(wall - near), height: px(Math.max(0, floor - top)) });
      setAttributes(surface, { d: `M${px(near)} ${px(top)}H${px(wall)}` });
    }
    const heights = words.map((_, j) => level(scores[j]));
    spread(heights, APART, floor - 9).forEach((y, j) => {
      setAttributes(marks[j], { d: path([[near, heights[j]], [near + 9, heights[j]], [near + 14, y]]) });
      setAttributes(names[j], { x: px(near + 18), y: px(y + 5) });
    });
  };
}

/** Where things lie, in pixels: the bars, the bin from its near wall to the one with the hand. */
function planOf({ width, height, narrow }) {
  const [left, right] = narrow ? [10, Math.max(11, width - 124)] : [24, width - 216];
  const [near, wall] = narrow ? [width - 104, width - 26] : [width - 168, width - 40];
  const tall = narrow ? 44 : 60;
  const [rim, floor] = narrow ? [28, height - 24] : [38, height - 38];
  const unit = (floor - rim - 8) / (2 * HIGHEST);
  return {
    left, right, near, wall, tall, rim, floor, narrow,
    above: narrow ? 40 : 52,
    below: height - tall - (narrow ? 50 : 62),
    X: (/** @type {number} */ share) => left + (right - left) * share,
    level: (/** @type {number} */ score) => floor - unit * (score + HIGHEST),
    atLevel: (/** @type {number} */ y) => (floor - y) / unit - HIGHEST,
  };
}
