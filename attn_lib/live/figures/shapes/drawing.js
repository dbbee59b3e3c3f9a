// Figure `shapes`: lines of code with a cursor in their margin, and beside them the block of numbers that the line makes. Each
// axis has a way of its own: queries go down, keys across, features into the depth. So a tensor without keys is a sheet on
// the left, one without queries a sheet on top, and an axis of size 1 makes a sheet one number thick.

import { isUnanswered } from "../../front/bet.js";
import { hand } from "../../front/grab.js";
import { fill } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { draw, lengthOf, path, px, reveal, setAttributes, several } from "../../front/svg.js";
import { hide, setText } from "../../front/text.js";
import { paintLadder } from "./ladder.js";
import { paintMatrix } from "./matrix.js";

const [LINES, MOST] = [8, 10]; // of a program, and numbers along an axis that has a slider
const WAYS = ["batch", "down", "across", "deep"];
const WAY = { B: "batch", Q: "down", K: "across", D: "deep", U: "deep", V: "deep" };
const HUES = { q: "query", queries: "query", X: "query", k: "key", keys: "key", keys_T: "key", Y: "key", values: "value", weights: "weight" };

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration: { bet }, words, repaint }) {
  const { sentences, controls } = words;
  const made = picture(figure, () => {
    plan = planOf(made);
    repaint();
  });
  const { svg, stage } = made;
  let plan = planOf(made);
  /** @type {NodeListOf<HTMLTableElement>} */
  const tables = figure.querySelectorAll(".attn-body :is([data-ladder], [data-matrix])");
  const here = draw(svg, "rect", { class: "attn-shapes-here", rx: 4 });
  const lines = several(LINES, () => {
    const [row, number, code] = [draw(svg, "rect", { class: "attn-shapes-row" }), label(svg, "soft", "", "attn-end"), label(svg, "soft")];
    return { row, number, code, pieces: ["", "attn-shapes-switch", ""].map((look) => draw(code, "tspan", { class: look })) };
  });
  const stops = label(svg, "word", `✗ ${sentences.stops}`, "attn-shapes-bad");
  const frame = draw(svg, "path", { class: "attn-shapes-frame" });
  const taken = several(2, () => ({ block: draw(svg, "path"), name: label(svg, "word") }));
  // A path for the numbers of each query: an upper one covers what the one below has in the depth.
  const rows = several(MOST, () => draw(svg, "path", { class: "attn-shapes-block" })).reverse();
  rows[bet.places[bet.right][0] - 1].dataset.answer = "";
  const examples = draw(svg, "path", { class: "attn-shapes-block" });
  const span = draw(svg, "path", { class: "attn-axis-line" });
  const title = ["", " attn-lit"].map((look) => label(svg, "word", "", `attn-shapes-code${look}`));
  const edges = WAYS.map(() => label(svg, "num"));
  const pairs = label(svg, "word");
  const putBets = bets(made, "disc");
  const [edge] = stage.querySelectorAll(".attn-hand");
  let [at, tall, slots, isOpened] = [0, 1, /** @type {Record<string, string>} */ ({}), true];

  function paintCode({ code, failed }) {
    const { lineY, left, right, line } = plan;
    setAttributes(here, { x: 4, y: px(lineY(at) - line / 2), width: px(right - 8), height: line });
    lines.forEach(({ row, number, code: text, pieces }, i) => {
      // A program that stops has no next line.
      const isShown = i < code.length && !(failed && i > at);
      const [y, look] = [px(lineY(i) + 4.5), i === at ? " attn-lit" : ""];
      setAttributes(row, { x: 0, y: px(lineY(i) - line / 2), width: px(right), height: isShown ? line : 0 });
      setText(number, isShown && i !== at ? String(i + 1) : "");
      setAttributes(number, { x: px(left - 12), y });
      setAttributes(text, { x: px(left), y, class: `attn-label attn-soft attn-shapes-code${look}` });
      const [, ...parts] = (isShown ? code[i] : "").match(/^(.*?)(unsqueeze\(\d\)|$)(.*)$/);
      parts.forEach((part, n) => setText(pieces[n], part));
    });
    reveal(stops, failed);
    setAttributes(stops, { x: px(left), y: px(lineY(at + 1) + 4.5) });
  }

  /** The tensors of a line, each in its place; what goes in alone becomes what comes out. */
  function paintBlocks({ sign, given, result, low, wide, deep }) {
    setAttributes(frame, { d: block(plan, { down: [0, low], across: [0, wide], deep }) });
    let beside = 0; // where the name of what stands on the left ends
    taken.forEach(({ block: shown, name }, i) => {
      const one = sign ? given[i] : null;
      const hue = one ? ` attn-hue-${HUES[one.name.replace(/\[.*/, "")]}` : "";
      setAttributes(shown, { d: one ? blocks(plan, one, true).join("") : "", class: `attn-shapes-block attn-shapes-taken${hue}` });
      setText(name, one?.name ?? "");
      if (!one) return;
      const [dx, dy] = shiftOf(plan, one);
      const { down = 0, across = 0, deep = 0 } = one;
      const [x, y] = dx ? plan.at(down, 0, 0) : dy ? plan.at(0, across, deep) : plan.at(down / 2, across / 2, 0);
      // Two on top, as where every axis of size 1 is squeezed, have names one above the other.
      const stacked = dy && given.every((other) => shiftOf(plan, other)[1]) ? [-10, -28][i] : 8;
      const [aside, below] = dx ? [4, 18] : dy ? [8, stacked] : [0, 5];
      setAttributes(name, { x: px(x + dx + aside), y: px(y + dy + below), class: `attn-label attn-word${hue}${dx || dy ? "" : " attn-middle"}` });
      if (dx) beside = x + dx + aside + lengthOf(name) + 24;
    });
    const own = result ? blocks(plan, result, Boolean(sign)) : [];
    rows.forEach((row, q) => setAttributes(row, { d: own[q] ?? "" }));
    return beside;
  }

  /** Each edge with its axis and its size; one that the line takes away is struck. */
  function paintEdges({ sign, all, result, made: own, lost, high, low, wide, deep }, /** @type {number} */ beside) {
    const { narrow } = made;
    const { at: point, spanX } = plan;
    const [[left, y0], middle, bottom, x] = [point(0, 0, 0), point(high / 2, 0, 0)[1], point(low, 0, 0)[1], point(0, wide, deep)[0]];
    const isPulled = all.some(({ hasQ }) => hasQ);
    const places = [
      [...plan.batch, ""],
      // Where no axis of queries is pulled, what goes down stands beside its block.
      !isPulled ? [left - 8, middle + 5, " attn-end"] : narrow ? [4, y0 - 12, ""] : [spanX - 22, middle + 5, " attn-end"],
      [Math.max(point(0, wide / 2, 0)[0], beside), bottom + 18, " attn-middle"],
      [x + 6, y0 + 3, ""],
    ];
    WAYS.forEach((way, i) => {
      const of = (one) => one.ways.findIndex((ways) => ways.includes(way));
      const owner = result && of(result) >= 0 ? result : all.find((one) => of(one) >= 0);
      const [letter, size] = owner ? [owner.letters[of(owner)], owner.sizes[of(owner)]] : ["", ""];
      const isGone = result && owner !== result;
      const look = isGone ? `attn-num attn-shapes-gone${lost.includes(letter) ? " attn-shapes-bad" : ""}` : own.includes(letter) ? "attn-word" : "attn-num";
      setText(edges[i], letter === "·" ? String(size) : `${letter} ${size}`.trim());
      const [ex, ey, end] = places[i];
      setAttributes(edges[i], { x: px(ex), y: px(ey), class: `attn-label ${look}${end}` });
    });
    const [bx, by] = [plan.batch[0] + lengthOf(edges[0]) + 8, plan.batch[1]];
    const count = all.find(({ batch }) => batch)?.batch ?? 0;
    setAttributes(examples, { d: Array.from({ length: count }, (_, b) => `M${px(bx + 8 * b)} ${px(by - 9)}h6v9h-6z`).join("") });
    const isAdded = sign === "+" && result;
    const [name, shape] = result ? [`${result.name} =`, slots.output] : ["", ""];
    [name, shape].forEach((text, i) => setText(title[i], text));
    const [tx, ty] = plan.title;
    setAttributes(title[0], { x: px(tx), y: px(ty) });
    setAttributes(title[1], narrow ? { x: px(tx), y: px(ty + 18) } : { x: px(tx + lengthOf(title[0]) + 9), y: px(ty) });
    setText(pairs, isAdded ? fill(sentences.grid, slots) : "");
    setAttributes(pairs, { x: px(plan.pairs[0]), y: px(plan.pairs[1]), class: `attn-label attn-word attn-shapes-pairs${slots.sums === slots.wanted ? "" : " attn-shapes-bad"}` });
    setAttributes(span, { d: `M${px(spanX)} ${px(y0)}V${px(point(tall, 0, 0)[1])}` });
  }

  return {
    paint(view, state) {
      const { line, [state.p]: ladder } = view.parts;
      for (const table of tables) {
        const part = view.parts[table.dataset.part];
        if (part && "matrix" in table.dataset) paintMatrix(table, part, words.frame);
        else if (part) paintLadder(table, part);
      }
      [at, tall, slots, isOpened] = [ladder.at, queriesIn(state), view.slots, state.un === "1"];
      if (!made.width) return;
      const scene = sceneOf(line, isUnanswered(figure));
      paintCode(ladder);
      paintEdges(scene, paintBlocks(scene));
      const isHeld = Boolean(state.n) && scene.all.some(({ hasQ }) => hasQ);
      hide(edge, !isHeld);
      reveal(span, isHeld);
      putBets(bet.places.map(([q, k, u]) => plan.at(q - 0.5, k - 0.5, u)));
    },
    grabs: [
      hand(stage, "Q", {
        keys: [["n", 1]],
        at: () => [plan.spanX, plan.at(tall, 0, 0)[1]],
        settings: (_, y, { n }) => ({ n: n.with(1, (y - plan.at(0, 0, 0)[1]) / plan.cell) }),
        step: (across, upwards, { n }) => ({ n: n.with(1, n[1] + across - upwards) }),
        value: queriesIn,
        spoken(state) {
          const value = String(queriesIn(state));
          return slots.output ? fill(controls.n.valuetext, { ...slots, value }) : `${value}: ${sentences.stops}`;
        },
      }),
      hand(stage, "line", {
        keys: ["i"],
        at: () => [plan.left - 30, plan.lineY(at)],
        settings: (_, y) => ({ i: plan.atLine(y) + 1 }),
        // From the line where the program has stopped.
        step: (across, upwards) => ({ i: at + 1 + across - upwards }),
        spoken: () => `${slots.i}: ${lines[at].code.textContent}`,
      }),
    ],
    presses: lines.flatMap(({ row, pieces: [, part] }, i) => /** @type {import("../../front/live.js").Press[]} */ ([
      [row, { i: i + 1 }],
      [part, () => ({ un: isOpened ? "0" : "1" })],
    ])),
  };
}

