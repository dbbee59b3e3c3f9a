// Figure `additive`, to see and to grab: for each hidden unit the curve of tanh, the query on its axis, and from
// there the step of each word: its run, dashed, and its rise, solid. The query is dragged in either unit.

import { axes, chart } from "../../frontend/chart.js";
import { draw, path, put, px, reveal, tint } from "../../frontend/svg.js";

// Where the words can stand for every query of the slider.
const ENDS = [-8.5, 9.5];
// The heights from end to end, with room for words and for the knob, and those that are labelled.
const HEIGHTS = { after: [-2.1, 1.5], before: [-3.4, 2.5], none: [-15, 11] };
const LABELLED = { after: [-1, 0, 1], before: [-2, -1, 0, 1, 2], none: [-8, 0, 8] };
const STEP = 0.1;
const MINUS = "\u2212";
const RADIUS = 7;
// So close to a word's dot, in pixels, the query's stem would cross its name.
const NEAR = 12;
// Half a dot for each of two words in one place: the first above, the second below.
const WHOLE = `M${-RADIUS} 0A${RADIUS} ${RADIUS} 0 0 1 ${RADIUS} 0A${RADIUS} ${RADIUS} 0 0 1 ${-RADIUS} 0Z`;
const UPPER = `M${-RADIUS} 0A${RADIUS} ${RADIUS} 0 0 1 ${RADIUS} 0Z`;
const LOWER = `M${-RADIUS} 0A${RADIUS} ${RADIUS} 0 0 0 ${RADIUS} 0Z`;

/** @type {import("../../frontend/live.js").Mount} */
export function mount(figure, { declaration, repaint }) {
  const stages = [...figure.querySelectorAll(".attn-body .attn-units [data-unit]")];
  const units = stages.map((stage, u) => unit(stage, u, declaration.data, repaint));
  return {
    paint(view, state) {
      for (const one of units) one.paint(view, state);
    },
    grabs: units.map(({ grab }) => grab),
  };
}

function unit(stage, u, { words, W_q }, repaint) {
  let mode = "";
  const plot = chart(stage, {
    x: ENDS,
    y: [0, 1],
    pad: { left: 28, right: 14, top: 6, bottom: 22 },
    resized() {
      mode = ""; // Axes and curve are drawn anew.
      repaint();
    },
  });
  const { svg } = plot;
  const ghost = draw(svg, "path", { class: "attn-hairline attn-ghost" });
  const curve = draw(svg, "path", { class: "attn-stroke" });
  const query = draw(svg, "g", { class: "attn-hue-query" });
  const line = draw(query, "path", { class: "attn-marker attn-query-stem" });
  const lift = draw(query, "path", { class: "attn-hue-line attn-dash-6" });
  const knob = draw(query, "circle", { class: "attn-hue-fill", r: RADIUS });
  const steps = words.map((word) => {
    const group = draw(svg, "g", { class: "attn-hue-key" });
    return {
      run: draw(group, "path", { class: "attn-hue-line attn-run" }),
      rise: draw(group, "path", { class: "attn-hue-line attn-rise" }),
      dot: draw(group, "path", { class: "attn-dot attn-tint" }),
      name: draw(group, "text", { class: "attn-tag" }, word),
    };
  });
  // The query is (1, 0, t), so its place in a unit is a line in t.
  const [at0, , slope] = W_q[u];
  const foot = draw(svg, "text", { class: "attn-tag attn-hue-query" }, at0 ? `${at0} ${slope < 0 ? MINUS : "+"} t` : "t");

  function paint(view, state) {
    if (!plot.width) return;
    const { rows, query: queries, runs, base } = view.parts.heights;
    const [weights] = view.parts.weights.rows;
    const [low, high] = HEIGHTS[state.tanh];
    const { X, bottom, narrow } = plot;
    const share = (/** @type {number} */ height) => (height - low) / (high - low);
    const Y = (/** @type {number} */ height) => plot.Y(share(height));
    const early = state.tanh === "before";
    if (mode !== state.tanh) {
      mode = state.tanh;
      axes(plot, {
        x: narrow ? [-8, -4, 0, 4, 8] : [-8, -6, -4, -2, 0, 2, 4, 6, 8],
        y: LABELLED[mode].map(share),
        xText: minus,
        yText: (place) => minus(Math.round(low + place * (high - low))),
        title: stage.dataset.name,
      });
      put(ghost, { d: early ? sampled(Math.tanh, X, Y) : "" });
      put(curve, { d: sampled(mode === "none" ? (x) => x : Math.tanh, X, Y) });
    }
    // With tanh too early the query moves the whole curve up or down, and the words stay where they are.
    put(curve, { transform: `translate(0 ${px(early ? Y(base[u]) - Y(0) : 0)})` });
    const from = early ? 0 : queries[u];
    const [x0, y0, x1] = [X(from), Y(base[u]), X(queries[u])];
    put(line, { d: `M${px(x1)} ${px(bottom)}V${px(y0)}` });
    put(lift, { d: `M${px(x1)} ${px(y0)}H${px(x0)}` });
    reveal(lift, early);
    put(knob, { cx: px(x1), cy: px(bottom) });
    // It turns away from words that stand to its right.
    const away = early && X(Math.min(...runs[u])) - x1 > NEAR;
    put(foot, { x: px(x1 + (away ? -1 : 1) * (RADIUS + 4)), y: px(bottom - 5), "text-anchor": away ? "end" : "start" });
    steps.forEach(({ run, rise, dot, name }, j) => {
      const twin = runs[u].findIndex((other, i) => i !== j && other === runs[u][j]);
      const below = twin === -1 ? j > 1 : j > twin;
      const [x, y] = [X(from + runs[u][j]), Y(rows[u][j])];
      put(run, { d: `M${px(x0)} ${px(y0)}H${px(x)}` });
      put(rise, { d: `M${px(x)} ${px(y0)}V${px(y)}` });
      put(dot, { d: twin === -1 ? WHOLE : below ? LOWER : UPPER, transform: `translate(${px(x)} ${px(y)})` });
      tint(dot, weights[j] ?? 0);
      // On a phone the outer words lean outwards, so that neighbours do not touch.
      const lean = narrow && twin === -1 ? Math.sign(runs[u][j]) : 0;
      // Where the query stands apart from the words, a name below a dot keeps clear of its stem.
      const onStem = early && below && runs[u][j] !== 0 && Math.abs(x - x1) <= NEAR;
      put(name, {
        x: px(onStem ? x1 - 5 : x - lean * (RADIUS + 1)),
        y: px(y + (below ? RADIUS + 13 : -RADIUS - 5)),
        "text-anchor": onStem ? "end" : ["end", "middle", "start"][lean + 1],
      });
    });
  }

  const grab = () => ({
    surface: stage,
    at: (state) => [plot.X(at0 + slope * state.t), 0],
    settings: (x) => ({ t: (plot.atX(x) - at0) / slope }),
    twin: ["t", 0],
  });
  return { paint, grab };
}

function sampled(f, X, Y) {
  const count = Math.round((ENDS[1] - ENDS[0]) / STEP);
  return path(
    Array.from({ length: count + 1 }, (_, i) => {
      const x = ENDS[0] + i * STEP;
      return [X(x), Y(f(x))];
    }),
  );
}

function minus(/** @type {number} */ number) {
  return String(number).replace("-", MINUS);
}
