// Figure `norm`, to see and to grab: the query with key 1 around it, key 2 by its tip, and their shadows on the line of
// the query. What belongs to that line lies in groups of its own, whose first axis is the query: key 2 on its own side
// of it, key 1 on the other.

import { chart } from "../../frontend/chart.js";
import { fill, formatNumber } from "../../frontend/format.js";
import { tip } from "../../frontend/grab.js";
import { arrow, draw, path, put, px, reveal, tint, torn } from "../../frontend/svg.js";
import { say } from "../../frontend/text.js";

const REACH = 4.6;
const TICKS = [-4, -2, 2, 4];
const STEP = 0.5;
// Pixels from the line of the query to the shadows and to what is written of them, and between text and origin.
const AWAY = 28;
const WRITTEN = 16;
const GAP = 12;
// Half a shadow's thickness, what a shadow keeps free at the edge of the plane, and the width of a letter.
const HALF = 4;
const MARGIN = 2;
const LETTER = 7;

/** @type {import("../../frontend/live.js").Mount} */
export function mount(figure, { words, repaint }) {
  const stage = figure.querySelector(".attn-body .attn-stage");
  const { sentences } = words;
  let ticks = [];
  const plane = chart(stage, {
    x: [-REACH, REACH],
    y: [-REACH, REACH],
    pad: { left: 4, right: 4, top: 4, bottom: 4 },
    square: true,
    resized(made) {
      ticks = drawGrid(made);
      repaint();
    },
  });
  const { svg } = plane;
  const region = draw(svg, "g", { class: "attn-region" });
  const ground = draw(region, "polygon", { class: "attn-ground" });
  const tie = draw(region, "path", { class: "attn-axis-line attn-tie" });
  const circle = draw(svg, "circle", { class: "attn-hairline attn-equal" });
  const gap = draw(svg, "path", { class: "attn-apart" });
  const alongQuery = draw(svg, "g", { class: "attn-hue-key" });
  const plumb = draw(alongQuery, "path", { class: "attn-hue-line attn-plumb" });
  const shadows = [1, 2].map((key) => ({
    bar: draw(alongQuery, "path", { class: `attn-hue-fill attn-shadow-${key}` }),
    was: draw(alongQuery, "path", { class: "attn-hue-line attn-was" }),
    tear: draw(alongQuery, "path", { class: "attn-torn" }),
    text: draw(alongQuery, "text", { class: "attn-tag" }),
  }));
  const keys = draw(svg, "g", { class: "attn-hue-key" });
  const arrows = [1, 2].map(() => draw(keys, "polygon", { class: "attn-tint attn-dot attn-key-arrow" }));
  const query = draw(draw(svg, "g", { class: "attn-hue-query" }), "polygon", { class: "attn-hue-fill" });
  const distance = draw(svg, "text", { class: "attn-tag" });
  const wins = draw(svg, "text", { class: "attn-tag attn-end attn-wins" });
  const names = ["k₁ = q", "k₂"].map((name) => draw(keys, "text", { class: "attn-tag attn-name" }, name));
  let spoken = "";

  return {
    paint(view) {
      spoken = fill(sentences.spoken, view.slots);
      if (!plane.width) return;
      const { rows, products: dots, halves, distance: apart, weights } = view.parts.plane;
      const [q, , k] = rows;
      const { X, Y } = plane;
      const unit = X(1) - X(0);
      const [origin, tipQ, tipK] = [[0, 0], q, k].map(([x, y]) => /** @type {[number, number]} */ ([X(x), Y(y)]));

      // Where key 2 beats key 1: beyond the line on which their shadows are equal. With ‖k‖²/2 subtracted that ground
      // shrinks to the query itself.
      const sum = dots[0];
      const ends = [[sum - REACH, REACH], [REACH, sum - REACH]];
      put(ground, { points: [...ends, [REACH, REACH]].map(([x, y]) => `${px(X(x))},${px(Y(y))}`).join(" ") });
      put(tie, { d: path(ends.map(([x, y]) => [X(x), Y(y)])) });
      region.style.transformOrigin = `${px(tipQ[0])}px ${px(tipQ[1])}px`;
      put(region, { class: halves ? "attn-region attn-shrunk" : "attn-region" });
      say(wins, halves ? sentences.never : sentences.wins);
      put(wins, { x: px(X(REACH) - 6), y: px(Y(REACH) + 16) });
      // It gives way to the tip, and on a phone to what is written of key 2.
      reveal(wins, !(k[0] > 2 && k[1] > 3) && !(plane.narrow && halves && dots[1] < 0));

      put(circle, { cx: px(tipQ[0]), cy: px(tipQ[1]), r: px(apart * unit) });
      put(gap, { d: path([tipQ, tipK]) });
      say(distance, fill(sentences.distance, view.slots));
      reveal(distance, apart > 0);

      // Along the query: how far each key reaches, and on which side of the line key 2 lies.
      const long = Math.hypot(...q);
      const [c, s] = [q[0] / long, q[1] / long];
      const beside = ((q[0] * k[1] - q[1] * k[0]) / long) * unit;
      const side = beside < 0 || (beside === 0 && dots[1] < 0) ? 1 : -1;
      const turn = (-Math.atan2(q[1], q[0]) * 180) / Math.PI;
      put(alongQuery, { transform: `translate(${px(origin[0])} ${px(origin[1])}) rotate(${turn})` });
      const pixels = (product) => (product / long) * unit;
      put(plumb, { d: `M${px(pixels(dots[1]))} ${px(-beside)}V0V${side * (AWAY + HALF)}` });
      const written = shadows.map(({ bar, was, tear, text }, i) => {
        const level = (i ? side : -side) * AWAY;
        const score = dots[i] - (halves?.[i] ?? 0);
        // A shadow longer than the plane ends within it, torn.
        const [end, whole] = [score, dots[i]].map((product) => {
          const reach = pixels(product);
          return Math.sign(reach) * Math.min(Math.abs(reach), room(plane, origin, [c, s], Math.sign(reach), level));
        });
        put(bar, { d: rectangle(end, level) });
        put(was, { d: rectangle(whole, level) });
        reveal(was, halves !== null);
        const ahead = Math.sign(end);
        put(tear, { d: torn([end - 7.5 * ahead, level], [ahead, 0], HALF) });
        reveal(tear, end !== pixels(score));
        const [product, half, left] = [dots[i], halves?.[i] ?? 0, score].map((number) => formatNumber(number, 2));
        const key = `k${"₁₂"[i]}`;
        const words = halves ? `${key}: ${product} − ${half} = ${left}` : `q·${key} = ${product}`;
        say(text, words);
        // It stands where no arrow of this side can go, behind the origin as seen from the key: beside the shadow of what
        // is left, or farther out than key 1.
        const way = dots[i] < 0 ? 1 : -1;
        const middle = (i ? side : -side) * (way > 0 ? AWAY : WRITTEN);
        put(text, { x: way * GAP, y: middle + 4, class: way > 0 ? "attn-tag" : "attn-tag attn-end" });
        return { level: middle, from: way * GAP, to: way * (GAP + LETTER * words.length) };
      });

      put(arrows[0], { points: arrow(origin, tipQ, 12, 24) });
      put(arrows[1], { points: arrow(origin, tipK, 8, 18) });
      put(query, { points: arrow(origin, tipQ, 3, 13) });
      weights.forEach((weight, i) => tint(arrows[i], weight));
      // The distance is written where neither key 2 nor a shadow is.
      const right = k[0] <= 0;
      const corner = right ? { x: plane.width - 8, y: plane.height - 8 } : { x: 8, y: 16 };
      put(distance, { ...corner, class: right ? "attn-tag attn-end" : "attn-tag" });
      // The names stand beyond the tips; that of key 1 gives way to key 2 on the same line.
      const crowded = Math.abs(beside) < 36 && pixels(dots[1]) > pixels(dots[0]) - 20;
      const [on, off] = crowded ? [44, -side * (AWAY + 24)] : [30, 0];
      const far = Math.hypot(...k);
      const [cos, sin] = far ? [k[0] / far, k[1] / far] : [-c, -s];
      // At the edge of the plane the name of key 2 stands above or below its tip, whichever is nearer to the middle.
      const beyond = tipK[0] + 25 * cos;
      const edge = beyond < 12 || beyond > plane.width - 12;
      const places = [
        [tipQ[0] + on * c + off * s, tipQ[1] - on * s + off * c],
        edge ? [tipK[0], tipK[1] + (k[1] > 0 ? 24 : -24)] : [beyond, tipK[1] - 25 * sin],
      ];
      places.forEach(([x, y], i) => put(names[i], { x: px(x), y: px(y) }));

      // A number on an axis gives way to what is written over it.
      for (const { node, x, y } of ticks) {
        const [dx, dy] = [x - origin[0], y - origin[1]];
        const [along, across] = [dx * c - dy * s, dx * s + dy * c];
        const isCovered =
          places.some(([a, b], i) => Math.abs(x - a) < (i ? 18 : 38) && Math.abs(y - b) < 15) ||
          written.some(({ level, from, to }) => Math.abs(across - level) < 15 && (along - from) * (along - to) < 0);
        reveal(node, !isCovered);
      }
    },
    grabs: [tip(plane, "k2", ["x", "y"], () => spoken)],
  };
}

