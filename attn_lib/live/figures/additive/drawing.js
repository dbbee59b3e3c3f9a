// Figure `additive`, to see and to grab: for each hidden unit the curve of tanh, the query on its axis, and from
// there the step of each word: its run, dashed, and its rise, solid. The query is dragged in either unit. Below, the
// two heights of each word are piled up to its score.

import { axes, chart } from "../../front/chart.js";
import { placeLabels } from "../../front/labels.js";
import { formatNumber } from "../../front/numbers.js";
import { corners, disc, draw, lengthOf, path, setAttributes, px, reveal, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";

// Where the words can stand for every query of the slider.
const ENDS = [-8.5, 9.5];
// The heights from end to end, with room for words and for the knob, and those that are labelled. Without tanh nothing
// bounds them: they are counted from the query's, or no rise could be seen.
const HEIGHTS = { after: [-2, 1.36], before: [-3.5, 2.5], none: [-5, 3.2] };
const LABELLED = { after: [-1, 0, 1], before: [-2, -1, 0, 1, 2], none: [-2, 0, 2] };
const STEP = 0.1;
// The curve that names keep clear of: the part near them, and its pieces.
const CLOSE = 6;
const PIECE = 0.5;
const MINUS = "\u2212";
const RADIUS = 7;
// Pixels from a stem to the name beside it.
const ASIDE = 5;
// The height of a name, and how far its line of writing is from its upper edge.
const [TALL, WRITTEN] = [12, 10];
// How many pixels a height of 1 has in a pile, as --of in style.css says, and how wide for its length an arrow is.
const [BOUNDED, UNBOUNDED] = [[30, 1.7], [6, 0.5]];
// Half a dot for each of two words in one place: the first above, the second below.
const [WHOLE, UPPER, LOWER] = [[0, 1], [0.5, 1], [0, 0.5]];

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, repaint }) {
  const stages = [...figure.querySelectorAll(".attn-body .attn-units [data-unit]")];
  const units = stages.map((stage, u) => unit(stage, u, declaration.data, repaint));
  const piles = figure.querySelector(".attn-body .attn-piles");
  return {
    paint(view, state) {
      for (const one of units) one.paint(view, state);
      pileUp(piles, view.parts.heights.rows, state);
    },
    grabs: units.map(({ grab }) => grab),
  };
}

/** Let the heights of both units, one after the other, lead from 0 to the score of each word, and say the score. */
function pileUp(table, rows, state) {
  table.classList.toggle("attn-unbounded", state.tanh === "none");
  const [of, slim] = state.tanh === "none" ? UNBOUNDED : BOUNDED;
  [...table.querySelectorAll(".attn-heaped")].forEach((pile, j) => {
    // Numbers alone: what a transform takes from a custom property costs a browser four times as much.
    const [first, second, sum, tip] = pile.querySelectorAll("i, b, u");
    const [one, two, both] = rows.map((row) => row[j]);
    first.style.transform = scaled(one, slim);
    second.style.transform = `${lifted(one, of)} ${scaled(two, slim)}`;
    sum.style.transform = lifted(both, of);
    tip.style.transform = lifted(one, of);
  });
  [...table.querySelectorAll(".attn-number")].forEach((score, j) => setText(score, formatNumber(rows.at(-1)[j], 2)));
}

/**
 * An arrow as long as a height, up or down; a short one is slim, so that it keeps its head. body.html does the same.
 * @param {number} height @param {number} slim
 */
function scaled(height, slim) {
  return `scale(${Math.min(1, slim * Math.abs(height)).toFixed(3)}, ${(-height).toFixed(3)})`;
}

/** @param {number} height @param {number} of */
function lifted(height, of) {
  return `translateY(${(-height * of).toFixed(2)}px)`;
}

