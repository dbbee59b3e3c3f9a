// Figure `NAME`: four weights as bars, and what multiplies their scores in the reader's hand below them.

import { hand } from "../../front/grab.js";
import { fill, formatWeight } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { draw, px, setAttributes, several, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";

const KEYS = 4;

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words: { sentences }, repaint }) {
  const { bet, controls: [{ max }] } = declaration;
  let plot = plotOf({ width: 0, height: 0 }, max);
  const made = picture(figure, (now) => {
    plot = plotOf(now, max);
    const { X, Y, across } = plot;
    now.back.replaceChildren();
    for (const weight of [0, 1]) {
      draw(now.back, "path", { class: "attn-hairline", d: `M${px(X(-0.5))} ${px(Y(weight))}H${px(X(KEYS - 0.5))}` });
      setAttributes(label(now.back, "soft", String(weight), "attn-end"), { x: px(X(-0.5) - 8), y: px(Y(weight) + 5) });
    }
    draw(now.back, "path", { class: "attn-axis-line", d: `M${px(across(0))} ${px(plot.axis)}H${px(across(max))}` });
    repaint();
  });
  const { svg, stage } = made;
  const bars = several(KEYS, () => draw(svg, "rect", { class: "attn-tint" }));
  const mark = draw(svg, "circle", { r: 6, "data-answer": "y" });
  const number = label(svg, "num", "", "attn-middle");
  const putBets = bets(made, "disc");
  let spoken = "";

  return {
    paint(view) {
      spoken = fill(sentences.largest, view.slots);
      if (!made.width) return;
      const [weights] = view.parts.weights.rows;
      const { X, Y, wide } = plot;
      weights.forEach((weight, j) => {
        setAttributes(bars[j], { x: px(X(j) - wide / 2), y: px(Y(weight)), width: px(wide), height: px(Y(0) - Y(weight)) });
        tint(bars[j], weight);
      });
      setAttributes(mark, { cx: px(X(0)), cy: px(Y(weights[0])) });
      setText(number, formatWeight(weights[0]));
      setAttributes(number, { x: px(X(0)), y: px(Y(0) + 18) });
      putBets(bet.places.map(([j, weight]) => [X(j), Y(weight)]));
    },
    grabs: [
      hand(stage, "t", {
        keys: ["t"],
        at: ({ t }) => [plot.across(t), plot.axis],
        settings: (x) => ({ t: plot.atX(x) }),
        spoken: () => spoken,
      }),
    ],
  };
}

/** Pixels of a key, of a weight, and of what multiplies the scores, and back. */
function plotOf({ width, height }, max) {
  const [left, right, top, bottom] = [44, width - 24, 24, height - 96];
  const wide = (right - left) / KEYS;
  return {
    wide: wide * 0.6,
    axis: height - 40,
    X: (/** @type {number} */ key) => left + wide * (key + 0.5),
    Y: (/** @type {number} */ weight) => bottom - (bottom - top) * weight,
    across: (/** @type {number} */ t) => left + ((right - left) * t) / max,
    atX: (/** @type {number} */ pixels) => (max * (pixels - left)) / (right - left),
  };
}
