// Figure `lookup`: six names over the axis of their desks, each with a string to the output, as thick as its weight. The query
// is typed above them, or pulled along them; it hangs over the middle of the names that are nearest to it.

import { hand } from "../../front/grab.js";
import { fill, formatNumber, formatOutput } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { draw, px, reveal, setAttributes, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";
import { paintBars } from "./bars.js";
import { compute } from "./compute.js";

// Pixels across and upwards in which a finger finds a name.
const TARGET = 44;
// What is less reads 0.00, and pulls by no string.
const SEEN = 0.005;

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words: { sentences }, repaint }) {
  const { data: { keys, desks }, data, bet } = declaration;
  const last = keys.length - 1;
  const records = figure.querySelector(".attn-body [data-view=bars]");
  const spellings = [...records.querySelectorAll(".attn-letters")];
  const made = picture(figure, () => {
    plan = planOf(made, last);
    paintBack();
    repaint();
  });
  let plan = planOf(made, last);
  const { svg, back, stage } = made;
  const asks = draw(svg, "g", { class: "attn-hue-query" });
  const threads = draw(asks, "path", { class: "attn-hue-line" });
  const strings = keys.map(() => draw(svg, "path", { class: "attn-string attn-lookup-string" }));
  const places = keys.map(() => {
    const place = draw(svg, "g", { class: "attn-hue-key attn-lookup-key" });
    draw(place, "rect", { x: -TARGET / 2, y: -TARGET + 12, width: TARGET, height: TARGET });
    return { place, name: label(place, "word", "", "attn-middle"), far: label(svg, "soft", "", "attn-middle"), disc: draw(svg, "circle", { class: "attn-tint attn-dot attn-hue-key" }) };
  });
  const putBets = bets(made, "diamond");
  const front = draw(svg, "g", { class: "attn-hue-value" });
  const mark = draw(front, "path", { class: "attn-hue-fill attn-output-mark", d: "M0 -13L13 0L0 13L-13 0Z", "data-answer": "" });
  const number = label(front, "word", "", "attn-middle attn-lookup-number");
  const placeOf = (/** @type {number} */ desk) => ((desk - desks[0]) / (desks[last] - desks[0])) * last;
  let [spelt, spoken] = ["", ""];
  let drawn = null;
  let left = { from: null, look: null };

  function paintBack() {
    const { X, axis } = plan;
    back.replaceChildren();
    draw(back, "path", { class: "attn-axis-line", d: `M${px(X(0) - 24)} ${px(axis)}H${px(X(last) + 24)}${desks.map((_, j) => `M${px(X(j))} ${px(axis)}v6`).join("")}` });
    desks.forEach((desk, j) => {
      const name = label(back, "soft", j ? String(desk) : fill(sentences.at_desk, { desk }), "attn-middle");
      setAttributes(name, { x: px(X(j)), y: px(axis + 30) });
    });
    places.forEach(({ place, far, disc }, j) => {
      setAttributes(place, { transform: `translate(${px(X(j))} ${px(plan.name)})` });
      setAttributes(far, { x: px(X(j)), y: px(plan.name + 20) });
      setAttributes(disc, { cx: px(X(j)), cy: px(plan.disc) });
    });
  }

  /** Every name by its letters: those that are kept, and those that are new; what is to go is counted below it. */
  function spell(letters) {
    const now = JSON.stringify(letters);
    if (now === spelt) return;
    spelt = now;
    spellings.forEach((node, j) => node.replaceChildren(...letters[j].map(letterOf)));
    places.forEach(({ name }, j) => {
      name.replaceChildren();
      // Neighbours of one fate are one text, and so is a name whose distance was not counted in letters.
      const stays = letters[j].filter(([, fate]) => fate !== "gone");
      for (const [letter, fate] of stays.length ? stays : [[keys[j], "kept"]]) {
        if (name.lastChild?.dataset.fate === fate) name.lastChild.append(letter);
        else draw(name, "tspan", { "data-fate": fate }, letter);
      }
    });
  }

  /** What is drawn in a state, or on the way from another. */
  function lookNow(view, { way, q, how }) {
    const now = lookOf(view);
    if (!way || (way.from.q === q && way.from.how === how)) return now;
    if (left.from !== way.from) left = { from: way.from, look: lookOf(compute(way.from, data)) };
    const mixed = (/** @type {number} */ was, /** @type {number} */ is) => was + (is - was) * way.share;
    const { weights, desk, at } = left.look;
    const found = desk !== null && now.desk !== null;
    return { ...now, at: mixed(at, now.at), weights: found ? now.weights.map((weight, j) => mixed(weights[j], weight)) : now.weights, desk: found ? mixed(desk, now.desk) : now.desk };
  }

  return {
    paint(view, state) {
      paintBars(records, view.parts.records, state.how === "exact" ? null : 2);
      spell(view.parts.letters);
      spoken = fill(sentences.spoken, view.slots);
      drawn = lookNow(view, state);
      if (!made.width) return;
      const { X, name, disc, axis, query, hand: lane } = plan;
      const { weights, desk, near, far, at } = drawn;
      const found = desk !== null;
      const x = X(found ? placeOf(desk) : last / 2);
      setAttributes(threads, { d: `M${px(made.width / 2)} ${px(query)}L${px(X(at))} ${px(lane)}${near.map((j) => `M${px(X(at))} ${px(lane)}L${px(X(j))} ${px(name - 20)}`).join("")}` });
      weights.forEach((weight, j) => {
        setText(places[j].far, j ? formatNumber(far[j], 0) : fill(sentences.away, { d: formatNumber(far[j], 0) }));
        setAttributes(places[j].disc, { r: px(7 + 8 * Math.sqrt(weight)) });
        tint(places[j].disc, weight);
        setAttributes(strings[j], { d: `M${px(X(j))} ${px(disc)}L${px(x)} ${px(axis)}` });
        strings[j].style.strokeWidth = `${(1.5 + 20 * weight).toFixed(1)}px`;
        reveal(strings[j], found && weight >= SEEN);
      });
      reveal(mark, found);
      setAttributes(mark, { transform: `translate(${px(x)} ${px(axis)})` });
      const isBetween = found && !desks.map(formatOutput).includes(formatOutput(desk));
      mark.classList.toggle("attn-hollow", isBetween);
      setText(number, isBetween ? formatOutput(desk) : fill(sentences[found ? "at_desk" : "no_desk"], { desk: formatOutput(desk) }));
      setAttributes(number, { x: px(Math.max(plan.room, Math.min(made.width - plan.room, x))), y: px(axis + 56) });
      putBets(bet.places.map(([desk]) => [X(placeOf(desk)), axis]));
    },
    grabs: [
      (host) => {
        /** @type {HTMLElement} */
        const knob = stage.querySelector(".attn-hand");
        // In the field the arrows go through the names as well.
        stage.querySelector("input")?.addEventListener("keydown", (event) => {
          const key = { ArrowUp: "ArrowLeft", ArrowDown: "ArrowRight" }[event.key];
          if (!key || event.isComposing) return;
          event.preventDefault();
          knob.dispatchEvent(new KeyboardEvent("keydown", { key }));
        });
        const nameAt = (/** @type {number} */ place) => ({ q: keys[Math.max(0, Math.min(last, place))] });
        return hand(stage, "q", {
          keys: ["q"],
          value: () => drawn.at,
          at: () => [plan.X(drawn.at), plan.hand],
          settings: (x) => nameAt(Math.round(plan.atX(x))),
          step(across, upwards) {
            const steps = across || upwards;
            // Between two names the next one lies on either side.
            return nameAt((steps > 0 ? Math.floor(drawn.at) : Math.ceil(drawn.at)) + steps);
          },
          spoken: () => spoken,
        })(host);
      },
    ],
    presses: places.map(({ place }, j) => [place, { q: keys[j] }]),
  };
}

