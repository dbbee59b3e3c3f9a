// Paints a histogram of two series over one axis: the first as an outline, the second as bars.
// The template histogram.html has drawn it already, 10 wide for each bin and 100 high.

import { fill } from "../../front/numbers.js";
import { paintNumbers } from "../../front/heatmap.js";
import { setAttributes } from "../../front/svg.js";
import { setText } from "../../front/text.js";

/**
 * @typedef {object} Histogram
 * @property {number[][]} rows counts of the two series
 * @property {number} top the largest count: the height of the axis
 * @property {string} sentence which sentence says so
 * @property {number[]} spread low end, middle and high end of the marked range, in units of the axis
 */

/** @param {HTMLElement} root @param {Histogram} part @param {any} words */
export function paintHistogram(root, part, { sentences, frame }) {
  setText(root.querySelector(".attn-histogram-title"), fill(sentences[part.sentence], { top: String(part.top) }));
  const [outlined, barred] = part.rows.map((row) => row.map((count) => (100 * count) / part.top));
  const reach = Number(root.dataset.reach);
  const x = (value) => (5 * outlined.length * (value + reach)) / reach;
  root.querySelectorAll(".attn-bar-of-histogram").forEach((bar, i) => {
    setAttributes(bar, { y: -barred[i], height: barred[i] });
  });
  const steps = outlined.map((height) => `V${-height}h10`).join("");
  setAttributes(root.querySelector(".attn-outline"), { d: `M0 0${steps}V0` });
  const [low, middle, high] = part.spread.map(x);
  setAttributes(root.querySelector(".attn-spread"), { d: `M${low} 5v8m0 -4H${high}m0 -4v8M${middle} 5v8` });
  paintNumbers(root.querySelector("table"), part, frame);
}
