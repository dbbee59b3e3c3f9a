// Figure `choose`, to see and to grab: the same plane under four scores. Each place is a query, as blue as the weight of the
// key that wins there; lines part the grounds of the keys, and a ground that does not hold its own key carries its name.

import { chart, onSize } from "../../front/chart.js";
import { fill, formatNumber } from "../../front/numbers.js";
import { oneOfTips, tip } from "../../front/grab.js";
import { writeFragment } from "../../front/state.js";
import { corners, draw, px, reveal, setAttributes } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { NAMES, WINDOW } from "./compute.js";
import { fieldOf } from "./field.js";

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
// Pixels from a place to the name of its key, from the query to its letter, and what a name needs beside it.
const ASIDE = 10;
const RING = 22;
const ROOM = 46;
const NEAR = 15;
// A narrower figure shows one plane (style.css).
const NARROW = 560;

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, repaint }) {
  const { data, words } = declaration;
  const { sentences } = words;
  let found = false;
  let shown = { view: null, state: null };
  let timer = 0;
  // On a phone the plane in front is the only one; asking the layout at each move would have it made anew.
  let isNarrow = false;
  onSize(figure, (width) => {
    const was = isNarrow;
    isNarrow = width < NARROW;
    if (was !== isNarrow) repaint();
  });
  const isShown = ({ plane, name }) => plane.width > 0 && (!isNarrow || name === shown.state.f);
  const maps = [...figure.querySelectorAll(".attn-body .attn-score-map")].map((element) => mapOf(element, data.words, repaint));

  const heard = (/** @type {string} */ place) => fill(sentences.spoken, { ...shown.view.slots, place });
  const point = (/** @type {number} */ x, /** @type {number} */ y) => [x, y].map((at) => formatNumber(at, 2)).join(", ");
  const paintFields = (/** @type {boolean} */ isFine) => {
    const { view } = shown;
    let left = false;
    for (const map of maps) if (isShown(map)) left = map.paintField(view, data, isFine) || left;
    clearTimeout(timer);
    if (left) timer = setTimeout(() => paintFields(true), REST_MS);
  };
  const again = () => {
    if (!shown.view) return;
    for (const map of maps) map.forget();
    paintFields(true);
  };
  const themes = new MutationObserver(again);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  if (document.body) themes.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });

  return {
    paint(view, state) {
      shown = { view, state };
      // What wins where is what the question asks: it is painted once the figure has been elsewhere than at its start.
      found ||= writeFragment(state, declaration) !== `#${declaration.id}`;
      figure.classList.toggle("attn-found", found);
      for (const map of maps) map.element.classList.toggle("attn-lit", map.name === state.f);
      for (const map of maps) if (isShown(map)) map.paintMarks(view, found);
      if (found) paintFields(maps.every((map) => !isShown(map) || !map.hasField()));
    },
    forget: () => (found = false),
    grabs: maps.flatMap(({ plane, knobs, query }) => [
      (host) => {
        const grab = tip(plane, "q", ["x", "y"], ({ x, y }) => heard(point(x, y)))(host);
        return query.tabIndex < 0 ? { ...grab, slider: ["x", 0] } : grab;
      },
      ...knobs.map((knob, i) => oneOfTips(plane, knob, [["kx", i], ["ky", i]], ({ kx, ky }) => heard(point(kx[i], ky[i])))),
    ]),
  };
}

