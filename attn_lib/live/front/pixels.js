// Colours of the theme as pixels, for what is painted place by place.

const HUNDRED = 100;

/** @typedef {(name: string) => string} Token the value of a custom property, such as "--w0" */

/**
 * A row of colours as pixels, read anew where the theme has changed.
 * @param {Element} element what has the theme @param {(token: Token) => string[]} listed CSS colours
 * @param {() => void} changed the theme has changed: paint again
 * @returns {() => Uint32Array}
 */
export function palette(element, listed, changed) {
  /** @type {Uint32Array | null} */
  let pixels = null;
  const themes = new MutationObserver(() => {
    pixels = null;
    changed();
  });
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  if (document.body) themes.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  return () => (pixels ??= pixelsOf(element, listed));
}

/** @param {Element} element @param {(token: Token) => string[]} listed */
function pixelsOf(element, listed) {
  const style = getComputedStyle(element);
  const colours = listed((name) => style.getPropertyValue(name).trim());
  const context = new OffscreenCanvas(colours.length, 1).getContext("2d", { willReadFrequently: true });
  colours.forEach((colour, i) => {
    context.fillStyle = colour;
    context.fillRect(i, 0, 1, 1);
  });
  return new Uint32Array(context.getImageData(0, 0, colours.length, 1).data.buffer);
}

/** The colours of the weights 0.00 to 1.00. @param {Token} token */
export function weightShades(token) {
  return Array.from({ length: HUNDRED + 1 }, (_, i) => `color-mix(in oklab, ${token("--w0")}, ${token("--w1")} ${i}%)`);
}

/**
 * Maps of weights as a picture of one pixel for each weight, with one between two maps; rows ask, columns answer.
 * @param {{ keys: number, queries: number, weights: Uint8Array }} maps in hundredths, by map, key and query
 * @param {number} across how many stand side by side @param {Uint32Array} colours of the hundredths
 */
export function mapsAsPicture({ keys, queries, weights }, across, colours) {
  const [wide, high] = [keys + 1, queries + 1];
  const count = weights.length / keys / queries;
  const canvas = Object.assign(document.createElement("canvas"), { width: across * wide, height: Math.ceil(count / across) * high });
  const pixels = new Uint32Array(canvas.width * canvas.height);
  for (let map = 0, place = 0; map < count; map += 1) {
    const corner = Math.floor(map / across) * high * canvas.width + (map % across) * wide;
    for (let key = 0; key < keys; key += 1) {
      for (let query = 0; query < queries; query += 1, place += 1) pixels[corner + query * canvas.width + key] = colours[weights[place]];
    }
  }
  canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), canvas.width, canvas.height), 0, 0);
  return canvas.toDataURL();
}
