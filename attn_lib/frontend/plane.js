// Paints arrows in a plane. The template (explorer/templates/plane.html) has drawn them already, each
// along an x axis of its own, which the group around it turns.

import { paintNumbers } from "./heatmap.js";

// How far beyond its tip an arrow's name stands; where there is no arrow, on the other side.
const NAME_GAP = 0.5;

/**
 * @typedef {object} Plane
 * @property {number[][]} rows the tips (x, y)
 * @property {number[]} lengths
 * @property {number[]} angles directions in degrees, also where the length is 0
 * @property {number} circle radius of the circle around the first tip through the last
 * @property {boolean} line whether the upright line through the last tip is shown
 */

/** @param {HTMLElement} root @param {Plane} part @param {any} words */
export function paintPlane(root, part, words) {
  for (const arrow of root.querySelectorAll(".attn-arrow")) {
    const [shaft, head, name] = arrow.children;
    const length = part.lengths[arrow.dataset.row];
    const angle = part.angles[arrow.dataset.row];
    arrow.setAttribute("transform", `rotate(${-angle})`);
    shaft.setAttribute("d", `M0 0H${length}`);
    head.setAttribute("transform", `translate(${length})`);
    head.toggleAttribute("hidden", length === 0);
    name.setAttribute("transform", `translate(${length ? length + NAME_GAP : -NAME_GAP}) rotate(${angle})`);
  }
  const [circle, line] = root.querySelectorAll(".attn-level");
  circle.setAttribute("r", String(part.circle));
  line.setAttribute("transform", `translate(${part.rows.at(-1)[0]})`);
  line.toggleAttribute("hidden", !part.line);
  paintNumbers(root.querySelector("table"), part, words);
}
