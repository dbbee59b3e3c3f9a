// Figure `heads`: the weights of each head as a map, one frame around the same row of all, and below each map this row as bars.
// A head sees its own features only: dots say what each key has of them, and the query. In the fold the tables behind it.

import { isUnanswered } from "../../front/bet.js";
import { hand } from "../../front/grab.js";
import { fill, formatNumber, formatWeight } from "../../front/numbers.js";
import { bets, label, pattern, picture } from "../../front/picture.js";
import { draw, lengthOf, px, reveal, setAttributes, several, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";

const COUNTS = { 1: "one", 2: "two", 4: "four" };
const WORDS = 4;
const DOT = 12; // pixels from one dot to the next

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const { data, bet } = declaration;
  const { sentences, frame } = words;
  const made = picture(figure, repaint);
  const { svg, stage } = made;
  const [hatch, masked] = pattern(figure, svg, "masked", { width: 7, height: 7, patternTransform: "rotate(45)" });
  draw(hatch, "path", { class: "attn-heads-hatch", d: "M1 0V7" });
  const asking = label(svg, "word", "", "attn-heads-asking");
  const asks = label(svg, "soft", sentences.asks);
  const key = label(svg, "soft", "", "attn-heads-small");
  const rows = data.words.map((word) => label(svg, "word", word));
  const heads = several(WORDS, () => headOf(svg, data.words));
  // Dots of each feature, of the keys above the columns and of the queries before the rows: full for those that have it.
  const dotOf = (/** @type {string} */ role, /** @type {number} */ has) =>
    draw(svg, "circle", { class: `attn-heads-dot attn-hue-${role}${has ? " attn-heads-has" : ""}`, r: 4 });
  const dots = data.names.map((_, f) => ["key", "query"].map((role) => data.features.map((has) => dotOf(role, has[f]))));
  const ring = ["attn-heads-halo", "attn-heads-frame"].map((look) => draw(svg, "rect", { class: look, rx: 7 }));
  const putBets = bets(made, "disc", { aside: true });
  // Each ghost has the outline of its row, which keeps off the letter.
  const outlines = [...svg.querySelectorAll(".attn-bet-ghost")].map((ghost) => {
    const outline = draw(ghost, "path", { class: "attn-heads-outline" });
    ghost.append(ghost.firstElementChild.cloneNode(), ghost.querySelector("text"));
    return outline;
  });
  // A bet lies on the weight that the word gives itself, of which the first has all.
  const own = bet.places[0].indexOf(1);
  heads[0].caps[own].dataset.answer = "";
  heads[0].group.classList.add("attn-heads-bet-on");
  let plan = planOf(made, WORDS, [...rows, key], heads[0].names);
  let at = 0; // the row of the frame, on the way between two
  let spoken = "";

  /** The features of one head, and whether a word has any of them. */
  const share = (/** @type {number} */ n) => {
    const size = WORDS / plan.count;
    const mine = data.names.map((_, f) => f).slice(n * size, (n + 1) * size);
    return { mine, has: (/** @type {number} */ i) => mine.some((f) => data.features[i][f]) };
  };
  // What a query of 0 gives is asked.
  const isKept = (/** @type {number} */ n, /** @type {number} */ i) => isUnanswered(figure) && !share(n).has(i);

  function paintMap(n, part) {
    const { X, Y, cell, tall, gap } = plan;
    const { mine } = share(n);
    setText(heads[n].title, mine.map((f) => data.names[f]).join(data.pair.list));
    setAttributes(heads[n].title, { x: px(X(n, 2)), y: px(plan.titles) });
    // Pressed together where it would reach the next one.
    const room = WORDS * cell + gap - 8;
    heads[n].title.removeAttribute("textLength"); // of another name, which would be measured
    if (lengthOf(heads[n].title) > room) setAttributes(heads[n].title, { textLength: px(room), lengthAdjust: "spacingAndGlyphs" });
    heads[n].cells.forEach((row, i) => row.forEach((one, j) => {
      setAttributes(one, { x: px(X(n, j) + 0.5), y: px(Y(i) + 1), width: px(cell - 1.5), height: px(tall - 3) });
      tint(one, isKept(n, i) ? 0 : part.rows[i][j]);
      one.classList.toggle("attn-heads-kept", isKept(n, i));
      one.style.fill = part.masked[i][j] && !isKept(n, i) ? masked : "";
    }));
    mine.forEach((f, k) => {
      const aside = (k - (mine.length - 1) / 2) * DOT;
      const [keys, queries] = dots[f];
      keys.forEach((dot, j) => setAttributes(dot, { cx: px(X(n, j) + cell / 2 + aside), cy: px(plan.dots) }));
      queries.forEach((dot, i) => setAttributes(dot, { cx: px(X(n, 0) - gap / 2 + aside), cy: px(Y(i) + tall / 2) }));
    });
  }

  /** The framed row, or what lies between two of them. */
  function paintBars(n, { rows: weights, masked }) {
    const { X, cell, base, most, turned } = plan;
    const { unknown, ground, bars, caps, numbers, names } = heads[n];
    const { phase } = figure.dataset;
    const [from, to] = [Math.floor(at), Math.ceil(at)];
    const row = weights[from].map((weight, j) => weight + (weights[to][j] - weight) * (at - from));
    const texts = row.map(formatWeight);
    const kept = isKept(n, from);
    // In a wide picture the bets lie on the second head.
    setText(unknown, kept && !(n === 1 && phase === "ask" && !made.narrow) ? "?" : "");
    setAttributes(unknown, { x: px(X(n, 2)), y: px(base - 24) });
    setAttributes(ground, { d: `M${px(X(n, 0))} ${px(base)}H${px(X(n, WORDS))}` });
    row.forEach((weight, j) => {
      const [x, half, high] = [X(n, j) + cell / 2, cell * 0.35, kept ? 0 : most * weight];
      const isShown = !kept && !masked[from][j];
      setAttributes(bars[j], { x: px(x - half), y: px(base - high), width: px(2 * half), height: px(high) });
      tint(bars[j], weight);
      setAttributes(caps[j], { d: isShown ? `M${px(x - half)} ${px(base - high)}h${px(2 * half)}` : "" });
      // In narrow columns one number is enough: that of the last of the largest. Where ghosts lie there is none.
      const isWritten = cell > 28 || texts.lastIndexOf(formatWeight(Math.max(...row))) === j;
      const isBetOn = n === 0 && (isUnanswered(figure) || (j === own && phase === "answered"));
      setText(numbers[j], isShown && isWritten && !isBetOn ? texts[j] : "");
      setAttributes(numbers[j], { x: px(x), y: px(base - high - 6) });
      setAttributes(names[j], { transform: turned ? `translate(${px(x + 4)} ${px(base + 15)}) rotate(-90)` : `translate(${px(x)} ${px(base + 25)})` });
      names[j].classList.toggle("attn-end", turned);
      names[j].classList.toggle("attn-middle", !turned);
    });
  }

  function paintBets() {
    const { X, base, most, cell } = plan;
    const places = bet.places.map((row) => [X(0, own) + cell / 2, base - most * row[own]]);
    putBets(places);
    bet.places.forEach((row, option) => {
      const [x, y] = places[option];
      const steps = row.map((weight, j) => `V${px(base - most * weight - y)}H${px(X(0, j + 1) - x)}`);
      setAttributes(outlines[option], { d: `M${px(X(0, 0) - x)} ${px(base - y)}${steps.join("")}V${px(base - y)}` });
    });
  }

  const split = figure.querySelector(".attn-body .attn-split");
  const features = [...split.querySelectorAll('[data-part="features"] .attn-value')];
  const chosen = figure.querySelector('.attn-body [data-key="k"][value="0"] + span');
  return {
    paint(view, state) {
      const { parts, slots, summary } = view;
      const pair = parts.pair ? parts.pair.key + 1 : "";
      Object.assign(split.dataset, { cut: state.h, query: state.q, pair });
      parts.features.shared.flat().forEach((lit, i) => features[i].classList.toggle("attn-lit", lit));
      // The word that the figure takes is named where it could be chosen.
      if (chosen) setText(chosen, slots.key && state.k === "0" ? fill(sentences.automatic, slots) : words.controls.k.options[0]);
      spoken = summary.map((name) => fill(sentences[name], slots)).join(frame.between_sentences);
      const { q, way } = state;
      at = (way ? Number(way.from.q) + (q - way.from.q) * way.share : Number(q)) - 1;
      setText(key, `● ${formatNumber(state.c, null)} ○ 0`);
      if (!made.width) return;
      plan = planOf(made, Number(state.h), [...rows, key], heads[0].names);
      const { Y, tall, right, base } = plan;
      heads.forEach((head, n) => {
        const part = parts[`weights_${COUNTS[state.h]}${n + 1}`];
        reveal(head.group, part);
        if (!part) return;
        paintMap(n, part);
        paintBars(n, part);
      });
      rows.forEach((row, i) => setAttributes(row, { x: plan.edge, y: px(Y(i) + tall / 2 + 5), class: `attn-label attn-word${i === q - 1 ? " attn-heads-asking" : ""}` }));
      for (const one of ring) setAttributes(one, { x: plan.edge - 8, y: px(Y(at) - 2), width: px(right - plan.edge + 8), height: px(tall + 3) });
      setAttributes(key, { x: plan.edge, y: px(plan.dots + 4) });
      setText(asking, data.words[q - 1]);
      setAttributes(asking, { x: plan.edge, y: px(base - 22) });
      setAttributes(asks, { x: plan.edge, y: px(base - 4) });
      paintBets();
    },
    grabs: [
      hand(stage, "q", {
        keys: ["q"],
        value: () => at + 1,
        at: () => [plan.right, plan.Y(at) + plan.tall / 2],
        settings: (_, y) => askedBy(Math.floor((y - plan.Y(0)) / plan.tall) + 1),
        step: (across, upwards, { q }) => askedBy(Number(q) + across - upwards),
        spoken: () => spoken,
      }),
      ...[...split.querySelectorAll('[data-part="features"], .attn-head [data-view="heatmap"]')].map(pairs),
    ],
    presses: heads.flatMap(({ cells }) => cells.flatMap((row, i) => row.map((cell) => [cell, askedBy(i + 1)]))),
  };
}

