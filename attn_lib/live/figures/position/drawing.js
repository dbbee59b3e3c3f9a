// Figure `position`: two arrows on every dial, or a small bell for every head; a gauge of the score; below them the line of
// the text, where both words are in the reader's hand, and over it the score or weight that the key would get in each place.

import { hand } from "../../front/grab.js";
import { fill, formatNumber } from "../../front/numbers.js";
import { bets, label, pattern, picture } from "../../front/picture.js";
import { arrow, curve, draw, path, px, reveal, setAttributes, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";

const MOST_DIALS = 32;
// So many dials or bells stand side by side.
const COLUMNS = { 1: 1, 2: 2, 4: 2, 8: 4, 16: 4, 32: 8 };
const BELLS = 4;
const BELL_NAME = 17;
// Shares of a dial's radius: how long the arrows of query and key are, and how far the angle between them is shaded.
const LONG = [0.94, 0.7];
const SHADED = 0.48;
// The farthest that a tip can lie from the middle, of a word (1, 1) alone and with a code upon it.
const WORD = Math.SQRT2;
const WITH_CODE = Math.SQRT2 + 0.5;
// Pixels from the gauge to the letters of the bets, and where it is narrow.
const ASIDE = [32, 26];
const FEW = 48; // places in view, each with an arrow of its own

/** Where everything lies, in pixels. @param {import("../../front/picture.js").Picture} picture */
function layoutOf({ width, height, narrow }) {
  const line = narrow ? { left: 16, right: width - 16, at: height - 62, wave: height - 112, swing: 26, bar: height - 24 } : { left: 28, right: width - 28, at: height - 58, wave: height - 114, swing: 34, bar: height - 24 };
  const room = line.wave - line.swing - (narrow ? 8 : 26);
  const gauge = narrow ? { x: width - 98, top: 22, bottom: room - 6 } : { x: width - 274, top: 36, bottom: room - 6 };
  const radius = Math.max(10, Math.min(room / 2 - 4, (gauge.x - (narrow ? 76 : 110)) / 2));
  return { line, gauge, field: { x: narrow ? 4 : Math.max(8, (gauge.x - 100) / 2 - radius), y: room / 2 - radius, width: 2 * radius, height: 2 * radius } };
}

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const { sentences } = words;
  const { bet, data } = declaration;
  const abouts = [...figure.querySelectorAll(".attn-body .attn-read-about [data-kind]")];
  let [at, shown] = [null, null];
  const made = picture(figure, () => {
    at = layoutOf(made);
    repaint();
  });
  const field = { svg: draw(made.svg, "g"), width: 0, height: 0 };
  const dials = dialsOf(field);
  const bells = bellsOf(field);
  const line = lineOf(figure, made.svg, data.word, sentences);
  const gauge = gaugeOf(made.svg, sentences.gauge);
  const putBets = bets(made, "disc");
  const place = (/** @type {number} */ x, { span }) => ((x - at.line.left) / (at.line.right - at.line.left)) * span;
  const spoken = () => fill(sentences.spoken, shown.slots);
  // Both go as far as the text does.
  const shift = ({ i, j, span }, /** @type {number} */ wished) => {
    const steps = Math.max(-Math.min(i, j), Math.min(span - Math.max(i, j), wished));
    return { i: i + steps, j: j + steps };
  };
  const word = (/** @type {string} */ key) =>
    hand(made.stage, key, {
      keys: [key],
      at: (state) => [at ? xOf(at.line, state[key], state) : 0, at ? at.line.at : 0],
      settings: (x, _, state) => ({ [key]: place(x, state) }),
      spoken,
    });

  return {
    paint(view, state) {
      shown = view;
      for (const about of abouts) about.hidden = about.dataset.kind !== state.kind;
      if (!at) return;
      const { dials: tips, bells: heads } = view.parts;
      Object.assign(field, at.field);
      setAttributes(field.svg, { transform: `translate(${px(at.field.x)} ${px(at.field.y)})` });
      dials(heads.length ? null : tips, state.kind);
      bells.paint(heads, state.m);
      line(view, state, at.line, made.back);
      const level = gauge(view, state, at.gauge, made.narrow);
      putBets(bet.places.map(([score]) => [at.gauge.x + ASIDE[Number(made.narrow)], level(score)]));
    },
    grabs: [
      word("j"),
      word("i"),
      hand(made.stage, "both", {
        keys: ["i"],
        at: (state) => [at ? xOf(at.line, (state.i + state.j) / 2, state) : 0, at ? at.line.bar : 0],
        settings: (x, _, state) => shift(state, Math.round(place(x, state) - (state.i + state.j) / 2)),
        step: (across, upwards, state) => shift(state, across || upwards),
        spoken,
      }),
    ],
    presses: bells.made.map((bell, n) => [bell, { m: n + 1 }]),
  };
}

