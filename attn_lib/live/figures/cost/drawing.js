// Figure `cost`: the table of weights as a square that a block of queries sweeps, pulled by the hand, and beside it a tank
// that fills with what is kept. A rule at the left has the height of a block. In the fold bark reads its keys.

import { hand } from "../../front/grab.js";
import { fill } from "../../front/numbers.js";
import { bets, label, pattern, picture } from "../../front/picture.js";
import { draw, lengthOf, px, reveal, setAttributes } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { TWICE } from "./compute.js";

const SPOT = 4; // pixels: a tile is drawn no smaller
const APART = 5; // pixels: lower blocks are not told apart
const TURN = 50; // percent, where what is computed twice turns round

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const { sentences, controls: said } = words;
  const { bet, controls, data } = declaration;
  const { values } = controls.find(({ key }) => key === "t");
  const made = picture(figure, () => {
    plan = planOf(made);
    repaint();
  });
  let plan = planOf(made);
  const { svg, stage } = made;
  const [stripes, striped] = pattern(figure, svg, "again", { width: 6, height: 6, patternTransform: "rotate(45)" });
  draw(stripes, "path", { class: "attn-cost-stripe", d: "M1 0V6" });
  const left = draw(svg, "rect", { class: "attn-cost-kept" });
  const table = draw(svg, "rect", { class: "attn-cost-table" });
  const [band, tile] = [0, 1].map(() => draw(svg, "rect", { fill: striped }));
  const rule = draw(svg, "path", { class: "attn-cost-rule" });
  const level = draw(svg, "rect");
  const layers = draw(svg, "path", { class: "attn-cost-layers" });
  const surface = draw(svg, "path", { class: "attn-cost-surface", "data-answer": "y" });
  const tank = draw(svg, "path", { class: "attn-cost-tank" });
  const [across, down] = [0, 1].map(() => label(svg, "soft"));
  const full = label(svg, "soft", "", "attn-middle");
  const size = label(svg, "num");
  const name = label(draw(svg, "g", { class: "attn-hue-query" }), "word", "T", "attn-middle");
  const holds = label(svg, "word");
  const putBets = bets(made, "disc", { aside: true });
  /** @type {HTMLElement} */
  const bark = figure.querySelector(".attn-body .attn-bark");
  const rows = [...bark.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll(".attn-read")]).slice(0, 2);
  /** @type {NodeListOf<HTMLInputElement>} */
  const ways = figure.querySelectorAll(".attn-body [data-key=mode]");
  /** @type {HTMLInputElement | null} */
  const heights = figure.querySelector(".attn-body [data-key=t]");
  let shown = { slots: {}, swept: 0, steps: 1, back: false, T: 1 };
  let wasBack = false; // where the last place was that lies in one pass only

  // A block has at most all n queries.
  const lastOf = ({ n }) => values.findIndex((/** @type {number} */ value) => value >= n);

  /** The square, and in it what is in memory. */
  function paintTable({ done, from, block, back, swept, steps }, { mode, j }) {
    const { x, top, side } = plan;
    const isKernel = mode === "kernel";
    const isWorking = swept < steps;
    const [start, tall] = [top + from * side, block * side];
    box(table, x, top, side, side);
    box(left, x, top, side, mode === "train" ? done * side : 0);
    box(band, x, start, side, tall);
    const look = `attn-cost-${back ? "again" : "block"}`;
    setAttributes(band, { class: isKernel ? "attn-cost-row" : look });
    // The kernel's tile lies where bark is with its reading: of four keys the last read one.
    const column = Math.floor(Math.max(0, j - 0.5) / data.words.length / block) * tall;
    const spot = Math.max(SPOT, tall);
    box(tile, x + Math.min(column, side - spot), Math.min(start, top + side - spot), spot, spot);
    setAttributes(tile, { class: look });
    reveal(band, isWorking);
    reveal(tile, isWorking && isKernel);
    const under = start + tall + 17;
    setText(size, fill(sentences[isKernel ? "tile" : "size"], shown.slots));
    setAttributes(size, { x: px(x + 8), y: px(under < top + side - 4 ? under : tall < side / 4 ? start - 7 : start + tall / 2 + 5) });
    reveal(size, isWorking);
  }

  /** The tank, with a layer for each block that was kept. */
  function paintTank({ kept, block }, { mode }) {
    const { tankX, wide, top, side } = plan;
    const [floor, height] = [top + side, kept * side];
    const isKernel = mode === "kernel";
    box(level, tankX, floor - height, wide, height);
    setAttributes(level, { class: isKernel ? "attn-cost-output" : "attn-cost-kept" });
    const tall = isKernel ? 0 : block * side;
    let d = "";
    if (tall >= APART) for (let y = floor - tall; y > floor - height + 1; y -= tall) d += `M${px(tankX)} ${px(y)}h${px(wide)}`;
    setAttributes(layers, { d });
    setAttributes(surface, { d: `M${px(tankX)} ${px(floor - height)}h${px(wide)}` });
    setAttributes(tank, { d: `M${px(tankX)} ${px(top)}v${px(side)}h${px(wide)}v${px(-side)}` });
  }

  function paintLabels({ n }) {
    const { x, top, side, tankX, wide, ruleX } = plan;
    setText(across, fill(sentences.keys, { n: String(n) }));
    setAttributes(across, { x: px(x), y: px(top - 9) });
    setText(down, fill(sentences.queries, { n: String(n) }));
    setAttributes(down, { x: px(x), y: px(top + side + 18) });
    setText(holds, fill(sentences.holds, shown.slots));
    setAttributes(holds, { x: px(Math.min(tankX, made.width - 8 - lengthOf(holds))), y: px(top + side + (made.narrow ? 34 : 22)) });
    setText(full, fill(sentences.full, shown.slots));
    setAttributes(full, { x: px(tankX + wide / 2), y: px(top - 18) });
    setAttributes(name, { x: px(ruleX), y: px(ruleY({ n, t: shown.T }) + 34) });
    setAttributes(rule, { d: `M${px(ruleX - 5)} ${px(top)}h10M${px(ruleX)} ${px(top)}V${px(ruleY({ n, t: shown.T }))}` });
  }

  const placeOf = ({ mode, p }) => (TWICE.includes(mode) ? 1 - Math.abs(p - TURN) / TURN : p / 100);
  const ruleY = ({ t, n }) => plan.top + plan.side * Math.min(1, t / n);

  return {
    paint(view, state) {
      const { table: told } = view.parts;
      shown = { ...told, slots: view.slots, T: state.t };
      if (state.p !== TURN) wasBack = told.back;
      const last = lastOf(state);
      if (heights && heights.max !== String(last)) {
        heights.max = String(last);
        heights.value = String(values.indexOf(state.t));
      }
      bark.dataset.read = String(state.j);
      for (const cells of rows) {
        cells.forEach((cell, j) => {
          cell.classList.toggle("attn-unread", j >= state.j);
          cell.classList.toggle("attn-chosen", j === state.j - 1);
        });
      }
      if (!made.width) return;
      paintTable(told, state);
      paintTank(told, state);
      paintLabels(state);
      const { tankX, wide, top, side } = plan;
      putBets(bet.places.map(([x, y]) => [tankX + x * wide, top + side - y * side]));
    },
    grabs: [
      hand(stage, "p", {
        keys: ["p"],
        at: (state) => [plan.x + plan.side, plan.top + plan.side * placeOf(state)],
        settings(_, y, { mode, p }) {
          const place = Math.min(1, Math.max(0, (y - plan.top) / plan.side));
          if (!TWICE.includes(mode)) return { p: 100 * place };
          // From the turn on it goes into the other pass.
          const isBack = p === TURN ? !wasBack : p > TURN;
          return { p: isBack ? 100 - TURN * place : TURN * place };
        },
        // A key goes on by whole blocks: they may be higher than a step of the slider, and what is pulled up is the way on
        // where all is computed a second time.
        step(across, upwards) {
          const { swept, steps, back } = shown;
          const way = across + (back ? upwards : -upwards);
          const goal = Math.min(steps, Math.max(0, swept + way * Math.ceil(steps / 50)));
          return { p: 2 * Math.ceil((50 * goal) / steps) };
        },
        spoken: () => fill(said.p.valuetext, shown.slots),
      }),
      hand(stage, "t", {
        keys: ["t"],
        at: (state) => [plan.ruleX, ruleY(state)],
        settings: (_, y, { n }) => ({ t: nearest(((y - plan.top) / plan.side) * n, values, n) }),
        step(across, upwards, state) {
          const place = Math.min(values.indexOf(state.t), lastOf(state)) + across - upwards;
          return { t: values[Math.min(lastOf(state), Math.max(0, place))] };
        },
        spoken: ({ t }) => fill(said.t.valuetext, { ...shown.slots, value: String(t) }),
      }),
      // A press on a word reads the keys up to it.
      () => ({
        surface: bark.querySelector("table"),
        slider: ["j", 0],
        measure: () => rows[0].map(({ offsetLeft }) => offsetLeft),
        settings: (x, _, starts) => ({ j: starts.filter((start) => start <= x).length }),
      }),
    ],
    // A way that is chosen is seen from its first block to its last.
    presses: [...ways].map((way) => [way, { mode: way.value, p: 100 }, { p: 0 }]),
  };
}

function box(rect, x, y, width, height) {
  setAttributes(rect, { x: px(x), y: px(y), width: px(width), height: px(height) });
}

/** Where things lie, in pixels: the rule, the square with the hand at its right edge, the tank. */
function planOf({ width, height, narrow }) {
  const [ruleX, x, wide, gap] = narrow ? [26, 46, 60, 32] : [36, 62, 74, 46];
  const top = narrow ? 40 : 46;
  const side = Math.max(1, Math.min(height - top - 30, narrow ? width - x - gap - wide - 12 : Infinity));
  return { ruleX, x, top, side, wide, tankX: x + side + gap };
}

/** The value nearest to a number of queries, by ratio; a block has at most all n. */
function nearest(queries, values, n) {
  const far = (value) => Math.abs(Math.log(Math.min(value, n) / Math.max(1, queries)));
  return values.reduce((best, value) => (far(value) < far(best) ? value : best));
}
