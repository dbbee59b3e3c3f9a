// Figure `projections`, to see and to grab: the query of the chosen word among the keys of all four; beside them each
// matrix as the two arrows that are its columns, over the square that they would leave untouched.

import { chart } from "../../front/chart.js";
import { placeLabels } from "../../front/labels.js";
import { fill, formatNumber } from "../../front/numbers.js";
import { arrow, corners, draw, hundredth, lengthOf, px, reveal, setAttributes } from "../../front/svg.js";
import { oneOfTips } from "../../front/grab.js";
import { setText } from "../../front/text.js";
import { NAMES } from "./compute.js";

const PAD = { left: 4, right: 4, top: 4, bottom: 4 };
// A column ends within 1.5, so a query or a key within 3.
const REACH = 3.2;
const TICKS = [-3, -2, -1, 1, 2, 3];
const DIAL = 2.1;
// The names of features stand at the ends of the matrices' arrows.
const FEATURES = ["right", "up"];
// Pixels: from a tip to its name and the room around a name; from the tip of the query to its letter; from the end of a
// column to its name; the radius of a handle, and how near to the edge a name may come.
const BESIDE = 8;
const NAME = 16;
const LETTER = 19;
const AWAY = 25;
const HANDLE = 20;
const EDGE = 4;

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, repaint }) {
  const { directions, words } = declaration.data;
  const { sentences } = declaration.words;
  const body = figure.querySelector(".attn-body");
  const rows = [...body.querySelectorAll(".attn-finders tbody tr")];
  const plane = chart(body.querySelector("[data-plane]"), {
    x: [-REACH, REACH],
    y: [-REACH, REACH],
    pad: PAD,
    square: true,
    resized(made) {
      drawGrid(made);
      repaint();
    },
  });
  const paintPlane = arrowsOf(plane, directions);
  const dials = ["q", "k"].map((key) => dial(body.querySelector(`[data-matrix="${key}"]`), key, { names: FEATURES.map((way) => directions[way]), repaint }));
  let shown = null;
  const spoken = (/** @type {string} */ key, /** @type {number} */ column) => () => {
    const [across, upwards] = shown.parts.matrices.rows["qk".indexOf(key)].slice(2 * column);
    const at = { x: formatNumber(across, 2), y: formatNumber(upwards, 2) };
    return fill(sentences.spoken, { ...shown.slots, ...at, feature: directions[FEATURES[column]] });
  };

  return {
    paint(view, { m }) {
      shown = view;
      const { weights, vectors, matrices, plane: chosen } = view.parts;
      rows.forEach((row, i) => row.classList.toggle("attn-asker", i === chosen.word));
      if (plane.width) paintPlane(vectors.rows, weights.rows[chosen.word], { ...chosen, words });
      dials.forEach(({ paint, box }, i) => {
        paint(matrices.rows[i]);
        box.classList.toggle("attn-tied", i === 1 && m === "one");
      });
    },
    grabs: dials.flatMap(({ made, key, knobs }) =>
      [0, 1].map((column) => {
        // With one matrix for both, either drawing moves it.
        const own = (/** @type {any} */ state) => (state.m === "one" ? "q" : key);
        const keys = (/** @type {any} */ state) => [0, 1].map((axis) => /** @type {[string, number]} */ ([own(state), 2 * column + axis]));
        return oneOfTips(made, knobs[column], keys, spoken(key, column));
      }),
    ),
    presses: rows.map((row, i) => [row, { w: NAMES[i] }]),
  };
}

/** The lines of the plane, in place of those that were there. */
function drawGrid({ back, X, Y }) {
  const [west, east, north, south] = [X(-REACH), X(REACH), Y(REACH), Y(-REACH)].map(px);
  const upright = (/** @type {number} */ x) => `M${px(X(x))} ${north}V${south}`;
  const level = (/** @type {number} */ y) => `M${west} ${px(Y(y))}H${east}`;
  back.replaceChildren();
  draw(back, "path", { class: "attn-hairline", d: TICKS.map((tick) => upright(tick) + level(tick)).join("") });
  draw(back, "path", { class: "attn-axis-line", d: upright(0) + level(0) });
}

