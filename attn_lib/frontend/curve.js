// Paints a curve through points, with a line at the query. The drawing is there already
// (explorer/templates/curve.html); a curve without a value somewhere is broken there.

import { paintNumbers } from "./heatmap.js";

/**
 * @typedef {object} Curve
 * @property {(number | null)[][]} rows the numbers of the hidden table
 * @property {(number | null)[]} line the curve at equal steps from the left axis end to the right one
 * @property {number} query @property {number | null} fit
 * @property {number[]} weights one for each point
 * @property {{ left: number, right: number, bottom: number, top: number }} axes
 */

/**
 * @param {HTMLElement} root @param {Curve} part @param {import("./heatmap.js").Words} words
 */
export function paintCurve(root, part, words) {
  const { left, right, bottom, top } = part.axes;
  const across = `${(100 * (part.query - left)) / (right - left)}%`;
  const noFit = part.fit === null;

  root.querySelector(".attn-line").setAttribute("d", polyline(part.line, top));
  const line = root.querySelector(".attn-query-line");
  line.setAttribute("x1", across);
  line.setAttribute("x2", across);
  root.querySelectorAll(".attn-point").forEach((point, i) => {
    point.style.setProperty("--w", part.weights[i].toFixed(4));
  });

  const fit = root.querySelector(".attn-fit");
  fit.setAttribute("cx", across);
  fit.setAttribute("cy", `${(100 * (top - (part.fit ?? 0))) / (top - bottom)}%`);
  // An SVG element has the attribute `hidden`, not the property.
  fit.toggleAttribute("hidden", noFit);
  root.querySelector(".attn-no-fit").toggleAttribute("hidden", !noFit);

  const flag = root.querySelector(".attn-flag");
  flag.dataset.side = 2 * part.query >= left + right ? "before" : "after";
  for (const text of flag.children) text.setAttribute("x", across);
  paintNumbers(root.querySelector("table"), part, words);
}

/**
 * The curve as an SVG path: x counts the steps, y goes down from the top; null lifts the pen.
 * @param {(number | null)[]} line @param {number} top
 */
export function polyline(line, top) {
  let pen = "M";
  return line
    .map((y, step) => {
      const move = y === null ? "" : `${pen}${step} ${(top - y).toFixed(3)}`;
      pen = y === null ? "M" : "L";
      return move;
    })
    .join("");
}