/** What the hand moves; the program that shows numbers has one query. */
function queriesIn({ n }) {
  return n?.[1] ?? 1;
}

/** The tensors of a line with the ways that they go, and how far all of them reach. @param {any} line @param {boolean} isAsked */
function sceneOf(line, isAsked) {
  const given = line.operands.map(placed);
  const result = line.result && placed(line.result);
  const all = result ? [...given, result] : given;
  const [high, wide, deep] = ["down", "across", "deep"].map((way) => Math.max(...all.map((one) => one[way] ?? 0)));
  // What is bet on lies in a square of as many queries as keys.
  return { ...line, given, result, all, high, wide, deep, low: isAsked ? MOST : high };
}

/** A tensor with how far it reaches each way; where queries and keys share an axis, both at once. */
function placed(one) {
  const { letters, sizes } = one;
  const ways = letters.map((letter, axis) => {
    if (letter === "·") return [letters.length === WAYS.length ? WAYS[axis] : "deep"];
    return letter.split(",").map((part) => WAY[part]);
  });
  const reach = Object.fromEntries(ways.flatMap((own, axis) => own.map((way) => [way, sizes[axis]])));
  const [hasQ, hasK, isShared] = ["Q", "K", ","].map((part) => letters.some((letter) => letter.includes(part)));
  return { ...one, ...reach, ways, hasQ, hasK, isShared };
}

