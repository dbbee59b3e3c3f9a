// Figure `race`: the three races as lines that end at their names; below them a strip for each network, what became of it at
// every learning rate, and that rate in the reader's hand. In the fold the strips of every d, as maps.

import { isUnanswered } from "../../front/bet.js";
import { onSize } from "../../front/chart.js";
import { hand } from "../../front/grab.js";
import { fill } from "../../front/numbers.js";
import { bets, label, pattern, picture } from "../../front/picture.js";
import { spread } from "../../front/spread.js";
import { valueAt } from "../../front/state.js";
import { draw, hundredth, lengthOf, path, px, setAttributes, several } from "../../front/svg.js";

const STEPS = 200;
const HIGHEST = 2.05;
// Losses: one below has learned, one above is worse than that of equal weights, and hatched.
const [LEARNED, LOST] = [0.1, 1.1];
const TICKS = [0, 4, 8, 12]; // the rates that are written on the axis
// Pixels between names of lines, and between bets in their place.
const [APART, BETS_APART] = [26, 44];
// Of the maps in the fold: left and above are names, a row of cells, between two maps.
const [LEFT, TOP, TALL, BETWEEN] = [38, 20, 15, 14];

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, repaint }) {
  const { data: { guess }, controls: [{ values: rates }, { values: sizes }], words: { controls, sentences }, bet } = declaration;
  const names = ["none", "sqrt", "d"].map((divisor) => sentences[`name_${divisor}`]);
  const made = picture(figure, (now) => {
    drawBack(now);
    repaint();
  });
  const { svg, back, stage } = made;
  const [hatched, lost] = pattern(figure, svg, "lost", { width: 5, height: 5, patternTransform: "rotate(45)" });
  draw(hatched, "rect", { class: "attn-race-lost-ground", width: 5, height: 5 });
  draw(hatched, "path", { class: "attn-race-lost-line", d: "M1 0V5" });
  const strips = mapsOf(svg, lost, names.length, 1, rates.length);
  const lane = draw(svg, "path", { class: "attn-race-lane" });
  const lines = names.map((_, i) => draw(svg, "path", { class: `attn-stroke attn-race-runner${i ? ` attn-dash-${i + 1}` : ""}` }));
  const dots = names.map(() => draw(svg, "circle", { r: 6 }));
  dots[bet.right].dataset.answer = "";
  const ends = names.map((name) => label(svg, "word", name, "attn-race-name"));
  const putBets = bets(made, "disc");

  /** @type {HTMLElement} */
  const field = figure.querySelector('.attn-body [data-drawing="maps"]');
  const ground = draw(field, "svg", { class: "attn-drawing", "aria-hidden": "true" });
  const around = draw(ground, "g");
  const maps = mapsOf(ground, lost, names.length, sizes.length, rates.length);
  let mapWidth = 0; // with what is between two of them
  onSize(field, (width) => {
    mapWidth = (width - LEFT + BETWEEN - 2) / names.length;
    drawAround();
    repaint();
  });

  // Until the question is answered a strip shows where the reader has been: it would give the answer away.
  const seen = new Set();
  let plot = plotOf(made, 0);
  let spoken = "";

  function drawBack(now) {
    back.replaceChildren();
    const { narrow, height } = now;
    const called = [...names, ...(narrow ? [] : [controls.lr.label])].map((name) => label(back, "soft", name, "attn-end"));
    plot = plotOf(now, Math.max(...called.map(lengthOf)));
    const { left, right, top, bottom, X, Y, strip, wide, axis } = plot;
    for (const loss of [0, guess, 2]) draw(back, "path", { class: "attn-hairline", d: `M${px(left)} ${px(Y(loss))}H${px(right)}` });
    if (!narrow) [0, 2].forEach((loss) => setAttributes(label(back, "soft", String(loss), "attn-end"), { x: px(left - 8), y: px(Y(loss) + 4.5) }));
    const title = label(back, "word", sentences.loss);
    setAttributes(title, { x: px(left), y: px(top - 10) });
    setAttributes(label(back, "soft", sentences.best), { x: px(left + lengthOf(title) + 10), y: px(top - 10) });
    setAttributes(label(back, "soft", sentences.guess), { x: px(left + 6), y: px(Y(guess) - 6) });
    setAttributes(label(back, "soft", sentences.steps, "attn-end"), { x: px(right - 22), y: px(bottom + 16) });
    called.forEach((name, m) => setAttributes(name, { x: px(strip(0).x - 8), y: px(m < names.length ? strip(m).y + strip(m).height / 2 + 4.5 : axis + 4.5) }));
    draw(back, "path", { class: "attn-axis-line", d: `M${px(X(0))} ${px(axis)}H${px(X(rates.length - 1))}` });
    for (const i of TICKS) setAttributes(label(back, "soft", String(rates[i]), "attn-middle"), { x: px(X(i)), y: px(height - (narrow ? 14 : 10)) });
    let x = narrow ? left : strip(0).x;
    ["all", "yet", "worse"].forEach((look) => {
      const y = strip(0).y - 9;
      draw(back, "rect", { class: `attn-race-cell attn-race-${look}`, fill: lost, x: px(x), y: px(y - 10), width: 14, height: 10 });
      const text = label(back, "soft", sentences[look]);
      setAttributes(text, { x: px(x + 20), y: px(y) });
      x += 20 + lengthOf(text) + (narrow ? 12 : 20);
    });
    strips.lay(strip, wide);
  }

  function drawAround() {
    around.replaceChildren();
    const wide = Math.max(1, mapWidth - BETWEEN);
    const bottom = TOP + TALL * sizes.length;
    sizes.forEach((d, row) => setAttributes(label(around, "soft", String(d), "attn-end"), { x: LEFT - 6, y: bottom - TALL * row - 3 }));
    setAttributes(label(around, "soft", "d", "attn-end"), { x: LEFT - 6, y: TOP - 6 });
    names.forEach((name, m) => {
      const x = LEFT + m * mapWidth;
      setAttributes(label(around, "num", name), { x: px(x), y: TOP - 6 });
      setAttributes(label(around, "soft", String(rates[0])), { x: px(x), y: bottom + 15 });
      setAttributes(label(around, "soft", String(rates.at(-1)), "attn-end"), { x: px(x + wide), y: bottom + 15 });
    });
    maps.lay((m) => ({ x: LEFT + m * mapWidth, y: TOP, height: TALL * sizes.length }), wide / rates.length);
  }

  function paintRace(curves) {
    const { right, bottom, Y, along } = plot;
    const heights = curves.map((curve) => Y(curve.at(-1)));
    curves.forEach((curve, i) => {
      setAttributes(lines[i], { d: path(curve.map((loss, n) => [along((n * STEPS) / (curve.length - 1)), Y(loss)])) });
      setAttributes(dots[i], { cx: px(right), cy: px(heights[i]), class: `attn-race-end${curve.at(-1) < LEARNED ? " attn-race-won" : ""}` });
    });
    spread(heights, APART, bottom).forEach((y, i) => setAttributes(ends[i], { x: px(right + 18), y: px(y + 5) }));
    // A runner is bet on where its line ends.
    const asked = figure.dataset.phase === "ask" && !made.narrow;
    putBets(spread(heights, asked ? BETS_APART : APART, bottom).map((y) => [right, y]));
  }

  function paintMaps({ losses, row, at }, { opt }) {
    seen.add(`${opt} ${row} ${at}`);
    const isOpen = !isUnanswered(figure);
    const isKnown = (/** @type {number} */ d, /** @type {number} */ rate) => isOpen || seen.has(`${opt} ${d} ${rate}`);
    strips.paint(losses.map((map) => [map[row]]), (_, rate) => isKnown(row, rate), 0, at);
    if (mapWidth) maps.paint(losses, isKnown, row, at);
    const { X, axis, strip } = plot;
    setAttributes(lane, { d: `M${px(X(at))} ${px(strip(2).y + strip(2).height)}V${px(axis)}` });
  }

  return {
    paint(view, state) {
      spoken = fill(controls.lr.valuetext, { ...view.slots, value: view.slots.rate });
      if (!made.width) return;
      paintRace(view.parts.curves.lines);
      paintMaps(view.parts.field, state);
    },
    grabs: [
      hand(stage, "lr", {
        keys: ["lr"],
        at: ({ lr }) => [plot.X(rates.indexOf(lr)), plot.axis],
        settings: (x) => ({ lr: rates[Math.min(rates.length - 1, Math.max(0, Math.round(plot.atX(x))))] }),
        spoken: () => spoken,
      }),
      // Both the rate and d: a finger that goes sideways moves both, one that goes up or down scrolls.
      ({ control }) => ({
        surface: field,
        upright: true,
        settings(x, y) {
          const across = x - LEFT;
          const map = Math.min(names.length - 1, Math.max(0, Math.floor(across / mapWidth)));
          const cell = (mapWidth - BETWEEN) / rates.length;
          const [rate, d] = [(across - map * mapWidth) / cell - 0.5, sizes.length - 0.5 - (y - TOP) / TALL];
          return { lr: valueAt(control("lr"), rate), d: valueAt(control("d"), d) };
        },
        slider: ["lr", 0],
      }),
    ],
    forget: () => seen.clear(),
  };
}

