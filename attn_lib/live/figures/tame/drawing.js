// Figure `tame`: a crowd of words, each as large as its weight, and the weight of cats against how many words there are.

import { isUnanswered } from "../../front/bet.js";
import { hand } from "../../front/grab.js";
import { fill, formatCount, formatSmall, formatWeight } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { valueAt } from "../../front/state.js";
import { curve, draw, px, reveal, setAttributes, strokes } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { DETAIL, NAMES } from "./compute.js";
import { ALL, crowd } from "./crowd.js";

// What is written below the axis: places among the listed numbers of words.
const LENGTHS = [0, 6, 10, 18];
const NARROW_LENGTHS = [0, 10];
// Pixels: what a name in a disc needs, from its middle; from the hand to its number, and how long that may be.
const ROOM = 20;
const [BESIDE, LONG] = [22, 64];

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words: { sentences }, repaint }) {
  const { data, controls, bet } = declaration;
  const counted = controls.find(({ key }) => key === "n");
  const last = counted.values.length - 1;
  const made = picture(figure, () => {
    plot = plotOf(made, last);
    paintBack();
    repaint();
  });
  let plot = plotOf(made, last);
  const { svg, back, stage } = made;
  const others = draw(svg, "g", { class: "attn-tame-crowd" });
  const mass = draw(others, "circle", {});
  const kinds = data.words.map(() => draw(others, "path"));
  const cats = draw(svg, "circle", { class: "attn-tame-cats" });
  const names = data.words.map((word, i) => {
    const group = draw(svg, "g", { class: i ? "" : "attn-in-cats" });
    const [name, number] = [label(group, "word", word, "attn-middle attn-in-disc"), label(group, "num", "", "attn-middle attn-in-disc")];
    setAttributes(number, { y: 15 });
    return { group, name, number };
  });
  const lost = label(svg, "word", data.words[0], "attn-middle attn-hue-weight");
  const { lines, light } = strokes(svg, NAMES.length, "attn-tame-lines");
  const putBets = bets(made, "disc");
  /** @type {HTMLElement} */ (stage.querySelector(".attn-hand")).dataset.answer = "";
  const now = label(svg, "word", "", "attn-hue-weight");
  let spoken = "";
  let shown = [0, 0]; // where the hand is
  let drawn = { of: "", discs: [], reach: 1 };

  function paintBack() {
    const { X, Y, left, right } = plot;
    back.replaceChildren();
    for (const weight of [0, 0.5, 1]) {
      draw(back, "path", { class: weight ? "attn-hairline" : "attn-axis-line", d: `M${px(left)} ${px(Y(weight))}H${px(right)}` });
      setAttributes(label(back, "soft", String(weight)), { x: px(right + 9), y: px(Y(weight) + 5) });
    }
    for (const place of made.narrow ? NARROW_LENGTHS : LENGTHS) {
      setAttributes(label(back, "soft", formatCount(counted.values[place]), "attn-middle"), { x: px(X(place)), y: px(Y(0) + 38) });
    }
    setAttributes(label(back, "soft", sentences.words, "attn-middle"), { x: px((left + right) / 2), y: px(Y(0) + 58) });
    setAttributes(label(back, "word", sentences.weight, "attn-middle"), { x: px((left + right) / 2), y: px(Y(1) - 22) });
  }

  /** Each word as a disc, or all others as one that has their weight. */
  function paintCrowd(row, n) {
    const one = row.map((weight, i) => (i ? (weight * 3) / (n - 1) : weight));
    const of = `${n} ${row}`;
    if (of !== drawn.of) drawn = { of, ...crowd(one, n) };
    const { discs, reach } = drawn;
    const [x, y] = plot.middle;
    const unit = plot.reach / Math.max(1, reach);
    const [first] = discs;
    const isMass = discs.length < n;
    reveal(mass, isMass);
    setAttributes(mass, { cx: px(x), cy: px(y), r: px(unit * reach) });
    const spots = kinds.map(() => "");
    for (const disc of discs.slice(1)) spots[disc.kind] += `M${px(x + unit * disc.x)} ${px(y + unit * disc.y)}h0`;
    kinds.forEach((path, i) => {
      setAttributes(path, { d: spots[i], "stroke-width": px(2 * ALL * Math.sqrt(one[i]) * unit) });
    });
    const [cx, cy, r] = [x + unit * first.x, y + unit * first.y, unit * first.r];
    setAttributes(cats, { cx: px(cx), cy: px(cy), r: px(Math.max(1.5, r)) });
    // Cats bears its name as long as it has room for it; another word only where it is the one of its kind, or above itself.
    names.forEach(({ group, name, number }, i) => {
      const disc = discs[i];
      const isRoomy = disc !== undefined && unit * disc.r > ROOM;
      const isShown = i ? n === counted.values[0] && unit * disc.r > ROOM / 2 : isRoomy;
      reveal(group, isShown);
      if (!isShown) return;
      setAttributes(group, { transform: `translate(${px(x + unit * disc.x)} ${px(y + unit * disc.y)})` });
      setAttributes(name, { y: px(isRoomy ? -2 : -unit * disc.r - 5) });
      setText(number, isRoomy ? formatWeight(one[i]) : "");
    });
    reveal(lost, r <= ROOM);
    setAttributes(lost, { x: px(cx), y: px(cy - r - 7) });
  }

  /** Before the answer a line has only what lies behind the hand. */
  function paintLines(all, lit, place) {
    const { X, Y } = plot;
    const isFoggy = isUnanswered(figure);
    const places = all[0].map((_, i) => px(X(i / DETAIL)));
    all.forEach((line, i) => {
      const known = isFoggy ? line.slice(0, place * DETAIL + 1) : line;
      setAttributes(lines[i].line, { d: curve(places, known.map(Y)) });
    });
    light(lit);
  }

  return {
    paint(view, state) {
      spoken = fill(sentences.spoken, view.slots);
      if (!made.width) return;
      const lit = NAMES.indexOf(state.f);
      const row = view.parts.weights.rows[lit];
      const place = counted.values.indexOf(state.n);
      shown = [plot.X(place), plot.Y(row[0])];
      paintCrowd(row, state.n);
      paintLines(view.parts.crowd.lines, lit, place);
      putBets(bet.places.map(([x, weight]) => [plot.X(x), plot.Y(weight)]));
      const isLeft = shown[0] + BESIDE + LONG > made.width;
      setText(now, formatSmall(row[0]));
      setAttributes(now, {
        x: px(shown[0] + (isLeft ? -BESIDE : BESIDE)),
        y: px(row[0] > 0.9 ? shown[1] + 26 : shown[1] - 12), // below the words above the plot
        class: `attn-label attn-word attn-hue-weight${isLeft ? " attn-end" : ""}`,
      });
    },
    grabs: [
      hand(stage, "n", {
        keys: ["n"],
        at: () => shown,
        settings: (x) => ({ n: valueAt(counted, plot.atX(x)) }),
        spoken: () => spoken,
      }),
    ],
  };
}

/** Where the crowd lies and how far it may reach, and pixels of a place, up to the last, and of a weight. */
function plotOf({ width, height, narrow }, last) {
  const reach = Math.max(0, Math.min(height / 2 - 12, width / 4 - 2));
  const [left, right] = [2 * reach + (narrow ? 36 : 62), width - (narrow ? 40 : 66)];
  const [top, bottom] = [narrow ? 46 : 56, height - 76];
  return {
    reach,
    middle: [reach + 10, height / 2],
    left,
    right,
    X: (/** @type {number} */ place) => left + ((right - left) * place) / last,
    Y: (/** @type {number} */ weight) => bottom - (bottom - top) * weight,
    atX: (/** @type {number} */ pixels) => (last * (pixels - left)) / (right - left),
  };
}
