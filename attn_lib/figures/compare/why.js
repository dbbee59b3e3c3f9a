// Figure `compare`, why scorers disagree: a plane with the query, key 1 and the other keys, tinted by their weights, and
// as a bold line what the scorer in front measures there. It reaches as far as its vectors do, and no drag changes that.

import { chart } from "../../frontend/chart.js";
import { placeLabels } from "../../frontend/labels.js";
import { arrow, disc, draw, lengthOf, path, setAttributes, px, reveal, tint, torn } from "../../frontend/svg.js";
import { setText } from "../../frontend/text.js";

// Pixels: above the plane, for what is measured and the sum that makes it the score; the lines of both; from arrows to a length beside them; the radius of an angle; the height
// of a name, and how far from its point it stands; from the edge to where a length is torn.
const TOP = 38;
const [WORDS, SUM] = [12, 29];
const AWAY = 10;
const ARC = 20;
const NAME = 13;
const BESIDE = 10;
const TEAR = 22;
const CLEAR = 2; // from an arrow to a name: both together less than a name is high
const ON = 7; // so near, one dot hides another
const NOWHERE = around([-1e4, -1e4], 0, 0); // where what is not said takes no room
const PLACES = [0.85, 0.7, 0.55]; // along an arrow that goes on, where its name may stand

/** @typedef {number[]} Point in pixels, from the middle of the plane */

