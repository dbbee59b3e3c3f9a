// Figure `scale`: the ten weights of a typical draw, and beside them, on the same height, the weight of the first of them
// against d, which is in the reader's hand. In the fold a histogram of the scores.

import { isUnanswered } from "../../front/bet.js";
import { paintVisible } from "../../front/deferred.js";
import { hand } from "../../front/grab.js";
import { fill, formatWeight } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { spread } from "../../front/spread.js";
import { valueAt } from "../../front/state.js";
import { draw, lengthOf, path, px, reveal, setAttributes, several, strokes, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { paintHistogram } from "./histogram.js";

const CHANCE = 0.1;
const TICKS = [0, 3, 6, 9]; // places of the sizes that are written on the axis
// Pixels: between names of lines, from the hand to them, from a bar to its number, from the top to the titles.
const [APART, BESIDE, ABOVE, TITLE] = [20, 24, 9, 36];

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const { bet, controls: [sizes, { options }] } = declaration;
  const { sentences, controls } = words;
  const last = sizes.values.length - 1;
  /** @type {HTMLElement} */
  const histogram = figure.querySelector(".attn-body [data-view=histogram]");
  const made = picture(figure, () => {
    plot = plotOf(made, last, Math.max(...ends.map(lengthOf)));
    paintBack();
    repaint();
  });
  let plot = plotOf(made, last, 0);
  const { svg, back, stage } = made;
  const level = draw(svg, "path", { class: "attn-scale-level" });
  const bars = several(10, () => draw(svg, "rect", { class: "attn-tint attn-scale-bar" }));
  const number = label(svg, "word", "", "attn-middle attn-hue-weight");
  const watched = label(svg, "word");
  const others = label(svg, "soft", sentences.others);
  const title = label(svg, "word", "", "attn-middle");
  const { lines, light } = strokes(svg, options.length, "attn-scale-lines");
  const ends = options.map((c) => label(svg, "soft", controls.c.options[c], "attn-scale-end"));
  const putBets = bets(made, "disc");
  /** @type {HTMLElement} */ (stage.querySelector(".attn-hand")).dataset.answer = "";
  let spoken = "";
  let shown = [0, 0]; // where the hand is

  function paintBack() {
    const { X, Y, left, right, bars: { from } } = plot;
    back.replaceChildren();
    for (const weight of [0, CHANCE, 0.5, 1]) {
      draw(back, "path", { class: weight ? "attn-hairline" : "attn-axis-line", d: `M${px(from)} ${px(Y(weight))}H${px(right)}` });
      setAttributes(label(back, "soft", String(weight), "attn-end"), { x: px(from - 7), y: px(Y(weight) + 4.5) });
    }
    for (const place of TICKS) setAttributes(label(back, "soft", String(sizes.values[place]), "attn-middle"), { x: px(X(place)), y: px(Y(0) + 38) });
    setAttributes(label(back, "soft", sentences.entries, "attn-middle"), { x: px((left + right) / 2), y: px(Y(0) + 58) });
    setAttributes(label(back, "word", sentences.draw), { x: px(from), y: px(Y(1) - TITLE) });
  }

  /** The ten weights; the one that the line shows is the first. */
  function paintBars(row, at, isFit) {
    const { Y, bars: { from, first, wide } } = plot;
    const heights = [row[at], ...row.filter((_, i) => i !== at)];
    heights.forEach((weight, i) => {
      const top = Math.min(Y(weight), Y(0) - 1);
      const [x, width] = i ? [from + first + (i - 1) * wide, 0.8 * wide] : [from + 0.2 * first, 0.6 * first];
      const look = `attn-tint attn-scale-bar${i ? "" : isFit ? " attn-scale-fits" : " attn-scale-largest"}`;
      setAttributes(bars[i], { x: px(x), width: px(width), y: px(top), height: px(Y(0) - top), class: look });
      tint(bars[i], weight);
    });
    setText(number, formatWeight(heights[0]));
    setAttributes(number, { x: px(from + first / 2), y: px(Y(heights[0]) - ABOVE) });
    setText(watched, isFit ? sentences.is_fit : sentences.is_largest);
    setAttributes(watched, { x: px(from), y: px(Y(0) + 22), class: `attn-label attn-word${isFit ? " attn-scale-key" : ""}` });
    setAttributes(others, made.narrow ? { x: px(from), y: px(Y(0) + 40) } : { x: px(from + lengthOf(watched) + 10), y: px(Y(0) + 22) });
  }

  /** Before the answer there is one line, and of it only what lies behind the hand: the rest of its points wait there. */
  function paintLines({ rows, chosen, lit, fits }) {
    const { X, Y, left, right, bottom } = plot;
    const isFoggy = isUnanswered(figure);
    rows.forEach((row, i) => {
      const points = row.map((_, place) => Math.min(place, isFoggy ? chosen : last)).map((place) => [X(place), Y(row[place])]);
      setAttributes(lines[i].line, { d: path(points) });
      setAttributes(lines[i].one, { visibility: isFoggy && i !== lit ? "hidden" : "visible" });
    });
    light(lit);
    spread(rows.map((row) => Y(row[last])), APART, bottom).forEach((y, i) => {
      reveal(ends[i], !isFoggy);
      setAttributes(ends[i], { x: px(right + BESIDE), y: px(y + 4.5), class: `attn-label attn-soft attn-scale-end${i === lit ? " attn-lit" : ""}` });
    });
    setText(title, fits ? sentences.axis_fits : sentences.axis_largest);
    const across = made.narrow ? made.width - 8 - lengthOf(title) / 2 : (left + right) / 2;
    setAttributes(title, { x: px(across), y: px(Y(1) - TITLE) });
  }

  return {
    paint(view) {
      const { typical, weights } = view.parts;
      paintVisible(histogram, () => paintHistogram(histogram, view.parts.histogram, words));
      spoken = fill(controls.d.valuetext, { ...view.slots, value: view.slots.d });
      if (!made.width) return;
      const { X, Y, bars: { from, first } } = plot;
      const { lit, chosen } = typical;
      const weight = typical.rows[lit][chosen];
      shown = [X(chosen), Y(weight)];
      paintBars(weights.rows[lit], weights.fits[lit] ?? 0, typical.fits);
      paintLines(typical);
      setAttributes(level, { d: path([[from + first / 2, shown[1]], shown]) });
      putBets(bet.places.map(([place, share]) => [X(place), Y(share)]));
    },
    grabs: [
      hand(stage, "d", {
        keys: ["d"],
        at: () => shown,
        settings: (x) => ({ d: valueAt(sizes, plot.atX(x)) }),
        spoken: () => spoken,
      }),
    ],
    // A name is its divisor's.
    presses: options.map((c, i) => [ends[i], { c }]),
  };
}

/**
 * Where the bars stand, in a column for the first and nine for the others, and pixels of a place among the sizes, and of a weight.
 * @param {import("../../front/picture.js").Picture} picture @param {number} last of these places @param {number} named pixels of the longest name
 */
function plotOf({ width, height, narrow }, last, named) {
  const from = narrow ? 30 : 44;
  const [first, wide] = narrow ? [38, 8] : [56, 23];
  const [left, right] = [from + first + 9 * wide + (narrow ? 20 : 44), width - (narrow ? BESIDE + named + 4 : 160)];
  const [top, bottom] = [narrow ? 56 : 64, height - 72];
  return {
    bars: { from, first, wide },
    left, right, bottom,
    X: (/** @type {number} */ place) => left + ((right - left) * place) / last,
    Y: (/** @type {number} */ weight) => bottom - (bottom - top) * weight,
    atX: (/** @type {number} */ pixels) => (last * (pixels - left)) / (right - left),
  };
}
