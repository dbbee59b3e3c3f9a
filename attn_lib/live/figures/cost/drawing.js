// Figure `cost`, to see and to grab: the table of weights as a square, in which only what is in memory is filled. A
// block of queries is dragged across it; a rule at its right end measures T queries, and its end is dragged.
// Beside it bark reads its keys as far as the pressed one.

import { chart } from "../../front/chart.js";
import { fill } from "../../front/numbers.js";
import { arrow, draw, lengthOf, px, setAttributes, reveal } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { TWICE } from "./compute.js";

const TOP = 30;
const LEFT = 20;
// Pixels to the right of the square: for the handle, what the kernel keeps and the way back.
const RIGHT = 54;
const BESIDE = 14;
// So near to the right edge a press takes hold of T, farther in of the block.
const REACH = 22;
// So high, in pixels, a part of the square has room for a text, and so wide for the number of its words.
const [TALL, WIDE] = [24, 80];
// A tile is drawn no smaller.
const SPOT = 4;
// So far apart lines of text stand; so much room two of them need above a tile with its size.
const [LINE, ABOVE] = [14, 46];
// Where the slider's keys go.
const KEYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
// A finger takes hold of the block here, however low it is.
const GRIP = 44;

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const said = words.sentences;
  const { values } = declaration.controls.find(({ key }) => key === "t");
  const [least] = declaration.controls.find(({ key }) => key === "n").values;
  const bark = figure.querySelector(".attn-body .attn-bark");
  const rows = [...bark.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll(".attn-read")]);
  const ways = [...figure.querySelectorAll(".attn-body [data-part=memory] tbody tr")];
  const { options } = declaration.controls.find(({ key }) => key === "mode");
  // What a way of computing keeps is asked first, so it is shown once that way has been chosen.
  const seen = new Set();
  const stage = figure.querySelector(".attn-body .attn-stage");
  const plot = chart(stage, {
    x: [0, 1],
    y: [0, 1],
    pad: { left: LEFT, right: RIGHT, top: TOP, bottom: 8 },
    resized: repaint,
  });
  const { svg } = plot;
  const kept = draw(svg, "rect", { class: "attn-kept" });
  const margin = draw(svg, "rect", { class: "attn-kept" });
  const square = draw(svg, "rect", { class: "attn-absent" });
  const block = draw(svg, "rect");
  const again = draw(svg, "path", { class: "attn-again" });
  const smallest = draw(svg, "rect", { class: "attn-smallest" });
  const rule = draw(svg, "path", { class: "attn-rule" });
  const tile = draw(svg, "rect", { class: "attn-tile" });
  const way = draw(svg, "polygon", { class: "attn-tile" });
  const aside = draw(svg, "text", { class: "attn-middle" }, words.controls.mode.options.again);
  const across = draw(svg, "text", { class: "attn-middle" });
  const down = draw(svg, "text", { class: "attn-middle" });
  const small = draw(svg, "text", { class: "attn-tag" }, fill(said.small, { n: least }));
  const size = draw(svg, "text");
  const stored = draw(svg, "text");
  const [read, keeps] = [0, 1].map(() => draw(svg, "text", { class: "attn-middle attn-tag" }));
  // Two sliders set the same as both. They are HTML, for browsers let a finger drag no part of an SVG.
  const [grip, knob] = ["attn-sweeper", "attn-handle attn-hue-query"].map((name) => {
    const span = document.createElement("span");
    span.className = name;
    span.setAttribute("aria-hidden", "true");
    stage.append(span);
    return span;
  });
  let held = { left: 0, right: 0, top: TOP, side: 0, rule: [TOP, 1], twice: false, back: false, swept: 0, steps: 1 };

  // The rule begins where the block does and grows down, or of a low block at its foot and up: there is the room.
  // Blocks of another height may begin elsewhere, but while its end is dragged the rule stays where it was taken: the
  // block moves, and what is dragged does not.
  let taken = null;
  const ruled = () => (taken !== null && stage.classList.contains("attn-held") ? taken : held.rule);
  stage.addEventListener("lostpointercapture", repaint);
  const endOf = ({ t, n }, [begin, way]) =>
    Math.min(held.top + held.side, Math.max(held.top, begin + way * Math.min(1, t / n) * held.side));
  const edge = ({ state }) => {
    const at = (now, { right, rule }) => [right, endOf(now, rule)];
    return {
      surface: stage,
      knob,
      slider: ["t", 0],
      measure(x) {
        const isEdge = x > held.right - REACH;
        taken = isEdge ? held.rule : null;
        return isEdge ? { ...held, ...state() } : null;
      },
      at,
      settings: (_, y, { rule: [begin, way], side, n }) => ({ t: nearest(((way * (y - begin)) / side) * n, values, n) }),
      follow(now) {
        const [x, y] = at(now, { ...held, rule: ruled() });
        knob.style.transform = `translate(${px(x)}px, ${px(y)}px)`;
      },
    };
  };

  const sweep = ({ state, move, settle }) => {
    // Few blocks are larger than the slider's steps: its keys end whole blocks, so that each is seen to do something.
    figure.querySelector(".attn-body [data-key=p]")?.addEventListener("keydown", (event) => {
      const way = KEYS[event.key];
      if (!way) return;
      event.preventDefault();
      const { swept, steps } = held;
      const goal = Math.min(steps, Math.max(0, swept + way * Math.ceil(steps / 50)));
      move({ p: 2 * Math.ceil((50 * goal) / steps) });
      settle();
    });
    return {
      surface: stage,
      upright: grip,
      slider: ["p", 0],
      measure: (x) => (x > held.left && x <= held.right - REACH ? { ...held, x, j: state().j } : null),
      settings(x, y, { top, side, twice, back, steps, ...begun }) {
        const place = Math.min(1, Math.max(0, (y - top) / side));
        // What is computed twice is swept twice: down, and up from the end.
        const goal = 2 * Math.round((twice ? (back ? 100 - 50 * place : 50 * place) : 100 * place) / 2);
        const { mode, p } = state();
        const sweptAt = (at) => Math.floor((at * steps) / 100);
        // Within a block nothing is swept.
        const swept = { p: sweptAt(goal) === sweptAt(p) ? p : goal };
        // The kernel's tile is moved along its row as well, as far as the pointer goes, to the key that bark reads.
        const keys = begun.j + Math.round(((x - begun.x) / side) * rows[0].length);
        return mode === "kernel" && !back ? { ...swept, j: keys } : swept;
      },
    };
  };

  // A press on a word reads the keys up to it; the slider below goes on.
  const keys = () => ({
    surface: bark.querySelector("table"),
    slider: ["j", 0],
    measure: () => rows[0].map(({ offsetLeft }) => offsetLeft),
    settings: (x, _, starts) => ({ j: starts.filter((start) => start <= x).length }),
  });

  // A way that is chosen has as many blocks done as the last one had, though it may have all to do once more, and is
  // at its end if that was. How it came to that is to be seen, from its first block.
  let shown = null;
  /** @type {NodeListOf<HTMLInputElement>} */
  const radios = figure.querySelectorAll(".attn-body [data-key=mode]");
  const chosen = (mode) => () => {
    const { mode: last, p } = shown;
    const twice = TWICE.includes(mode);
    if (twice === TWICE.includes(last) || p === 100) return { mode };
    if (twice) return { mode, p: Math.min(48, 2 * Math.ceil(p / 4)) };
    return { mode, p: p < 50 ? 2 * p : 200 - 2 * p };
  };

  // A block has at most all n queries: there the slider of its height ends.
  /** @type {HTMLInputElement | null} */
  const heights = figure.querySelector(".attn-body [data-key=t]");
  const limit = ({ t, n }) => {
    const last = String(values.findIndex((value) => value >= n));
    if (!heights || heights.max === last) return;
    heights.max = last;
    heights.value = String(values.indexOf(t));
  };

  return {
    paint(view, state) {
      shown = state;
      limit(state);
      bark.dataset.read = String(state.j);
      // Only the kernel reads so, and in its first pass; else it can be read on, but is not what the sentence tells.
      bark.classList.toggle("attn-faded", state.mode !== "kernel" || view.parts.table.back);
      for (const cells of rows) {
        cells.forEach((cell, j) => {
          cell.classList.toggle("attn-unread", j >= state.j);
          cell.classList.toggle("attn-chosen", j === state.j - 1);
        });
      }
      seen.add(state.mode);
      ways.forEach((row, i) => {
        row.classList.toggle("attn-chosen", options[i] === state.mode);
        row.classList.toggle("attn-unasked", state.ask === "1" && !seen.has(options[i]));
      });
      if (!plot.width) return;
      const { done, from, block: height, twice, back, swept, steps } = view.parts.table;
      const working = swept < steps;
      const side = Math.min(plot.width - LEFT - RIGHT, plot.height - TOP - 8);
      const [left, top] = [LEFT + (plot.width - LEFT - RIGHT - side) / 2, TOP];
      const right = left + side;
      const kernel = state.mode === "kernel";
      const place = (rect, x, y, w, h) => setAttributes(rect, { x: px(x), y: px(y), width: px(w), height: px(h) });
      const [start, tall] = [top + from * side, height * side];
      const isLow = from + height / 2 > 0.5;
      held = { left, right, top, side, rule: isLow ? [start + tall, -1] : [start, 1], twice, back, swept, steps };
      place(square, left, top, side, side);
      reveal(rule, working);
      setAttributes(rule, { d: `M${px(right)} ${px(ruled()[0])}V${px(endOf(state, ruled()))}` });
      // The smallest table within the present one, both to scale: n words have n² weights.
      const corner = (least / state.n) * side;
      place(smallest, left, top, corner, corner);
      const within = corner >= WIDE;
      // Its name goes out of the way of an edge of the block, and of a tile, below which stands its size.
      const isPassed = (y) => working && (kernel
        ? start < y + 4 && start + tall > y - 30
        : [start, start + tall].some((edge) => edge > y - 12 && edge < y + 5));
      const places = [top + Math.max(12, corner - 5), top + 13];
      const named = places.find((y) => !isPassed(y)) ?? places[0];
      setAttributes(small, {
        x: px(left + corner + (within ? -5 : 5)),
        y: px(named),
        "text-anchor": within ? "end" : "start",
      });
      const filled = state.mode === "train" || kernel ? done * side : 0;
      place(kept, left, top, side, kernel ? 0 : filled);
      // What is kept is written within what is filled, beside the small square, or above the kernel's bar.
      const isFilled = !kernel && filled >= TALL;
      const amid = top + filled / 2 + 4;
      // Below the name of the small square, where it would lie on it.
      const isNamed = state.n > least && !within;
      const lower = isNamed && Math.abs(amid - named) <= 22 && named + 24 <= top + filled - 6;
      const storedAt = lower ? named + 24 : amid;
      const beside = state.n > least ? corner : 0;
      if (kernel) setAttributes(stored, { class: "attn-end attn-tag", x: px(right + RIGHT), y: 12 });
      else setAttributes(stored, { class: "attn-middle attn-inside", x: px(left + (beside + side) / 2), y: px(storedAt) });
      setText(stored, fill(said.stored, view.slots));
      reveal(stored, kernel || isFilled);
      reveal(smallest, state.n > least);
      // Its name gives way to what is kept. On what is filled it needs no halo.
      const isFree = !isFilled || within || Math.abs(storedAt - named) > 16;
      const isOnFill = filled > named - top || (working && !kernel && !back && start < named && start + tall > named);
      setAttributes(small, { class: isOnFill ? "attn-inside" : "attn-tag" });
      reveal(small, state.n > least && isFree && !isPassed(named));
      // What the kernel keeps is drawn to scale, but no thinner than can be seen: 65 numbers a row beside n.
      const bar = Math.max(8, (65 / state.n) * side);
      place(margin, right + BESIDE, top, bar, kernel ? done * side : 0);
      place(block, left, start, side, tall);
      const room = Math.min(side, Math.max(GRIP, tall));
      const high = Math.min(Math.max(top, start + (tall - room) / 2), top + side - room);
      Object.assign(grip.style, { width: `${px(side - REACH)}px`, height: `${px(room)}px` });
      grip.style.transform = `translate(${px(left)}px, ${px(high)}px)`;
      // What is done, and all of a row of tiles but one, is in nobody's memory.
      setAttributes(block, { class: kernel || back ? "attn-band" : "attn-band attn-filled" });
      reveal(block, working);
      // The tile lies where bark is with its reading: of four keys the last read one.
      const reading = Math.max(0, state.j - 0.5) / rows[0].length;
      const column = left + Math.floor(reading / height) * tall;
      // To scale, but no smaller than can be seen.
      const spot = Math.max(SPOT, tall);
      place(tile, Math.min(column, right - spot), Math.min(start, top + side - spot), spot, spot);
      setAttributes(tile, { class: back ? "attn-tile attn-traced" : "attn-tile" });
      reveal(tile, working && kernel);
      const [begin, along] = kernel ? [column, tall] : [left, side];
      setAttributes(again, { d: `M${px(begin)} ${px(start + tall / 2)}h${px(along)}`, "stroke-width": px(tall) });
      reveal(again, working && back);
      // The way back lies beyond the kernel's bar, as far as there is room.
      const wayAt = right + (kernel ? Math.min(RIGHT - 8, BESIDE + bar + 8) : BESIDE + 6);
      setAttributes(way, { points: arrow([wayAt, top + side], [wayAt, top], 2, 12) });
      const turned = `translate(${px(right + BESIDE + 24)} ${px(top + side / 2)}) rotate(90)`;
      setAttributes(aside, { transform: turned });
      reveal(way, back);
      // Where the bar of the kernel stands there is no room for words.
      reveal(aside, back && !kernel);
      // A block's size stands at its right end, a tile's at its middle: below, where there is room, else above or within.
      const under = start + tall + 14;
      const beyond = under < top + side - 4 ? under : start - 6;
      const centre = column + tall / 2;
      if (kernel && tall >= WIDE) {
        setAttributes(size, { class: `attn-middle ${back ? "attn-tag" : "attn-on-tile"}`, x: px(centre), y: px(start + tall / 2 + 4) });
      } else if (kernel) {
        const x = Math.min(right - 16 - WIDE / 2, Math.max(left + WIDE / 2, centre));
        // Beside the small square, where it would lie on its edge.
        const isIn = beyond + 5 < top + corner && x < left + corner - WIDE / 2;
        const isClear = state.n === least || beyond - 13 > top + corner || isIn;
        setAttributes(size, { class: "attn-middle attn-tag", x: px(isClear ? x : Math.max(x, left + corner + WIDE / 2)), y: px(beyond) });
      } else {
        const within = tall >= TALL && beyond < start;
        const y = within ? start + tall - 8 : beyond;
        setAttributes(size, { class: within && !back ? "attn-end attn-inside" : "attn-end attn-tag", x: px(right - 16), y: px(y) });
      }
      setText(size, fill(said.size, view.slots));
      reveal(size, working);
      // What bark holds so far stands below its tile and the tile's size or, where there is no room, above; the small
      // square is in the way of both.
      const clear = top + (state.n > least ? corner : 0);
      const below = LINE + Math.max(under + (tall >= WIDE ? 2 : LINE), clear + 18);
      const isBelow = below <= top + side - 6;
      const isAbove = start - ABOVE >= clear;
      const foot = isBelow ? below : start - 20;
      setText(read, fill(said.read, view.slots));
      setText(keeps, fill(said.keeps, view.slots));
      const half = lengthOf(keeps) / 2;
      const middle = Math.min(right - 16 - half, Math.max(left + 4 + half, centre));
      for (const [line, node] of [keeps, read].entries()) {
        setAttributes(node, { x: px(middle), y: px(foot - line * LINE) });
        reveal(node, working && kernel && !back && (isBelow || isAbove));
      }
      setAttributes(across, { x: px(left + side / 2), y: 14 });
      setText(across, said.keys.replace("{n}", String(state.n)));
      setAttributes(down, { transform: `translate(${px(left - 10)} ${px(top + side / 2)}) rotate(-90)` });
      setText(down, said.queries.replace("{n}", String(state.n)));
    },
    grabs: [edge, sweep, keys],
    presses: [...radios].map((radio) => [radio, chosen(radio.value), { p: 0 }]),
    forget: () => seen.clear(),
  };
}

/** The value nearest to a number of queries, by ratio; a block has at most all n. */
function nearest(queries, values, n) {
  const far = (value) => Math.abs(Math.log(Math.min(value, n) / Math.max(1, queries)));
  return values.reduce((best, value) => (far(value) < far(best) ? value : best));
}
