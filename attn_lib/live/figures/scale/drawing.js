// Figure `scale`, to see and to grab: the typical weight against d, a line for each divisor; d is dragged. Below it one
// typical draw for each divisor, its scores as levels, its weights as columns, and the norm of the Jacobian against d.

import { axes, chart } from "../../front/chart.js";
import { placeLabels } from "../../front/labels.js";
import { formatSmall, formatWeight } from "../../front/numbers.js";
import { alongAxis } from "../../front/grab.js";
import { paintOnScreen, paintVisible } from "../../front/deferred.js";
import { corners, disc, draw, hundredth, path, setAttributes, px, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { paintHistogram } from "./histogram.js";

// The top of the small plots; the norm of the Jacobian never exceeds 0.5, and hardly 0.4.
const FULL = 0.4;
// How far below the largest the lowest level shown lies; what is beyond is marked.
const DEEPEST = 12;
// Above a column as high as this there is no room for its number, but beside it: all others are low.
const HIGH = 0.68;
// The last column over which the number of a column may begin: it is as wide as three.
const LAST = 7;
const CHANCE = 0.1;
const LINE_HEIGHT = 14;
// Pixels beyond an end of the axis where the marker can still be pressed.
const EDGE = 9;
// Pixels from a dot to its number, and the number's size; a digit is as wide as any other.
const BESIDE = 9;
const DIGIT = 7.5;
const NUMBER = 12;

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const body = figure.querySelector(".attn-body");
  const [{ values: sizes }, { options }] = declaration.controls;
  const histogram = body.querySelector("[data-view=histogram]");
  const trials = [...body.querySelectorAll(".attn-trial")];
  const names = options.map((option) => words.controls.c.options[option]);
  const { sentences } = words;
  const plot = chart(body.querySelector(".attn-stage"), {
    x: [0, sizes.length - 1],
    y: [0, 1],
    pad: { left: 34, right: 86, top: 36, bottom: 22 },
    resized(made) {
      const places = sizes.map((_, i) => i);
      axes(made, {
        x: made.narrow ? [0, 2, 4, 6, 9] : places,
        y: [0, CHANCE, 0.5, 1],
        xText: (place) => String(sizes[place]),
      });
      repaint();
    },
  });
  const { svg } = plot;
  const title = draw(svg, "text", { class: "attn-tag", x: 4, y: 12 });
  const lines = draw(svg, "g", { class: "attn-lines" });
  const groups = names.map((_, i) => {
    const group = draw(lines, "g");
    return { group, line: draw(group, "path", { class: `attn-stroke${i ? ` attn-dash-${i + 1}` : ""}` }) };
  });
  const marker = draw(svg, "polyline", { class: "attn-marker" });
  const dots = names.map(() => draw(svg, "polygon", { class: "attn-dot attn-tint attn-growth-dot" }));
  const values = names.map(() => draw(svg, "text", { class: "attn-tag attn-middle" }));
  const ends = names.map((name) => draw(svg, "text", { class: "attn-growth-end" }, name));

  return {
    paint(view) {
      const { typical, norms, weights } = view.parts;
      paintVisible(histogram, () => paintHistogram(histogram, view.parts.histogram, words));
      trials.forEach((trial, i) => {
        trial.classList.toggle("attn-lit", i === typical.lit);
        paintOnScreen(trial, () => {
          paintTrial(trial, weights, i);
          paintNorm(trial, norms.rows[i], typical.chosen);
        });
      });
      if (!plot.width) return;
      const { X, Y, right, bottom } = plot;
      setText(title, typical.fits ? sentences.axis_fits : sentences.axis_largest);
      setAttributes(title, { class: `attn-tag${typical.fits ? " attn-fits" : ""}` });
      groups.forEach(({ group, line }, i) => {
        setAttributes(group, { class: i === typical.lit ? "attn-lit" : "" });
        setAttributes(line, { d: path(typical.rows[i].map((weight, place) => [X(place), Y(weight)])) });
      });
      const last = typical.rows.map((row) => Y(row.at(-1)) + 4);
      apart(last, LINE_HEIGHT).forEach((y, i) => {
        setAttributes(ends[i], { x: px(right + 13), y: px(y), class: `attn-growth-end${i === typical.lit ? " attn-lit" : ""}` });
      });

      const x = X(typical.chosen);
      setAttributes(marker, { points: corners([[x, Y(1) - 6], [x, bottom]]) });
      const now = typical.rows.map((row) => row[typical.chosen]);
      now.forEach((weight, i) => {
        setAttributes(dots[i], { points: disc(x, Y(weight), 7) });
        tint(dots[i], weight);
        // What reads the same is said once.
        const text = formatWeight(weight);
        setText(values[i], now.findIndex((other) => formatWeight(other) === text) === i ? text : "");
      });
      const said = values.filter((value) => value.textContent !== "");
      const levels = said.map((value) => Y(now[values.indexOf(value)]));
      const choices = said.map((value, i) => besides(plot, x, levels[i], value.textContent.length * DIGIT, levels));
      const pieces = typical.rows.flatMap((row) => row.slice(1).map((weight, i) => piece(plot, i, row[i], weight)));
      const marks = now.map((weight) => ({ x: x - NUMBER / 2, y: Y(weight) - NUMBER / 2, width: NUMBER, height: NUMBER }));
      placeLabels(choices, pieces, marks).forEach(({ x, y, width }, i) => {
        setAttributes(said[i], { x: px(x + width / 2), y: px(y + 10) });
      });
    },
    grabs: [
      (host) => ({
        ...alongAxis(plot, "d")(host),
        // Beside the axis are the names.
        measure: (x) => (x < plot.left - EDGE || x > plot.right + EDGE ? null : {}),
      }),
    ],
    presses: options.flatMap((c, i) => [ends[i], trials[i]].map((pressed) => [pressed, { c }])),
  };
}

