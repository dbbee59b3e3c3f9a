// Figure `sparse`: the score as a hill in the sea, a post for each key. The water sinks until what stands out of it sums to
// 1; dashed over it softmax's bell, which has no shore. In the fold the weight of the best key among more and more rivals.

import { axes, chart } from "../../front/chart.js";
import { alongAxis, hand } from "../../front/grab.js";
import { fill, formatWeight } from "../../front/numbers.js";
import { bets, label, pattern, picture } from "../../front/picture.js";
import { draw, lengthOf, path, px, reveal, setAttributes, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";

const DROWNED = 24; // points of the hill below the water, to each side
const GAP = 5; // where no key stands, so that there the rows of numbers can be named
const FAR = 2.5; // softmax's name stands no farther from the query
// The best key's curves: what each is called, its dashes, and whether its name stands above or below it.
const RUNNERS = [
  { name: "softmax", dashes: "none", dy: -9 },
  { name: "sparsemax", dashes: "7 4", dy: -8 },
  { name: "sigmoid", dashes: "2 4", dy: 17 },
];

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words: { controls, sentences }, repaint }) {
  const { data: { points, far, deep, rivals }, bet, controls: [{ min, max }] } = declaration;
  const made = picture(figure, (now) => {
    plot = plotOf(now, min, max, deep);
    drawBack();
    repaint();
  });
  let plot = plotOf(made, min, max, deep);
  const { svg, back, stage } = made;
  const [swell, waves] = pattern(figure, svg, "waves", { width: 46, height: 26 });
  draw(swell, "path", { class: "attn-sparse-wave", d: "M3 7q4 -4 8 0t8 0M26 20q4 -4 8 0t8 0" });
  const own = draw(svg, "g", { class: "attn-hue-query" });
  const land = draw(own, "path", { class: "attn-sparse-land" });
  const hill = draw(own, "path", { class: "attn-sparse-hill" });
  const stem = draw(own, "path", { class: "attn-sparse-stem" });
  const drowned = draw(draw(svg, "g", { class: "attn-hue-key" }), "path", { class: "attn-sparse-drowned" });
  const sea = [{ class: "attn-sparse-sea" }, { fill: waves }].map((look) => draw(svg, "rect", { ...look, x: 0 }));
  const surface = draw(svg, "path", { class: "attn-sparse-surface", "data-answer": "y" });
  const bell = draw(svg, "path", { class: "attn-sparse-bell" });
  const shores = [-1, 1].map(() => draw(draw(svg, "g", { class: "attn-hue-query" }), "circle", { class: "attn-sparse-shore", r: 4.5 }));
  const posts = draw(svg, "path", { class: "attn-sparse-posts" });
  const keys = draw(svg, "g", { class: "attn-hue-key" });
  const tops = points.map(() => draw(keys, "circle", { class: "attn-tint attn-dot", r: 7 }));
  const scale = draw(svg, "path", { class: "attn-axis-line attn-sparse-scale" });
  const one = label(svg, "soft", "1", "attn-middle");
  const water = label(svg, "soft", sentences.water);
  const soft = label(svg, "soft", sentences.name_softmax);
  const books = points.map(() => draw(svg, "rect", { class: "attn-book", width: 24, height: 4 }));
  const numbers = points.map(() => label(svg, "num", "", "attn-middle"));
  const putBets = bets(made, "disc");
  let spoken = "";

  function drawBack() {
    const { X, floor, low } = plot;
    back.replaceChildren();
    const ticks = Array.from({ length: max - min + 1 }, (_, i) => `M${px(X(min + i))} ${px(floor)}v5`);
    draw(back, "path", { class: "attn-axis-line", d: `M0 ${px(floor)}H${px(made.width)}${ticks.join("")}` });
    const row = (/** @type {SVGTextElement} */ text, /** @type {number} */ x, /** @type {number} */ y) => setAttributes(text, { x: px(X(x)), y: px(y) });
    for (const [key] of points) row(label(back, "num", String(key), "attn-middle attn-hue-key attn-sparse-key"), key, floor + 21);
    row(label(back, "soft", sentences.key, "attn-middle"), GAP, floor + 21);
    row(label(back, "soft", sentences.weight, "attn-middle"), GAP, low);
    numbers.forEach((number, j) => row(number, points[j][0], low));
  }

  function paintSea({ parts: { lift, weights } }, alpha) {
    const { X, Y, unit, floor, side, edge } = plot;
    const { query, width: shore, line, bell: curve } = lift;
    const tall = line[(line.length - 1) / 2];
    const level = Y(tall);
    const isShoreless = shore === null;
    const over = (/** @type {number} */ height) => level - height * unit;
    const outline = (/** @type {number[]} */ heights, /** @type {number} */ wide) =>
      heights.map((height, i) => [X(query + wide * ((2 * i) / (heights.length - 1) - 1)), over(height)]);
    // Below the water nothing is raised to a power: a key is as deep as it would have to be lifted.
    const depth = (/** @type {number} */ d) => ((alpha - 1) * (d ** 2 - shore ** 2)) / 2;
    const end = Math.sqrt(shore ** 2 + (2 * (deep - tall)) / (alpha - 1));
    const slope = (/** @type {number} */ side) => Array.from({ length: DROWNED }, (_, i) => {
      const d = shore + ((end - shore) * (i + 1)) / DROWNED;
      return [X(query + side * d), over(-depth(d))];
    });
    const top = outline(line, shore ?? far);
    const whole = isShoreless ? top : [...slope(-1).reverse(), ...top, ...slope(1)];
    setAttributes(hill, { d: path(whole) });
    setAttributes(land, { d: `${path([[whole[0][0], floor], ...whole, [whole.at(-1)[0], floor]])}Z` });
    setAttributes(bell, { d: isShoreless ? "" : path(outline(curve, far)) });
    for (const one of sea) setAttributes(one, { y: px(level), width: px(made.width), height: px(Math.max(0, floor - level)) });
    setAttributes(surface, { d: `M0 ${px(level)}H${px(made.width)}` });
    setAttributes(stem, { d: `M${px(X(query))} ${px(plot.hand)}V${px(floor + 5)}` });
    let [standing, below] = ["", ""];
    points.forEach(([x], j) => {
      const weight = weights.rows[0][j];
      const tip = over(weight > 0 || isShoreless ? weight : -depth(Math.abs(x - query)));
      if (weight > 0) standing += `M${px(X(x))} ${px(level)}V${px(tip)}`;
      if (tip < floor) below += `M${px(X(x))} ${px(floor)}V${px(Math.max(tip, level))}`;
      setAttributes(tops[j], { cx: px(X(x)), cy: px(tip) });
      reveal(tops[j], tip < floor);
      tint(tops[j], weight);
      const book = weights.book?.rows[0][j] ?? null;
      setAttributes(books[j], { x: px(X(x) - 12), y: px(over(book) - 2) });
      reveal(books[j], book !== null);
      setText(numbers[j], formatWeight(weight));
      setAttributes(numbers[j], { class: `attn-label attn-num attn-middle ${weight > 0 ? "attn-hue-weight attn-sparse-some" : "attn-sparse-none"}` });
    });
    setAttributes(posts, { d: standing });
    setAttributes(drowned, { d: below });
    shores.forEach((ring, i) => {
      setAttributes(ring, { cx: px(X(query + (i ? 1 : -1) * (shore ?? 0))), cy: px(level) });
      reveal(ring, !isShoreless);
    });
    // The scale and each name stand where no key does: two on the side away from the query, one behind the shore.
    const isLeft = query < (min + max) / 2;
    const inside = (/** @type {number} */ pixels) => px(isLeft ? made.width - pixels : pixels);
    setAttributes(scale, { d: `M${inside(side - 5)} ${px(level)}H${inside(side + 5)}M${inside(side)} ${px(level)}V${px(over(1))}M${inside(side - 5)} ${px(over(1))}H${inside(side + 5)}` });
    setAttributes(one, { x: inside(side - 13), y: px(over(1) + 5) });
    setAttributes(water, { x: inside(edge), y: px(level + 19), class: `attn-label attn-soft${isLeft ? " attn-end" : ""}` });
    const d = Math.min(shore ?? 0, FAR);
    const isRight = X(query + d) + 12 + lengthOf(soft) < made.width - 4;
    setAttributes(soft, {
      x: px(X(query + (isRight ? d : -d)) + (isRight ? 12 : -12)),
      y: px(over(curve[(curve.length - 1) / 2] * Math.exp(-(d ** 2) / 2)) - 9),
      class: `attn-label attn-soft${isRight ? "" : " attn-end"}`,
    });
    reveal(soft, !isShoreless);
  }

  const crowd = crowdOf(figure, rivals, sentences, repaint);
  return {
    paint(view, state) {
      spoken = fill(controls.x.valuetext, { ...view.slots, value: view.slots.x });
      crowd.paint(view.parts.rivals);
      if (!made.width) return;
      paintSea(view, state.a);
      putBets(bet.places.map(([x, below]) => [plot.X(x), plot.Y(below)]));
    },
    grabs: [
      hand(stage, "x", {
        keys: ["x"],
        at: ({ x }) => [plot.X(x), plot.hand],
        settings: (x) => ({ x: plot.atX(x) }),
        spoken: () => spoken,
      }),
      alongAxis(crowd.plot, "n"),
    ],
  };
}

