/**
 * `?lesson=b`: the steps of a lesson (_ext/content/lessons.py). Each has an address of its own, its page with `&at=` and the
 * state of its figure, so a step within a figure moves it, and another is another page. theme.js loads this script with the
 * lesson's, lesson-b.js; both are classic scripts, so a lesson runs from a disk as well. Nothing is stored or sent.
 *
 * Keys: arrows, PageUp, PageDown, Home, End; s opens the speaker's window, Escape leaves.
 */
(() => {
  const root = document.documentElement;
  const { lesson } = root.dataset;
  const asked = new URLSearchParams(location.search);
  // There is no such lesson.
  if (!window.attnLesson) return location.replace(location.pathname + location.hash);
  const { title, words, steps } = window.attnLesson;
  const [previous, next, speaker, leave, phone, following] = words;
  const last = steps.length - 1;
  const isNotes = asked.has("notes");
  let at = within(Number(asked.get("at")) - 1);

  /** @param {number} n */
  function within(n) {
    return Math.min(Math.max(n || 0, 0), last);
  }

  /** @param {string} name @param {object} [properties] @param {(Node | string)[]} children */
  function make(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function address(/** @type {number} */ n) {
    const [page, place] = steps[n].at.split("#");
    return `${page}?lesson=${lesson}&at=${n + 1}#${place}`;
  }

  const pageOf = (/** @type {string} */ path) => path.split("#")[0].split("/").pop().replace(/\.html$/, "");
  // The figure that a step is about; undefined for a step without one.
  const figureOf = ({ kind, at }) => (["exercise", "board"].includes(kind) ? undefined : at.split("#")[1].split("?")[0]);

  /** Go to a step: within a figure by its state alone, so that the figure moves there; else by its page. */
  function go(/** @type {number} */ to) {
    const step = steps[within(to)];
    if (within(to) === at) return;
    const target = new URL(address(within(to)), location.href);
    const isHere = pageOf(step.at) === pageOf(steps[at].at) && figureOf(step) && figureOf(step) === figureOf(steps[at]);
    if (!isHere) return location.replace(target);
    history.replaceState(null, "", target.search + location.hash);
    // What was asked stays as the room has left it.
    if (step.kind !== "answer") location.replace(target.hash);
    at = within(to);
    show();
  }

  /** Do something with the figure once it is live, if the step is still the same. @param {(figure: HTMLElement) => void} act */
  function withFigure(act, now = at) {
    const figure = document.querySelector(".attn-alone attn-explorer[data-ready] > figure");
    if (now !== at) return;
    // A link has to be followed first.
    if (figure) setTimeout(() => now === at && act(figure), 50);
    else setTimeout(withFigure, 50, act, now);
  }

  /** Ask the figure's question, if it was answered before. */
  function ask(/** @type {HTMLElement} */ figure) {
    if (figure.dataset.phase === "ask") return;
    figure.querySelector(".attn-again").click();
    // A ring around one option would recommend it.
    /** @type {HTMLElement} */ (document.activeElement).blur();
  }

  /** Bet on what is right, unless the room has bet. */
  function answer(/** @type {HTMLElement} */ figure) {
    if (["betting", "answered"].includes(figure.dataset.phase)) return;
    ask(figure);
    const right = [...figure.querySelectorAll(".attn-verdict")].findIndex(({ dataset }) => dataset.verdict === "right");
    figure.querySelectorAll(".attn-bet")[right].click();
  }

  /** Draw a QR code with its quiet zone. @param {string[]} rows each a hexadecimal number */
  function drawCode(rows) {
    const size = rows.length;
    const line = (row, y) =>
      [...BigInt(`0x${row}`).toString(2).padStart(size, "0").matchAll(/1+/g)]
        .map(({ 0: run, index }) => `M${index + 4} ${y + 4.5}h${run.length}`).join("");
    const code = make("div");
    code.innerHTML = `<svg viewBox="0 0 ${size + 8} ${size + 8}" role="img" shape-rendering="crispEdges"><path stroke="#000" d="${rows.map(line).join("")}"/></svg>`;
    code.firstElementChild.setAttribute("aria-label", "QR");
    return code;
  }

  // On the wall

  const count = make("span", { ariaLive: "polite" });
  const chapter = make("a", { textContent: "✕", ariaLabel: leave, title: leave });
  const vote = make("aside", { className: "attn-deck attn-deck-vote", ariaLabel: phone });
  const wall = make("main", { className: "attn-deck attn-deck-wall" });

  function show() {
    const step = steps[at];
    root.dataset.step = step.kind;
    count.textContent = `${at + 1} / ${steps.length}`;
    document.title = `${count.textContent} · ${title}`;
    chapter.href = step.at;
    vote.hidden = !step.qr;
    vote.replaceChildren(...(step.qr ? [drawCode(step.qr), make("p", { textContent: phone })] : []));
    wall.hidden = !!figureOf(step);
    if (!wall.hidden) {
      const place = document.getElementById(step.at.split("#")[1]);
      const shown = step.kind === "board" ? place.querySelectorAll("blockquote") : [place];
      wall.replaceChildren(make("h1", { textContent: title }), ...shown);
    }
    if (step.kind === "vote") withFigure(ask);
    if (step.kind === "answer") withFigure(answer);
  }

  function onWall() {
    if (pageOf(steps[at].at) !== pageOf(location.pathname)) return location.replace(address(at));
    const button = (text, label, press, more = {}) =>
      make("button", { type: "button", textContent: text, ariaLabel: label, title: label, onclick: press, ...more });
    const bar = make("nav", { className: "attn-deck attn-deck-bar", ariaLabel: title });
    bar.append(button("‹", previous, () => go(at - 1)), count, button("›", next, () => go(at + 1)));
    bar.append(button(speaker, speaker, openNotes), chapter);
    document.body.append(wall, vote, bar);
    show();
    // The wall has its room once deck.css is there.
    const size = () => dispatchEvent(new Event("resize"));
    if (document.readyState === "complete") size();
    else addEventListener("load", size);
    addEventListener("message", ({ data, source, origin }) => {
      if (origin !== location.origin && location.protocol !== "file:") return;
      if (data?.deck === "where") /** @type {Window} */ (source).postMessage({ deck: "at", at }, "*");
      if (data?.deck === "go") go(data.to);
    });
  }

  function openNotes() {
    open(`lesson-${lesson}.html?lesson=${lesson}&notes&at=${at + 1}`, "attn-notes", "popup,width=640,height=720");
  }

  // In the speaker's window, which is the lesson's own page. It asks the wall where it is, so it follows from page to page.

  const notes = make("main", { className: "attn-deck attn-deck-notes", ariaLive: "polite" });

  function tell() {
    document.title = `${at + 1} / ${steps.length} · ${title}`;
    const step = /** @type {HTMLElement} */ (document.getElementById(`step-${at + 1}`).cloneNode(true));
    for (const link of step.querySelectorAll("a")) link.target = "_blank"; // the window stays
    const then = document.querySelector(`#step-${at + 2} > p`);
    notes.replaceChildren(make("h1", { textContent: document.title }), ...step.childNodes);
    if (then) notes.append(make("p", { className: "attn-deck-next", textContent: following.replace("{step}", then.textContent) }));
  }

  function inWindow() {
    root.dataset.notes = "";
    document.body.append(notes);
    tell();
    addEventListener("message", ({ data, source }) => {
      if (source !== opener || data?.deck !== "at" || data.at === at) return;
      at = within(data.at);
      tell();
    });
    setInterval(() => opener?.postMessage({ deck: "where" }, "*"), 300);
  }

  function move(/** @type {number} */ to) {
    if (!isNotes) go(to);
    else if (opener) opener.postMessage({ deck: "go", to: within(to) }, "*");
    else {
      at = within(to);
      tell();
    }
  }

  const TAKES_ARROWS = "input, select, textarea, [role=slider], [tabindex]:not([tabindex='-1'])";

  function press(/** @type {KeyboardEvent} */ event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const isTaken = event.target instanceof Element && event.target.closest(TAKES_ARROWS);
    const always = { PageUp: at - 1, PageDown: at + 1 };
    const to = (isTaken ? always : { ...always, ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last })[event.key];
    if (to !== undefined) {
      event.preventDefault();
      move(to);
    } else if (isTaken || isNotes) return;
    else if (event.key === "s") openNotes();
    else if (event.key === "Escape") chapter.click();
  }

  function begin() {
    document.addEventListener("keydown", press);
    if (isNotes) inWindow();
    else onWall();
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
