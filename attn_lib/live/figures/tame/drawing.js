// Figure `tame`, to see and to grab: the weight of cats against how loud it asks, and against how many words there are.
// Both have one height, so that a dotted line ties the two markers.

import { axes, chart } from "../../front/chart.js";
import { fill, formatSmall } from "../../front/numbers.js";
import { alongAxis } from "../../front/grab.js";
import { corners, curve, disc, draw, px, reveal, setAttributes, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { NAMES } from "./compute.js";

// What is written below the axes: stretches, and places among the listed numbers of words.
const LOUDNESS = [0.5, 2, 4, 6, 8, 10];
const LENGTHS = [0, 6, 10, 14, 18];
// Pixels from a dot to its number, and what a number needs.
const BESIDE = 12;
const ROOM = 64;

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const { sentences } = words;
  const [, loudness, { values: sizes }] = declaration.controls;
  const grown = (/** @type {number} */ place) => (sizes[place] > 9999 ? `${Math.round(sizes[place] / 1000)}k` : String(sizes[place]));
  const plots = [
    panel("loud", [loudness.min, loudness.max], { x: LOUDNESS }),
    panel("crowd", [0, sizes.length - 1], { x: LENGTHS, xText: grown }),
  ];
  // What a longer text does to cats is what the question asks: it is drawn once the text was longer, or it is answered.
  let found = false;

  function panel(name, x, ticks) {
    const stage = figure.querySelector(`.attn-body [data-drawing="${name}"]`);
    const plot = chart(stage, {
      x,
      y: [0, 1],
      pad: { left: 34, right: 14, top: 26, bottom: 22 },
      resized(made) {
        axes(made, { ...ticks, y: [0, 0.5, 1] });
        drawn.lines = null;
        repaint();
      },
    });
    const { svg } = plot;
    const title = draw(svg, "text", { class: "attn-tag", x: 4, y: 13 });
    const level = draw(svg, "path", { class: "attn-tame-level" });
    const marker = draw(svg, "polyline", { class: "attn-marker" });
    if (name === "loud") marker.classList.add("attn-hue-query");
    const group = draw(svg, "g", { class: "attn-lines" });
    const strokes = NAMES.map((_, i) => {
      const one = draw(group, "g");
      return { one, line: draw(one, "path", { class: `attn-stroke${i ? ` attn-dash-${i + 1}` : ""}` }) };
    });
    const dot = draw(svg, "polygon", { class: "attn-dot attn-tint attn-tame-dot" });
    const number = draw(svg, "text", { class: "attn-tag" });
    const hint = draw(svg, "text", { class: "attn-middle" }, sentences.hint);
    const drawn = { lines: null };
    return { plot, title, level, marker, group, strokes, dot, number, hint, drawn };
  }

  function paintPanel(made, lines, place, lit, weight) {
    const { plot, level, marker, group, strokes, dot, number, drawn } = made;
    const { X, Y, left, right, top, bottom } = plot;
    if (drawn.lines !== lines) {
      drawn.lines = lines;
      const [from, to] = [left, right];
      const places = lines[0].map((_, i) => px(from + ((to - from) * i) / (lines[0].length - 1)));
      lines.forEach((line, i) => setAttributes(strokes[i].line, { d: curve(places, line.map(Y)) }));
    }
    strokes.forEach(({ one }, i) => setAttributes(one, { class: i === lit ? "attn-lit" : "" }));
    // The one in the light lies on top.
    if (group.lastElementChild !== strokes[lit].one) group.append(strokes[lit].one);
    const [x, y] = [X(place), Y(weight)];
    setAttributes(marker, { points: corners([[x, top - 6], [x, bottom]]) });
    setAttributes(level, { d: made === plots[0] ? `M${px(x)} ${px(y)}H${px(plot.width)}` : `M0 ${px(y)}H${px(x)}` });
    setAttributes(dot, { points: disc(x, y, 7) });
    tint(dot, weight);
    setText(number, formatSmall(weight));
    const isLeft = x > right - ROOM;
    setAttributes(number, {
      x: px(isLeft ? x - BESIDE : x + BESIDE),
      y: px(y < top + 20 ? y + 20 : y - 9),
      class: isLeft ? "attn-tag attn-end" : "attn-tag",
    });
  }

  return {
    paint(view, { f, s, n, ask }) {
      const lit = NAMES.indexOf(f);
      const weight = view.parts.weights.rows[lit][0];
      found ||= ask === "0" || n > sizes[0];
      const places = [s, sizes.indexOf(n)];
      plots.forEach((made, i) => {
        if (!made.plot.width) return;
        setText(made.title, fill(i ? sentences.crowd : sentences.loud, view.slots));
        setAttributes(made.hint, { x: px((made.plot.left + made.plot.right) / 2), y: px(made.plot.Y(0.5) - 6) });
        const isShown = i === 0 || found;
        reveal(made.group, isShown);
        reveal(made.hint, !isShown);
        paintPanel(made, view.parts[i ? "crowd" : "loud"].lines, places[i], lit, weight);
      });
    },
    grabs: [alongAxis(plots[0].plot, "s"), alongAxis(plots[1].plot, "n")],
    forget() {
      found = false;
    },
  };
}
