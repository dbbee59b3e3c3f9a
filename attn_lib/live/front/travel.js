// Animates a figure from one state to another; the states in between are computed like any other.

import { activeControls, placeOf, snapValue, valueAt } from "./state.js";

export const TRAVEL_MS = 900;

/**
 * Animate from `from` to `to`. For readers who prefer reduced motion, go there at once.
 * @param {any} from @param {any} to complete states
 * @param {object} host
 * @param {any[]} host.controls
 * @param {(state: any) => void} host.show
 * @param {(whole: boolean) => void} host.arrived called at the end: whether it came all the way
 * @param {any[]} [host.by] states on the way
 * @param {number} [host.ms] how long it takes from one of them to the next
 * @param {boolean} [host.onSteps] stop only where the sliders can stand
 * @returns {() => void} end the travel at the nearest state that the sliders can show
 */
export function travel(from, to, { controls, show, arrived, by = [], ms = TRAVEL_MS, onSteps = false }) {
  let frame = 0;
  let shown = from;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    show(to);
    arrived(true);
    return () => {};
  }
  const start = performance.now();
  const stops = [from, ...by, to];
  const legs = stops.length - 1;
  const step = (/** @type {number} */ now) => {
    const gone = Math.min(legs, Math.max(0, (now - start) / ms));
    const leg = Math.floor(gone);
    const share = gone - leg;
    shown = gone === legs ? to : between(controls, stops[leg], stops[leg + 1], share * share * (3 - 2 * share), onSteps);
    show(shown);
    if (gone < legs) frame = requestAnimationFrame(step);
    else {
      frame = 0;
      arrived(true);
    }
  };
  show(from);
  frame = requestAnimationFrame(step);
  return () => {
    if (frame === 0) return;
    cancelAnimationFrame(frame);
    frame = 0;
    show(between(controls, shown, shown, 1, true));
    arrived(false);
  };
}

/** The state at a share of the way: numbers lie between, choices are those of the goal, and `way` tells how far it is. */
function between(controls, from, { way: _, ...to }, share, onSteps) {
  const state = share < 1 && !onSteps ? { ...to, way: { from, share } } : { ...to };
  for (const control of activeControls(controls, to)) {
    const goal = to[control.key];
    const numeric = [goal].flat().every((value) => typeof value === "number");
    if (control.kind === "Checklist" || !numeric || from[control.key] === undefined) continue;
    // What is listed is gone through from place to place, as by its slider.
    const [start, end] = [from[control.key], goal].map((value) => [value].flat().map((one) => placeOf(control, one)));
    if (start.length !== end.length) continue;
    const values = end.map((value, i) => start[i] + (value - start[i]) * share);
    // Counts have nothing between them.
    const whole = onSteps || control.kind === "Listed" || Number.isInteger(control.step);
    const shown = whole ? values.map((value) => snapValue(control, valueAt(control, value))) : values;
    state[control.key] = Array.isArray(goal) ? shown : shown[0];
  }
  return state;
}
