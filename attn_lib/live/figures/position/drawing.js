// Figure `position`, to see and to grab: two arrows on every dial, or a small bell for every head; below them the line of
// the text, where both words stand, and over it the score or weight that the key would get in each place.

import { chart } from "../../front/chart.js";
import { fill, formatNumber } from "../../front/numbers.js";
import { arrow, curve, draw, lengthOf, path, px, reveal, setAttributes, tint } from "../../front/svg.js";
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
// Pixels from the axis down to the line of the words; a word's height, its room at the sides, half of its width at least, and where it has a
// letter.
const LINE = 17;
const [TALL, ROOM, LEAST, LETTER] = [22, 7, 5, 7];
// A press so near to the query takes the query; between words so far apart lies the bar that moves both.
const ON = 12;
const [BAR, CLEAR] = [60, 24];

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const body = figure.querySelector(".attn-body");
  const [round, text] = ["dials", "line"].map((name) => body.querySelector(`[data-drawing="${name}"]`));
  const abouts = [...body.querySelectorAll(".attn-read-about [data-kind]")];
  const pad = { left: 0, right: 0, top: 0, bottom: 0 };
  const field = chart(round, { x: [0, 1], y: [0, 1], pad, resized: () => repaint() });
  const dials = dialsOf(field);
  const bells = bellsOf(field);
  const plot = lineOf(text, words.sentences, declaration.data.word, repaint);

  return {
    paint(view, state) {
      for (const about of abouts) about.hidden = about.dataset.kind !== state.kind;
      if (field.width) {
        const { dials: tips, bells: heads } = view.parts;
        dials(heads.length ? null : tips, state.kind);
        bells.paint(heads, state.m);
      }
      if (plot.made.width) plot.paint(view, state);
    },
    grabs: [plot.grab],
    presses: bells.made.map((bell, n) => [bell, { m: n + 1 }]),
  };
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
    const radius = Math.min(wide, tall) / 2 - 2;
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
    name: draw(bell, "text", { class: "attn-middle" }, `m = 1/${2 ** (n + 1)}`),
  }));
  const paint = (/** @type {number[][]} */ heads, /** @type {number} */ head) => {
    const [wide, tall] = [field.width / BELLS, field.height / 2];
    const [across, high] = [wide - 8, tall - BELL_NAME - 6];
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

/** The line of the text with both words, and the curve over it. */
function lineOf(stage, sentences, word, repaint) {
  const made = chart(stage, {
    x: [0, 1],
    y: [0, 1],
    pad: { left: 34, right: 16, top: 24, bottom: 50 },
    resized() {
      axis = "";
      drawn = null;
      repaint();
    },
  });
  let axis = "";
  let drawn = null; // the curve that is drawn
  let full = 0; // half of what a word needs
  const defs = draw(made.svg, "defs");
  const pattern = draw(defs, "pattern", { id: "attn-position-future", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
  draw(pattern, "path", { class: "attn-future-line", d: "M1 0V6" });
  const clip = draw(draw(defs, "clipPath", { id: "attn-position-pane" }), "rect");
  const pane = draw(made.svg, "g", { "clip-path": "url(#attn-position-pane)" });
  const area = draw(pane, "path", { class: "attn-weight-area" });
  const band = draw(pane, "path", { class: "attn-band-of-scores" });
  const line = draw(pane, "path", { class: "attn-stroke" });
  const dots = draw(pane, "path", { class: "attn-at-words" });
  const future = draw(made.svg, "rect", { fill: "url(#attn-position-future)" });
  const title = draw(made.svg, "text", { class: "attn-tag", x: 2, y: 12 });
  const [keys, queries] = ["key", "query"].map((hue) => draw(made.svg, "g", { class: `attn-hue-${hue}` }));
  const upright = draw(queries, "path", { class: "attn-hue-line attn-place-of-query" });
  const stem = draw(keys, "path", { class: "attn-marker" });
  const ring = draw(keys, "circle", { class: "attn-tint attn-dot attn-score-dot", r: 7 });
  const flag = draw(keys, "text", { class: "attn-tag" });
  const bar = draw(made.svg, "path", { class: "attn-both-words" });
  const chips = [keys, queries].map((group) => {
    const chip = draw(group, "g");
    return { chip, box: draw(chip, "rect", { class: "attn-word-box", y: -TALL / 2, height: TALL, rx: 6 }), name: draw(chip, "text", { class: "attn-tag attn-name" }, word) };
  });
  made.svg.append(keys, queries);

  const X = (/** @type {number} */ place, /** @type {any} */ { span }) => made.X(place / Number(span));
  /** The least and the largest number of the vertical axis. */
  const endsOf = ({ weight }, { loud, kind }) => (weight ? [0, 1] : [-loud, kind === "added" ? 2 * loud : Number(loud)]);

  function paintAxis([least, most], state) {
    const { back, left, right, bottom, height } = made;
    const name = `${least} ${most} ${state.span} ${state.start}`;
    if (name === axis) return;
    axis = name;
    back.replaceChildren();
    const level = (/** @type {number} */ value) => made.Y((value - least) / (most - least));
    const ticks = most === 1 ? [0, 0.5, 1] : [least, 0, ...(most > -least ? [most / 2] : []), most];
    for (const tick of ticks) {
      draw(back, "path", { class: tick ? "attn-hairline" : "attn-axis-line", d: `M${px(left)} ${px(level(tick))}H${px(right)}` });
      draw(back, "text", { class: "attn-end", x: px(left - 6), y: px(level(tick) + 4) }, formatNumber(tick, null));
    }
    for (let quarter = 0; quarter <= 4; quarter += 1) {
      const place = (quarter / 4) * state.span;
      draw(back, "path", { class: "attn-axis-line", d: `M${px(X(place, state))} ${px(bottom)}v4` });
      draw(back, "text", { class: "attn-middle", x: px(X(place, state)), y: px(height - 3) }, String(state.start + place));
    }
    draw(back, "path", { class: "attn-hairline", d: `M${px(left)} ${px(bottom + LINE)}H${px(right)}` });
  }

  function paintCurve({ line: heights, fine, weight }, state, Y) {
    const name = `${heights.join()} ${state.kind} ${state.loud} ${weight}`;
    if (name === drawn) return;
    drawn = name;
    const places = heights.map((_, n) => X(n / fine, state));
    const half = (places[1] - places[0]) / 2;
    const isFew = Number(state.span) === 48;
    let points = heights.map((height, n) => [places[n], Y(height)]);
    if (state.kind === "t5" && isFew) points = points.flatMap(([x, y]) => [[x - half, y], [x + half, y]]);
    // Where a pixel has several words: their mean, and a band from their least to their largest.
    const [low, high] = [[], []];
    if (!isFew) {
      const columns = Math.floor((made.right - made.left) / 2);
      points = Array.from({ length: columns }, (_, n) => {
        const own = heights.slice(Math.round((n * heights.length) / columns), Math.round(((n + 1) * heights.length) / columns));
        const x = made.left + 2 * n + 1;
        low.push([x, Y(Math.min(...own))]);
        high.unshift([x, Y(Math.max(...own))]);
        return [x, Y(own.reduce((sum, one) => sum + one, 0) / own.length)];
      });
    }
    setAttributes(band, { d: low.length ? `${path([...low, ...high])}Z` : "" });
    setAttributes(line, { d: curve(points.map(([x]) => px(x)), points.map(([, y]) => y)), class: fine > 1 ? "attn-stroke attn-between-words" : "attn-stroke" });
    const whole = fine > 1 ? points.filter((_, n) => n % fine === 0) : [];
    setAttributes(dots, { d: whole.map(([x, y]) => `M${px(x)} ${px(y)}h0`).join("") });
    setAttributes(area, { d: weight ? `${path([[points[0][0], made.bottom], ...points, [points.at(-1)[0], made.bottom]])}Z` : "" });
  }

  function paint(view, state) {
    const { left, right, top, bottom, width } = made;
    const { curve: shape, pair } = view.parts;
    const [least, most] = endsOf(shape, state);
    const Y = (/** @type {number} */ value) => made.Y((value - least) / (most - least));
    paintAxis([least, most], state);
    paintCurve(shape, state, Y);
    const [atQ, atK] = [X(state.i, state), X(state.j, state)];
    const isMasked = state.future === "masked";
    const edge = Math.min(right, atQ + (X(1, state) - X(0, state)) / 2);
    setAttributes(clip, { x: px(left), y: px(top - 4), width: px((isMasked ? edge : right) - left), height: px(bottom - top + 6) });
    setAttributes(future, { x: px(edge), y: px(top), width: px(isMasked ? right - edge : 0), height: px(bottom - top) });
    setText(title, fill(sentences[shape.weight ? "weight_axis" : "score_axis"], { word }));
    setAttributes(upright, { d: `M${px(atQ)} ${px(top)}V${px(bottom + LINE)}` });
    // A score below the axis ends at its edge, and an arrow in its number says so.
    const isBelow = pair.shown < least;
    const end = pair.hidden ? Y(0) : Math.max(top, Math.min(bottom, Y(pair.shown)));
    setAttributes(stem, { d: `M${px(atK)} ${px(Y(0))}V${px(end)}` });
    setAttributes(ring, { cx: px(atK), cy: px(end) });
    tint(ring, shape.weight && !pair.hidden ? Math.min(1, pair.shown) : 0);
    reveal(ring, !isBelow && !pair.hidden);
    const { s, w } = view.slots;
    setText(flag, `${isBelow && !pair.hidden ? "↓ " : ""}${shape.weight ? w : s}`);
    const long = lengthOf(flag);
    const isLeft = atK - long - 14 > left && (atK <= atQ || atK + long + 14 > width);
    const x = isLeft ? atK - 12 - long : Math.min(atK + 12, width - long - 2);
    setAttributes(flag, { x: px(x), y: px(Math.max(top + 12, Math.min(bottom - 6, end + 4))) });
    // Words that stand too near to one another are letters, then boxes.
    full ||= lengthOf(chips[0].name) / 2 + ROOM;
    const apart = Math.abs(atQ - atK);
    const half = Math.max(LEAST, Math.min(full, (apart - 3) / 2));
    chips.forEach(({ chip, box, name }, n) => {
      setAttributes(chip, { transform: `translate(${px(n ? atQ : atK)} ${px(bottom + LINE)})` });
      setAttributes(box, { x: px(-half), width: px(2 * half) });
      setText(name, half === full ? word : half > LETTER ? "kq"[n] : "");
    });
    const [from, to] = [Math.min(atQ, atK) + full + 3, Math.max(atQ, atK) - full - 3];
    setAttributes(bar, { d: to - from > 8 ? `M${px(from)} ${px(bottom + LINE)}H${px(to)}` : "" });
  }

  /** Either word, the bar between them, or, over the line, the word that is nearer. */
  const grab = (/** @type {import("../../front/grab.js").Host} */ { state }) => ({
    surface: stage,
    measure(/** @type {number} */ x, /** @type {number} */ y) {
      const now = state();
      const [atQ, atK] = [X(now.i, now), X(now.j, now)];
      const isOnLine = y > made.bottom + 2;
      const [fromQ, fromK] = [Math.abs(x - atQ), Math.abs(x - atK)];
      const isBetween = x > Math.min(atQ, atK) + CLEAR && x < Math.max(atQ, atK) - CLEAR;
      if (isOnLine && isBetween && Math.abs(atQ - atK) > BAR) return { key: "both", now, x };
      return { key: fromQ < fromK && (isOnLine || fromQ < ON) ? "i" : "j", now, x };
    },
    at: (now, { key, x }) => [key === "both" ? x : X(now[key], now), 0],
    settings(x, _, { key, now, x: pressed }) {
      const span = Number(now.span);
      if (key !== "both") return { [key]: made.atX(x) * span };
      const wished = Math.round((made.atX(x) - made.atX(pressed)) * span);
      const steps = Math.max(-Math.min(now.i, now.j), Math.min(span - Math.max(now.i, now.j), wished));
      return { i: now.i + steps, j: now.j + steps };
    },
    slider: ({ key }) => [key === "i" ? "i" : "j", 0],
  });
  return { made, paint, grab };
}
