// The native controls of a figure: reads what the reader sets, shows what the state is.

import { fill, formatSetting } from "./numbers.js";
import { activeControls, isIdle, readText, snapValue } from "./state.js";
import { setAttributes } from "./svg.js";
import { hide, setText } from "./text.js";
import { isTyped, readTyped, sentenceOf, spell } from "./typed.js";

/**
 * Call `onInput(key, item, value, { isSlider, note })` while the reader moves a control, `onChange()` when a change is
 * done. A value that could not be understood is undefined.
 * @param {HTMLElement} root the figure
 * @param {any} declaration
 */
export function listenToControls(root, declaration, onInput, onChange) {
  for (const element of inputs(root)) {
    const control = controlOf(element, declaration);
    if (control.kind === "Checklist") {
      element.addEventListener("change", () => {
        onInput(control.key, 0, readTicks(root, declaration)[control.key]);
        onChange();
      });
      continue;
    }
    if (element.type === "text") {
      listenToTyping(element, control, declaration, onInput, onChange);
      continue;
    }
    const isSlider = element.type === "range";
    element.addEventListener("input", () => {
      const value = valueOf(element, control);
      // An invalid number changes nothing, and the summary says so.
      const note = value === undefined ? wordsOf(control, declaration).not_understood : undefined;
      if (element.type === "number") mark(element, note !== undefined);
      onInput(control.key, Number(element.dataset.item), value, { isSlider, note });
    });
    element.addEventListener("change", () => {
      // When the field is left, an invalid number is replaced by the present value.
      if (element.type === "number" && valueOf(element, control) === undefined) {
        element.value = element.defaultValue;
        mark(element, false);
      }
      onChange();
    });
    if (isSlider) {
      element.addEventListener("keydown", jumpByPage);
      element.closest(".attn-item").querySelector(".attn-slider").style.setProperty("--longest", String(longestOf(control)));
    }
    element.closest(".attn-item").querySelector("[data-next]")?.addEventListener("click", () => goOn(element, control));
  }
}

/** The length in digits of the longest number that a slider can show: this much room is kept for it beside the label. */
function longestOf(control) {
  const { min, max, step, digits } = control;
  const values = control.values ?? Array.from({ length: Math.round((max - min) / step) + 1 }, (_, i) => snapValue(control, min + i * step));
  // In bold type a point is somewhat more than half as wide as a digit, a minus at most half as wide again.
  const lengthOf = (text) => text.length - (text.includes(".") ? 0.4 : 0) + (/[0-9]/.test(text[0]) ? 0 : 0.5);
  return Math.max(...values.map((value) => lengthOf(formatSetting(value, digits))));
}

/**
 * A valid text is shown at once. An invalid one leaves the figure as it is; what is wrong is said only when the reader
 * leaves the field, empties it, or can no longer make it valid by typing on.
 */
function listenToTyping(field, control, declaration, onInput, onChange) {
  const take = (isDone, isLost = false) => {
    const { value, wrong = "" } = readField(field, control, declaration);
    if (!wrong || isDone || isLost || !field.value.trim()) complain(field, wrong);
    if (!wrong) onInput(control.key, 0, value);
    if (isDone) onChange();
  };
  // While an input method is composing, the text may have signs that will not stay.
  field.addEventListener("input", ({ isComposing }) => take(false, !isComposing && isBeyondMending(field.value, control)));
  field.addEventListener("change", () => take(true));
}

/** Whether no further letter can make a word valid: it has a wrong sign, or is too long. */
function isBeyondMending(text, control) {
  return control.kind === "Word" && readText(`${text}a`, control) === undefined;
}

/** What a field's text spells, or a sentence that says what is wrong with it. */
function readField(field, control, declaration) {
  if (!isTyped(control)) {
    const value = readText(field.value, control);
    return value === undefined ? { wrong: wordsOf(control, declaration).not_understood } : { value };
  }
  const read = readTyped(field.value, control);
  return "value" in read ? { value: read.value } : { wrong: sentenceOf(read, declaration.words.frame) };
}

/** Let texts that were wrong go, when the figure goes somewhere else. @param {HTMLElement} root */
export function forgetWrong(root) {
  for (const field of root.querySelectorAll('[aria-invalid="true"]')) {
    complain(field, "");
    delete field.dataset.shown;
  }
}

/** Say below a field what is wrong with its text; "" takes that back. */
function complain(field, sentence) {
  mark(field, sentence !== "");
  const place = field.parentElement.querySelector(".attn-wrong");
  if (place) place.textContent = sentence;
  field.closest(".attn-body")?.classList.toggle("attn-unread-text", sentence !== "");
}

function mark(field, isWrong) {
  setAttributes(field, { "aria-invalid": isWrong });
}

/**
 * What is ticked in each checklist.
 * @param {HTMLElement} root @param {any} declaration
 * @returns {Record<string, number[]>}
 */
function readTicks(root, declaration) {
  const ticks = /** @type {Record<string, number[]>} */ ({});
  for (const element of inputs(root)) {
    const { kind, key } = controlOf(element, declaration);
    if (kind !== "Checklist") continue;
    ticks[key] ??= [];
    if (element.checked) ticks[key].push(Number(element.value));
  }
  return ticks;
}

