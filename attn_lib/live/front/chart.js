// A drawing with two axes, in CSS pixels: text keeps its size at every width of the figure.

import { draw, px } from "./svg.js";

// Below this width a drawing has fewer ticks and shorter words.
const NARROW = 430;

/**
 * @typedef {object} Chart
 * @property {HTMLElement} stage what the drawing fills; its height comes from the style sheet
 * @property {SVGSVGElement} svg
 * @property {SVGGElement} back the axes, drawn anew when the width changes
 * @property {number} width 0 until the drawing was measured
 * @property {number} height
 * @property {number} left @property {number} right @property {number} top @property {number} bottom the plot's edges
 * @property {boolean} narrow
 * @property {(x: number) => number} X pixels of a place on the horizontal axis
 * @property {(y: number) => number} Y
 * @property {(pixels: number) => number} atX the place of some pixels
 * @property {(pixels: number) => number} atY
 */

/** @typedef {{ left?: number, right?: number, top?: number, bottom?: number }} Pad */
/**
 * Make a drawing in `stage` and keep it as wide as its figure.
 * @param {HTMLElement} stage
 * @param {object} options
 * @param {number[]} options.x the horizontal axis from end to end; a `Listed` control counts its values from 0
 * @param {number[]} options.y
 * @param {Pad | ((width: number) => Pad)} [options.pad] pixels around the plot, for every width or for each
 * @param {boolean} [options.square] one unit is as long across as it is upwards: a plane
 * @param {(chart: Chart) => void} options.resized draw what depends on the size, then paint again
 * @returns {Chart}
 */
export function chart(stage, { x, y, pad = {}, square = false, resized }) {
  const padOf = (/** @type {number} */ width) => ({ left: 34, right: 12, top: 10, bottom: 22, ...(typeof pad === "function" ? pad(width) : pad) });
  const svg = draw(stage, "svg", { class: "attn-drawing", "aria-hidden": "true" });
  stage.prepend(svg);
  const made = /** @type {Chart} */ ({ stage, svg, back: draw(svg, "g"), width: 0, height: 0, left: 0, top: 0, narrow: false });
  onSize(stage, (width, height) => {
    const { left, right, top, bottom } = padOf(width);
    let [across, upwards] = [width - left - right, height - top - bottom];
    let [fromLeft, fromTop] = [left, top];
    if (square) {
      const unit = Math.min(across / (x[1] - x[0]), upwards / (y[1] - y[0]));
      fromLeft += (across - unit * (x[1] - x[0])) / 2;
      fromTop += (upwards - unit * (y[1] - y[0])) / 2;
      [across, upwards] = [unit * (x[1] - x[0]), unit * (y[1] - y[0])];
    }
    Object.assign(made, {
      width,
      height,
      narrow: width < NARROW,
      left: fromLeft,
      right: fromLeft + across,
      top: fromTop,
      bottom: fromTop + upwards,
      X: (/** @type {number} */ place) => fromLeft + ((place - x[0]) / (x[1] - x[0])) * across,
      Y: (/** @type {number} */ place) => fromTop + ((y[1] - place) / (y[1] - y[0])) * upwards,
      atX: (/** @type {number} */ pixels) => x[0] + ((pixels - fromLeft) / across) * (x[1] - x[0]),
      atY: (/** @type {number} */ pixels) => y[1] - ((pixels - fromTop) / upwards) * (y[1] - y[0]),
    });
    resized(made);
  });
  return made;
}

/**
 * Draw both axes with their ticks, in place of those that were there.
 * @param {Chart} chart
 * @param {{ x: number[], y: number[], xText?: (x: number) => string, yText?: (y: number) => string, title?: string }} ticks
 * @returns {SVGTextElement[]} the numbers of the horizontal axis
 */
export function axes(chart, { x, y, xText = String, yText = String, title = "" }) {
  const { back, left, right, bottom, X, Y } = chart;
  back.replaceChildren();
  for (const place of y) {
    draw(back, "path", { class: "attn-hairline", d: `M${px(left)} ${px(Y(place))}H${px(right)}` });
    draw(back, "text", { class: "attn-end", x: px(left - 6), y: px(Y(place) + 4) }, yText(place));
  }
  draw(back, "path", { class: "attn-axis-line", d: `M${px(left)} ${px(bottom)}H${px(right)}` });
  const numbers = x.map((place) => {
    draw(back, "path", { class: "attn-axis-line", d: `M${px(X(place))} ${px(bottom)}v4` });
    return draw(back, "text", { class: "attn-middle", x: px(X(place)), y: px(bottom + 17) }, xText(place));
  });
  if (title) draw(back, "text", { class: "attn-tag", x: px(left), y: 10 }, title);
  return numbers;
}

/**
 * Call `resized(width, height)` now and whenever the size of an element changes.
 * @param {HTMLElement} element @param {(width: number, height: number) => void} resized
 */
export function onSize(element, resized) {
  new ResizeObserver(([entry]) => {
    const { width, height } = entry.contentRect;
    if (width > 0) resized(width, height);
  }).observe(element);
}
