// Figure `writer`: the letters that are read and written, arcs from the query to what the chosen head looks at there, the
// weights of all heads as small strips, and below them the cache. The hand stands under the last letter: drawn to the right
// it lets the model write on. Letters, heads and their switches are pressed.

import { isUnanswered } from "../../front/bet.js";
import { hand } from "../../front/grab.js";
import { fill } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { draw, px, reveal, setAttributes, several, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";

const HEADS = 4;
const LAYERS = 2;
// A weight that is less pulls by no arc, and gives its letter no colour.
const SEEN = 0.05;
// Pixels from letter to letter, where some are as wide as high, and on a phone; so many letters find room that may be written.
const [PITCH, PITCH_OF_SQUARES, PITCH_ON_PHONE] = [15.6, 19, 14.3];
const SQUARE = /[\u2e80-\u312f\u3190-\ud7a3]/;
const AHEAD = 16;
const END = "▪";
// So far below a line stands the hand, from its middle.
const BELOW = 22;

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words: { sentences }, repaint }) {
  const { data: { candidates, typed, names: offered }, bet } = declaration;
  const names = declaration.controls.find(({ key }) => key === "head").options.slice(1);
  const most = declaration.controls.find(({ key }) => key === "w").max;
  const made = picture(figure, repaint);
  const { svg, stage } = made;
  let plan = planOf(made, { letters: [], start: 0 });
  let [now, set, spoken, pressed] = [null, null, "", 0];

  const bands = draw(svg, "path", { class: "attn-writer-band" });
  const tape = draw(svg, "g", { class: "attn-writer-tape" });
  const seen = draw(tape, "g");
  const blank = draw(tape, "rect", { class: "attn-writer-blank", rx: 3 });
  const ring = draw(tape, "rect", { class: "attn-writer-query", rx: 3 });
  const given = draw(svg, "path", { class: "attn-writer-given" });
  const arcs = draw(svg, "g", { class: "attn-writer-arcs" });
  const lines = draw(svg, "g", { class: "attn-writer-lines" });
  // Letters are pressed where they stand, also between them.
  const touch = draw(svg, "rect", { class: "attn-writer-touch" });
  touch.addEventListener("click", ({ clientX, clientY }) => {
    const box = svg.getBoundingClientRect();
    const scale = made.width / box.width || 1;
    pressed = plan.placeAt((clientX - box.left) * scale, (clientY - box.top) * scale);
  });
  const layers = several(LAYERS, () => label(svg, "soft", "", "attn-writer-layer"));
  const cards = names.map((name) => cardOf(svg, name.replace(".", "·")));
  const cached = label(svg, "soft");
  const kinds = /** @type {const} */ (["keys", "values"]).map((kind) => ({
    marks: draw(svg, "path", { class: `attn-writer-${kind}` }),
    name: label(svg, "soft", sentences[kind], `attn-writer-${kind}-name attn-end`),
  }));
  const rings = candidates.map(() => draw(svg, "circle", { class: "attn-writer-fits", r: 17 }));
  const options = offered.map((/** @type {string} */ name) => label(svg, "word", name));
  const putBets = bets(made, "disc");

  function paintText({ letters, start, query, given: chances }) {
    const { pitch, tall, X, Y, lines: count } = plan;
    const rows = Array.from({ length: count }, (_, n) => letters.slice(n * plan.columns, (n + 1) * plan.columns));
    setAttributes(bands, { d: rows.map((row, n) => (row.length ? `M${px(plan.left)} ${px(Y(n * plan.columns))}h${px(pitch * row.length)}v${px(tall)}h${px(-pitch * row.length)}z` : "")).join("") });
    lines.classList.toggle("attn-writer-small", pitch < 13);
    // A line is two texts, for what was read and what was written, with a place for each letter.
    grow(lines, 2 * count, () => draw(lines, "text"));
    [...lines.children].forEach((text, at) => {
      const n = at >> 1;
      const isWritten = at % 2 === 1;
      const first = n * plan.columns;
      const places = (rows[n] ?? []).map((_, i) => first + i).filter((place) => place >= start === isWritten);
      setText(text, places.map((place) => letters[place]).join(""));
      // Of a letter of two units, the second has a place as well.
      const across = places.flatMap((place) => Array(letters[place].length).fill(px(X(place))));
      setAttributes(text, { class: `attn-writer-line${isWritten ? " attn-writer-written" : ""}`, x: across.join(" "), y: px(Y(first) + tall / 2) });
    });
    const isOver = letters.length > start && letters.at(-1) === END;
    reveal(blank, !isOver);
    putCell(blank, letters.length);
    reveal(ring, query !== null);
    if (query !== null) putCell(ring, query);
    setAttributes(given, { d: chances.map((chance, i) => `M${px(X(i + 1) - pitch / 2 + 2)} ${px(Y(i + 1) + tall + 1)}h${px((pitch - 4) * chance)}v2.5h${px((4 - pitch) * chance)}z`).join("") });
    setAttributes(touch, { x: px(plan.left), y: px(plan.top), width: px(pitch * plan.columns), height: px(Y(letters.length - 1) + tall - plan.top) });
  }

  function putCell(rect, place) {
    const { pitch, tall, X, Y } = plan;
    setAttributes(rect, { x: px(X(place) - pitch / 2 + 0.5), y: px(Y(place)), width: px(pitch - 1), height: px(tall) });
  }

  /** The arcs of the chosen head, and the letters that it looks at. */
  function paintLooks(row, query) {
    const looks = row.flatMap((/** @type {number} */ weight, /** @type {number} */ j) => (weight >= SEEN ? [j] : []));
    grow(seen, looks.length, () => draw(seen, "rect", { class: "attn-writer-seen" }));
    grow(arcs, looks.length, () => draw(arcs, "path"));
    [...seen.children].forEach((rect, n) => {
      reveal(rect, n < looks.length);
      if (n >= looks.length) return;
      putCell(rect, looks[n]);
      tint(rect, row[looks[n]]);
    });
    [...arcs.children].forEach((arc, n) => {
      reveal(arc, n < looks.length);
      if (n < looks.length) setAttributes(arc, { d: plan.arc(query, looks[n]), "stroke-width": px(1 + 8 * row[looks[n]]) });
    });
  }

  function paintCards({ weights, heads: { head, on } }, slots) {
    const { card } = plan;
    layers.forEach((text, l) => {
      reveal(text, !made.narrow && l * HEADS < on.length);
      setText(text, fill(sentences.layer, { n: String(l + 1) }));
      setAttributes(text, { x: px(plan.left), y: px(card.Y(l) + card.height / 2 + 4) });
    });
    cards.forEach(({ group, box, name, job, strip, toggle, knob, hit }, one) => {
      reveal(group, one < on.length);
      if (one >= on.length) return;
      const [x, y] = [card.X(one % HEADS), card.Y(Math.floor(one / HEADS))];
      const row = weights.rows[one] ?? [];
      setAttributes(group, { transform: `translate(${px(x)} ${px(y)})`, class: `attn-writer-head${one === head ? " attn-writer-chosen" : ""}${on[one] ? "" : " attn-writer-off"}` });
      setAttributes(box, { width: px(card.width), height: px(card.height) });
      setAttributes(name, { x: 7, y: 16 });
      // What a head does would give the answer away, and is not yet to be seen.
      setText(job, weights.rows.length ? slots[`job_${one}`] : "");
      setAttributes(job, made.narrow ? { x: 7, y: 29 } : { x: 34, y: 16 });
      const wide = (card.width - 14) / Math.max(1, row.length);
      const [floor, tallest] = [card.height - 5, made.narrow ? 10 : 14];
      const bars = row.map((weight, j) => (weight < 0.01 ? "" : `M${px(7 + j * wide)} ${floor}v${px(-tallest * weight)}h${px(Math.max(1, wide - 0.4))}v${px(tallest * weight)}z`));
      setAttributes(strip, { d: `${bars.join("")}M7 ${floor}h${px(card.width - 14)}v0.8h${px(14 - card.width)}z` });
      setAttributes(toggle, { x: px(card.width - 29), y: 5 });
      setAttributes(knob, { cx: px(card.width - (on[one] ? 11 : 23)), cy: 11 });
      setAttributes(hit, { x: px(card.width - 36), y: 0, width: 36, height: px(card.height) });
    });
  }

  function paintCache({ cache }, slots) {
    const { left, room, cache: { y, tall } } = plan;
    setText(cached, cache.letters ? fill(sentences[made.narrow ? "cache_short" : "cache"], slots) : sentences.cache_empty);
    setAttributes(cached, { x: px(left), y: px(y - 7) });
    const count = cache.letters;
    const wide = Math.min(8, room / Math.max(1, count));
    kinds.forEach(({ marks, name }, kind) => {
      let d = "";
      for (let layer = 0; layer < cache.layers; layer += 1) {
        const top = y + (2 * layer + kind) * tall;
        for (let place = 0; place < count; place += 1) d += `M${px(left + place * wide)} ${px(top)}h${px(0.85 * wide)}v${px(tall - 1)}h${px(-0.85 * wide)}z`;
      }
      setAttributes(marks, { d });
      reveal(name, count > 0);
      setAttributes(name, { x: px(left + room - (kind ? 0 : plan.cache.apart)), y: px(y - 7) });
    });
  }

  /** Which names still fit what is written. */
  function paintList({ letters, start }) {
    const isAsked = isUnanswered(figure) || figure.dataset.phase === "answered";
    const written = letters.slice(start - typed);
    candidates.forEach((name, n) => {
      const fits = written.length > 1 && name.concat("!").slice(0, written.length).every((letter, i) => letter === written[i]);
      const [x, y] = plan.list(n);
      reveal(rings[n], isAsked && fits);
      setAttributes(rings[n], { cx: px(x), cy: px(y) });
      if (fits) setAttributes(rings[n], { "data-answer": "" });
      else rings[n].removeAttribute("data-answer");
      reveal(options[n], isAsked && (made.narrow || figure.dataset.phase !== "ask"));
      setAttributes(options[n], { x: px(x + 22), y: px(y + 5), class: `attn-label attn-word${fits || written.length < 2 ? "" : " attn-writer-out"}` });
    });
    putBets(bet.places.map(([line]) => plan.list(line)));
  }

  /** What stands where a head is pressed that is on or off. */
  const toggled = (/** @type {number} */ one) => {
    const { on, copier } = now.parts.heads;
    const rest = set.off.filter((/** @type {number} */ given) => given - 1 !== one && !(given === 0 && copier === one));
    return { off: on[one] ? [...rest, one + 1].sort((a, b) => a - b) : rest };
  };
  const written = () => now.parts.text.letters.length - now.parts.text.start;
  const towards = (/** @type {number} */ count) => ({ w: Math.min(most, Math.max(0, count)), at: 0 });

  return {
    paint(view, state) {
      [now, set] = [view, state];
      const { text, heads: { head }, weights } = view.parts;
      spoken = fill(sentences[weights.rows.length ? "spoken" : "begin"], view.slots);
      if (!made.width) return;
      plan = planOf(made, text);
      paintText(text);
      paintLooks(weights.rows[head] ?? [], text.query);
      paintCards(view.parts, view.slots);
      paintCache(view.parts, view.slots);
      paintList(text);
    },
    grabs: [
      hand(stage, "w", {
        keys: ["w"],
        at: () => plan.hand(now.parts.text),
        settings: (x, y) => towards(plan.handAt(x, y) - now.parts.text.start + 1),
        // A text that has ended is as long as it is.
        step: (across, upwards) => towards(written() + (across || upwards)),
        value: () => written(),
        spoken: () => spoken,
      }),
    ],
    presses: /** @type {import("../../front/live.js").Press[]} */ ([
      [touch, () => (pressed < now.parts.text.letters.length ? { at: pressed === set.at ? 0 : pressed } : {})],
      ...cards.map(({ box }, one) => [box, () => ({ head: names[one] })]),
      ...cards.map(({ hit }, one) => [hit, () => toggled(one)]),
    ]),
  };
}

