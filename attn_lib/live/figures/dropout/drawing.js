// Figure `dropout`, to see: every draw is a dot that falls to the sum of its row, a plumb line hangs at the mean of all, and
// the band that is asked about fills as far as draws lie in it.

import { nodesOf, paintNumber } from "../../front/cell.js";
import { hand } from "../../front/grab.js";
import { fill, formatFine, formatNumber } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { draw, lengthOf, px, reveal, setAttributes } from "../../front/svg.js";
import { hide, setText } from "../../front/text.js";
import { BETWEEN } from "./compute.js";

const RADIUS = 6; // of a dot that has room
const CROWDED = 3.6; // pixels from dot to dot: where it would be less, a heap is a bar
const APART = 30; // of two numbers below the axis
const DRAWS = [1, 10, 100, 1000]; // below the rail of the hand
const BOB = "M0 0L-6 -10Q0 -20 6 -10Z";

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words: { sentences }, repaint }) {
  const { data, bet } = declaration;
  const made = picture(figure, () => paintBack(end));
  const { svg, back, stage } = made;
  let end = 2; // of the axis
  let plot = plotOf(made, end);
  let shown = [0, 0]; // where the hand is
  let spoken = "";
  const band = draw(svg, "rect", { class: "attn-dropout-band" });
  const rail = draw(svg, "g");
  // What would give the answer away.
  const told = draw(svg, "g", { class: "attn-dropout-told" });
  const level = draw(told, "rect", { class: "attn-dropout-level" });
  const surface = draw(told, "path", { class: "attn-dropout-surface", "data-answer": "y" });
  const count = label(told, "big");
  const heaps = [sentences.without, sentences.with].map((text) => ({ bracket: draw(told, "path", { class: "attn-axis-line" }), name: label(told, "word", text, "attn-middle") }));
  const landed = draw(svg, "path", { class: "attn-dropout-dots" });
  const rain = draw(svg, "path", { class: "attn-dropout-dots" });
  const last = draw(svg, "circle", { class: "attn-dropout-last" });
  const mean = draw(svg, "g");
  const plumb = draw(mean, "path", { class: "attn-stroke" });
  const bob = draw(mean, "path", { class: "attn-dropout-bob", d: BOB });
  const meanName = label(mean, "num", "", "attn-middle");
  const putBets = bets(made, "disc");
  const knob = stage.querySelector(".attn-hand");
  const fold = foldOf(figure, sentences, data.words);

  function paintBack(/** @type {number} */ most) {
    end = most;
    plot = plotOf(made, end);
    const { left, right, floor, X, track, N } = plot;
    back.replaceChildren();
    rail.replaceChildren();
    draw(back, "path", { class: "attn-axis-line", d: `M${px(left)} ${px(floor)}H${px(right)}` });
    const whole = Array.from({ length: end + 1 }, (_, i) => i);
    const kept = /** @type {number[]} */ ([]);
    for (const sum of [...BETWEEN, end, ...whole]) {
      if (kept.every((other) => Math.abs(X(other) - X(sum)) >= APART)) kept.push(sum);
    }
    for (const sum of kept) setAttributes(label(back, "soft", formatNumber(sum, null), "attn-middle"), { x: px(X(sum)), y: px(floor + 20) });
    draw(rail, "path", { class: "attn-axis-line", d: `M${px(left)} ${px(track)}H${px(right)}` });
    DRAWS.forEach((n, i) => {
      const isLast = i === DRAWS.length - 1;
      const name = label(rail, "soft", isLast ? fill(sentences.draws, { n: String(n) }) : String(n), isLast ? "attn-end" : "attn-middle");
      setAttributes(name, { x: px(isLast ? right + 8 : N(n)), y: px(track + 32) });
    });
    repaint();
  }

  /** Heaps of dots, of which so many of the last are still in the air; returns how high each heap is. */
  function paintDots({ rows, recent }, falling) {
    const { X, top, floor } = plot;
    const pitch = Math.min(2 * RADIUS + 1, (floor - top) / Math.max(...rows.map(([, n]) => n)));
    const isBars = pitch < CROWDED;
    const radius = isBars ? Math.min(RADIUS, Math.max(1.5, (X(rows[1][0]) - X(rows[0][0]) - 1) / 2)) : pitch / 2 - 0.3;
    const air = recent.slice(recent.length - falling);
    const left = rows.map(([, n], i) => n - air.filter((outcome) => outcome === i).length);
    const heightOf = (/** @type {number} */ n) => floor - pitch * n;
    const d = rows.map(([sum], i) => {
      const x = px(X(sum));
      if (isBars) return left[i] ? `M${x} ${px(floor)}V${px(heightOf(left[i]))}` : "";
      return Array.from({ length: left[i] }, (_, n) => `M${x} ${px(heightOf(n + 0.5))}h0`).join("");
    });
    setAttributes(landed, { d: d.join(""), "stroke-width": px(2 * radius), "stroke-linecap": isBars ? "butt" : "round" });
    const drops = air.map((outcome, i) => {
      const share = ((air.length - i) / (air.length + 1)) ** 2;
      return `M${px(X(rows[outcome][0]))} ${px(share * heightOf(left[outcome]))}h0`;
    });
    setAttributes(rain, { d: drops.join(""), "stroke-width": px(2 * radius), "stroke-linecap": "round" });
    const now = recent.at(-1);
    const lies = Math.min(heightOf(rows[now][1] - 0.5), floor - radius);
    setAttributes(last, { cx: px(X(rows[now][0])), cy: px(lies), r: px(radius + 1.5) });
    reveal(last, falling === 0);
    return rows.map(([sum, n]) => ({ x: X(sum), y: n ? heightOf(n) : floor }));
  }

  /** It ends above what it would cover. */
  function paintMean(total, tops) {
    const { X, floor, left, right } = plot;
    const x = X(total);
    const end = Math.min(floor, ...tops.filter((heap) => Math.abs(heap.x - x) < 12).map(({ y }) => y)) - 5;
    setAttributes(plumb, { d: `M${px(x)} 26V${px(Math.max(26, end - 14))}` });
    setAttributes(bob, { transform: `translate(${px(x)} ${px(end)})` });
    setText(meanName, fill(sentences.mean, { mean: formatFine(total) }));
    const half = lengthOf(meanName) / 2;
    setAttributes(meanName, { x: px(Math.min(Math.max(x, left + half), right - half)), y: 18 });
  }

  /** How many draws lie in the band, and on which side the others are. */
  function paintTold(gap, most, between, n) {
    const { X, Y, floor, left, right } = plot;
    const [from, to] = BETWEEN.map(X);
    const y = Y(between / n);
    setAttributes(level, { x: px(from), y: px(y), width: px(to - from), height: px(floor - y) });
    setAttributes(surface, { d: `M${px(from)} ${px(y)}H${px(to)}` });
    setText(count, `${between}/${n}`);
    // Beside the plumb line, which hangs in the middle of the band, or beside a narrow band.
    const isIn = lengthOf(count) < (to - from) / 2 - 16;
    setAttributes(count, { x: px((isIn ? from : to) + 8), y: made.narrow ? 50 : 58 });
    heaps.forEach(({ bracket, name }, i) => {
      for (const one of [bracket, name]) reveal(one, gap !== null);
      if (!gap) return;
      const [a, b] = (i ? [gap[1], most] : [0, gap[0]]).map(X);
      setAttributes(bracket, { d: `M${px(a)} ${px(floor + 28)}v5H${px(b)}v-5` });
      const half = lengthOf(name) / 2;
      setAttributes(name, { x: px(Math.min(Math.max((a + b) / 2, left + half - 10), right - half + 10)), y: px(floor + 50) });
    });
  }

  return {
    presses: fold.presses,
    paint({ parts: { sums, mean: means, ...others }, slots }, state) {
      spoken = fill(sentences.spoken, slots);
      fold.paint(others, sums, slots);
      hide(knob, !sums);
      if (!made.width) return;
      const wanted = state.p < 1 ? Math.max(2, Math.ceil(1 / (1 - state.p) - 1e-9)) : 2;
      if (wanted !== end) {
        paintBack(wanted);
        return;
      }
      const { X, Y, floor, track, N } = plot;
      const [from, to] = BETWEEN.map(X);
      setAttributes(band, { x: px(from), y: 30, width: px(to - from), height: px(floor - 30) });
      putBets(bet.places.map(([sum, share]) => [X(sum), Y(share)]));
      shown = [N(state.n), track];
      for (const one of [rail, mean, level, surface, count]) reveal(one, sums !== null);
      if (!sums) {
        for (const { bracket, name } of heaps) for (const one of [bracket, name]) reveal(one, false);
        paintDots({ rows: [[1, 1], [2, 0]], recent: [0] }, 0);
        return;
      }
      const total = means.rows[0].at(-1);
      paintTold(sums.gap, sums.rows.at(-1)[0], Number(slots.between), state.n);
      paintMean(total, paintDots(sums, inTheAir(state, sums.recent.length)));
    },
    grabs: [hand(stage, "n", { keys: ["n"], at: () => shown, settings: (x) => ({ n: plot.atN(x) }), spoken: () => spoken })],
  };
}