/** Pixels of a place in the text. */
function xOf({ left, right }, place, { span }) {
  return left + ((right - left) * place) / Number(span);
}

/** The dials: on each the query and the key, and the angle between them where the dial turns. */
function dialsOf(field) {
  const all = Array.from({ length: MOST_DIALS }, () => {
    const group = draw(field.svg, "g");
    const rim = draw(group, "circle", { class: "attn-dial-rim" });
    const walk = draw(group, "circle", { class: "attn-dial-walk" });
    const angle = draw(group, "path", { class: "attn-dial-angle" });
    const hands = ["key", "query"].map((hue) => draw(draw(group, "g", { class: `attn-hue-${hue}` }), "polygon", { class: "attn-hue-fill" }));
    return { group, rim, walk, angle, hands };
  });
  return (/** @type {{ query: number[][], key: number[][] } | null} */ tips, /** @type {string} */ kind) => {
    const count = tips?.query.length ?? 0;
    const columns = COLUMNS[count] ?? 1;
    const [wide, tall] = [field.width / columns, field.height / Math.ceil(count / columns || 1)];
    const radius = Math.max(1, Math.min(wide, tall) / 2 - 2);
    const isAdded = kind === "added";
    all.forEach(({ group, rim, walk, angle, hands }, n) => {
      reveal(group, n < count);
      if (n >= count) return;
      setAttributes(group, { transform: `translate(${px((n % columns + 0.5) * wide)} ${px((Math.floor(n / columns) + 0.5) * tall)})` });
      setAttributes(rim, { r: px(radius) });
      const unit = radius / (isAdded ? WITH_CODE : WORD);
      reveal(walk, isAdded && n < count);
      setAttributes(walk, { cx: px(unit), cy: px(-unit), r: px(unit / 2) });
      // Both would hide one another where they point the same way, so the key is drawn shorter where only angles count.
      const ends = [tips.key[n], tips.query[n]].map(([x, y], k) => {
        const scale = isAdded ? 1 : LONG[1 - k];
        return [x * unit * scale, -y * unit * scale];
      });
      hands.forEach((hand, k) => setAttributes(hand, { points: arrow([0, 0], ends[k], Math.max(1.5, radius / 26) * (k ? 1 : 1.6), Math.max(5, radius / 6)) }));
      setAttributes(angle, { d: isAdded || kind === "none" ? "" : sector(tips.key[n], tips.query[n], radius * SHADED) });
    });
  };
}

/** The smaller part of a disc between two directions. @param {number[]} from @param {number[]} to @param {number} radius */
function sector(from, to, radius) {
  const [a, b] = [from, to].map(([x, y]) => [(radius * x) / Math.hypot(x, y), (-radius * y) / Math.hypot(x, y)]);
  const counter = from[0] * to[1] - from[1] * to[0] > 0;
  return `M0 0L${px(a[0])} ${px(a[1])}A${px(radius)} ${px(radius)} 0 0 ${counter ? 0 : 1} ${px(b[0])} ${px(b[1])}Z`;
}