/** The paths of a tensor's numbers, one for each query. @returns {string[]} */
function blocks(plan, one, /** @type {boolean} */ isAside) {
  const { down, across = 0, deep = 0, isShared } = one;
  const shift = isAside ? shiftOf(plan, one) : [0, 0];
  if (down === undefined) return [block(plan, { down: [0, 0], across: [0, across], deep }, shift)];
  return Array.from({ length: down }, (_, q) => block(plan, { down: [q, q + 1], across: isShared ? [q, q + 1] : [0, across], deep }, shift));
}

/** A tensor without keys stands on the left, one without queries on top. */
function shiftOf({ gap, cell }, { hasQ, hasK, down = 0, across = 0 }) {
  if (hasQ === hasK) return [0, 0];
  return hasQ ? [-gap - across * cell, 0] : [0, -gap - down * cell];
}

/** The faces of a block that are seen, with a line between two numbers; without a face, the line that is left of it. */
function block({ at }, { down: [q0, q1], across: [k0, k1], deep }, /** @type {number[]} */ [dx, dy] = [0, 0]) {
  const line = (/** @type {number[][]} */ ...points) =>
    path(points.map(([q, k, u]) => at(q, k, u)).map(([x, y]) => [x + dx, y + dy]));
  const within = (/** @type {number} */ from, /** @type {number} */ to) => Array.from({ length: to - from - 1 }, (_, i) => from + i + 1);
  let d = "";
  if (q1 > q0 && k1 > k0) {
    d += `${line([q0, k0, 0], [q0, k1, 0], [q1, k1, 0], [q1, k0, 0])}Z`;
    for (const q of within(q0, q1)) d += line([q, k0, 0], [q, k1, 0]);
    for (const k of within(k0, k1)) d += line([q0, k, 0], [q1, k, 0]);
  }
  if (deep && k1 > k0) {
    d += `${line([q0, k0, 0], [q0, k0, deep], [q0, k1, deep], [q0, k1, 0])}Z`;
    for (const k of within(k0, k1)) d += line([q0, k, 0], [q0, k, deep]);
  }
  if (deep && q1 > q0) {
    d += `${line([q0, k1, 0], [q0, k1, deep], [q1, k1, deep], [q1, k1, 0])}Z`;
    for (const q of within(q0, q1)) d += line([q, k1, 0], [q, k1, deep]);
  }
  return d || line([q0, k0, 0], [q1, k1, deep]);
}

