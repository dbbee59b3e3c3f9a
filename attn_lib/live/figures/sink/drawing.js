// Figure `sink`, to see and to grab: chapter 1's planes, and in the middle of the values a bin that pulls the output to 0;
// below them the scores of words and bin on one axis, and their weights as one bar of length 1.

import { chart } from "../../front/chart.js";
import { fill, formatNumber } from "../../front/numbers.js";
import { alongAxis, tip } from "../../front/grab.js";
import { placeLabels } from "../../front/labels.js";
import { KEYS, VALUES, keyArrows, plane, queryArrow, strings } from "../../front/planes.js";
import { draw, lengthOf, px, reveal, setAttributes, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";

// A bin around its middle, and the mark of an output.
const BIN = "M-15 -13H15M-12 -13L-9 13H9L12 -13";
const MARK = "M0 -9L9 0L0 9L-9 0Z";
// Of the axis, in pixels: where it lies, how far a score stands out, and the rows of names over it: five names of four
// words and a bin may stand within the width of two.
const [LINE, STAND] = [64, 9];
const ROWS = [45, 29, 13];
// Scores so near to each other, in pixels, are one place with one name.
const TOGETHER = 4;
const NAME = 14;
// Of the bar, in pixels: its upper edge and its height; and the room that a name needs beside itself.
const [TOP, TALL] = [20, 26];
const BESIDE = 8;

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const { directions, words: names, keys } = declaration.data;
  const { sentences } = words;
  const body = figure.querySelector(".attn-body");
  const stage = (/** @type {string} */ what) => /** @type {HTMLElement} */ (body.querySelector(what));
  const example = { words: names, points: keys };
  const keyPlane = plane(stage("[data-plane=keys]"), KEYS, directions, repaint);
  const paintKeys = keyArrows(keyPlane, names.length);
  const paintQuery = queryArrow(keyPlane);
  const look = { ...VALUES };
  const valuePlane = plane(stage("[data-plane=values]"), look, {}, repaint);
  const paintBin = binOf(valuePlane);
  const paintValues = strings(valuePlane, names.length, look);
  const paintGhost = ghostOf(valuePlane);
  const axis = chart(stage("[data-drawing=scores]"), {
    x: [-6, 6],
    y: [0, 1],
    pad: { left: 62, right: 40, top: 0, bottom: 0 },
    resized(made) {
      drawAxis(made);
      repaint();
    },
  });
  const paintScores = scoresOf(axis, names, sentences.bin, sentences.all);
  const bar = chart(stage("[data-drawing=bar]"), { x: [0, 1], y: [0, 1], pad: { left: 1, right: 1, top: 0, bottom: 0 }, resized: repaint });
  const paintBar = barOf(bar, names);
  let spoken = "";

  return {
    paint(view, { bin }) {
      const { scores, weights, output } = view.parts;
      const on = bin === "on";
      const [row, [out]] = [weights.rows[0], output.rows];
      spoken = fill(sentences[on ? "spoken" : "spoken_off"], view.slots);
      if (keyPlane.width) paintKeys(row, example, output.query, paintQuery(output.query));
      if (valuePlane.width) {
        paintBin(on, row.at(-1), out);
        paintValues(row, out, example, 1);
        paintGhost(on, output.plain);
      }
      if (axis.width) paintScores(scores.rows[0], on);
      if (bar.width) {
        const said = (/** @type {string} */ name) => fill(sentences[name], view.slots);
        paintBar(row, { words: said("said"), bin: on ? said("silent") : "" });
      }
    },
    grabs: [
      tip(keyPlane, "q", ["x", "y"], () => spoken),
      // Whoever takes hold of the bin's score has a bin.
      (host) => {
        const grab = alongAxis(axis, "s")(host);
        return { ...grab, settings: (x, y, layout) => ({ ...grab.settings(x, y, layout), bin: "on" }) };
      },
    ],
  };
}

/** The bin in the middle of the values, and the string by which it pulls. */
function binOf(plane) {
  const string = draw(plane.svg, "path", { class: "attn-sink-string" });
  const outline = draw(plane.svg, "path", { class: "attn-sink-can", d: BIN });
  return (/** @type {boolean} */ on, /** @type {number} */ weight, /** @type {number[]} */ [x, y]) => {
    const { X, Y } = plane;
    for (const node of [string, outline]) reveal(node, on);
    setAttributes(outline, { transform: `translate(${px(X(0))} ${px(Y(0))})` });
    setAttributes(string, { d: `M${px(X(0))} ${px(Y(0))}L${px(X(x))} ${px(Y(y))}` });
    string.style.strokeWidth = `${(1 + 10 * weight).toFixed(2)}px`;
  };
}

