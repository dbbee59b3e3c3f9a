// Figure `choose`: the plane of all queries under four scores, one of them large. Each place is as blue as the weight of the
// key that wins there; lines part the grounds of the keys, and that of fish is green. Fish is in the reader's hand.

import { isUnanswered } from "../../front/bet.js";
import { oneOfTips, tip } from "../../front/grab.js";
import { placeLabels } from "../../front/labels.js";
import { fill, formatNumber } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { palette } from "../../front/pixels.js";
import { corners, draw, lengthOf, path, px, reveal, setAttributes, several } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { NAMES, WINDOW } from "./compute.js";
import { fieldOf } from "./field.js";

const FISH = 4;
// While the keys move, the grounds are painted coarsely; they are sharp again after a rest.
const COARSE = 0.6;
const REST_MS = 120;
const SHADES = 64;
// Grounds are looked for on so coarse a grid; a smaller one than LEAST gets no name.
const GRID = [48, 33];
const LEAST = 40;
const SPOTS = 6;
// A map this many places wide has borders of one place.
const NARROWEST = 200;
// Pixels: half of what a hand covers, and a dot, half the height of a name, and what the bets cover in a corner.
const [GRIP, DOT, HALF, PILLS] = [17, 7, 10, { width: 172, height: 110 }];