/** For every head what it leaves of the weight around its query; a press chooses the head. */
function bellsOf(field) {
  const made = Array.from({ length: 8 }, () => draw(field.svg, "g", { class: "attn-bell" }));
  const parts = made.map((bell, n) => ({
    frame: draw(bell, "rect", { class: "attn-bell-frame", rx: 4 }),
    area: draw(bell, "path", { class: "attn-weight-area" }),
    name: draw(bell, "text", { class: "attn-middle" }, `1/${2 ** (n + 1)}`),
  }));
  const paint = (/** @type {number[][]} */ heads, /** @type {number} */ head) => {
    const [wide, tall] = [field.width / BELLS, field.height / 2];
    const [across, high] = [wide - 8, tall - BELL_NAME - 6].map((pixels) => Math.max(1, pixels));
    made.forEach((bell, n) => {
      reveal(bell, heads.length > 0);
      if (!heads.length) return;
      setAttributes(bell, { transform: `translate(${px((n % BELLS) * wide + 4)} ${px(Math.floor(n / BELLS) * tall + 2)})`, class: n + 1 === head ? "attn-bell attn-lit" : "attn-bell" });
      const { frame, area, name } = parts[n];
      setAttributes(frame, { width: px(across), height: px(high) });
      const last = heads[n].length - 1;
      // A step for each word: a share is of that word alone.
      const outline = heads[n].flatMap((share, k) => [k, k + 1].map((edge) => [(across * edge) / (last + 1), high - share * (high - 4)]));
      setAttributes(area, { d: `${path([[0, high], ...outline, [across, high]])}Z` });
      setAttributes(name, { x: px(across / 2), y: px(high + 14) });
    });
  };
  return { made, paint };
}

/** The gauge of the score: three numbers, a mark, and the score itself, large. */
function gaugeOf(svg, title) {
  const axis = draw(svg, "path", { class: "attn-axis-line" });
  const ticks = [0, 1, 2].map(() => label(svg, "soft", "", "attn-end"));
  const name = label(svg, "word", title, "attn-middle");
  const mark = draw(svg, "circle", { class: "attn-gauge-mark", r: 6, "data-answer": "y" });
  const number = label(svg, "big", "", "attn-end");
  return ({ parts: { pair }, slots }, { loud, kind }, { x, top, bottom }, narrow) => {
    const most = kind === "added" ? 2 * loud : Number(loud);
    const level = (/** @type {number} */ score) => bottom - ((Math.max(-loud, Math.min(most, score)) + Number(loud)) / (most + Number(loud))) * (bottom - top);
    const values = [-loud, 0, most];
    setAttributes(axis, { d: `M${px(x)} ${px(top)}V${px(bottom)}${values.map((value) => `M${px(x - 5)} ${px(level(value))}h10`).join("")}` });
    setAttributes(name, { x: px(x), y: px(top - 10) });
    const now = level(pair.hidden ? -loud : pair.score);
    values.forEach((value, i) => {
      setText(ticks[i], formatNumber(value, null));
      setAttributes(ticks[i], { x: px(x - 10), y: px(level(value) + 4.5) });
      reveal(ticks[i], Math.abs(level(value) - now) > 20);
    });
    setAttributes(mark, { cx: px(x), cy: px(now) });
    setText(number, slots.s);
    setAttributes(number, { x: px(x - (narrow ? 12 : 18)), y: px(Math.min(bottom, Math.max(top + 14, now + 9))) });
    return level;
  };
}