/** Where the output would be without a bin, and the line to 0 on which it stays. */
function ghostOf(plane) {
  const ray = draw(plane.svg, "path", { class: "attn-sink-ray" });
  const ghost = draw(plane.svg, "path", { class: "attn-sink-ghost", d: MARK });
  // The output lies over both.
  for (const node of [ray, ghost]) plane.svg.insertBefore(node, plane.back.nextSibling);
  return (/** @type {boolean} */ on, /** @type {number[]} */ [x, y]) => {
    const { X, Y } = plane;
    for (const node of [ray, ghost]) reveal(node, on);
    setAttributes(ray, { d: `M${px(X(0))} ${px(Y(0))}L${px(X(x))} ${px(Y(y))}` });
    setAttributes(ghost, { transform: `translate(${px(X(x))} ${px(Y(y))})` });
  };
}

/** The axis of the scores, in place of the one that was there. */
function drawAxis({ back, left, right, X }) {
  back.replaceChildren();
  draw(back, "path", { class: "attn-axis-line", d: `M${px(left)} ${LINE}H${px(right)}` });
  for (let tick = -6; tick <= 6; tick += 2) {
    draw(back, "path", { class: "attn-axis-line", d: `M${px(X(tick))} ${LINE}v4` });
    draw(back, "text", { class: "attn-middle", x: px(X(tick)), y: LINE + 17 }, formatNumber(tick, 0));
  }
}

/** A mark over the axis for each score; words with one score have one name, and all of them a short one. */
function scoresOf(axis, words, bin, all) {
  const hue = draw(axis.svg, "g", { class: "attn-hue-key" });
  const marks = words.map(() => draw(hue, "path", { class: "attn-hue-line attn-sink-score" }));
  const binMark = draw(axis.svg, "path", { class: "attn-sink-score attn-sink-own" });
  const names = words.map(() => draw(hue, "text", { class: "attn-tag attn-middle" }));
  const binName = draw(axis.svg, "text", { class: "attn-tag attn-middle" }, bin);
  return (/** @type {number[]} */ scores, /** @type {boolean} */ on) => {
    const { X, width } = axis;
    const stand = (/** @type {number} */ x) => `M${px(x)} ${LINE}v${-STAND}`;
    const groups = /** @type {{ x: number, name: string[] }[]} */ ([]);
    words.forEach((word, j) => {
      const x = X(scores[j]);
      setAttributes(marks[j], { d: stand(x) });
      const near = groups.find((group) => Math.abs(group.x - x) < TOGETHER);
      if (near) near.name.push(word);
      else groups.push({ x, name: [word] });
    });
    names.forEach((node, j) => {
      reveal(node, j < groups.length);
      if (j < groups.length) setText(node, groups[j].name.length === words.length ? all : groups[j].name.join(" / "));
    });
    for (const node of [binMark, binName]) reveal(node, on);
    if (on) setAttributes(binMark, { d: stand(X(scores.at(-1))) });

    const named = groups.map(({ x }, j) => ({ node: names[j], x }));
    if (on) named.push({ node: binName, x: X(scores.at(-1)) });
    const choices = named.map(({ node, x }) => {
      const wide = lengthOf(node) + 6;
      const at = (/** @type {number} */ across, row) => ({ x: Math.min(Math.max(x + across, wide / 2), width - wide / 2) - wide / 2, y: row - NAME + 3, width: wide, height: NAME });
      const aside = wide / 2 - 6;
      return ROWS.flatMap((row) => [0, aside, -aside].map((across) => at(across, row)));
    });
    placeLabels(choices, []).forEach(({ x, y, width: wide }, j) => {
      setAttributes(named[j].node, { x: px(x + wide / 2), y: px(y + NAME - 3) });
    });
  };
}

/** All weight as one bar: what the words say, in tints, and what is silent. */
function barOf(bar, words) {
  const silent = draw(bar.svg, "rect", { class: "attn-sink-silent", y: TOP, height: TALL });
  const hue = draw(bar.svg, "g", { class: "attn-hue-key" });
  const parts = words.map(() => draw(hue, "rect", { class: "attn-tint attn-dot", y: TOP, height: TALL }));
  const names = words.map((word) => draw(hue, "text", { class: "attn-tag attn-middle", y: TOP + TALL / 2 + 4 }, word));
  const said = draw(bar.svg, "text", { class: "attn-tag", y: TOP - 7 });
  const unsaid = draw(bar.svg, "text", { class: "attn-tag attn-end", y: TOP - 7 });
  return (/** @type {number[]} */ weights, /** @type {Record<string, string>} */ texts) => {
    const { X, left, right } = bar;
    let from = 0;
    words.forEach((_, j) => {
      const [start, end] = [X(from), X(from + weights[j])];
      from += weights[j];
      setAttributes(parts[j], { x: px(start), width: px(end - start) });
      tint(parts[j], weights[j]);
      setAttributes(names[j], { x: px((start + end) / 2) });
      reveal(names[j], end - start > lengthOf(names[j]) + BESIDE);
    });
    setAttributes(silent, { x: px(X(from)), width: px(Math.max(0, right - X(from))) });
    setText(said, texts.words);
    setText(unsaid, texts.bin);
    setAttributes(said, { x: px(left) });
    setAttributes(unsaid, { x: px(right) });
  };
}
