// Figure `heads`, to see and to press: the features that the pressed word shares with the others light up, and
// its row stands out in every head.

import { fill } from "../../front/numbers.js";
import { setText } from "../../front/text.js";

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { words }) {
  const split = figure.querySelector(".attn-body .attn-split");
  const cells = [...split.querySelectorAll('[data-part="features"] .attn-value')];
  const chosen = figure.querySelector('.attn-body [data-key="k"][value="0"] + span');
  return {
    paint(view, state) {
      const pair = view.parts.pair ? view.parts.pair.key + 1 : "";
      Object.assign(split.dataset, { cut: state.h, query: state.q, pair });
      view.parts.features.shared.flat().forEach((lit, i) => cells[i].classList.toggle("attn-lit", lit));
      // The word that the figure takes is named where it could be chosen.
      const { key } = view.slots;
      if (chosen) setText(chosen, key && state.k === "0" ? fill(words.sentences.automatic, { key }) : words.controls.k.options[0]);
    },
    grabs: [...split.querySelectorAll('[data-part="features"], .attn-head [data-view="heatmap"]')].map(pairs),
  };
}

/**
 * A press makes the word of a row the query, in a head also that of a column the key; a drag goes on to other cells.
 * What is left of the columns, and features, leave the key to the figure.
 */
function pairs(table) {
  const isHead = table.dataset.view === "heatmap";
  const settings = (x, y, { left, width, top, height }) => ({
    q: String(Math.min(4, Math.max(1, Math.floor((y - top) / height) + 1))),
    k: isHead ? String(Math.min(4, Math.max(0, Math.floor((x - left) / width) + 1))) : "0",
  });
  return () => ({
    surface: table,
    upright: true,
    slider: ["k", 0],
    measure() {
      const box = table.getBoundingClientRect();
      const body = table.tBodies[0].getBoundingClientRect();
      const { left } = table.tBodies[0].rows[0].cells[1].getBoundingClientRect();
      const scale = box.width / table.offsetWidth;
      return {
        left: (left - box.left) / scale,
        width: (body.right - left) / scale / 4,
        top: (body.top - box.top) / scale,
        height: body.height / scale / 4,
      };
    },
    settings,
    tap: (x, y, _, layout) => (y >= layout.top && y < layout.top + 4 * layout.height ? settings(x, y, layout) : null),
  });
}
