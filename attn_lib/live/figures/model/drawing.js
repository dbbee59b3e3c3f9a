// Figure `model`: twelve layers of twelve heads, each a map of the sentence, where rows ask and columns answer. Beside them the
// framed head's strings from each piece to what it looks at.

import { hand } from "../../front/grab.js";
import { fill, formatNumber } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { mapsAsPicture, palette, weightShades } from "../../front/pixels.js";
import { draw, lengthOf, px, reveal, setAttributes } from "../../front/svg.js";
import { setText } from "../../front/text.js";

const HEADS = 12;
const HUNDRED = 100;
// Hundredths: a weight above one is drawn, for another piece than the asking one, or answers loudly.
const [OTHER, LOUD] = [14, 25];

/**
 * The maps of all heads.
 * @typedef {object} Maps
 * @property {string} encoded as the view has them: tells them from others
 * @property {number} keys @property {number} queries
 * @property {Uint8Array} weights in hundredths, by head, key and query
 */

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, repaint, words: { controls, sentences } }) {
  const { data: { pieces, looks }, bet } = declaration;
  const names = [...pieces, sentences.padding];
  const made = picture(figure, () => {
    layOut();
    repaint();
  });
  const { svg, back, stage } = made;
  const [tiles, asking] = ["maps", "asks"].map((name) => /** @type {HTMLElement} */ (stage.querySelector(`[data-field=${name}]`)));
  const image = draw(svg, "image", { class: "attn-model-maps", preserveAspectRatio: "none" });
  const frames = ["attn-model-halo", "attn-model-frame"].map((look) => draw(svg, "rect", { class: look, rx: 3 }));
  const others = draw(svg, "path", { class: "attn-model-string", "stroke-width": 2 });
  const strings = names.map(() => draw(svg, "path", { class: "attn-model-string attn-model-own" }));
  const asks = pieces.map((name) => label(svg, "num", name, "attn-end"));
  const answers = names.map((name) => label(svg, "num", name));
  const most = label(svg, "num", "", "attn-hue-weight attn-model-most");
  const end = draw(svg, "circle", { class: "attn-model-end", r: 5, "data-answer": "" });
  const putBets = bets(made, "disc");
  const colours = palette(stage, weightShades, () => {
    painted = "";
    repaint();
  });
  let plan = planOf(made, names.length);
  /** What is shown or led to, and what stood still last. @type {Maps} */
  let goal = { encoded: "", keys: 0, queries: 0, weights: new Uint8Array() };
  let still = goal;
  let [painted, spoken] = ["", ""];

  function layOut() {
    back.replaceChildren();
    plan = planOf(made, names.length);
    const { left, top, side, line, asksFrom, asksAt, answersAt, endsAt, Y } = plan;
    setAttributes(image, { x: px(left), y: px(top), width: px(side), height: px(side) });
    setAttributes(label(back, "soft", sentences.axes), { x: px(left), y: px(top + side + 18) });
    if (!made.narrow) {
      setAttributes(label(back, "soft", sentences.asks, "attn-end"), { x: px(asksAt), y: px(top + side + 18) });
      setAttributes(label(back, "soft", sentences.answers), { x: px(answersAt), y: px(top + side + 18) });
    }
    asks.forEach((text, i) => setAttributes(text, { x: px(asksAt), y: px(Y(i) + 4.5) }));
    answers.forEach((text, i) => setAttributes(text, { x: px(answersAt), y: px(Y(i) + 4.5) }));
    putBets(bet.places.map(([job]) => [endsAt, Y(looks[job])]));
    put(tiles, [left, top, side, side]);
    put(asking, [asksFrom, Y(-0.5), asksAt - asksFrom + 8, line * pieces.length]);
    painted = "";
  }

  /** The maps of a view, or on the way to it from the last one that stood still. */
  function lookNow({ parts: { tiles: { keys, queries, bytes } } }, { way }) {
    if (goal.encoded !== bytes) {
      const weights = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
      goal = { encoded: bytes, keys, queries, weights };
    }
    if (!way) still = goal;
    // Where padding takes part there is a key more, and nothing between.
    if (still === goal || still.keys !== keys) return goal;
    const weights = goal.weights.map((weight, i) => Math.round(still.weights[i] + (weight - still.weights[i]) * way.share));
    return { ...goal, encoded: `${bytes} ${way.share}`, weights };
  }

  function paintStrings({ keys, queries, weights }, { l, h, w }) {
    const { narrow } = made;
    const { asksAt, answersAt, endsAt, Y } = plan;
    const first = (HEADS * (l - 1) + h - 1) * keys;
    const at = (/** @type {number} */ key, /** @type {number} */ query) => weights[(first + key) * queries + query];
    const [from, to] = [asksAt + 8, endsAt];
    const middle = (from + to) / 2;
    const string = (/** @type {number} */ query, /** @type {number} */ key) =>
      `M${px(from)} ${px(Y(query))}C${px(middle)} ${px(Y(query))} ${px(middle)} ${px(Y(key))} ${px(to)} ${px(Y(key))}`;
    const asker = Math.min(w, queries) - 1;
    const pale = [];
    for (let query = 0; query < queries; query += 1) {
      for (let key = 0; key < keys; key += 1) if (query !== asker && at(key, query) > OTHER) pale.push(string(query, key));
    }
    setAttributes(others, { d: pale.join("") });
    const look = "attn-label attn-num";
    asks.forEach((text, i) => setAttributes(text, { class: `${look} attn-end${i === asker ? " attn-hue-query attn-model-asker" : ""}` }));
    const row = names.map((_, key) => (key < keys ? at(key, asker) : 0));
    row.forEach((weight, key) => {
      setAttributes(strings[key], { d: weight > 0 ? string(asker, key) : "", "stroke-width": px((narrow ? 0.06 : 0.11) * weight) });
      setAttributes(answers[key], { class: `${look} ${weight > LOUD ? "attn-hue-weight attn-model-loud" : "attn-model-quiet"}` });
    });
    reveal(answers[pieces.length], keys > pieces.length);
    const top = row.indexOf(Math.max(...row));
    setAttributes(end, { cx: px(endsAt), cy: px(Y(top)) });
    setText(most, formatNumber(row[top] / HUNDRED, 2));
    reveal(most, !narrow);
    if (!narrow) setAttributes(most, { x: px(answersAt + lengthOf(answers[top]) + 8), y: px(Y(top) + 4.5) });
  }

  return {
    paint(view, state) {
      spoken = fill(controls.h.valuetext, view.slots);
      if (!made.width) return;
      const now = lookNow(view, state);
      if (now.encoded !== painted) {
        painted = now.encoded;
        setAttributes(image, { href: mapsAsPicture(now, HEADS, colours()) });
      }
      const { left, top, tile } = plan;
      const [x, y] = [left + (state.h - 1) * tile - 1, top + (state.l - 1) * tile - 1];
      for (const frame of frames) setAttributes(frame, { x: px(x), y: px(y), width: px(tile + 1), height: px(tile + 1) });
      paintStrings(now, state);
    },
    grabs: [
      // The frame itself is held by the knob at its corner; a press on another map puts it there.
      (host) => ({
        ...hand(stage, "head", {
          keys: ["h", "l"],
          at: ({ h, l }) => [h, l].map((place) => (place - 0.5) * plan.tile + plan.aside),
          settings: () => ({}),
          step: (across, upwards, { h, l }) => ({ h: h + across, l: l - upwards }),
          spoken: () => spoken,
        })(host),
        surface: tiles,
        measure: undefined,
        at: ({ h, l }) => [h, l].map((place) => (place - 0.5) * plan.tile),
        settings: (x, y) => ({ h: 1 + Math.floor(x / plan.tile), l: 1 + Math.floor(y / plan.tile) }),
      }),
      () => ({ surface: asking, upright: true, settings: (_, y) => ({ w: 1 + Math.floor(y / plan.line) }) }),
    ],
  };
}

/**
 * Where everything lies, in pixels.
 * @param {import("../../front/picture.js").Picture} picture @param {number} lines one for each piece, and for padding
 */
function planOf({ width, height, narrow }, lines) {
  const [left, top] = [12, 6];
  const side = narrow ? 200 : 360;
  const first = narrow ? 12 : 15;
  const last = narrow ? height - 12 : top + side - 6;
  const line = (last - first) / (lines - 1);
  const asksAt = narrow ? width - 86 : width - 250;
  const answersAt = asksAt + (narrow ? 34 : 90);
  return {
    left, top, side, line, asksAt, answersAt,
    endsAt: answersAt - 10,
    tile: side / HEADS,
    aside: narrow ? 20 : 26, // the knob from the middle of its frame
    asksFrom: left + side + (narrow ? 0 : 10),
    Y: (/** @type {number} */ place) => first + line * place,
  };
}

/** Put a field that takes the pointer to its place. @param {HTMLElement} field @param {number[]} box */
function put(field, box) {
  ["left", "top", "width", "height"].forEach((side, i) => field.style.setProperty(side, `${px(box[i])}px`));
}
