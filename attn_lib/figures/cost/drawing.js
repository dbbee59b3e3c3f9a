// Figure `cost`, to see and to grab: the table of weights as a square, in which only what is in memory is filled; a
// block of queries sweeps over it, and its edge is dragged. Beside it the row of bark, with what is kept of it.

import { chart } from "../../frontend/chart.js";
import { formatNumber } from "../../frontend/format.js";
import { draw, px, put, reveal, say } from "../../frontend/svg.js";

const CELL = 46;

/** @type {import("../../frontend/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const { words: names, scores } = declaration.data;
  const said = words.sentences;
  const { values } = declaration.controls.find(({ key }) => key === "t");
  const [least] = declaration.controls.find(({ key }) => key === "n").values;
  const stage = figure.querySelector(".attn-body .attn-stage");
  const plot = chart(stage, {
    x: [0, 1],
    y: [0, 1],
    pad: { left: 30, right: 0, top: 24, bottom: 8 },
    resized: repaint,
  });
  const { svg } = plot;
  const kept = draw(svg, "rect", { class: "attn-kept" });
  const margin = draw(svg, "rect", { class: "attn-kept" });
  const square = draw(svg, "rect", { class: "attn-absent" });
  const smallest = draw(svg, "rect", { class: "attn-hairline" });
  const block = draw(svg, "rect", { class: "attn-block" });
  const tile = draw(svg, "rect", { class: "attn-tile" });
  const across = draw(svg, "text", { class: "attn-middle" });
  const down = draw(svg, "text", { class: "attn-middle" });
  const row = draw(svg, "g");
  draw(row, "text", { class: "attn-name attn-from", x: 0, y: 14 }, said.row);
  const cells = names.map((name, j) => {
    const x = j * CELL;
    draw(row, "text", { class: "attn-middle", x: x + CELL / 2, y: 42 }, name);
    return {
      box: draw(row, "rect", { x, y: 50, width: CELL, height: 34 }),
      text: draw(row, "text", { class: "attn-middle", x: x + CELL / 2, y: 72 }, formatNumber(scores[j], 0)),
    };
  });
  const lines = ["m", "s", "o", "page"].map((name, i) => ({
    name: draw(row, "text", { class: "attn-name attn-from" }, name === "page" ? "o ÷ s" : name),
    text: draw(row, "text", { class: `attn-name attn-from ${i < 3 ? "attn-plain" : ""}` }),
  }));
  const knob = document.createElement("span");
  knob.className = "attn-handle attn-hue-query";
  knob.setAttribute("aria-hidden", "true"); // The slider of T is its twin.
  stage.append(knob);
  let held = { left: 0, top: 0, side: 0, from: 0 };

  const at = () => [held.left + held.side / 2, held.top + (held.from + held.block) * held.side];
  const edge = () => ({
    surface: stage,
    knob,
    twin: ["t", 0],
    at,
    settings: (_, y) => ({ t: nearest(((y - held.top) / held.side - held.from) * held.n, values) }),
    follow() {
      const [x, y] = at();
      knob.style.transform = `translate(${px(x)}px, ${px(y)}px)`;
      knob.hidden = !held.block;
    },
  });

  return {
    paint(view, state) {
      if (!plot.width) return;
      const { done, block: height, tile: width } = view.parts.table;
      const room = plot.height - 32;
      const side = plot.narrow ? Math.min(plot.width - 60, 196) : room;
      const left = plot.narrow ? (plot.width - side) / 2 : Math.max(30, plot.width / 2 - side - 40);
      const top = 24;
      held = { left, top, side, from: done, block: height, n: state.n };
      const place = (rect, x, y, w, h) => put(rect, { x: px(x), y: px(y), width: px(w), height: px(h) });
      place(square, left, top, side, side);
      // The smallest table beside the present one, both to scale: n words have n² weights.
      place(smallest, left, top, (least / state.n) * side, (least / state.n) * side);
      reveal(smallest, state.n > least);
      place(kept, left, top, side, state.mode === "train" ? done * side : 0);
      // What the kernel keeps is drawn to scale: 65 numbers a row beside n.
      place(margin, left + side + 6, top, Math.max(2, (65 / state.n) * side), state.mode === "kernel" ? done * side : 0);
      place(block, left, top + done * side, side, height * side);
      place(tile, left + Math.floor(0.5 / width) * width * side, top + done * side, width * side, height * side);
      reveal(block, height > 0);
      reveal(tile, height > 0 && state.mode === "kernel");
      put(across, { x: px(left + side / 2), y: 16 });
      say(across, said.keys.replace("{n}", String(state.n)));
      put(down, { transform: `translate(${px(left - 10)} ${px(top + side / 2)}) rotate(-90)` });
      say(down, said.queries.replace("{n}", String(state.n)));

      const x = plot.narrow ? (plot.width - 4 * CELL) / 2 : left + side + 72;
      put(row, { transform: `translate(${px(x)} ${plot.narrow ? side + 44 : 24})` });
      cells.forEach(({ box, text }, j) => {
        put(box, { class: j < state.j ? "attn-read" : "attn-absent" });
        put(text, { class: j < state.j ? "attn-middle" : "attn-middle attn-faint" });
      });
      lines.forEach(({ name, text }, i) => {
        // On a phone two and two stand side by side.
        const [column, line] = plot.narrow ? [i % 2, i >> 1] : [0, i];
        put(name, { x: column * 110, y: 108 + 24 * line });
        put(text, { x: column * 110 + (plot.narrow ? 44 : 64), y: 108 + 24 * line });
      });
      const [[, m, s, o, page]] = view.parts.kept.rows;
      [m, s, o, page].forEach((number, i) => say(lines[i].text, formatNumber(number, [0, 4, 2, 2][i])));
      edge().follow();
    },
    grabs: [edge],
  };
}

/** The value nearest to a number of queries, by ratio. */
function nearest(queries, values) {
  const far = (value) => Math.abs(Math.log(value / Math.max(1, queries)));
  return values.reduce((best, value) => (far(value) < far(best) ? value : best));
}
