// Figure `norm`, to see and to grab: the query with key 1 around it, key 2 by its tip, and their shadows on the line of
// the query. What belongs to that line lies in a group of its own, whose first axis is the query.

import { chart } from "../../frontend/chart.js";
import { fill, formatNumber } from "../../frontend/format.js";
import { tip } from "../../frontend/grab.js";
import { arrow, draw, path, put, px, reveal, say, tint } from "../../frontend/svg.js";

const REACH = 4.6;
const TICKS = [-4, -3, -2, -1, 1, 2, 3, 4];
const STEP = 0.5;
// Pixels from the line of the query to the shadows of key 1 and key 2.
const AWAY = [20, 36];

/** @type {import("../../frontend/live.js").Mount} */
export function mount(figure, { words, repaint }) {
  const stage = figure.querySelector(".attn-body .attn-stage");
  const { sentences } = words;
  const plane = chart(stage, {
    x: [-REACH, REACH],
    y: [-REACH, REACH],
    pad: { left: 4, right: 4, top: 4, bottom: 4 },
    square: true,
    resized(made) {
      drawGrid(made);
      repaint();
    },
  });
  const { svg } = plane;
  const ground = draw(svg, "polygon", { class: "attn-ground" });
  const tie = draw(svg, "path", { class: "attn-axis-line attn-tie" });
  const circle = draw(svg, "circle", { class: "attn-hairline attn-equal" });
  const gap = draw(svg, "path", { class: "attn-apart" });
  const alongQuery = draw(svg, "g", { class: "attn-hue-key" });
  const plumb = draw(alongQuery, "path", { class: "attn-hue-line attn-plumb" });
  const shadows = [1, 2].map((key) => draw(alongQuery, "path", { class: `attn-hue-line attn-shadow-${key}` }));
  const products = [1, 2].map(() => draw(alongQuery, "text", { class: "attn-tag" }));
  const keys = draw(svg, "g", { class: "attn-hue-key" });
  const arrows = [1, 2].map(() => draw(keys, "polygon", { class: "attn-tint attn-dot attn-key-arrow" }));
  const query = draw(draw(svg, "g", { class: "attn-hue-query" }), "polygon", { class: "attn-hue-fill" });
  const distance = draw(svg, "text", { class: "attn-tag" });
  const wins = draw(svg, "text", { class: "attn-tag attn-end attn-wins" }, sentences.wins);
  const names = ["k₁ = q", "k₂"].map((name) => draw(keys, "text", { class: "attn-tag attn-name" }, name));
  let spoken = "";

  return {
    paint(view) {
      spoken = fill(sentences.spoken, view.slots);
      if (!plane.width) return;
      const { rows, products: dots, distance: apart, weights, line } = view.parts.plane;
      const [q, , k] = rows;
      const { X, Y } = plane;
      const unit = X(1) - X(0);
      const [origin, tipQ, tipK] = [[0, 0], q, k].map(([x, y]) => /** @type {[number, number]} */ ([X(x), Y(y)]));

      // Where key 2 beats key 1: beyond the line on which their shadows are equal.
      const sum = dots[0];
      const ends = [[sum - REACH, REACH], [REACH, sum - REACH]];
      put(ground, { points: [...ends, [REACH, REACH]].map(([x, y]) => `${px(X(x))},${px(Y(y))}`).join(" ") });
      put(tie, { d: path(ends.map(([x, y]) => [X(x), Y(y)])) });
      put(wins, { x: px(X(REACH) - 6), y: px(Y(REACH) + 16) });
      for (const node of [ground, tie]) reveal(node, line);
      reveal(wins, line && !(k[0] > 2 && k[1] > 3)); // It gives way to the tip.

      put(circle, { cx: px(tipQ[0]), cy: px(tipQ[1]), r: px(apart * unit) });
      put(gap, { d: path([tipQ, tipK]) });
      say(distance, fill(sentences.distance, view.slots));
      reveal(distance, apart > 0);

      // Along the query: how far each key reaches, and on which side of the line key 2 lies.
      const long = Math.hypot(...q);
      const reaches = dots.map((product) => (product / long) * unit);
      const beside = ((q[0] * k[1] - q[1] * k[0]) / long) * unit;
      const side = beside > 0 ? 1 : -1;
      const turn = (-Math.atan2(q[1], q[0]) * 180) / Math.PI;
      put(alongQuery, { transform: `translate(${px(origin[0])} ${px(origin[1])}) rotate(${turn})` });
      put(plumb, { d: `M${px(reaches[1])} ${px(-beside)}V${px(side * (AWAY[1] + 5))}` });
      reaches.forEach((reach, i) => {
        const level = side * AWAY[i];
        put(shadows[i], { d: `M0 ${level}H${px(reach)}` });
        const back = reach < 0;
        say(products[i], `q·k${i ? "₂" : "₁"} = ${formatNumber(dots[i], 2)}`);
        put(products[i], { x: back ? 7 : -7, y: level + 4, class: `attn-tag${back ? "" : " attn-end"}` });
      });

      put(arrows[0], { points: arrow(origin, tipQ, 12, 24) });
      put(arrows[1], { points: arrow(origin, tipK, 8, 18) });
      put(query, { points: arrow(origin, tipQ, 3, 13) });
      weights.forEach((weight, i) => tint(arrows[i], weight));
      // The distance is written where key 2 is not: its line may run along the shadows and the names.
      const right = k[0] <= 0;
      const corner = { x: right ? plane.width - 8 : 8, y: plane.height - 8 };
      put(distance, { ...corner, class: right ? "attn-tag attn-end" : "attn-tag" });
      const [c, s] = [q[0] / long, q[1] / long];
      // The names stand beyond the tips; that of key 1 gives way to key 2 on the same line.
      const crowded = Math.abs(beside) < 36 && reaches[1] > reaches[0] - 20;
      const [on, off] = crowded ? [2, side * (AWAY[1] + 36)] : [30, 0];
      put(names[0], { x: px(tipQ[0] + on * c + off * s), y: px(tipQ[1] - on * s + off * c) });
      const far = Math.hypot(...k);
      const [cos, sin] = far ? [k[0] / far, k[1] / far] : [-c, -s];
      // At the edge of the plane the name of key 2 stands above or below its tip, whichever is nearer to the middle.
      const beyond = tipK[0] + 25 * cos;
      const edge = beyond < 12 || beyond > plane.width - 12;
      put(names[1], { x: px(edge ? tipK[0] : beyond), y: px(edge ? tipK[1] + (k[1] > 0 ? 24 : -24) : tipK[1] - 25 * sin) });
    },
    grabs: [tip(plane, "k2", ["x", "y"], () => spoken)],
  };
}

/** The axes, and a dot wherever the tip can be. */
function drawGrid({ back, X, Y }) {
  back.replaceChildren();
  const places = Array.from({ length: 8 / STEP + 1 }, (_, i) => -4 + i * STEP);
  const dots = places.flatMap((x) => places.map((y) => `M${px(X(x))} ${px(Y(y))}h0.01`));
  draw(back, "path", { class: "attn-places", d: dots.join("") });
  const axes = `M${px(X(-REACH))} ${px(Y(0))}H${px(X(REACH))}M${px(X(0))} ${px(Y(REACH))}V${px(Y(-REACH))}`;
  draw(back, "path", { class: "attn-axis-line attn-faint", d: axes });
  for (const tick of TICKS.filter((place) => place % 2 === 0)) {
    const text = String(tick).replace("-", "\u2212");
    draw(back, "text", { class: "attn-middle", x: px(X(tick)), y: px(Y(0) + 15) }, text);
    draw(back, "text", { class: "attn-end", x: px(X(0) - 6), y: px(Y(tick) + 4) }, text);
  }
}
