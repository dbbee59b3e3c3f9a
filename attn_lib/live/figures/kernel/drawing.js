// Figure `kernel`: six measurements and the curve that is fitted to them. The kernel stands on the query, and its foot is in
// the reader's hand: sideways it moves the query, up and down the strings that it hangs from spread and close the kernel.
// A stem at each key reaches up to the kernel; its share of all stems is the key's weight, which stands above the key.

import { isUnanswered } from "../../front/bet.js";
import { hand } from "../../front/grab.js";
import { fill, formatOutput, formatWeight } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { placeOf, valueAt } from "../../front/state.js";
import { corners, curve, draw, path, px, reveal, setAttributes, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";

// How high the kernel is at the query, in units of the value.
const TALL = 1.9;
// How large the ends of the curve are that do not belong to it, in pixels.
const OPEN = 3;
// Stems too short to be seen stand magnified in the gap, right of the query and above its bell or, where the query stands in
// their way, left of it and below the curve: the middle of the two tallest, and the value at their feet.
const ABOVE = { x: 6.4, y: 2.45 };
const BELOW = { x: 3.95, y: 0.9 };
const IN_THE_WAY = [5.25, 7.75];

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, repaint }) {
  const { data, controls, bet, words: { sentences, frame } } = declaration;
  const { points, axes: ends } = data;
  const gap = [points[3][0], points[4][0]];
  const width = controls.find(({ key }) => key === "s");
  const made = picture(figure, (now) => {
    plot = plotOf(now, ends, width.values.length - 1);
    places = Array.from({ length: 100 * (ends.right - ends.left) + 1 }, (_, i) => px(plot.X(ends.left + i / 100)));
    drawn = "";
    paintBack();
    repaint();
  });
  const { svg, back, stage } = made;
  let plot = plotOf(made, ends, width.values.length - 1);
  /** @type {any} */
  let drawn = ""; // the curve that is drawn
  /** @type {string[]} */
  let places = []; // the pixels of its places
  let spoken = "";
  const strings = draw(draw(null, "g", { class: "attn-hue-query" }), "path", { class: "attn-hue-line attn-strings" });
  back.before(strings.parentNode);
  const query = draw(svg, "g", { class: "attn-hue-query" });
  const bump = draw(query, "path", { class: "attn-bump" });
  const rise = draw(query, "path", { class: "attn-hue-line attn-climb" });
  const line = draw(query, "polyline", { class: "attn-marker" });
  const stems = draw(svg, "g", { class: "attn-hue-key" });
  const heights = points.map(() => draw(stems, "polyline", { class: "attn-hue-line attn-stem" }));
  const value = draw(svg, "g", { class: "attn-hue-value" });
  const reading = draw(value, "polyline", { class: "attn-marker attn-read-off" });
  const jumped = draw(svg, "path", { class: "attn-jump" });
  const booked = draw(svg, "path", { class: "attn-book-line" });
  const fitted = draw(svg, "path", { class: "attn-stroke attn-fitted" });
  const open = draw(svg, "path", { class: "attn-stroke attn-open-end" });
  const dots = points.map(() => draw(svg, "circle", { class: "attn-tint attn-dot", r: 7 }));
  const weights = points.map(() => label(svg, "num", "", "attn-middle attn-hue-weight"));
  const magnified = inset(draw(svg, "g", { class: "attn-hue-key" }), points);
  const putBets = bets(made, "disc");
  const front = draw(svg, "g", { class: "attn-hue-value" });
  const ring = draw(front, "circle", { class: "attn-ring", r: 9, "data-answer": "" });
  const read = label(front, "word", "");

  function paintBack() {
    const { X, Y, left, right, top, bottom } = plot;
    back.replaceChildren();
    draw(back, "rect", { class: "attn-no-key", x: px(X(gap[0])), y: px(top), width: px(X(gap[1]) - X(gap[0])), height: px(bottom - top) });
    for (const place of [2, 4, 6]) {
      draw(back, "path", { class: "attn-hairline", d: `M${px(left)} ${px(Y(place))}H${px(right)}` });
      setAttributes(label(back, "soft", String(place), "attn-end"), { x: px(left - 6), y: px(Y(place) + 4.5) });
    }
    draw(back, "path", { class: "attn-axis-line", d: `M${px(left)} ${px(bottom)}H${px(right)}` });
    const middle = (gap[0] + gap[1]) / 2;
    for (const place of [...points.map(([x]) => x), middle]) {
      setAttributes(label(back, "soft", String(place), "attn-middle attn-over-strings"), { x: px(X(place)), y: px(bottom + 17) });
    }
    setAttributes(label(back, "soft", sentences.key_axis, "attn-end"), { x: px(made.width - 6), y: px(bottom + 17) });
    setAttributes(label(back, "soft", sentences.value_axis), { x: px(6), y: px(top - 3) });
    setAttributes(label(back, "num", frame.weight, "attn-hue-weight"), { x: 6, y: plot.names });
    setAttributes(label(back, "soft", sentences.gap_name, "attn-middle"), { x: px(X(middle)), y: plot.weights });
    setAttributes(label(back, "num", sentences.fit_name, "attn-end attn-hue-value"), { x: px(made.width - 6), y: plot.names });
  }

  function paintCurve({ line: fits, jumps, book }) {
    const isFoggy = isUnanswered(figure);
    // The query moves without it.
    if (drawn && fits === drawn.fits && isFoggy === drawn.isFoggy) return;
    drawn = { fits, isFoggy };
    const { X, Y } = plot;
    // Before the answer nobody knows how it goes on in the gap.
    const isHidden = (/** @type {number} */ i) => isFoggy && i > 100 * (gap[0] - ends.left) && i < 100 * (gap[1] - ends.left);
    const height = (/** @type {number} */ i) => (typeof fits[i] === "number" && !isHidden(i) ? Y(fits[i]) : null);
    // A jump is no slope: the line goes on at the place where it has ended, with the other value.
    const [across, outline] = [[], []];
    const add = (/** @type {number} */ i, /** @type {number | null} */ tall) => {
      across.push(places[i]);
      outline.push(tall);
    };
    fits.forEach((_, i) => {
      if (!jumps.includes(i)) return add(i, height(i));
      add(i, height(i - 1));
      add(i, null);
      add(i, height(i + 1));
    });
    setAttributes(fitted, { d: curve(across, outline) });
    const isUnlike = book?.rows.flat().some((own) => own !== undefined);
    setAttributes(booked, { d: isUnlike ? curve(places, book.whole.line.map((y) => (y === null ? null : Y(y)))) : "" });
    const sides = jumps.map((i) => [i - 1, i + 1].map((beside) => (height(beside) === null ? null : [X(ends.left + i / 100), height(beside)])));
    setAttributes(jumped, { d: path(sides.flatMap(([from, to]) => (from && to ? [from, to, null] : []))) });
    setAttributes(open, { d: sides.flat().flatMap((end) => (end ? [ringed(end)] : [])).join("") });
  }

  function paintBump({ reach, line: tops }, at) {
    const { X, Y, left, right, bottom } = plot;
    const last = tops.length - 1;
    const place = (i) => X(at + reach * ((2 * i) / last - 1));
    // What goes on beyond the drawing ends at its edge.
    const isSeen = (i) => place(i + 1) >= left && place(i - 1) <= right;
    const outline = [];
    tops.forEach((height, i) => {
      if (!isSeen(i)) return;
      const x = Math.min(right, Math.max(left, place(i)));
      const add = (tall) => outline.push([x, Y(TALL * tall)]);
      // The side of a boxcar is upright, and a step lies on it.
      const addSide = (beside) => height === 0 && tops[beside] > 0.5 && add(tops[beside]);
      addSide(i - 1);
      add(height);
      addSide(i + 1);
    });
    const [first, end] = [outline[0], outline.at(-1)];
    setAttributes(bump, { d: `${path([[first[0], bottom], ...outline, [end[0], bottom]])}Z` });
    // No line on the axis, and none down from the edge: there the kernel does not end.
    setAttributes(rise, { d: path(outline) });
  }

  /** From the hand to one width on either side, or as far as the drawing goes. */
  function paintStrings({ x, s }) {
    const { X, left, right, bottom } = plot;
    const [from, at] = [X(x), plot.at(placeOf(width, s))];
    const ways = [X(x - s), X(x + s)].map((foot) => {
      const share = (Math.min(right, Math.max(left, foot)) - from) / (foot - from);
      return `M${px(from)} ${px(at)}L${px(from + share * (foot - from))} ${px(at + share * (bottom - at))}`;
    });
    setAttributes(strings, { d: ways.join("") });
  }

  return {
    paint({ parts, slots }, state) {
      spoken = fill(sentences.spoken, slots);
      if (!made.width) return;
      const { X, Y, top, right, bottom } = plot;
      const { fit } = parts.curve;
      paintCurve(parts.curve);
      paintBump(parts.bump, state.x);
      paintStrings(state);
      points.forEach(([x, y], j) => {
        const weight = parts.weights.rows[0][j] ?? 0;
        setAttributes(heights[j], { points: corners([[X(x), bottom], [X(x), Y(TALL * parts.bump.heights[j])]]) });
        setAttributes(dots[j], { cx: px(X(x)), cy: px(Y(y)) });
        tint(dots[j], weight);
        // As in a narrow table.
        setText(weights[j], made.narrow ? formatWeight(weight).replace("0.", ".") : formatWeight(weight));
        setAttributes(weights[j], { x: px(X(x)), y: plot.weights });
        weights[j].classList.toggle("attn-weightless", weight < 0.005);
      });
      const isInTheWay = state.x > IN_THE_WAY[0] && state.x < IN_THE_WAY[1];
      magnified(parts.bump, slots.times, plot, isInTheWay ? BELOW : ABOVE);
      // From the kernel, as at a key its stem is seen, to the fit.
      const high = fit === null ? top : Math.min(Y(fit), Y(TALL));
      setAttributes(line, { points: corners([[X(state.x), high], [X(state.x), Y(TALL)]]) });
      putBets(bet.places.map(([x, y]) => [X(x), Y(y)]));
      for (const one of [ring, reading, read]) reveal(one, fit !== null);
      if (fit === null) return;
      setAttributes(ring, { cx: px(X(state.x)), cy: px(Y(fit)) });
      setAttributes(reading, { points: corners([[X(state.x), Y(fit)], [right, Y(fit)]]) });
      setText(read, formatOutput(fit));
      setAttributes(read, { x: px(right + 6), y: px(Y(fit) + 5) });
    },
    grabs: [
      hand(stage, "foot", {
        keys: ["x", "s"],
        at: ({ x, s }) => [plot.X(x), plot.at(placeOf(width, s))],
        settings: (x, y) => ({ x: plot.atX(x), s: valueAt(width, plot.stopAt(y)) }),
        spoken: () => spoken,
      }),
    ],
  };
}

