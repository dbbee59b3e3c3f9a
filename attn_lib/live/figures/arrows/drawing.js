// Figure `arrows`: four words pull the output by strings as thick as their weights, and the query is in the reader's hand.

import { hand } from "../../front/grab.js";
import { placeLabels } from "../../front/labels.js";
import { fill, formatWeight } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { arrow, draw, lengthOf, px, reveal, setAttributes, several, tint } from "../../front/svg.js";
import { hide, setText } from "../../front/text.js";
import { travelOnce } from "./opening.js";

// In units of the plane: what the picture shows as long as the query and the words lie in it, and from farther away.
const NEAR = { left: 1.75, right: 3.15, high: 1.86 };
const FAR = { left: 3.2, right: 3.2, high: 3.2 };
// Pixels: around the near view, the room of a word with its number, and of a word alone.
const [PAD, HIGH, LINE] = [24, 36, 15];

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, repaint }) {
  const { data, controls, bet, words: { sentences } } = declaration;
  const { rows: most } = controls.find(({ key }) => key === "own");
  const made = picture(figure, repaint);
  const { svg, back, stage } = made;
  const axes = draw(back, "path", { class: "attn-hairline" });
  const directions = ["left", "right", "up", "down"].map((side) => label(back, "soft", data.directions[side], side === "right" ? "attn-end" : ""));
  const [value, key, query] = ["value", "key", "query"].map((hue) => draw(svg, "g", { class: `attn-hue-${hue}` }));
  const outline = draw(value, "path", { class: "attn-hue-line attn-hull attn-square" });
  const strings = several(most, () => draw(svg, "path", { class: "attn-string attn-pulling" }));
  const discs = several(most, () => draw(svg, "circle", { class: "attn-tint attn-dot attn-hue-key" }));
  svg.append(key, query);
  const names = several(most, () => label(key, "word", "", "attn-middle"));
  const numbers = several(most, () => label(svg, "num", "", "attn-middle"));
  const shaft = draw(query, "polygon", { class: "attn-hue-fill" });
  const putBets = bets(made, "diamond", { aside: true });
  const letter = label(query, "word", "q", "attn-middle");
  const front = draw(svg, "g", { class: "attn-hue-value" });
  const mark = draw(front, "path", { class: "attn-hue-fill attn-output-mark", d: "M0 -13L13 0L0 13L-13 0Z", "data-answer": "" });
  const name = label(front, "num", sentences.output, "attn-middle");
  const columns = [...figure.querySelectorAll(".attn-body .attn-keys tr")].map(({ children }) => [...children].slice(1, -1));
  let lens = NEAR;
  let drawn = "";
  let spoken = "";
  let plane = planeOf(made, lens);
  let rooms = /** @type {import("../../front/labels.js").Box[]} */ ([]); // of the names of directions left and right

  /** Axes and names of the directions, where the lens has changed. */
  function paintBack(/** @type {boolean} */ named) {
    const what = [made.width, made.height, lens.left, named].join();
    if (what === drawn) return;
    drawn = what;
    plane = planeOf(made, lens);
    const { X, Y } = plane;
    const [west, east] = [Math.max(8, X(-lens.left)), Math.min(made.width - 8, X(lens.right))];
    setAttributes(axes, { d: `M${px(west)} ${px(Y(0))}H${px(east)}M${px(X(0))} 4V${px(made.height - 4)}` });
    const ends = [[west, Y(0) - 7], [east, Y(0) + 17], [X(0) + 8, 16], [X(0) + 8, made.height - 6]];
    directions.forEach((name, i) => {
      setAttributes(name, { x: px(ends[i][0]), y: px(ends[i][1]) });
      reveal(name, named);
    });
    rooms = ends.slice(0, named ? 2 : 0).map(([x, y], i) => {
      const width = lengthOf(directions[i]);
      return { x: x - (i ? width : 0), y: y - 12, width, height: LINE };
    });
  }

  function paintWords({ points, words }, weights, at) {
    const { X, Y } = plane;
    showFirst(points.length, strings, discs, names, numbers);
    const places = points.map(([x, y]) => [X(x), Y(y)]);
    setAttributes(outline, { d: `M${hull(points).map(([x, y]) => `${px(X(x))} ${px(Y(y))}`).join("L")}Z` });
    places.forEach(([x, y], j) => {
      setAttributes(strings[j], { d: `M${px(x)} ${px(y)}L${at.map(px).join(" ")}` });
      strings[j].style.strokeWidth = `${(1.5 + 20 * weights[j]).toFixed(1)}px`;
      setAttributes(discs[j], { cx: px(x), cy: px(y), r: px(8 + 11 * Math.sqrt(weights[j])) });
      tint(discs[j], weights[j]);
      setText(names[j], words[j]);
      setText(numbers[j], formatWeight(weights[j]));
    });
    // Outside of the disc, above or below it; nothing that moves pushes them away.
    const choices = places.map(([x, y], j) => {
      const width = Math.max(lengthOf(names[j]), 36) + 4;
      const [aside, down] = [points[j][0] < 0 ? -1 : 1, points[j][1] > 0 ? -46 : 18];
      return [[34 * aside, down], [-34 * aside, down], [0, down], [34 * aside, -28 - down], [52 * aside, -14]].map(([across, below]) => ({
        x: Math.min(Math.max(2, x + across - width / 2), made.width - width - 2), y: y + below, width, height: HIGH,
      }));
    });
    const boxes = placeLabels(choices, []);
    boxes.forEach(({ x, y, width }, j) => {
      setAttributes(names[j], { x: px(x + width / 2), y: px(y + 14) });
      setAttributes(numbers[j], { x: px(x + width / 2), y: px(y + 32) });
    });
    return boxes;
  }

  /** The letter of the query, beyond its tip where no word is. */
  function paintLetter([x, y], [c, s], taken) {
    const sides = [[c, s], [-s, c], [s, -c], [-c, -s]];
    const choices = sides.map(([u, v]) => ({ x: Math.max(4, Math.min(x + 31 * u, made.width - 12) - 8), y: y + 31 * v - 8, width: 16, height: 16 }));
    const [box] = placeLabels([choices], [], taken);
    setAttributes(letter, { x: px(box.x + 8), y: px(box.y + 13) });
  }

  return {
    paint(view, state) {
      const { weights, output, keys } = view.parts;
      spoken = fill(sentences.spoken, view.slots);
      figure.classList.toggle("attn-many-keys", view.parts.scores.digits === 1);
      for (const cells of columns) cells.forEach((cell, j) => hide(cell, j >= keys.points.length));
      if (!made.width) return;
      // What is in hand stays under it: the lens waits until it is let go.
      if (!stage.querySelector(".attn-held")) lens = isNear([state.x, state.y], keys.points) ? NEAR : FAR;
      paintBack(!state.own);
      const { X, Y } = plane;
      const [[ox, oy], [qx, qy]] = [output.rows[0], output.query].map(([x, y]) => [X(x), Y(y)]);
      const words = paintWords(keys, weights.rows[0], [ox, oy]);
      setAttributes(shaft, { points: arrow([X(0), Y(0)], [qx, qy], 4, 0) });
      const long = Math.hypot(state.x, state.y);
      paintLetter([qx, qy], long ? [state.x / long, -state.y / long] : [1, 0], words);
      setAttributes(mark, { transform: `translate(${px(ox)} ${px(oy)})` });
      // Beside the diamond, away from the query, and where no direction has its name.
      const width = lengthOf(name);
      const [aside, below] = [(width / 2 + 18) * (qx >= ox ? -1 : 1), qy < oy ? 14 : -2];
      const sides = [[aside, below], [aside, -24], [-aside, below]];
      const choices = sides.map(([u, v]) => ({ x: ox + u - width / 2, y: oy + v - 12, width, height: LINE }));
      const [box] = placeLabels([choices], [], rooms);
      setAttributes(name, { x: px(box.x + width / 2), y: px(box.y + 12) });
      putBets(bet.places.map(([x, y]) => [X(x), Y(y)]));
    },
    grabs: [
      (host) => {
        if (figure.closest(".attn-opening")) travelOnce(figure, host, declaration);
        return hand(stage, "q", {
          keys: ["x", "y"],
          at: ({ x, y }) => [plane.X(x), plane.Y(y)],
          // Not out of what is seen.
          settings: (x, y) => {
            const [u, v] = [plane.atX(x), plane.atY(y)];
            return { x: Math.max(-lens.left, u), y: Math.min(lens.high, Math.max(-lens.high, v)) };
          },
          spoken: () => spoken,
        })(host);
      },
    ],
  };
}