/** @typedef {{ left: number, top: number, width: number, height: number }} Area */

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, repaint }) {
  const { data, bet, words: { sentences, controls } } = declaration;
  const { words } = data;
  const made = picture(figure, () => {
    layout = layOut(made);
    const { large } = layout;
    for (const side of /** @type {const} */ (["left", "top", "width", "height"])) ground.style[side] = `${px(large[side])}px`;
    Object.assign(plane, placesIn({ ...large, left: 0, top: 0 }), { width: large.width });
    canvas.style.height = `${px(made.height)}px`;
    stage.style.setProperty("--beyond", `${px(made.width - large.left - large.width)}px`);
    repaint();
  });
  let layout = layOut(made);
  const { svg, stage } = made;
  /** @type {HTMLCanvasElement} */
  const canvas = stage.querySelector(".attn-grounds");
  const context = canvas.getContext("2d");
  /** The large map, which takes the pointer. @type {HTMLElement} */
  const ground = stage.querySelector(".attn-plane");
  const plane = /** @type {import("../../front/chart.js").Chart} */ ({ stage: ground, width: 0 });
  const maps = NAMES.map((name) => mapOf(svg, name, controls.f.options[name], words));
  const outline = draw(svg, "polygon", { class: "attn-key-outline" });
  const shifts = draw(svg, "path", { class: "attn-key-shifts" });
  const spots = several(SPOTS, () => label(svg, "soft", "", "attn-middle attn-ground-name"));
  const hue = draw(svg, "g", { class: "attn-hue-key" });
  const names = words.map((word) => label(hue, "word", word, "attn-middle"));
  const letter = label(draw(svg, "g", { class: "attn-hue-query" }), "word", "q", "attn-middle");
  const putBets = bets(made, "disc", { aside: true });
  const knobs = words.map((_, i) => /** @type {HTMLElement} */ (ground.querySelector(`[data-handle="k${i}"]`)));
  knobs[FISH].dataset.answer = "";
  let shown = { view: null, state: null };
  let timer = 0;
  // What was painted last: of which keys, how large, and whether finely.
  let [painted, isFinePainted] = ["", false];
  /** Grounds that do not hold their own key. @type {{ key: number, x: number, y: number }[]} */
  let grounds = [];

  const colours = palette(stage, shadesOf, () => {
    painted = "";
    repaint();
  });

  /** Each map and where it lies: the score that is large has left its place to the dot product. @returns {[any, Area][]} */
  const placed = () => {
    const { f } = shown.state;
    return maps.map((map, i) => [map, map.name === f ? layout.large : layout.small[(i || NAMES.indexOf(f)) - 1]]);
  };

  /** Paint all grounds: coarsely, unless they are the first or were painted so before. */
  function paintField() {
    const { view, state: { f } } = shown;
    const { keys, seen } = view.parts.plane;
    const of = `${keys};${seen};${f};${made.width};${made.height}`;
    const isFine = painted === "" || of === painted;
    if (of === painted && (isFinePainted || timer)) return;
    [painted, isFinePainted] = [of, isFine];
    clearTimeout(timer);
    if (!isFine) timer = setTimeout(() => ((timer = 0), repaint()), REST_MS);
    const ratio = isFine ? Math.min(2, devicePixelRatio || 1) : COARSE;
    const pixels = (/** @type {number} */ length) => Math.max(1, Math.round(length * ratio));
    const [wide, high] = [made.width, made.height].map(pixels);
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    for (const [{ name }, box] of placed()) {
      const [width, height] = [box.width, box.height].map(pixels);
      const field = fieldOf(name, view, data, width, height);
      context.putImageData(imageOf(field, width, height, colours()), Math.round(box.left * ratio), Math.round(box.top * ratio));
      if (name === f) grounds = groundsOf(field.winners, width, height, keys);
    }
  }

  /** Names of grounds, then those of keys beside their dots, off the hands, the bets and one another. */
  function paintNames({ keys, query }) {
    const { large } = layout;
    const { X, Y } = placesIn(large);
    const [right, bottom] = [large.left + large.width - 3, large.top + large.height - 3];
    const around = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ width) => ({
      x: Math.max(large.left + 3, Math.min(x - width / 2, right - width)),
      y: Math.max(large.top + 3, Math.min(y - HALF, bottom - 2 * HALF)),
      width,
      height: 2 * HALF,
    });
    const square = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ half) =>
      ({ x: x - half, y: y - half, width: 2 * half, height: 2 * half });
    /** @type {(texts: SVGTextElement[], choices: import("../../front/labels.js").Box[][]) => void} */
    const put = (texts, choices) => {
      const boxes = placeLabels(choices, [], taken);
      texts.forEach((text, i) => setAttributes(text, { x: px(boxes[i].x + boxes[i].width / 2), y: px(boxes[i].y + HALF + 5) }));
      taken.push(...boxes);
    };
    const taken = [maps.find(({ name }) => name === shown.state.f).titled()];
    const { phase } = figure.dataset;
    if (["ask", "betting", "answered"].includes(phase)) taken.push(...bet.places.map(([x, y]) => square(X(x), Y(y), 14)));
    if (phase === "ask" && !made.narrow) taken.push({ x: right - PILLS.width, y: bottom - PILLS.height, ...PILLS });
    // What the hand says until the first touch.
    const [u, v] = keys[FISH];
    if (!figure.matches(".attn-touched")) taken.push({ x: X(u) - 40, y: Y(v) - 36, width: 80, height: 20 });
    spots.forEach((spot, i) => setText(spot, grounds[i] ? words[grounds[i].key] : ""));
    const named = spots.slice(0, grounds.length);
    put(named, named.map((spot, i) => {
      const { x, y } = grounds[i];
      return [0, 24, -24].map((over) => around(X(x), Y(y) + over, lengthOf(spot) + 4));
    }));
    const points = [...keys, query].map(([x, y]) => [X(x), Y(y)]);
    const hands = [points[FISH], points[keys.length]];
    const halves = points.map(([x, y]) => (hands.some(([u, v]) => Math.hypot(x - u, y - v) < GRIP) ? GRIP : DOT));
    const texts = [...names, letter];
    taken.push(...points.map(([x, y], i) => square(x, y, halves[i])));
    put(texts, points.map(([x, y], i) => {
      const wide = lengthOf(texts[i]) + 4;
      const [aside, over] = [wide / 2 + halves[i] + 2, halves[i] + HALF];
      return [[aside, 0], [-aside, 0], [0, -over], [0, over]].map(([across, down]) => around(x + across, y + down, wide));
    }));
  }

  const heard = (/** @type {number} */ x, /** @type {number} */ y) =>
    fill(sentences.spoken, { ...shown.view.slots, place: [x, y].map((at) => formatNumber(at, 2)).join(", ") });

  return {
    paint(view, state) {
      shown = { view, state };
      if (!made.width) return;
      const { plane: parts } = view.parts;
      paintField();
      for (const [map, box] of placed()) map.paint(view, box, map.name === state.f, made.narrow);
      paintNames(parts);
      const { X, Y } = placesIn(layout.large);
      // Where fish is found is what the outline tells.
      const isOutlined = state.f === "dot" && !isUnanswered(figure);
      reveal(outline, isOutlined);
      reveal(shifts, state.f === "dot");
      setAttributes(outline, { points: corners(parts.outline.map(([x, y]) => [X(x), Y(y)])) });
      // What the matrix makes of each key.
      const ends = [parts.keys, parts.seen].map((points) => points.map(([x, y]) => [X(x), Y(y)]));
      const moved = ends[0].map((from, i) => [from, ends[1][i]]).filter(([[x, y], [u, v]]) => Math.hypot(x - u, y - v) > 1);
      const dot = "m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0";
      setAttributes(shifts, { d: moved.map((line) => path(line) + dot).join("") });
      putBets(bet.places.map(([x, y]) => [X(x), Y(y)]));
    },
    grabs: [
      ...knobs.map((knob, i) => oneOfTips(plane, knob, [["kx", i], ["ky", i]], ({ kx, ky }) => heard(kx[i], ky[i]))),
      tip(plane, "q", ["x", "y"], ({ x, y }) => heard(x, y)),
    ],
    presses: maps.map(({ name, frame }) => [frame, { f: name }]),
  };
}