/** The two tallest stems, so large that one sees their ratio. */
function inset(group, points) {
  const frame = draw(group, "rect", { class: "attn-framed", rx: 4 });
  const times = label(group, "num", "", "attn-middle");
  const ground = draw(group, "path", { class: "attn-axis-line" });
  const tallest = [-1, 1].map((side) => ({
    stem: draw(group, "path", { class: "attn-hue-line attn-stem" }),
    key: label(group, "soft", "", "attn-middle"),
    side,
  }));
  return ({ heights, seen }, power, { X, Y, large: { tall, apart, half } }, { x, y }) => {
    reveal(group, !seen);
    if (seen) return;
    setAttributes(group, { transform: `translate(${px(X(x))} ${px(Y(y))})` });
    setAttributes(frame, { x: -half, y: -tall - 24, width: 2 * half, height: tall + 44 });
    setAttributes(ground, { d: `M${-half + 6} 0H${half - 6}` });
    setText(times, `×${power}`);
    setAttributes(times, { y: -tall - 8 });
    const largest = Math.max(...heights);
    const two = heights.map((_, j) => j).sort((i, j) => heights[j] - heights[i]).slice(0, 2).sort((i, j) => i - j);
    tallest.forEach(({ stem, key, side }, i) => {
      setAttributes(stem, { d: `M${side * apart} 0v${px((-tall * heights[two[i]]) / largest)}` });
      setText(key, String(points[two[i]][0]));
      setAttributes(key, { x: side * apart, y: 15 });
    });
  };
}

