// Figure `norm`: two keys, and the shadows that they throw on the line of the query. Key 2 is in the reader's hand; beside the
// plane each key has a bar as high as its weight.

import { hand } from "../../front/grab.js";
import { placeLabels } from "../../front/labels.js";
import { fill, formatWeight } from "../../front/numbers.js";
import { bets, label, picture } from "../../front/picture.js";
import { arrow, corners, draw, lengthOf, px, setAttributes, tint } from "../../front/svg.js";
import { setText } from "../../front/text.js";

// In units of the plane: where key 2 may lie, and what is seen of the plane.
const FARTHEST = 4;
const SEEN = 4.4;
// Pixels from the line of the query to the shadows; that of key 2 makes way for that of key 1.
const [AWAY, FARTHER] = [21, 32];
// Pixels: half a handle and half of what it says, the height of a name, the length of a bet, and the radius of a ghost, which
// its line leaves out.
const [GRIP, LONG, NAME, PILL, GHOST] = [16, 26, 20, 200, 13];

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, repaint }) {
  const { bet, words: { sentences } } = declaration;
  const made = picture(figure, () => {
    plane = planeOf(made);
    paintBack();
    repaint();
  });
  let plane = planeOf(made);
  const { svg, back, stage } = made;
  const region = draw(svg, "g", { class: "attn-region attn-hue-key" });
  const ground = draw(region, "polygon", { class: "attn-hue-fill attn-ground" });
  const tie = draw(region, "polyline", { class: "attn-axis-line attn-ties" });
  const equal = draw(svg, "circle", { class: "attn-axis-line attn-equal" });
  const bars = [1, 2].map(() => {
    const tinted = draw(svg, "rect", { class: "attn-tint attn-dot attn-hue-key" });
    return { tinted, number: label(svg, "num", "", "attn-middle attn-hue-weight") };
  });
  // Thrown on the line of the query by the light that falls straight on it.
  const shadows = draw(svg, "g", { class: "attn-shadows attn-hue-key" });
  const line = draw(draw(shadows, "g", { class: "attn-hue-query" }), "polyline", { class: "attn-hue-line attn-query-line" });
  const plumb = draw(shadows, "polyline", { class: "attn-hue-line attn-plumb" });
  const thrown = [1, 2].map(() => ["cut", "left"].map((what) => draw(shadows, "polyline", { class: `attn-hue-line attn-shadow-${what}` })));
  const keys = draw(svg, "g", { class: "attn-hue-key" });
  // Key 1 lies on key 2 where that goes on behind it.
  const [arrow2, arrow1] = [2, 1].map(() => draw(keys, "polygon", { class: "attn-tint attn-dot" }));
  const query = draw(draw(svg, "g", { class: "attn-hue-query" }), "polygon", { class: "attn-hue-fill" });
  const putBets = bets(made, "disc");
  const loci = [...svg.querySelectorAll(".attn-bet-ghost")].map((ghost) => draw(ghost, "path", { class: "attn-locus" }));
  const names = [`${sentences.key_1} = q`, sentences.key_2].map((name) => label(keys, "word", name));
  const wins = label(region, "word", "");
  /** @type {HTMLElement} */ (stage.querySelector("[data-handle=k2]")).dataset.answer = "";
  let spoken = "";

  /** Axes, a dot at each whole place, and what the bars stand on. */
  function paintBack() {
    const { X, Y, east, foot, high, columns } = plane;
    back.replaceChildren();
    draw(back, "path", { class: "attn-hairline", d: `M${px(X(-SEEN))} ${px(Y(0))}H${px(east)}M${px(X(0))} ${px(Y(SEEN))}V${px(Y(-SEEN))}` });
    const whole = Array.from({ length: 2 * FARTHEST + 1 }, (_, i) => i - FARTHEST);
    draw(back, "path", { class: "attn-places", d: whole.flatMap((x) => whole.map((y) => `M${px(X(x))} ${px(Y(y))}h0`)).join("") });
    const [from, to] = [columns[0].left - 6, columns[1].left + columns[1].wide + 6];
    draw(back, "path", { class: "attn-axis-line", d: `M${px(from)} ${px(foot)}H${px(to)}` });
    draw(back, "path", { class: "attn-hairline", d: `M${px(from)} ${px(foot - high / 2)}H${px(to)}` });
    [sentences.key_1, sentences.key_2].forEach((name, i) => {
      setAttributes(label(back, "soft", name, "attn-middle"), { x: px(columns[i].left + columns[i].wide / 2), y: px(foot + 19) });
    });
  }

  /** Where key 2 beats key 1: beyond the line on which their shadows are equal. With ‖k‖²/2 subtracted it shrinks to the query. */
  function paintRegion(/** @type {number} */ sum, isCut) {
    const { X, Y, atX, east, top } = plane;
    const most = Math.min(atX(east), sum + top);
    const ends = [[sum - top, top], [most, sum - most]].map(([x, y]) => [X(x), Y(y)]);
    setAttributes(ground, { points: corners([...ends, [east, ends[1][1]], [east, Y(top)]]) });
    setAttributes(tie, { points: corners(ends) });
    setAttributes(region, { class: `attn-region attn-hue-key${isCut ? " attn-shrunk" : ""}` });
    return ends;
  }

  /** The places that are bet on: one, a ring around 0, and the line of ties. Each leaves out its letter. */
  function paintLoci(ends) {
    const { X, Y } = plane;
    const places = bet.places.map(([x, y]) => [X(x), Y(y)]);
    putBets(places);
    const [, [rx, ry], [lx, ly]] = places;
    const [x, y] = [X(0) - rx, Y(0) - ry];
    const radius = Math.hypot(x, y);
    const [way, gap] = [Math.atan2(-y, -x), GHOST / radius];
    const [from, to] = [gap, -gap].map((turn) => [x + radius * Math.cos(way + turn), y + radius * Math.sin(way + turn)].map(px).join(" "));
    setAttributes(loci[1], { d: `M${from}A${px(radius)} ${px(radius)} 0 1 1 ${to}` });
    const aside = GHOST * Math.SQRT1_2;
    setAttributes(loci[2], {
      d: `M${px(ends[0][0] - lx)} ${px(ends[0][1] - ly)}L${px(-aside)} ${px(-aside)}M${px(aside)} ${px(aside)}L${px(ends[1][0] - lx)} ${px(ends[1][1] - ly)}`,
    });
    return places;
  }

  return {
    paint(view) {
      spoken = fill(sentences.spoken, view.slots);
      if (!made.width) return;
      const { plane: { query: q, key: k, weights }, shadows: { rows: [lengths] }, halves } = view.parts;
      const { X, Y, unit, east, foot, high, columns } = plane;
      const [origin, tipQ, tipK] = [[0, 0], q, k].map(([x, y]) => [X(x), Y(y)]);
      const long = Math.hypot(...q);
      const ends = paintRegion(long * long, halves !== null);
      region.style.transformOrigin = `${px(tipQ[0])}px ${px(tipQ[1])}px`;
      const places = paintLoci(ends);
      setAttributes(equal, { cx: px(tipQ[0]), cy: px(tipQ[1]), r: px(Math.hypot(tipK[0] - tipQ[0], tipK[1] - tipQ[1])), visibility: halves ? "visible" : "hidden" });

      bars.forEach(({ tinted, number }, i) => {
        const { left, wide } = columns[i];
        const y = foot - high * weights[i];
        setAttributes(tinted, { x: px(left), y: px(y), width: px(wide), height: px(foot - y) });
        tint(tinted, weights[i]);
        setText(number, formatWeight(weights[i]));
        setAttributes(number, { x: px(left + wide / 2), y: px(y - 7) });
      });

      // Along the query and across it, in pixels.
      const [c, s] = [q[0] / long, q[1] / long];
      const turned = (/** @type {number} */ along, /** @type {number} */ across) =>
        [origin[0] + along * c + across * s, origin[1] - along * s + across * c];
      const isLeft = c * k[1] - s * k[0] > 0;
      const fallen = turned(lengths[1] * unit, 0);
      setAttributes(line, { points: corners([turned(-SEEN * Math.SQRT2 * unit, 0), turned(SEEN * Math.SQRT2 * unit, 0)]) });
      setAttributes(plumb, { points: corners([tipK, fallen]) });
      const shown = thrown.map(([cut, left], i) => {
        const across = i && !isLeft ? AWAY : i ? -FARTHER : -AWAY;
        // A shadow times ‖q‖ is the dot product.
        const rest = lengths[i] - (halves ? halves.rows[0][i] / long : 0);
        const [from, end, whole] = [0, rest, lengths[i]].map((along) => turned(along * unit, across));
        setAttributes(left, { points: corners([from, end]) });
        setAttributes(cut, { points: halves ? corners([end, whole]) : "" });
        return [from, whole];
      });

      setAttributes(arrow1, { points: arrow(origin, tipQ, 12, 24) });
      setAttributes(arrow2, { points: arrow(origin, tipK, 8, 18) });
      setAttributes(query, { points: arrow(origin, tipQ, 3, 13) });
      [arrow1, arrow2].forEach((one, i) => tint(one, weights[i]));

      // Names near the tips, and who wins in a corner, off all that is drawn where they can.
      setText(wins, halves ? sentences.never : sentences.wins);
      const around = (/** @type {number} */ x, /** @type {number} */ y, wide, height = NAME) => ({
        x: Math.max(4, Math.min(x - wide / 2, east - wide - 4)), y: Math.max(2, Math.min(y - height / 2, made.height - height - 2)), width: wide, height,
      });
      const [wide1, wide2, wide3] = [...names, wins].map((text) => lengthOf(text) + 6);
      const ahead = Math.hypot(...k) ? Math.atan2(k[1], k[0]) : 0;
      const choices = [
        [[wide1 / 2 + 20, 4], [-wide1 / 2 - 48, 0], [4 - wide1 / 2, -36], [wide1 / 2 + 8, 26]].map(([x, y]) => around(tipQ[0] + x, tipQ[1] + y, wide1)),
        [0, 1, -1, 2, -2, 3, -3, 4].map((eighth) => {
          const way = ahead + (eighth * Math.PI) / 4;
          return around(tipK[0] + (LONG + 2 + wide2 / 2) * Math.cos(way), tipK[1] - (GRIP + 14) * Math.sin(way), wide2);
        }),
        [[east, 14], [east, Y(1)], [east, Y(-1)]].map(([x, y]) => around(x, y, wide3)),
      ];
      const lines = [[origin, tipK], [origin, tipQ]];
      const taken = [{ x: tipK[0] - LONG, y: tipK[1] - GRIP, width: 2 * LONG, height: 2 * GRIP + NAME }];
      if (figure.dataset.phase === "ask") taken.push(...places.map(([x, y]) => ({ x: x - GRIP, y: y - GRIP, width: made.narrow ? 2 * GRIP : PILL, height: 2 * GRIP })));
      else lines.push([tipK, fallen], ...shown, ...(halves ? [] : [ends]));
      const boxes = placeLabels(choices, lines, taken);
      [...names, wins].forEach((text, i) => setAttributes(text, { x: px(boxes[i].x + 3), y: px(boxes[i].y + 15) }));
    },
    grabs: [
      hand(stage, "k2", {
        keys: ["x", "y"],
        at: ({ x, y }) => [plane.X(x), plane.Y(y)],
        settings: (x, y) => ({ x: plane.atX(x), y: plane.atY(y) }),
        spoken: () => spoken,
      }),
    ],
  };
}

/** Pixels of a place in the plane, and back; the plane's right edge and its top; the columns of the bars, their foot and height. */
function planeOf({ width, height, narrow }) {
  const [wide, gap, aside] = narrow ? [30, 14, 7] : [44, 24, 26];
  const east = width - 2 * wide - gap - 2 * aside;
  const unit = Math.max(1, Math.min((height - 4) / (2 * SEEN), east / (2 * SEEN)));
  const middle = SEEN * unit;
  return {
    unit,
    east,
    top: height / 2 / unit,
    foot: height - 32,
    high: height - 32 - 34,
    columns: [0, 1].map((i) => ({ left: east + aside + i * (wide + gap), wide })),
    X: (/** @type {number} */ x) => middle + unit * x,
    Y: (/** @type {number} */ y) => height / 2 - unit * y,
    atX: (/** @type {number} */ pixels) => (pixels - middle) / unit,
    atY: (/** @type {number} */ pixels) => (height / 2 - pixels) / unit,
  };
}
