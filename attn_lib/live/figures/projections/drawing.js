// Figure `projections`: a noun and its verb, each with a loop to itself and a bow to the other, as thick as the weights; a bead
// on each bow says how the word's attention is split between the two. Beside them the plane of the vectors: the query of the
// word that asks among the keys of all, and both matrices as their columns, to be pulled.

import { hand } from "../../front/grab.js";
import { overlap, placeLabels } from "../../front/labels.js";
import { fill, formatNumber, formatWeight } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { arrow, corners, draw, lengthOf, path, px, reveal, setAttributes, several, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { NAMES } from "./compute.js";

const SEEN = 3.05; // of the plane: columns end within 1.5, so vectors within 3
// Pixels: half a handle and half of what it says, the height of a name, from the tip of a vector to the middle of its name,
// and from the end of a column, or farther where that is taken.
const [GRIP, LONG, NAME, BEYOND, AWAY, FAR] = [16, 28, 18, 13, 26, 46];
// Where a name lies, in eighths of a turn from the way on.
const AROUND = [0, 1, -1, 2, -2, 3, -3];
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
  const putBets = bets(made, "disc", { aside: true });
  const [right, left] = several(2, () => draw(svg, "circle", { class: "attn-bead", r: BEAD }));
  right.dataset.answer = "";
  const paintPlane = planeOf(svg, data.words, features, sentences);

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
      const { weights, pair } = view.parts;
      rows.forEach((row, i) => row.classList.toggle("attn-asker", i === pair.word));
      figure.classList.toggle("attn-tied", m === "one");
      if (!made.width) return;
      paintPair(plan, weights.rows, pair);
      [left, right].forEach((bead, i) => {
        const [x, y] = plan.bow(i, pair.shares[i]);
        setAttributes(bead, { cx: px(x), cy: px(y) });
      });
      putBets(bet.places.map(([share]) => plan.bow(1, share)));
      paintPlane(plan, view.parts, made);
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
    const { far, step, middle, wide, inside, ends, bow } = plan;
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
      // Between the bows, each on its own word's side of the middle.
      const [beside, level] = bow(i, 0.36);
      setText(given[i], formatWeight(weight));
      setAttributes(given[i], { x: px(beside - inside * OUT[i]), y: px(level + 5), class: `attn-label attn-num${i ? " attn-end" : ""}` });
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

/**
 * The plane: the query of the word that asks, over the keys of all words, which are as thick as its weights; and both matrices,
 * each as its two columns.
 */
function planeOf(svg, words, features, sentences) {
  const hues = ["key", "query"].map((hue) => draw(svg, "g", { class: `attn-hue-${hue}` }));
  const [under, over] = hues;
  const keys = words.map(() => draw(under, "polygon", { class: "attn-vector" }));
  const query = draw(over, "polygon", { class: "attn-vector" });
  const columns = hues.map((hue) => features.map(() => draw(hue, "path", { class: "attn-column" })));
  const q = label(over, "word", "q", "attn-middle");
  const names = words.map((word) => label(under, "word", word, "attn-middle"));
  const sent = hues.map((hue) => features.map((name) => label(hue, "num", name, "attn-middle")));
  const makes = hues.map((hue, i) => label(hue, "word", sentences[i ? "makes_q" : "makes_k"]));
  return (plan, { matrices, vectors, weights, pair }, size) => {
    const { X, Y, linesAt, lines } = plan;
    const origin = [X(0), Y(0)];
    const { word: asker, noun } = pair;
    const tipQ = [X(vectors.rows[asker][0]), Y(vectors.rows[asker][1])];
    const tips = vectors.rows.map(([, , x, y]) => [X(x), Y(y)]);
    tips.forEach((tip, j) => {
      const weight = weights.rows[asker][j];
      setAttributes(keys[j], { points: arrow(origin, tip, 4 + 9 * weight, 15 + 8 * weight) });
    });
    setAttributes(query, { points: arrow(origin, tipQ, 3, 12) });
    const ends = matrices.rows.toReversed().map(([a, b, c, d]) => [[X(a), Y(b)], [X(c), Y(d)]]);
    ends.forEach((two, i) => two.forEach((end, column) => setAttributes(columns[i][column], { d: path([origin, end]) })));

    const texts = makes.map((node, i) => {
      setAttributes(node, { x: px(linesAt), y: px(lines[1 - i]) });
      return { x: linesAt, y: lines[1 - i] - 14, width: lengthOf(node), height: NAME };
    });
    const all = [tipQ, ...tips, ...ends.flat()].map((end) => [origin, end]);
    const put = (/** @type {any[]} */ named, /** @type {number[]} */ aways, taken = []) => {
      texts.push(...putNames(named, aways, all, { texts, taken }, plan, size));
    };
    // The names of the pair come first; the others' are left out where they would lie on them.
    const named = names.map((node, j) => ({ node, end: tips[j] }));
    put([{ node: q, end: tipQ }, ...named.slice(noun, noun + 2)], [BEYOND]);
    put(named.toSpliced(noun, 2), [BEYOND]);
    const grips = ends.flat().map(([x, y]) => ({ x: x - GRIP, y: y - GRIP, width: 2 * GRIP, height: 2 * GRIP }));
    const [x, y] = ends[1][1];
    const pull = { x: x - LONG, y: y + GRIP, width: 2 * LONG, height: NAME };
    // One name is enough where both matrices send a feature to the same place.
    const isApart = ends[0].map(([u, v], i) => Math.hypot(u - ends[1][i][0], v - ends[1][i][1]) > 1);
    sent[0].forEach((node, i) => reveal(node, isApart[i]));
    const own = ends.flatMap((two, i) => two.map((end, column) => ({ node: sent[i][column], end })));
    put(own.filter((_, i) => i > 1 || isApart[i]), [AWAY, FAR], [...grips, pull]);
  };
}

/** Put names around the ends of lines from the origin, or leave out one that lies on another text; return where they lie. */
function putNames(named, aways, lines, { texts, taken }, { from, X, Y }, { width, height }) {
  const [x0, y0] = [X(0), Y(0)];
  const choices = named.map(({ node, end: [x, y] }) => {
    const wide = lengthOf(node) + 6;
    const ahead = Math.hypot(x - x0, y - y0) > 1 ? Math.atan2(y - y0, x - x0) : 0;
    const spots = aways.flatMap((away) =>
      AROUND.map((eighth) => {
        const way = ahead + (eighth * Math.PI) / 4;
        const [u, v] = [x + (away + wide / 2 - 8) * Math.cos(way), y + away * Math.sin(way)];
        return { x: Math.max(from - 8, Math.min(u - wide / 2, width - wide - 2)), y: Math.max(2, Math.min(v - NAME / 2, height - NAME)), width: wide, height: NAME };
      }),
    );
    const free = spots.filter((box) => !texts.some((other) => overlap(box, other)));
    return free.length ? free : spots.slice(0, 1);
  });
  const shown = [...texts];
  placeLabels(choices, lines, taken).forEach((box, i) => {
    const isFree = !shown.some((other) => overlap(box, other));
    reveal(named[i].node, isFree);
    if (isFree) shown.push(box);
    setAttributes(named[i].node, { x: px(box.x + box.width / 2), y: px(box.y + 14) });
  });
  return shown.slice(texts.length);
}

/** Where things lie, in pixels: the pair and its bows, the other words, and the plane of the matrices. */
function planOf({ width, height, narrow }) {
  const [far, middle, bulge, edge, wide] = narrow ? [24, 82, 32, 60, 26] : [44, 154, 62, 74, 36];
  const ends = [edge, height - edge];
  const from = narrow ? 146 : 360;
  const unit = Math.max(1, Math.min((width - from - 6) / (2 * SEEN), (height - 60) / (2 * SEEN)));
  const [x0, y0] = [from + SEEN * unit, height / 2 + (narrow ? 16 : 24)];
  return {
    far, middle, bulge, ends, wide, from,
    linesAt: narrow ? 174 : from,
    inside: narrow ? 11 : 14, // from a bow to its number
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