/** Let a group have so many children at least. */
function grow(group, count, make) {
  while (group.children.length < count) make();
}

/** A head: its name, what it does, a bar for each of its weights, a switch. */
function cardOf(svg, name) {
  const group = draw(svg, "g");
  return {
    group,
    box: draw(group, "rect", { class: "attn-writer-box", rx: 6 }),
    name: draw(group, "text", { class: "attn-writer-name" }, name),
    job: draw(group, "text", { class: "attn-writer-job" }),
    strip: draw(group, "path", { class: "attn-writer-strip" }),
    toggle: draw(group, "rect", { class: "attn-writer-switch", width: 24, height: 12, rx: 6 }),
    knob: draw(group, "circle", { class: "attn-writer-knob", r: 4 }),
    hit: draw(group, "rect", { class: "attn-writer-hit" }),
  };
}

/**
 * Where everything lies, in pixels.
 * @param {import("../../front/picture.js").Picture} picture @param {{ letters: string[], start: number }} text
 */
function planOf({ width, height, narrow }, { letters, start }) {
  const left = narrow ? 8 : 12;
  const room = Math.max(1, width - 2 * left);
  const [top, end, lowest] = narrow ? [30, 124, 5] : [56, 146, 4];
  const need = Math.max(start + AHEAD, letters.length + 1);
  const usual = letters.some((letter) => SQUARE.test(letter)) ? PITCH_OF_SQUARES : narrow ? PITCH_ON_PHONE : PITCH;
  const columns = Math.max(1, Math.floor(room / usual), Math.ceil(need / lowest));
  const pitch = room / columns;
  const count = Math.ceil(need / columns);
  const step = count > 1 ? Math.min(narrow ? 46 : 78, (end + (narrow ? 0 : 30) - top - 14) / (count - 1)) : 0;
  const tall = Math.min(narrow ? 26 : 28, count > 1 ? step - 3 : 28);
  const X = (/** @type {number} */ place) => left + pitch * ((place % columns) + 0.5);
  const Y = (/** @type {number} */ place) => top + step * Math.floor(place / columns);
  const layer = narrow ? 0 : 62;
  const gap = narrow ? 5 : 8;
  const card = { width: (room - layer - (HEADS - 1) * gap) / HEADS, height: narrow ? 46 : 40 };
  const cards = narrow ? 181 : 268;
  const cacheTall = narrow ? 5 : 6;
  const cell = (/** @type {number} */ x, /** @type {number} */ line) => {
    const within = Math.min(count - 1, Math.max(0, line));
    return within * columns + Math.min(columns, Math.max(0, Math.floor((x - left) / pitch)));
  };
  return {
    left, room, top, pitch, tall, columns, lines: count, X, Y,
    placeAt: (/** @type {number} */ x, /** @type {number} */ y) => cell(x, step ? Math.floor((y - top) / step) : 0),
    hand: ({ letters: { length } }) => [X(length - 1), Y(length - 1) + tall + BELOW],
    handAt: (/** @type {number} */ x, /** @type {number} */ y) => cell(x, step ? Math.round((y - top - tall - BELOW) / step) : 0),
    /** From a letter to one that it looks at: over the line, or up to a line above. */
    arc(/** @type {number} */ from, /** @type {number} */ to) {
      const [[x, y], [u, v]] = [from, to].map((place) => [X(place), Y(place)]);
      if (y !== v) {
        const bottom = v + tall;
        return `M${px(x)} ${px(y)}C${px(x)} ${px((y + bottom) / 2)} ${px(u)} ${px((y + bottom) / 2)} ${px(u)} ${px(bottom)}`;
      }
      const above = y === top ? top - 6 : step - tall;
      const high = (4 / 3) * Math.min(Math.max(above - 4, 6), 12 + 0.3 * Math.abs(x - u));
      const apart = from === to ? 5 : 0;
      return `M${px(x + apart)} ${px(y)}C${px(x + 2 * apart)} ${px(y - high)} ${px(u - 2 * apart)} ${px(y - high)} ${px(u - apart)} ${px(y)}`;
    },
    card: {
      ...card,
      X: (/** @type {number} */ n) => left + layer + n * (card.width + gap),
      Y: (/** @type {number} */ l) => cards + l * (card.height + 6),
    },
    cache: { y: height - 4 * cacheTall - 4, tall: cacheTall, apart: narrow ? 62 : 74 },
    list(/** @type {number} */ n) {
      if (narrow) return [left + 17 + (n * room) / 3, 161];
      return [Math.min(X(start) + 30, width - 200), 154 + 44 * n];
    },
  };
}