/** Where things stand in the picture. @param {import("../../front/picture.js").Picture} picture @param {number} named pixels of the longest name of a strip */
function plotOf({ width, height, narrow }, named) {
  const [left, right, top] = narrow ? [12, width - 112, 26] : [34, width - 168, 30];
  const bottom = height - (narrow ? 156 : 182);
  const axis = height - 46;
  const [from, to, tall] = [named + 20, width - 20, narrow ? 14 : 20];
  const wide = Math.max(1, (to - from) / 13);
  return {
    left, right, top, bottom, axis, wide,
    along: (/** @type {number} */ step) => left + ((right - left) * step) / STEPS,
    Y: (/** @type {number} */ loss) => bottom - ((bottom - top) * loss) / HIGHEST,
    X: (/** @type {number} */ rate) => from + wide * (rate + 0.5),
    atX: (/** @type {number} */ pixels) => (pixels - from) / wide - 0.5,
    strip: (/** @type {number} */ m) => ({ x: from, y: axis - 17 - (3 - m) * (tall + 3), height: tall }),
  };
}

/** A map of losses for each network, rows upwards, and a ring where the reader is. */
function mapsOf(/** @type {Element} */ svg, /** @type {string} */ lost, /** @type {number} */ networks, /** @type {number} */ high, /** @type {number} */ wide) {
  const cells = several(networks, () => several(high, () => several(wide, () => draw(svg, "rect", { class: "attn-race-cell", fill: lost }))));
  const rings = ["attn-race-here-halo", "attn-race-here"].map((look) => several(networks, () => draw(svg, "rect", { class: look })));
  let boxOf = (/** @type {number} */ _m, /** @type {number} */ _row, /** @type {number} */ _i) => ({});
  return {
    /** Lay them out. @param {(map: number) => { x: number, y: number, height: number }} place @param {number} cellWidth */
    lay(place, cellWidth) {
      boxOf = (m, row, i) => {
        const { x, y, height } = place(m);
        const tall = height / high;
        return { x: px(x + i * cellWidth), y: px(y + (high - 1 - row) * tall), width: px(cellWidth), height: px(tall) };
      };
      cells.forEach((map, m) => map.forEach((line, row) => line.forEach((cell, i) => setAttributes(cell, boxOf(m, row, i)))));
    },
    /** @param {number[][][]} losses @param {(row: number, i: number) => boolean} isKnown @param {number} row @param {number} at */
    paint(losses, isKnown, row, at) {
      losses.forEach((map, m) => {
        map.forEach((line, r) => {
          line.forEach((loss, i) => {
            const look = !isKnown(r, i) ? "unseen" : loss > LOST ? "lost" : "loss";
            const dark = look === "loss" ? ` ${hundredth(Math.max(0, 1 - loss))}` : "";
            setAttributes(cells[m][r][i], { class: `attn-race-cell attn-race-${look}${dark}` });
          });
        });
        for (const set of rings) setAttributes(set[m], boxOf(m, row, at));
      });
    },
  };
}
