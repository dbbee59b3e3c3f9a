// Figure `additive`: for each hidden unit the curve of tanh, the query's place on it, and from there the step of each word:
// its run, dashed, and its rise, solid. Beside them the weights. In the fold the two heights of each word are piled up.

import { onSize } from "../../front/chart.js";
import { hand } from "../../front/grab.js";
import { fill, formatWeight } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { arrow, corners, disc, draw, lengthOf, path, px, reveal, setAttributes, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";

// Where the words can stand for every query of the slider, from -8 to 9, and on a phone the name beside the first.
const ENDS = { wide: [-9, 9.5], narrow: [-10.25, 9.5] };
// How far heights go up and down, with room for names, and those that are labelled. Without tanh nothing bounds them: they
// are counted from the query's, or no rise could be seen.
const REACH = { after: 1.45, before: 2.45, none: 3.2 };
const LABELLED = { after: [-1, 0, 1], before: [-2, -1, 0, 1, 2], none: [-2, 0, 2] };
const TICKS = [-6, 0, 6];
const STEP = 0.1;
const MINUS = "\u2212";
const RADIUS = 7;
// Half a dot for each of two words in one place: the first above, the second below.
const [WHOLE, UPPER, LOWER] = [[0, 1], [0.5, 1], [0, 0.5]];
// How many pixels a height of 1 has in a pile; without tanh it may be large.
const PILED = { after: 30, before: 30, none: 6 };

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const { data, bet } = declaration;
  const { controls, sentences } = words;
  let drawn = ""; // the heights that the axes are for
  let slots = /** @type {Record<string, string>} */ ({});
  let plot = plotOf({ width: 0, height: 0, narrow: false });
  const made = picture(figure, () => {
    drawn = "";
    plot = plotOf(made);
    repaint();
  });
  const { svg, back, stage } = made;
  const units = data.W_q.map((_, u) => unitOf(svg, u, data.words));
  const weighed = draw(svg, "g");
  const bars = data.words.map((word) => ({
    bar: draw(weighed, "rect", { class: "attn-tint attn-weight-bar" }),
    name: label(weighed, "word", word),
    number: label(weighed, "num"),
    book: draw(weighed, "rect", { class: "attn-book" }),
  }));
  // Where the weight that is bet on ends.
  const end = draw(weighed, "circle", { r: 1, fill: "none", "data-answer": "" });
  const putBets = bets(made, "disc");
  const query = draw(svg, "g", { class: "attn-hue-query" });
  const now = label(query, "num");
  const paintPiles = pilesOf(figure.querySelector('.attn-body [data-drawing="piles"]'), sentences, data.words.length, repaint);

  function paintBack(mode) {
    if (mode === drawn) return;
    drawn = mode;
    back.replaceChildren();
    const { left, right, X, axis, narrow } = plot;
    units.forEach((unit, u) => {
      const Y = plot.Y(u, mode);
      const levels = LABELLED[mode];
      for (const level of levels) draw(back, "path", { class: "attn-hairline", d: `M${px(left)} ${px(Y(level))}H${px(right)}` });
      unit.numbers = narrow ? [] : levels.map((level) => [label(back, "soft", "", "attn-end"), level]);
      for (const [number, level] of unit.numbers) setAttributes(number, { x: px(left - 8), y: px(Y(level) + 4.5) });
      setAttributes(label(back, "soft", sentences[`unit${u + 1}`]), { x: px(left + 2), y: px(Y(levels.at(-1)) - 6) });
      unit.lay(X, Y, mode, plot.ends);
    });
    draw(back, "path", { class: "attn-axis-line", d: `M${px(left)} ${px(axis)}H${px(right)}` });
    for (const place of narrow ? [] : TICKS) {
      draw(back, "path", { class: "attn-axis-line", d: `M${px(X(place))} ${px(axis)}v5` });
      setAttributes(label(back, "soft", minus(place), "attn-middle"), { x: px(X(place)), y: px(axis + 33) });
    }
    const { title, one } = plot.bars;
    if (narrow) return;
    setAttributes(label(back, "word", sentences.weight), { x: px(title[0]), y: px(title[1]) });
    draw(back, "path", { class: "attn-hairline", d: `M${px(title[0])} ${px(one)}H${px(made.width - 20)}` });
    setAttributes(label(back, "soft", "1", "attn-end"), { x: px(title[0] - 8), y: px(one + 4.5) });
  }

  function paintBars({ rows: [weights], book: books }) {
    const { narrow, bars: room } = plot;
    weights.forEach((weight, j) => {
      const { bar, name, number, book } = bars[j];
      const given = books?.rows[0][j];
      const [[x, y], [u, v]] = [room.at(j, 0), room.at(j, weight)];
      const box = narrow ? { x, y: y - room.thick / 2, width: u - x, height: room.thick } : { x: x - room.thick / 2, y: v, width: room.thick, height: y - v };
      for (const [side, pixels] of Object.entries(box)) setAttributes(bar, { [side]: px(pixels) });
      tint(bar, weight);
      const [x1, y1] = room.at(j, given ?? 0);
      const line = narrow ? { x: x1 - 2, y: y - room.thick / 2 - 3, width: 4, height: room.thick + 6 } : { x: x - room.thick / 2 - 3, y: y1 - 2, width: room.thick + 6, height: 4 };
      for (const [side, pixels] of Object.entries(line)) setAttributes(book, { [side]: px(pixels) });
      reveal(book, given !== undefined);
      setText(number, formatWeight(weight));
      setAttributes(name, narrow ? { x: 12, y: px(y + 5) } : { x: px(x), y: px(y + 20) });
      // Beside the book's line too, but for one far away.
      const past = narrow && x1 > u && x1 < u + 60 ? x1 : u;
      setAttributes(number, narrow ? { x: px(past + 18), y: px(y + 5) } : { x: px(x), y: px(y + 40) });
      for (const text of [name, number]) text.classList.toggle("attn-middle", !narrow);
    });
    const [cx, cy] = room.at(0, weights[0]).map(px);
    setAttributes(end, { cx, cy });
    putBets(bet.places.map(([place]) => room.at(0, place)));
  }

  return {
    paint(view, state) {
      slots = view.slots;
      const { heights, weights } = view.parts;
      paintPiles(heights.rows, state.tanh);
      if (!made.width) return;
      paintBack(state.tanh);
      units.forEach((unit) => unit.paint(heights, weights.rows[0], state.tanh, plot));
      paintBars(weights);
      setText(now, `t = ${slots.t}`);
      setAttributes(now, { x: px(plot.X(state.t) + 22), y: px(plot.axis - 7) });
    },
    grabs: [
      hand(stage, "t", {
        keys: ["t"],
        // In unit 2 the query (1, 0, t) stands at t.
        at: ({ t }) => [plot.X(t), plot.axis],
        settings: (x) => ({ t: plot.atX(x) }),
        spoken: () => fill(controls.t.valuetext, { ...slots, value: slots.t }),
      }),
    ],
  };
}

