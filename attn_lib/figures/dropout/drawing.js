// Figure `dropout`, to see: every draw is a dot at the sum of its row, and a line is the mean of all sums so far.
// A press draws on until a dot falls there.

import { axes, chart } from "../../frontend/chart.js";
import { fill, formatNumber } from "../../frontend/format.js";
import { draw, lengthOf, put, px, reveal } from "../../frontend/svg.js";
import { say } from "../../frontend/text.js";
import { formatFactor } from "./twin.js";

const RADIUS = 5;
// The band that the question asks about is marked below the ticks, where no dot and no line comes.
const BRACKET = 26;

/** @type {import("../../frontend/live.js").Mount} */
export function mount(figure, { words, repaint }) {
  const { axis, mean: meanWord, asked: askedWord } = words.sentences;
  const body = figure.querySelector(".attn-body");
  const rule = body.querySelector("[data-rule]");
  const factors = body.querySelectorAll("[data-part=factors] td.attn-value");
  const weights = body.querySelectorAll("[data-part=weights] td.attn-weight");
  let end = 2;
  let plot;
  const ticks = () => {
    axes(plot, {
      x: [0, 0.25, 0.5, 0.75, 1],
      y: [],
      xText: (place) => formatNumber(place * end, null),
      title: axis,
    });
  };
  const stage = body.querySelector(".attn-stage");
  plot = chart(stage, {
    x: [0, 1],
    y: [0, 1],
    pad: { left: 16, right: 16, top: 38, bottom: 46 },
    resized() {
      ticks();
      repaint();
    },
  });
  const asked = draw(plot.svg, "rect", { class: "attn-asked" });
  const piles = draw(plot.svg, "g");
  const line = draw(plot.svg, "path", { class: "attn-stroke" });
  const name = draw(plot.svg, "text", { class: "attn-middle attn-name" });
  const bracket = draw(plot.svg, "path", { class: "attn-axis-line" });
  const askedName = draw(plot.svg, "text", { class: "attn-middle" }, askedWord);
  const last = draw(plot.svg, "circle", { class: "attn-dot attn-now", r: RADIUS });

  /** Dots in a pile lie side by side while they are few; a high pile is pressed together. */
  const pile = (sums, most) => {
    const room = plot.bottom - plot.top - 2 * RADIUS;
    const step = Math.min(2 * RADIUS + 1, room / Math.max(1, most - 1));
    const dots = sums.flatMap(([total, count]) => {
      const x = px(plot.X(total / end));
      const shown = Math.min(count, 60);
      return Array.from({ length: shown }, (_, i) => {
        const height = shown === count ? i : (i * (count - 1)) / (shown - 1);
        return [x, px(plot.bottom - RADIUS - 1 - height * step)];
      });
    });
    while (piles.childElementCount > dots.length) piles.lastChild.remove();
    while (piles.childElementCount < dots.length) draw(piles, "circle", { class: "attn-dot", r: RADIUS });
    dots.forEach(([cx, cy], i) => put(piles.children[i], { cx, cy }));
    return step;
  };

  /** What each weight is multiplied by; the weight of a dropped word is struck. */
  const paintFactors = ({ parts, slots, summary }) => {
    say(rule, fill(words.sentences[`factor_${summary[0]}`], slots));
    parts.factors.rows[0].forEach((factor, j) => {
      factors[j].dataset.value = String(factor);
      say(factors[j].firstElementChild, `× ${formatFactor(factor)}`);
      for (const cell of [factors[j], weights[j]]) cell.classList.toggle("attn-dropped", factor === 0);
    });
  };

  /** The sum nearest to a place that some later draw has. */
  let sums = null;
  const pressed = () => ({
    surface: stage,
    when: { mode: "train" },
    tap(x) {
      const later = sums.rows.map(([total], i) => ({ n: sums.next[i], away: Math.abs(plot.X(total / end) - x) }));
      const [nearest] = later.filter(({ n }) => n).sort((a, b) => a.away - b.away);
      return nearest ? { n: nearest.n } : null;
    },
  });

  return {
    grabs: [pressed],
    paint(view, state) {
      paintFactors(view);
      sums = view.parts.sums;
      if (!plot.width) return;
      const part = view.parts.sums;
      const wanted = state.p < 1 ? Math.max(2, Math.ceil(1 / (1 - state.p) - 1e-9)) : 2;
      if (wanted !== end) {
        end = wanted;
        ticks();
      }
      const [from, to] = [plot.X(0.5 / end), plot.X(1.5 / end)];
      put(asked, { x: px(from), y: px(plot.top), width: px(to - from), height: px(plot.bottom - plot.top) });
      put(bracket, { d: `M${px(from)} ${px(plot.bottom + BRACKET - 4)}v4H${px(to)}v-4` });
      put(askedName, { x: px(Math.max((from + to) / 2, plot.left + 34)), y: px(plot.bottom + BRACKET + 14) });
      const rows = part ? part.rows : [[1, 1]];
      const most = Math.max(...rows.map(([, count]) => count));
      const step = pile(rows, most);
      const [total, count] = part ? rows[part.now] : rows[0];
      put(last, { cx: px(plot.X(total / end)), cy: px(plot.bottom - RADIUS - 1 - (count - 1) * step) });
      const mean = part ? view.parts.mean.rows[0][4] : 1;
      const x = plot.X(mean / end);
      put(line, { d: `M${px(x)} ${px(plot.top)}V${px(plot.bottom)}` });
      say(name, meanWord.replace("{mean}", formatNumber(mean, 2)));
      const half = lengthOf(name) / 2;
      put(name, { x: px(Math.min(Math.max(x, plot.left + half), plot.right - half)), y: px(plot.top - 9) });
      reveal(line, Boolean(part));
      reveal(name, Boolean(part));
    },
  };
}
