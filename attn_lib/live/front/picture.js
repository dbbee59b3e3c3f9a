// The picture of a figure: what its drawing is laid out in, how words and numbers look in it, and
// where its bets lie.

import { onSize } from "./chart.js";
import { draw, px, setAttributes } from "./svg.js";

// As in hand.css: up to this width the bets are a row below the drawing, which leaves them this much room.
const NARROW = 480;
const ROW = 54;
const DIAMOND = "M0 -15L15 0L0 15L-15 0Z";
const DISC = 12;

/**
 * @typedef {object} Picture
 * @property {HTMLElement} stage
 * @property {SVGSVGElement} svg
 * @property {SVGGElement} back what is drawn anew when the size changes
 * @property {number} width 0 until the picture was measured @property {number} height what the drawing has of it
 * @property {boolean} narrow
 */

/**
 * Make the drawing of a figure's picture and keep it as large as its stage.
 * @param {HTMLElement} figure @param {(picture: Picture) => void} resized draw what depends on the size, then paint again
 * @returns {Picture}
 */
export function picture(figure, resized) {
  /** @type {HTMLElement} */
  const stage = figure.querySelector(".attn-body .attn-scene");
  const svg = draw(null, "svg", { class: "attn-drawing", "aria-hidden": "true" });
  stage.prepend(svg);
  const made = /** @type {Picture} */ ({ stage, svg, back: draw(svg, "g"), width: 0, height: 0, narrow: false });
  stage.addEventListener("pointerdown", giveToNearest, true);
  onSize(stage, (width, height) => {
    const narrow = width <= NARROW;
    Object.assign(made, { width, narrow, height: narrow ? height - ROW : height });
    resized(made);
  });
  return made;
}

/** Where the targets of hands overlap, the one whose middle is nearest takes the pointer. @param {PointerEvent} event */
function giveToNearest(event) {
  const { target, currentTarget, clientX, clientY } = event;
  const isHand = target instanceof HTMLElement && target.matches(".attn-hand");
  if (!isHand || !event.isTrusted) return;
  const far = (/** @type {Element} */ hand) => {
    const { x, y, width, height } = hand.getBoundingClientRect();
    return width ? Math.hypot(x + width / 2 - clientX, y + height / 2 - clientY) : Infinity;
  };
  const hands = [.../** @type {Element} */ (currentTarget).querySelectorAll(".attn-hand")];
  const nearest = hands.reduce((best, hand) => (far(hand) < far(best) ? hand : best), target);
  if (nearest === target) return;
  event.stopPropagation();
  nearest.dispatchEvent(new PointerEvent(event.type, event));
}

/**
 * A pattern, and the paint that it makes. Its name is the figure's own, as a page may have a figure twice.
 * @param {HTMLElement} figure @param {Element} svg @param {string} name @param {Record<string, string | number>} size
 * @returns {[SVGPatternElement, string]}
 */
export function pattern(figure, svg, name, size) {
  const id = `${figure.id}-${name}`;
  return [draw(draw(svg, "defs"), "pattern", { id, patternUnits: "userSpaceOnUse", ...size }), `url(#${id})`];
}

/**
 * A text of a picture, over whatever lies there: a `word`, a `num`ber that is the point, a `soft` note of an axis, or the
 * one `big` number.
 * @param {Element} parent @param {"word" | "num" | "soft" | "big"} look @param {string} [text] @param {string} [more] classes
 * @returns {SVGTextElement}
 */
export function label(parent, look, text, more = "") {
  return draw(parent, "text", { class: `attn-label attn-${look} ${more}`.trim() }, text ?? "");
}

/**
 * The bets of a picture and their ghosts: what moves, as it would stand for each option. Where bets lie aside, a line leads
 * from each to its ghost; otherwise its letter lies on the place itself.
 * @param {Picture} picture @param {"diamond" | "disc"} shape @param {{ aside?: boolean }} [more]
 * @returns {(places: import("./svg.js").Point[]) => void} put them there, in pixels
 */
export function bets(picture, shape, { aside = false } = {}) {
  const { stage, svg } = picture;
  const group = /** @type {HTMLElement} */ (stage.querySelector(".attn-prediction"));
  const pills = /** @type {HTMLElement[]} */ ([...group.children]);
  stage.classList.add(aside ? "attn-bets-aside" : "attn-bets-on-place");
  const leads = draw(svg, "path", { class: "attn-leads" });
  const ghosts = pills.map((_, option) => {
    const ghost = draw(svg, "g", { class: "attn-bet-ghost", "data-option": option });
    draw(ghost, shape === "diamond" ? "path" : "circle", shape === "diamond" ? { d: DIAMOND } : { r: DISC });
    draw(ghost, "text", { y: 0.5 }, "ABC"[option]);
    return ghost;
  });
  // Where the bets lie aside is read once for each size, as reading it forces a layout.
  let [size, ends] = ["", /** @type {number[][]} */ ([])];
  return (places) => {
    places.forEach(([x, y], i) => {
      setAttributes(ghosts[i], { transform: `translate(${px(x)} ${px(y)})` });
      if (aside) return;
      pills[i].style.setProperty("--x", `${px(x)}px`);
      pills[i].style.setProperty("--y", `${px(y)}px`);
    });
    if (!aside || group.hidden) return;
    const now = `${picture.width} ${picture.height}`;
    if (now !== size) {
      size = now;
      ends = pills.map((pill) => [group.offsetLeft + pill.offsetLeft, group.offsetTop + pill.offsetTop + pill.offsetHeight / 2]);
    }
    setAttributes(leads, { d: places.map(([x, y], i) => `M${px(x + 16)} ${px(y)}L${ends[i].map(px).join(" ")}`).join("") });
  };
}