/** Where things stand in the picture. @param {{ width: number, height: number, narrow: boolean }} picture */
function plotOf({ width, height, narrow }) {
  const [left, right] = narrow ? [10, width - 10] : [38, width - 248];
  const tops = narrow ? [4, 120] : [20, 190];
  const tall = narrow ? 104 : 152;
  const axis = narrow ? 252 : height - 44;
  const ends = narrow ? ENDS.narrow : ENDS.wide;
  const across = (right - left) / (ends[1] - ends[0]);
  const [first, pitch] = narrow ? [286, 21] : [width - 197, 55];
  const base = height - 56;
  return {
    left, right, tops, axis, ends, narrow,
    X: (/** @type {number} */ place) => left + (place - ends[0]) * across,
    atX: (/** @type {number} */ pixels) => ends[0] + (pixels - left) / across,
    Y: (/** @type {number} */ u, /** @type {string} */ mode) => (/** @type {number} */ level) => tops[u] + (tall * (1 - level / REACH[mode])) / 2,
    bottom: (/** @type {number} */ u) => (u ? axis : tops[u] + tall),
    bars: {
      thick: narrow ? 14 : 36,
      title: [width - 215, 24],
      one: 50,
      at: (/** @type {number} */ j, /** @type {number} */ weight) => (narrow ? [70 + Math.max(0, width - 140) * weight, first + pitch * j] : [first + pitch * j, base - (base - 50) * weight]),
    },
  };
}

