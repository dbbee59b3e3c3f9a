// Figure `norm`, to see and to grab: the query with key 1 around it, key 2 by its tip, and their shadows on the line of
// the query. What belongs to that line lies in groups of their own, whose first axis is the query: key 2 on its own side
// of it, key 1 always on the left. Below the plane stand the numbers, where nothing can come across them.

import { chart } from "../../front/chart.js";
import { placeLabels } from "../../front/labels.js";
import { fill, formatNumber } from "../../front/numbers.js";
import { tip } from "../../front/grab.js";
import { arrow, corners, draw, lengthOf, setAttributes, px, reveal, tint, torn } from "../../front/svg.js";
import { setText } from "../../front/text.js";

const REACH = 4.6;
const TICKS = [-4, -2, 2, 4];
const STEP = 0.5;
// Pixels from the line of the query to the shadows, and to that of key 2 where it lies beyond that of key 1; half a
// shadow's thickness, and what a shadow keeps free at the edge of the plane.
const AWAY = 28;
const FARTHER = 40;
const HALF = 4;
const MARGIN = 2;
// The numbers below the plane: their height, their lines from below, their margin, and the samples before them.
const FOOT = 34;
const LINES = [21, 6];
const INDENT = 8;
const SAMPLE = 12.5;
// Below this width of the plane there is room for the scores alone.
const TIGHT = 290;
// From the tip of key 2 to the middle of its name, nearby or farther off, and from there to the edge of the plane.
const BEYOND = [35, 54];
const ROOM = 17;
// Where the name of key 1 may stand, from its tip; how far that of key 2 may turn from its arrow, in degrees; how tall
// a name is, and how wide the ring around the tip of key 2.
const ASIDE = [[46, 1], [-6, -40], [21, -21], [-22, -44], [30, 26], [-2, -58]];
const TURNS = [0, 30, -30, 60, -60, 90, -90, 120, -120, 150, -150];
const NAME = 18;
const GRIP = 26;
// Products that differ by less are equal.
const SAME = 1e-9;
// How near a line may come to the middle of a number on an axis.
const NEAR = 13;

