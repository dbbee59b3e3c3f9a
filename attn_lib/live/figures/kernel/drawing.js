// Figure `kernel`, to see and to grab: the query is a place on the line, with the kernel's bump upon it.
// A stem at each key reaches up to the bump; its share of all stems is the key's weight.

import { axes, chart } from "../../front/chart.js";
import { fill } from "../../front/numbers.js";
import { alongAxis } from "../../front/grab.js";
import { corners, curve, draw, lengthOf, path, setAttributes, px, reveal, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";

// How high the bump is drawn at the query, in pixels.
const TALL = 88;
const FLAG_GAP = 8;
// How large the ends of the curve are that do not belong to it.
const OPEN = 3;
// Stems too short to be seen stand magnified in the gap between the keys, above the kernel or, where the query stands in
// their way, below the curve: the middle of the two tallest, the value at their feet, and pixels: how tall the taller one
// is, how far the two stand apart, and how wide their frame is.
const ABOVE = { x: 6.45, y: 3.5 };
const BELOW = { x: 4, y: 0.9 };
const IN_THE_WAY = [5.25, 7.75];
const MAGNIFIED = 38;
const APART = 20;
const FRAMED = 48;

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, repaint }) {
  const { points, axes: ends } = declaration.data;
  const { sentences } = declaration.words;
  let drawn = null; // the curve that is drawn
  /** @type {string[]} */
  let places = []; // the pixels of its places
  // The gap between keys has its numbers, too.
  const whole = Array.from({ length: ends.right - ends.left - 1 }, (_, i) => ends.left + 1 + i);
  const plot = chart(figure.querySelector(".attn-body .attn-stage"), {
    x: [ends.left, ends.right],
    y: [ends.bottom, ends.top],
    pad: { left: 32, right: 28, top: 22, bottom: 22 },
    resized(c) {
      axes(c, { x: whole, y: [0, 2, 4, 6] });
      nameAxes(c, sentences);
      drawn = null;
      repaint();
    },
  });
  const query = draw(plot.svg, "g", { class: "attn-hue-query" });
  const bump = draw(query, "path", { class: "attn-bump" });
  const rise = draw(query, "path", { class: "attn-hue-line attn-climb" });
  const line = draw(query, "polyline", { class: "attn-marker" });
  const stems = draw(plot.svg, "g", { class: "attn-hue-key" });
  const heights = points.map(() => draw(stems, "polyline", { class: "attn-hue-line attn-stem" }));
  const jumped = draw(plot.svg, "path", { class: "attn-jump" });
  const fitted = draw(plot.svg, "path", { class: "attn-stroke" });
  const open = draw(plot.svg, "path", { class: "attn-stroke attn-open-end" });
  const dots = points.map(() => draw(plot.svg, "circle", { class: "attn-tint attn-dot", r: 7 }));
  const magnified = draw(plot.svg, "g", { class: "attn-hue-key" });
  const frame = { x: -FRAMED / 2, y: -MAGNIFIED - 20, width: FRAMED, height: MAGNIFIED + 38 };
  draw(magnified, "rect", { class: "attn-framed", ...frame, rx: 4 });
  const times = draw(magnified, "text", { class: "attn-tag attn-middle", y: -MAGNIFIED - 7 });
  draw(magnified, "path", { class: "attn-axis-line", d: `M${-APART} 0H${APART}` });
  const tallest = [-APART / 2, APART / 2].map((x) => ({
    stem: draw(magnified, "path", { class: "attn-hue-line attn-stem" }),
    key: draw(magnified, "text", { class: "attn-tag attn-middle", x, y: 14 }),
    x,
  }));
  const marks = draw(plot.svg, "g", { class: "attn-hue-query" });
  const ring = draw(marks, "circle", { class: "attn-marker attn-ring", r: 7 });
  const flag = draw(marks, "text", { class: "attn-tag", y: 13 }, "");

  return {
    paint(view) {
      if (!plot.width) return;
      const { X, Y, left, right, top, bottom } = plot;
      const { query: at, fit } = view.parts.curve;
      paintCurve(view.parts.curve);
      paintBump(view.parts.bump, at);
      points.forEach(([x, y], j) => {
        setAttributes(heights[j], { points: corners([[X(x), bottom], [X(x), bottom - TALL * view.parts.bump.heights[j]]]) });
        setAttributes(dots[j], { cx: px(X(x)), cy: px(Y(y)) });
        tint(dots[j], view.parts.weights.rows[0][j] ?? 0);
      });
      paintMagnified(view, at);
      // No further than the bump: at a key its stem is seen.
      setAttributes(line, { points: corners([[X(at), top], [X(at), bottom - TALL]]) });
      setAttributes(ring, { cx: px(X(at)), cy: px(Y(fit ?? 0)) });
      reveal(ring, fit !== null);
      // The flag stands on the side that has room, and never beyond the drawing.
      setText(flag, fill(sentences[fit === null ? "gap_label" : "fit_label"], view.slots));
      const length = lengthOf(flag);
      const turned = X(at) > (left + right) / 2;
      const start = turned ? X(at) - FLAG_GAP - length : X(at) + FLAG_GAP;
      setAttributes(flag, { x: px(Math.max(2, Math.min(start, plot.width - length - 2))) });
    },
    grabs: [alongAxis(plot, "x")],
  };

  function paintCurve({ line: fits, jumps }) {
    // The query moves without it.
    if (fits === drawn) return;
    const { X, Y } = plot;
    const at = (i) => X(ends.left + ((ends.right - ends.left) * i) / (fits.length - 1));
    if (!drawn) places = fits.map((_, i) => px(at(i)));
    drawn = fits;
    const point = (i, y) => (typeof y === "number" ? [at(i), Y(y)] : null);
    // A jump is no slope: the line goes on at the place where it has ended, with the other value.
    const [across, outline] = [[], []];
    const add = (i, y) => {
      across.push(places[i]);
      outline.push(typeof y === "number" ? Y(y) : null);
    };
    fits.forEach((y, i) => {
      if (!jumps.includes(i)) return add(i, y);
      add(i, fits[i - 1]);
      add(i, null);
      add(i, fits[i + 1]);
    });
    setAttributes(fitted, { d: curve(across, outline) });
    const sides = jumps.map((i) => [point(i, fits[i - 1]), point(i, fits[i + 1])]);
    setAttributes(jumped, { d: path(sides.flatMap(([from, to]) => (from && to ? [from, to, null] : []))) });
    setAttributes(open, { d: sides.flat().flatMap((end) => (end ? [ringed(end)] : [])).join("") });
  }

  function paintBump({ reach, line: heights }, at) {
    const { X, left, right, bottom } = plot;
    const last = heights.length - 1;
    const place = (i) => X(at + reach * ((2 * i) / last - 1));
    // What goes on beyond the drawing ends at its edge.
    const isSeen = (i) => place(i + 1) >= left && place(i - 1) <= right;
    const outline = [];
    heights.forEach((height, i) => {
      if (!isSeen(i)) return;
      const x = Math.min(right, Math.max(left, place(i)));
      const add = (tall) => outline.push([x, bottom - TALL * tall]);
      // The side of a boxcar is upright, and a step lies on it.
      const addSide = (beside) => height === 0 && heights[beside] > 0.5 && add(heights[beside]);
      addSide(i - 1);
      add(height);
      addSide(i + 1);
    });
    const [first, end] = [outline[0], outline.at(-1)];
    setAttributes(bump, { d: `${path([[first[0], bottom], ...outline, [end[0], bottom]])}Z` });
    // No line on the axis, and none down from the edge: there the kernel does not end.
    setAttributes(rise, { d: path(outline) });
  }

  function paintMagnified({ parts, slots }, at) {
    const { heights, seen } = parts.bump;
    reveal(magnified, !seen);
    if (seen) return;
    const inTheWay = at > IN_THE_WAY[0] && at < IN_THE_WAY[1];
    const { x, y } = inTheWay ? BELOW : ABOVE;
    setAttributes(magnified, { transform: `translate(${px(plot.X(x))} ${px(plot.Y(y))})` });
    setText(times, `×${slots.times}`);
    const largest = Math.max(...heights);
    const two = heights.map((_, j) => j).sort((i, j) => heights[j] - heights[i]).slice(0, 2).sort((i, j) => i - j);
    tallest.forEach(({ stem, key, x: across }, i) => {
      setAttributes(stem, { d: `M${across} 0v${px((-MAGNIFIED * heights[two[i]]) / largest)}` });
      setText(key, String(points[two[i]][0]));
    });
  }
}