/** Where things lie, in pixels: the plot, the row of weights above it, below it the stops of the hand, the widest on top. */
function plotOf({ width, height, narrow }, ends, last) {
  const [left, aside, top] = narrow ? [24, 46, 46] : [38, 54, 46];
  const [first, apart] = narrow ? [38, 6] : [42, 7]; // below the axis
  // A page that is still laid out may give no room.
  const right = Math.max(left + 1, width - aside);
  const bottom = Math.max(top + 1, height - first - last * apart - 18);
  const unit = (right - left) / (ends.right - ends.left);
  return {
    left, right, top, bottom,
    names: narrow ? 13 : 18,
    weights: narrow ? 29 : 18,
    large: narrow ? { tall: 40, apart: 11, half: 26 } : { tall: 58, apart: 16, half: 42 },
    X: (/** @type {number} */ x) => left + (x - ends.left) * unit,
    Y: (/** @type {number} */ y) => bottom - ((y - ends.bottom) / (ends.top - ends.bottom)) * (bottom - top),
    atX: (/** @type {number} */ pixels) => ends.left + (pixels - left) / unit,
    at: (/** @type {number} */ stop) => bottom + first + (last - stop) * apart,
    stopAt: (/** @type {number} */ pixels) => last - (pixels - bottom - first) / apart,
  };
}

/** A small ring around a point. */
function ringed([x, y]) {
  return `M${px(x - OPEN)} ${px(y)}a${OPEN} ${OPEN} 0 1 0 ${2 * OPEN} 0a${OPEN} ${OPEN} 0 1 0 ${-2 * OPEN} 0Z`;
}