/**
 * The places for a number beside a dot of the marker: above, below, level with it, further away; right or left, and
 * further so; in the plot. Never nearer to the next dot, so that the numbers stand in the order of their dots.
 */
function besides({ left, right, bottom }, x, y, width, levels) {
  // How far the next dot is, that way.
  const room = (way) => Math.min(...levels.map((level) => way * (level - y)).filter((gap) => gap > 0));
  const [above, below] = [room(-1), room(1)];
  const places = [-NUMBER - 5, 5, -NUMBER / 2, 5 + NUMBER, -2 * NUMBER - 5];
  const free = places.filter((down) => {
    const middle = down + NUMBER / 2;
    return middle === 0 || 2 * Math.abs(middle) < (middle < 0 ? above : below);
  });
  const boxes = free.flatMap((down) =>
    [BESIDE, -BESIDE - width, 2 * BESIDE, -2 * BESIDE - width].map((across) => ({ x: x + across, y: y + down, width, height: NUMBER })),
  );
  const inside = boxes.filter((box) => box.x >= left && box.x + width <= right && box.y + NUMBER / 2 <= bottom);
  // A number's halo would wipe out the axis.
  const offAxis = inside.filter((box) => box.y + NUMBER <= bottom);
  return offAxis.length > 0 ? offAxis : inside;
}

/** The piece of a line from one size to the next. */
function piece({ X, Y }, i, from, to) {
  return [[X(i), Y(from)], [X(i + 1), Y(to)]];
}

function paintTrial(trial, { rows, gaps, fits }, i) {
  const levels = trial.querySelectorAll(".attn-levels i");
  const columns = trial.querySelectorAll(".attn-columns i");
  // The number is that of the weight which the lines show: of the key that fits, if one does, else of the largest.
  const number = trial.querySelector(".attn-columns b");
  const at = fits[i] ?? 0;
  const over = Math.min(at, LAST);
  const high = rows[i][over] > HIGH;
  setText(number, formatWeight(rows[i][at]));
  // What it stands in is as large as all columns: it is moved by shares of that, and nothing is laid out.
  number.parentElement.style.transform = high ? "" : `translate(${10 * over}%, ${(-100 * rows[i][over]).toFixed(2)}%)`;
  setAttributes(number, { class: `${fits[i] === null ? "" : "attn-fits"}${high ? " attn-high" : ""}` });
  rows[i].forEach((weight, j) => {
    const depth = gaps[i][j] / DEEPEST;
    const mark = j === fits[i] ? " attn-fits" : "";
    setAttributes(columns[j], { class: hundredth(weight) + mark });
    setAttributes(levels[j], { class: `${hundredth(Math.min(1, depth))}${mark}${depth > 1 ? " attn-beyond" : ""}` });
  });
}

function paintNorm(trial, norms, chosen) {
  const heights = norms.map((norm) => Math.min(1, norm / FULL));
  setText(trial.querySelector(".attn-norm b"), formatSmall(norms[chosen]));
  const [here, course, at] = trial.querySelectorAll(".attn-passed polyline");
  const place = (i) => [10 * i, 100 * (1 - heights[i])];
  setAttributes(here, { points: corners([[10 * chosen, 0], [10 * chosen, 100]]) });
  setAttributes(course, { points: corners(heights.map((_, i) => place(i))) });
  // A stroke of no length with round ends: the drawing is stretched, and a circle would be, too.
  setAttributes(at, { points: corners([place(chosen), place(chosen)]) });
}

/** Levels of texts, moved down where they would stand on one another; equal ones keep the order of the list. */
function apart(levels, least) {
  const order = levels.map((_, i) => i).sort((i, j) => levels[i] - levels[j] || i - j);
  const moved = [...levels];
  order.slice(1).forEach((i, before) => (moved[i] = Math.max(moved[i], moved[order[before]] + least)));
  return moved;
}