/** The line of the text with both words, and the curve over it. */
function lineOf(figure, svg, word, sentences) {
  const [lines, behind] = pattern(figure, svg, "future", { width: 6, height: 6, patternTransform: "rotate(45)" });
  draw(lines, "path", { class: "attn-future-line", d: "M1 0V6" });
  const clip = draw(draw(draw(svg, "defs"), "clipPath", { id: `${figure.id}-pane` }), "rect");
  const pane = draw(svg, "g", { "clip-path": `url(#${figure.id}-pane)` });
  const area = draw(pane, "path", { class: "attn-weight-area" });
  const band = draw(pane, "path", { class: "attn-band-of-scores" });
  const line = draw(pane, "path", { class: "attn-stroke" });
  const arrows = draw(pane, "path", { class: "attn-turned" });
  const future = draw(svg, "rect", { fill: behind });
  const title = label(svg, "soft");
  const drops = ["key", "query"].map((hue) => {
    const group = draw(svg, "g", { class: `attn-hue-${hue}` });
    return { drop: draw(group, "path", { class: `attn-hue-line attn-drop-${hue}` }), turned: draw(group, "path", { class: "attn-hue-line attn-turned-own" }), ring: draw(group, "circle", { class: "attn-tint attn-dot", r: 6 }) };
  });
  const bar = draw(svg, "path", { class: "attn-both-words" });
  let [axis, drawn] = ["", ""];

  /** The line of the words, with the numbers of some places, clear of what stands there. */
  function paintAxis(state, { left, right, at, wave, swing }, zero, back) {
    const middle = xOf({ left, right }, (state.i + state.j) / 2, state);
    const places = [0, 0.25, 0.5, 0.75, 1].map((share) => share * state.span).filter((_, n) => right - left > 400 || n % 2 === 0);
    const seen = places.filter((place) => Math.abs(xOf({ left, right }, place, state) - middle) > 64);
    const name = [seen, state.start, left, right, at, zero].join();
    if (name === axis) return;
    axis = name;
    back.replaceChildren();
    draw(back, "path", { class: "attn-hairline", d: `M${px(left)} ${px(zero)}H${px(right)}M${px(left)} ${px(wave - swing)}h0` });
    draw(back, "path", { class: "attn-axis-line", d: `M${px(left)} ${px(at)}H${px(right)}` });
    for (const place of seen) {
      setAttributes(label(back, "soft", String(state.start + place), "attn-middle"), { x: px(xOf({ left, right }, place, state)), y: px(at + 19) });
    }
  }

  function paintCurve({ line: heights, fine, weight }, state, Y, where) {
    const { left, right, wave, swing } = where;
    const isTurned = state.kind === "rope" && state.p === 1 && Number(state.span) === FEW;
    const name = `${heights.join()} ${state.kind} ${state.loud} ${weight} ${left} ${right} ${wave} ${isTurned && [state.i, state.j, state.start]}`;
    if (name === drawn) return;
    drawn = name;
    const places = heights.map((_, n) => xOf(where, n / fine, state));
    const half = (places[1] - places[0]) / 2;
    let points = heights.map((height, n) => [places[n], Y(height)]);
    if (state.kind === "t5" && Number(state.span) === FEW) points = points.flatMap(([x, y]) => [[x - half, y], [x + half, y]]);
    // Where a pixel has several words: their mean, and a band from their least to their largest.
    const [low, high] = [[], []];
    if (Number(state.span) !== FEW) {
      const columns = Math.floor((right - left) / 2);
      points = Array.from({ length: columns }, (_, n) => {
        const own = heights.slice(Math.round((n * heights.length) / columns), Math.round(((n + 1) * heights.length) / columns));
        const x = left + 2 * n + 1;
        low.push([x, Y(Math.min(...own))]);
        high.unshift([x, Y(Math.max(...own))]);
        return [x, Y(own.reduce((sum, one) => sum + one, 0) / own.length)];
      });
    }
    setAttributes(band, { d: low.length ? `${path([...low, ...high])}Z` : "" });
    setAttributes(line, { d: curve(points.map(([x]) => px(x)), points.map(([, y]) => y)), class: isTurned ? "attn-stroke attn-between-words" : "attn-stroke" });
    setAttributes(area, { d: weight ? `${path([[points[0][0], wave + swing], ...points, [points.at(-1)[0], wave + swing]])}Z` : "" });
    // Every word an arrow, turned by its place.
    const step = right - left > 400 ? 1 : 2;
    const others = Array.from({ length: FEW / step + 1 }, (_, n) => n * step).filter((place) => place !== state.i && place !== state.j);
    setAttributes(arrows, { d: isTurned ? others.map((place) => turned([places[place * fine], Y(heights[place * fine])], state.start + place, step > 1 ? 5 : 7.5)).join("") : "" });
    return isTurned;
  }

  return (view, state, where, back) => {
    const { curve: shape, pair } = view.parts;
    const { left, right, at, wave, swing, bar: below } = where;
    const loud = Number(state.loud);
    const [least, most] = shape.weight ? [0, 1] : [-loud, state.kind === "added" ? 2 * loud : loud];
    const Y = (/** @type {number} */ value) => wave + swing - ((value - least) / (most - least)) * 2 * swing;
    paintAxis(state, where, Y(0), back);
    paintCurve(shape, state, Y, where);
    const [atQ, atK] = [state.i, state.j].map((place) => xOf(where, place, state));
    const edge = Math.min(right, atQ + (right - left) / state.span / 2);
    const isMasked = state.future === "masked";
    setAttributes(clip, { x: 0, y: px(wave - swing - 12), width: px(isMasked ? edge : right + left), height: px(2 * swing + 24) });
    setAttributes(future, { x: px(edge), y: px(wave - swing), width: px(isMasked ? right - edge : 0), height: px(2 * swing) });
    setText(title, fill(sentences[shape.weight ? "weight_axis" : "score_axis"], { word }));
    setAttributes(title, { x: px(left - 8), y: px(wave - swing - 14) });
    reveal(title, right - left > 400);
    // A score below the axis ends at its edge.
    const heights = [pair.hidden ? Y(0) : Y(Math.max(least, Math.min(most, pair.shown))), Y(shape.weight ? 1 : Math.max(least, Math.min(most, pair.own)))];
    drops.forEach(({ drop, turned: own, ring }, n) => {
      const [x, y] = [n ? atQ : atK, heights[n]];
      const isTurned = state.kind === "rope" && state.p === 1 && Number(state.span) === FEW;
      setAttributes(drop, { d: `M${px(x)} ${px(at - 13)}V${px(y)}` });
      setAttributes(own, { d: isTurned ? turned([x, y], state.start + (n ? state.i : state.j), 12) : "" });
      setAttributes(ring, { cx: px(x), cy: px(y) });
      tint(ring, shape.weight ? Math.min(1, n ? 1 : pair.shown) : 0);
      reveal(ring, !isTurned && !(pair.hidden && !n));
    });
    setAttributes(bar, { d: `M${px(atK)} ${px(at + 13)}V${px(below)}H${px(atQ)}V${px(at + 13)}` });
  };
}

/** The path of a small arrow that a place has turned, around a point. @param {import("../../front/svg.js").Point} middle @param {number} angle @param {number} half */
function turned([x, y], angle, half) {
  // As on the dials, the word itself is (1, 1).
  const way = (/** @type {number} */ turn, /** @type {number} */ long) => [Math.cos(angle + turn + Math.PI / 4) * long, -Math.sin(angle + turn + Math.PI / 4) * long];
  const [[u, v], [a, b], [c, d]] = [way(0, half), way(0.55, 0.8 * half), way(-0.55, 0.8 * half)];
  const tip = [x + u, y + v];
  return `M${px(x - u)} ${px(y - v)}L${tip.map(px).join(" ")}M${px(tip[0] - a)} ${px(tip[1] - b)}L${tip.map(px).join(" ")}L${px(tip[0] - c)} ${px(tip[1] - d)}`;
}
