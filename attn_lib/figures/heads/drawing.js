// Figure `heads`, to see and to press: the features that the pressed word shares with the others light up, and
// its row stands out in every head.

/** @type {import("../../frontend/live.js").Mount} */
export function mount(figure) {
  const split = figure.querySelector(".attn-body .attn-split");
  const cells = [...split.querySelectorAll('[data-part="features"] .attn-value')];
  return {
    paint(view, state) {
      const pair = view.parts.pair ? view.parts.pair.key + 1 : "";
      Object.assign(split.dataset, { cut: state.h, query: state.q, pair });
      view.parts.features.shared.flat().forEach((lit, i) => cells[i].classList.toggle("attn-lit", lit));
    },
    grabs: [...split.querySelectorAll('[data-part="features"], [data-view="heatmap"]')].map(rows),
  };
}

/** The rows of a table: a press makes the word of a row the query, and a drag goes on to other rows. */
function rows(table) {
  return () => ({
    surface: table,
    upright: true,
    measure() {
      const body = table.tBodies[0].getBoundingClientRect();
      return { first: body.top - table.getBoundingClientRect().top, height: body.height / 4 };
    },
    at: () => [NaN, NaN], // no single thing to take hold of
    settings: (_, y, layout) => ({ q: String(Math.min(4, Math.max(1, placeOf(y, layout)))) }),
    tap(_, y, __, layout) {
      const place = placeOf(y, layout);
      return place >= 1 && place <= 4 ? { q: String(place) } : null;
    },
  });
}

function placeOf(y, { first, height }) {
  return Math.floor((y - first) / height) + 1;
}