/** Where things stand in the picture. @param {import("../../front/picture.js").Picture} picture @param {number} min of the query @param {number} max @param {number} deep below the top of the hill */
function plotOf({ width, height, narrow }, min, max, deep) {
  const [from, to] = narrow ? [34, width - 14] : [46, width - 30];
  const step = Math.max(1, (to - from) / (max - min));
  const [hand, floor, low] = [narrow ? 24 : 28, height - (narrow ? 44 : 48), height - (narrow ? 4 : 6)];
  const top = hand + (narrow ? 30 : 38);
  const unit = (floor - top) / deep;
  return {
    hand, floor, low, unit,
    side: narrow ? 21 : 24, // of the scale, from its end of the picture
    edge: narrow ? 3 : 8,
    X: (/** @type {number} */ place) => from + (place - min) * step,
    atX: (/** @type {number} */ pixels) => min + (pixels - from) / step,
    Y: (/** @type {number} */ below) => top + below * unit,
  };
}

/** The weight of the best key among its rivals, in three ways. */
function crowdOf(figure, rivals, sentences, repaint) {
  const plot = chart(figure.querySelector('.attn-body [data-drawing="rivals"]'), {
    x: [0, rivals.length - 1],
    y: [0, 1],
    pad: { left: 34, right: 18, top: 22, bottom: 22 },
    resized(made) {
      axes(made, { x: rivals.map((_, i) => i), y: [0, 0.5, 1], xText: (i) => String(rivals[i]), title: sentences.best_axis });
      repaint();
    },
  });
  const now = draw(plot.svg, "path", { class: "attn-marker" });
  const runners = RUNNERS.map(({ name, dashes }) => ({
    line: draw(plot.svg, "path", { class: "attn-stroke", "stroke-dasharray": dashes }),
    place: draw(plot.svg, "circle", { class: "attn-tint attn-sparse-runner", r: 6 }),
    text: draw(plot.svg, "text", { class: "attn-tag attn-end" }, sentences[`name_${name}`]),
  }));
  return {
    plot,
    paint({ lines, at }) {
      if (!plot.width) return;
      const { X, Y, right, top, bottom } = plot;
      setAttributes(now, { d: `M${px(X(at))} ${px(top)}V${px(bottom)}` });
      lines.forEach((weights, i) => {
        const { line, place, text } = runners[i];
        setAttributes(line, { d: path(weights.map((weight, j) => [X(j), Y(weight)])) });
        setAttributes(place, { cx: px(X(at)), cy: px(Y(weights[at])) });
        tint(place, weights[at]);
        setAttributes(text, { x: px(right), y: px(Y(weights.at(-1)) + RUNNERS[i].dy) });
      });
    },
  };
}
