// Keys and a query as arrows of a plane, a key as thick as its weight; beside them the values, each of which pulls the
// output by a string.

import { chart } from "./chart.js";
import { formatNumber } from "./numbers.js";
import { placeLabels } from "./labels.js";
import { arrow, draw, lengthOf, px, reveal, setAttributes, tint } from "./svg.js";
import { setText } from "./text.js";

const PAD = { left: 6, right: 6, top: 6, bottom: 6 };
// Words and their outline lie where the axes of the values have their numbers: those stand at the edges.
export const KEYS = { reach: 3.3, unit: 1, ticks: [-3, -2, -1, 1, 2, 3], atEdge: false };
export const VALUES = { reach: 1.5, unit: 1, ticks: [-1, 1], atEdge: true };
// Pixels: the height of a name and the room beside it, the radius of the query's handle, how far beside a tip a name
// begins, and how far from its own tip the letter of the query stands, clear of the
// ring of a focus; the room that the letter takes with its outline.
const NAME = 14;
const MARGIN = 4;
const HANDLE = 12;
const BESIDE = 14;
const LETTER = 27;
const OUTLINED = 16;
// Pixels that a name and a number below it take.
const ROOM = 38;

/** A plane with its axes; the ends may have names. */
export function plane(stage, look, names, repaint) {
  const { reach } = look;
  return chart(stage, {
    x: [-reach, reach],
    y: [-reach, reach],
    pad: PAD,
    square: true,
    resized(made) {
      const { back, X, Y } = made;
      grid(made, look);
      // Beside the query's handle, should it stand there.
      const ends = {
        right: { x: X(reach) - 2, y: Y(0) + 24, class: "attn-tag attn-quiet attn-end" },
        left: { x: X(-reach) + 2, y: Y(0) + 24, class: "attn-tag attn-quiet" },
        up: { x: X(0) - BESIDE, y: Y(reach) + 12, class: "attn-tag attn-quiet attn-end" },
        down: { x: X(0) - BESIDE, y: Y(-reach) - 4, class: "attn-tag attn-quiet attn-end" },
      };
      for (const way in names) draw(back, "text", ends[way], names[way]);
      /** @type {NodeListOf<SVGTextElement>} */
      const texts = back.querySelectorAll("text");
      Object.assign(made, { texts: [...texts].map((text) => text.getBBox()) });
      repaint();
    },
  });
}

/** The lines of a plane at some ticks, and the numbers of its unit, in place of those that were there. */
function grid({ back, X, Y }, { reach, unit, ticks, atEdge }) {
  const [west, east, north, south] = [X(-reach), X(reach), Y(reach), Y(-reach)].map(px);
  const upright = (/** @type {number} */ x) => `M${px(X(x))} ${north}V${south}`;
  const level = (/** @type {number} */ y) => `M${west} ${px(Y(y))}H${east}`;
  back.replaceChildren();
  draw(back, "path", { class: "attn-hairline", d: ticks.map((tick) => upright(tick) + level(tick)).join("") });
  draw(back, "path", { class: "attn-axis-line", d: upright(0) + level(0) });
  if (atEdge && Y(-reach) - Y(-unit) < ROOM) return;
  const [below, beside] = atEdge ? [Y(-reach) - 3, X(-reach) + 16] : [Y(0) + 15, X(0) - 5];
  for (const one of [-1, 1]) {
    const text = formatNumber(one, 0);
    draw(back, "text", { class: "attn-middle attn-one", x: px(X(one * unit)), y: px(below) }, text);
    draw(back, "text", { class: "attn-end attn-one", x: px(beside), y: px(Y(one * unit) + 4) }, text);
  }
}

/** Nodes for as many keys as there may be. */
export function several(most, make) {
  return Array.from({ length: most }, make);
}

/** Show the nodes of the keys that there are. */
export function showFirst(count, ...lists) {
  for (const nodes of lists) nodes.forEach((node, j) => reveal(node, j < count));
}

/** An arrow for each key, as thick and as dark as its weight; its name keeps out of the query's way. */
export function keyArrows(chart, most) {
  const hue = draw(chart.svg, "g", { class: "attn-hue-key" });
  const arrows = several(most, () => draw(hue, "polygon", { class: "attn-tint attn-dot" }));
  const names = several(most, () => draw(hue, "text", { class: "attn-tag attn-middle" }));
  return (weights, keys, query, letter) => {
    const place = (/** @type {number[]} */ [x, y]) => [chart.X(x), chart.Y(y)];
    const [origin, tips, tip] = [place([0, 0]), keys.points.map(place), place(query)];
    showFirst(keys.points.length, arrows, names);
    tips.forEach((end, j) => {
      setAttributes(arrows[j], { points: arrow(origin, end, 2.5 + 15 * weights[j], 12 + 9 * weights[j]) });
      tint(arrows[j], weights[j]);
      setText(names[j], keys.words[j]);
    });
    const choices = tips.map(([x, y], j) => {
      const width = lengthOf(names[j]);
      const [aside, upwards] = [x < origin[0] ? -1 : 1, y < origin[1]];
      // Over or under the tip, outside of it, inside of it.
      return [
        [0, upwards ? -21 : 23],
        [aside * (BESIDE + width / 2), 0],
        [-aside * (BESIDE + width / 2), 0],
      ].map(([across, down]) => around([x + across, y + down], width + 2 * MARGIN, NAME));
    });
    const lines = [tip, ...tips].map((end) => [origin, end]);
    const grip = around(tip, 2 * HANDLE, 2 * HANDLE);
    placeLabels(choices, lines, [grip, letter]).forEach(({ x, y, width }, j) => {
      setAttributes(names[j], { x: px(x + width / 2), y: px(y + 11) });
    });
  };
}

