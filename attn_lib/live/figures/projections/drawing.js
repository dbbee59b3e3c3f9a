// Figure `projections`: a noun and its verb, each with a loop to itself and a bow to the other, as thick as the weights; a bead
// on each bow says how the word's attention is split between the two. Beside them both matrices as the arrows that are their
// columns, to be pulled.

import { hand } from "../../front/grab.js";
import { placeLabels } from "../../front/labels.js";
import { fill, formatNumber, formatWeight } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { arrow, corners, draw, lengthOf, path, px, reveal, setAttributes, several, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { NAMES } from "./compute.js";

const SEEN = 1.75; // of the plane of the matrices, whose arrows end within 1.5
// Pixels: half a handle and half of what it says, the height of a name, and from a tip to the middle of its name.
const [GRIP, LONG, NAME, AWAY] = [20, 28, 18, 28];
const BEAD = 9;
const BOW = Array.from({ length: 33 }, (_, i) => i / 32); // shares on the way along it
const OUT = [-1, 1]; // where out of the picture is, upwards for a noun and downwards for a verb, which stands below it
// The features that matrices send somewhere, (1, 0) and (0, 1), by the ends of the axes that have their names.
const FEATURES = ["right", "up"];

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words: { sentences }, repaint }) {
  const { data, bet } = declaration;
  const rows = [...figure.querySelectorAll(".attn-body .attn-finders tbody tr")];
  const features = FEATURES.map((way) => data.directions[way]);
  const made = picture(figure, () => {
    plan = planOf(made);
    paintBack();
    repaint();
  });
  let plan = planOf(made);
  let shown = null;
  const { svg, back, stage } = made;
  const { discs, paint: paintPair } = pairOf(svg, data.words);
  const putBets = bets(made, "disc");
  const [right, left] = several(2, () => draw(svg, "circle", { class: "attn-bead", r: BEAD }));
  right.dataset.answer = "";
  const paintMatrices = matricesOf(svg, features, sentences);

  /** The axes of the matrices' plane, the square that no matrix has moved, and what is half of an attention. */
  function paintBack() {
    const { X, Y, middle, bulge, half } = plan;
    back.replaceChildren();
    draw(back, "path", { class: "attn-hairline", d: `M${px(X(-SEEN))} ${px(Y(0))}H${px(X(SEEN))}M${px(X(0))} ${px(Y(SEEN))}V${px(Y(-SEEN))}` });
    draw(back, "path", { class: "attn-hairline attn-untouched", d: `M${px(X(0))} ${px(Y(1))}H${px(X(1))}V${px(Y(0))}` });
    draw(back, "path", { class: "attn-axis-line attn-untouched", d: `M${px(middle - bulge - 12)} ${px(half)}H${px(middle + bulge + 12)}` });
    setAttributes(label(back, "soft", "½", "attn-middle"), { x: px(middle), y: px(half + 5) });
  }

  const spoken = (/** @type {number} */ matrix, /** @type {number} */ column) => () => {
    const [across, upwards] = shown.parts.matrices.rows[matrix].slice(2 * column);
    const at = { x: formatNumber(across, 2), y: formatNumber(upwards, 2) };
    return fill(sentences.spoken, { ...shown.slots, ...at, feature: features[column] });
  };
  const end = (/** @type {string} */ key, /** @type {number} */ column) =>
    hand(stage, `${key}${column}`, {
      keys: [0, 1].map((axis) => /** @type {[string, number]} */ ([key, 2 * column + axis])),
      at: (state) => [plan.X(state[key][2 * column]), plan.Y(state[key][2 * column + 1])],
      settings: (x, y, state) => ({ [key]: state[key].toSpliced(2 * column, 2, plan.atX(x), plan.atY(y)) }),
      spoken: spoken("qk".indexOf(key), column),
    });

  return {
    paint(view, { m }) {
      shown = view;
      const { weights, matrices, pair } = view.parts;
      rows.forEach((row, i) => row.classList.toggle("attn-asker", i === pair.word));
      figure.classList.toggle("attn-tied", m === "one");
      if (!made.width) return;
      paintPair(plan, weights.rows, pair);
      [left, right].forEach((bead, i) => {
        const [x, y] = plan.bow(i, pair.shares[i]);
        setAttributes(bead, { cx: px(x), cy: px(y) });
      });
      putBets(bet.places.map(([share]) => plan.bow(1, share)));
      paintMatrices(plan, matrices.rows, made);
    },
    grabs: [end("q", 1), end("q", 0), end("k", 1), end("k", 0)],
    presses: [
      ...rows.map((row, i) => /** @type {[Element, any]} */ ([row, { w: NAMES[i] }])),
      ...discs.map((one, i) => /** @type {[Element, any]} */ ([one, { w: NAMES[i] }])),
    ],
  };
}