/** Where things lie, in pixels. @param {import("../../front/picture.js").Picture} picture */
function planOf({ width, height, narrow }) {
  const [top, line] = narrow ? [11, 18] : [30, 41];
  // A number, one step into the depth, and between two blocks.
  const [cell, ux, uy, gap] = narrow ? [11, 3, 2.2, 12] : [20, 4.4, 3.2, 22];
  const [x0, y0] = [narrow ? 68 : width - 294, height - (narrow ? 22 : 60) - MOST * cell];
  const [edge, beside] = [x0 - gap - cell, x0 + MOST * (cell + ux) + 6];
  return {
    line, cell, gap,
    left: 54, // of the code
    right: narrow ? width : 340,
    lineY: (/** @type {number} */ i) => top + line * i,
    atLine: (/** @type {number} */ y) => Math.round((y - top) / line),
    spanX: edge - 14,
    title: narrow ? [beside, y0 + 34] : [edge, 26],
    batch: narrow ? [beside, y0 + 76] : [edge, 52],
    pairs: narrow ? [beside, y0 + MOST * cell] : [x0, y0 + MOST * cell + 42],
    at: (/** @type {number} */ q, /** @type {number} */ k, /** @type {number} */ u) => [x0 + k * cell + u * ux, y0 + q * cell - u * uy],
  };
}