function unit(stage, u, { words, W_q }, repaint) {
  let mode = "";
  /** @type {Element[]} */
  let labels = [];
  /** @type {number[]} */
  let lengths = []; // of the names, and of the query's, with some room
  let titled = 0; // the length of the title
  const plot = chart(stage, {
    x: ENDS,
    y: [0, 1],
    pad: { left: 28, right: 14, top: 6, bottom: 22 },
    resized() {
      mode = ""; // Axes and curve are drawn anew.
      lengths = [...steps.map(({ name }) => name), foot].map((text) => lengthOf(text) + 3);
      repaint();
    },
  });
  const { svg } = plot;
  const ghost = draw(svg, "path", { class: "attn-hairline attn-ghost" });
  const curve = draw(svg, "path", { class: "attn-stroke" });
  const query = draw(svg, "g", { class: "attn-hue-query" });
  const line = draw(query, "polyline", { class: "attn-marker attn-query-stem" });
  const lift = draw(query, "polyline", { class: "attn-hue-line attn-dash-6" });
  const knob = draw(query, "circle", { class: "attn-hue-fill", r: RADIUS });
  const steps = words.map((word) => {
    const group = draw(svg, "g", { class: "attn-hue-key" });
    return {
      run: draw(group, "polyline", { class: "attn-hue-line attn-run" }),
      rise: draw(group, "polyline", { class: "attn-hue-line attn-rise" }),
      dot: draw(group, "polygon", { class: "attn-dot attn-tint" }),
      name: draw(group, "text", { class: "attn-tag" }, word),
    };
  });
  // The query is (1, 0, t), so its place in a unit is a line in t.
  const [at0, , slope] = W_q[u];
  const foot = draw(svg, "text", { class: "attn-tag attn-hue-query" }, at0 ? `${at0} ${slope < 0 ? MINUS : "+"} t` : "t");

  function paint(view, state) {
    if (!plot.width) return;
    const { rows, query: queries, runs, base } = view.parts.heights;
    const [weights] = view.parts.weights.rows;
    const [low, high] = HEIGHTS[state.tanh];
    const { X, bottom, narrow } = plot;
    const [early, bare] = [state.tanh === "before", state.tanh === "none"];
    const zero = bare ? base[u] : 0;
    const share = (/** @type {number} */ height) => (height - low) / (high - low);
    const Y = (/** @type {number} */ height) => plot.Y(share(height - zero));
    if (mode !== state.tanh) {
      mode = state.tanh;
      axes(plot, {
        x: narrow ? [-8, -4, 0, 4, 8] : [-8, -6, -4, -2, 0, 2, 4, 6, 8],
        y: LABELLED[mode].map(share),
        xText: minus,
        yText: () => "",
        title: stage.dataset.name,
      });
      labels = [...plot.back.querySelectorAll(".attn-end")];
      titled = lengthOf(/** @type {SVGTextElement} */ (plot.back.lastChild));
      setAttributes(ghost, { d: early ? sampled(Math.tanh, X, Y) : "" });
      setAttributes(curve, { d: sampled(Math.tanh, X, Y) });
    }
    labels.forEach((label, i) => setText(label, minus(Number((zero + LABELLED[mode][i]).toFixed(1)))));
    const ends = [Math.max(ENDS[0], zero + low), Math.min(ENDS[1], zero + high)].map((x) => [X(x), Y(x)]);
    if (bare) setAttributes(curve, { d: path(ends) });
    // With tanh too early the query moves the whole curve up or down, and the words stay where they are.
    setAttributes(curve, { transform: `translate(0 ${px(early ? Y(base[u]) - Y(0) : 0)})` });
    const from = early ? 0 : queries[u];
    const [x0, y0, x1] = [X(from), Y(base[u]), X(queries[u])];
    setAttributes(line, { points: corners([[x1, bottom], [x1, y0]]) });
    setAttributes(lift, { points: corners([[x1, y0], [x0, y0]]) });
    reveal(lift, early);
    setAttributes(knob, { cx: px(x1), cy: px(bottom - RADIUS) }); // on its axis, clear of the ticks
    // It turns away from words that stand to its right.
    const away = early && queries[u] < Math.min(...runs[u]);
    setAttributes(foot, { x: px(x1 + (away ? -1 : 1) * (RADIUS + 4)), y: px(bottom - 5), "text-anchor": away ? "end" : "start" });
    const straight = [[[x1, bottom], [x1, y0]], [[x1, y0], [x0, y0]]];
    const places = steps.map(({ run, rise, dot }, j) => {
      // A dot at the same place is drawn as the other half of one disc.
      const same = runs[u].findIndex((other, i) => i !== j && other === runs[u][j]);
      const below = same === -1 ? j > 1 : j > same;
      const [x, y] = [X(from + runs[u][j]), Y(rows[u][j])];
      setAttributes(run, { points: corners([[x0, y0], [x, y0]]) });
      setAttributes(rise, { points: corners([[x, y0], [x, y]]) });
      setAttributes(dot, { points: disc(x, y, RADIUS, same === -1 ? WHOLE : below ? LOWER : UPPER) });
      tint(dot, weights[j] ?? 0);
      straight.push([[x0, y0], [x, y0]], [[x, y0], [x, y]]);
      // Below a dot a name leans a little to the right, where the curve is higher; above it, on a phone, outwards, so
      // that neighbours do not touch.
      const lean = below ? 0.5 : narrow && same === -1 ? Math.sign(runs[u][j]) : 0;
      return placesOf({ x, y, below, lean, width: lengths[j], paired: same !== -1 });
    });
    // With tanh too early the query lifts the curve, and the words with it, over what stays behind.
    const lines = early ? [...pieces(X, Y), ...straight] : bare ? [ends, ...straight] : [];
    const reach = RADIUS + 4 + lengths[words.length];
    const taken = [
      { x: away ? x1 - reach : x1, y: bottom - 5 - WRITTEN, width: reach, height: TALL },
      { x: 0, y: bottom - 2 * RADIUS, width: plot.width, height: 2 * RADIUS },
      { x: plot.left, y: 0, width: titled + RADIUS, height: TALL },
      // The numbers of the axis, and what lies beyond the drawing.
      { x: -plot.width, y: 0, width: plot.width + plot.left - 2, height: plot.height },
      { x: plot.width, y: 0, width: plot.width, height: plot.height },
    ];
    placeLabels(lines.length ? places : places.map((few) => few.slice(0, 1)), lines, taken).forEach((box, j) => {
      setAttributes(steps[j].name, { x: px(box.x), y: px(box.y + WRITTEN) });
    });
  }

  const grab = () => ({
    surface: stage,
    at: (state) => [plot.X(at0 + slope * state.t), 0],
    settings: (x) => ({ t: (plot.atX(x) - at0) / slope }),
    slider: ["t", 0],
  });
  return { paint, grab };
}

