// Chapter 1's plane: the query among the words, whose values are their own vectors, and a bin in the middle that pulls the
// output to 0. Where the output would be without the bin stands a ghost.

import { chart } from "../../front/chart.js";
import { label } from "../../front/picture.js";
import { arrow, draw, px, reveal, setAttributes, tint } from "../../front/svg.js";

const REACH = 3.2;
const MARK = "M0 -9L9 0L0 9L-9 0Z";
const BIN = "M-11 -10H11M-9 -10L-7 10H7L9 -10";
const BEYOND = 26; // pixels from the query's tip to its letter

/** @param {HTMLElement} stage @param {{ words: string[], keys: number[][], directions: any }} data @param {() => void} repaint */
export function planeOf(stage, { words, keys, directions }, repaint) {
  const made = chart(stage, {
    x: [-REACH, REACH],
    y: [-REACH, REACH],
    pad: { left: BEYOND, right: BEYOND, top: BEYOND, bottom: BEYOND },
    square: true,
    resized(now) {
      drawBack(now, directions);
      repaint();
    },
  });
  const { svg } = made;
  const [value, query] = ["value", "query"].map((hue) => draw(svg, "g", { class: `attn-hue-${hue}` }));
  const pull = draw(value, "path", { class: "attn-sink-pull" });
  const strings = words.map(() => draw(value, "path", { class: "attn-hue-line attn-string" }));
  const ray = draw(value, "path", { class: "attn-hue-line attn-hull" });
  const ghost = draw(value, "path", { class: "attn-hue-line attn-hull", d: MARK });
  const can = draw(value, "path", { class: "attn-sink-can", d: BIN });
  const dots = words.map(() => draw(value, "circle", { class: "attn-tint attn-dot", r: 7 }));
  const names = words.map((word) => label(value, "num", word, "attn-middle"));
  const mark = draw(value, "path", { class: "attn-hue-fill attn-output-mark", d: MARK });
  const shaft = draw(query, "polygon", { class: "attn-hue-fill" });
  const letter = label(query, "word", "q", "attn-middle");
  return {
    chart: made,
    /** @param {Record<string, any>} parts @param {boolean} isOn */
    paint({ weights, output }, isOn) {
      if (!made.width) return;
      const place = (/** @type {number[]} */ [x, y]) => [made.X(x), made.Y(y)];
      const [middle, tip, without, out] = [[0, 0], output.query, output.plain, output.rows[0]].map(place);
      const row = weights.rows[0];
      const line = (/** @type {number[]} */ from, /** @type {number[]} */ to) => `M${from.map(px).join(" ")}L${to.map(px).join(" ")}`;
      [...strings, pull].forEach((string, j) => {
        setAttributes(string, { d: line(j < keys.length ? place(keys[j]) : middle, out) });
        string.style.strokeWidth = `${(1 + 10 * row[j]).toFixed(2)}px`;
      });
      keys.forEach((key, j) => {
        const [x, y] = place(key);
        setAttributes(dots[j], { cx: px(x), cy: px(y) });
        tint(dots[j], row[j]);
        setAttributes(names[j], { x: px(x), y: px(y + (key[1] > 0 ? -12 : 24)) });
      });
      for (const node of [pull, can, ray, ghost]) reveal(node, isOn);
      setAttributes(ray, { d: line(middle, without) });
      for (const [node, [x, y]] of /** @type {const} */ ([[can, middle], [ghost, without], [mark, out]])) {
        setAttributes(node, { transform: `translate(${px(x)} ${px(y)})` });
      }
      setAttributes(shaft, { points: arrow(middle, tip, 3, 0) });
      const [x, y] = output.query;
      const long = Math.hypot(x, y);
      const [c, s] = long ? [x / long, y / long] : [1, 0];
      setAttributes(letter, { x: px(tip[0] + BEYOND * c), y: px(tip[1] - BEYOND * s + 5) });
    },
  };
}

/** Both axes, and what lies at their ends. */
function drawBack({ back, X, Y }, { left, right, up, down }) {
  back.replaceChildren();
  const [west, east, north, south] = [X(-REACH), X(REACH), Y(REACH), Y(-REACH)];
  draw(back, "path", { class: "attn-hairline", d: `M${px(west)} ${px(Y(0))}H${px(east)}M${px(X(0))} ${px(north)}V${px(south)}` });
  for (const [text, x, y, look] of /** @type {const} */ ([
    [left, west, Y(0) - 7, ""],
    [right, east, Y(0) + 17, "attn-end"],
    [up, X(0) + 8, north + 6, ""],
    [down, X(0) + 8, south, ""],
  ])) {
    setAttributes(label(back, "soft", text, look), { x: px(x), y: px(y) });
  }
}