/** The words: the pair with bows and loops, the other two with strings from the one who asks. */
function pairOf(svg, words) {
  const strings = several(2, () => draw(svg, "path", { class: "attn-string attn-finding" }));
  const loops = several(2, () => draw(svg, "circle", { class: "attn-string attn-finding" }));
  const bows = several(2, () => draw(svg, "path", { class: "attn-string attn-finding" }));
  const heads = several(2, () => draw(svg, "polygon", { class: "attn-bow-head" }));
  const given = several(2, () => label(svg, "num"));
  const discs = words.map((word) => {
    const group = draw(svg, "g", { class: "attn-word-of" });
    return {
      group,
      mark: draw(group, "circle", { class: "attn-tint attn-dot attn-hue-key" }),
      name: label(group, "word", word),
      number: label(group, "num"),
    };
  });
  const paint = (plan, weights, { word, noun, verb }) => {
    const { far, step, middle, wide, ends, bow } = plan;
    const pair = [noun, verb];
    const side = pair.indexOf(word);
    const thick = (node, weight) => node.style.setProperty("stroke-width", `${(1.5 + 18 * weight).toFixed(1)}px`);
    pair.forEach((from, i) => {
      const weight = weights[from][pair[1 - i]];
      setAttributes(loops[i], { cx: px(middle), cy: px(ends[i] + 21 * OUT[i]), r: 19 });
      thick(loops[i], weights[from][from]);
      setAttributes(bows[i], { d: path(BOW.map((share) => bow(i, share))) });
      thick(bows[i], weight);
      const [x, y] = bow(i, 0.5);
      const [half, long] = [6 + 9 * weight, -OUT[i] * (9 + 4 * weight)];
      setAttributes(heads[i], { points: corners([[x - half, y - long / 2], [x + half, y - long / 2], [x, y + long / 2]]) });
      // On the left away from the other words.
      const [beside, level] = bow(i, i ? 0.36 : side ? 0.22 : 0.78);
      setText(given[i], formatWeight(weight));
      setAttributes(given[i], { x: px(beside + 16 * OUT[i]), y: px(level + 5), class: `attn-label attn-num${i ? "" : " attn-end"}` });
    });
    // The other animal's words stand beside the one who asks, the noun above the verb.
    const others = words.map((_, j) => j).filter((j) => !pair.includes(j));
    discs.forEach(({ group, mark, name, number }, j) => {
      const isOwn = pair.includes(j);
      const out = OUT[j % 2];
      const [x, y] = isOwn ? [middle, ends[j % 2]] : [far, ends[side] + (j % 2 === side ? 0 : -OUT[side] * step)];
      if (!isOwn) {
        const string = strings[others.indexOf(j)];
        setAttributes(string, { d: path([[middle, ends[side]], [x, y]]) });
        thick(string, weights[word][j]);
      }
      setAttributes(group, { class: `attn-word-of${j === word ? " attn-asking" : ""}` });
      setAttributes(mark, { cx: px(x), cy: px(y), r: isOwn ? 15 : 11 });
      tint(mark, weights[word][j]);
      const look = isOwn ? "" : " attn-middle";
      // Beside the loop, or over and under the disc.
      const lines = isOwn ? [y + 26 * out + 5, y + 44 * out + 5] : [y - 18, y + 28];
      setText(number, formatWeight(weights[isOwn ? j : word][j]));
      [name, number].forEach((text, i) => {
        setAttributes(text, { x: px(isOwn ? x + wide : x), y: px(lines[i]), class: `attn-label attn-${i ? "num" : "word"}${look}` });
      });
    });
  };
  return { discs: discs.map(({ group }) => group), paint };
}