/** The word of a row, or the nearest one, asks. @param {number} row */
function askedBy(row) {
  return { q: String(Math.max(1, Math.min(WORDS, row))) };
}

/** What is drawn of one head. */
function headOf(svg, words) {
  const group = draw(svg, "g");
  return {
    group,
    title: label(group, "word", "", "attn-middle"),
    cells: words.map(() => words.map(() => draw(group, "rect", { class: "attn-tint attn-heads-cell", rx: 2 }))),
    ground: draw(group, "path", { class: "attn-axis-line" }),
    bars: words.map(() => draw(group, "rect", { class: "attn-tint attn-heads-bar" })),
    caps: words.map(() => draw(group, "path", { class: "attn-heads-cap" })),
    numbers: words.map(() => label(group, "num", "", "attn-middle attn-heads-small")),
    names: words.map((word) => label(group, "soft", word, "attn-heads-small")),
    unknown: label(group, "big", "", "attn-middle"),
  };
}

/** Where things lie, in pixels. Between two heads there is room for the dots of the query. */
function planOf({ width, height, narrow }, count, rows, names) {
  const named = width ? Math.max(...rows.map(lengthOf)) : 0;
  const edge = narrow ? 12 : 14; // of the names of the rows
  const right = width - (narrow ? 20 : 30);
  const gap = (DOT * WORDS) / count + (narrow ? 3 : 6);
  const left = edge + named + (narrow ? 2 : 6);
  const cell = Math.max(4, (right - (narrow ? 14 : 24) - left - count * gap) / (count * WORDS));
  const tall = narrow ? 20 : 29;
  const dots = narrow ? 32 : 44;
  const top = dots + 12;
  const lengths = width ? names.map(lengthOf) : [];
  // Where neighbours would meet the names stand upright.
  const turned = lengths.some((one, j) => j > 0 && (one + lengths[j - 1]) / 2 + 2 > cell);
  const base = height - (turned ? Math.max(...lengths) + 20 : 37);
  return {
    count, edge, gap, cell, tall, dots, right, base, turned,
    titles: narrow ? 16 : 24,
    most: base - (top + WORDS * tall) - (narrow ? 20 : 26),
    X: (/** @type {number} */ head, /** @type {number} */ key) => left + gap + head * (WORDS * cell + gap) + key * cell,
    Y: (/** @type {number} */ row) => top + row * tall,
  };
}

/**
 * A press makes the word of a row the query, in a head also that of a column the key; a drag goes on to other cells.
 * What is left of the columns, and features, leave the key to the figure.
 */
function pairs(table) {
  const isHead = table.dataset.view === "heatmap";
  const settings = (x, y, { left, width, top, height }) => ({
    ...askedBy(Math.floor((y - top) / height) + 1),
    k: isHead ? String(Math.min(4, Math.max(0, Math.floor((x - left) / width) + 1))) : "0",
  });
  return () => ({
    surface: table,
    upright: true,
    slider: ["k", 0],
    measure() {
      const box = table.getBoundingClientRect();
      const body = table.tBodies[0].getBoundingClientRect();
      const { left } = table.tBodies[0].rows[0].cells[1].getBoundingClientRect();
      const scale = box.width / table.offsetWidth;
      return {
        left: (left - box.left) / scale,
        width: (body.right - left) / scale / 4,
        top: (body.top - box.top) / scale,
        height: body.height / scale / 4,
      };
    },
    settings,
    tap: (x, y, _, layout) => (y >= layout.top && y < layout.top + 4 * layout.height ? settings(x, y, layout) : null),
  });
}
