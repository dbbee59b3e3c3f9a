// Figure `dropout`, to see: every draw is a dot at the sum of its row, and a line is the mean of all sums so far.

import { axes, chart } from "../../frontend/chart.js";
import { formatNumber } from "../../frontend/format.js";
import { draw, put, px, reveal, say } from "../../frontend/svg.js";

const RADIUS = 5;

/** @type {import("../../frontend/live.js").Mount} */
export function mount(figure, { words, repaint }) {
  const { axis, mean: meanWord, asked: askedWord } = words.sentences;
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
  plot = chart(figure.querySelector(".attn-body .attn-stage"), {
    x: [0, 1],
    y: [0, 1],
    pad: { left: 16, right: 16, top: 34 },
    resized() {
      ticks();
      repaint();
    },
  });
  const asked = draw(plot.svg, "rect", { class: "attn-asked" });
  const piles = draw(plot.svg, "g");
  const line = draw(plot.svg, "path", { class: "attn-stroke" });
  const name = draw(plot.svg, "text", { class: "attn-middle attn-name" });
  const askedName = draw(plot.svg, "text", { class: "attn-middle attn-tag attn-asked-name" });
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

  return {
    paint(view, state) {
      if (!plot.width) return;
      const part = view.parts.sums;
      const wanted = state.p < 1 ? Math.max(2, Math.ceil(1 / (1 - state.p) - 1e-9)) : 2;
      if (wanted !== end) {
        end = wanted;
        ticks();
      }
      const [from, to] = [plot.X(0.5 / end), plot.X(1.5 / end)];
      put(asked, { x: px(from), y: px(plot.top), width: px(to - from), height: px(plot.bottom - plot.top) });
      put(askedName, { x: px((from + to) / 2), y: px(plot.top + 16) });
      say(askedName, end < 4 ? askedWord : "");
      const rows = part ? part.rows : [[1, 1]];
      const most = Math.max(...rows.map(([, count]) => count));
      const step = pile(rows, most);
      const [total, count] = part ? rows[part.now] : rows[0];
      put(last, { cx: px(plot.X(total / end)), cy: px(plot.bottom - RADIUS - 1 - (count - 1) * step) });
      const mean = part ? view.parts.mean.rows[0][4] : 1;
      const x = plot.X(mean / end);
      put(line, { d: `M${px(x)} ${px(plot.top)}V${px(plot.bottom)}` });
      put(name, { x: px(Math.min(Math.max(x, plot.left + 40), plot.right - 40)), y: px(plot.top - 6) });
      say(name, meanWord.replace("{mean}", formatNumber(mean, 2)));
      reveal(line, Boolean(part));
      reveal(name, Boolean(part));
    },
  };
}