/** @param {HTMLElement} stage beside what says in words what is measured @param {any} declaration @param {() => void} repaint @returns {(view: any, f: string) => void} */
export function drawWhy(stage, { words, controls, data }, repaint) {
  const scorers = controls.find(({ key }) => key === "f").options;
  const plane = chart(stage, {
    x: [-1, 1],
    y: [-1, 1],
    pad: { left: 1, right: 1, top: TOP, bottom: 1 },
    square: true,
    resized({ back, left, right, top, X, Y }) {
      const [x, y, side] = [px(left), px(top), px(right - left)];
      back.replaceChildren();
      draw(back, "rect", { class: "attn-hairline", x, y, width: side, height: side, rx: 5 });
      const half = (right - left) / 2;
      draw(back, "path", { class: "attn-hairline", d: `M${x} ${px(Y(0))}h${side}M${px(X(0))} ${y}v${side}` });
      // What lies outside is cut off.
      setAttributes(inner, { x, y, width: side, height: side, viewBox: [-half, -half, 2 * half, 2 * half].map(px).join(" ") });
      for (const node of [title, sum]) setAttributes(node, { x });
      repaint();
    },
  });
  const shows = stage.nextElementSibling;
  const title = draw(plane.svg, "text", { class: "attn-tag", y: WORDS });
  const sum = draw(plane.svg, "text", { class: "attn-sum", y: SUM });
  const inner = draw(draw(plane.svg, "g"), "svg");
  const square = draw(inner, "rect", { class: "attn-squared" });
  const line = draw(inner, "path", { class: "attn-axis-line attn-aside" });
  const keys = draw(inner, "g", { class: "attn-hue-key" });
  const arrowOfKey = shaft(keys, "attn-tint attn-dot", 7, 16);
  const hueOfQuery = draw(inner, "g", { class: "attn-hue-query" });
  const arrowOfQuery = shaft(hueOfQuery, "attn-hue-fill", 3, 11);
  const bold = draw(inner, "path", { class: "attn-measured" });
  const cut = draw(inner, "path", { class: "attn-torn" });
  // No arrow covers a dot or a name.
  const front = draw(inner, "g", { class: "attn-hue-key" });
  const dots = [0, 1, 2, 3].map(() => draw(front, "polygon", { class: "attn-tint attn-dot" }));
  const names = dots.map(() => draw(front, "text", { class: "attn-tag attn-middle" }));
  names.push(draw(draw(inner, "g", { class: "attn-hue-query" }), "text", { class: "attn-tag attn-middle" }, "q"));

  return (view, f) => {
    if (!plane.width) return;
    const { query, key, points, reach } = view.parts.plane;
    const half = (plane.right - plane.left) / 2;
    const unit = half / reach;
    const place = (/** @type {number[]} */ [x, y]) => /** @type {Point} */ ([x * unit, -y * unit]);
    const [origin, q, k, ends] = [/** @type {Point} */ ([0, 0]), place(query), place(key), points.map(place)];
    const joined = f === "additive" || f === "sum";
    const both = /** @type {Point} */ (joined ? [q[0] + k[0], q[1] + k[1]] : k);
    const from = joined ? q : origin;

    setText(title, words.sentences[`by_${f}`]);
    // Numbers as they are rounded add up with the plain sum only.
    setText(sum, `${view.slots.measure} ${f === "sum" ? "=" : "≈"} ${view.slots.score}`);
    setText(shows, words.sentences[`shows_${f}`]);
    view.parts.weights.rows[scorers.indexOf(f)].forEach((weight, i) => {
      tint(dots[i], weight);
      if (i === 0) arrowOfKey.tint(weight);
      setAttributes(dots[i], { points: disc(ends[i][0], ends[i][1], 4) });
    });
    // An arrow has a head of its own.
    reveal(dots[0], joined);
    const ofQuery = arrowOfQuery.put(origin, q, half);
    const ofKey = arrowOfKey.put(from, both, half);
    setAttributes(square, { x: px(-unit), y: px(-unit), width: px(2 * unit), height: px(2 * unit) });
    reveal(square, f === "additive");

    const { measured, aside, tears = "" } = measure(f, q, k, both, ends[0], half);
    setAttributes(bold, { d: measured.map(path).join("") });
    setAttributes(cut, { d: tears });
    setAttributes(line, { d: aside.map(path).join("") });

    // Where a name may stand: around its point, or beside its arrow where that goes on.
    const isSeen = ends.map((end) => Math.max(...end.map(Math.abs)) < half);
    const beside = { 0: ofKey.goesOn && !(joined && isSeen[0]) && ofKey, 4: ofQuery.goesOn && ofQuery };
    // Points on one another have one name, that of all. So near to one another as points are beside long vectors of the
    // reader's own, they have no room for names.
    const firsts = ends.map((end) => ends.findIndex((other) => Math.hypot(end[0] - other[0], end[1] - other[1]) < ON));
    const said = [view.slots.k1, ...data.words.slice(1)].map((_, i, all) => all.filter((_, j) => firsts[j] === i).join(", "));
    const isNamed = ends.map((_, i) => i === 0 || (isSeen[i] && firsts[i] === i && unit > NAME));
    isNamed.forEach((named, i) => reveal(names[i], named));
    said.push("q");
    isNamed.push(true);
    const choices = [...ends, ofQuery.to].map((point, i) => {
      if (!isNamed[i]) return [NOWHERE];
      setText(names[i], said[i]);
      const width = lengthOf(names[i]);
      const most = [half - width / 2 - 3, half - NAME / 2 - 2];
      const spots = beside[i] ? spotsBeside(beside[i], width) : spotsAround(point, width);
      const inside = (/** @type {Point} */ spot) => spot.map((at, axis) => Math.max(-most[axis], Math.min(most[axis], at)));
      return spots.map((spot) => around(inside(spot), width + 4, NAME));
    });
    const strokes = [...measured, ...aside].flatMap((points) => points.slice(1).map((to, i) => [points[i], to]));
    placeLabels(choices, [...ofQuery.edges, ...ofKey.edges, ...strokes], ends.map((end) => around(end, 10, 10))).forEach(({ x, y, width }, i) => {
      if (isNamed[i]) setAttributes(names[i], { x: px(x + width / 2), y: px(y + NAME - 3) });
    });
  };
}

/** Above and below a point, beside it, between, and far above: outwards first. @param {Point} point @param {number} width */
function spotsAround([x, y], width) {
  const out = (width / 2 + BESIDE) * (x < 0 ? -1 : 1);
  const up = (NAME / 2 + 7) * (y > 0 ? 1 : -1);
  const sides = [[0, up], [out, 0], [-out, 0], [0, -up], [out, up], [out, -up], [-out, up], [-out, -up], [0, 2 * up]];
  return sides.map(([u, v]) => [x + u, y + v]);
}

/** On both sides of an arrow, and beyond a length beside it. */
function spotsBeside({ from, to }, width) {
  const [[c, s]] = unit([to[0] - from[0], to[1] - from[1]]);
  const away = (Math.abs(s) * width + Math.abs(c) * NAME) / 2 + BESIDE;
  return PLACES.flatMap((share) =>
    [away, -away, away + 2 * AWAY, -away - 2 * AWAY].map((off) => [from[0] + share * (to[0] - from[0]) - off * s, from[1] + share * (to[1] - from[1]) + off * c]),
  );
}

