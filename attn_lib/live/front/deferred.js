// Deferred painting. Each move of a slider or a pointer has to be painted within one frame, so what nobody can see or
// follow meanwhile is painted once the moves have paused: closed folds, rows outside the window, text for screen
// readers, the summary.

const PAUSE_MS = 120;

/** What is deferred: how to paint each element. @type {Map<Element, () => void>} */
const pending = new Map();
// When painting was last deferred, and the one timer for all of it.
let [deferredAt, timer] = [0, 0];

/**
 * Paint an element once the moves have paused.
 * @param {Element} element @param {() => void} paint
 */
export function paintDeferred(element, paint) {
  if (!pending.has(element)) element.setAttribute("aria-busy", "true");
  pending.set(element, paint);
  deferredAt = performance.now();
  timer ||= setTimeout(flush, PAUSE_MS);
}

/** Paint all that is deferred, if the moves have paused; else wait for the rest of the pause. */
function flush() {
  const left = deferredAt + PAUSE_MS - performance.now();
  timer = left > 0 ? setTimeout(flush, left) : 0;
  if (timer) return;
  setMoving(false);
  for (const element of [...pending.keys()]) paintPending(element);
}

/** Paint an element at once; what was deferred for it is out of date. @param {Element} element @param {() => void} paint */
export function paintNow(element, paint) {
  if (pending.delete(element)) element.removeAttribute("aria-busy");
  paint();
}

/** Paint at once what is deferred for an element, if anything is. @param {Element} element */
export function paintPending(element) {
  const paint = pending.get(element);
  if (paint) paintNow(element, paint);
}

// Whether the view that is being painted is one of a series: a slider or a pointer is moving.
let isMoving = false;

/** Say whether the views painted from now on belong to a move that goes on. @param {boolean} moving */
export function setMoving(moving) {
  isMoving = moving;
}

const HIDDEN = ".attn-figure details:not([open]), .attn-figure .attn-sr";

/**
 * Paint an element now if it can be seen. In a closed fold, or where only a screen reader has it, painting is deferred;
 * during a move also outside the window.
 * @param {HTMLElement} element @param {() => void} paint
 */
export function paintVisible(element, paint) {
  if (element.closest(HIDDEN)) paintDeferred(element, paint);
  else paintOnScreen(element, paint);
}

/** Elements outside the window, as the observer last reported. @type {WeakSet<Element>} */
const outside = new WeakSet();
/** @type {WeakSet<Element>} */
const observed = new WeakSet();

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting, boundingClientRect } of entries) {
    if (isIntersecting) {
      if (outside.delete(target)) paintPending(target);
    } else if (boundingClientRect.height > 0) outside.add(target);
    else {
      // A hidden element has no position; it is observed anew once it is shown.
      observed.delete(target);
      observer.unobserve(target);
    }
  }
});

/**
 * Paint an element now, but outside the window during a move deferred: for the rows of what `paintVisible` paints.
 * @param {HTMLElement} element @param {() => void} paint
 */
export function paintOnScreen(element, paint) {
  if (!element.hidden && !observed.has(element)) {
    observed.add(element);
    observer.observe(element);
  }
  (isMoving && outside.has(element) ? paintDeferred : paintNow)(element, paint);
}

/**
 * Paint now, but during a move deferred: for text that changes too fast to be followed.
 * @param {Element} element @param {() => void} paint
 */
export function paintWhenStill(element, paint) {
  (isMoving ? paintDeferred : paintNow)(element, paint);
}
