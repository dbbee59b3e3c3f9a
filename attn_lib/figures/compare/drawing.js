// Figure `compare`, to see and to grab: the weight of key 1 against its factor s, one line for each scorer.
// What the question asks about, s below 0, is drawn as far as the marker has been. Beside it, why.js.

import { axes, chart } from "../../frontend/chart.js";
import { fill, formatNumber, formatWeight } from "../../frontend/format.js";
import { alongAxis } from "../../frontend/grab.js";
import { corners, curve, disc, draw, lengthOf, setAttributes, px, reveal } from "../../frontend/svg.js";
import { setText } from "../../frontend/text.js";
import { drawWhy } from "./why.js";

const REACH = 8;
const NARROW = 380; // pixels: a drawing on a phone
const EDGE = 9; // pixels beyond an end of the axis where the marker can still be pressed
const TAG = [7, 44]; // pixels from the marker that its number covers
const SAME = 0.002; // lines that never differ by more than this are one

/** @type {import("../../frontend/live.js").Mount} */
export function mount(figure, { declaration, words, repaint }) {
  const names = declaration.controls.find(({ key }) => key === "f").options;
  const plot = chart(figure.querySelector(".attn-body .attn-stage"), {
    x: [-REACH, REACH],
    y: [0, 1],
    pad: (width) => ({ left: 34, right: width < NARROW ? 76 : 82, top: 22 }),
    resized(c) {
      axes(c, {
        x: c.narrow ? [-8, -4, 0, 4, 8] : [-8, -6, -4, -2, 0, 2, 4, 6, 8],
        y: [0, 0.5, 1],
        xText: (place) => formatNumber(place, 0),
      });
      drawn = null;
      repaint();
    },
  });
  const paintWhy = drawWhy(figure.querySelector(".attn-body .attn-why"), declaration, repaint);
  const cells = [...figure.querySelectorAll(".attn-body [data-part=weights] tbody tr")].map((row) => row.querySelectorAll(".attn-weight"));
  const bounds = ["floor", "ceiling"].map((end) => ({
    end,
    line: draw(plot.svg, "polyline", { class: "attn-bound" }),
    name: draw(plot.svg, "text"),
    lead: draw(plot.svg, "polyline", { class: "attn-axis-line" }),
  }));
  const title = draw(plot.svg, "text", { class: "attn-tag", y: 10 });
  // Each line has its name at its right end; a press there brings it forward in sight of the lines.
  const ends = names.map(() => ({ name: draw(plot.svg, "text", { class: "attn-line-name" }), lead: draw(plot.svg, "polyline", { class: "attn-axis-line" }) }));
  const veil = draw(plot.svg, "rect", { class: "attn-veil" });
  const hidden = draw(plot.svg, "text", { class: "attn-name" }, "?");
  const how = draw(plot.svg, "text", { class: "attn-middle" }, words.sentences.unseen);
  const shown = draw(plot.svg, "svg");
  const lines = draw(shown, "g", { class: "attn-lines" });
  const scorers = names.map((_, i) => {
    const group = draw(lines, "g");
    const dash = i > 0 ? ` attn-dash-${i + 1}` : "";
    return {
      group,
      curve: draw(group, "path", { class: `attn-stroke${dash}` }),
      dot: draw(group, "polygon", { class: "attn-dot" }),
    };
  });
  // Its row or name, pointed at, shows which of the grey lines it is.
  scorers.forEach(({ group }, i) => {
    for (const node of [cells[i][0].parentElement, ends[i].name]) {
      for (const type of ["pointerenter", "pointerleave"]) {
        node.addEventListener(type, () => group.classList.toggle("attn-near", type === "pointerenter"));
      }
    }
  });
  const marker = draw(plot.svg, "g", { class: "attn-hue-key" });
  const upright = draw(marker, "polyline", { class: "attn-marker" });
  plot.svg.insertBefore(marker, shown);
  const value = draw(draw(plot.svg, "g", { class: "attn-hue-key" }), "text", { class: "attn-tag" });
  let drawn = null; // the curves that are drawn
  let front = ""; // the scorer whose line lies on top
  /** @type {string[]} */
  let across = []; // the pixels of their places
  let leaders = [];
  let least = 1; // how far down the marker has been, from 0 on

  /** Name the lines below one another where they end; lines that run on one another share a stroke to their end. */
  const nameLines = (curves, front, limits) => {
    // Fingers need more room from one name to the next.
    const leading = plot.width < NARROW ? 18 : 13;
    const places = names.map((name, i) => ({
      node: ends[i].name,
      lead: ends[i].lead,
      leader: leaders[i],
      text: `${leaders[i] === i ? "" : "= "}${words.sentences[`name_${name}`]}`,
      leads: leaders[i] === i,
      end: plot.Y(curves[leaders[i]].at(-1)),
      lit: name === front,
    }));
    for (const { node, lead, sign, bound } of limits) places.push({ node, lead, leader: -1, leads: true, text: `${sign} ${formatWeight(bound)}`, end: plot.Y(bound), lit: false });
    places.sort((a, b) => a.end - b.end || a.leader - b.leader);
    const y = [];
    places.forEach(({ end }, i) => (y[i] = Math.max(end + 4, (y[i - 1] ?? 0) + leading)));
    for (let i = places.length - 1; i >= 0; i--) y[i] = Math.min(y[i], i === places.length - 1 ? plot.bottom + 4 : y[i + 1] - leading);
    places.forEach(({ node, lead, text, end, leads, lit }, i) => {
      setAttributes(node, { x: px(plot.right + 12), y: px(y[i]) });
      setText(node, text);
      node.classList.toggle("attn-lit", lit);
      reveal(lead, leads);
      setAttributes(lead, { points: corners([[plot.right + 1, end], [plot.right + 9, y[i] - 4]]) });
    });
  };

  /** Whether a line runs through the place beside the marker where its number would stand. */
  const crosses = (weights, at, side, [top, foot]) => {
    const last = weights.length - 1;
    const places = TAG.map((far) => ((plot.atX(at + far * side) + REACH) / (2 * REACH)) * last);
    const end = Math.min(last, Math.ceil(Math.max(...places)));
    let [highest, lowest] = [Infinity, -Infinity];
    for (let i = Math.max(0, Math.floor(Math.min(...places))); i <= end; i++) {
      const y = plot.Y(weights[i] ?? 0);
      highest = Math.min(highest, y);
      lowest = Math.max(lowest, y);
    }
    return highest < foot && lowest > top;
  };

  return {
    paint(view, state) {
      // Where scorers disagree, another cell of the row is the heaviest; of equal ones none is.
      view.parts.weights.rows.forEach((row, i) => {
        cells[i][0].parentElement.classList.toggle("attn-lit", names[i] === state.f);
        const most = Math.max(...row) - 1e-9;
        const isTie = row.filter((weight) => weight >= most).length > 1;
        row.forEach((weight, j) => cells[i][j].classList.toggle("attn-heaviest", weight >= most && !isTie));
      });
      paintWhy(view, state.f);
      if (!plot.width) return;
      const curves = view.parts.curves.lines;
      // The marker moves without them.
      if (drawn !== curves) {
        if (!drawn) across = curves[0].map((_, place, { length }) => px(plot.X(-REACH + (2 * REACH * place) / (length - 1))));
        drawn = curves;
        curves.forEach((weights, i) => {
          setAttributes(scorers[i].curve, { d: curve(across, weights.map((w) => (w === null ? null : plot.Y(w)))) });
        });
        leaders = curves.map((line) =>
          curves.findIndex((other) => other.every((w, place) => w === line[place] || Math.abs(w - line[place]) < SAME)),
        );
      }
      setAttributes(title, { x: px(plot.left) });
      setText(title, state.own ? words.sentences.axis_own : fill(words.sentences.axis, view.slots));
      const at = plot.X(state.s);
      least = state.ask === "0" ? -REACH : Math.min(least, state.s);
      const [from, wide] = [plot.X(Math.min(least, 0)) - (least > 0 ? 0 : 10), plot.width];
      setAttributes(shown, { x: px(from), width: px(wide - from), height: plot.height });
      setAttributes(shown, { viewBox: `${px(from)} 0 ${px(wide - from)} ${plot.height}` });
      const unseen = Math.max(0, from - plot.left);
      setAttributes(veil, { x: px(plot.left), y: px(plot.top), width: px(unseen), height: px(plot.bottom - plot.top) });
      setAttributes(hidden, { x: px(plot.left + unseen / 2), y: px(plot.Y(0.75)) });
      reveal(hidden, unseen > 16);
      setAttributes(how, { x: px(plot.left + unseen / 2), y: px(plot.Y(0.75) + 22) });
      reveal(how, unseen > lengthOf(how));
      setAttributes(upright, { points: corners([[at, plot.top], [at, plot.bottom]]) });
      // The line in front is the last one, behind all others in their order.
      if (front !== state.f) lines.append(...scorers.map(({ group }) => group), scorers[names.indexOf(state.f)].group);
      front = state.f;
      names.forEach((name, i) => {
        const { group, dot } = scorers[i];
        const lit = name === state.f;
        group.classList.toggle("attn-lit", lit);
        setAttributes(dot, { points: disc(at, plot.Y(view.parts.weights.rows[i][0] ?? 0), lit ? 7 : 3.5) });
      });
      const weight = view.parts.weights.rows[names.indexOf(state.f)][0];
      const side = state.s > REACH - 2 ? -1 : 1;
      const y = plot.Y(weight ?? 0);
      // Above its dot, below it where there is no room or where fewer lines run.
      const crossed = (base) => curves.filter((line) => crosses(line, at, side, [base - 12, base + 2])).length;
      const below = y < plot.top + 16 || (y < plot.bottom - 22 && crossed(y + 20) < crossed(y - 9));
      setAttributes(value, { x: px(at + 11 * side), y: px(below ? y + 20 : y - 9), "text-anchor": side > 0 ? "start" : "end" });
      setText(value, formatWeight(weight));

      const limits = [];
      for (const { end, line, name, lead } of bounds) {
        const bound = view.parts.limits[end];
        const y = plot.Y(bound ?? 0);
        const seen = bound !== null && state.f === "additive" && (end === "ceiling" || least === -REACH);
        if (seen) limits.push({ node: name, lead, sign: end === "floor" ? "≥" : "≤", bound });
        setAttributes(line, { points: corners([[plot.X(end === "floor" ? -REACH : 0), y], [plot.right, y]]) });
        for (const node of [line, name]) reveal(node, seen);
        if (!seen) reveal(lead, false);
      }
      nameLines(curves, state.f, limits);
    },
    grabs: [
      (host) => ({
        ...alongAxis(plot, "s")(host),
        // Beside the axis are the names.
        measure: (x) => (x < plot.left - EDGE || x > plot.right + EDGE ? null : {}),
      }),
    ],
    presses: names.map((name, i) => [ends[i].name, { f: name }]),
    forget: () => (least = 1),
  };
}