/** @typedef {import("../../front/labels.js").Line} Line */

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const stage = figure.querySelector(".attn-body .attn-stage");
  const { sentences } = words;
  let ticks = [];
  const plane = chart(stage, {
    x: [-REACH, REACH],
    y: [-REACH, REACH],
    pad: { left: 4, right: 4, top: 4, bottom: 4 + FOOT },
    square: true,
    resized(made) {
      ticks = drawGrid(made);
      setAttributes(floor, { d: `M-2 ${px(made.height - FOOT - 2)}H${px(made.width + 2)}V${px(made.height + 2)}H-2z` });
      samples.forEach((node, i) => setAttributes(node, { d: `M${INDENT} ${px(written(i) - 8)}h${SAMPLE}v${2 * HALF}h${-SAMPLE}z` }));
      numbers.forEach((node, i) => setAttributes(node, { x: INDENT + SAMPLE + 5, y: px(written(i)) }));
      setAttributes(distance, { x: px(made.width - INDENT), y: px(written(0)) });
      repaint();
    },
  });
  const { svg } = plane;
  // On a phone the distance stands close by.
  const named = (/** @type {string} */ key) => (plane.width < 340 ? `${key}:` : `q·${key} =`);
  const written = (/** @type {number} */ i) => plane.height - LINES[i];
  const region = draw(svg, "g", { class: "attn-region" });
  const ground = draw(region, "polygon", { class: "attn-ground" });
  const tie = draw(region, "polyline", { class: "attn-axis-line attn-tie" });
  const circle = draw(svg, "circle", { class: "attn-hairline attn-equal" });
  const line = draw(draw(svg, "g", { class: "attn-hue-query" }), "polyline", { class: "attn-hue-line attn-query-line" });
  const alongQuery = draw(svg, "g", { class: "attn-hue-key" });
  const shadows = [1, 2].map((key) => ({
    bar: draw(alongQuery, "polygon", { class: `attn-hue-fill attn-shadow-${key}` }),
    was: draw(alongQuery, "polygon", { class: "attn-hue-line attn-was" }),
    tear: draw(alongQuery, "path", { class: "attn-torn" }),
  }));
  const keys = draw(svg, "g", { class: "attn-hue-key" });
  const arrows = [1, 2].map(() => draw(keys, "polygon", { class: "attn-tint attn-dot attn-key-arrow" }));
  // A key across the query has its plumb line on its own arrow, and no shadow: a stroke on the origin.
  const over = draw(svg, "g", { class: "attn-hue-key" });
  const plumb = draw(over, "polyline", { class: "attn-hue-line attn-plumb" });
  const none = draw(over, "polygon", { class: "attn-hue-fill attn-none", points: stroke(0, 3 * HALF) });
  // Where key 2 ties, or lies along the query, the distance runs along another line: its dots stand on all but the query.
  const gaps = ["attn-apart attn-around", "attn-apart"].map((look) => draw(svg, "polyline", { class: look }));
  const query = draw(draw(svg, "g", { class: "attn-hue-query" }), "polygon", { class: "attn-hue-fill" });
  const foot = draw(svg, "g", { class: "attn-hue-key" });
  const floor = draw(foot, "path", { class: "attn-floor" });
  const samples = [1, 2].map((key) => draw(foot, "path", { class: `attn-hue-fill attn-sample-${key}` }));
  const numbers = samples.map(() => draw(foot, "text", { class: "attn-tag" }));
  const dots = draw(svg, "path", { class: "attn-distance" });
  const distance = draw(svg, "text", { class: "attn-tag attn-end" });
  const wins = draw(svg, "text", { class: "attn-tag attn-end attn-wins" });
  const names = ["k₁ = q", "k₂"].map((name) => draw(keys, "text", { class: "attn-tag attn-name" }, name));
  const hint = draw(keys, "text", { class: "attn-tag attn-hint" }, sentences.drag);
  let spoken = "";
  // Where both keys tie is what the question asks: it is drawn once key 2 has been there or beyond.
  let found = false;
  // That key 2 can be dragged is said where it starts, until the pointer or the focus has come to the plane.
  const home = ["x", "y"].map((key) => declaration.controls.find((one) => one.key === key).default);
  for (const type of ["pointerdown", "keydown"]) stage.addEventListener(type, () => hint.remove(), { once: true });

  return {
    paint(view, { ask }) {
      spoken = fill(sentences.spoken, view.slots);
      if (!plane.width) return;
      const { rows, products, halves, distance: apart, weights } = view.parts.plane;
      const [q, , k] = rows;
      const { X, Y } = plane;
      const unit = X(1) - X(0);
      const [origin, tipQ, tipK] = [[0, 0], q, k].map(([x, y]) => [X(x), Y(y)]);

      // Where key 2 beats key 1: beyond the line on which their shadows are equal. With ‖k‖²/2 subtracted that ground
      // shrinks to the query itself.
      const sum = products[0];
      const ends = [[sum - REACH, REACH], [REACH, sum - REACH]];
      setAttributes(ground, { points: [...ends, [REACH, REACH]].map(([x, y]) => `${px(X(x))},${px(Y(y))}`).join(" ") });
      setAttributes(tie, { points: corners(ends.map(([x, y]) => [X(x), Y(y)])) });
      found ||= ask === "0" || halves !== null || products[1] > sum - SAME;
      reveal(region, found);
      region.style.transformOrigin = `${px(tipQ[0])}px ${px(tipQ[1])}px`;
      setAttributes(region, { class: halves ? "attn-region attn-shrunk" : "attn-region" });
      const isTie = Math.abs(products[1] - sum) < SAME;
      setText(wins, halves ? sentences.never : isTie ? sentences.tie : sentences.wins);
      setAttributes(wins, { x: px(X(REACH) - 6), y: px(Y(REACH) + 16) });
      // It gives way to the tip.
      const isSaid = found && (k[1] <= 3 || tipK[0] < X(REACH) - lengthOf(wins) - 2 * BEYOND[0]);
      reveal(wins, isSaid);

      setAttributes(circle, { cx: px(tipQ[0]), cy: px(tipQ[1]), r: px(apart * unit) });
      for (const node of gaps) setAttributes(node, { points: corners([tipQ, tipK]) });
      stage.classList.toggle("attn-compared", halves !== null);
      setText(distance, fill(sentences.distance, view.slots));
      setAttributes(dots, { d: `M${px(plane.width - INDENT - lengthOf(distance) - 5)} ${px(written(0) - 4)}h${-SAMPLE}` });

      // Along the query: how far each key reaches, and on which side of the line key 2 lies.
      const long = Math.hypot(...q);
      const [c, s] = [q[0] / long, q[1] / long];
      const beside = ((q[0] * k[1] - q[1] * k[0]) / long) * unit;
      const side = beside > 0 ? -1 : 1;
      const levels = [-AWAY, side > 0 ? AWAY : -FARTHER];
      const turn = (-Math.atan2(q[1], q[0]) * 180) / Math.PI;
      const transform = `translate(${px(origin[0])} ${px(origin[1])}) rotate(${turn})`;
      for (const node of [alongQuery, over]) setAttributes(node, { transform });
      setAttributes(line, { points: corners([-1, 1].map((way) => [X((way * REACH * c) / Math.max(c, s)), Y((way * REACH * s) / Math.max(c, s))])) });
      const pixels = (product) => (product / long) * unit;
      const turned = (/** @type {number} */ along, /** @type {number} */ across) =>
        [origin[0] + along * c + across * s, origin[1] - along * s + across * c];
      // From the tip to the shadow, on whose far side are other things.
      const away = Math.abs(beside);
      const level2 = Math.abs(levels[1]);
      const at = products[1] ? level2 + (away > level2 ? -HALF : HALF) : 0;
      const fallen = pixels(products[1]);
      setAttributes(plumb, { points: corners([[fallen, side * away], [fallen, side * at]]) });
      reveal(none, products[1] === 0);
      const shown = shadows.map(({ bar, was, tear }, i) => {
        const level = levels[i];
        const score = products[i] - (halves?.[i] ?? 0);
        // A shadow longer than the plane ends within it, torn.
        const [end, whole] = [score, products[i]].map((product) => {
          const reach = pixels(product);
          return Math.sign(reach) * Math.min(Math.abs(reach), room(plane, origin, [c, s], Math.sign(reach), level));
        });
        const short = whole ? stroke(level, 2 * HALF) : "";
        setAttributes(bar, { points: end ? rectangle(0, end, level, HALF) : short });
        setAttributes(was, { points: rectangle(0, whole, level, HALF) });
        reveal(was, halves !== null);
        const ahead = Math.sign(end);
        const isTorn = end !== pixels(score);
        if (isTorn) setAttributes(tear, { d: torn([end - 7.5 * ahead, level], [ahead, 0], HALF) });
        reveal(tear, isTorn);
        const [shadow, product, half, left] = [products[i] / long, products[i], halves?.[i] ?? 0, score].map((number) => formatNumber(number, 2));
        const key = `k${"₁₂"[i]}`;
        const sum = halves ? `${key}: ${product} − ${half} = ${left}` : `${named(key)} ${shadow} × ‖q‖ = ${product}`;
        setText(numbers[i], plane.width < TIGHT ? `${key}: ${left}` : sum);
        return [whole, end].map((reach) => /** @type {Line} */ ([turned(0, level), turned(reach, level)]));
      });

      setAttributes(arrows[0], { points: arrow(origin, tipQ, 12, 24) });
      setAttributes(arrows[1], { points: arrow(origin, tipK, 8, 18) });
      setAttributes(query, { points: arrow(origin, tipQ, 3, 13) });
      weights.forEach((weight, i) => tint(arrows[i], weight));
      // The names stand near the tips, that of key 2 beyond it, off all that is drawn, where they can.
      /** @type {Line[]} */
      const lines = [
        [origin, tipQ],
        [origin, tipK],
        [tipQ, tipK],
        [tipK, turned(pixels(products[1]), side * at)],
        ...shown.flat(),
      ];
      const around = (/** @type {number[]} */ [x, y], width, height) => ({ x: x - width / 2, y: y - height / 2, width, height });
      const heading = Math.hypot(...k) ? Math.atan2(k[1], k[0]) : Math.atan2(-s, -c);
      const isWithin = (/** @type {number[]} */ [x, y]) => x > ROOM && x < plane.width - ROOM && y > ROOM && y < plane.height - FOOT - ROOM;
      const ways = TURNS.map((turn) => heading + (turn * Math.PI) / 180);
      const beyond = BEYOND.flatMap((far) => ways.map((way) => [tipK[0] + far * Math.cos(way), tipK[1] - far * Math.sin(way)]));
      const long1 = lengthOf(names[0]) + 12;
      const choices = [
        ASIDE.map(([x, y]) => around([tipQ[0] + x, tipQ[1] + y], long1, NAME)),
        beyond.filter(isWithin).map((place) => around(place, NAME + HALF, NAME + HALF)),
      ];
      const ties = found ? [ends.map(([x, y]) => [X(x), Y(y)])] : [];
      const taken = [around(tipK, GRIP, GRIP)];
      const isHome = k[0] === home[0] && k[1] === home[1];
      if (isHome) setAttributes(hint, { x: px(tipK[0] + GRIP / 2 + 5), y: px(tipK[1] + 4) });
      reveal(hint, isHome);
      if (isHome && hint.isConnected) taken.push({ x: tipK[0] + GRIP / 2, y: tipK[1] - NAME / 2, width: lengthOf(hint) + 9, height: NAME });
      if (isSaid) taken.push({ x: X(REACH) - 6 - lengthOf(wins), y: Y(REACH), width: lengthOf(wins), height: 20 });
      const places = placeLabels(choices, [...lines, ...ties], taken).map(({ x, y, width, height }) => [x + width / 2, y + height / 2]);
      places.forEach(([x, y], i) => setAttributes(names[i], { x: px(x), y: px(y) }));

      // A number on an axis gives way to a name, and to all that is drawn of the keys.
      for (const { node, x, y } of ticks) {
        const isCovered =
          places.some(([a, b], i) => Math.abs(x - a) < (i ? 18 : 38) && Math.abs(y - b) < 15) ||
          lines.some((one) => distanceTo(one, [x, y]) < NEAR);
        reveal(node, !isCovered);
      }
    },
    grabs: [tip(plane, "k2", ["x", "y"], () => spoken)],
    forget: () => (found = false),
  };
}

/** How far a point is from a line between two others. @param {number[][]} line @param {number[]} point */
function distanceTo([[x, y], [u, v]], [a, b]) {
  const [dx, dy] = [u - x, v - y];
  const share = ((a - x) * dx + (b - y) * dy) / (dx * dx + dy * dy || 1);
  const on = Math.min(Math.max(share, 0), 1);
  return Math.hypot(a - x - on * dx, b - y - on * dy);
}

/** A shadow of no length: a stroke across the query. */
function stroke(level, half) {
  return rectangle(-1.5, 1.5, level, half);
}

/** The corners of a shadow along the query, or of a stroke. */
function rectangle(from, to, level, half) {
  return corners([[from, level - half], [to, level - half], [to, level + half], [from, level + half]]);
}

/**
 * How far a shadow may go along the query (`way` 1) or against it before it leaves the plane, in pixels.
 * @param {import("../../front/chart.js").Chart} chart @param {number[]} origin @param {number[]} direction of the query
 * @param {number} way @param {number} level
 */
function room({ width, height: whole }, [x, y], [c, s], way, level) {
  const height = whole - FOOT;
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
