// What a figure does in both hosts, on the page and in Jupyter: it paints views, answers the bet,
// can be grabbed and travels. A host computes the views and owns the state.

import { wireGrab } from "./grab.js";
import { wireBet } from "./bet.js";
import { setMoving } from "./deferred.js";
import { activeControls, completeState, snapValue, writeFragment } from "./state.js";
import { hide } from "./text.js";
import { travel } from "./travel.js";
import { paintView, summaryOf } from "./view.js";

/**
 * What computes the views and owns the state: the page's script, or a notebook's kernel.
 * @typedef {object} Host
 * @property {() => any} state the state that the reader has set
 * @property {(state: any, more: { isSlider: boolean }) => void} show go to a state
 * @property {() => void} settle a change is done
 * @property {boolean} onSteps whether only states that the sliders can show are computed
 */
/**
 * What a figure adds to its tables: made by `mount` of its `drawing.js`. Each property may be missing.
 * @typedef {object} Drawing
 * @property {(view: any, state: any) => void} [paint] draw a view
 * @property {((host: any) => import("./grab.js").Grab)[]} [grabs] things to drag, each made from what `grab.js` gives it
 * @property {Press[]} [presses] buttons that change settings
 * @property {() => void} [forget] hide again what the reader has found out, when the question is asked once more
 */
/**
 * A button, the settings that a press makes (or a function that finds them at the press), and perhaps settings to animate
 * from, where the reader is to see how the new state comes about.
 * @typedef {[button: Element, settings: Settings | (() => Settings), from?: Settings]} Press
 */
/** @typedef {Record<string, any>} Settings */
/** @typedef {{ declaration: any, words: any, repaint: () => void }} Context */
/**
 * Called once for each figure on a page.
 * @typedef {(figure: HTMLElement, context: Context) => Drawing} Mount
 */

/**
 * A figure's declaration.
 * @param {HTMLElement} root what holds the figure
 */
export function declarationOf(root) {
  return JSON.parse(root.querySelector("script").textContent);
}

/**
 * Turn the drawn figure into a live one: what needs a script appears, what stands in for it goes.
 * @param {HTMLElement} figure @param {any} declaration @param {Mount | undefined} mount @param {Host} host
 */
export function enliven(figure, declaration, mount, host) {
  const body = figure.querySelector(".attn-body");
  const summary = summaryOf(figure);
  const question = figure.querySelector(".attn-prediction");
  const spoken = figure.querySelector(".attn-announcement");
  let last = null;
  let stop = () => {};

  figure.classList.add("attn-alive");

  const announce = (/** @type {string} */ text) => {
    spoken.textContent = text;
    // One voice at a time: the sentence, not the summary of the same change.
    if (text) summary.setAttribute("aria-live", "off");
  };
  // Animate to a state, from the one that is shown or from another. `then` hears whether it came all the way.
  const go = (to, { from, ms, ask = host.state().ask, then } = /** @type {any} */ ({})) => {
    const goal = { ...to, ask };
    const arrived = (/** @type {boolean} */ whole) => {
      host.settle();
      then?.(whole);
    };
    stop();
    if (from === to) {
      host.show(goal, { isSlider: true });
      arrived(true);
      return;
    }
    stop = travel({ ...(from ?? host.state()), ask }, goal, {
      controls: declaration.controls,
      onSteps: host.onSteps,
      by: from ? (declaration.by ?? []).map((settings) => ({ ...goal, ...settings })) : [],
      ms,
      show: (state) => host.show(state, { isSlider: true }),
      arrived,
    });
  };
  const forget = () => drawing.forget?.();
  const repaint = () => last && paint(last.view, last.state, last.more);
  const bet = wireBet(figure, declaration, { state: host.state, go, forget, announce, repaint });
  // A touch or a key in the figure ends a travel.
  for (const type of ["pointerdown", "keydown"]) figure.addEventListener(type, () => stop(), true);

  const { controls } = declaration;
  const control = (key) => activeControls(controls, host.state()).find((one) => one.key === key);
  const show = (state) => {
    if (writeFragment(state, declaration) !== writeFragment(host.state(), declaration)) {
      host.show(state, { isSlider: true });
    }
  };
  const drawing = mount?.(figure, { declaration, words: declaration.words, repaint }) ?? {};
  const grabHost = {
    figure,
    control,
    state: host.state,
    settle() {
      host.settle();
      repaint(); // A picture may come nearer again when it is let go.
    },
    restore: show,
    move(settings) {
      const snapped = Object.entries(settings).map(([key, value]) => [key, snapValue(control(key), value)]);
      show(completeState(controls, { ...host.state(), ...Object.fromEntries(snapped) }));
    },
  };
  const grabs = (drawing.grabs ?? []).map((make) => make(grabHost));
  for (const grab of grabs) wireGrab(grab, grabHost);
  for (const [button, settings, from] of drawing.presses ?? []) {
    button.addEventListener("click", () => {
      const was = host.state();
      const made = typeof settings === "function" ? settings() : settings;
      host.show({ ...was, ...made }, { isSlider: false });
      host.settle();
      if (!from) return;
      // A native control tells of its own change after the click.
      requestAnimationFrame(() => go(host.state(), { from: { ...host.state(), ...from } }));
    });
  }

  /** Show a view: its tables and sentences, its drawing, and where the grips are. */
  function paint(view, state, more = {}) {
    last = { view, state, more };
    setMoving(Boolean(more.isMoving));
    paintView(body, view, declaration.words, more);
    drawing.paint?.(view, state);
    for (const grab of grabs) grab.follow?.(state, view);
    hide(question, state.ask === "0");
    bet.follow(state);
  }
  const startAgain = () => {
    bet.clear(); // which paints what is still shown
    forget();
  };
  return { paint, forget: startAgain, announce };
}
