// Lets the reader move the thing itself: a place on an axis, the tip of an arrow, a boundary in a table.
// What can be dragged can be linked: every place snaps to a step of the sliders.

import { placeOf, valueAt } from "./state.js";
import { setAttributes } from "./svg.js";

// In pixels: a move shorter than SLACK is no drag, one longer than STRAY no tap.
const SLACK = 3;
const STRAY = 10;
const COARSE_STEPS = 5;
// How far a key moves a handle, across and upwards, in steps. Home and End go to the ends of the horizontal axis.
const WAYS = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  PageUp: [0, COARSE_STEPS],
  PageDown: [0, -COARSE_STEPS],
  Home: [-Infinity, 0],
  End: [Infinity, 0],
};

/** Two numbers, by key, or by key and item where a setting holds several. @typedef {(string | [string, number])[]} Moved */
/**
 * What can be grabbed, and what its place means.
 * @typedef {object} Grab
 * @property {HTMLElement} surface takes the pointers; places are pixels from its upper left corner
 * @property {HTMLElement} [knob] a handle to be moved both ways; elsewhere a finger scrolls, and a tap places
 * @property {number} [near] so close to the thing, in pixels, a press takes hold of it as it stands
 * @property {boolean} [across] a handle that moves sideways only: a finger that goes up or down scrolls
 * @property {(across: number, upwards: number, state: any) => Record<string, any>} [step] what so many steps by key mean,
 *   where that is no number of `keys`
 * @property {Element | boolean} [upright] a mouse moves it up and down as well; a finger does so from the element, if one is
 *   given, and elsewhere scrolls
 * @property {Record<string, string>} [when] it can be grabbed only while these keys have these values
 * @property {(x: number, y: number) => any} [measure] read the layout, once a drag; given to the functions below. null
 *   where nothing can be grabbed
 * @property {(state: any, layout: any) => number[]} [at] where the thing is, if there is one to take hold of
 * @property {(x: number, y: number, layout: any) => Record<string, any>} [settings] what a place means, not yet snapped;
 *   absent where nothing is dragged
 * @property {(x: number, y: number, state: any, layout: any) => Record<string, any> | null} [tap] what a press means
 * @property {(string | number)[] | ((layout: any) => (string | number)[])} [slider] key and item of the slider that goes on
 *   with the arrow keys
 * @property {Moved | ((state: any) => Moved)} [keys] the numbers that a handle moves across and upwards, perhaps in each state others
 * @property {(state: any, view: any) => void} [follow] put the thing where the state has it
 */
/**
 * The figure as a drag sees it.
 * @typedef {object} Host
 * @property {HTMLElement} figure
 * @property {() => any} state
 * @property {(settings: Record<string, any>) => void} move snap the settings and show them
 * @property {(state: any) => void} restore
 * @property {() => void} settle a change is done
 * @property {(key: string) => any} control the control that has this key now
 */

/**
 * A place on a chart's horizontal axis: anywhere in the drawing, or the slider below it.
 * @param {import("./chart.js").Chart} chart @param {string} key @param {number} [item]
 * @returns {(host: Host) => Grab}
 */
export function alongAxis(chart, key, item = 0) {
  return ({ control, state }) => ({
    surface: chart.stage,
    at: (now) => [chart.X(placeOf(control(key), [now[key]].flat()[item])), 0],
    settings: (x) => withItem(state(), key, item, valueAt(control(key), chart.atX(x))),
    slider: [key, item],
  });
}

/**
 * A point of a chart, moved both ways by a handle: `.attn-handle[data-handle=name]` in the stage.
 * @param {import("./chart.js").Chart} chart @param {string} name @param {[string, string]} keys across and upwards
 * @param {(state: any) => string} spoken what a screen reader hears at this state
 * @returns {(host: Host) => Grab}
 */
export function tip(chart, name, keys, spoken) {
  const [across, upwards] = keys;
  const knob = chart.stage.querySelector(`[data-handle="${name}"]`);
  const at = (state) => [chart.X(state[across]), chart.Y(state[upwards])];
  return () => ({
    surface: chart.stage,
    knob,
    keys,
    at,
    settings: (x, y) => ({ [across]: chart.atX(x), [upwards]: chart.atY(y) }),
    follow(state) {
      if (chart.width) putKnob(knob, at(state), state[across], () => spoken(state));
    },
  });
}

/**
 * One of several points of a chart, each with a handle of its own, which alone takes the pointer.
 * @param {import("./chart.js").Chart} chart @param {HTMLElement} knob @param {Moved | ((state: any) => Moved)} keys across and upwards
 * @param {(state: any) => string} spoken what a screen reader hears at this state
 * @returns {(host: Host) => Grab}
 */