/** One of the four planes. @param {HTMLElement} element @param {string[]} words @param {() => void} repaint */
function mapOf(element, words, repaint) {
  const name = element.dataset.map;
  const stage = element.querySelector(".attn-stage");
  const canvas = element.querySelector("canvas");
  const context = canvas.getContext("2d");
  const plane = chart(stage, {
    x: [-WINDOW[0], WINDOW[0]],
    y: [-WINDOW[1], WINDOW[1]],
    pad: { left: 0, right: 0, top: 0, bottom: 0 },
    square: true,
    resized({ back, X, Y, width, height }) {
      back.replaceChildren();
      draw(back, "path", { class: "attn-hairline", d: `M0 ${px(Y(0))}H${px(width)}M${px(X(0))} 0V${px(height)}` });
      repaint();
    },
  });
  const { svg } = plane;
  const outline = draw(svg, "polygon", { class: "attn-key-outline" });
  const shifts = draw(svg, "path", { class: "attn-key-shifts" });
  const spots = Array.from({ length: SPOTS }, () => draw(svg, "text", { class: "attn-tag attn-middle attn-ground-name" }, ""));
  const hue = draw(svg, "g", { class: "attn-hue-key" });
  const dots = words.map(() => draw(hue, "circle", { class: "attn-key-spot", r: 5.5 }));
  const names = words.map((word) => draw(svg, "text", { class: "attn-tag" }, word));
  const letter = draw(draw(svg, "g", { class: "attn-hue-query" }), "text", { class: "attn-tag attn-name" }, "q");
  // What was painted last: of which keys, how finely and how large.
  let [painted, isFinePainted] = ["", false];
  /** Those of the present theme. @type {Uint32Array | null} */
  let colours = null;

  return {
    name,
    element,
    plane,
    knobs: words.map((_, i) => stage.querySelector(`[data-handle="k${i}"]`)),
    query: stage.querySelector('[data-handle="q"]'),
    hasField: () => painted !== "",
    forget() {
      painted = "";
      colours = null;
    },

    /** Paint the grounds, unless they are there; say whether they are still coarse. */
    paintField(view, data, isFine) {
      const { keys, seen } = view.parts.plane;
      const of = `${name === "dot" ? seen : keys};${plane.width}`;
      if (of === painted && (isFinePainted || !isFine)) return !isFinePainted;
      [painted, isFinePainted] = [of, isFine];
      const ratio = isFine ? Math.min(2, devicePixelRatio || 1) : COARSE;
      const [width, height] = [plane.width, plane.height].map((length) => Math.max(1, Math.round(length * ratio)));
      const field = fieldOf(name, view, data, width, height);
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      context.putImageData(imageOf(field, width, height, (colours ??= coloursOf(stage))), 0, 0);
      const grounds = groundsOf(field.winners, width, height, keys);
      spots.forEach((spot, i) => {
        const ground = grounds[i];
        setText(spot, ground ? words[ground.key] : "");
        if (ground) setAttributes(spot, { x: px(clamp(plane.X(ground.x), 24, plane.width - 24)), y: px(clamp(plane.Y(ground.y) + 4, 14, plane.height - 6)) });
      });
      return !isFine;
    },

    paintMarks({ parts }, isFound) {
      const { keys, seen, query, never, outline: edge } = parts.plane;
      const { X, Y } = plane;
      const lost = never[NAMES.indexOf(name)];
      const tipQ = [X(query[0]), Y(query[1])];
      keys.forEach(([u, v], i) => {
        const [x, y] = [X(u), Y(v)];
        const isLost = isFound && lost[i];
        setAttributes(dots[i], { cx: px(x), cy: px(y), class: isLost ? "attn-key-spot attn-unfindable" : "attn-key-spot" });
        const far = ASIDE + (Math.hypot(x - tipQ[0], y - tipQ[1]) < NEAR ? 8 : 0);
        // On its left where the plane ends, or where the query would lie on it.
        const [toQ, aside] = [tipQ[0] - x, Math.abs(tipQ[1] - y)];
        const isLeft = x > plane.width - ROOM || (toQ > NEAR && toQ < ROOM && aside < NEAR && x > ROOM);
        setAttributes(names[i], { x: px(x + (isLeft ? -far : far)), y: px(y + (y > plane.height - 12 ? -8 : 4)), class: isLeft ? "attn-tag attn-end" : "attn-tag" });
      });
      setAttributes(letter, { x: px(tipQ[0] + (tipQ[0] < RING + 8 ? RING : -RING)), y: px(tipQ[1] + (tipQ[1] > plane.height - RING ? -RING / 2 : RING / 2)) });
      const isOutlined = name === "dot" && isFound;
      reveal(outline, isOutlined);
      reveal(shifts, isOutlined);
      for (const spot of spots) reveal(spot, isFound);
      if (!isOutlined) return;
      setAttributes(outline, { points: corners(edge.map(([x, y]) => [X(x), Y(y)])) });
      // What the matrix makes of each key.
      const moved = keys.map(([x, y], i) => [X(x), Y(y), X(seen[i][0]), Y(seen[i][1])]).filter(([x, y, u, v]) => Math.hypot(x - u, y - v) > 1);
      setAttributes(shifts, { d: moved.map(([x, y, u, v]) => `M${px(x)} ${px(y)}L${px(u)} ${px(v)}m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0`).join("") });
    },
  };
}

const clamp = (/** @type {number} */ x, /** @type {number} */ least, /** @type {number} */ most) => Math.min(Math.max(x, least), most);

/** The colours of weights, and after them those of borders, as pixels. @param {Element} element */
function coloursOf(element) {
  const style = getComputedStyle(element);
  const [none, full, ink] = ["--w0", "--w1", "--ink"].map((name) => style.getPropertyValue(name).trim());
  const context = new OffscreenCanvas(2 * SHADES, 1).getContext("2d", { willReadFrequently: true });
  for (let i = 0; i < SHADES; i += 1) {
    const shade = `color-mix(in oklab, ${none}, ${full} ${(100 * i) / (SHADES - 1)}%)`;
    context.fillStyle = shade;
    context.fillRect(i, 0, 1, 1);
    context.fillStyle = `color-mix(in oklab, ${shade}, ${ink} 70%)`;
    context.fillRect(SHADES + i, 0, 1, 1);
  }
  return new Uint32Array(context.getImageData(0, 0, 2 * SHADES, 1).data.buffer);
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
      pixels[place] = colours[(isBorder ? SHADES : 0) + Math.round(weights[place] * (SHADES - 1))];
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
