// Figure `model`, to see and to grab: twelve layers of twelve heads, each a map of the sentence. Rows ask, columns answer.

import { onSize } from "../../front/chart.js";

const HEADS = 12;
const HUNDRED = 100;
const GAP = 2; // pixels between two maps

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { repaint }) {
  /** @type {HTMLElement} */
  const tiles = figure.querySelector(".attn-body .attn-tiles");
  const [hint, canvas, frame] = [tiles.querySelector("span"), tiles.querySelector("canvas"), tiles.querySelector("i")];
  const context = canvas.getContext("2d");
  const rows = [...figure.querySelectorAll(".attn-body .attn-model-row tbody tr")];
  // Padding is no piece to ask from.
  const asking = rows.slice(0, -1);
  let [width, drawn] = [0, ""];
  onSize(tiles, (wide) => {
    width = wide;
    drawn = "";
    repaint();
  });
  const themes = new MutationObserver(() => {
    drawn = "";
    repaint();
  });
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  if (document.body) themes.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  const headAt = (/** @type {number} */ place) => Math.min(HEADS, Math.max(1, 1 + Math.floor((place / width) * HEADS)));

  return {
    paint({ parts }, { l, h, w }) {
      rows.forEach((row, i) => row.classList.toggle("attn-asker", i === w - 1));
      Object.assign(frame.style, { left: share(h - 1), top: share(l - 1) });
      if (!width) return;
      if (parts.tiles.bytes === drawn) return;
      drawn = parts.tiles.bytes;
      hint.hidden = true;
      const side = Math.round(width * Math.min(2, devicePixelRatio || 1));
      Object.assign(canvas, { width: side, height: side });
      context.imageSmoothingEnabled = false;
      paintMaps(context, parts.tiles, side, coloursOf(tiles));
    },
    grabs: [() => ({ surface: tiles, upright: true, settings: (x, y) => ({ h: headAt(x), l: headAt(y) }), slider: ["h", 0] })],
    presses: asking.map((row, i) => [row, { w: i + 1 }]),
  };
}

/** Where the head or layer of this number begins. @param {number} before */
function share(before) {
  return `${((100 * before) / HEADS).toFixed(2)}%`;
}

/** @param {CanvasRenderingContext2D} context @param {{ keys: number, queries: number, bytes: string }} tiles @param {number} side @param {Uint32Array} colours */
function paintMaps(context, { keys, queries, bytes }, side, colours) {
  const weights = atob(bytes);
  const map = new OffscreenCanvas(keys, queries);
  const own = map.getContext("2d");
  for (let tile = 0; tile < HEADS * HEADS; tile += 1) {
    const pixels = new Uint32Array(keys * queries);
    for (let key = 0, place = tile * keys * queries; key < keys; key += 1) {
      for (let query = 0; query < queries; query += 1, place += 1) pixels[query * keys + key] = colours[weights.charCodeAt(place)];
    }
    own.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), keys, queries), 0, 0);
    const [x, y] = [(tile % HEADS) * (side / HEADS), Math.floor(tile / HEADS) * (side / HEADS)];
    context.drawImage(map, x + GAP / 2, y + GAP / 2, side / HEADS - GAP, side / HEADS - GAP);
  }
}

/** The colours of the weights 0.00 to 1.00, as pixels. @param {Element} element */
function coloursOf(element) {
  const style = getComputedStyle(element);
  const [none, full] = ["--w0", "--w1"].map((name) => style.getPropertyValue(name).trim());
  const context = new OffscreenCanvas(HUNDRED + 1, 1).getContext("2d", { willReadFrequently: true });
  for (let i = 0; i <= HUNDRED; i += 1) {
    context.fillStyle = `color-mix(in oklab, ${none}, ${full} ${i}%)`;
    context.fillRect(i, 0, 1, 1);
  }
  return new Uint32Array(context.getImageData(0, 0, HUNDRED + 1, 1).data.buffer);
}
