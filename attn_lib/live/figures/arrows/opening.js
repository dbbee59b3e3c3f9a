// On the page that opens the book the query travels by itself, once, to where other words match it.

import { writeFragment } from "../../front/state.js";
import { travel } from "../../front/travel.js";

const WAIT_MS = 1200;
const GOAL = { x: -1.5, y: 0.5 };

/**
 * Show once what the reader can do. Whoever touches the figure, prefers less motion or has come to a state of their own
 * is left alone.
 */
export function travelOnce(figure, { state, restore }, declaration) {
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
