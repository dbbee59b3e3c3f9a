// Figure `sparse`, to see and to grab: the score as a curve over the keys, lifted until its stems sum to 1, beside softmax's
// bell; and, folded away, the weight of the best key among more and more rivals.

import { axes, chart } from "../../front/chart.js";
import { fill, formatNumber } from "../../front/numbers.js";
import { alongAxis } from "../../front/grab.js";
import { corners, draw, lengthOf, path, px, reveal, setAttributes, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";

// Below the axis: where the arrow from the query to a foot is drawn, where the numbers end, and the size of its head.
const BELOW = 29;
const NUMBERS = 22;
const HEAD = 5;
const APART = 8;
// The best key's curves: what each is called, its dashes, and whether its name stands above or below it.
const RUNNERS = [
  { name: "softmax", dashes: "none", dy: -9 },
  { name: "sparsemax", dashes: "7 4", dy: -8 },
  { name: "sigmoid", dashes: "2 4", dy: 17 },
];

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const { points, axes: ends, far, rivals } = declaration.data;
  const { sentences } = words;
  const [stage, pile] = ["lift", "rivals"].map((name) => figure.querySelector(`.attn-body [data-drawing="${name}"]`));
  const whole = Array.from({ length: ends.right - ends.left + 1 }, (_, i) => ends.left + i);
  const plot = chart(stage, {
    x: [ends.left, ends.right],
    y: [ends.bottom, ends.top],
    pad: { left: 26, right: 14, top: 6, bottom: 40 },
    resized(made) {
      const numbers = axes(made, { x: whole, y: [0, 1, 2], xText: (x) => formatNumber(x, 0) });
      numbers.forEach((number, i) => {
        if (points.some(([key]) => key === whole[i])) number.setAttribute("class", "attn-middle attn-tag attn-hue-key");
      });
      draw(made.back, "text", { class: "attn-tag", x: px(made.left + 4), y: px(made.Y(2) - 6) }, sentences.weight_axis);
      setAttributes(window, { x: px(made.left), y: 0, width: px(made.right - made.left), height: px(made.bottom) });
      repaint();
    },
  });
  // Curves end at the edges of the plot.
  const window = draw(draw(draw(plot.svg, "defs"), "clipPath", { id: "attn-lift-window" }), "rect");
  const curves = draw(plot.svg, "g", { class: "attn-hue-query", "clip-path": "url(#attn-lift-window)" });
  const area = draw(curves, "path", { class: "attn-lift" });
  const bell = draw(curves, "path", { class: "attn-lift-bell" });
  const line = draw(curves, "path", { class: "attn-lift-line" });
  const own = draw(plot.svg, "g", { class: "attn-hue-query" });
  const marker = draw(own, "path", { class: "attn-marker" });
  const stems = draw(plot.svg, "g", { class: "attn-hue-key" });
  const heights = points.map(() => draw(stems, "polyline", { class: "attn-lift-stem" }));
  const dots = points.map(() => draw(stems, "circle", { class: "attn-tint attn-dot", r: 6 }));
  const marks = draw(plot.svg, "g", { class: "attn-hue-query" });
  const feet = [-1, 1].map(() => draw(marks, "circle", { class: "attn-lift-foot", r: 4 }));
  const width = draw(marks, "path", { class: "attn-lift-width" });
  const told = draw(marks, "text", { class: "attn-tag" }, "");

  const crowd = chart(pile, {
    x: [0, rivals.length - 1],
    y: [0, 1],
    pad: { left: 34, right: 18, top: 22, bottom: 22 },
    resized(made) {
      axes(made, { x: rivals.map((_, i) => i), y: [0, 0.5, 1], xText: (i) => String(rivals[i]), title: sentences.best_axis });
      repaint();
    },
  });
  const now = draw(crowd.svg, "path", { class: "attn-marker" });
  const runners = RUNNERS.map(({ dashes }) => draw(crowd.svg, "path", { class: "attn-crowd-line", "stroke-dasharray": dashes }));
  const places = RUNNERS.map(() => draw(crowd.svg, "circle", { class: "attn-tint attn-crowd-dot", r: 6 }));
  const names = RUNNERS.map(({ name }) => draw(crowd.svg, "text", { class: "attn-tag attn-end" }, sentences[`name_${name}`]));

  return {
    paint(view) {
      if (plot.width) paintLift(view);
      if (crowd.width) paintCrowd(view.parts.rivals);
    },
    grabs: [alongAxis(plot, "x"), alongAxis(crowd, "n")],
  };

  function paintLift({ parts, slots }) {
    const { X, Y, right, bottom } = plot;
    const { query, width: reach, line: lifted, bell: soft } = parts.lift;
    const outline = (/** @type {number[]} */ curve, /** @type {number} */ wide) =>
      curve.map((height, i) => [X(query + wide * ((2 * i) / (curve.length - 1) - 1)), Y(height)]);
    const top = outline(lifted, reach ?? far);
    setAttributes(line, { d: path(top) });
    setAttributes(area, { d: `${path([[top[0][0], bottom], ...top, [top.at(-1)[0], bottom]])}Z` });
    setAttributes(bell, { d: path(outline(soft, far)) });
    reveal(bell, reach !== null);
    points.forEach(([x], j) => {
      const weight = parts.weights.rows[0][j];
      setAttributes(heights[j], { points: corners([[X(x), bottom], [X(x), Y(weight)]]) });
      setAttributes(dots[j], { cx: px(X(x)), cy: px(Y(weight)) });
      tint(dots[j], weight);
    });
    const at = X(query);
    const level = bottom + BELOW;
    // It leaves the number of a key free.
    setAttributes(marker, { d: path([[at, 0], [at, bottom], null, [at, bottom + NUMBERS], [at, level + 6]]) });
    feet.forEach((foot, i) => {
      const place = query + (i ? 1 : -1) * (reach ?? far);
      setAttributes(foot, { cx: px(X(place)), cy: px(bottom) });
      reveal(foot, reach !== null && place >= ends.left && place <= ends.right);
    });
    const isFar = query + (reach ?? 0) > ends.right;
    const end = Math.min(right, X(query + (reach ?? 0)));
    const head = isFar ? "" : `M${px(end - HEAD)} ${px(level - HEAD + 1)}L${px(end)} ${px(level)}L${px(end - HEAD)} ${px(level + HEAD - 1)}`;
    setAttributes(width, { d: `M${px(at)} ${px(level)}H${px(end)}${head}` });
    reveal(width, reach !== null);
    setText(told, fill(sentences[reach === null ? "at" : "at_width"], slots));
    // Behind the arrow if there is room, else before the query.
    const length = lengthOf(told);
    const after = end + APART;
    const start = after + length <= plot.width ? after : at - APART - length;
    setAttributes(told, { x: px(Math.max(0, start)), y: px(level + 4) });
  }

  function paintCrowd({ lines, at }) {
    const { X, Y, right, top, bottom } = crowd;
    setAttributes(now, { d: `M${px(X(at))} ${px(top)}V${px(bottom)}` });
    lines.forEach((weights, i) => {
      setAttributes(runners[i], { d: path(weights.map((weight, j) => [X(j), Y(weight)])) });
      setAttributes(places[i], { cx: px(X(at)), cy: px(Y(weights[at])) });
      tint(places[i], weights[at]);
      setAttributes(names[i], { x: px(right), y: px(Y(weights.at(-1)) + RUNNERS[i].dy) });
    });
  }
}
