// The nodes of a drawing. They are made once; a move only sets attributes, text and custom properties.

import SHADES from "./shades.json" with { type: "json" };

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {number[]} Point its place across and downwards, in pixels */

/**
 * Make an SVG element.
 * @param {Element | null} parent
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {string} [text]
 * @returns {any}
 */
export function draw(parent, name, attributes = {}, text) {
  const node = document.createElementNS(SVG, name);
  setAttributes(node, attributes);
  if (text !== undefined) node.append(text);
  parent?.append(node);
  return node;
}

/** Set the attributes that change: a browser computes styles anew for each that is set, even to the value that it has. */
export function setAttributes(node, attributes) {
  for (const name in attributes) {
    const value = String(attributes[name]);
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
}

/** Show or hide a node that keeps its place. */
export function reveal(node, shown) {
  setAttributes(node, { visibility: shown ? "visible" : "hidden" });
}

/** Tint a drawn mark by an attention weight, in hundredths: a smaller difference is invisible, and costs a new style. */
export function tint(node, weight) {
  const look = node.getAttribute("class").replace(/ attn-w\d+/, "");
  setAttributes(node, { class: `${look} ${hundredth(weight)}` });
}

/**
 * The class that sets `--w` to the nearest hundredth of a share (bundle.py writes the rules). A browser computes the style of
 * a class once for all nodes that have it, but an inline style for each node.
 * @param {number} share from 0 to 1
 */
export function hundredth(share) {
  return `attn-w${Math.round(SHADES.steps * share)}`;
}

/** @type {WeakMap<SVGTextElement, Record<string, number>>} */
const lengths = new WeakMap();

/**
 * The length of a drawn text in pixels. Measuring forces a layout, so it is done once for all texts that differ only in
 * their digits, which are equally wide.
 * @param {SVGTextElement} text
 */
export function lengthOf(text) {
  const shape = text.textContent.replace(/[0-9]/g, "0");
  if (!shape) return 0;
  const known = lengths.get(text) ?? {};
  lengths.set(text, known);
  // What is not shown has no length yet.
  return (known[shape] ||= text.getComputedTextLength());
}

/** A number of pixels, to a tenth. */
export function px(x) {
  return x.toFixed(1);
}

/**
 * The path through points; null lifts the pen.
 * @param {(Point | null)[]} points
 */
export function path(points) {
  let [d, pen] = ["", "M"];
  for (const point of points) {
    if (point) d += `${pen}${px(point[0])} ${px(point[1])}`;
    pen = point ? "L" : "M";
  }
  return d;
}

/**
 * The path of a curve, from left to right; null lifts the pen. A level stretch is written by its ends alone.
 * @param {string[]} across pixels of its places, as `px` writes them, for these stay @param {(number | null)[]} heights in pixels
 */
export function curve(across, heights) {
  let [d, pen, level] = ["", "M", NaN];
  let held = -1; // the last place of a level stretch
  heights.forEach((height, i) => {
    const tenths = height === null ? NaN : Math.round(10 * height);
    if (tenths === level) {
      held = i;
      return;
    }
    if (held >= 0) d += `H${across[held]}`;
    held = -1;
    level = tenths;
    if (height === null) pen = "M";
    else {
      d += `${pen}${across[i]} ${tenths / 10}`;
      pen = "L";
    }
  });
  return held < 0 ? d : `${d}H${across[held]}`;
}

/**
 * The corners of a polyline or polygon. Unlike the data of a path, they are not a CSS property, so changing them does not
 * have styles computed again.
 * @param {Point[]} points
 */
export function corners(points) {
  return points.map(([x, y]) => `${Math.round(10 * x) / 10},${Math.round(10 * y) / 10}`).join(" ");
}

const ROUND = 16; // so many corners look like a circle
const CIRCLE = Array.from({ length: ROUND + 1 }, (_, i) => {
  const angle = (2 * Math.PI * i) / ROUND;
  return [Math.cos(angle), Math.sin(angle)];
});

/**
 * The corners of a disc, or of what lies between two of them, clockwise from the right: a dot that moves.
 * @param {number} x @param {number} y of its middle, in pixels @param {number} radius @param {number[]} [part] from where to where, in turns
 */
export function disc(x, y, radius, [from, to] = [0, 1]) {
  return corners(CIRCLE.slice(from * ROUND, to * ROUND + 1).map(([c, s]) => [x + radius * c, y + radius * s]));
}

/** Nodes, or whatever is made, so many. @param {number} count @param {() => any} make @returns {any[]} */
export function several(count, make) {
  return Array.from({ length: count }, make);
}

/**
 * Lines that are told apart by their strokes.
 * @param {Element} parent @param {number} count @param {string} look
 * @returns {{ lines: { one: SVGGElement, line: SVGPathElement }[], light: (lit: number) => void }} each in a group of its
 *   own, and what puts one of them into the light, on top of the others
 */
export function strokes(parent, count, look) {
  const group = draw(parent, "g", { class: `attn-lines ${look}` });
  const lines = Array.from({ length: count }, (_, i) => {
    const one = draw(group, "g");
    return { one, line: draw(one, "path", { class: `attn-stroke${i ? ` attn-dash-${i + 1}` : ""}` }) };
  });
  const light = (/** @type {number} */ lit) => {
    lines.forEach(({ one }, i) => setAttributes(one, { class: i === lit ? "attn-lit" : "" }));
    if (group.lastElementChild !== lines[lit].one) group.append(lines[lit].one);
  };
  return { lines, light };
}

/**
 * The corners of an arrow, for a polygon: a shaft of some thickness and a head.
 * @param {Point} from @param {Point} to @param {number} thick @param {number} head
 */
export function arrow(from, to, thick, head) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (length < 1) return "";
  const [c, s] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const neck = Math.max(0, length - head);
  const half = thick / 2;
  const wing = Math.max(head / 2, half + 3);
  const outline = [[0, half], [neck, half], [neck, wing], [length, 0], [neck, -wing], [neck, -half], [0, -half]];
  return corners(outline.map(([x, y]) => [from[0] + x * c - y * s, from[1] + x * s + y * c]));
}
