// Figure `arrows`, to see and to grab: keys and query as arrows, a key as thick as its weight; beside them
// the values, each of which pulls the output by a string.

import { fill } from "../../front/numbers.js";
import { tip } from "../../front/grab.js";
import { KEYS, VALUES, keyArrows, plane, queryArrow, strings } from "../../front/planes.js";
import { writeFragment } from "../../front/state.js";
import { hide } from "../../front/text.js";
import { travel } from "../../front/travel.js";

// The reader's own values may lie as far out as keys: then a unit is shorter.
const FAR = VALUES.reach / KEYS.reach;
// On the page that opens the book the query travels by itself, once, to where other words match it.
const WAIT_MS = 1200;
const GOAL = { x: -1.5, y: 0.5 };

/** @type {import("../../front/live.js").Mount} */
export function mount(figure, { declaration, repaint }) {
  const { directions } = declaration.data;
  const { controls } = declaration;
  const { rows: most } = controls.find(({ key }) => key === "own");
  const { sentences } = declaration.words;
  const [left, right] = figure.querySelectorAll(".attn-body .attn-stage");
  const keyPlane = plane(left, KEYS, directions, repaint);
  const look = { ...VALUES };
  const valuePlane = plane(right, look, {}, repaint);
  const paintKeys = keyArrows(keyPlane, most);
  const paintQuery = queryArrow(keyPlane);
  const paintValues = strings(valuePlane, most, look);
  const columns = [...figure.querySelectorAll(".attn-body .attn-keys tr")].map(({ children }) => [...children].slice(1, -1));
  let spoken = "";

  return {
    paint(view, state) {
      const { own } = state;
      const { weights, output, keys } = view.parts;
      left.classList.toggle("attn-typed-keys", own !== "");
      figure.classList.toggle("attn-many-keys", view.parts.scores.digits === 1);
      for (const cells of columns) cells.forEach((cell, j) => hide(cell, j >= keys.points.length));
      spoken = fill(sentences.spoken, view.slots);
      if (keyPlane.width) {
        paintKeys(weights.rows[0], keys, output.query, paintQuery(output.query));
      }
      if (valuePlane.width) paintValues(weights.rows[0], output.rows[0], keys, own ? FAR : 1);
    },
    grabs: [
      (host) => {
        if (figure.closest(".attn-opening")) travelOnce(figure, host, declaration);
        return tip(keyPlane, "q", ["x", "y"], () => spoken)(host);
      },
    ],
  };
}

/**
 * Show once what the reader can do. Whoever touches the figure, prefers less motion or has come to a state of their own
 * is left alone.
 */
function travelOnce(figure, { state, restore }, declaration) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const opened = writeFragment(state(), declaration); // a link's own state is restored after this
  let stop = () => {};
  const start = setTimeout(() => {
    if (writeFragment(state(), declaration) !== opened) return;
    const { controls } = declaration;
    stop = travel(state(), { ...state(), ...GOAL }, { controls, show: restore, arrived() {} });
  }, WAIT_MS);
  for (const type of ["pointerdown", "keydown"]) {
    figure.addEventListener(type, () => (clearTimeout(start), stop()), { capture: true, once: true });
  }
}