/** The keys of all words, as thick and as dark as their weights, and the query of one; names where they cover nothing. */
function arrowsOf(plane, directions) {
  const { svg } = plane;
  // The axes of the keys' plane have names only while W_k leaves the words where they are.
  const named = Object.entries(directions).map(([way, text]) => ({ way, node: draw(svg, "text", { class: "attn-tag attn-plane-end" }, text) }));
  const keys = draw(svg, "g", { class: "attn-hue-key" });
  const arrows = Array.from({ length: 4 }, () => draw(keys, "polygon", { class: "attn-tint attn-dot attn-key-of" }));
  const names = arrows.map(() => draw(keys, "text", { class: "attn-tag attn-middle" }));
  const hue = draw(svg, "g", { class: "attn-hue-query" });
  const query = draw(hue, "polygon", { class: "attn-hue-fill" });
  const letter = draw(hue, "text", { class: "attn-tag attn-name" }, "q");
  return (vectors, weights, { word, words, plain }) => {
    const { X, Y, width, height } = plane;
    const place = (/** @type {number[]} */ [x, y]) => [X(x), Y(y)];
    const origin = place([0, 0]);
    const tipQ = place(vectors[word].slice(0, 2));
    const tips = vectors.map((row) => place(row.slice(2)));
    const at = {
      right: { x: X(REACH) - 2, y: Y(0) - 6, class: "attn-tag attn-plane-end attn-end" },
      left: { x: X(-REACH) + 2, y: Y(0) - 6, class: "attn-tag attn-plane-end" },
      up: { x: X(0) - 6, y: Y(REACH) + 12, class: "attn-tag attn-plane-end attn-end" },
      down: { x: X(0) - 6, y: Y(-REACH) - 4, class: "attn-tag attn-plane-end attn-end" },
    };
    const taken = [];
    for (const { way, node } of named) {
      const { x, y } = at[way];
      setAttributes(node, { ...at[way], x: px(x), y: px(y) });
      reveal(node, plain);
      const long = lengthOf(node);
      if (plain) taken.push({ x: way === "left" ? x : x - long, y: y - 12, width: long, height: NAME });
    }
    tips.forEach((end, j) => {
      const own = j === word ? " attn-key-own" : "";
      setAttributes(arrows[j], {
        points: arrow(origin, end, 2.5 + 14 * weights[j], 13 + 9 * weights[j]),
        class: `attn-tint attn-dot attn-key-of${own} ${hundredth(weights[j])}`,
      });
      setText(names[j], j === word ? `${words[j]} k` : words[j]);
    });
    setAttributes(query, { points: arrow(origin, tipQ, 4, 15) });

    // Over or under a tip, outside of it, inside of it; the letter of the query first where it goes on.
    const around = (/** @type {number[]} */ [x, y], wide, tall) => ({ x: x - wide / 2, y: y - tall / 2, width: wide, height: tall });
    const isWithin = ({ x, y, width: wide, height: tall }) => x >= EDGE && y >= EDGE && x + wide <= width - EDGE && y + tall <= height - EDGE;
    const within = (/** @type {any[]} */ boxes) => (boxes.some(isWithin) ? boxes.filter(isWithin) : boxes.slice(0, 1));
    const choices = tips.map(([x, y], j) => {
      const wide = lengthOf(names[j]) + 6;
      const [aside, below] = [x < origin[0] ? -1 : 1, y > origin[1] ? 1 : -1];
      const sides = [[0, below * (NAME / 2 + BESIDE)], [aside * (wide / 2 + BESIDE), 0], [-aside * (wide / 2 + BESIDE), 0], [0, -below * (NAME / 2 + BESIDE)]];
      return within(sides.map(([across, down]) => around([x + across, y + down], wide, NAME)));
    });
    const long = Math.hypot(tipQ[0] - origin[0], tipQ[1] - origin[1]);
    const [c, s] = long < 1 ? [0, 1] : [(tipQ[0] - origin[0]) / long, (tipQ[1] - origin[1]) / long];
    const ways = [[c, s], [-s, c], [s, -c], [0.7 * c - 0.7 * s, 0.7 * s + 0.7 * c], [0.7 * c + 0.7 * s, 0.7 * s - 0.7 * c], [-c, -s]];
    const letters = within(ways.map(([across, down]) => around([tipQ[0] + LETTER * across, tipQ[1] + LETTER * down], NAME, NAME)));
    const lines = [tipQ, ...tips].map((end) => [origin, end]);
    const [own, ...placed] = placeLabels([letters, ...choices], lines, taken);
    setAttributes(letter, { x: px(own.x + NAME / 2), y: px(own.y + NAME / 2) });
    placed.forEach(({ x, y, width: wide }, j) => setAttributes(names[j], { x: px(x + wide / 2), y: px(y + 12) }));
  };
}