/**
 * Where the name of a word may stand, the usual place first: below or above its dot, leaning or beside its rise; away.
 * A name that shares its dot stands beside the stem or left of the curve, and stays on the side of its half, if it can.
 */
function placesOf({ x, y, below, lean, width, paired }) {
  const [usual, other] = [RADIUS + 13, -RADIUS - 5].sort((a, b) => (below ? b - a : a - b));
  const leaning = [lean, ...[-1, 1, 0].filter((side) => side !== lean)].map(
    (side) => x - (width * (1 - side)) / 2 - side * (RADIUS + 1),
  );
  const beside = [x + RADIUS, x - RADIUS - width];
  const at = (/** @type {number[]} */ lefts, /** @type {number} */ down) =>
    lefts.map((left) => ({ x: left, y: y + down - WRITTEN, width, height: TALL }));
  const lefts = [...(paired ? [below ? x + ASIDE : x + 3 - width] : []), ...leaning, ...beside];
  const near = (/** @type {number} */ down) => at(lefts, down);
  const away = near(usual + Math.sign(usual) * (TALL + 2));
  return paired ? [...near(usual), ...away, ...near(other)] : [...near(usual), ...near(other), ...away];
}

function sampled(f, X, Y) {
  const count = Math.round((ENDS[1] - ENDS[0]) / STEP);
  return path(
    Array.from({ length: count + 1 }, (_, i) => {
      const x = ENDS[0] + i * STEP;
      return [X(x), Y(f(x))];
    }),
  );
}

/** The pieces of the curve of tanh near the words. */
function pieces(X, Y) {
  const point = (/** @type {number} */ i) => [X(i * PIECE - CLOSE), Y(Math.tanh(i * PIECE - CLOSE))];
  return Array.from({ length: (2 * CLOSE) / PIECE }, (_, i) => [point(i), point(i + 1)]);
}

function minus(/** @type {number} */ number) {
  return String(number).replace("-", MINUS);
}