/** A small ring around a point. */
function ringed([x, y]) {
  return `M${px(x - OPEN)} ${px(y)}a${OPEN} ${OPEN} 0 1 0 ${2 * OPEN} 0a${OPEN} ${OPEN} 0 1 0 ${-2 * OPEN} 0Z`;
}

/** The key below; the value on the left; on the right, in the colour of the query, the kernel, which is 1 at its top. */
function nameAxes({ back, Y, right, bottom, width }, { key_axis, value_axis, kernel_axis }) {
  const upright = (x, y) => `translate(${px(x)} ${px(y)}) rotate(-90)`;
  draw(back, "text", { x: 0, y: px(bottom + 17) }, key_axis);
  draw(back, "text", { class: "attn-middle", transform: upright(12, Y(3)) }, value_axis);
  const own = draw(back, "g", { class: "attn-hue-query" });
  const top = bottom - TALL;
  draw(own, "path", { class: "attn-hue-line", d: `M${px(right)} ${px(top)}h4M${px(right + 4)} ${px(bottom)}h-4V${px(top)}` });
  for (const [height, y] of [[0, bottom], [1, top]]) draw(own, "text", { class: "attn-tag", x: px(right + 7), y: px(y + 4) }, String(height));
  draw(own, "text", { class: "attn-tag attn-middle", transform: upright(width - 6, bottom - TALL / 2) }, kernel_axis);
}
