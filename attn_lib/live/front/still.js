// A figure's picture as a file of its own, for slides and handouts: SVG, or PNG at twice its size. Only the press that
// asks for one loads this script.
//
// What a style sheet says becomes attributes, and HTML becomes marks: programs for slides know neither styles nor HTML in an
// SVG. The libraries that were looked at keep one or the other, or are archived.

import { chapter } from "./stage.js";
import { draw, px, setAttributes } from "./svg.js";

const [EDGE, GAP] = [24, 12];
const CLIP = 8; // a scene is seen so far beyond its sides (hand.css)
const LEAD = 1.4; // of a line, in its size
const SCALE = 2; // of a PNG
const LICENCE = "CC BY 4.0";
// Where a mark is: attributes that are taken over.
const PLACE =
  "id x y dx dy width height cx cy r rx ry d points x1 y1 x2 y2 offset href preserveAspectRatio patternUnits patternTransform gradientUnits clip-path";
// What it looks like: computed values, and the one that goes without saying.
const LOOK = {
  "stroke-width": "1px", "stroke-dasharray": "none", "stroke-dashoffset": "0px", "stroke-linecap": "butt", "stroke-linejoin": "miter",
};
const LETTERS = {
  "font-family": "", "font-size": "", "font-weight": "400", "font-style": "normal", "text-anchor": "start", "letter-spacing": "normal", "text-decoration-line": "none",
};
const MIDDLE = 0.35; // how far below the middle of a line its letters stand, in their size
const UNSHOWN = ".attn-prediction, .attn-pull, .attn-sr, .attn-leads, button";

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/** @typedef {{ x: number, y: number, scale: number }} Origin where a scene begins, and how much larger it is on a wall (stage.js) */

/**
 * Save the picture of a figure as it stands.
 * @param {HTMLElement} figure @param {string} name of the figure @param {string} kind svg or png @param {string} fragment its state
 */