/** A shadow along the query, from the origin. */
function rectangle(end, level) {
  return `M0 ${level - HALF}H${px(end)}V${level + HALF}H0z`;
}

/** How far a shadow may go along the query (`way` 1) or against it before it leaves the plane, in pixels. */
function room({ width, height }, [x, y], [c, s], way, level) {
  const edges = [level - HALF, level + HALF].flatMap((away) => [
    (way > 0 ? width - MARGIN - x - away * s : x + away * s - MARGIN) / c,
    (way > 0 ? y + away * c - MARGIN : height - MARGIN - y - away * c) / s,
  ]);
  return Math.min(...edges);
}

/** The axes with their numbers, which are returned, and a dot wherever the tip can be. */
function drawGrid({ back, X, Y }) {
  back.replaceChildren();
  const places = Array.from({ length: 8 / STEP + 1 }, (_, i) => -4 + i * STEP);
  const dots = places.flatMap((x) => places.map((y) => `M${px(X(x))} ${px(Y(y))}h0.01`));
  draw(back, "path", { class: "attn-places", d: dots.join("") });
  const axes = `M${px(X(-REACH))} ${px(Y(0))}H${px(X(REACH))}M${px(X(0))} ${px(Y(REACH))}V${px(Y(-REACH))}`;
  draw(back, "path", { class: "attn-axis-line attn-faint", d: axes });
  return TICKS.flatMap((tick) => {
    const text = String(tick).replace("-", "\u2212");
    const [x, y] = [{ x: X(tick), y: Y(0) + 11 }, { x: X(0) - 13, y: Y(tick) }];
    return [
      { ...x, node: draw(back, "text", { class: "attn-middle", x: px(x.x), y: px(x.y + 4) }, text) },
      { ...y, node: draw(back, "text", { class: "attn-end", x: px(y.x + 7), y: px(y.y + 4) }, text) },
    ];
  });
}