export function oneOfTips(chart, knob, keys, spoken) {
  const placeAt = (state) => {
    const [across, upwards] = movedBy(keys, state).map((key) => valueOf(state, key));
    return [chart.X(across), chart.Y(upwards)];
  };
  let shown = [0, 0];
  // A press on it is none on what lies below.
  for (const type of ["pointerdown", "click"]) knob.addEventListener(type, (event) => event.stopPropagation());
  return ({ state }) => ({
    surface: knob,
    knob,
    keys,
    // Its own upper left corner, from which its places count.
    measure: () => [shown[0] - knob.offsetWidth / 2, shown[1] - knob.offsetHeight / 2],
    at(now, corner) {
      const [x, y] = placeAt(now);
      return [x - corner[0], y - corner[1]];
    },
    settings: (x, y, corner) => withValues(state(), movedBy(keys, state()), [chart.atX(x + corner[0]), chart.atY(y + corner[1])]),
    follow(now) {
      if (!chart.width) return;
      shown = placeAt(now);
      putKnob(knob, shown, valueOf(now, movedBy(keys, now)[0]), () => spoken(now));
    },
  });
}

/**
 * The hand of a picture, `.attn-hand[data-handle=name]` in it, which alone takes the pointer. What one of its numbers is to
 * a screen reader is its first key's.
 * @param {HTMLElement} stage @param {string} name
 * @param {object} what
 * @param {Moved | ((state: any) => Moved)} what.keys the settings that it moves, across and upwards
 * @param {(state: any) => number[]} what.at where it stands, in pixels of the stage
 * @param {(x: number, y: number, state: any) => Record<string, any>} what.settings what a place means
 * @param {Grab["step"]} [what.step]
 * @param {(state: any) => number} [what.value] its place to a screen reader, where what it sets is no number
 * @param {(state: any) => string} what.spoken what a screen reader hears at this state
 * @returns {(host: Host) => Grab}
 */
export function hand(stage, name, { keys, at, settings, step, value, spoken }) {
  /** @type {HTMLElement} */
  const knob = stage.querySelector(`[data-handle="${name}"]`);
  const half = 22; // of its target
  let shown = [0, 0];
  return ({ state, control }) => ({
    surface: knob,
    knob,
    keys,
    step,
    across: knob.dataset.way === "across",
    measure: () => shown.map((place) => place - half),
    at(now, corner) {
      return at(now).map((place, i) => place - corner[i]);
    },
    settings: (x, y, corner) => settings(x + corner[0], y + corner[1], state()),
    follow(now) {
      shown = at(now);
      const [first] = movedBy(keys, now);
      const own = control(String([first].flat()[0]));
      if (!value) setAttributes(knob, { "aria-valuemin": own.min ?? 0, "aria-valuemax": own.max ?? own.values.length - 1 });
      putKnob(knob, shown, value?.(now) ?? placeOf(own, valueOf(now, first)), () => spoken(now));
    },
  });
}

/** Put a handle to its place, and tell a screen reader. @param {HTMLElement} knob @param {number[]} place @param {number} value @param {() => string} spoken */
function putKnob(knob, [x, y], value, spoken) {
  knob.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  if (!knob.hasAttribute("role")) return; // one of several that do the same
  knob.setAttribute("aria-valuenow", String(value));
  knob.setAttribute("aria-valuetext", spoken());
}

/** The numbers that a handle moves in a state. @param {Moved | ((state: any) => Moved)} keys @param {any} state @returns {Moved} */
function movedBy(keys, state) {
  return typeof keys === "function" ? keys(state) : keys;
}

function valueOf(state, key) {
  const [name, item] = [key].flat();
  return item === undefined ? state[name] : state[name][item];
}

/** Settings with new numbers; several may be of one setting. @param {any} state @param {Moved} keys @param {number[]} values */
function withValues(state, keys, values) {
  const made = {};
  keys.forEach((key, i) => {
    const [name, item] = [key].flat();
    made[name] = item === undefined ? values[i] : (made[name] ?? state[name]).with(item, values[i]);
  });
  return made;
}

function withItem(state, key, item, value) {
  return { [key]: Array.isArray(state[key]) ? state[key].with(item, value) : value };
}

/**
 * Wire one thing to be grabbed. It follows the state by its own `follow`.
 * @param {Grab} grab @param {Host} host
 */
