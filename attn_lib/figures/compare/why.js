// Figure `compare`, why scorers disagree: a plane with the query, key 1 and the other keys, tinted by their weights, and
// as a bold line what the scorer in front measures there. It reaches as far as its vectors do, and no drag changes that.

import { chart } from "../../frontend/chart.js";
import { clear } from "../../frontend/clear.js";
import { fill } from "../../frontend/format.js";
import { arrow, draw, lengthOf, path, put, px, reveal, tint, torn } from "../../frontend/svg.js";
import { say } from "../../frontend/text.js";

// Pixels: above the plane, for what is measured; from arrows to a length beside them; the radius of an angle; the height
// of a name, and how far from its point it stands.
const TOP = 20;
const AWAY = 10;
const ARC = 20;
const NAME = 13;
const BESIDE = 10;

/** @typedef {[number, number]} Point in pixels, from the middle of the plane */

/** @param {HTMLElement} stage beside what says in words what is measured @param {any} declaration @param {() => void} repaint @returns {(view: any, f: string) => void} */
export function drawWhy(stage, { words, controls, data }, repaint) {
  const scorers = controls.find(({ key }) => key === "f").options;
  const plane = chart(stage, {
    x: [-1, 1],
    y: [-1, 1],
    pad: { left: 1, right: 1, top: TOP, bottom: 1 },
    square: true,
    resized({ back, left, right, top, bottom, X, Y }) {
      const [x, y, side] = [px(left), px(top), px(right - left)];
      back.replaceChildren();
      draw(back, "rect", { class: "attn-hairline", x, y, width: side, height: side, rx: 5 });
      const half = (right - left) / 2;
      draw(back, "path", { class: "attn-hairline", d: `M${x} ${px(Y(0))}h${side}M${px(X(0))} ${y}v${side}` });
      // What lies outside is cut off.
      put(inner, { x, y, width: side, height: side, viewBox: [-half, -half, 2 * half, 2 * half].map(px).join(" ") });
      put(title, { x });
      repaint();
    },
  });
  const shows = stage.nextElementSibling;
  const title = draw(plane.svg, "text", { class: "attn-tag", y: 12 });
  const inner = draw(draw(plane.svg, "g"), "svg");
  const square = draw(inner, "rect", { class: "attn-squared" });
  const keys = draw(inner, "g", { class: "attn-hue-key" });
  const dots = [0, 1, 2, 3].map(() => draw(keys, "circle", { class: "attn-tint attn-dot", r: 4 }));
  const arrowOfKey = shaft(keys, "attn-tint attn-dot", 7, 16);
  const ofQuery = draw(inner, "g", { class: "attn-hue-query" });
  const arrowOfQuery = shaft(ofQuery, "attn-hue-fill", 3, 11);
  const line = draw(inner, "path", { class: "attn-axis-line attn-aside" });
  const bold = draw(inner, "path", { class: "attn-measured" });
  keys.append(dots[0]);
  const names = dots.map(() => draw(keys, "text", { class: "attn-tag attn-middle" }));
  names.push(draw(ofQuery, "text", { class: "attn-tag attn-middle" }, "q"));

  return (view, f) => {
    if (!plane.width) return;
    const { query, key, points, reach } = view.parts.plane;
    const half = (plane.right - plane.left) / 2;
    const unit = half / reach;
    const place = (/** @type {number[]} */ [x, y]) => /** @type {Point} */ ([x * unit, -y * unit]);
    const [origin, q, k, ends] = [/** @type {Point} */ ([0, 0]), place(query), place(key), points.map(place)];
    const joined = f === "additive" || f === "sum";
    const sum = /** @type {Point} */ (joined ? [q[0] + k[0], q[1] + k[1]] : k);
    const from = joined ? q : origin;

    say(title, fill(words.sentences[`by_${f}`], view.slots));
    say(shows, words.sentences[`shows_${f}`]);
    view.parts.weights.rows[scorers.indexOf(f)].forEach((weight, i) => {
      tint(dots[i], weight);
      if (i === 0) arrowOfKey.tint(weight);
      put(dots[i], { cx: px(ends[i][0]), cy: px(ends[i][1]) });
    });
    // An arrow has a head of its own.
    reveal(dots[0], joined);
    const shown = [arrowOfQuery.put(origin, q, half), arrowOfKey.put(from, sum, half)];
    put(square, { x: px(-unit), y: px(-unit), width: px(2 * unit), height: px(2 * unit) });
    reveal(square, f === "additive");

    const { measured, aside } = measure(f, q, k, sum, ends[0], 2 * half);
    put(bold, { d: measured.map(path).join("") });
    put(line, { d: aside.map(path).join("") });

    // Where a name may stand: above and below its point, beside it. That of key 1 stays where its arrow is seen to end.
    const isSeen = ends.map((end) => Math.max(...end.map(Math.abs)) < half);
    const spots = joined && isSeen[0] ? ends : [shown[1][1], ...ends.slice(1)];
    // Points so near to one another, of long vectors of the reader's own, have no room for names.
    isSeen.forEach((seen, i) => i > 0 && reveal(names[i], seen && unit > NAME));
    const said = [view.slots.k1, ...data.words.slice(1), "q"];
    const choices = [...spots, shown[0][1]].map(([x, y], i) => {
      say(names[i], said[i]);
      const width = lengthOf(names[i]);
      const out = (width / 2 + BESIDE) * (x < 0 ? -1 : 1);
      const up = (NAME / 2 + 7) * (y > 0 ? 1 : -1);
      const most = [half - width / 2 - 3, half - NAME / 2 - 2];
      return [[0, up], [out, 0], [-out, 0], [0, -up]].map((off) => {
        const [u, v] = [x, y].map((at, axis) => Math.max(-most[axis], Math.min(most[axis], at + off[axis])));
        return around([u, v], width + 4, NAME);
      });
    });
    const pieces = [...shown, ...measured.flatMap((points) => points.slice(1).map((to, i) => [points[i], to]))];
    clear(choices, pieces, ends.map((end) => around(end, 10, 10))).forEach(({ x, y, width }, i) => {
      put(names[i], { x: px(x + width / 2), y: px(y + NAME - 3) });
    });
  };
}

