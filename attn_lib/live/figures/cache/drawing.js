// Figure `cache`: twelve heads with the maps that they have by keys of their own, and below them those by shared keys; above,
// bars say how far they differ. Wires lead to the heads of keys and values that are kept, and these fill a tank.

import { hand } from "../../front/grab.js";
import { fill, formatNumber } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { mapsAsPicture, palette, weightShades } from "../../front/pixels.js";
import { draw, lengthOf, px, reveal, setAttributes, several } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { isUnanswered } from "../../front/bet.js";
import { HEADS } from "./compute.js";

const TICKS = 3; // every so many heads are numbered, and those that move least and most
const ROOM = 26; // pixels: a narrower block has no name

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const { sentences, controls: said } = words;
  const { bet, controls } = declaration;
  const { values } = controls.find(({ key }) => key === "g");
  const made = picture(figure, () => {
    layOut();
    repaint();
  });
  let plan = planOf(made, 0);
  const { svg, back, stage } = made;
  const bars = several(HEADS, () => draw(svg, "rect", { class: "attn-cache-bar" }));
  const bare = draw(svg, "path", { class: "attn-cache-bare" });
  const level = draw(svg, "path", { class: "attn-cache-mean", "data-answer": "y" });
  const images = several(2, () => draw(svg, "image", { class: "attn-cache-maps", preserveAspectRatio: "none" }));
  const wires = several(HEADS, () => draw(svg, "path", { class: "attn-cache-wire" }));
  const blocks = several(HEADS, () => draw(svg, "rect", { class: "attn-cache-kept", rx: 4 }));
  const names = several(HEADS, () => label(svg, "num", "", "attn-middle attn-cache-name"));
  const liquid = draw(svg, "rect", { class: "attn-cache-kept" });
  const tank = draw(svg, "path", { class: "attn-cache-tank" });
  const [halo, real] = ["halo", "real"].map((look) => draw(svg, "path", { class: `attn-cache-${look}` }));
  const really = label(svg, "soft", sentences.really, "attn-end");
  const without = label(svg, "soft", sentences.bare);
  const mean = label(svg, "num", "", "attn-hue-weight attn-cache-most");
  const numbers = several(HEADS, () => label(svg, "soft", "", "attn-middle"));
  const ends = several(2, () => label(svg, "num", "", "attn-middle")); // what moves least and most
  const full = label(svg, "soft", "", "attn-end");
  const holds = label(svg, "word", "", "attn-end attn-hue-key");
  const owner = label(svg, "soft", "", "attn-end");
  const putBets = bets(made, "disc");
  const colours = palette(stage, weightShades, () => {
    painted = ["", ""];
    repaint();
  });
  let painted = ["", ""]; // the maps that the images show
  let spoken = "";

  function layOut() {
    back.replaceChildren();
    const named = [sentences.own_row, sentences.now_row].map((name) => label(back, "soft", name));
    plan = planOf(made, Math.max(...[...named, without].map(lengthOf)));
    const { left, right, X, Y, tops, rows, ticks, pitch, aside } = plan;
    for (const share of [0, 1]) {
      draw(back, "path", { class: "attn-hairline", d: `M${px(left)} ${px(Y(share))}H${px(right)}` });
      setAttributes(label(back, "soft", String(share), "attn-end"), { x: px(left - 8), y: px(Y(share) + 4.5) });
    }
    setAttributes(label(back, "soft", sentences.moves), { x: px(left), y: px(Y(1) - 6) });
    numbers.forEach((number, head) => setAttributes(number, { x: px(X(head)), y: px(ticks) }));
    named.forEach((name, i) => {
      setAttributes(name, { x: px(aside ? left - 8 - lengthOf(name) : left), y: px(rows[i]) });
      setAttributes(images[i], { x: px(left), y: px(tops[i]), width: px(pitch * HEADS), height: px(pitch) });
    });
  }

  /** The maps of all heads, drawn anew where they have changed. */
  function paintMaps({ words: count, ...maps }) {
    ["own", "now"].forEach((name, i) => {
      if (painted[i] === maps[name]) return;
      painted[i] = maps[name];
      const weights = Uint8Array.from(atob(maps[name]), (letter) => letter.charCodeAt(0));
      setAttributes(images[i], { href: mapsAsPicture({ keys: count, queries: count, weights }, HEADS, colours()) });
    });
  }

  /** How much of each head's weight has moved, and the mean. */
  function paintBars(rows, { mean: all, bare: none }, slots) {
    const { left, right, X, Y, pitch, aside } = plan;
    const shares = rows.map(([share]) => share);
    shares.forEach((share, head) => {
      box(bars[head], X(head) - pitch * 0.36, Y(share), pitch * 0.72, Y(0) - Y(share));
    });
    setAttributes(level, { d: `M${px(left)} ${px(Y(all))}H${px(right)}` });
    setText(mean, slots.mean);
    setAttributes(mean, { x: px(right + 4), y: px(Y(all) + 5) });
    setAttributes(bare, { d: `M${px(left)} ${px(Y(none))}H${px(right)}` });
    // It would say how far they can move.
    const isTold = !isUnanswered(figure);
    for (const one of [bare, without]) reveal(one, isTold);
    const told = [Math.min(...shares), Math.max(...shares)].map((share) => shares.indexOf(share));
    // On a phone it stands in the plot, away from the highest bar.
    const inside = told[1] < HEADS / 2 ? right - lengthOf(without) : left + 2;
    setAttributes(without, { x: px(aside ? left - 8 - lengthOf(without) : inside), y: px(Y(none) + (aside ? 4.5 : -5)) });
    told.forEach((head, i) => {
      reveal(ends[i], all > 0);
      setText(ends[i], formatNumber(shares[head], 2));
      setAttributes(ends[i], { x: px(X(head)), y: px(Y(shares[head]) - 6) });
    });
    numbers.forEach((number, head) => {
      const isEnd = all > 0 && told.includes(head);
      setText(number, isEnd || head % TICKS === 0 ? String(head + 1) : "");
      setAttributes(number, { class: `attn-label attn-${isEnd ? "num" : "soft"} attn-middle` });
    });
    reveal(mean, all > 0);
  }

  /** A wire from each head to what it reads, of the heads of keys and values that are kept. */
  function paintWires({ places }, { g, kv }) {
    const { X, pitch, tops, kept, tall } = plan;
    const from = tops[1] + pitch - 1;
    const half = (kept - from) / 2;
    const each = HEADS / g;
    places.forEach((place, head) => {
      const [x, to] = [X(head), X(place)];
      setAttributes(wires[head], { d: `M${px(x)} ${px(from)}C${px(x)} ${px(from + half)} ${px(to)} ${px(kept - half)} ${px(to)} ${px(kept)}` });
    });
    blocks.forEach((block, i) => {
      reveal(block, i < g);
      reveal(names[i], i < g && each * pitch > ROOM);
      if (i >= g) return;
      box(block, X(i * each) - pitch / 2 + 1, kept, each * pitch - 3, tall);
      setText(names[i], kv === "1" ? "K" : "KV");
      setAttributes(names[i], { x: px(X(i * each + (each - 1) / 2)), y: px(kept + tall / 2 + 5) });
    });
  }

  function paintTank({ level: filled, real: own }, slots) {
    const { tankX, wide, tankTop, floor, width, narrow } = plan;
    const tall = floor - tankTop;
    box(liquid, tankX, floor - filled * tall, wide, filled * tall);
    setAttributes(tank, { d: `M${px(tankX)} ${px(tankTop)}V${px(floor)}h${px(wide)}V${px(tankTop)}` });
    // As many as the model really keeps.
    for (const one of [halo, real]) setAttributes(one, { d: `M${px(tankX - 6)} ${px(floor - own * tall)}h${px(wide + 6)}` });
    setAttributes(really, { x: px(tankX - 9), y: px(floor - own * tall + 4.5) });
    setText(full, slots.full);
    setAttributes(full, { x: px(width - 10), y: px(tankTop - 22) });
    setText(holds, slots.bytes);
    setAttributes(holds, { x: px(width - 10), y: px(floor + 20) });
    setText(owner, fill(sentences.tank, slots));
    setAttributes(owner, { x: px(narrow ? width - 96 : width - 10), y: px(floor + (narrow ? 20 : 39)) });
  }

  const levelOf = ({ g, kv }) => (g / HEADS) * (kv === "1" ? 0.5 : 1);

  return {
    paint(view, state) {
      const { moved, heads, tank: told } = view.parts;
      spoken = fill(said.g.valuetext, { ...view.slots, value: view.slots.g });
      if (!made.width) return;
      paintMaps(heads);
      paintBars(moved.rows, told, view.slots);
      paintWires(told, state);
      paintTank(told, view.slots);
      const { left, right, Y } = plan;
      putBets(bet.places.map(([across, share]) => [left + across * (right - left), Y(share)]));
    },
    grabs: [
      hand(stage, "g", {
        keys: ["g"],
        at: (state) => [plan.tankX + plan.wide, plan.floor - levelOf(state) * (plan.floor - plan.tankTop)],
        settings: (_, y, { kv }) => ({ g: ((plan.floor - y) / (plan.floor - plan.tankTop)) * HEADS * (kv === "1" ? 2 : 1) }),
        step(across, upwards, { g }) {
          const place = values.indexOf(g) + across - upwards;
          return { g: values[Math.min(values.length - 1, Math.max(0, place))] };
        },
        spoken: () => spoken,
      }),
    ],
  };
}