/** One of the four maps: its title, who wins at the query, and dots of which those that nothing finds are hollow. */
function mapOf(svg, name, title, words) {
  const axes = draw(svg, "path", { class: "attn-hairline" });
  const hue = draw(svg, "g", { class: "attn-hue-key" });
  const dots = words.map(() => draw(hue, "circle"));
  const fish = label(hue, "num", words[FISH], "attn-middle");
  const query = draw(draw(svg, "g", { class: "attn-hue-query" }), "circle", { class: "attn-map-query", r: 4 });
  const frame = draw(svg, "rect", { class: "attn-map-frame" });
  const heading = label(svg, "word", title);
  const winner = label(svg, "num");
  let at = [0, 0];
  return {
    name,
    frame,
    /** What its title takes. */
    titled: () => ({ x: at[0], y: at[1] - 16, width: lengthOf(heading) + 8 + lengthOf(winner), height: 22 }),
    paint({ parts: { plane: { keys, query: q, never } }, slots }, box, isLarge, isNarrow) {
      const { left, top, width, height } = box;
      const { X, Y } = placesIn(box);
      const lost = never[NAMES.indexOf(name)];
      const small = isLarge ? "" : " attn-in-small-map";
      setAttributes(frame, { x: px(left), y: px(top), width: px(width), height: px(height) });
      setAttributes(axes, { d: `M${px(left)} ${px(Y(0))}H${px(left + width)}M${px(X(0))} ${px(top)}V${px(top + height)}` });
      keys.forEach(([x, y], i) => {
        const r = isLarge ? 5.5 : i === FISH ? 4 : 2.5;
        setAttributes(dots[i], { cx: px(X(x)), cy: px(Y(y)), r, class: `attn-key-spot${lost[i] ? " attn-unfindable" : ""}${small}` });
      });
      setAttributes(query, { cx: px(X(q[0])), cy: px(Y(q[1])) });
      at = [left + 7, top + 19];
      setText(winner, slots[name]);
      setAttributes(heading, { x: px(at[0]), y: px(at[1]), class: `attn-label attn-word${small}` });
      // Off its name, which is off the title.
      const [across, upwards] = keys[FISH];
      const isLow = upwards < -1;
      const half = lengthOf(fish) / 2 + 2;
      setAttributes(fish, { x: px(Math.max(left + half, Math.min(X(across), left + width - half))), y: px(Y(upwards) + (upwards > 0.7 ? 20 : -8)) });
      const isEnd = !isLarge && !(isLow && across > 0);
      const [x, y] = isLarge ? [at[0] + lengthOf(heading) + 8, at[1]] : [isEnd ? left + width - 7 : left + 7, top + height - 7];
      setAttributes(winner, { x: px(x), y: px(y), class: `attn-label attn-num attn-hue-weight${isEnd ? " attn-end" : ""}` });
      reveal(query, !isLarge);
      reveal(fish, !isLarge && !isNarrow);
      reveal(winner, isLarge || !isNarrow);
    },
  };
}

/**
 * Where the large map lies and the three small ones: beside it, or in a narrow picture below it.
 * @param {import("../../front/picture.js").Picture} picture @returns {{ large: Area, small: Area[] }}
 */
function layOut({ width, height, narrow }) {
  const shape = WINDOW[0] / WINDOW[1];
  const [edge, gap, top] = narrow ? [2, 6, 2] : [12, 12, 4];
  const room = { across: Math.max(1, width - 2 * edge), down: Math.max(1, height - 2 * top) };
  const wide = narrow
    ? Math.min(room.across, (0.75 * shape) * (room.down - gap + (2 * gap) / (3 * shape)))
    : Math.min(room.down * shape, 0.76 * (room.across - gap));
  const large = { left: edge, top, width: wide, height: wide / shape };
  const aside = narrow ? (wide - 2 * gap) / 3 : room.across - gap - wide;
  const size = { width: aside, height: Math.min(aside / shape, (large.height - 2 * gap) / 3) };
  const between = (large.height - size.height) / 2;
  const small = [0, 1, 2].map((i) => narrow
    ? { left: edge + i * (aside + gap), top: top + large.height + gap, ...size, height: aside / shape }
    : { left: edge + wide + gap, top: top + i * between, ...size });
  return { large, small };
}