/** How many of the last draws are still falling, on the way to more of them. @param {any} state @param {number} most */
function inTheAir({ n, way }, most) {
  if (!way || way.from.n >= n) return 0;
  return Math.min(n - way.from.n, Math.round(4 * way.share * (1 - way.share) * most));
}

/**
 * What the fold has besides its controls: sums to wait for, and weights that are pressed to drop or keep their words.
 * @param {HTMLElement} figure @param {Record<string, string>} sentences @param {string[]} words
 */
function foldOf(figure, sentences, words) {
  const body = figure.querySelector(".attn-body");
  const rule = body.querySelector("[data-rule]");
  const factors = body.querySelectorAll("[data-part=factors] td.attn-value");
  const weights = body.querySelectorAll("[data-part=weights] td.attn-weight");
  const waiting = body.querySelector(".attn-dropout-wait");
  const waits = [...waiting.querySelectorAll("button")];
  let [next, turned] = [[], []]; // draws to go to, for each sum and each word
  const drops = [...weights].map((cell, j) => {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-label", fill(sentences.toggle, { word: words[j] }));
    nodesOf(cell).shade.after(button);
    return button;
  });
  const enable = (button, n) => {
    if (button.disabled !== (n === null)) button.disabled = n === null;
  };
  /** @param {HTMLElement} button @param {() => number} draw @returns {import("../../front/live.js").Press} */
  const press = (button, draw) => [button, () => ({ n: draw() })];
  return {
    presses: [...waits.map((button, i) => press(button, () => next[i])), ...drops.map((button, j) => press(button, () => turned[j]))],
    paint(parts, sums, slots) {
      setText(rule, fill(sentences[`factor_${parts.factors.rule}`], slots));
      turned = parts.weights.next;
      // The weight of a dropped word is struck.
      parts.factors.rows[0].forEach((factor, j) => {
        setAttributes(drops[j], { "aria-pressed": factor === 0 });
        enable(drops[j], turned[j]);
        paintNumber(factors[j], factor, `× ${parts.factors.texts[j]}`);
        for (const cell of [factors[j], weights[j]]) cell.classList.toggle("attn-dropped", factor === 0);
      });
      hide(waiting, !sums?.gap); // where all rows have one sum
      if (!sums?.gap) return;
      next = sums.next;
      waits.forEach((button, i) => {
        const [sum] = sums.rows[i];
        setText(button, formatNumber(sum, Number.isInteger(sum) ? 0 : 2));
        enable(button, next[i]);
      });
    },
  };
}

/** Where things stand in the picture, whose axis ends at a sum. @param {import("../../front/picture.js").Picture} picture @param {number} end */
function plotOf({ width, height, narrow }, end) {
  const [left, right] = narrow ? [18, width - 18] : [26, width - 26];
  const [top, floor] = narrow ? [64, height - 100] : [72, height - 122];
  const [wide, log] = [right - left, Math.log(DRAWS.at(-1))];
  return {
    left, right, top, floor,
    track: height - (narrow ? 32 : 40), // of the hand
    X: (/** @type {number} */ sum) => left + (wide * sum) / end,
    Y: (/** @type {number} */ share) => floor - (floor - top) * share,
    N: (/** @type {number} */ n) => left + (wide * Math.log(n)) / log,
    atN: (/** @type {number} */ x) => Math.exp((log * (x - left)) / wide),
  };
}
