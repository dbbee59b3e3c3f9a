// A move has to fit into a frame: what nobody looks at meanwhile is painted when the hand rests. That is what a closed
// fold hides, what lies outside of the window, numbers that are there for the ear alone, and the summary, which nobody can
// read as it changes.

const REST = 120; // ms

/** What waits for the rest: what paints each element. @type {Map<Element, () => void>} */
const waiting = new Map();
// When something was last told to wait, and the one timer for all of it.
let [asked, timer] = [0, 0];

/**
 * Paint a moment after the last call.
 * @param {Element} element @param {() => void} paint
 */
export function paintAtRest(element, paint) {
  if (!waiting.has(element)) element.setAttribute("aria-busy", "true");
  waiting.set(element, paint);
  asked = performance.now();
  timer ||= setTimeout(rest, REST);
}

function rest() {
  const left = asked + REST - performance.now();
  timer = left > 0 ? setTimeout(rest, left) : 0;
  if (timer) return;
  followHand(false);
  for (const element of [...waiting.keys()]) catchUp(element);
}

/** Paint at once; what waited is out of date. @param {Element} element @param {() => void} paint */
export function paintNow(element, paint) {
  if (waiting.delete(element)) element.removeAttribute("aria-busy");
  paint();
}

/** Paint what waits, if anything does: the hand has come to rest. @param {Element} element */
export function catchUp(element) {
  const paint = waiting.get(element);
  if (paint) paintNow(element, paint);
}

// Whether what is painted follows a hand that goes on.
let isMoving = false;

/** Say whether what is painted from now on follows a hand that goes on. @param {boolean} moving */
export function followHand(moving) {
  isMoving = moving;
}

const UNSEEN = ".attn-figure details:not([open]), .attn-figure .attn-sr";

/**
 * Paint at once what can be seen, and at rest what a fold of the figure hides or what can only be heard; while a hand goes
 * on, also what lies outside of the window.
 * @param {HTMLElement} element @param {() => void} paint
 */
export function paintSeen(element, paint) {
  if (element.closest(UNSEEN)) paintAtRest(element, paint);
  else paintInWindow(element, paint);
}

/** What the browser has told to lie outside of the window. @type {WeakSet<Element>} */
const outside = new WeakSet();
/** @type {WeakSet<Element>} */
const watched = new WeakSet();

const watch = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting, boundingClientRect } of entries) {
    if (isIntersecting) {
      if (outside.delete(target)) catchUp(target);
    } else if (boundingClientRect.height > 0) outside.add(target);
    else {
      // What is hidden lies nowhere, and is to be asked for again.
      watched.delete(target);
      watch.unobserve(target);
    }
  }
});

/**
 * Paint at once; while a hand goes on, at rest what lies outside of the window. For a row of what `paintSeen` paints.
 * @param {HTMLElement} element @param {() => void} paint
 */
export function paintInWindow(element, paint) {
  // What is hidden lies nowhere.
  if (!element.hidden && !watched.has(element)) {
    watched.add(element);
    watch.observe(element);
  }
  (isMoving && outside.has(element) ? paintAtRest : paintNow)(element, paint);
}

/**
 * Paint what nobody can follow while a hand goes on: then at rest, else at once.
 * @param {Element} element @param {() => void} paint
 */
export function paintStill(element, paint) {
  (isMoving ? paintAtRest : paintNow)(element, paint);
}