export async function save(figure, name, kind, fragment) {
  const { dataset, lang } = document.documentElement;
  const { theme } = dataset;
  dataset.theme = "light";
  // What is painted by pixels follows the theme at once (pixels.js), and the other one is back before anything is shown.
  await null;
  const svg = still(figure, fragment);
  dataset.theme = theme;
  const text = new XMLSerializer().serializeToString(svg);
  const link = document.createElement("a");
  link.download = `attention-${name}-${lang}.${kind}`;
  link.href = URL.createObjectURL(kind === "png" ? await pixels(svg, text) : new Blob([text], { type: "image/svg+xml" }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {SVGSVGElement} svg @param {string} text the same, written @returns {Promise<Blob>} */
async function pixels(svg, text) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const [width, height] = ["width", "height"].map((side) => SCALE * Number(svg.getAttribute(side)));
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  return new Promise((done) => canvas.toBlob(done));
}

/** The question, the picture, the sentence, and where it is from. @param {HTMLElement} figure @param {string} fragment */
function still(figure, fragment) {
  const find = (/** @type {string} */ selector) => figure.querySelector(selector);
  const said = (/** @type {string} */ selector) => find(selector).textContent.trim();
  const scene = find(".attn-body .attn-scene");
  const width = scene.offsetWidth;
  const isAsked = figure.dataset.phase === "ask";
  /** @type {HTMLLinkElement | null} */
  const published = document.querySelector("link[rel=canonical]");
  // Not the address of a page from a disk, which would tell of the reader's folders.
  const address = published ? published.href + fragment : chapter(fragment);
  /** @type {HTMLMetaElement | null} */
  const site = document.querySelector('meta[property="og:site_name"]');

  const svg = draw(null, "svg", { role: "img" });
  draw(svg, "title", {}, said(".attn-question"));
  draw(svg, "desc", {}, said(".attn-summary"));
  const ground = draw(svg, "rect", { fill: "#ffffff" });
  let y = EDGE - GAP;
  const write = (/** @type {string} */ like, /** @type {string} */ text) => (y = paragraph(svg, getComputedStyle(find(like)), text, y, width));
  write(".attn-question", said(".attn-question"));
  if (isAsked) {
    const options = [...figure.querySelectorAll(".attn-bet > span")];
    write(".attn-asked", said(".attn-asked"));
    write(".attn-asked", options.map(({ textContent }, i) => `${"ABC"[i]}\u00a0${textContent}`).join(" · "));
  }
  y += GAP;
  const clip = draw(draw(svg, "clipPath", { id: "scene" }), "rect");
  const group = draw(svg, "g", { "clip-path": "url(#scene)" });
  const { top, bottom } = pictureOf(scene, group, isAsked);
  // On whole pixels lines stay sharp.
  y = Math.ceil(y - top) + top;
  group.setAttribute("transform", `translate(${EDGE} ${Math.round(y - top)})`);
  setAttributes(clip, { x: -CLIP, y: px(top), width: width + 2 * CLIP, height: px(bottom - top) });
  y += bottom - top + GAP;
  write(".attn-summary", said(".attn-summary"));
  y += GAP;
  for (const line of [`${site?.content ?? document.title} · ${LICENCE}`, address]) write(".attn-caption", line);
  const size = { width: Math.ceil(width + 2 * EDGE), height: Math.ceil(y + EDGE) };
  setAttributes(ground, size);
  setAttributes(svg, { ...size, viewBox: `0 0 ${size.width} ${size.height}` });
  return svg;
}

/**
 * Write a text in lines that the picture's width holds.
 * @param {Element} svg @param {CSSStyleDeclaration} style @param {string} text @param {number} y where it begins @param {number} width
 * @returns {number} where it ends
 */
function paragraph(svg, style, text, y, width) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const lines = [""];
  for (const piece of pieces(text)) {
    const line = lines.at(-1) + piece;
    if (lines.at(-1) && context.measureText(line.trimEnd()).width > width) lines.push(piece);
    else lines[lines.length - 1] = line;
  }
  const size = parseFloat(style.fontSize);
  const node = draw(svg, "text", { ...lettersOf(style), ...painted("fill", style.color) });
  for (const line of lines) {
    draw(node, "tspan", { x: EDGE, y: px(y + size * (LEAD / 2 + MIDDLE)) }, line.trimEnd());
    y += size * LEAD;
  }
  return y;
}

/** What may stand at the beginning of a line, with what may not behind it. @param {string} text */
function pieces(text) {
  const cut = new Intl.Segmenter(document.documentElement.lang, { granularity: "word" });
  /** @type {string[]} */
  const found = [];
  for (const { segment, isWordLike } of cut.segment(text)) {
    const begins = isWordLike || /^[\p{Ps}\p{Pi}]/u.test(segment);
    if (begins && !/[\p{Ps}\p{Pi}\u00a0]$/u.test(found.at(-1) ?? "(")) found.push(segment);
    else found.push((found.pop() ?? "") + segment);
  }
  return found;
}

/**
 * Copy what a scene shows. @param {HTMLElement} scene @param {Element} group @param {boolean} isAsked
 * @returns {{ top: number, bottom: number }} how far it reaches
 */
function pictureOf(scene, group, isAsked) {
  const { left: x, top: y, width } = scene.getBoundingClientRect();
  const origin = { x, y, scale: width / scene.offsetWidth };
  const reach = { top: 0, bottom: 0 };
  const see = (/** @type {Element} */ mark) => {
    const { y, height } = within(mark, origin);
    reach.top = Math.min(reach.top, y);
    reach.bottom = Math.max(reach.bottom, y + height);
  };
  // A ground lies below the drawing, wherever it stands.
  const canvas = scene.querySelector("canvas");
  if (canvas) {
    const { x, y, width, height } = within(canvas, origin);
    draw(group, "image", { href: canvas.toDataURL(), x, y, width, height, preserveAspectRatio: "none" });
  }
  const visit = (/** @type {Element} */ element) => {
    const style = getComputedStyle(element);
    if (element.matches(UNSHOWN) || style.display === "none" || style.opacity === "0") return;
    if (element instanceof SVGSVGElement) {
      const { x, y, width, height } = within(element, origin);
      const shift = draw(group, "g", { transform: `translate(${px(x)} ${px(y)})` });
      // Signs are drawn in units of their own.
      const box = element.viewBox.baseVal;
      if (box?.width) shift.setAttribute("transform", `translate(${px(x)} ${px(y)}) scale(${width / box.width} ${height / box.height})`);
      for (const child of element.children) copy(child, shift, isAsked, see);
      return;
    }
    if (style.visibility !== "hidden" && frames(element, style, origin, group)) see(element);
    if (element.matches("input, select")) return;
    for (const child of element.childNodes) {
      if (child instanceof Element) visit(child);
      else if (style.visibility !== "hidden") textOf(child, style, origin, group);
    }
  };
  for (const child of scene.children) visit(child);
  return reach;
}

/**
 * Copy a mark and what it holds. @param {Element} from @param {Element} to @param {boolean} isAsked @param {(mark: Element) => void} see
 */
function copy(from, to, isAsked, see) {
  const style = getComputedStyle(from);
  if (from.matches(UNSHOWN) || style.display === "none") return;
  // The letters of bets stand in the picture, where the page has buttons.
  const isGhost = isAsked && from.closest(".attn-bet-ghost");
  const isHidden = style.visibility === "hidden" && !isGhost;
  const holds = from.matches("g, defs, pattern, clipPath, linearGradient");
  if ((isHidden && !holds) || (from.localName === "text" && !from.textContent)) return;
  const node = draw(to, from.localName);
  for (const name of PLACE.split(" ")) if (from.hasAttribute(name)) node.setAttribute(name, from.getAttribute(name));
  const shift = from.closest("defs") ? "" : placeOf(from);
  if (shift) node.setAttribute("transform", shift);
  setAttributes(node, given(style, { opacity: "1", "image-rendering": "auto" }));
  if (style.whiteSpace.startsWith("pre")) node.setAttribute("xml:space", "preserve");
  if (from.localName === "stop") setAttributes(node, painted("stop", style.stopColor));
  else if (!holds) setAttributes(node, { ...looksOf(style), ...(from.closest("text") ? lettersOf(style, from) : {}) });
  if (!holds && !from.closest("defs")) see(from);
  if (style.dominantBaseline === "central" && from.localName === "text") {
    const heights = (from.getAttribute("y") ?? "0").split(/[ ,]+/).map((y) => px(Number(y) + MIDDLE * parseFloat(style.fontSize)));
    node.setAttribute("y", heights.join(" "));
  }
  for (const child of from.childNodes) {
    if (child instanceof Element) copy(child, node, isAsked, see);
    else if (from.closest("text")) node.append(child.textContent);
  }
  // A halo is a text of its own, below: not every program paints a stroke first where it is told to.
  if (from.localName === "text" && style.paintOrder.startsWith("stroke") && style.stroke !== "none") {
    to.insertBefore(node.cloneNode(true), node);
    for (const one of [node, ...node.children]) for (const name of ["stroke", ...Object.keys(LOOK)]) one.removeAttribute(name);
  }
}

/** How a mark is moved within its parent, by an attribute or a style. @param {any} mark @returns {string} */
function placeOf(mark) {
  const [own, around] = [mark.getCTM?.(), mark.parentNode instanceof SVGSVGElement ? null : mark.parentNode.getCTM?.()];
  if (!own) return "";
  const { a, b, c, d, e, f } = around ? around.inverse().multiply(own) : own;
  const numbers = [a, b, c, d, e, f].map((number) => Math.round(1e4 * number) / 1e4);
  return String(numbers) === "1,0,0,1,0,0" ? "" : `matrix(${numbers.join(" ")})`;
}

/** @param {CSSStyleDeclaration} style @returns {Record<string, string>} */
function looksOf(style) {
  const strokes = style.stroke === "none" ? {} : { ...painted("stroke", style.stroke, style.strokeOpacity), ...given(style, LOOK) };
  return { ...painted("fill", style.fill, style.fillOpacity), ...strokes };
}

/** A part of a text takes nothing over from the whole. @param {CSSStyleDeclaration} style @param {Element} [of] @returns {Record<string, string>} */
function lettersOf(style, of) {
  const { "text-decoration-line": line, ...letters } = given(style, LETTERS, of?.localName === "tspan");
  return line && line !== "none" ? { ...letters, "text-decoration": line } : letters;
}

/** The values that do not go without saying. @param {CSSStyleDeclaration} style @param {Record<string, string>} usual */
function given(style, usual, all = false) {
  const values = Object.keys(usual).map((name) => [name, style.getPropertyValue(name)]);
  return Object.fromEntries(values.filter(([name, value]) => value && (all || value !== usual[name])));
}

/** A paint as every program knows it: six digits, and how much of it covers. @returns {Record<string, string>} */
function painted(/** @type {string} */ what, /** @type {string} */ paint, opacity = "1") {
  const name = what === "stop" ? "stop-color" : what;
  if (paint === "none" || paint.startsWith("url(")) return { [name]: paint.replaceAll('"', "") };
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  context.fillStyle = paint;
  context.fillRect(0, 0, 1, 1);
  const [r, g, b, alpha] = context.getImageData(0, 0, 1, 1).data;
  const covers = Math.round((Number(opacity) * alpha * 1000) / 255) / 1000;
  const hex = `#${[r, g, b].map((one) => one.toString(16).padStart(2, "0")).join("")}`;
  return { [name]: covers ? hex : "none", ...(covers && covers < 1 ? { [`${what}-opacity`]: String(covers) } : {}) };
}

/** Draw the ground and the border of an element of HTML, and of what stands before its content, and what a field says; whether there was any. */
function frames(/** @type {Element} */ element, /** @type {CSSStyleDeclaration} */ style, /** @type {Origin} */ origin, /** @type {Element} */ group) {
  const box = within(element, origin);
  const marks = group.childElementCount;
  frame(style, box, group);
  const before = getComputedStyle(element, "::before");
  if (before.content !== "none" && before.position === "absolute") {
    const [left, top, width, height] = [before.left, before.top, before.width, before.height].map(parseFloat);
    const edges = before.boxSizing === "border-box" ? 0 : 2 * parseFloat(before.borderTopWidth);
    frame(before, { x: box.x + left, y: box.y + top, width: width + edges, height: height + edges }, group);
  }
  if (element instanceof HTMLInputElement) {
    const isMiddle = style.textAlign === "center";
    const x = isMiddle ? box.x + box.width / 2 : box.x + parseFloat(style.paddingLeft) + parseFloat(style.borderLeftWidth);
    words(element.value, style, x, box, group, isMiddle ? { "text-anchor": "middle" } : {});
  }
  return group.childElementCount > marks;
}

/** @param {CSSStyleDeclaration} style @param {Box} box @param {Element} group */
function frame(style, { x, y, width, height }, group) {
  const thick = style.borderTopStyle === "none" ? 0 : parseFloat(style.borderTopWidth);
  const ground = painted("fill", style.backgroundColor);
  if (!width || (!thick && ground.fill === "none")) return;
  const [wide, high] = [width - thick, height - thick];
  const round = style.borderTopLeftRadius;
  const rx = Math.min(round.endsWith("%") ? (parseFloat(round) / 100) * wide : parseFloat(round), wide / 2, high / 2);
  const edge = thick ? { ...painted("stroke", style.borderTopColor), "stroke-width": thick } : {};
  draw(group, "rect", { x: px(x + thick / 2), y: px(y + thick / 2), width: px(wide), height: px(high), rx: px(rx), ...ground, ...edge });
}

/** @param {Node} node @param {CSSStyleDeclaration} style @param {Origin} origin @param {Element} group */
function textOf(node, style, origin, group) {
  const range = document.createRange();
  range.selectNode(node);
  const said = node.textContent.trim();
  if (!said || !range.getClientRects().length) return;
  const box = within(range, origin);
  words(said, style, box.x, box, group);
}

/** @param {string} said @param {CSSStyleDeclaration} style @param {number} x @param {Box} box @param {Element} group */
function words(said, style, x, { y, height }, group, more = {}) {
  const baseline = y + height / 2 + MIDDLE * parseFloat(style.fontSize);
  draw(group, "text", { x: px(x), y: px(baseline), ...lettersOf(style), ...painted("fill", style.color), ...more }, said);
}

/** @param {Element | Range} shown @param {Origin} origin @returns {Box} */
function within(shown, { x: left, y: top, scale }) {
  const { x, y, width, height } = shown.getBoundingClientRect();
  return { x: (x - left) / scale, y: (y - top) / scale, width: width / scale, height: height / scale };
}