/** Both matrices, each as its two columns; that of the keys is thick, so that it is seen under the other. */
function matricesOf(svg, features, sentences) {
  const hues = ["key", "query"].map((hue) => draw(svg, "g", { class: `attn-hue-${hue}` }));
  const arrows = hues.map((hue) => features.map(() => draw(hue, "polygon", { class: "attn-hue-fill" })));
  const names = hues.map((hue) => features.map((name) => label(hue, "word", name, "attn-middle")));
  const makes = hues.map((hue, i) => label(hue, "word", sentences[i ? "makes_q" : "makes_k"]));
  return ({ X, Y, from, lines }, /** @type {number[][]} */ [q, k], { width, height }) => {
    const origin = [X(0), Y(0)];
    const ends = [k, q].map(([a, b, c, d]) => [[X(a), Y(b)], [X(c), Y(d)]]);
    const apart = ends[0].map(([x, y], i) => Math.hypot(x - ends[1][i][0], y - ends[1][i][1]));
    const choices = [];
    const named = [];
    ends.forEach((columns, i) => {
      setAttributes(makes[i], { x: px(from), y: px(lines[1 - i]) });
      columns.forEach(([x, y], column) => {
        setAttributes(arrows[i][column], { points: arrow(origin, [x, y], i ? 4 : 10, i ? 13 : 22) });
        // One name is enough where both go to the same place.
        const isNamed = i === 1 || apart[column] > 1;
        reveal(names[i][column], isNamed);
        if (!isNamed) return;
        const wide = lengthOf(names[i][column]) + 6;
        const ahead = Math.hypot(x - origin[0], y - origin[1]) > 1 ? Math.atan2(y - origin[1], x - origin[0]) : 0;
        named.push(names[i][column]);
        choices.push(
          [1, -1, 2, -2, 0, 3, -3].map((eighth) => {
            const way = ahead + (eighth * Math.PI) / 4;
            const [u, v] = [x + (AWAY + wide / 2 - 8) * Math.cos(way), y + AWAY * Math.sin(way)];
            return { x: Math.max(from - 8, Math.min(u - wide / 2, width - wide - 2)), y: Math.max(2, Math.min(v - NAME / 2, height - NAME)), width: wide, height: NAME };
          }),
        );
      });
    });
    const all = ends.flat();
    const taken = all.map(([x, y]) => ({ x: x - GRIP, y: y - GRIP, width: 2 * GRIP, height: 2 * GRIP }));
    const [x, y] = ends[1][1];
    taken.push({ x: x - LONG, y: y + GRIP - 4, width: 2 * LONG, height: NAME });
    placeLabels(choices, all.map((end) => [origin, end]), taken).forEach((box, i) => {
      setAttributes(named[i], { x: px(box.x + box.width / 2), y: px(box.y + 14) });
    });
  };
}

/** Where things lie, in pixels: the pair and its bows, the other words, and the plane of the matrices. */
function planOf({ width, height, narrow }) {
  const [far, middle, bulge, edge, wide] = narrow ? [24, 93, 36, 60, 29] : [78, 226, 76, 74, 36];
  const ends = [edge, height - edge];
  const from = narrow ? 170 : 448;
  const unit = Math.max(1, Math.min((width - from - 8) / (2 * SEEN), (height - 60) / (2 * SEEN)));
  const [x0, y0] = [from + SEEN * unit, height / 2 + (narrow ? 16 : 20)];
  return {
    far, middle, bulge, ends, wide, from,
    step: narrow ? 84 : 104,
    half: height / 2,
    lines: narrow ? [20, 40] : [30, 54],
    /** A share of the way from the noun, on the left (0), or from the verb, on the right (1), to the other one. */
    bow(/** @type {number} */ side, /** @type {number} */ share) {
      const away = bulge * Math.sin(Math.PI * share);
      return [middle + away * OUT[side], ends[side] + (ends[1 - side] - ends[side]) * share];
    },
    X: (/** @type {number} */ x) => x0 + unit * x,
    Y: (/** @type {number} */ y) => y0 - unit * y,
    atX: (/** @type {number} */ pixels) => (pixels - x0) / unit,
    atY: (/** @type {number} */ pixels) => (y0 - pixels) / unit,
  };
}
