// Figure `shapes`, to see and to grab: below a line of code every axis is a row of blocks, and the last block can be
// dragged; a press on another line goes there. Tensors stand below each other, an axis in one column with those that it
// meets; an axis of size 1 is stretched by dashed blocks, which are stored nowhere. Where queries and keys are added, a
// grid has a cell for each pair.

import { onSize } from "../../frontend/chart.js";
import { fill } from "../../frontend/format.js";
import { draw, px } from "../../frontend/svg.js";
import { paintLadder } from "./ladder.js";
import { paintMatrix } from "./matrix.js";

const [COLUMNS, TOP, BLOCK] = [4, 30, 15];
const MOST = 10; // blocks that a column has room for; of more, the column beside them is empty
const SPACE = 8; // between two columns
const NARROW = 406; // the drawing of a figure that style.css takes to be on a phone
// A tensor's name stands before its axes, where that leaves them room, or on a line above them.
const BEFORE = { left: 92, row: 46, lower: 0, name: 28 };
const ABOVE = { left: 0, row: 54, lower: 14, name: 10 };
const PACE = 12; // a finger goes at least so many pixels from one size to the next, however thin the blocks are
const NEAR = 12;
// The axes that have a slider, in its order.
const SIZES = ["B", "Q", "K", "U"];

