// Figure `shapes`, to see and to grab: below a line of code every axis is a row of blocks, and the last block can be
// dragged; a press on another line goes there. Tensors stand below each other, an axis in one column with those that it
// meets; an axis of size 1 is stretched by dashed blocks, which are stored nowhere. In the result an axis that the line
// made has a frame, and one that goes away leaves its place, struck through. Where queries and keys are added, a grid
// has a cell for each pair. A row of blocks is one path: a move changes its data, and no node comes or goes.

import { onSize } from "../../front/chart.js";
import { fill } from "../../front/numbers.js";
import { bringIntoView } from "../../front/scroll.js";
import { patch, vnode } from "../../front/vdom.js";
import { draw, px } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { paintLadder } from "./ladder.js";
import { paintMatrix } from "./matrix.js";

const COLUMNS = 4;
const WIDE = 15; // a block, at most
const MOST = 10; // blocks that a column has room for; of more, the column beside them is empty
const SPACE = 8; // between two columns
const NARROW = 406; // the drawing of a figure that style.css takes to be on a phone
// A tensor's name stands before its axes, where that leaves them room, or on a line above them. The grid of a sum has
// room of its own: before the names, or in the upper right corner, below which the rows begin (`under`); `cell` is its
// cell, `gap` is between two rows, and `foot` is kept free below the result. Blocks are as high as the rest allows.
const BEFORE = { left: 152, top: 30, under: 30, lower: 0, name: 28, cell: 8, gap: 20, foot: 11 };
const ABOVE = { left: 0, top: 24, under: 74, lower: 15, name: 9, cell: 7, gap: 12, foot: 4 };
const LAST = 2; // the row of the result, however many go in
const PACE = 12; // a finger goes at least so many pixels from one size to the next, however thin the blocks are
const NEAR = 12;
// The axes that have a slider, in its order.
const SIZES = ["B", "Q", "K", "U"];