export function wireGrab(grab, host) {
  const { surface, knob, across, near = 26, upright, when = {}, measure, at, settings, tap, slider } = grab;
  let held = null;
  surface.classList.add(knob && !across ? "attn-both-ways" : "attn-across");

  const release = () => {
    held = null;
    surface.classList.remove("attn-held");
    document.removeEventListener("keydown", escape, true);
  };
  const escape = (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    host.restore(held.state);
    release();
  };

  // Move the focus to where the arrow keys go on.
  const goOn = (layout) => {
    const own = typeof slider === "function" ? slider(layout) : slider;
    focusFromPointer(own ? sliderOf(host.figure, own) : knob);
  };

  surface.addEventListener("pointerdown", (event) => {
    const state = host.state();
    if (held || event.button !== 0 || !event.isPrimary) return;
    if (!Object.entries(when).every(([key, value]) => state[key] === value)) return;
    // The only readings of layout in a drag.
    const place = placesOn(surface);
    const [x, y] = place(event.clientX, event.clientY);
    const layout = measure?.(x, y);
    if (layout === null) return;
    const thing = at?.(state, layout) ?? [NaN, NaN];
    const onThing = knob ? event.target === knob : Math.abs(x - thing[0]) <= near;
    const finger = event.pointerType !== "mouse";
    if (knob && finger && !onThing) return; // The page scrolls; a tap is a click.
    // The thing keeps its distance to the pointer, so that it does not jump when it is grabbed.
    const away = onThing ? [thing[0] - x, thing[1] - y] : [0, 0];
    const bothWays = (knob && !across) || (upright && (!finger || event.target === upright));
    held = { id: event.pointerId, place, layout, x, y, away, state, onThing, finger, bothWays, moved: false, strayed: false };
    surface.setPointerCapture(event.pointerId);
    surface.classList.add("attn-held");
    document.addEventListener("keydown", escape, true);
    goOn(layout);
    if (!finger) event.preventDefault();
    if (!finger && !onThing && !tap) host.move(settings(x, y, layout));
  });
  surface.addEventListener("pointermove", (event) => {
    if (event.pointerId !== held?.id) return;
    const [x, y] = held.place(event.clientX, event.clientY);
    const [sideways, distance] = [Math.abs(x - held.x), Math.hypot(x - held.x, y - held.y)];
    if (distance > STRAY) held.strayed = true;
    if (!settings) return;
    // On an axis only a sideways move is a drag: a finger that goes up or down scrolls.
    if (!held.moved && (held.bothWays ? distance : sideways) < SLACK) return;
    held.moved = true;
    host.move(settings(x + held.away[0], y + held.away[1], held.layout));
  });
  for (const type of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
    surface.addEventListener(type, (event) => {
      if (event.pointerId !== held?.id) return;
      const { x, y, layout, state, onThing, finger, moved, strayed } = held;
      release();
      if (type === "pointercancel") {
        host.restore(state); // The page scrolled instead.
        return;
      }
      if (!moved && !strayed) {
        const pressed = tap ? tap(x, y, state, layout) : finger && !onThing && settings(x, y, layout);
        if (pressed) host.move(pressed);
      }
      host.settle();
      goOn(layout); // Another option of a choice may have been taken.
    });
  }
  if (knob) wireKnob(grab, host);
}

/** Focus an element that the pointer holds: without a ring around it, until a key is pressed. */
function focusFromPointer(element) {
  if (!element) return;
  element.focus({ preventScroll: true });
  element.classList.add("attn-by-pointer");
  const forget = () => element.classList.remove("attn-by-pointer");
  for (const type of ["keydown", "blur"]) element.addEventListener(type, forget, { once: true });
}

/** Converts places in the window to pixels of a surface, which is enlarged where `?present` scales the figure. */
function placesOn(surface) {
  const box = surface.getBoundingClientRect();
  const scale = box.width / surface.offsetWidth || 1;
  return (x, y) => [(x - box.left) / scale, (y - box.top) / scale];
}

/** What a handle does besides being dragged: a tap beside it, the arrow keys. @param {Grab} grab @param {Host} host */
function wireKnob({ surface, knob, keys, step, measure, settings }, host) {
  surface.addEventListener("click", (event) => {
    if (event.pointerType !== "touch" || event.target === knob) return;
    const [x, y] = placesOn(surface)(event.clientX, event.clientY);
    const layout = measure?.(x, y);
    if (layout === null) return;
    host.move(settings(x, y, layout));
    host.settle();
  });
  knob.addEventListener("keydown", (event) => {
    const way = WAYS[event.key];
    if (!way) return;
    event.preventDefault();
    const state = host.state();
    const steps = event.shiftKey ? COARSE_STEPS : 1;
    const own = movedBy(keys, state);
    // A hand that moves one number takes either pair of keys.
    const ways = own.length > 1 || step ? way : [way[0] || way[1]];
    const next = own.map((key, axis) => {
      const control = host.control(typeof key === "string" ? key : key[0]);
      return stepped(control, valueOf(state, key), ways[axis] * steps);
    });
    host.move(step ? step(ways[0] * steps, ways[1] * steps, state) : withValues(state, own, next));
    host.settle();
  });
}

/** The value so many steps on. @param {any} control @param {number} value @param {number} steps */
function stepped(control, value, steps) {
  return control.kind === "Listed" ? valueAt(control, placeOf(control, value) + steps) : value + steps * control.step;
}

/**
 * The slider or the chosen option that moves the same thing, where the page has one; a notebook's are elsewhere.
 * @param {HTMLElement} figure @param {(string | number)[]} slider its key and item
 */
function sliderOf(figure, [key, item]) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = figure.querySelectorAll(`[data-key="${key}"][data-item="${item}"]`);
  const given = [...inputs].filter((input) => !input.closest("[data-control]").hidden);
  return given.find(({ type, checked }) => type !== "radio" || checked);
}