/** Pixels of a place in a map, and back. @param {Area} box */
function placesIn({ left, top, width, height }) {
  return {
    X: (/** @type {number} */ x) => left + ((x / WINDOW[0] + 1) / 2) * width,
    Y: (/** @type {number} */ y) => top + ((1 - y / WINDOW[1]) / 2) * height,
    atX: (/** @type {number} */ pixels) => ((2 * (pixels - left)) / width - 1) * WINDOW[0],
    atY: (/** @type {number} */ pixels) => (1 - (2 * (pixels - top)) / height) * WINDOW[1],
  };
}

/**
 * The colours of weights: on the grounds of the others and on that of fish, each followed by its borders.
 * @param {import("../../front/pixels.js").Token} token
 */
function shadesOf(token) {
  return [token("--w1"), token("--key")].flatMap((most) => {
    const shades = Array.from({ length: SHADES }, (_, i) => `color-mix(in oklab, ${token("--w0")}, ${most} ${(100 * i) / (SHADES - 1)}%)`);
    return [...shades, ...shades.map((shade) => `color-mix(in oklab, ${shade}, ${token("--ink")} 70%)`)];
  });
}

/** @param {import("./field.js").Field} field @param {number} width @param {number} height @param {Uint32Array} colours */
function imageOf({ winners, weights }, width, height, colours) {
  // Borders keep their breadth where a pixel is smaller.
  const broad = Math.max(1, Math.round(width / NARROWEST));
  const pixels = new Uint32Array(width * height);
  for (let j = 0, place = 0; j < height; j += 1) {
    for (let i = 0; i < width; i += 1, place += 1) {
      const key = winners[place];
      const isBorder =
        (i + broad < width && winners[place + broad] !== key) || (j + broad < height && winners[place + broad * width] !== key);
      pixels[place] = colours[(key === FISH ? 2 * SHADES : 0) + (isBorder ? SHADES : 0) + Math.round(weights[place] * (SHADES - 1))];
    }
  }
  return new ImageData(new Uint8ClampedArray(pixels.buffer), width, height);
}

/**
 * The grounds that do not hold their own key, each with a place in its middle.
 * @param {Uint8Array} winners @param {number} width @param {number} height @param {number[][]} keys
 */
function groundsOf(winners, width, height, keys) {
  const [columns, rows] = GRID;
  const at = (/** @type {number} */ cell) => [((cell % columns) + 0.5) / columns, (Math.floor(cell / columns) + 0.5) / rows];
  const keyOf = Uint8Array.from({ length: columns * rows }, (_, cell) => {
    const [x, y] = at(cell);
    return winners[Math.floor(y * height) * width + Math.floor(x * width)];
  });
  const isSeen = new Uint8Array(columns * rows);
  const grounds = [];
  for (let start = 0; start < keyOf.length; start += 1) {
    if (isSeen[start]) continue;
    const key = keyOf[start];
    const cells = [start];
    isSeen[start] = 1;
    for (const cell of cells) {
      const column = cell % columns;
      const beside = [column > 0 ? cell - 1 : -1, column < columns - 1 ? cell + 1 : -1, cell - columns, cell + columns];
      for (const next of beside) {
        // Beyond the edges there is no key.
        if (keyOf[next] !== key || isSeen[next]) continue;
        isSeen[next] = 1;
        cells.push(next);
      }
    }
    if (cells.length < LEAST) continue;
    const [u, v] = keys[key];
    const own = Math.floor(((u / WINDOW[0] + 1) / 2) * columns) + columns * Math.floor(((1 - v / WINDOW[1]) / 2) * rows);
    if ([0, 1, -1, columns, -columns].some((step) => cells.includes(own + step))) continue;
    const middle = [0, 1].map((axis) => cells.reduce((sum, cell) => sum + at(cell)[axis], 0) / cells.length);
    const away = (/** @type {number} */ cell) => Math.hypot(at(cell)[0] - middle[0], at(cell)[1] - middle[1]);
    const [x, y] = at(cells.reduce((best, cell) => (away(cell) < away(best) ? cell : best)));
    grounds.push({ key, x: (2 * x - 1) * WINDOW[0], y: (1 - 2 * y) * WINDOW[1], size: cells.length });
  }
  return grounds.sort((a, b) => b.size - a.size);
}