// The first line that each switch changes: unsqueeze, squeeze.
const SWITCHED = [2, 7];

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { words, repaint }) {
  const stage = figure.querySelector(".attn-body .attn-stage");
  const where = figure.querySelector(".attn-body .attn-where");
  /** @type {NodeListOf<HTMLTableElement>} */
  const ladders = figure.querySelectorAll(".attn-body [data-ladder]");
  /** @type {NodeListOf<HTMLTableElement>} */
  const matrices = figure.querySelectorAll(".attn-body [data-matrix]");
  const sliders = figure.querySelector(".attn-body .attn-sizes");
  const svg = draw(stage, "svg", { class: "attn-drawing", "aria-hidden": "true" });
  const { sentences } = words;
  let [width, tall, drawn, line] = [0, 0, "", ""];
  /** @type {import("../../front/vdom.js").VNode | null} */
  let shown = null;
  /** Where the axes lie that can be dragged. @type {Record<"item" | "x" | "top" | "room" | "step" | "height", number>[]} */
  let places = [];
  onSize(stage, (wide, high) => {
    [width, tall] = [wide, high];
    repaint();
  });

  /** One axis: its name, and a row of blocks; a frame round them if the line made it. */
  const paintAxis = (lines, name, /** @type {number[]} */ [size, stretched], { x, y, deep, room, step, height, item, wrong, made }) => {
    const group = vnode(lines, "g");
    const wide = 0.78 * step;
    const look = (made ? " attn-made" : "") + (wrong ? " attn-wrong" : "");
    vnode(group, "text", { class: `attn-axis-name${look}`, x: px(x), y: px(y - 7) }, name);
    const block = boxes(wide, deep);
    const row = (from, to) => Array.from({ length: to - from }, (_, i) => block(x + (from + i) * step, y)).join("");
    vnode(group, "path", { class: wrong ? "attn-block attn-wrong" : "attn-block", d: row(0, size) });
    // What is not there is empty: a node that came as an axis reaches 1 would have the whole figure styled anew.
    const repeated = stretched > size ? "attn-block attn-repeated" : "";
    vnode(group, "path", { class: repeated, d: row(size, stretched) });
    // Where the frame ends, as far from the blocks as it begins.
    const end = size * step - (step - wide) + 2.5;
    const frame = made ? { class: "attn-frame", width: px(end + 2.5), height: px(deep + 5) } : { class: "", width: 0, height: 0 };
    vnode(group, "rect", { ...frame, x: px(x - 2.5), y: px(y - 2.5) });
    if (item < 0) return;
    vnode(group, "rect", { class: "attn-grip", x: px(x + end - 1.5), y: px(y - 3), width: 3, height: px(deep + 6), rx: 1.5 });
    const place = { item, x, top: y + deep + 9 - height, room, step, height };
    vnode(group, "rect", { class: "attn-reach", x: px(x - 6), y: px(place.top), width: px(room + 12), height });
    places.push(place);
  };

  /** The place of an axis that goes away, struck through as its name is. */
  const paintGone = (group, letter, size, { x, y, deep, step, wrong }) => {
    // Struck through, a dot before a number would read as its sign.
    const name = letter === "·" ? String(size) : `${letter} ${size}`;
    const look = wrong ? "attn-gone attn-wrong" : "attn-gone";
    const wide = (Math.min(size, MOST) - 0.22) * step;
    vnode(group, "text", { class: `attn-axis-name ${look}`, x: px(x), y: px(y - 7) }, name);
    const strike = `M${px(x - 3)} ${px(y + deep / 2)}h${px(wide + 6)}`;
    vnode(group, "path", { class: look, d: boxes(wide, deep)(x, y) + strike });
  };

  /** Every pair of a query and a key as a cell, from its corner; those that the sum makes are filled. */
  const paintPairs = (lines, /** @type {number[]} */ [queries, keys], /** @type {number[]} */ [left, top], cell, look) => {
    const group = vnode(lines, "g");
    vnode(group, "text", { class: "attn-axis-name", x: px(left - 11), y: px(top + 9) }, "Q");
    vnode(group, "text", { class: "attn-axis-name", x: px(left), y: px(top - 3) }, "K");
    const box = boxes(cell - 1, cell - 1);
    const paths = {};
    for (let q = 0; q < queries; q++) {
      for (let k = 0; k < keys; k++) paths[look(q, k)] = (paths[look(q, k)] ?? "") + box(left + k * cell, top + q * cell);
    }
    for (const [name, d] of Object.entries(paths)) vnode(group, "path", { class: name, d });
  };

  /** A program stops at its first error, whatever line was asked for: the field says so, and there is no next line. */
  const stopAt = ({ at, failed, code }, { p, i }) => {
    const count = where?.querySelector("[data-control]:not([hidden]) .attn-count");
    if (!count) return;
    const [field, next] = [count.querySelector("input"), count.querySelector("button")];
    next.disabled = failed && at + 1 < code.length;
    if (at + 1 === i) return;
    field.value = String(at + 1);
    setText(next, words.controls[`i_${p}`].next);
  };

  /** A slider whose axis is not in the line is dimmed, as is a switch of later lines: they change other lines only. */
  const dim = (axes, at) => {
    const items = sliders?.querySelectorAll("[data-control]:not([hidden]) > .attn-item") ?? [];
    items.forEach((item, i) => item.classList.toggle("attn-elsewhere", items.length > 1 && axes.every(([letter]) => letter !== SIZES[i])));
    where?.querySelectorAll("[data-control]:nth-last-child(-n + 2)").forEach((item, i) => item.classList.toggle("attn-elsewhere", at + 1 < SWITCHED[i]));
  };

  return {
    paint(view, state) {
      stopAt(view.parts[state.p], state);
      const partOf = (/** @type {HTMLElement} */ table) => view.parts[table.dataset.part];
      for (const table of ladders) if (partOf(table)) paintLadder(table, partOf(table));
      for (const table of matrices) if (partOf(table)) paintMatrix(table, partOf(table), words.frame);
      const { tensors, sign, stops, wrong, made, gone, lost } = view.parts.blocks;
      const now = JSON.stringify([width, state.p, state.i, view.parts.blocks]);
      if (!width || now === drawn) return;
      drawn = now;
      const here = `${state.p} ${state.i} ${state.un}`;
      const stepped = line !== "" && line !== here;
      line = here;
      const narrow = width < NARROW;
      const layout = narrow ? ABOVE : BEFORE;
      const { left, lower, name: baseline, cell, gap, foot } = layout;
      const top = sign === "+" ? layout.under : layout.top;
      const row = (tall - top - foot + gap) / (LAST + 1);
      const deep = row - gap - lower - 16;
      // What goes in alone stands between the code and the result.
      const alone = tensors.length === (stops ? 1 : 2);
      const rowOf = (t) => (t === tensors.length - 1 && !stops ? LAST : alone ? 0.5 : t);
      const column = (width - left) / COLUMNS;
      const silent = wrong.length > 0 && !stops;
      const all = tensors.flatMap(({ axes }) => axes);
      const { code, at } = view.parts[state.p];
      const shared = state.un === "0" && at > 0;
      // Each slider stands below its axis. Where queries and keys lie in one column, all stay where they are.
      const keys = all.findLast(([letter]) => letter === "K")?.[3] ?? 2;
      sliders?.style.setProperty("--keys", 1 + (shared ? 2 : keys));
      // One that is lost is what mends the error.
      dim([...all, ...lost], at);
      // Without unsqueeze a single query has no axis of its own.
      const paired = sign === "+" && (wrong.length > 0 || !shared);
      places = [];
      // Before the axes a name ends beside them.
      const [side, named] = narrow ? [0, "attn-tag"] : [left - 12, "attn-tag attn-end"];
      const drawing = vnode(null, "svg");
      const lines = vnode(drawing, "g", { class: stepped ? "attn-stepped" : "" });
      vnode(lines, "text", { class: "attn-code-line", x: 0, y: 12 }, code[at]);
      tensors.forEach(({ name, axes }, t) => {
        const y = top + rowOf(t) * row;
        const result = t === tensors.length - 1 && !stops;
        const before = result ? "= " : t > 0 && sign ? `${sign} ` : "";
        const tag = vnode(lines, "text", { class: named, x: side, y: px(y + baseline) }, before + name);
        if (result && silent) vnode(tag, "tspan", { class: "attn-wrong", dx: 8 }, sentences.silent);
        const placeOf = (c) => {
          // One axis for queries and keys takes the columns of both, above the slider of each.
          const joined = shared && (c === 1 || c === 2);
          const columns = joined && c === 2 ? 2 : 1;
          const room = columns * column - SPACE;
          const step = Math.min(columns * (WIDE + 3), room / MOST);
          const marks = { wrong: wrong.includes(c), made: result && made.includes(c) };
          return { x: left + (joined ? c - 1 : c) * column, y: y + lower + 16, deep, room, step, height: row - 6, ...marks };
        };
        for (const [letter, size, stretched, c] of axes) {
          const item = state.n ? SIZES.slice(0, state.n.length).indexOf(letter) : -1;
          paintAxis(lines, `${letter} ${size}`, [size, stretched], { ...placeOf(c), item });
        }
        for (const [letter, c] of t === 0 ? lost : []) paintGone(lines, letter, 1, { ...placeOf(c), wrong: stops });
        for (const c of result ? gone : []) {
          const [letter, size] = all.find((axis) => axis[3] === c);
          paintGone(lines, letter, size, { ...placeOf(c), wrong: wrong.includes(c) });
        }
        if (!result || !alone) return;
        // What stays is joined across the line, also where it changes its place.
        for (const [letter, , , to] of axes) {
          const from = tensors[0].axes.find(([name]) => name === letter)?.[3];
          if (from === undefined) continue;
          const start = top + row / 2 + lower + 21 + deep;
          vnode(lines, "path", { class: "attn-stays", d: `M${px(placeOf(from).x + 6)} ${px(start)}L${px(placeOf(to).x + 6)} ${px(y - 4)}` });
        }
      });
      if (shared && sign === "+") {
        vnode(lines, "text", { class: "attn-aligned", x: left, y: narrow ? 28 : 12 }, sentences.aligned);
      }
      if (paired) {
        const [x, y] = narrow ? [width - MOST * cell, 13] : [11, top + 5];
        const pairs = ["Q", "K"].map((letter) => all.find(([name]) => name === letter)[1]);
        paintPairs(lines, pairs, [x, y], cell, (q, k) => (!shared ? "attn-pair-summed" : silent && q === k ? "attn-pair-made" : "attn-pair-none"));
        const look = shared ? "attn-pairs attn-wrong" : "attn-pairs";
        const below = narrow ? 62 : y + MOST * cell + 20;
        vnode(lines, "text", { class: look, x: 0, y: px(below) }, fill(sentences.grid, view.slots));
        vnode(lines, "text", { class: "attn-pairs-of", x: 0, y: px(below + (narrow ? -18 : 17)) }, sentences.grid_of);
      }
      const y = top + LAST * row;
      if (stops) vnode(lines, "text", { class: `${named} attn-wrong`, x: side, y: px(y + baseline) }, `= ✗ ${sentences.stops}`);
      // Midway between what goes in and what comes out.
      const ruled = y + (3 - gap) / 2;
      vnode(lines, "path", { class: "attn-axis-line", d: `M${px(left)} ${px(ruled)}H${px(width)}` });
      // A step is shown by an animation, which begins with nodes that are new.
      if (stepped) svg.replaceChildren();
      patch(svg, stepped ? null : shown, drawing);
      shown = drawing;
    },
    grabs: [
      ...[...ladders].map((ladder) => () => ({
        surface: ladder,
        tap(_, y) {
          const rows = [...ladder.tBodies[0].rows];
          const line = rows.findLastIndex(({ offsetTop }) => offsetTop <= y);
          if (line < 0) return null;
          // On a phone the drawing of a line that is pressed may lie above the window.
          bringIntoView(stage);
          return { i: line + 1 };
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
        slider: ({ item }) => ["n", item],
        at: (now, axis) => [endOf(axis, now), 0],
        settings(x, _, axis) {
          const place = axis.start + (x - axis.start) * Math.min(1, axis.step / PACE);
          return { n: state().n.with(axis.item, Math.ceil((place - axis.x) / axis.step)) };
        },
      }),
    ],
  };
}

/** The path of a box of this size, by its corner. */
function boxes(wide, high) {
  const sides = `h${px(wide)}v${px(high)}h${px(-wide)}z`;
  return (x, y) => `M${px(x)} ${px(y)}${sides}`;
}

/** The middle of the last block of an axis. */
function endOf({ item, x, step }, { n }) {
  return x + (n[item] - 0.5) * step;
}
