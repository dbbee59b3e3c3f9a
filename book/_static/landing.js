/**
 * The figure of the page where a reader chooses a language: it moves once by itself, then waits for a hand or a key.
 * Python has drawn it (book/_ext/site/opening.py); `marks` are its marks at every query. A classic script, so that it runs
 * on a page opened from a disk as well.
 */

const WORDS = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
// The side of each plane in its own units, and how far it reaches.
const KEYS = [330, 2.2];
const VALUES = [240, 1.55];
// A number on a weight changes its colour from these on (attn_lib/live/front/shades.json).
const [MIDDLE, HIGH] = [0.476, 0.63];
// How far the query goes on each axis, and how far a key moves it.
const LIMIT = 2;
const STEP = 0.25;
const WAYS = { ArrowRight: [STEP, 0], ArrowLeft: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };
const [START, GOAL] = [[1.5, 0.5], [-1.5, 0.5]];
const [WAIT_MS, TRAVEL_MS] = [1200, 2600];

/** The weights of the four words for a query, and the output. @param {number[]} query */
function attend([x, y]) {
  const scores = WORDS.map(([u, v]) => u * x + v * y);
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const weights = powers.map((power) => power / total);
  const output = [0, 1].map((axis) => weights.reduce((sum, weight, j) => sum + weight * WORDS[j][axis], 0));
  return { weights, output };
}

/** Where a point of a plane is drawn. @param {number[]} plane @param {number[]} point */
function at([side, reach], [x, y]) {
  const half = side / 2;
  return [half + (x * half) / reach, half - (y * half) / reach];
}

/** The corners of an arrow: a shaft and a head. @param {number[]} start @param {number[]} end @param {number} thick @param {number} head */
function arrow([x, y], [u, v], thick, head) {
  const long = Math.hypot(u - x, v - y) || 1;
  const [across, down] = [(u - x) / long, (v - y) / long];
  const [half, neck] = [thick / 2, Math.max(0, long - head)];
  const wing = Math.max(thick * 0.95, head * 0.55);
  const corners = [[0, half], [neck, half], [neck, wing], [long, 0], [neck, -wing], [neck, -half], [0, -half]];
  return corners.map(([far, side]) => `${(x + far * across - side * down).toFixed(1)},${(y + far * down + side * across).toFixed(1)}`).join(" ");
}

/** The place of the handle and its letter over the plane of keys. */
function place(query, across = 0, down = 0) {
  const [x, y] = at(KEYS, query);
  const [left, top] = [x + across, y + down].map((number) => ((100 * number) / KEYS[0]).toFixed(2));
  return `left:${left}%;top:${top}%`;
}

/** The attributes of each mark that moves. @param {number[]} query */
function marks(query) {
  const { weights, output } = attend(query);
  const made = {};
  const end = at(VALUES, output).map((number) => number.toFixed(1)).join(" ");
  WORDS.forEach((key, j) => {
    const style = `--w:${weights[j].toFixed(3)}`;
    const [x, y] = at(VALUES, key).map((number) => number.toFixed(1));
    made[`key${j}`] = { points: arrow(at(KEYS, [0, 0]), at(KEYS, key), 3 + 20 * weights[j], 13 + 15 * weights[j]), style };
    made[`pull${j}`] = { d: `M${x} ${y}L${end}`, "stroke-width": (0.8 + 12 * weights[j]).toFixed(1) };
    made[`dot${j}`] = { style };
    made[`cell${j}`] = { style, "data-tone": tone(weights[j]) };
  });
  const long = Math.hypot(...query) || 1;
  made.query = { points: arrow(at(KEYS, [0, 0]), at(KEYS, query), 3.5, 16) };
  made.output = { transform: `translate(${end})` };
  made.handle = { style: place(query) };
  made.letter = { style: place(query, (30 * query[0]) / long, (-30 * query[1]) / long) };
  return made;
}

/** How dark a weight is. @param {number} weight */
function tone(weight) {
  return weight < MIDDLE ? "low" : weight < HIGH ? "middle" : "high";
}

/** A number in two decimals, with a real minus. @param {number} x */
function two(x) {
  const text = (Math.abs(x) + 1e-9).toFixed(2);
  return x < 0 && Number(text) > 0 ? `\u2212${text}` : text;
}

/** Let the reader move the query of a figure, and move it once before. @param {HTMLElement} figure */
function wake(figure) {
  /** @type {NodeListOf<HTMLElement>} */
  const marked = figure.querySelectorAll("[data-mark]");
  const named = Object.fromEntries([...marked].map((mark) => [mark.dataset.mark, mark]));
  const { handle } = named;
  const { spoken } = figure.dataset;
  let query = START;
  let [frame, waiting] = [0, 0];

  /** @param {number[]} wanted */
  function show(wanted) {
    query = wanted.map((x) => Math.max(-LIMIT, Math.min(LIMIT, x)));
    const made = marks(query);
    const { weights, output } = attend(query);
    for (const name in made) for (const attribute in made[name]) named[name].setAttribute(attribute, made[name][attribute]);
    weights.forEach((weight, j) => (named[`cell${j}`].textContent = two(weight)));
    const [q, o] = [query, output].map((point) => `(${point.map(two).join(", ")})`);
    handle.setAttribute("aria-valuenow", two(query[0]).replace("\u2212", "-"));
    handle.setAttribute("aria-valuetext", spoken.replace("{q}", q).replace("{o}", o));
  }

  function rest() {
    clearTimeout(waiting);
    cancelAnimationFrame(frame);
  }

  /** Turn the query to its goal. */
  function travel() {
    const [r, s] = [START, GOAL].map(([x, y]) => Math.hypot(x, y));
    const [a, b] = [START, GOAL].map(([x, y]) => Math.atan2(y, x));
    let began;
    const step = (/** @type {number} */ now) => {
      began ??= now;
      const gone = Math.min(1, (now - began) / TRAVEL_MS);
      const share = gone * gone * (3 - 2 * gone);
      const [length, angle] = [r + (s - r) * share, a + (b - a) * share];
      show(gone < 1 ? [length * Math.cos(angle), length * Math.sin(angle)] : GOAL);
      if (gone < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  }

  const plane = handle.parentElement;
  let held = false;
  const follow = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    const { left, top, width } = plane.getBoundingClientRect();
    const [half, reach] = [width / 2, KEYS[1]];
    show([((clientX - left - half) / half) * reach, ((half - clientY + top) / half) * reach]);
  };
  plane.addEventListener("pointerdown", (event) => {
    rest();
    if (event.button !== 0 || (event.pointerType !== "mouse" && event.target !== handle)) return; // a finger scrolls
    held = true;
    handle.setPointerCapture(event.pointerId);
    handle.focus({ preventScroll: true });
    event.preventDefault();
    if (event.target !== handle) follow(event);
  });
  handle.addEventListener("pointermove", (event) => held && follow(event));
  for (const type of ["pointerup", "pointercancel"]) handle.addEventListener(type, () => (held = false));
  handle.addEventListener("keydown", (event) => {
    rest();
    const way = WAYS[event.key];
    if (!way) return;
    event.preventDefault();
    show(query.map((x, axis) => x + way[axis]));
  });
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) waiting = setTimeout(travel, WAIT_MS);
}

/** @type {NodeListOf<HTMLElement>} */
const figures = document.querySelectorAll("figure[data-spoken]");
for (const figure of figures) if (figure.getClientRects().length > 0) wake(figure);