/**
 * Show a state on the controls: values, labels, spoken values, and which controls exist at all.
 * @param {HTMLElement} root @param {any} declaration @param {Record<string, any>} state
 * @param {Record<string, string>} slots formatted numbers of the current view
 */
export function showState(root, declaration, state, slots) {
  const existing = activeControls(declaration.controls, state);
  const { boxes, fields } = elementsOf(root, declaration);
  for (const { box, control } of boxes) hide(box, !existing.includes(control));
  for (const { element, control, item, words, group, next, label, output } of fields) {
    if (!existing.includes(control)) continue;
    const value = [state[control.key]].flat()[item];
    if (control.kind === "Checklist") element.checked = state[control.key].includes(Number(element.value));
    else if (element.type === "text") showTyped(element, control, declaration, value);
    else showValue(element, control, value);
    if (control.idle) {
      const off = isIdle(control, state);
      for (const one of [element, next]) if (one) one.disabled = off;
      group.classList.toggle("attn-idle", off);
    }
    if (next) setText(next, value < control.max ? words.next : declaration.words.frame.from_start);
    setText(label, fill(words.labels?.[item] ?? words.label, slots));
    if (!output) continue;
    const shown = formatSetting(value, control.digits);
    setText(output, shown);
    const spoken = [words.valuetext].flat();
    setAttributes(element, { "aria-valuetext": fill(spoken[item] ?? spoken[0], { ...slots, value: shown }) });
  }
}

/** @type {WeakMap<HTMLElement, { boxes: any[], fields: any[] }>} */
const elements = new WeakMap();

/** The boxes of a figure's controls, and its inputs with the elements around each; found once, as they stay. */
function elementsOf(root, declaration) {
  if (!elements.has(root)) {
    const boxes = [...root.querySelectorAll("[data-control]")].map((box) => {
      return { box, control: declaration.controls[box.dataset.control] };
    });
    const fields = [...inputs(root)].map((element) => {
      const control = controlOf(element, declaration);
      const group = element.closest(".attn-item");
      const [next, label, output] = ["[data-next]", "[data-label]", "output"].map((one) => group.querySelector(one));
      return { element, control, item: Number(element.dataset.item), words: wordsOf(control, declaration), group, next, label, output };
    });
    elements.set(root, { boxes, fields });
  }
  return elements.get(root);
}

function inputs(root) {
  return root.querySelectorAll("[data-key]");
}

function controlOf(element, { controls }) {
  return controls[element.closest("[data-control]").dataset.control];
}

function wordsOf(control, { words }) {
  return words.controls[control.words || control.key];
}

function valueOf(element, control) {
  switch (element.type) {
    case "range":
      return control.kind === "Listed" ? control.values[element.value] : Number(element.value);
    case "radio":
      return element.value;
    case "checkbox":
      return element.checked ? "1" : "0";
    case "number":
      return element.value !== "" && element.validity.valid ? Number(element.value) : undefined;
    default:
      return element.value;
  }
}

function showValue(element, control, value) {
  if (element.type === "radio") element.checked = element.value === value;
  else if (element.type === "checkbox") element.checked = value === "1";
  else if (element.type === "range") {
    const at = control.kind === "Listed" ? control.values.indexOf(value) : value;
    // Firefox sends no `change` event after a key if a script has set the value that the key had just set.
    if (Number(element.value) !== at) element.value = at;
  }
  else if (element.type === "number") {
    if (element.defaultValue !== String(value)) element.defaultValue = value;
    // What the reader is typing stays as it is.
    if (element === document.activeElement) return;
    element.value = value;
    mark(element, false);
  } else element.value = value;
}

/**
 * Show a value in its text field. A text that the reader is typing, or a wrong one, stays while the value is the one that
 * was shown last; another value comes from a link and replaces it.
 */
function showTyped(field, control, declaration, value) {
  const isShown = field.dataset.shown === value;
  const text = isTyped(control) ? spell(value, control) : value;
  if (isShown && field.value === text) return;
  field.dataset.shown = value;
  const isTyping = field === document.activeElement && (isShown || readField(field, control, declaration).value === value);
  if (isTyping || (isShown && field.getAttribute("aria-invalid") === "true")) return;
  field.value = text;
  complain(field, "");
}

/** PageUp and PageDown move ten steps; browsers disagree about their own step. */
function jumpByPage(event) {
  const direction = { PageUp: 1, PageDown: -1 }[event.key];
  if (!direction) return;
  event.preventDefault();
  const slider = event.currentTarget;
  const steps = Math.max(1, Math.min(10, Math.round((slider.max - slider.min) / slider.step / 10)));
  setTo(slider, Number(slider.value) + direction * steps * slider.step);
}

/** The button beside a number: one step on, and from the largest back to the smallest. */
function goOn(field, { min, max, step }) {
  const value = field.validity.valid ? Number(field.value) : min;
  setTo(field, value >= max ? min : value + step);
}

function setTo(element, value) {
  element.value = value;
  element.dispatchEvent(new Event("input", { bubbles: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
}
