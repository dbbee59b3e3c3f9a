// Figure `shapes`, to see: every axis is a row of blocks. Tensors stand below each other, an axis in one column
// with those that it meets; an axis of size 1 is stretched by dashed blocks, which are stored nowhere.

import { onSize } from "../../frontend/chart.js";
import { draw, px } from "../../frontend/svg.js";
import { paintLadder } from "./ladder.js";
import { paintMatrix } from "./matrix.js";

const [COLUMNS, ROW, TOP, BLOCK] = [4, 46, 8, 15];

/** @type {import("../../frontend/live.js").Mount} */
export function mount(figure, { words, repaint }) {
  const stage = figure.querySelector(".attn-body .attn-stage");
  const ladders = figure.querySelectorAll(".attn-body [data-ladder]");
  const matrices = figure.querySelectorAll(".attn-body [data-matrix]");
  const svg = draw(stage, "svg", { class: "attn-drawing", "aria-hidden": "true" });
  let [width, drawn, line] = [0, "", ""];
  onSize(stage, (wide) => {
    width = wide;
    repaint();
  });

  /** One axis: its letter and size, and a row of blocks as wide as its column allows. */
  const paintAxis = (group, [letter, size, stretched], x, y, room, wrong) => {
    const step = Math.min(BLOCK + 3, room / Math.max(stretched, 10));
    const wide = Math.max(1.5, step - (step > 5 ? 3 : 0.8));
    draw(group, "text", { class: `attn-axis-name${wrong ? " attn-wrong" : ""}`, x: px(x), y: px(y + 11) }, `${letter} ${size}`);
    for (let i = 0; i < stretched; i++) {
      const kind = i < size ? "attn-block" : "attn-block attn-repeated";
      draw(group, "rect", { class: wrong ? `${kind} attn-wrong` : kind, x: px(x + i * step), y: px(y + 16), width: px(wide), height: BLOCK, rx: Math.min(2, wide / 4) });
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
      const now = JSON.stringify([width, view.parts.blocks]);
      if (!width || now === drawn) return;
      drawn = now;
      const here = `${state.p} ${state.i} ${state.un}`;
      const stepped = line !== "" && line !== here;
      line = here;
      const left = width < 430 ? 66 : 92;
      const column = (width - left) / COLUMNS;
      svg.replaceChildren();
      const lines = draw(svg, "g", { class: stepped ? "attn-stepped" : "" });
      tensors.forEach(({ name, axes }, t) => {
        const y = TOP + t * ROW;
        const result = t === tensors.length - 1 && !stops;
        if (result) draw(lines, "path", { class: "attn-axis-line", d: `M0 ${y - 4}H${px(width)}` });
        const before = result ? "= " : t > 0 && sign ? `${sign} ` : "";
        draw(lines, "text", { class: "attn-tag", x: 0, y: y + 28 }, before + name);
        for (const axis of axes) {
          paintAxis(lines, axis, left + axis[3] * column, y, column - 12, wrong.includes(axis[3]));
        }
      });
      if (stops) {
        const y = TOP + tensors.length * ROW;
        draw(lines, "path", { class: "attn-axis-line", d: `M0 ${y - 4}H${px(width)}` });
        draw(lines, "text", { class: "attn-tag attn-wrong", x: 0, y: y + 28 }, `= ✗ ${words.sentences.stops}`);
      }
    },
  };
}
