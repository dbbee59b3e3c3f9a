// A page that shows one figure and nothing else: `?present` fills the screen and goes through states by arrow keys,
// `?embed` is for a frame in another page. The fragment names the figure and its first state, as on any page.
// _static/theme.js has marked the root before anything was drawn. In a lesson, `?lesson=b`, the figure fills the screen as
// well, and _static/deck.js goes through its steps.

const STAGES = ["present", "embed"];
// Elements that use arrow keys themselves.
const TAKES_ARROWS = "input, select, textarea, [role=slider], [tabindex]:not([tabindex='-1'])";

/** Put the figure that the address names in the place of the page; call it before figures are live. */
export function stage() {
  const how = document.documentElement.dataset.stage;
  if (!how) return;
  const figures = [...document.querySelectorAll("attn-explorer")];
  const name = location.hash.slice(1).split("?")[0];
  const figure = figures.find((one) => one.dataset.figure === name) ?? figures[0];
  const main = document.createElement("main");
  main.className = "attn-alone";
  main.append(figure);
  const isLesson = "lesson" in document.documentElement.dataset;
  // A lesson may show an exercise of the page as well.
  if (isLesson) document.body.append(main);
  else document.body.replaceChildren(main);
  // The page's only heading now.
  const question = figure.querySelector(".attn-question");
  question.setAttribute("role", "heading");
  question.setAttribute("aria-level", "1");
  const words = JSON.parse(figure.querySelector("script").textContent).words.frame;
  if (!isLesson) main.append(how === "present" ? states(figure, words) : source());
  if (how === "present") fit(main);
}

/** The address of this page without a stage. @param {string} [fragment] */
export function chapter(fragment = location.hash) {
  const address = new URL(location.href);
  for (const name of [...STAGES, "state"]) address.searchParams.delete(name);
  address.hash = fragment;
  return address.href;
}

/**
 * The HTML that shows a figure in another page. Its frame runs our script and nothing else: it has no
 * origin, so it reads no cookie and no storage.
 * @param {HTMLElement} figure @param {string} fragment the state to begin with
 */
export function snippet(figure, fragment) {
  const address = new URL(chapter(fragment));
  address.search = "?embed";
  const title = figure.querySelector(".attn-question").textContent;
  const height = Math.ceil(figure.getBoundingClientRect().height) + 64;
  return (
    `<iframe src="${escape(address.href)}" title="${escape(title)}" width="100%" height="${height}"` +
    ' style="border: 0" loading="lazy" sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"></iframe>'
  );
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** Where an embedded figure comes from. */
function source() {
  const line = document.createElement("p");
  const link = document.createElement("a");
  line.className = "attn-source";
  link.textContent = document.title;
  link.target = "_blank";
  link.rel = "noopener";
  link.href = chapter();
  // The state that the reader has reached.
  link.addEventListener("click", () => (link.href = chapter()));
  line.append(link);
  return line;
}

/** Buttons and keys that go through the states: those of the address, else those that the figure offers. */
function states(figure, words) {
  const asked = new URLSearchParams(location.search).getAll("state");
  const { figure: name, start } = figure.dataset;
  const offered = [...figure.querySelectorAll(".attn-tries a:not(.attn-ends *)")].map((link) => link.getAttribute("href"));
  const list = asked.length ? asked.map((state) => `#${name}?${state}`) : [start, ...offered];
  let now = 0;

  const bar = document.createElement("p");
  bar.className = "attn-states";
  const count = document.createElement("span");
  count.setAttribute("aria-live", "polite");
  const go = (to) => {
    now = Math.min(Math.max(to, 0), list.length - 1);
    location.replace(list[now]);
    count.textContent = `${now + 1} / ${list.length}`;
  };
  const button = (sign, label, step) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = sign;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", () => go(now + step));
    return made;
  };
  bar.append(button("‹", words.previous_state, -1), count, button("›", words.next_state, 1));
  document.addEventListener("keydown", (event) => {
    const taken = event.target instanceof Element && event.target.closest(TAKES_ARROWS);
    const arrow = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const step = { PageUp: -1, PageDown: 1 }[event.key] ?? (taken ? undefined : arrow);
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    go(now + step);
  });
  count.textContent = `1 / ${list.length}`;
  if (!location.hash || asked.length) location.replace(list[0]);
  return bar;
}

/**
 * Draw as large as the window allows beside what the body's padding is kept for, never smaller than on the page: but a
 * lesson's step has to be seen whole. By a transform: under `zoom`, browsers disagree about what they measure.
 */
function fit(main) {
  main.style.transformOrigin = "top";
  const size = () => {
    const { offsetWidth: width, offsetHeight: height } = main;
    const { paddingRight, paddingBottom } = getComputedStyle(document.body);
    const most = Math.min((innerWidth - parseFloat(paddingRight)) / width, (innerHeight - parseFloat(paddingBottom)) / height);
    const scale = Math.min(Math.max(most, "lesson" in document.documentElement.dataset ? 0.5 : 1), 4);
    main.style.transform = `scale(${scale})`;
  };
  addEventListener("resize", size);
  // The height changes once the figure is live, when elements appear that need a script.
  new MutationObserver(size).observe(main.firstElementChild, { attributeFilter: ["data-ready"] });
}