function isNear([x, y], points) {
  return x >= -NEAR.left && Math.abs(y) < NEAR.high && points.every(([u, v]) => u > -NEAR.left && Math.abs(v) < 1.5);
}

/** Pixels of a place, and back. */
function planeOf({ width, height }, { left, right, high }) {
  const unit = Math.min((width - 2 * PAD) / (left + right), (height - 8) / (2 * high));
  // What a wide picture has to spare stays on the right, for the bets.
  const middle = left * unit + PAD;
  return {
    X: (/** @type {number} */ x) => middle + unit * x,
    Y: (/** @type {number} */ y) => height / 2 - unit * y,
    atX: (/** @type {number} */ pixels) => (pixels - middle) / unit,
    atY: (/** @type {number} */ pixels) => (height / 2 - pixels) / unit,
  };
}

/** Show the nodes of the keys that there are. */
function showFirst(count, ...lists) {
  for (const nodes of lists) nodes.forEach((node, j) => reveal(node, j < count));
}

/** The corners of the outline around some points, in order. */
function hull(points) {
  const sorted = points.toSorted(([x, y], [u, v]) => x - u || y - v);
  const side = (all) => {
    const edge = [];
    for (const [x, y] of all) {
      const turns = (/** @type {number[]} */ [ax, ay], /** @type {number[]} */ [bx, by]) => (bx - ax) * (y - ay) - (by - ay) * (x - ax) <= 0;
      while (edge.length > 1 && turns(edge.at(-2), edge.at(-1))) edge.pop();
      edge.push([x, y]);
    }
    return edge;
  };
  return [...side(sorted), ...side(sorted.toReversed())];
}
