// Figure `dropout`, to see: every draw is a dot at the sum of its row, or part of a bar where dots would overlap, and a
// line is the mean of all sums so far. A press draws on until a dot falls there, or tells why none can.

import { nodesOf, paintNumber } from "../../front/cell.js";
import { axes, chart } from "../../front/chart.js";
import { fill, formatFine, formatNumber } from "../../front/numbers.js";
import { draw, lengthOf, setAttributes, px, reveal } from "../../front/svg.js";
import { setText } from "../../front/text.js";

const RADIUS = 5;
const TICKS = [0, 0.25, 0.5, 0.75, 1]; // as shares of the axis
// The band that the question asks about is marked below the ticks, where no dot and no line comes.
const BRACKET = 26;
// A press so close to a sum, in pixels, is meant for it: inside of the gap that dropout leaves, and elsewhere.
const [ON_DOT, NEAR] = [7, 30];
// Above the highest bar: the dot of the present draw and the number of draws.
const COUNT = 15;

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const { axis, mean: meanWord, asked: askedWord, press } = words.sentences;
  const body = figure.querySelector(".attn-body");
  const rule = body.querySelector("[data-rule]");
  const factors = body.querySelectorAll("[data-part=factors] td.attn-value");
  const weights = body.querySelectorAll("[data-part=weights] td.attn-weight");
  const toPress = body.querySelector("[data-part=weights] caption .attn-live");
  const summary = body.querySelector(".attn-summary");
  // A weight is pressed to drop or keep its word.
  const drops = [...weights].map((cell, j) => {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-label", fill(words.sentences.toggle, { word: declaration.data.words[j] }));
    nodesOf(cell).shade.after(button);
    return button;
  });
  let end = 2;
  let axisName;
  let ticks = [];
  const textOf = (place) => formatNumber(place * end, null);
  const drawAxis = () => {
    ticks = axes(plot, { x: TICKS, y: [], xText: textOf });
    axisName = draw(plot.back, "text", { class: "attn-tag attn-end", x: px(plot.right), y: px(plot.bottom + BRACKET + 30) }, axis);
  };
  const stage = body.querySelector(".attn-stage");
  const plot = chart(stage, {
    x: [0, 1],
    y: [0, 1],
    pad: { left: 16, right: 16, top: 28, bottom: 60 },
    resized() {
      drawAxis();
      repaint();
    },
  });
  const asked = draw(plot.svg, "rect", { class: "attn-asked" });
  const dots = draw(plot.svg, "g");
  const bars = draw(plot.svg, "g");
  const line = draw(plot.svg, "path", { class: "attn-stroke" });
  const name = draw(plot.svg, "text", { class: "attn-middle attn-name" });
  const bracket = draw(plot.svg, "path", { class: "attn-axis-line" });
  const askedName = draw(plot.svg, "text", { class: "attn-middle" }, askedWord);
  const last = draw(plot.svg, "circle", { class: "attn-dot attn-now", r: RADIUS });
  const count = draw(plot.svg, "text", { class: "attn-tag attn-middle" });

  /** Draw as many dots or bars as there are places for them. */
  const drawAll = (group, name, kind, places) => {
    while (group.childElementCount > places.length) group.lastChild.remove();
    while (group.childElementCount < places.length) draw(group, name, { class: kind });
    places.forEach((place, i) => setAttributes(group.children[i], place));
  };

  /**
   * Draws of one sum lie on each other, as dots where all have room. Returns where the last of so many lies, and how far
   * a bar reaches to either side.
   */
  const pile = (rows, mean) => {
    const most = Math.max(...rows.map(([, count]) => count));
    const [X, room] = [([total]) => plot.X(total / end), plot.bottom - plot.top - 2 * RADIUS];
    if (most * (2 * RADIUS + 1) <= room) {
      const height = (count) => plot.bottom - RADIUS - 1 - (count - 1) * (2 * RADIUS + 1);
      const places = rows.flatMap((row) => Array.from({ length: row[1] }, (_, i) => ({ cx: px(X(row)), cy: px(height(i + 1)), r: RADIUS })));
      drawAll(dots, "circle", "attn-dot", places);
      drawAll(bars, "rect", "attn-pile", []);
      setText(count, "");
      return { height, reach: 0 };
    }
    const height = (count) => plot.bottom - (count * (room - COUNT)) / most;
    const highest = rows.find((row) => row[1] === most);
    setText(count, String(most));
    // Beside the line of the mean, not on it.
    const aside = 4 * String(most).length + 5;
    const isOnLine = Math.abs(X(highest) - plot.X(mean / end)) < aside;
    setAttributes(count, { x: px(isOnLine ? plot.X(mean / end) + aside : Math.max(X(highest), plot.left + 10)), y: px(height(most) - RADIUS - 4) });
    // The nearest sums differ by the smallest weight; a bar alone is not to be taken for the line.
    const isAlone = rows.filter((row) => row[1]).length === 1;
    const wide = isAlone ? 2 * RADIUS : Math.min(2 * RADIUS, Math.max(2, X(rows[1]) - X(rows[0]) - 1));
    const places = rows.flatMap((row) => {
      const top = height(row[1]);
      return row[1] ? [{ x: px(X(row) - wide / 2), y: px(top), width: px(wide), height: px(plot.bottom - top) }] : [];
    });
    drawAll(bars, "rect", "attn-pile", places);
    drawAll(dots, "circle", "attn-dot", []);
    return { height: (count) => Math.min(height(count), plot.bottom - RADIUS - 1), reach: wide / 2 + 1 };
  };

  /** What each weight is multiplied by; the weight of a dropped word is struck. */
  const paintFactors = ({ parts, slots }) => {
    setText(rule, fill(words.sentences[`factor_${parts.factors.rule}`], slots));
    turned = parts.weights.next;
    // Where no weight can be turned, nothing says that it can; what says so keeps its room.
    toPress.classList.toggle("attn-idle-word", turned.every((n) => n === null));
    parts.factors.rows[0].forEach((factor, j) => {
      setAttributes(drops[j], { "aria-pressed": factor === 0 });
      if (drops[j].disabled !== (turned[j] === null)) drops[j].disabled = turned[j] === null;
      paintNumber(factors[j], factor, `× ${parts.factors.texts[j]}`);
      for (const cell of [factors[j], weights[j]]) cell.classList.toggle("attn-dropped", factor === 0);
    });
  };

  /** A press means the nearest sum that a draw can have; where none is near, or none is left, the summary says so. */
  let sums = null;
  let turned = [];
  const pressed = () => ({
    surface: stage,
    when: { mode: "train" },
    tap(x) {
      const { rows, next, now, gap } = sums;
      const X = (total) => plot.X(total / end);
      // Where nothing or all is dropped, there is one sum.
      const possible = rows.map(([total], i) => ({ total, n: next[i], away: Math.abs(X(total) - x) })).filter((_, i) => gap || i === now);
      const [nearest] = possible.sort((a, b) => a.away - b.away);
      const between = gap && x > X(gap[0]) && x < X(gap[1]);
      if (nearest.n && nearest.away <= (between ? ON_DOT : NEAR)) return { n: nearest.n };
      const reason = nearest.away <= (between ? ON_DOT : NEAR) ? "rare" : between ? "gap" : "apart";
      const [low, high] = gap ?? [];
      const numbers = { sum: plot.atX(x) * end, near: nearest.total, low, high };
      const slots = Object.entries(numbers).map(([name, number]) => [name, formatNumber(number ?? 0, 2)]);
      summary.setAttribute("aria-live", "polite");
      setText(summary, fill(words.sentences[reason], Object.fromEntries(slots)));
      return null;
    },
  });

  return {
    grabs: [pressed],
    presses: drops.map((button, j) => [button, () => ({ n: turned[j] })]),
    paint(view, state) {
      paintFactors(view);
      sums = view.parts.sums;
      if (!plot.width) return;
      const part = view.parts.sums;
      const wanted = state.p < 1 ? Math.max(2, Math.ceil(1 / (1 - state.p) - 1e-9)) : 2;
      if (wanted !== end) {
        end = wanted;
        // A node that comes or goes has all that is around it looked at again; its text may change.
        TICKS.forEach((place, i) => setText(ticks[i], textOf(place)));
      }
      const [from, to] = [plot.X(0.5 / end), plot.X(1.5 / end)];
      setAttributes(asked, { x: px(from), y: px(plot.top), width: px(to - from), height: px(plot.bottom - plot.top) });
      setAttributes(bracket, { d: `M${px(from)} ${px(plot.bottom + BRACKET - 4)}v4H${px(to)}v-4` });
      setAttributes(askedName, { x: px(Math.max((from + to) / 2, plot.left + 34)), y: px(plot.bottom + BRACKET + 14) });
      const rows = part ? part.rows : [[1, 1]];
      const mean = part ? view.parts.mean.rows[0][4] : 1;
      const { height, reach } = pile(rows, mean);
      const [total, count] = part ? rows[part.now] : rows[0];
      setAttributes(last, { cx: px(plot.X(total / end)), cy: px(height(count)) });
      const x = plot.X(mean / end);
      // It ends above a bar that it would cover.
      const below = rows.findLast(([sum, draws]) => draws > 0 && Math.abs(plot.X(sum / end) - x) < reach);
      setAttributes(line, { d: `M${px(x)} ${px(plot.top)}V${px(below ? height(below[1]) : plot.bottom)}` });
      setText(name, meanWord.replace("{mean}", formatFine(mean)));
      const half = lengthOf(name) / 2;
      setAttributes(name, { x: px(Math.min(Math.max(x, plot.left + half), plot.right - half)), y: px(plot.top - 9) });
      reveal(line, Boolean(part));
      reveal(name, Boolean(part));
      // Where nothing is drawn yet: what a press does.
      setText(axisName, state.mode === "train" && state.n === 1 ? press : axis);
    },
  };
}
