// Figure `lookup`, to see and to press: a name asks for itself. Below, the desks on a line; each pulls the output by a
// string as thick as its weight.

import { chart } from "../../front/chart.js";
import { fill } from "../../front/numbers.js";
import { draw, lengthOf, setAttributes, px, reveal, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { paintBars } from "./bars.js";

// Pixels across and upwards in which a finger finds a desk, and from the middle of the output's mark to its number.
const TARGET = 44;
const BESIDE = 8;
// What is less reads 0.00, and pulls by no string.
const SEEN = 0.005;
// How the output's number is written where the summary ends with a sentence.
const LABELS = { missing: "no_desk", between: "beside_desks", others_desk: "at_others_desk", desk: "at_desk" };

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, repaint }) {
  const { keys, desks } = declaration.data;
  const { sentences } = declaration.words;
  const records = figure.querySelector(".attn-body [data-view=bars]");
  const spellings = [...records.querySelectorAll(".attn-letters")];
  let spelt = "";
  const names = [...records.querySelectorAll("tbody .attn-row")].map(buttonOf);
  const plot = chart(figure.querySelector(".attn-body .attn-stage"), {
    x: [desks[0] - 6, desks[desks.length - 1] + 6],
    y: [0, 1],
    pad: { left: 4, right: 4, top: 24, bottom: 44 },
    resized({ back, X, Y, left, right, bottom }) {
      back.replaceChildren();
      draw(back, "path", { class: "attn-hairline", d: `M${px(left)} ${px(Y(1))}H${px(right)}` });
      draw(back, "path", { class: "attn-axis-line", d: `M${px(left)} ${px(bottom)}H${px(right)}` });
      desks.forEach((desk, j) => {
        draw(back, "path", { class: "attn-axis-line", d: `M${px(X(desk))} ${px(bottom)}v4` });
        draw(back, "text", { class: "attn-middle", x: px(X(desk)), y: px(bottom + 39) }, String(desk));
        setAttributes(places[j], { transform: `translate(${px(X(desk))} ${px(Y(1))})` });
      });
      repaint();
    },
  });
  const hue = draw(plot.svg, "g", { class: "attn-hue-value" });
  const strings = desks.map(() => draw(hue, "path", { class: "attn-hue-line attn-string" }));
  const places = keys.map((key) => {
    const place = draw(hue, "g", { class: "attn-desk" });
    draw(place, "rect", { x: -TARGET / 2, y: -TARGET / 2 - 4, width: TARGET, height: TARGET });
    draw(place, "text", { class: "attn-middle", y: -12 }, key);
    draw(place, "circle", { class: "attn-tint attn-dot", r: 7 });
    return place;
  });
  const output = draw(hue, "path", { class: "attn-hue-fill attn-output-mark", d: "M0 -9L9 0L0 9L-9 0Z" });
  const number = draw(hue, "text", { class: "attn-tag attn-desk-number" });

  return {
    paint(view, { q, how }) {
      paintBars(records, view.parts.records, how === "exact" ? null : 2);
      // A name changes seldom, and then in all its letters.
      const { letters } = view.parts;
      const now = JSON.stringify(letters);
      if (now !== spelt) spellings.forEach((node, j) => node.replaceChildren(...letters[j].map(letterOf)));
      spelt = now;
      const asked = keys.map((key) => q.toLowerCase() === key.toLowerCase());
      names.forEach((name, j) => name.setAttribute("aria-pressed", String(asked[j])));
      places.forEach((place, j) => place.classList.toggle("attn-asked-for", asked[j]));
      if (!plot.width) return;
      const { X, Y, left, right, bottom } = plot;
      const [weights] = view.parts.weights.rows;
      const [desk] = view.parts.output.rows[0];
      const found = desk !== null;
      desks.forEach((place, j) => {
        tint(places[j].lastChild, weights[j] ?? 0);
        if (found) setAttributes(strings[j], { d: `M${px(X(place))} ${px(Y(1))}L${px(X(desk))} ${px(Y(0))}` });
        strings[j].style.strokeWidth = `${(1 + 10 * weights[j]).toFixed(2)}px`;
        reveal(strings[j], found && weights[j] >= SEEN);
      });
      reveal(output, found);
      if (found) setAttributes(output, { transform: `translate(${px(X(desk))} ${px(Y(0))})` });
      // The number stands on the side that has room; that there is none stands in the middle.
      const said = view.summary.at(-1);
      output.classList.toggle("attn-hollow", said === "between");
      setText(number, fill(sentences[LABELS[said]], view.slots));
      const middle = (left + right) / 2;
      const length = lengthOf(number);
      const beside = X(desk) > middle ? X(desk) - BESIDE - length : X(desk) + BESIDE;
      // Below the mark it may reach to its other side, but not out of the drawing.
      const inside = Math.max(left, Math.min(right - length, beside));
      setAttributes(number, { x: px(found ? inside : middle - length / 2), y: px(bottom + 21) });
    },
    presses: [...names, ...places].map((pressed, i) => [pressed, { q: keys[i % keys.length] }]),
  };
}

/** A letter of the way from a query to a key, looking like what becomes of it. */
function letterOf(/** @type {[string, string]} */ [letter, fate]) {
  const node = document.createElement("span");
  node.dataset.fate = fate;
  node.append(letter);
  return node;
}

/** Put a button around what a header says. */
function buttonOf(/** @type {HTMLElement} */ header) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...header.childNodes);
  header.append(button);
  return button;
}
