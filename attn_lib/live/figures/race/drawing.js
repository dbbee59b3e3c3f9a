// Figure `race`, to see and to grab: the three races as lines, and for each divisor a map of what became of all races,
// d upwards and the learning rate across. One cross-hair goes through the maps.

import { axes, chart } from "../../front/chart.js";
import { fill } from "../../front/numbers.js";
import { valueAt } from "../../front/state.js";
import { draw, path, px, setAttributes, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";

const STEPS = 200;
const LINE_HEIGHT = 15;
// Of a map: pixels of its name above it, and what is free below; below the last one stands the axis.
const NAMED = 17;
const APART = 7;
const AXIS = 18;
// A loss above this is worse than that of equal weights, and hatched.
const LOST = 1.1;
// The rates that are written on the axis, and the sizes beside a map.
const TICKS = [0, 4, 8, 12];

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const { sentences } = words;
  const { guess } = declaration.data;
  const [rates, sizes] = declaration.controls.map(({ values }) => values);
  const names = ["none", "sqrt", "d"].map((divisor) => sentences[`name_${divisor}`]);
  const [stage, field] = ["curves", "maps"].map((name) => figure.querySelector(`.attn-body [data-drawing="${name}"]`));

  const plot = chart(stage, {
    x: [0, STEPS],
    y: [0, 2],
    pad: { left: 34, right: 78, top: 22, bottom: 22 },
    resized(made) {
      axes(made, { x: [0, STEPS / 2, STEPS], y: [0, guess, 2], title: sentences.loss });
      repaint();
    },
  });
  const lines = names.map((_, i) => draw(plot.svg, "path", { class: `attn-stroke attn-race-runner${i ? ` attn-dash-${i + 1}` : ""}` }));
  const dots = names.map(() => draw(plot.svg, "circle", { class: "attn-race-runner-end", r: 4 }));
  const ends = names.map((name) => draw(plot.svg, "text", { class: "attn-tag" }, name));

  const ground = chart(field, {
    x: [0, rates.length - 1],
    y: [0, 1],
    pad: { left: 42, right: 18, top: 0, bottom: AXIS },
    resized(made) {
      drawFrame(made);
      repaint();
    },
  });
  const pattern = draw(draw(ground.svg, "defs"), "pattern", { id: "attn-race-lost", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
  draw(pattern, "rect", { class: "attn-race-lost-ground", width: 5, height: 5 });
  draw(pattern, "path", { class: "attn-race-lost-line", d: "M1 0V5" });
  const cells = names.map(() => sizes.map(() => rates.map(() => draw(ground.svg, "rect", { class: "attn-race-cell", fill: "url(#attn-race-lost)" }))));
  const lane = draw(ground.svg, "path", { class: "attn-race-lane" });
  const halos = names.map(() => draw(ground.svg, "rect", { class: "attn-race-here-halo" }));
  const here = names.map(() => draw(ground.svg, "rect", { class: "attn-race-here" }));
  const title = draw(ground.svg, "text", { class: "attn-tag attn-end", y: 12 });
  // Until the question is answered a map shows where the reader has been: it would give the answer away.
  const seen = new Set();
  let found = false;

  const layout = () => {
    const band = (ground.height - AXIS + APART) / names.length;
    const tall = (band - NAMED - APART) / sizes.length;
    const wide = (ground.right - ground.left) / (rates.length - 1);
    const top = (/** @type {number} */ map, /** @type {number} */ row) => map * band + NAMED + (sizes.length - 1 - row) * tall;
    return { band, tall, wide, top };
  };

  function drawFrame({ back, left, height, X }) {
    back.replaceChildren();
    const { band, tall, wide, top } = layout();
    names.forEach((name, m) => {
      draw(back, "text", { class: "attn-tag", x: px(left - wide / 2), y: px(m * band + 12) }, name);
      for (const row of [0, 2, 5]) {
        draw(back, "text", { class: "attn-end", x: px(left - wide / 2 - 5), y: px(top(m, row) + tall / 2 + 4) }, String(sizes[row]));
      }
      cells[m].forEach((line, row) => line.forEach((cell, i) => place(cell, X(i) - wide / 2, top(m, row), wide, tall)));
    });
    draw(back, "text", { class: "attn-end", x: px(left - wide / 2 - 5), y: 12 }, "d");
    for (const i of TICKS) draw(back, "text", { class: "attn-middle", x: px(X(i)), y: px(height - 4) }, String(rates[i]));
  }

  function place(rect, x, y, width, height) {
    setAttributes(rect, { x: px(x), y: px(y), width: px(width), height: px(height) });
  }

  function paintRace(curves) {
    const { X, Y, right, bottom } = plot;
    const heights = curves.map((curve) => Y(curve.at(-1)));
    const order = [0, 1, 2].sort((a, b) => heights[a] - heights[b] || a - b);
    // Names keep the order of their ends, a line apart and above the axis.
    const named = heights.map((height) => height + 4);
    for (let n = 1; n < 3; n += 1) named[order[n]] = Math.max(named[order[n]], named[order[n - 1]] + LINE_HEIGHT);
    const lowest = bottom + 4;
    named[order[2]] = Math.min(named[order[2]], lowest);
    for (let n = 1; n >= 0; n -= 1) named[order[n]] = Math.min(named[order[n]], named[order[n + 1]] - LINE_HEIGHT);
    curves.forEach((curve, i) => {
      setAttributes(lines[i], { d: path(curve.map((loss, n) => [X((n * STEPS) / (curve.length - 1)), Y(loss)])) });
      setAttributes(dots[i], { cx: px(right), cy: px(heights[i]) });
      setAttributes(ends[i], { x: px(right + 9), y: px(named[i]) });
    });
  }

  function paintMaps({ losses, row, at }, { opt, ask, lr }) {
    seen.add(`${opt} ${row} ${at}`);
    found ||= ask === "0" || (opt === "sgd" && lr <= 0.03 && row === sizes.length - 1);
    const { X, height } = ground;
    const { wide, tall, top } = layout();
    losses.forEach((map, m) => {
      map.forEach((line, i) => {
        line.forEach((loss, j) => {
          const cell = cells[m][i][j];
          const look = !found && !seen.has(`${opt} ${i} ${j}`) ? "attn-race-unseen" : loss > LOST ? "attn-race-lost" : "attn-race-loss";
          if (look !== "attn-race-loss") setAttributes(cell, { class: `attn-race-cell ${look}` });
          else {
            setAttributes(cell, { class: "attn-race-cell attn-race-loss" });
            tint(cell, Math.max(0, 1 - loss / guess));
          }
        });
      });
      for (const set of [halos, here]) place(set[m], X(at) - wide / 2, top(m, row), wide, tall);
    });
    setAttributes(lane, { d: `M${px(X(at))} ${NAMED}V${px(height - AXIS)}` });
    setAttributes(title, { x: px(ground.width - 4) });
  }

  // Both the rate and d: a finger that goes sideways moves both, one that goes up or down scrolls.
  const drag = ({ control }) => ({
    surface: field,
    upright: true,
    settings(x, y) {
      const { band, tall } = layout();
      const map = Math.min(2, Math.max(0, Math.floor(y / band)));
      const row = sizes.length - 1 - Math.floor((y - map * band - NAMED) / tall);
      return { lr: valueAt(control("lr"), ground.atX(x)), d: sizes[Math.min(sizes.length - 1, Math.max(0, row))] };
    },
    slider: ["lr", 0],
  });

  return {
    paint(view, state) {
      if (plot.width) paintRace(view.parts.curves.lines);
      if (!ground.width) return;
      setText(title, fill(sentences.at_rate, view.slots));
      paintMaps(view.parts.field, state);
    },
    grabs: [drag],
    forget() {
      found = false;
      seen.clear();
    },
  };
}