/** One matrix, drawn as what it does: where it sends (1, 0) and (0, 1), and the square between them. */
function dial(box, key, { names, repaint }) {
  const stage = box.querySelector(".attn-stage");
  const made = chart(stage, {
    x: [-DIAL, DIAL],
    y: [-DIAL, DIAL],
    pad: { left: 0, right: 0, top: 0, bottom: 0 },
    square: true,
    resized({ back, X, Y, width, height }) {
      back.replaceChildren();
      draw(back, "path", { class: "attn-hairline", d: `M0 ${px(Y(0))}H${px(width)}M${px(X(0))} 0V${px(height)}` });
      draw(back, "path", { class: "attn-hairline attn-untouched", d: `M${px(X(0))} ${px(Y(1))}H${px(X(1))}V${px(Y(0))}` });
      repaint();
    },
  });
  const span = draw(made.svg, "polygon", { class: "attn-span" });
  const arrows = names.map(() => draw(made.svg, "polygon", { class: "attn-hue-fill" }));
  const texts = names.map((name) => draw(made.svg, "text", { class: "attn-tag attn-feature" }, name));
  const paint = (/** @type {number[]} */ [a, b, c, d]) => {
    const { X, Y, width, height } = made;
    if (!width) return;
    const origin = [X(0), Y(0)];
    const ends = [[X(a), Y(b)], [X(c), Y(d)]];
    setAttributes(span, { points: corners([origin, ends[0], [X(a + c), Y(b + d)], ends[1]]) });
    const choices = ends.map(([x, y], i) => {
      setAttributes(arrows[i], { points: arrow(origin, [x, y], 3.5, 12) });
      const wide = lengthOf(texts[i]) + 4;
      const sides = [[0, y > origin[1] ? AWAY : -AWAY], [0, y > origin[1] ? -AWAY : AWAY], [wide / 2 + HANDLE, 0], [-wide / 2 - HANDLE, 0]];
      const within = (/** @type {number} */ at, half, most) => Math.min(Math.max(at, half + EDGE), most - half - EDGE);
      return sides.map(([across, down]) => {
        const [u, v] = [within(x + across, wide / 2, width), within(y + down, NAME / 2, height)];
        return { x: u - wide / 2, y: v - NAME / 2, width: wide, height: NAME };
      });
    });
    const taken = ends.map(([x, y]) => ({ x: x - HANDLE / 2, y: y - HANDLE / 2, width: HANDLE, height: HANDLE }));
    const lines = ends.map((end) => [origin, end]);
    placeLabels(choices, lines, taken).forEach(({ x, y, width: wide }, i) => setAttributes(texts[i], { x: px(x + wide / 2), y: px(y + NAME / 2) }));
  };
  return { box, key, made, paint, knobs: [...stage.querySelectorAll("[data-handle]")] };
}