/** @type {import("../../frontend/live.js").Mount} */
export function mount(figure, { words, repaint }) {
  const stage = figure.querySelector(".attn-body .attn-stage");
  const ladders = figure.querySelectorAll(".attn-body [data-ladder]");
  const matrices = figure.querySelectorAll(".attn-body [data-matrix]");
  const svg = draw(stage, "svg", { class: "attn-drawing", "aria-hidden": "true" });
  const { sentences } = words;
  let [width, drawn, line] = [0, "", ""];
  /** Where the axes lie that can be dragged. @type {{ item: number, x: number, y: number, room: number, step: number }[]} */
  let places = [];
  onSize(stage, (wide) => {
    width = wide;
    repaint();
  });

  /** One axis: its name, and a row of blocks. */
  const paintAxis = (group, name, [size, stretched], { x, y, room, step, height, item }, wrong) => {
    const wide = 0.78 * step;
    draw(group, "text", { class: `attn-axis-name${wrong ? " attn-wrong" : ""}`, x: px(x), y: px(y - 5) }, name);
    for (let i = 0; i < stretched; i++) {
      const kind = i < size ? "attn-block" : "attn-block attn-repeated";
      draw(group, "rect", { class: wrong ? `${kind} attn-wrong` : kind, x: px(x + i * step), y: px(y), width: px(wide), height: BLOCK, rx: Math.min(2, wide / 4) });
    }
    if (item < 0) return;
    draw(group, "rect", { class: "attn-grip", x: px(x + size * step - (step - wide) / 2 - 1.5), y: px(y - 3), width: 3, height: BLOCK + 6, rx: 1.5 });
    const place = { item, x, top: y + BLOCK + 9 - height, room, step, height };
    draw(group, "rect", { class: "attn-reach", x: px(x - 6), y: px(place.top), width: px(room + 12), height });
    places.push(place);
  };

  /** Every pair of a query and a key as a cell; those that the sum makes are filled. */
  const paintPairs = (group, [queries, keys], [x, y], room, made) => {
    const cell = Math.min(8, (room - 11) / Math.max(queries, keys));
    const [left, top] = [x + 11, y + 6];
    draw(group, "text", { class: "attn-axis-name", x: px(x), y: px(top + 9) }, "Q");
    draw(group, "text", { class: "attn-axis-name", x: px(left), y: px(top - 3) }, "K");
    for (let q = 0; q < queries; q++) {
      for (let k = 0; k < keys; k++) {
        draw(group, "rect", { class: made(q, k), x: px(left + k * cell), y: px(top + q * cell), width: px(cell - 0.8), height: px(cell - 0.8) });
      }
    }
  };

  return {
    paint(view, state) {
      for (const [tables, paintTable] of [[ladders, paintLadder], [matrices, paintMatrix]]) {
        for (const table of tables) {
          const part = view.parts[table.dataset.part];
          if (part) paintTable(table, part, words.frame);
        }
      }
      const { tensors, sign, stops, wrong } = view.parts.blocks;
      const now = JSON.stringify([width, state.p, state.i, view.parts.blocks]);
      if (!width || now === drawn) return;
      drawn = now;
      const here = `${state.p} ${state.i} ${state.un}`;
      const stepped = line !== "" && line !== here;
      line = here;
      const narrow = width < NARROW;
      const { left, row, lower, name: baseline } = narrow ? ABOVE : BEFORE;
      const column = (width - left) / COLUMNS;
      const room = column - SPACE;
      const step = Math.min(BLOCK + 3, room / MOST);
      const silent = wrong.length > 0 && !stops;
      svg.replaceChildren();
      places = [];
      const lines = draw(svg, "g", { class: stepped ? "attn-stepped" : "" });
      const { code, at } = view.parts[state.p];
      draw(lines, "text", { class: "attn-code-line", x: 0, y: 12 }, code[at]);
      tensors.forEach(({ name, axes }, t) => {
        const y = TOP + t * row;
        const result = t === tensors.length - 1 && !stops;
        if (result) draw(lines, "path", { class: "attn-axis-line", d: `M0 ${y - 4}H${px(width)}` });
        const before = result ? "= " : t > 0 && sign ? `${sign} ` : "";
        const fault = result && silent;
        const tag = draw(lines, "text", { class: "attn-tag", y: y + baseline - (fault && !narrow ? 14 : 0) }, before + name);
        if (fault) draw(tag, "tspan", { class: "attn-wrong", ...(narrow ? { dx: 10 } : { x: 0, dy: 15 }) }, sentences.silent);
        const place = { y: y + lower + 16, room, step, height: row - 6 };
        for (const [letter, size, stretched, c] of axes) {
          const item = state.n ? SIZES.slice(0, state.n.length).indexOf(letter) : -1;
          const shown = narrow ? letter.replaceAll(" ", "") : letter;
          paintAxis(lines, `${shown} ${size}`, [size, stretched], { ...place, x: left + c * column, item }, wrong.includes(c));
        }
        if (axes.length === 0) paintAxis(lines, sentences.scalar, [1, 1], { ...place, x: left, item: -1 }, false);
      });
      if (silent) {
        // In the first column, which is empty.
        const [, count] = tensors[0].axes.find(([, , , c]) => c === wrong[0]);
        const x = narrow ? 16 : left; // beside the sign of the sum
        paintPairs(lines, [count, count], [x, TOP + lower], column - SPACE - x + left, (q, k) => (q === k ? "attn-pair-made" : "attn-pair-none"));
        fill(sentences.grid, view.slots).split("\n").forEach((text, i) => {
          draw(lines, "text", { class: "attn-pairs", x: px(left), y: TOP + 2 * row + lower + 12 + 14 * i }, text);
        });
      } else if (sign === "+" && !stops) {
        const pairs = tensors.at(-1).axes.filter(([letter]) => letter === "Q" || letter === "K").map(([, size]) => size);
        // Beside the code or the names. Without unsqueeze a single query has no axis of its own.
        const [x, y, beside] = narrow ? [width - 46, 5, 44] : [26, TOP, left - 32];
        if (pairs.length === 2) paintPairs(lines, pairs, [x, y], beside, () => "attn-pair-summed");
      }
      if (stops) {
        const y = TOP + tensors.length * row;
        draw(lines, "path", { class: "attn-axis-line", d: `M0 ${y - 4}H${px(width)}` });
        draw(lines, "text", { class: "attn-tag attn-wrong", x: 0, y: y + 28 }, `= ✗ ${sentences.stops}`);
      }
    },
    grabs: [
      ...[...ladders].map((ladder) => () => ({
        surface: ladder,
        tap(_, y) {
          const rows = [...ladder.tBodies[0].rows];
          const line = rows.findLastIndex(({ offsetTop }) => offsetTop <= y);
          return line < 0 ? null : { i: line + 1 };
        },
      })),
      ({ state }) => ({
        surface: stage,
        near: NEAR,
        measure(x, y) {
          const axis = places.find((axis) => x > axis.x - 6 && x < axis.x + axis.room + 6 && y > axis.top && y < axis.top + axis.height);
          if (!axis) return null;
          const end = endOf(axis, state());
          return { ...axis, start: Math.abs(x - end) <= NEAR ? end : x };
        },
        twin: ({ item }) => ["n", item],
        at: (now, axis) => [endOf(axis, now), 0],
        settings(x, _, axis) {
          const place = axis.start + (x - axis.start) * Math.min(1, axis.step / PACE);
          return { n: state().n.with(axis.item, Math.ceil((place - axis.x) / axis.step)) };
        },
      }),
    ],
  };
}

/** The middle of the last block of an axis. */
function endOf({ item, x, step }, { n }) {
  return x + (n[item] - 0.5) * step;
}