/** What a scorer measures, and what shows how, as lines through points. */
function measure(f, q, k, sum, end, half) {
  // Both numbers of a point are added: first across, then upwards.
  if (f === "sum" || f === "additive") {
    const strokes = [stroke([0, 0], [end[0], 0], half), stroke([end[0], 0], end, half)];
    return { measured: strokes.map(({ ends }) => ends), tears: strokes.map(({ tears }) => tears).join(""), aside: [[sum, end]] };
  }
  // Beside the line of both tips, away from the arrows.
  if (f === "gauss") return { ...length(q, k, q[0] * k[1] - q[1] * k[0] < 0 ? AWAY : -AWAY, half), aside: [] };
  const [[c, s], long] = unit(q);
  if (long === 0) return { measured: [], aside: [] };
  if (f === "cosine") return { measured: Math.hypot(...k) ? [arc(q, k)] : [], aside: [] };
  const along = k[0] * c + k[1] * s;
  const foot = [along * c, along * s];
  const left = f === "scaled" ? foot.map((x) => x / Math.SQRT2) : foot;
  // A shadow lies beside the query's line, where key 1 is.
  const off = (k[1] * c - k[0] * s < 0) === (along > 0) ? -AWAY : AWAY;
  const far = 2 * half;
  return { ...length([0, 0], left, off, half), aside: [[[-far * c, -far * s], [far * c, far * s]], [foot, k]] };
}

/** A length between two points, drawn beside them with a stroke across each end that lies in the plane. */
function length(from, to, off, half) {
  const [[c, s], long] = unit([to[0] - from[0], to[1] - from[1]]);
  if (long < 1) return { measured: [] };
  const beside = (/** @type {Point} */ [x, y], away) => [x - away * s, y + away * c];
  const { ends, goesOn, tears } = stroke(beside(from, off), beside(to, off), half);
  const across = ends.filter((_, i) => !goesOn[i]).map((end) => [beside(end, -off / 2), beside(end, off / 2)]);
  return { measured: [...across, ends], tears };
}

/** A bold stroke, torn where it leaves the plane. */
function stroke(from, to, half) {
  const { ends, goesOn } = within(from, to, half - 4);
  const [[c, s]] = unit([to[0] - from[0], to[1] - from[1]]);
  const tears = [TEAR, -TEAR].map((back, i) => (goesOn[i] ? torn([ends[i][0] + back * c, ends[i][1] + back * s], [c, s], 1.5) : ""));
  return { ends, goesOn, tears: tears.join("") };
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
    /** @param {Point} start @param {Point} tip @param {number} half @returns what is seen of it, and lines that names keep off */
    put(start, tip, half) {
      const { ends: [from, to], goesOn: [, goesOn] } = within(start, tip, half - 2);
      const [[c, s], long] = unit([to[0] - from[0], to[1] - from[1]]);
      setAttributes(body, { points: arrow(from, to, thick, head) });
      const isTorn = goesOn && long > 0;
      if (isTorn) setAttributes(tear, { d: torn([to[0] - (head + 6) * c, to[1] - (head + 6) * s], [c, s], thick / 2) });
      reveal(tear, isTorn);
      const edges = [-thick / 2 - CLEAR, thick / 2 + CLEAR].map((off) => [from, to].map(([x, y]) => /** @type {Point} */ ([x - off * s, y + off * c])));
      return { from, to, goesOn, edges };
    },
  };
}

/** The part of the way between two points that lies in the plane, and whether the way goes on at its ends. @returns {{ ends: [Point, Point], goesOn: boolean[] }} */
function within(from, to, half) {
  let [enter, leave] = [0, 1];
  from.forEach((x, axis) => {
    const shares = [-half, half].map((edge) => (edge - x) / (to[axis] - x));
    enter = Math.max(enter, Math.min(...shares));
    leave = Math.min(leave, Math.max(...shares));
  });
  if (!(enter < leave)) return { ends: [from, from], goesOn: [false, false] };
  const at = (share) => /** @type {Point} */ (from.map((x, axis) => x + share * (to[axis] - x)));
  return { ends: [at(enter), at(leave)], goesOn: [enter > 0, leave < 1] };
}

/** The direction of a vector and its length. @returns {[Point, number]} */
function unit([x, y]) {
  const long = Math.hypot(x, y);
  return [long ? [x / long, y / long] : [0, 0], long];
}

/** The box around a point. @param {Point} point @param {number} width @param {number} height */
function around([x, y], width, height) {
  return { x: x - width / 2, y: y - height / 2, width, height };
}