/** The box around a point. @param {number[]} point @param {number} width @param {number} height */
function around([x, y], width, height) {
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** The arrow of the query and its letter, beside the tip where it covers no number; the box of the letter. */
export function queryArrow(chart) {
  const hue = draw(chart.svg, "g", { class: "attn-hue-query" });
  const shaft = draw(hue, "polygon", { class: "attn-hue-fill" });
  const name = draw(hue, "text", { class: "attn-tag attn-name" }, "q");
  return ([x, y]) => {
    const { X, Y, texts } = chart;
    setAttributes(shaft, { points: arrow([X(0), Y(0)], [X(x), Y(y)], 3, 13) });
    // Beyond the tip first, where no key is.
    const out = x < 0 ? -LETTER : LETTER;
    const sides = [[out, 0], [0, -LETTER], [0, LETTER], [-out, 0]];
    const choices = sides.map(([across, down]) => around([X(x) + across, Y(y) + down], OUTLINED, OUTLINED));
    const beyond = [-1, 1].map((side) => ({ x: side * chart.width, y: 0, width: chart.width, height: chart.height }));
    const [box] = placeLabels([choices], [], [...texts, ...beyond]);
    setAttributes(name, { x: px(box.x + OUTLINED / 2), y: px(box.y + OUTLINED / 2) });
    return box;
  };
}

/** The values in their outline, and the output that they pull. */
export function strings(chart, most, look) {
  const hue = draw(chart.svg, "g", { class: "attn-hue-value" });
  const outline = draw(hue, "path", { class: "attn-hue-line attn-hull" });
  const pulls = several(most, () => draw(hue, "path", { class: "attn-hue-line attn-string" }));
  const dots = several(most, () => draw(hue, "circle", { class: "attn-tint attn-dot", r: 7 }));
  const names = several(most, () => draw(hue, "text", { class: "attn-tag attn-middle" }));
  const output = draw(hue, "path", { class: "attn-hue-fill attn-output-mark", d: "M0 -9L9 0L0 9L-9 0Z" });
  return (weights, [ox, oy], values, unit) => {
    const X = (/** @type {number} */ x) => chart.X(x * unit);
    const Y = (/** @type {number} */ y) => chart.Y(y * unit);
    if (look.unit !== unit) {
      Object.assign(look, { unit, ticks: unit === 1 ? VALUES.ticks : KEYS.ticks.map((tick) => tick * unit) });
      grid(chart, look);
    }
    showFirst(values.points.length, pulls, dots, names);
    setAttributes(outline, { d: `M${hull(values.points).map(([x, y]) => `${px(X(x))} ${px(Y(y))}`).join("L")}Z` });
    values.points.forEach(([x, y], j) => {
      setAttributes(pulls[j], { d: `M${px(X(x))} ${px(Y(y))}L${px(X(ox))} ${px(Y(oy))}` });
      pulls[j].style.strokeWidth = `${(1 + 10 * weights[j]).toFixed(2)}px`;
      setAttributes(dots[j], { cx: px(X(x)), cy: px(Y(y)) });
      tint(dots[j], weights[j]);
      setAttributes(names[j], { x: px(X(x)), y: px(Y(y) + (y > 0 ? -12 : 21)) });
      setText(names[j], values.words[j]);
    });
    setAttributes(output, { transform: `translate(${px(X(ox))} ${px(Y(oy))})` });
  };
}

/** The corners of the outline around some points, in order. */
export function hull(points) {
  const sorted = points.toSorted(([x, y], [u, v]) => x - u || y - v);
  const side = (all) => {
    const edge = [];
    for (const [x, y] of all) {
      const turns = (/** @type {number[]} */ [ax, ay], /** @type {number[]} */ [bx, by]) => (bx - ax) * (y - ay) - (by - ay) * (x - ax) <= 0;
      while (edge.length > 1 && turns(edge.at(-2), edge.at(-1))) edge.pop();
      edge.push([x, y]);
    }
    return edge;
  };
  return [...side(sorted), ...side(sorted.toReversed())];
}