/** One hidden unit. */
function unitOf(svg, u, words) {
  const own = draw(svg, "g");
  const ghost = draw(own, "path", { class: "attn-hairline attn-ghost" });
  const curve = draw(own, "path", { class: "attn-stroke" });
  const query = draw(own, "g", { class: "attn-hue-query" });
  const line = draw(query, "polyline", { class: "attn-marker" });
  const lift = draw(query, "polyline", { class: "attn-hue-line attn-dash-6" });
  const foot = draw(query, "circle", { class: "attn-hue-fill", r: 5 });
  // The query (1, 0, t) stands at 1 - t in unit 1.
  const place = label(query, "num", u ? "" : `1 ${MINUS} t`, "attn-end");
  reveal(foot, u === 0);
  const key = draw(own, "g", { class: "attn-hue-key" });
  const lines = words.map(() => ["run", "rise"].map((look) => draw(key, "polyline", { class: `attn-hue-line attn-${look}` })));
  const names = words.map((word) => label(key, "word", word));
  const dots = words.map(() => draw(key, "polygon", { class: "attn-dot attn-tint" })); // over what is around a name

  /** Where nothing moves but by the query. */
  function lay(X, Y, mode, [first, last]) {
    const places = Array.from({ length: Math.round((last - first) / STEP) + 1 }, (_, i) => first + i * STEP);
    const bent = path(places.map((place) => [X(place), Y(Math.tanh(place))]));
    setAttributes(ghost, { d: mode === "before" ? bent : "" });
    const straight = path([-REACH.none, REACH.none].map((place) => [X(place), Y(place)]));
    setAttributes(curve, { d: mode === "none" ? straight : bent });
  }

  function paint({ rows, query: queries, runs, base }, weights, mode, { X, Y: yOf, bottom, right }) {
    const [early, bare] = [mode === "before", mode === "none"];
    const zero = bare ? base[u] : 0;
    const level = yOf(u, mode);
    const Y = (/** @type {number} */ height) => level(height - zero);
    for (const [number, height] of this.numbers) setText(number, minus(Number((zero + height).toFixed(1))));
    // Too early, tanh lets the query move the whole curve up or down, and the words stay where they are. Without tanh the line
    // is a straight one through the query.
    setAttributes(curve, { transform: `translate(${bare ? px(X(queries[u]) - X(0)) : 0} ${early ? px(Y(base[u]) - Y(0)) : 0})` });
    const from = early ? 0 : queries[u];
    const [x0, y0, x1] = [X(from), Y(base[u]), X(queries[u])];
    setAttributes(line, { points: corners([[x1, bottom(u)], [x1, y0]]) });
    setAttributes(lift, { points: corners([[x1, y0], [x0, y0]]) });
    reveal(lift, early);
    setAttributes(foot, { cx: px(x1), cy: px(bottom(u)) });
    setAttributes(place, { x: px(x1 - 9), y: px(bottom(u) + 3) });
    runs[u].forEach((step, j) => {
      const [[run, rise], name, dot] = [lines[j], names[j], dots[j]];
      const [x, y] = [X(from + step), Y(rows[u][j])];
      setAttributes(run, { points: corners([[x0, y0], [x, y0]]) });
      setAttributes(rise, { points: corners([[x, y0], [x, y]]) });
      const isFirst = runs[u].indexOf(step) === j;
      setAttributes(dot, { points: disc(x, y, RADIUS, step ? WHOLE : isFirst ? UPPER : LOWER) });
      tint(dot, weights[j]);
      // Above the curve, which rises to the right, and left of a rise that leads down; one of two in a place stands below, right
      // of the query.
      const [wide, isBelow] = [lengthOf(name), !step && j % 2 === 0];
      const steep = bare ? 1 : 1 - Math.tanh(from + step) ** 2;
      let at = isBelow ? x + 6 : step > 0 ? x - wide / 2 - steep * (wide / 2 + 2) : x - wide + (step ? -5 : 2);
      // Where the query stands apart from the words, its line may come between.
      if (early && x1 > at - 6 && x1 < at + wide + 6) at = isBelow ? x1 + 6 : step < 0 ? x1 - 6 - wide : at;
      setAttributes(name, { x: px(Math.max(2, Math.min(right + 8 - wide, at))), y: px(isBelow ? y + 20 : y - RADIUS - 4) });
    });
  }
  return { lay, paint, numbers: /** @type {[SVGTextElement, number][]} */ ([]) };
}

/** The heights of both units as arrows, one after the other, up to the score of each word, below its column of the table. */
function pilesOf(stage, sentences, count, resized) {
  const svg = draw(stage, "svg", { class: "attn-drawing", "aria-hidden": "true" });
  const ground = draw(svg, "path", { class: "attn-axis-line" });
  const piles = Array.from({ length: count + 1 }, () => ({
    arrows: [1, 2].map((unit) => draw(svg, "polygon", { class: `attn-height-${unit}` })),
    sum: draw(svg, "path", { class: "attn-height-sum" }),
  }));
  // The first one says what they are.
  ["unit1", "unit2", "score"].forEach((name, i) => setAttributes(label(svg, "soft", sentences[name]), { x: 16, y: 50 + 25 * i }));
  let [wide, tall] = [0, 0];
  onSize(stage, (width, height) => {
    [wide, tall] = [width, height];
    resized();
  });
  return (/** @type {number[][]} */ rows, /** @type {string} */ mode) => {
    if (!wide) return;
    const from = wide > 480 ? 80 : 62;
    const Y = (/** @type {number} */ height) => tall / 2 - PILED[mode] * height;
    setAttributes(ground, { d: `M${from} ${px(Y(0))}H${px(wide)}` });
    const [{ arrows: named, sum: score }, ...own] = piles;
    named.forEach((one, i) => setAttributes(one, { points: arrow([6, 53 + 25 * i], [6, 37 + 25 * i], 6, 8) }));
    setAttributes(score, { d: "M1 95h10" });
    own.forEach(({ arrows, sum }, j) => {
      const x = from + ((wide - from) * (j + 0.5)) / count;
      const [one, , both] = rows.map((row) => row[j]);
      setAttributes(arrows[0], { points: arrow([x - 12, Y(0)], [x - 12, Y(one)], 10, 10) });
      setAttributes(arrows[1], { points: arrow([x + 12, Y(one)], [x + 12, Y(both)], 10, 10) });
      setAttributes(sum, { d: `M${px(x - 26)} ${px(Y(both))}h52` });
    });
  };
}

function minus(/** @type {number} */ number) {
  return String(number).replace("-", MINUS);
}