/** What a scorer measures, and what shows how, as lines through points. */
function measure(f, q, k, sum, end, far) {
  // Both numbers of a point are added: first across, then upwards.
  if (f === "sum" || f === "additive") return { measured: [[[0, 0], [end[0], 0], end]], aside: [[sum, end]] };
  // Beside the line of both tips, away from the arrows.
  if (f === "gauss") return { measured: length(q, k, q[0] * k[1] - q[1] * k[0] < 0 ? AWAY : -AWAY), aside: [] };
  const [[c, s], long] = unit(q);
  if (long === 0) return { measured: [], aside: [] };
  if (f === "cosine") return { measured: Math.hypot(...k) ? [arc(q, k)] : [], aside: [] };
  const along = k[0] * c + k[1] * s;
  const foot = /** @type {Point} */ ([along * c, along * s]);
  const left = f === "scaled" ? foot.map((x) => x / Math.SQRT2) : foot;
  // A shadow lies beside the query's line, where key 1 is.
  const off = (k[1] * c - k[0] * s < 0) === (along > 0) ? -AWAY : AWAY;
  return { measured: length([0, 0], left, off), aside: [[[-far * c, -far * s], [far * c, far * s]], [foot, k]] };
}

/** A length between two points, drawn beside them with a stroke at each end. */
function length(from, to, off) {
  const [[c, s], long] = unit([to[0] - from[0], to[1] - from[1]]);
  if (long < 1) return [];
  const beside = ([x, y], away) => [x - away * s, y + away * c];
  const strokes = [from, to].map((end) => [beside(end, off / 2), beside(end, 1.5 * off)]);
  return [...strokes, [beside(from, off), beside(to, off)]];
}

/** An angle at the origin, from one direction to the other on the shorter way. */
function arc(q, k) {
  const start = Math.atan2(q[1], q[0]);
  const turn = Math.atan2(q[0] * k[1] - q[1] * k[0], q[0] * k[0] + q[1] * k[1]);
  const steps = Array.from({ length: 25 }, (_, i) => start + (turn * i) / 24);
  return steps.map((angle) => [ARC * Math.cos(angle), ARC * Math.sin(angle)]);
}

/** An arrow that ends at the edge of the plane, torn, if its tip lies beyond. */
function shaft(group, look, thick, head) {
  const body = draw(group, "polygon", { class: look });
  const tear = draw(group, "path", { class: "attn-torn" });
  return {
    tint: (/** @type {number} */ weight) => tint(body, weight),
    /** @param {Point} from @param {Point} to @param {number} half @returns {[Point, Point]} what is seen of it */
    put(from, to, half) {
      const [way, long] = unit([to[0] - from[0], to[1] - from[1]]);
      const room = way.map((x, i) => (half - 2 - Math.sign(x) * from[i]) / Math.abs(x));
      const seen = Math.max(0, Math.min(long, ...room));
      const at = (/** @type {number} */ x) => /** @type {Point} */ ([from[0] + x * way[0], from[1] + x * way[1]]);
      put(body, { points: arrow(from, at(seen), thick, head) });
      put(tear, { d: torn(at(seen - head - 6), way, thick / 2) });
      reveal(tear, 0 < seen && seen < long);
      return [from, at(seen)];
    },
  };
}

/** The direction of a vector and its length. @returns {[Point, number]} */
function unit([x, y]) {
  const long = Math.hypot(x, y);
  return [long ? [x / long, y / long] : [0, 0], long];
}

/** The box around a point. */
function around([x, y], width, height) {
  return { x: x - width / 2, y: y - height / 2, width, height };
}