/** What is drawn of a view: weights, the output, distances, which names are nearest and the place amid them. */
function lookOf({ parts }) {
  const far = parts.records.rows.map(([distance]) => distance);
  const near = far.flatMap((distance, j) => (distance === Math.min(...far) ? [j] : []));
  return { weights: parts.weights.rows[0], desk: parts.output.rows[0][0], far, near, at: near.reduce((sum, j) => sum + j, 0) / near.length };
}

/** Where everything lies, in pixels. @param {import("../../front/picture.js").Picture} picture @param {number} last */
function planOf({ width, height, narrow }, last) {
  const side = narrow ? 38 : 66;
  const long = Math.max(1, width - 2 * side);
  const name = narrow ? 128 : 148;
  return {
    query: 50,
    hand: narrow ? 80 : 90,
    name,
    disc: name + (narrow ? 38 : 42),
    axis: height - (narrow ? 70 : 92),
    room: narrow ? 44 : 60,
    X: (/** @type {number} */ place) => side + (long * place) / last,
    atX: (/** @type {number} */ pixels) => (last * (pixels - side)) / long,
  };
}

/** A letter of the way from a query to a key, looking like what becomes of it. */
function letterOf(/** @type {[string, string]} */ [letter, fate]) {
  const node = document.createElement("span");
  node.dataset.fate = fate;
  node.append(letter);
  return node;
}