/** A box; in a very narrow place it may have no room. */
function box(rect, x, y, width, height) {
  setAttributes(rect, { x: px(x), y: px(y), width: px(Math.max(0, width)), height: px(Math.max(0, height)) });
}

/**
 * Where everything lies, in pixels.
 * @param {import("../../front/picture.js").Picture} picture @param {number} named the length of what stands before the rows
 */
function planOf({ width, height, narrow }, named) {
  const [left, wide] = narrow ? [28, 30] : [named + 16, 76];
  const tankX = width - wide - 36;
  const right = tankX - (narrow ? 38 : 54);
  const pitch = Math.max(1, (right - left) / HEADS);
  const [foot, tall] = narrow ? [32, 20] : [50, 24];
  const kept = height - foot - tall;
  const [high, zero] = narrow ? [24, 112] : [26, 156];
  const ticks = zero + 16;
  const first = ticks + (narrow ? 22 : 8);
  const second = first + pitch + (narrow ? 18 : 3);
  return {
    width, narrow, left, right, pitch, tankX, wide, kept, tall, ticks,
    aside: !narrow,
    tops: [first, second],
    rows: narrow ? [first - 4, second - 4] : [first, second].map((top) => top + pitch / 2 + 4),
    tankTop: 38,
    floor: kept + tall,
    X: (/** @type {number} */ head) => left + pitch * (head + 0.5),
    Y: (/** @type {number} */ share) => zero - (zero - high) * share,
  };
}
