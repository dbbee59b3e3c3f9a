// Figure `mask`, to see and to grab: the bars of exp(score), and a wall behind the last valid key. With one
// length for each example a wall runs through both queries; else each query has its own.

import { wall } from "../../front/grab.js";
import { formatWeight } from "../../front/numbers.js";
import { paintNumber } from "../../front/cell.js";
import { eachCell } from "../../front/heatmap.js";
import { paintOnScreen } from "../../front/deferred.js";
import { setAttributes } from "../../front/svg.js";
import { hide, setText } from "../../front/text.js";

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { words }) {
  const strips = [...figure.querySelectorAll(".attn-body [data-example], .attn-body [data-query]")];
  const walls = strips.map((strip) => strip.querySelector(":scope > .attn-wall"));
  const tables = [...figure.querySelectorAll(".attn-body .attn-steps")].map((table) => {
    const [bars, weights] = ["exps", "weights"].map((part) => table.querySelector(`[data-part="${part}"]`));
    return { table, bars, weights };
  });
  return {
    paint(view, state) {
      for (const { table, bars, weights } of tables) {
        paintOnScreen(table, () => {
          paintBars(bars, view.parts.exps, words.frame);
          paintDeleted(weights, view.parts.weights.deleted[weights.dataset.first]);
        });
      }
      strips.forEach((strip, i) => hide(walls[i], state.dim !== dimOf(strip)));
    },
    grabs: strips.map((strip) => {
      return wall(strip, "len", Number(strip.dataset.example ?? strip.dataset.query), { dim: dimOf(strip) });
    }),
  };
}

function dimOf(strip) {
  return strip.dataset.example === undefined ? "2" : "1";
}

/** Above the 0 in a cell, struck out, what was there before it was deleted. */
function paintDeleted(row, deleted) {
  row.querySelectorAll(".attn-weight").forEach((cell, j) => {
    cell.classList.toggle("attn-deleted", deleted[j] > 0);
    setAttributes(cell, { "data-deleted": deleted[j] > 0 ? formatWeight(deleted[j]) : "" });
  });
}

function paintBars(row, part, words) {
  eachCell(row, part, (cell, value, masked) => {
    const [bar, lift] = [cell.querySelector("i"), cell.querySelector(".attn-lift")];
    // Not by a custom property: a browser would work out the style of both anew.
    bar.style.transform = `scaleY(${(value ?? 0).toFixed(4)})`;
    lift.style.transform = `translateY(${(-100 * (value ?? 0)).toFixed(2)}%)`;
    paintNumber(cell, value, formatWeight(value));
    return masked ? words.masked : "";
  });
  setText(row.querySelector(".attn-total > .attn-number"), part.notes[row.dataset.first]);
}
